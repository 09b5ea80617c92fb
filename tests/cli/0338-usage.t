#!/bin/sh
# 0338-usage - status counts what really runs, tells in what time something ran, what
# was used by tasks and lost to tries that failed, and what those said last
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/pbs.sh"

fake_up ncpus=4 job_history_enable=True

# of_stage QUERY: of the stage's status.
of_stage() {
    fanfold -C "$c" status --json | jq -r ".stages[0] | $1"
}

# --- what really runs ---

c=$tmp/killed
work_campaign "$c" 2
sed -i 's/visibility: 10s/visibility: 1000s/' "$c/site.yaml"
echo "$suicide" >"$c/behaviour"
ok "an agent is killed, which logs no end" fanfold -C "$c" advance
over() {
    fanfold -C "$c" advance >/dev/null
    grep -q '"ev":"over"' "$c"/.fanfold/journal/*
}
ok "... the scheduler has ended all" until_ok over
is "its task counts as one that waits, not as running" '{"pending":1,"ok":1}' \
    "$(fanfold -C "$c" status --json | jq -c '.stages[0].tasks')"
sed -i 's/visibility: 1000s/visibility: 1s/' "$c/site.yaml"
ok "the campaign ends well" fanfold -C "$c" run

c=$tmp/cancelled
work_campaign "$c" 2
echo "$waiting" >"$c/behaviour"
ok "two tasks" fanfold -C "$c" advance
wait_ran "$c" "0 1 "
is "... run" '2' "$(of_stage .tasks.running)"
is "... and the time goes on" true "$(of_stage '.wall_s > 0')"
fanfold -C "$c" cancel >/dev/null
fanfold -C "$c" run >"$tmp/out" 2>&1
is "cancelled, none runs" '{"ok":0,"cancelled":2}' "$(of_stage '.tasks | tojson')"
: >"$c/go"
fanfold -C "$c" resume >/dev/null
ok "... they run again" fanfold -C "$c" run
is "... to their end" '{"ok":2}' "$(of_stage '.tasks | tojson')"
is "what was cancelled is lost" true "$(of_stage '.used.lost.node_hours > 0')"

# --- what was used ---

c=$tmp/used
work_campaign "$c" 3
sed -i 's/cores: 1, memory: 300MiB/cores: 2, memory: 300MiB/; s/poll:/running: 1, poll:/' \
    "$c/site.yaml"
sed -i 's/walltime: 50s}/&, retry: {failed: 2}, success: 0.5/; s/iterations: 1/iterations: 2/' \
    "$c/campaign.yaml"
cat >>"$c/campaign.yaml" <<'END2'
history: {n: work.count}
END2
cat >"$c/behaviour" <<'END2'
[ $2 != 1 ] || { printf 'it is\033[31m bad\n \n'; exit 3; }
END2
ok "a task that fails, twice in each iteration" fanfold -C "$c" run
# Sums of what the agents logged, in hours: every task has a core, half a node.
logged() {
    # shellcheck disable=SC2086 # a pattern
    run_cat "$c" work "$1" '*/*/results-*' |
        jq -s '[.[] | select(.ev == "end" and ('"$2"')) | .wall_s] | add * 1e6 | round'
}
used() {
    fanfold -C "$c" status --json | jq "$1 * 3600 * 1e6 | round"
}
is_near() {
    is "$1" near "$(awk -v a="$2" -v b="$3" 'BEGIN {
        d = a - b; print (d < 0 ? -d : d) <= 1e-5 * a + 10 ? "near" : a " " b }')"
}
is_near "the core-hours of a stage" "$(logged 000001 true)" "$(used '.stages[0].used.core_hours')"
is_near "... its node-hours: two tasks fit a node" "$(logged 000001 true)" \
    "$(used '.stages[0].used.node_hours * 2')"
is_near "... what tries cost that failed" "$(logged 000001 '.outcome != "ok"')" \
    "$(used '.stages[0].used.lost.core_hours')"
is_near "... and how long a task took that is ok" "$(logged 000001 '.outcome == "ok"')" \
    "$(fanfold -C "$c" status --json | jq '.stages[0] | .task_s * .tasks.ok * 1e6 | round')"
is_near "... of an iteration before" "$(logged 000000 true)" "$(used '.history[0].used.core_hours')"
is_near "... of the campaign" "$(logged '00000?' true)" "$(used '.used.core_hours')"
is "an iteration's wall is no longer than it took, and no shorter than a task" true \
    "$(fanfold -C "$c" status --json | jq --argjson most "$(logged 000000 true)" \
        '.history[0].wall_s | . > 0 and . * 1e6 <= $most * 1.01 + 1000')"
text=$(fanfold -C "$c" status)
has "status says it" "used: <0.01 node-hours (<0.01 lost to tries that failed), <0.01 core-hours" "$text"
has "... in columns of the history" "iteration  n  " "$text"
has "... with the mean of its tasks" "  mean  " "$text"
has "... with what was lost" "node-hours   lost" "$text"
has "a task that failed is told with its last line, without control characters" \
    "work: task 1 (failed): command 'sh' exited with status 3; its last line: 'it is [31m bad'" "$text"
is "... in JSON, too" "1 failed" "$(of_stage '.failures[0] | "\(.task) \(.outcome)"')"

fanfold -C "$c" redo --iteration 1 --yes >"$tmp/out" 2>&1
ok "an iteration is done again" fanfold -C "$c" run
is "... what the first time used is not forgotten" true \
    "$(fanfold -C "$c" status --json | jq '.used.core_hours > (.history | map(.used.core_hours) | add)')"

done_testing
