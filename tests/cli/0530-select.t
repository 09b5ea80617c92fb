#!/bin/sh
# 0530-select.t - fanfold select: the table of a what-if, against awk, and
# nothing is written

# shellcheck source=tests/cli/tap.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/tap.sh"
fixtures=${abs_top_srcdir:-$(dirname "$0")/../..}/tests/fixtures/deepmd
LC_ALL=C
export LC_ALL
cd "$tmp" || exit 1

# A tree of DP-GEN's: two systems, one task restarted, one with a cut row.
for task in 000.000000 000.000001 001.000002; do
    mkdir -p "iter/task.$task/traj"
    cp "$fixtures/lammps.model_devi.out" "iter/task.$task/model_devi.out"
done
sed -n '5,$p' "$fixtures/lammps.model_devi.out" >>iter/task.000.000001/model_devi.out
printf '         999  1.0' >>iter/task.001.000002/model_devi.out
echo 'not mine' >iter/task.000.000000/model_devi.log
checksums() {
    find . -type f ! -name answer ! -name before ! -name table ! -name after \
        -exec cksum {} + | sort
}
checksums >before

# class LOW HIGH WHICH: rows of the real file in a class, by force.
class() {
    awk -v low="$1" -v high="$2" -v which="$3" '
        !/^#/ { n[$5 < low ? "accurate" : $5 < high ? "candidates" : "failed"]++ }
        END { print n[which] + 0 }' "$fixtures/lammps.model_devi.out"
}

# json SYSTEM KEY: of the last answer.
json() {
    jq -r ".systems[\"$1\"].$2" answer
}

fanfold select --json --set 'levels.force=[0.06, 0.2]' --set pick.quota=3 iter >answer
cp answer select.json
silent "what it prints fits its schema" /usr/bin/python3 -B "$abs_top_srcdir/tests/cli/schema.py" \
    json "$abs_top_srcdir/doc/schemas" select.json
rm select.json
is "frames of system 000" 22 "$(json 000 frames)"
is "frames of system 001" 11 "$(json 001 frames)"
for class in accurate candidates failed; do
    is "$class of system 001" "$(class 0.06 0.2 $class)" "$(json 001 $class)"
    is "$class of system 000" $((2 * $(class 0.06 0.2 $class))) "$(json 000 $class)"
done
is "a quota for each system" "3 3" "$(json 000 selected) $(json 001 selected)"
is "steps that came again" 8 "$(jq .repeated_steps answer)"
is "lines that are no rows" 1 "$(jq .cut_rows answer)"
is "files" 3 "$(jq .files answer)"

fanfold select --json --set levels.force.high=10 --set levels.adaptive.force.count=4 iter >answer
is "the four largest of each" "4 4" "$(json 000 candidates) $(json 001 candidates)"
is "and the level that is" \
    "$(awk -v OFMT=%.9g '!/^#/ { print $5 + 0 }' "$fixtures/lammps.model_devi.out" | sort -gr | sed -n 4p)" \
    "$(jq -r '.levels["001"].force[0]' answer)"
fanfold select --json --set levels.force.high=10 --set 'levels.adaptive={force: {fraction: 0.5, count: 0}}' \
    --set skip.steps=20 iter/task.001.000002 >answer
is "half of nine" 4 "$(json 001 candidates)"
fanfold select --json --set levels.force.high=10 --set 'levels.adaptive={force: {fraction: 0.5}}' \
    --set skip.steps=20 iter/task.001.000002 >answer
is "or ten, as DP-GEN has it" 9 "$(json 001 candidates)"

fanfold select --json --set 'levels={virial: [0.0078, 0.008]}' --set levels.force.low=0.06 --set levels.force.high=0.2 --set semantics=dpgen \
    iter/task.001.000002/model_devi.out >answer
is "force or virial" "$(awk '!/^#/ { n += ($5 >= .06 && $5 < .2) || ($2 >= .0078 && $2 < .008) }
    END { print n }' "$fixtures/lammps.model_devi.out")" "$(json 001 candidates)"

# One level of a pair; the other one stays.
for one in 'levels.force=[0.06, 5]:levels.force.high=0.2' 'levels.force=[0.01, 0.2]:levels.force.low=0.06'; do
    fanfold select --json --set "${one%%:*}" --set "${one#*:}" iter >answer
    is "${one#*:} in a pair" "$(class 0.06 0.2 candidates)" "$(json 001 candidates)"
done

# More rules, from a file; --set wins against it, and null takes a rule away.
cat >rules.yaml <<'END'
levels: {force: {low: [0.06, 0.07], high: 0.2}} # 000, 001
pick: {quota: 1000, hard: 0.05, how: diverse}
filters: {closest: 1}
duplicates: {tolerance: 0.01}
convergence: {accurate: 0.05}
END
fanfold select --json --rules rules.yaml iter >answer
is "a level for each system" \
    "$((2 * $(class 0.06 0.2 candidates))) $(class 0.07 0.2 candidates)" \
    "$(json 000 candidates) $(json 001 candidates)"
is "nothing is selected from where most is accurate" "0 0" \
    "$(json 000 selected) $(json 001 selected)"
is "whether it has converged" true "$(jq .converged answer)"
is "what looks at structures is named" "filters duplicates pick: how: diverse" \
    "$(jq -r '[.left_out[].rule] | join(" ")' answer)"
fanfold select --json --rules rules.yaml --set pick.hard=1 iter >answer
is "of a section one key" "$(json 000 candidates)" "$(json 000 selected)"
fanfold select --json --rules rules.yaml --set levels.force.low=0.06 --set 'pick={hard: 1, quota: 2}' iter >answer
is "an option wins, the rest stays" "$(class 0.06 0.2 candidates) 2" \
    "$(json 001 candidates) $(json 001 selected)"
is "the rest of a section, too" "pick: how: diverse" "$(jq -r '.left_out[2].rule' answer)"
fanfold select --json --rules rules.yaml --set filters=null --set duplicates= --set pick.how=random iter >answer
is "a rule is taken away" 0 "$(jq '.left_out | length' answer)"
fanfold select --json --set semantics=dpgen2 --set pick.quota=null iter >answer
is "a family's own quota, for all systems" 10 "$(jq '[.systems[].selected] | add' answer)"
is "and test of convergence" "accurate" "$(jq -r .convergence answer | cut -d' ' -f1)"
fanfold select --rules rules.yaml iter >table
has "for a person, too" 'converged: accurate 0.' "$(cat table)"
has "and what was left out" 'filters: not looked at, there are no trajectories' "$(cat table)"

# Energies and atoms, in a file of dp model-devi.
real=$fixtures/dp_atomic.model_devi.out
fanfold select --json --set 'levels.force=[100, 100]' --set 'levels.energy=[0.001, 0.003]' "$real" >answer
is "energies" "$(awk '!/^#/ { n += $8 >= 0.001 && $8 < 0.003 } END { print n + 0 }' "$real")" \
    "$(json all candidates)"
echo '{"clusters": {"cutoff": 5}}' >atoms.json
fanfold select --json --set 'levels.force=[0.5, 1]' --rules atoms.json "$real" >answer
is "atoms" "$(awk '!/^#/ { for (i = 9; i <= NF; i++) { all++; n += $i >= 0.5 && $i < 1 } } END { print n, all }' "$real")" \
    "$(json all candidates) $(json all frames)"

# Deviations relative to forces of DP-GEN's traj/, a file for each frame.
for step in 0 10 20; do
    printf 'ITEM: TIMESTEP\n%s\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n0 1\n0 1\n0 1\nITEM: ATOMS id type fx fy fz\n1 1 0 2 0\n' \
        $step >iter/task.001.000002/traj/$step.lammpstrj
done
echo 'levels: {avg_relative: true}' >relative.yaml
fanfold select --json --set 'levels.force=[0.03, 0.1]' --rules relative.yaml iter/task.001.000002 >answer
is "relative to forces of 2 eV/A" "$(class 0.06 0.2 candidates)" "$(json 001 candidates)"
rm iter/task.001.000002/traj/*.lammpstrj rules.yaml atoms.json relative.yaml

# DP-GEN's beads, which are in model_devi.out too, and its averages.
beads=iter/task.001.000002
for bead in 1 2 3; do cp $beads/model_devi.out $beads/model_devi$bead.out; done
printf '#  step  avg_devi_f\n0 1\n' >$beads/model_devi_avgf.out
fanfold select --json --set 'levels.force=[0.06, 0.2]' iter >answer
is "what stands in several files counts once" "3 11" "$(jq .files answer) $(json 001 frames)"
mv $beads/model_devi.out kept
fanfold select --json --set 'levels.force=[0.06, 0.2]' iter >answer
is "beads alone count" "5 33" "$(jq .files answer) $(json 001 frames)"
mv kept $beads/model_devi.out
rm $beads/model_devi[1-3].out $beads/model_devi_avgf.out

table() {
    fanfold select --set 'levels.force=[0.06, 0.2]' iter >table || return 1
    cat table
    [ "$(wc -l <table)" -eq 5 ] && grep -q '^system .* low' table &&
        grep -q '^000  *22 ' table && grep -q '^together  *33 ' table &&
        grep -q '^3 files, 8 steps came again, 1 lines are no rows; deviations to ' table
}
ok "a table" table
checksums >after
ok "nothing was written" diff before after

refuses() {
    status=$1
    message=$2
    shift 2
    fanfold select "$@" >said 2>&1
    found=$?
    cat said
    [ $found -eq "$status" ] && grep -q "$message" said
}
ok "crossed levels" refuses 2 'low is 0.3 and high 0.1' --set 'levels.force=[0.3, 0.1]' iter
ok "levels that are none" refuses 2 "force: key 'low': expected a number" --set levels.force.low=x iter
ok "a pair that is none" refuses 2 "levels.force: expected two numbers, \[LOW, HIGH\]" --set 'levels.force=[1]' --set levels.force.high=2 iter
ok "a level without the other" refuses 2 "virial: key 'high': missing" --set levels.virial.low=0.1 iter
ok "a way to pick" refuses 2 "pick: how: 'best' is not known" --set pick.how=best iter
ok "a quota" refuses 2 "pick: quota: -1 is less than 0" --set pick.quota=-1 iter
ok "a quota that is no number" refuses 2 "pick.quota: expected int, got a string" --set pick.quota=many iter
ok "a key that is none" refuses 2 "pick of model_devi.select has no input 'qouta'; did you mean 'quota'" --set pick.qouta=3 iter
ok "a key without its section" refuses 2 "no input 'quota'; write pick: {quota: ...}" --set quota=3 iter
ok "DP-GEN's word" refuses 2 "no input 'fp_task_max'; write pick: {quota: N}" --set fp_task_max=3 iter
ok "a section that is none" refuses 2 "pick: expected {KEY: VALUE}, got a string" --set pick=random iter
ok "a section's name" refuses 2 "no input 'pcik'; did you mean 'pick'" --set pcik.quota=3 iter
ok "an iteration of files" refuses 2 "iteration is that of a --stage" --iteration 3 iter
ok "no value" refuses 2 "set: 'quota'; write KEY=VALUE" --set quota iter
ok "no key" refuses 2 "set: '=3'; write KEY=VALUE" --set =3 iter
ok "a value that is no YAML" refuses 2 'quota=\[' --set 'quota=[' iter
ok "a path that is not there" refuses 1 "cannot find 'nowhere'" nowhere
echo 'pick: {qouta: 3}' >slip.yaml
ok "a slip in a file of rules" refuses 2 "no input 'qouta'; did you mean 'quota'" --rules slip.yaml iter
echo 'quota: [' >slip.yaml
ok "no YAML" refuses 2 'slip.yaml:' --rules slip.yaml iter
ok "rules that are not there" refuses 2 'none.yaml' --rules none.yaml iter
echo 'clusters: {cutoff: 5}' >slip.yaml
ok "atoms without deviations" refuses 1 'no deviations of atoms' --rules slip.yaml iter
mkdir empty
ok "a directory without deviations" refuses 1 'there is no model_devi' empty
ok "another kind of file" refuses 1 'expected a step and the columns' "$abs_top_srcdir/README.md"

mkfifo fifo
timeout 60 fanfold select --set 'levels.force=[0.06, 0.2]' fifo >answer 2>&1
has "a pipe is refused, not waited for" "'fifo': it is a pipe" "$(cat answer)"

done_testing
