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

fanfold select --json --force 0.06:0.2 --quota 3 iter >answer
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

fanfold select --json --force 10 --adaptive 4 iter >answer
is "the four largest of each" "4 4" "$(json 000 candidates) $(json 001 candidates)"
is "and the level that is" \
    "$(awk -v OFMT=%.9g '!/^#/ { print $5 + 0 }' "$fixtures/lammps.model_devi.out" | sort -gr | sed -n 4p)" \
    "$(json 001 low)"
fanfold select --json --force 10 --adaptive 0.5 --skip-steps 20 iter/task.001.000002 >answer
is "half of nine" 4 "$(json 001 candidates)"

fanfold select --json --virial 0.0078:0.008 --force 0.06:0.2 --semantics dpgen \
    iter/task.001.000002/model_devi.out >answer
is "force or virial" "$(awk '!/^#/ { n += ($5 >= .06 && $5 < .2) || ($2 >= .0078 && $2 < .008) }
    END { print n }' "$fixtures/lammps.model_devi.out")" "$(json 001 candidates)"

table() {
    fanfold select --force 0.06:0.2 iter >table || return 1
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
ok "crossed levels" refuses 2 'low is 0.3 and high 0.1' --force 0.3:0.1 iter
ok "levels that are none" refuses 2 "force: 'x:1'; write LOW:HIGH" --force x:1 iter
ok "a way to pick" refuses 2 "pick: 'best' is not known" --pick best iter
ok "a quota" refuses 2 "quota: '-1'; write a whole number" --quota=-1 iter
ok "a path that is not there" refuses 1 "cannot find 'nowhere'" nowhere
mkdir empty
ok "a directory without deviations" refuses 1 'there is no model_devi' empty
ok "another kind of file" refuses 1 'expected a step and the columns' "$abs_top_srcdir/README.md"
