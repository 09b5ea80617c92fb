#!/bin/sh
# 0345-fault-sweep - a draw of the faults of scripts/crash-sweep --faults
#
# FAULT_POINTS and FAULT_SEED as in 0330-crash-sweep.
. "$abs_top_srcdir/tests/cli/tap.sh"

points=${FAULT_POINTS:-16}

# sweep CAMPAIGNS POINTS SHARE: that many of their points, drawn; so many of these are
# met at least (in a store that several processes use, which calls come varies).
sweep() {
    "$abs_top_srcdir/scripts/crash-sweep" --faults --build "$abs_top_builddir" \
        --campaign "$1" --points "$2" --seed "${FAULT_SEED:-1}" >"$tmp/log" 2>&1
    status=$?
    sed 's/^/# /' "$tmp/log"
    if [ $status -eq 77 ]; then
        pass "fault sweep # SKIP no process may be traced here"
        done_testing
    fi
    is "$1: all are told of, none does harm" 0 "$status"
    ok "$1: points were met" awk -v n="$2" -v share="$3" \
        '$1 == "crash-sweep:" && $3 == "points," { met = $4 >= share * n }
        END { exit !met }' "$tmp/log"
}

sweep 'crash|crash-reduce' "$points" 0.8
sweep crash-store $((points / 2)) 0.1

done_testing
