#!/bin/sh
# 0370-concurrency - schedules of two drivers, and of a driver and a person,
# forced by stopping a process at a named point (base/point.h)
. "$abs_top_srcdir/tests/cli/tap.sh"

loop_campaign "$tmp/reference"
ok "reference: undisturbed" fanfold -C "$tmp/reference" run
reference=$(results_digest "$tmp/reference")

# Start a driver that stops at a point: stopped_at POINT COMMAND DIR.
stopped_at() {
    FANFOLD_STOP_AT=$1 fanfold -C "$3" "$2" >"$tmp/out" 2>&1 &
    pid=$!
    i=0
    until [ "$(sed 's/.*) //; s/ .*//' /proc/$pid/stat 2>/dev/null)" = T ]; do
        i=$((i + 1))
        [ $i -lt 500 ] || break
        sleep 0.01
    done
    ok "a driver stands still at $1" test $i -lt 500
}

# The holder of the lock seems to be on another host, which is silent.
elsewhere() {
    lock=$(ls "$1"/.fanfold/lock/[0-9]* | grep -v free)
    sed -i 's/"boot_id": "[^"]*"/"boot_id": "another"/' "$lock"
}

c=$tmp/two
loop_campaign "$c"
stopped_at lease.taken run "$c"
exits "the lock of a living process is respected, even of one that stands still" \
    4 fanfold -C "$c" advance
kill -CONT $pid
wait $pid
is "it goes on to the end" "0 $reference" "$? $(results_digest "$c")"

for point in lease.taken lease.checked submit.intended submit.accepted; do
    c=$tmp/woken-$point
    loop_campaign "$c"
    FANFOLD_LEASE_S=0.3
    export FANFOLD_LEASE_S
    stopped_at $point run "$c"
    elsewhere "$c"
    ok "another driver takes over from one that is silent" fanfold -C "$c" run
    kill -CONT $pid
    wait $pid
    is "the one that wakes up finds out and stops" 1 $?
    has "... and says why" "another driver took over" "$(cat "$tmp/out")"
    is "the results are those of one driver" "$reference" "$(results_digest "$c")"
    ok "the journal folds" fanfold -C "$c" status
    is "... to the end" "done" "$(state_of "$c")"
    unset FANFOLD_LEASE_S
done

c=$tmp/wish
loop_campaign "$c"
stopped_at lease.taken advance "$c"
has "a person asks while somebody drives" "the driver will obey" \
    "$(fanfold -C "$c" pause)"
kill -CONT $pid
wait $pid
is "the driver obeys" paused "$(state_of "$c")"

c=$tmp/lostwish
loop_campaign "$c"
stopped_at lease.released advance "$c"
rm -f "$c"/.fanfold/wake/* # its own
mkdir -p "$c/.fanfold/requests"
echo '{"format": 1, "id": "aaaaaaaaaaaaaaa", "kind": "pause"}' >"$c/.fanfold/requests/1-x"
kill -CONT $pid
wait $pid
is "a wish left between the last look and the unlocking is not lost" paused "$(state_of "$c")"

c=$tmp/cancelled
loop_campaign "$c"
stopped_at submit.accepted run "$c"
ok "cancel while a job is submitted but not recorded" fanfold -C "$c" cancel
kill -CONT $pid
wait $pid
is "the campaign is paused" paused "$(state_of "$c")"
ok "resume" fanfold -C "$c" resume
ok "run" fanfold -C "$c" run
is "nothing was lost, nothing counted twice" "$reference" "$(results_digest "$c")"
