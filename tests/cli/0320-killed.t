#!/bin/sh
# 0320-killed - the driver and everything it started killed again and again
. "$abs_top_srcdir/tests/cli/tap.sh"

# Kill every process of this test's campaigns: drivers, supervisors, agents and
# tasks all have its directory on their command lines.
kill_tree() {
    pkill -KILL -f "$tmp"
}

loop_campaign "$tmp/reference"
ok "reference: undisturbed" fanfold -C "$tmp/reference" run

loop_campaign "$tmp/killed"
kills=0
for wait_s in 0.02 0.05 0.08 0.12 0.2 0.3 0.15 0.25 0.4 0.1; do
    fanfold -C "$tmp/killed" run >/dev/null 2>&1 &
    pid=$!
    sleep $wait_s
    kill_tree
    wait $pid 2>/dev/null
    [ $? -eq 137 ] && kills=$((kills + 1))
done
ok "it was killed in the middle" test $kills -ge 3
ok "then it runs to the end" fanfold -C "$tmp/killed" run
is "with the same results" "$(results_digest "$tmp/reference")" "$(results_digest "$tmp/killed")"

loop_campaign "$tmp/interrupted"
interrupts=0
for wait_s in 0.1 0.2 0.3 0.15 0.6 1.2 2.4 4.8; do # longer ones for a busy machine
    case $wait_s in 0.6 | [1-9]*) [ $interrupts -eq 0 ] || break ;; esac
    fanfold -C "$tmp/interrupted" run >"$tmp/out" 2>&1 &
    pid=$!
    sleep $wait_s
    kill -INT $pid 2>/dev/null
    wait $pid
    [ $? -eq 130 ] && interrupts=$((interrupts + 1))
done
ok "run was interrupted" test $interrupts -ge 1
ok "then it runs to the end" fanfold -C "$tmp/interrupted" run
is "with the same results" "$(results_digest "$tmp/reference")" "$(results_digest "$tmp/interrupted")"

done_testing
