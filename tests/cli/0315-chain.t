#!/bin/sh
# 0315-chain - campaigns that nobody drives but their own jobs, on this machine
. "$abs_top_srcdir/tests/cli/tap.sh"

# Wait until the campaign in $1 has ended, which nothing here drives.
wait_done() {
    until_is "done" state_of "$1"
}

# What the local scheduler keeps of jobs; they go a moment after their end.
no_jobs() {
    until_is "" spooled
}

spooled() {
    ls "$FANFOLD_SPOOL" | grep -v '^cores$'
}

dependency_jobs() {
    fanfold -C "$1" status --json | jq -r '.chain | length'
}

loop_campaign "$tmp/run"
ok "reference: one run" fanfold -C "$tmp/run" run
reference=$(results_digest "$tmp/run")
is "a campaign is not chained by itself" null \
    "$(fanfold -C "$tmp/run" status --json | jq .chain)"

c=$tmp/chain
loop_campaign "$c"
ok "submit --chain returns" fanfold -C "$c" submit --chain
has "... and status says which job drives on" "chained: job" \
    "$(fanfold -C "$c" status)"
ok "the campaign ends by itself" wait_done "$c"
is "... with the same results" "$reference" "$(results_digest "$c")"
ok "... no job is left" no_jobs
is "... and none will wake it" 0 "$(dependency_jobs "$c")"
ok "once more: there is nothing to do" fanfold -C "$c" submit --chain

c=$tmp/both
loop_campaign "$c"
ok "submit --chain" fanfold -C "$c" submit --chain
until_ok fanfold -C "$c" run # a wake-up may be driving
ok "... and a person drives too" wait_done "$c"
is "... the results are the same" "$reference" "$(results_digest "$c")"
ok "... no job is left" no_jobs

c=$tmp/killed
loop_campaign "$c"
for wait_s in 0.2 0.7 0.4; do
    ok "submit --chain" fanfold -C "$c" submit --chain
    sleep $wait_s
    # Supervisors first: they would let the next element take over.
    while pgrep -f "local-supervisor $FANFOLD_SPOOL|$c[ /]" >/dev/null; do
        pkill -KILL -f "local-supervisor $FANFOLD_SPOOL"
        pkill -KILL -f "$c[ /]"
        sleep 0.05
    done
done
ok "killed with all that would wake it: said again" fanfold -C "$c" submit --chain
ok "... it ends" wait_done "$c"
is "... with the same results" "$reference" "$(results_digest "$c")"
ok "... no job is left" no_jobs

c=$tmp/people
loop_campaign "$c"
ok "submit --chain" fanfold -C "$c" submit --chain
pauses() {
    fanfold -C "$c" pause && [ "$(state_of "$c")" = paused ]
}
until_ok pauses
is "paused: no job will wake it" 0 "$(dependency_jobs "$c")"
ok "resumed" fanfold -C "$c" resume
ok "submit without --chain" sh -c \
    "until fanfold -C '$c' submit; rc=\$?; [ \$rc -ne 4 ]; do sleep 0.1; done; exit \$rc"
is "... takes the chain off" null "$(fanfold -C "$c" status --json | jq .chain)"
ok "... and run ends it" fanfold -C "$c" run
is "... with the same results" "$reference" "$(results_digest "$c")"
ok "... no job is left" no_jobs

c=$tmp/narrow
loop_campaign "$c"
cp "$c/site.yaml" "$tmp/site.yaml"
sed -i 's/limits: {/&submit: 4, /' "$c/site.yaml"
exits "no room for wake-ups" 3 fanfold -C "$c" submit --chain
has "... is said with the key" "(\`limits: submit:\`)" "$out"
is "... and nothing begins" "" "$(ls -A "$c/.fanfold/journal" 2>/dev/null)"
sed 's/limits: {/&submit: 5, /' "$tmp/site.yaml" >"$c/site.yaml"
ok "room for one element" fanfold -C "$c" submit --chain
ok "... is enough" wait_done "$c"
is "... with the same results" "$reference" "$(results_digest "$c")"

done_testing
