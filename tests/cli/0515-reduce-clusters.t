#!/bin/sh
# 0515-reduce-clusters.t - atoms judged instead of frames, and their surroundings
# cut out, against awk; from deviations and from forces

# shellcheck source=tests/cli/tap.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/tap.sh"
# shellcheck source=tests/cli/reduce.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/reduce.sh"

# Two trajectories of N waters in a row, 4 A apart, in a box of 4 N A, so that
# the last one's next neighbour is the first; 40 frames, every 10 steps.  The
# oxygens drift through the border.  Forces of three members differ along x, so
# that atom i of a frame has the deviation f (task, step, i).
make () { # TASK WATERS
    deviation_head '      atm_devi_f(N)' >d"$1"
    awk -v task="$1" -v n="$2" '
    function noise (a, b, c,    x) {
        x = (a * 7919 + b * 104729 + c * 1299709 + 12345) % 65521
        x = (x * 17364 + 4099) % 65521
        return ((x * 33285 + 17) % 65521) / 65521
    }
    function head (file, step, columns) {
        print "ITEM: TIMESTEP\n" step "\nITEM: NUMBER OF ATOMS\n" 3 * n >file
        print "ITEM: BOX BOUNDS pp pp pp\n0 " 4 * n "\n0 9\n0 9" >file
        print "ITEM: ATOMS " columns >file
    }
    function wrap (x) { return x < 0 ? x + 4 * n : x >= 4 * n ? x - 4 * n : x }
    BEGIN {
        for (frame = 0; frame < 40; frame++) {
            step = 10 * frame
            head("t" task, step, "id type x y z")
            for (k = 0; k < 3; k++)
                head("f" task "." k, step, "id fx fy fz")
            printf "%12d", step >>"d" task
            for (i = 1; i <= 6; i++)
                printf " %18.6e", noise(task, frame, 1000 + i) >>"d" task
            for (i = 1; i <= 3 * n; i++) {
                water = int((i - 1) / 3)
                x = 4 * water + frame / 20
                kind = i % 3 == 1 ? 1 : 2
                if (kind == 2)
                    x += 0.6
                y = i % 3 == 0 ? 4.3 : i % 3 == 2 ? 5.7 : 5
                printf "%d %d %.9g %g 5\n", i, kind, wrap(x), y >"t" task
                f = noise(task, frame, i)
                if (frame == 7 && i == 2)
                    f = "nan"
                printf " %18.6e", f >>"d" task
                for (k = 0; k < 3; k++) # the deviation of -c, 0, c is c sqrt (2/3)
                    print i, f == "nan" ? f : sprintf("%.17g", (k - 1) * sprintf("%.6e", f) * sqrt(1.5)), 0, 0 >"f" task "." k
                print task, step, i, f == "nan" ? f : sprintf("%.6e", f) >"atoms"
            }
            print "" >>"d" task
        }
    }'
    cat atoms >>all
}
make 1 3
make 2 5
sed -n '20,25p' d1 >again # steps 180 to 230 once more, as after a restart
cat again >>d1

rules='"levels": {"force": [0.7, 0.9]}, "elements": ["O", "H"],
 "skip": {"steps": 10, "dump_every": 10}, "clusters": {"cutoff": 3.5}'
entry () {
    echo "{\"task\": $1, \"system\": \"water\", \"trajectory\": \"t$1\"," \
        "\"deviations\": \"d$1\", \"expected_frames\": 39}"
}
{ entry 1; entry 2; } >entries

# DP-GEN: each atom by itself, [low, high); what is not finite is invalid.
awk '$2 >= 10 {
    c = $4 == "nan" ? "invalid" : $4 < 0.7 ? "accurate" : $4 < 0.9 ? "candidate" : "failed"
    print $1, $2, $3, c
}' all >classes
count () {
    grep -c " $1\$" classes
}
plan whole "$rules, \"pick\": {\"quota\": 100000}"
ok "atoms, from deviations" reduce 0 whole.json
is "each has a class" \
    "$(count candidate) $(count failed) $(count invalid) $(wc -l <classes)" \
    "$(answer whole '.systems.water | "\(.candidates) \(.failed) \(.invalid) \(.frames)"')"
is "an atom is invalid by itself" 2 "$(count invalid)"
is "a step that came again counts once" 6 "$(answer whole .repeated_steps)"
is "all are selected" "$(awk '$4 == "candidate" { print $1, $2, $3 }' classes | sort)" \
    "$(jq -r '.frames[] | "\(.task) \(.step) \(.atom)"' whole/provenance.json | sort)"
is "as many frames are written" "$(count candidate)" \
    "$(grep -c ' atom=' whole/frames/water.extxyz)"

# A cutoff of 3.5 A reaches from an oxygen to the hydrogens of the water before
# (3.47 A) and from a hydrogen to the oxygen of the next: two whole waters.
sizes () {
    awk 'NF == 1 { atoms = $1 } / atom=/ {
        match($0, / atom=[0-9]*/)
        atom = substr($0, RSTART + 6, RLENGTH - 6)
        print (atom % 3 == 1 ? "O" : "H"), atoms
    }' "$1/frames/water.extxyz" | sort -u | xargs
}
is "molecules are whole" "H 6 O 6" "$(sizes whole)"
near_centre () { # no atom of a cluster is as far as half the box away
    awk 'NF == 1 { n = $1; next } /Lattice/ {
        match($0, /Lattice="[0-9.]*/); side = substr($0, RSTART + 9, RLENGTH - 9)
        low = 1e9; high = -1e9; next }
    { x = $2; if (x < low) low = x; if (x > high) high = x
      if (high - low > 5.3) bad = 1 } END { exit bad }' whole/frames/water.extxyz
}
ok "around the border, too" near_centre

few="$rules, \"pick\": {\"quota\": 9, \"per\": \"iteration\"}"
plan few "$few"
reduce 0 few.json || exit 1
ok "2, 3 and 7 ranks: the same bytes" same_for_ranks few "$few"
hard=$(echo "$rules, \"pick\": {\"quota\": 30, \"per\": \"iteration\", \"how\": \"max\"}" | sed 's/"cutoff": 3.5/"cutoff": 3.5, "hard": 3.5/')
plan hard "$hard"
reduce 0 hard.json || exit 1
is "nothing beyond the hard cutoff" "H 4 O 5" "$(sizes hard)"
ok "the largest, by any number of ranks" same_for_ranks hard "$hard"

# The same from forces.
for task in 1 2; do
    entry $task | sed "s/\"deviations\": \"d$task\"/\"forces\": [\"f$task.0\", \"f$task.1\", \"f$task.2\"]/"
done >entries
plan forces "$rules, \"pick\": {\"quota\": 100000}"
ok "atoms, from forces" reduce 2 forces.json
atoms_of () {
    jq -r '.frames[] | "\(.task) \(.step) \(.atom)"' "$1/provenance.json"
}
atoms_of whole | grep -v '^[12] 70 ' >from_deviations # a frame is invalid as a whole
atoms_of forces >from_forces
ok "are the same atoms" diff from_deviations from_forces
is "a frame without all forces is no atom's" "$((9 + 15))" \
    "$(answer forces .systems.water.invalid)"
ok "by 3 ranks, too" same_for_ranks forces "$rules, \"pick\": {\"quota\": 100000}"

# Without deviations of atoms there is nothing to go by.
cut -c 1-126 d1 | sed '1s/ *atm_devi_f(N)//' >d3
entry 3 | sed 's/t3/t1/' >entries
plan none "$few"
fails_cleanly () {
    reduce 2 none.json >/dev/null 2>message
    status=$?
    cat message
    [ $status -eq 1 ] && [ "$(grep -c '^fanfold-reduce: d3: step 0: no deviations of atoms' message)" -eq 1 ] &&
        [ ! -e none/frames ]
}
ok "no column for each atom" fails_cleanly

done_testing
