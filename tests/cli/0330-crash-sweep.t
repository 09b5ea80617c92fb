#!/bin/sh
# 0330-crash-sweep - a draw of the points of scripts/crash-sweep
#
# CRASH_POINTS says how many; a slow build sweeps fewer.  CRASH_SEED draws others:
# by itself a change is judged by the same ones.  A point of crash-life takes much
# longer, and one of crash-reuse runs three campaigns: of these a ninth as many.
. "$abs_top_srcdir/tests/cli/tap.sh"

points=${CRASH_POINTS:-24}

# sweep CAMPAIGNS POINTS: that many of their points, drawn.
sweep() {
    "$abs_top_srcdir/scripts/crash-sweep" --build "$abs_top_builddir" \
        --campaign "$1" --points "$2" --seed "${CRASH_SEED:-1}" >"$tmp/log" 2>&1
    status=$?
    sed 's/^/# /' "$tmp/log"
    if [ $status -eq 77 ]; then
        pass "crash sweep # SKIP no process may be traced here"
        done_testing
    fi
    is "$1: all end the same" 0 "$status"
    ok "$1: most points were met" awk -v n="$2" \
        '$1 == "crash-sweep:" && $3 == "points," { met = $4 >= n - int (n / 4) }
        END { exit !met }' "$tmp/log"
}

sweep 'crash|crash-reduce' "$points"
sweep crash-life $((points / 9))
sweep crash-store $((points / 6))
sweep crash-quick $((points / 9))
sweep crash-reuse $((points / 9))
sweep crash-call $((points / 6))

done_testing
