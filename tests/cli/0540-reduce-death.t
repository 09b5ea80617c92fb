#!/bin/sh
# 0540-reduce-death.t - a rank that dies ends the job, which says so and leaves
# nothing behind; so does a rank that meets what it cannot read

# shellcheck source=tests/cli/tap.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/tap.sh"
# shellcheck source=tests/cli/reduce.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/reduce.sh"

# Twelve trajectories of four frames with the forces of two members.
for task in 10 11 12 13 14 15 16 17 18 19 20 21; do
    for kind in x f0 f1; do
        awk -v kind=$kind 'BEGIN {
            for (step = 1; step <= 4; step++) {
                print "ITEM: TIMESTEP\n" step "\nITEM: NUMBER OF ATOMS\n1"
                print "ITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9"
                print "ITEM: ATOMS id type " (kind == "x" ? "x y z" : "fx fy fz")
                print 1, 1, step / 4 * (kind == "f1" ? -1 : 1), 0, 0
            }
        }' >"$kind.$task"
    done
    echo "{\"task\": $task, \"system\": \"one\", \"trajectory\": \"x.$task\"," \
        "\"forces\": [\"f0.$task\", \"f1.$task\"], \"expected_frames\": 4}" >>entries
done
rules='"levels": {"force": [0.2, 0.8]}, "elements": ["Si"], "skip": {"steps": 0}, "pick": {"quota": 10, "per": "iteration"}'
plan good "$rules"
ok "the committee is good" reduce 3 good.json

# Forces that come out of a terminal on which nobody types: a rank that has opened it
# waits for what never comes.
reader_of () { # PATH: the rank that has it open
    for fd in /proc/[0-9]*/fd/*; do
        process=${fd#/proc/}
        process=${process%%/*}
        if [ "$(readlink "$fd")" = "$1" ] &&
            [ "$(cat "/proc/$process/comm")" = fanfold-reduce ]; then
            echo "$process"
            return 0
        fi
    done 2>/dev/null
    return 1
}
reads_or_ended () { # PATH JOB
    reader_of "$1" || ! kill -0 "$2"
}
kill_mid_scan () { # RANKS TASK
    dir=killed-$1-$2
    plan "$dir" "$rules"
    mv "f1.$2" kept
    python3 -c 'import os, sys
ours, theirs = os.openpty ()
os.symlink (os.ttyname (theirs), sys.argv[1])
sys.stdin.read ()' "f1.$2" <hold &
    exec 3>hold
    until_ok test -L "f1.$2"
    terminal=$(readlink "f1.$2")
    reduce "$1" "$dir.json" >"$dir.said" 2>&1 &
    job=$!
    until_ok reads_or_ended "$terminal" $job
    rank=$(reader_of "$terminal") && kill -KILL "$rank"
    wait $job
    status=$?
    exec 3>&-
    rm "f1.$2"
    mv kept "f1.$2"
    cat "$dir.said"
    [ -n "$rank" ] && [ $status -ne 0 ]
}
mkfifo hold
left_behind () {
    ls -A "$1"
}
says_so () {
    grep -i 'signal:* 9\|killed' "$1.said"
}
for case in '2 10' '3 21' '7 15'; do
    ranks=${case% *}
    task=${case#* }
    ok "one of $ranks ranks is killed while it reads: the job fails" \
        kill_mid_scan "$ranks" "$task"
    ok "and says why" says_so "killed-$ranks-$task"
    is "and leaves nothing" "" "$(left_behind "killed-$ranks-$task")"
done
ranks_here () {
    for process in /proc/[0-9]*; do
        if [ "$(readlink "$process/cwd")" = "$tmp" ] &&
            [ "$(cat "$process/comm")" = fanfold-reduce ]; then
            tr '\0' ' ' <"$process/cmdline"
        fi
    done 2>/dev/null
}
is "no other rank stays" "" "$(ranks_here)"
ok "what is there later is as good as ever" same_for_ranks good "$rules"

# Forces that are a pipe, to which nobody may ever write.
mv f1.10 kept
mkfifo f1.10
plan pipe "$rules"
exits "a pipe among the files is refused" 1 reduce 2 pipe.json
has "... and named" "f1.10': it is a pipe" "$out"
rm f1.10
mv kept f1.10

# What a rank cannot read: a directory in place of the file, at the begin and the
# end of the files, so that other ranks meet it.
fails_once () { # RANKS TASK
    dir=unreadable-$1-$2
    plan "$dir" "$rules"
    mv "f1.$2" kept
    mkdir "f1.$2"
    reduce "$1" "$dir.json" >/dev/null 2>"$dir.said"
    status=$?
    rmdir "f1.$2"
    mv kept "f1.$2"
    cat "$dir.said"
    [ $status -eq 1 ] && [ "$(grep -c "^fanfold-reduce: .*f1.$2.*[Dd]irectory" "$dir.said")" -eq 1 ] &&
        [ -z "$(left_behind "$dir")" ]
}
for case in '1 21' '2 10' '2 21' '3 21' '7 15'; do
    ok "an unreadable file, ranks and task $case: told once, nothing left" \
        fails_once "${case% *}" "${case#* }"
done

# Two ranks meet something bad: the first of the files is told, whoever is faster.
mv f1.11 kept11
mv f1.20 kept20
mkdir f1.11 f1.20
told () {
    for ranks in 1 2 3 7; do
        plan "two-$ranks" "$rules"
        reduce $ranks two-$ranks.json 2>&1 >/dev/null | grep '^fanfold-reduce: '
    done | sort -u | wc -l
}
is "the same message from any number of ranks" 1 "$(told)"

done_testing
