#!/bin/sh
# 0620-model-devi-select.t - the real fanfold-reduce as a task of model_devi.select

if ! command -v fanfold-reduce >/dev/null; then
    echo '1..0 # SKIP there is no fanfold-reduce'
    exit 0
fi
. "$(dirname "$0")/engine.sh"

# dump COLUMNS X: frames at steps 0, 20, 40; in frame i atom 2 is at X * i.
dump () {
    awk -v columns="$1" -v x="$2" 'BEGIN {
        for (i = 0; i < 3; i++) {
            print "ITEM: TIMESTEP\n" 20 * i "\nITEM: NUMBER OF ATOMS\n2"
            print "ITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9"
            print "ITEM: ATOMS id type " columns
            print "1 1 0 0 0\n2 2 " x * i " 1 1"
        }
    }'
}

# Two members that are 2 * 0.15 * i apart in frame i: the deviation is 0.15 * i.
dump 'x y z' 1 >"$work/t0.dump"
dump 'fx fy fz' 0.15 >"$work/t0.f0"
dump 'fx fy fz' -0.15 >"$work/t0.f1"
: >"$work/t2.dump"
: >"$work/t2.none"

# A task with these force levels; FORCES and MORE are inputs.
FORCES="\"deviations\": [], \"forces\": [[\"$work/t0.f0\", \"$work/t0.f1\"],
   null, [\"$work/t2.none\", \"$work/t2.none\"]]"
MORE= SKIP=1
LAST=oxide # the system of the last trajectory
task () {
    rm -rf "$work/task"
    mkdir "$work/task"
    cat >"$work/task/task.json" <<END
{"format": 1, "campaign": "c", "campaign_dir": "$work", "stage": "select",
 "code": "model_devi", "iteration": 0, "task": 0, "seed": 5,
 "resources": {"ranks": 1, "cores": 1, "gpus": 0, "memory_bytes": 0,
  "walltime_s": 60}, "launcher": [],
 "inputs": {"trajectories": ["$work/t0.dump", null, "$work/t2.dump"],
  $FORCES, $MORE
  "frames_expected": [2, null, 2], "system": ["oxide", null, "$LAST"],
  "elements": ["Si", "O"], "semantics": "dpgen",
  "levels": {"force": [$1, $2]}, "pick": {"quota": 4, "per": "iteration"}, "skip": {"steps": $SKIP}},
 "outputs": {"frames": "out/frames", "provenance": "out/provenance.json"}}
END
    (cd "$work/task" && fanfold-reduce task.json) >"$work/said" 2>&1
    status=$?
}

param () {
    grep -q "\"$1\": $2[,}]*\$" "$work/task/params.json"
}

task 0.2 0.8
good=no
[ $status -eq 0 ] && param total 4 && param accurate 0.25 &&
    param candidate 0.25 && param failed 0.5 && param lost 2 &&
    param missing_tasks 1 && param selected 1 && param proceed true && good=yes
result 'a frame of each class, an explosion and a task that failed' $good

good=no
frame=$work/task/out/frames/oxide.extxyz
[ "$(ls "$work/task/out/frames")" = oxide.extxyz ] &&
    [ "$(sed -n 4p "$frame" | cut -c 1-4)" = 'O 2.' ] &&
    grep -q 'iteration=0 task=0 step=40 deviation=0.3' "$frame" &&
    grep -q '"step": 40' "$work/task/out/provenance.json" && good=yes
result 'the frame selected' $good

task 1 2
good=no
[ $status -eq 0 ] && param selected 0 && param proceed false &&
    [ -d "$work/task/out/frames" ] && [ -z "$(ls "$work/task/out/frames")" ] &&
    good=yes
result 'nothing to select: an empty list, and no reason to go on' $good

task 0.8 0.2
good=no
[ $status -eq 3 ] && grep -q low "$work/said" && good=yes
result 'levels the wrong way round are fatal' $good

# --- one model by two names ---

# f0 and f1 differ in the last frame alone, f3 says what f1 says.
dump 'fx fy fz' 0.15 | sed '$s/0\.3 /0.30000000000000004 /' >"$work/t0.f1"
cp "$work/t0.f1" "$work/t0.f3"
three="[\"$work/t0.f0\", \"$work/t0.f1\", \"$work/t0.f3\"]"
none="[\"$work/t2.none\", \"$work/t2.none\", \"$work/t2.none\"]"
FORCES="\"forces\": [$three, null, $none]"
task 0.2 0.8
good=no
[ $status -ne 0 ] && [ ! -e "$work/task/params.json" ] &&
    grep -q 'members 1 and 2 of the committee gave the same forces' \
        "$work/said" && grep -q '{seed}.*{potential}.*identical_members: allow' \
        "$work/said" && good=yes
result 'two members with the same bits in every frame are an error' $good

if command -v mpirun >/dev/null; then
    good=no
    (unset OMPI_MCA_pml OMPI_MCA_btl OMPI_MCA_ess_singleton_isolated
        cd "$work/task" && ${MPIRUN:-mpirun --allow-run-as-root --oversubscribe \
        --bind-to none} -n 3 fanfold-reduce task.json) >"$work/said" 2>&1 ||
        { grep -q 'members 1 and 2 ' "$work/said" && good=yes; }
    result '... by any number of ranks' $good
fi

MORE='"identical_members": "allow",'
task 0.2 0.8
good=no
[ $status -eq 0 ] && param accurate 0.5 && good=yes
result '... unless they are meant' $good

MORE='"identical_members": "maybe",'
task 0.2 0.8
good=no
[ $status -eq 3 ] && grep -q "identical_members" "$work/said" && good=yes
result '... and nothing else is said' $good
MORE=

FORCES="\"forces\": [[\"$work/t0.f0\", \"$work/t0.f1\"], null,
   [\"$work/t2.none\", \"$work/t2.none\"]]"
task 0.2 0.8
good=no
[ $status -ne 0 ] && grep -q 'are zero: the members' "$work/said" && good=yes
result 'deviations that are rounding are an error where there are forces' $good

dump 'fx fy fz' 0 | sed 's/ 1 1$/ 0 0/' >"$work/t0.f0"
cp "$work/t0.f0" "$work/t0.f1"
task 0.2 0.8
good=no
[ $status -eq 0 ] && param accurate 0.5 && good=yes
result '... and none where atoms feel none' $good

# rows DEVIATION...: a file of deviations with a row every 20 steps.
rows () {
    echo '#       step         max_devi_v         min_devi_v         avg_devi_v         max_devi_f         min_devi_f         avg_devi_f'
    step=0
    for devi; do
        echo "$step 0 0 0 $devi 0 $devi"
        step=$((step + 20))
    done
}
FORCES="\"deviations\": [\"$work/devi\", null, \"$work/nothing\"]"
: >"$work/nothing"
rows 0 1e-17 0 >"$work/devi"
task 0.2 0.8
good=no
[ $status -ne 0 ] && grep -q 'are zero: the members' "$work/said" && good=yes
result 'rows of zeros are an error' $good
rows 0 1e-5 0 >"$work/devi"
task 0.2 0.8
good=no
[ $status -eq 0 ] && param accurate 0.5 && good=yes
result '... and small deviations are none' $good
# One system says that the members differ, be it the first or the last.
rows 0 0.3 0.3 >"$work/devi"
rows 0 0 0 >"$work/zeros"
LAST=zinc
for pair in 'devi zeros' 'zeros devi'; do
    # shellcheck disable=SC2086 # two words
    set -- $pair
    FORCES="\"deviations\": [\"$work/$1\", null, \"$work/$2\"]"
    task 0.2 0.8
    good=no
    [ $status -eq 0 ] && param candidate 0.5 && good=yes
    result "... nor are zeros of one system ($pair)" $good
done
LAST=oxide
FORCES="\"deviations\": [\"$work/devi\", null, \"$work/nothing\"]"
rows 0 nan nan >"$work/devi"
SKIP=0 MORE=
task 0.2 0.8
good=no
[ $status -eq 0 ] && param invalid 0.4 && good=yes
result '... nor is a crystal at rest that exploded then' $good

done_testing
