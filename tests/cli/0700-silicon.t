#!/bin/sh
# 0700-silicon - two iterations of the quick start, with the real engines:
# undisturbed, driven by steps, and killed, they give the same bytes
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/silicon.sh"

silicon "$tmp/run"
ok "the example checks" fanfold -C "$tmp/run" check
ok "undisturbed" fanfold -C "$tmp/run" run
is "it ends at its limit" "done false" \
    "$(fanfold -C "$tmp/run" status --json | jq -r '"\(.state) \(.converged)"')"
is "the history has all columns" \
    "accurate candidate failed force_rmse iteration labelled used wall_s" \
    "$(fanfold -C "$tmp/run" status --json | jq -r '.history[0] | keys | join(" ")')"
is "fractions add up" 1 \
    "$(fanfold -C "$tmp/run" status --json | jq '.history[1] | .accurate + .candidate + .failed | . * 1e9 | round | . / 1e9')"
is "labels of iteration 1 are real" true \
    "$(fanfold -C "$tmp/run" result label labelled | jq '. > 5')"
is "held-out forces get better" true \
    "$(fanfold -C "$tmp/run" status --json | jq '.history[1].force_rmse < 0.8 * .history[0].force_rmse')"
ok "the dataset has a virial, too" test -s "$tmp/run/dataset/deepmd/iter/000001/Si8/set.000/virial.npy"

silicon "$tmp/known"
ok "what it computed is known elsewhere" fanfold -C "$tmp/known" run --reuse-from "$tmp/run"
is "... nothing is submitted" 0 "$(cat "$tmp/known"/.fanfold/journal/* | grep -c '"ev":"intent"')"

silicon "$tmp/steps"
steps=0
until [ "$(fanfold -C "$tmp/steps" advance --json | jq -r .state)" = "done" ]; do
    steps=$((steps + 1))
    [ $steps -lt 2000 ] || break
    sleep 0.1
done
is "driven by steps" "$(results_digest "$tmp/run")" "$(results_digest "$tmp/steps")"

# has_events DIR N PID: its journal has so many, or the driver has ended.
has_events() {
    [ "$(cat "$1"/.fanfold/journal/* 2>/dev/null | wc -l)" -ge "$2" ] ||
        ! kill -0 "$3" 2>/dev/null
}

silicon "$tmp/killed"
kills=0
for events in 4 13 24 37 52; do
    fanfold -C "$tmp/killed" run >/dev/null 2>&1 &
    pid=$!
    until_ok has_events "$tmp/killed" $events $pid
    pkill -KILL -f "$tmp/killed"
    wait $pid 2>/dev/null
    [ $? -eq 137 ] && kills=$((kills + 1))
done
ok "killed in the middle, more than once" test $kills -ge 4
ok "... and driven on" fanfold -C "$tmp/killed" run
is "killed with all it started" "$(results_digest "$tmp/run")" "$(results_digest "$tmp/killed")"

done_testing
