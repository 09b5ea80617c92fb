#!/bin/sh
# 0443-xtb-label.t - the steps of xtb.label with the real xtb
# shellcheck disable=SC2016 # $chrg is of xtb
command -v xtb >/dev/null || {
    echo '1..0 # SKIP there is no xtb'
    exit 0
}
. "$(dirname "$0")/label.sh"

# molecule PBC: hydrogen chloride and water, far from each other.
molecule () {
    cat >"$work/frame.extxyz" <<END
5
Properties=species:S:1:pos:R:3 pbc="$1" task=7
O 0 0 0.119
H 0 0.763 -0.477
H 0 -0.763 -0.477
Cl 5 0 0
H 6.3 0 0
END
}
# label_xtb INPUT [RANKS]
label_xtb () {
    printf '%s\n' "$1" >"$work/xtb.inp"
    label xtb xtb '["xtb"]' "${2:-1}" <"$work/xtb.inp"
}

molecule 'F F F'
label_xtb '$chrg 0'
result 'a molecule is labelled' "$(yes [ "$status" -eq 0 ])"
result '... with its energy' "$(near "$(energy)" -275.4556 0.001)"
result '... forces that add up to nothing' "$(yes [ "$(forces |
    awk '{ for (i = 1; i <= 3; i++) s[i] += $i } END { print (s[1]^2 + s[2]^2 + s[3]^2 < 1e-9) }')" = 1 ])"
result '... and no virial' "$(no grep -q virial= "$work/task/out/frame.extxyz")"

# The force is what the energy says.
at_0=$(forces | awk 'NR == 5 { print $1 }')
sed -i 's/^H 6.3 /H 6.301 /' "$work/frame.extxyz"
label_xtb '$chrg 0'
plus=$(energy)
sed -i 's/^H 6.301 /H 6.299 /' "$work/frame.extxyz"
label_xtb '$chrg 0'
result 'a force is minus the slope of the energy' \
    "$(near "$at_0" "$(awk -v a="$plus" -v b="$(energy)" 'BEGIN { print (b - a) / 0.002 }')" 0.01)"

molecule 'F F F'
label_xtb '$scc
   maxiterations=2
$end'
result 'an SCF that gives up is fatal' "$(yes [ "$status" -eq 3 ])"
result '... and said' "$(yes grep -q 'SCF not converged' "$work/said")"

sed -i 's/^Cl /Xx /' "$work/frame.extxyz"
label_xtb '$chrg 0'
result 'an element that xtb does not know is a mistake' "$(yes [ "$status" -eq 3 ])"
result '... quoted' "$(yes grep -q 'Cannot map symbol to atomic number' "$work/said")"

molecule 'F F F'
label_xtb '$opt
   level=2
$end'
result 'a key that moves atoms is refused' \
    "$(yes grep -q "template.in:1:.*\$opt.*nothing moves" "$work/said")"

molecule 'F F F'
label_xtb '$chrg 0' 2
result 'ranks are refused' \
    "$(yes grep -q 'xtb runs as one process, and 2 ranks are asked for' "$work/said")"

molecule 'F T F'
label_xtb '$chrg 0'
result 'a frame that repeats is refused' \
    "$(yes grep -q 'the frame repeats along b, and xtb computes molecules' "$work/said")"
done_testing
