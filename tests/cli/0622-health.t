#!/bin/sh
# 0622-health.t - a campaign that stops only where its trajectories are sound: what
# model_devi.select is given of the exploration, what status and the report say.
# LAMMPS is a stand-in: at 900 atoms are lost half way, at 600 two come too close in the
# first iteration.
. "$abs_top_srcdir/tests/cli/tap.sh"

mkdir "$tmp/bin"
cat >"$tmp/bin/lmp" <<'END'
#!/bin/sh
echo "LAMMPS (4 Feb 2025)"
temperature=$(sed -n 's/^variable  *temperature .* //p' "$2")
frames=11
[ "$temperature" != 900 ] || frames=6
awk -v frames=$frames -v near="$(test "$temperature" = 600 && test -e "$FAKE_CLOSE" && echo 1)" '
    /^Atoms/ { atoms = 1; next }
    atoms && NF >= 5 { row[++n] = $1 " " $2; x[n] = $3; rest[n] = $4 " " $5 }
    END {
        for (i = 0; i < frames; i++) {
            print "ITEM: TIMESTEP\n" i * 10 "\nITEM: NUMBER OF ATOMS\n" n
            print "ITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\nITEM: ATOMS id type x y z"
            for (k = 1; k <= n; k++)
                print row[k], x[k] - (near && i == 4 && k == 2 ? 0.5 : 0), rest[k]
        }
    }' conf.data >md.dump
awk -v frames=$frames 'BEGIN {
    for (i = 0; i < frames; i++) {
        printf "%12d", i * 10
        for (k = 0; k < 6; k++) printf "%19.6e", 0.01
        print ""
    }
}' >model_devi.out
[ $frames = 11 ] && exit 0
echo "ERROR: Lost atoms: original 3 current 0"
exit 1
END
chmod +x "$tmp/bin/lmp"
PATH=$tmp/bin:$PATH
FAKE_CLOSE=$tmp/close
export FAKE_CLOSE

# campaign DIR TEMPERATURES STOP [HEALTH]
campaign() {
    rm -rf "$tmp/$1"
    mkdir -p "$tmp/$1"
    cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$tmp/$1"
    cat >"$tmp/$1/md.in" <<'END'
velocity all create ${temperature} ${seed}
fix 1 all nvt temp ${temperature} ${temperature} 0.1
run ${steps}
END
    cat >"$tmp/$1/water.data" <<'END'
water

3 atoms
2 atom types

0 9 xlo xhi
0 9 ylo yhi
0 9 zlo zhi

Atoms # atomic

1 1 1 1 1
2 2 1.96 1 1
3 2 0.4 1.8 1
END
    cat >"$tmp/$1/initial.extxyz" <<'END'
3
Lattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3:forces:R:3 energy=-1 pbc="T T T"
O 1 1 1 0 0 0
H 1.9 1 1 0 0 0
H 0.4 1.7 1 0 0 0
END
    for k in 0 1; do echo "model $k" >"$tmp/$1/m$k.pb"; done
    cat >"$tmp/$1/campaign.yaml" <<END
format: 1
campaign: water
elements: [O, H]
stop: $3
stages:
  explore:
    uses: lammps.explore
    with: {input: md.in, systems: water.data, for_each: {temperature: $2}, steps: 100, dump_every: 10, committee: deepmd, potentials: [m0.pb, m1.pb]}
  select:
    uses: model_devi.select
    with: {levels: {force: [0.07, 0.2]}, pick: {quota: 3}${4:+, $4}}
END
}

# --- without being asked for ---

campaign plain '[300, 900]' '{iterations: 1}'
ok "a campaign that does not ask" fanfold -C "$tmp/plain" run
is "... is told nothing" "null null" \
    "$(fanfold -C "$tmp/plain" result select healthy) $(fanfold -C "$tmp/plain" result select health)"
is "... also by status" "[] []" "$(fanfold -C "$tmp/plain" status --json | jq -c '"\(.health) \([.science[] | select(test("sound|early"))])"' -r)"

# --- a stop rule that holds ---

touch "$FAKE_CLOSE"
campaign run '[300, 600]' '{when: select.healthy > 0.95 and select.accurate > 0.9, iterations: 1}' \
    'health: {labelled: [initial.extxyz]}'
ok "check" fanfold -C "$tmp/run" check
ok "the first iteration" fanfold -C "$tmp/run" run
out=$(fanfold -C "$tmp/run" status)
has "status names the worst" "stage 'select': 1 of 2 trajectories of iteration 0 are sound (1 with atoms too close); the worst is task 1 of 'explore' (water, temperature=600): O and H are 0.46 A apart in step 40, and 0.9 A or more in labelled frames; look at" "$out"
is "half of them are sound" 0.5 "$(fanfold -C "$tmp/run" result select healthy)"
is "by conditions" '[{"temperature":300},1,1,0,{"temperature":600},1,0,1]' \
    "$(fanfold -C "$tmp/run" result select health | jq -c '[.groups[] | .conditions, .trajectories, .healthy, .too_close]')"
is "for programs, too" '["select",0,2,1,"too_close"]' \
    "$(fanfold -C "$tmp/run" status --json | jq -c '.health[] | [.stage, .iteration, .trajectories, .healthy, .worst[0].finding]')"
fanfold -C "$tmp/run" status --json >"$tmp/status.1.json"
has "the rule does not hold" "water: ended (the iteration limit" "$out"
rm "$FAKE_CLOSE"
sed -i 's/iterations: 1/iterations: 4/' "$tmp/run/campaign.yaml"
ok "the next one" fanfold -C "$tmp/run" run
is "it stops where all are" "converged 1" \
    "$(fanfold -C "$tmp/run" status --json | jq -r '"\(.ended) \(.iteration)"')"
is "... of which nothing is said" "" "$(fanfold -C "$tmp/run" status | grep sound)"
ok "the report" fanfold -C "$tmp/run" report "$tmp/report.html"
page=$(cat "$tmp/report.html")
has "... has them by iteration" "Trajectories that stage select selects from" "$page"
has "... and by conditions" "temperature=600" "$page"

# --- other rules, on what is there ---

out=$(fanfold -C "$tmp/run" select --stage select --iteration 0 --set health.closest=0.3)
has "with another part none is too close" "2 of 2 trajectories are sound" "$out"
out=$(fanfold -C "$tmp/run" select --stage select --iteration 0)
has "what the stage was asked for" "task 1, water, temperature=600: O and H are 0.46 A apart in step 40" "$out"

fanfold -C "$tmp/run" select --stage select --iteration 0 --json >"$tmp/select.1.json"
silent "what programs are told fits its schema" /usr/bin/python3 -B "$abs_top_srcdir/tests/cli/schema.py" \
    json "$abs_top_srcdir/doc/schemas" "$tmp/status.1.json" "$tmp/select.1.json"
is "... and is there" "1 1" "$(jq '.health[].worst | length' "$tmp/status.1.json") $(jq '.health.worst | length' "$tmp/select.1.json")"

# --- the one place that tells of ends ---

campaign early '[900]' '{iterations: 1}' 'health: {labelled: [initial.extxyz]}'
ok "all of them end early" fanfold -C "$tmp/early" run
out=$(fanfold -C "$tmp/early" status)
has "the selection tells it" "0 of 1 trajectories of iteration 0 are sound (1 ended early); the worst is task 0 of 'explore' (water, temperature=900): it has 5 of 10 frames" "$out"
is "... alone" "" "$(echo "$out" | grep "stage 'explore'.*ended early")"
campaign early '[900]' '{iterations: 1}'
fanfold -C "$tmp/early" run >"$tmp/early.run" 2>&1
has "without it the exploration is told of" "stage 'explore': all 1 trajectories of iteration 0 ended early" \
    "$(fanfold -C "$tmp/early" status)"

# --- what check says ---

campaign unasked '[300]' '{when: select.healthy > 0.95, iterations: 1}'
has "a rule about what is not looked at" "select.healthy is null as long as the stage does not look at it" \
    "$(fanfold -C "$tmp/unasked" check 2>&1)"
campaign unasked '[300]' '{when: select.healthy > 0.95, iterations: 1}' 'health: {labelled: []}'
is "... where it is" 0 "$(fanfold -C "$tmp/unasked" check 2>&1 | grep -c healthy)"

campaign other '[300]' '{iterations: 1}' 'health: {labelled: []}, trajectories: cold.trajectory, deviations: cold.deviations, frames_expected: cold.frames_expected, system: cold.system'
sed -n '/^  explore:/,/^  select:/p' "$tmp/other/campaign.yaml" | sed '$d; s/explore:$/cold:/' >"$tmp/md"
sed -i "/^stages:/r $tmp/md" "$tmp/other/campaign.yaml"
out=$(fanfold -C "$tmp/other" check 2>&1)
has "conditions of other trajectories" "health.conditions are of other trajectories than those of 'cold' that are judged; write cold.conditions" "$out"
sed -i 's/health: {labelled: \[\]}, //' "$tmp/other/campaign.yaml"
is "... do not matter where it is not looked at" "0 1" \
    "$(fanfold -C "$tmp/other" check 2>&1 | awk '/health/ { h++ } /no problems/ { n++ } END { print h + 0, n + 0 }')"

# refused WHAT SAYS HEALTH
refused() {
    campaign bad '[300]' '{iterations: 1}' "health: $3"
    has "$1" "$2" "$(fanfold -C "$tmp/bad" check 2>&1)"
}
refused "a part without labelled frames" "health: closest: of the least distances in what? write labelled" '{closest: 0.7}'
refused "a part above 1" "health: closest: 1.7; write 0 to 1" '{closest: 1.7, labelled: [initial.extxyz]}'
refused "another key" "nearest" '{nearest: 0.7, labelled: [initial.extxyz]}'

done_testing
