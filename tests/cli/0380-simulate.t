#!/bin/sh
# 0380-simulate - campaigns in simulated worlds
#
# SIMULATED_SEEDS says how many; a slow build plays fewer.  FRESH_SEEDS are played
# besides that nobody has played before: none by itself, for what they find is
# rarely the work of the change that is being judged.
. "$abs_top_srcdir/tests/cli/tap.sh"

fixed=${SIMULATED_SEEDS:-200}
fresh=${FRESH_SEEDS:-0}
first=$((1000000 + $(od -An -N4 -tu4 /dev/urandom)))

simulate() {
    "$abs_top_srcdir/scripts/simulate" --build "$abs_top_builddir" "$@" \
        >"$tmp/log" 2>&1
    status=$?
    cut -c1-400 "$tmp/log" | sed 's/^#* */# /'
    is "no rule is broken" 0 "$status"
    is "all were played" 1 "$(grep -c "^# simulate: $2 seeds, " "$tmp/log")"
}

simulate --seeds "$fixed" --first 1
# An agent that was cut off goes on after its stage was renamed and prepared again.
simulate --seeds 1 --first 415769396
if [ "$fresh" -gt 0 ]; then
    echo "# fresh seeds from $first on"
    simulate --seeds "$fresh" --first "$first"
fi

# Calls so slow that a fan-in takes minutes: nobody takes its driver for dead.
"$abs_top_srcdir/scripts/simulate" --build "$abs_top_builddir" --seeds 6 \
    --first 66 --slow-ms 400 >"$tmp/log" 2>&1
is "a driver that works slowly is not replaced" 0 "$?"
cut -c1-400 "$tmp/log" | sed 's/^#* */# /'

# A broken rule must be seen: a program that always finds one.
mkdir -p "$tmp/build/tests/sim"
cat >"$tmp/build/tests/sim/simulate" <<'END'
#!/bin/sh
echo "# simulate: 1 seeds, 1 violations in 1 seeds"
exit 1
END
chmod +x "$tmp/build/tests/sim/simulate"
"$abs_top_srcdir/scripts/simulate" --build "$tmp/build" --seeds 1 >"$tmp/log" 2>&1
is "the script says so" 1 "$?"
"$abs_top_srcdir/scripts/simulate" --seed 1 >"$tmp/log" 2>&1
is "an unknown option is a usage error" 2 "$?"

done_testing
