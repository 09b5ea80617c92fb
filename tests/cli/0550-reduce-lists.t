#!/bin/sh
# 0550-reduce-lists.t - all frames by class in DP-GEN's files, against awk

# shellcheck source=tests/cli/tap.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/tap.sh"
# shellcheck source=tests/cli/reduce.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/reduce.sh"

# A DP-GEN iteration: three tasks of two systems, two atoms; 100 frames each, the
# second restarted at step 500, the third in one dump for each frame.
header='       step         max_devi_v         min_devi_v         avg_devi_v         max_devi_f         min_devi_f         avg_devi_f      atm_devi_f(N)'
for task in 000.000000 000.000001 001.000002; do
    mkdir -p iter/task.$task/traj
    devi=iter/task.$task/model_devi.out
    echo "#$header" >$devi
    awk -v seed="${task#*.}" 'BEGIN {
        srand(seed + 1)
        for (step = 0; step < 1000; step += 10) {
            printf "%12d", step
            for (i = 1; i <= 8; i++) {
                x = rand()
                if (i % 3 == 1)
                    largest = x
                printf " %18.6e", i % 3 == 2 && i < 7 ? x * largest : x
            }
            print ""
        }
    }' >>$devi
done
tail -n 50 iter/task.001.000002/model_devi.out >>iter/task.000.000001/model_devi.out
awk 'NR == 9 { $5 = "nan" } { print }' iter/task.000.000000/model_devi.out >spoilt
mv spoilt iter/task.000.000000/model_devi.out
entry () { # TASK SYSTEM DIRECTORY TRAJECTORY
    echo "{\"task\": $1, \"system\": \"$2\", \"deviations\": \"iter/$3/model_devi.out\"," \
        "\"trajectory\": \"iter/$3/$4\", \"expected_frames\": 100}"
}
{
    entry 0 a task.000.000000 all.lammpstrj
    entry 1 a task.000.000001 all.lammpstrj
    entry 2 b task.001.000002 'traj/*.lammpstrj'
} >entries
plan_lists () { # DIR RULES
    plan "$1" "$2, \"lists\": \"$1/lists\""
}
rules='"levels": {"force": [0.25, 0.75]}, "elements": ["Si"], "skip": {"steps": 20, "dump_every": 10}, "pick": {"quota": 0}'

# What DP-GEN would write, the last row of a step counting: "LIST LINE".
by_class () {
    for task in 000.000000 000.000001 001.000002; do
        awk -v path=iter/task.$task -v number=${task%.*} '
            !/#/ && $1 >= 20 { if (!($1 in row)) steps[++n] = $1; row[$1] = $5 }
            END { for (i = 1; i <= n; i++) {
                f = row[steps[i]]
                list = f ~ /nan/ || f >= 0.75 ? "rest_failed" : f < 0.25 ? "rest_accurate" : "candidate"
                print list, number, path, steps[i] } }' iter/task.$task/model_devi.out
    done
}
by_class >expected.all
plan_lists whole "$rules"
ok "lists on request" reduce 0 whole.json
lists_are () { # DIR FILE
    for list in candidate rest_accurate rest_failed; do
        for system in 000 001; do
            awk -v l=$list -v s=$system '$1 == l && $2 == s { $1 = $2 = ""; sub(/^ */, ""); print }' "$2" |
                diff - "$1/lists/$list.shuffled.$system.out" || return 1
        done
    done
}
ok "hold what DP-GEN's would" lists_are whole expected.all
is "every frame is in one of them" "$(wc -l <expected.all)" "$(cat whole/lists/* | wc -l)"
is "of them some failed, as they are invalid" 1 \
    "$(grep -c '^iter/task.000.000000 70$' whole/lists/rest_failed.shuffled.000.out)"
same_lists () { # DIR RULES
    for ranks in 2 3 7; do
        plan_lists "$1-$ranks" "$2"
        reduce "$ranks" "$1-$ranks.json" && diff -r "$1" "$1-$ranks" || return 1
    done
}
ok "2, 3 and 7 ranks: the same bytes" same_lists whole "$rules"
is "nothing else is left" "frames lists params.json provenance.json" "$(cd whole-7 && echo *)"

adaptive='"levels": {"force": {"high": 0.9}, "adaptive": {"force": {"count": 30}}}, "elements": ["Si"],
 "skip": {"steps": 0}, "pick": {"quota": 0, "per": "iteration"}'
plan_lists adaptive "$adaptive"
reduce 0 adaptive.json || exit 1
is "the largest are candidates" 30 "$(cat adaptive/lists/candidate.* | wc -l)"
ok "by any number of ranks" same_lists adaptive "$adaptive"

atoms='"levels": {"force": [0.25, 0.75]}, "elements": ["Si"], "clusters": {"cutoff": 3}, "skip": {"steps": 0}, "pick": {"quota": 0}'
plan_lists atoms "$atoms"
reduce 2 atoms.json || exit 1
is "atoms, from 0 as DP-GEN counts them" \
    "$(awk '!/#/ { for (i = 8; i <= 9; i++) if ($i < 0.25) print "iter/task.001.000002", $1, i - 8 }' iter/task.001.000002/model_devi.out)" \
    "$(cat atoms/lists/rest_accurate.shuffled.001.out)"

# A list that is more than some buffers, and goes back in its middle.
awk 'BEGIN { for (round = 0; round < 2; round++) for (step = 0; step < 100000; step++)
    printf "%12d %18.6e %18.6e %18.6e %18.6e %18.6e %18.6e\n", step, 0, 0, 0, 0.5, 0.5, 0.5 }' >long.out
entry 5 c task.9 all.lammpstrj | sed 's|iter/task.9/model_devi.out|long.out|' >entries
plan_lists long "$rules"
reduce 0 long.json || exit 1
is "a long one, each step once" "99980 99980" \
    "$(wc -l <long/lists/candidate.shuffled.000.out) $(sort -u long/lists/candidate.shuffled.000.out | wc -l)"

# There is something in the way.
mkdir -p taken/lists
echo mine >taken/lists/mine
plan_lists taken "$rules"
in_the_way () {
    reduce 3 taken.json >/dev/null 2>said
    status=$?
    cat said
    [ $status -eq 1 ] && grep -q '^fanfold-reduce: lists must be absent or empty' said &&
        [ "$(find taken | sort | tr '\n' ' ')" = "taken taken/lists taken/lists/mine " ]
}
ok "what is there is kept, and nothing added" in_the_way

done_testing
