#!/bin/sh
# 0555-select-structures.t - fanfold select looks at structures, labels and
# fingerprints as the reducer does: both find the same numbers, and select the
# same frames of the same data

# shellcheck source=tests/cli/tap.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/tap.sh"
# shellcheck source=tests/cli/reduce.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/reduce.sh"

# A tree of DP-GEN's: four tasks of two systems with 60 frames of a few atoms
# anywhere in a cell, which every fifth time is skew; every seventh is not there.
task=0
for dir in 000.000000 000.000001 001.000000 001.000001; do
    mkdir -p iter/task.$dir
    deviation_head >iter/task.$dir/model_devi.out
    awk -v task=$task -v out=iter/task.$dir/model_devi.out 'BEGIN {
        srand(task)
        for (step = 10; step <= 600; step += 10) {
            printf "%12d", step >>out
            for (i = 1; i <= 6; i++)
                printf " %18.6e", rand() >>out
            print "" >>out
            if (step % 70 == 0)
                continue
            print "ITEM: TIMESTEP\n" step "\nITEM: NUMBER OF ATOMS\n6"
            if (step % 50 == 0)
                print "ITEM: BOX BOUNDS xy xz yz pp pp pp\n0 16 8\n0 8 0\n0 8 0"
            else
                print "ITEM: BOX BOUNDS xy xz yz pp pp pp\n0 8 0\n0 8 0\n0 8 0"
            print "ITEM: ATOMS id type x y z"
            for (i = 1; i <= 6; i++)
                print i, 1 + i % 2, 8 * rand(), 8 * rand(), 8 * rand()
        }
    }' >iter/task.$dir/all.lammpstrj
    echo "{\"task\": $task, \"system\": \"${dir%.*}\"," \
        "\"trajectory\": \"iter/task.$dir/all.lammpstrj\"," \
        "\"deviations\": \"iter/task.$dir/model_devi.out\", \"expected_frames\": 0}" >>entries
    task=$((task + 1))
done

# A third of what is selected has a label.
common='"elements": ["Si", "O"], "skip": {"steps": 0}'
levels="$common, \"levels\": {\"force\": [0.2, 0.8]}"
plan all "$levels, \"pick\": {\"quota\": 1000}"
reduce 0 all.json || exit 1
cat all/frames/*.extxyz | awk '/^[0-9]+$/ { n = $1; frame++ }
    frame % 3 == 0 && (/^[0-9]+$/ || /Lattice/ || NF >= 4) {
        sub(/iteration=.*/, "energy=-1"); sub(/task=.*/, "energy=-1"); print }' >labelled.extxyz

find iter -type f -exec cksum {} + | sort >before

# agrees NAME RULES: the what-if and the reducer about the systems, and about
# what was passed over and why.
numbers='[(.systems | to_entries | sort_by(.key)[] | .value
    | [.frames, .accurate, .candidates, .failed, .selected]),
    .without_frame, .bad_box, .too_close, .no_vacuum, .duplicates]'
agrees() {
    plan "$1" "$2"
    reduce 0 "$1.json" || return 1
    echo "{\"seed\": 11, $2}" >"$1.rules"
    fanfold select --json --rules "$1.rules" iter >"$1.answer" || return 1
    jq -c "$numbers" "$1.answer" | tee "$1.what-if"
    jq -c "$numbers" "$1/params.json" | tee "$1.reduced"
    cmp "$1.what-if" "$1.reduced" &&
        [ "$(jq '[.systems[].selected] | add' "$1.answer")" -gt 0 ] &&
        [ "$(jq '.left_out | length' "$1.answer")" -eq 0 ]
}
# found NAME KEY: the what-if's number.
found() {
    jq ".$2" "$1.answer"
}

twenty="$levels, \"pick\": {\"quota\": 20}"
ok "filters" agrees filters "$twenty, \"filters\": {\"closest\": 1.2, \"tilt_ratio\": 0.9}"
ok "atoms too close were found" [ "$(found filters too_close)" -gt 0 ]
ok "bad boxes were found" [ "$(found filters bad_box)" -gt 0 ]
ok "absent frames were found" [ "$(found filters without_frame)" -gt 0 ]
is "the quotas are filled" "20 20" \
    "$(jq -r '[.systems[].selected] | join(" ")' filters.answer)"
ok "duplicates" agrees duplicates \
    "$twenty, \"duplicates\": {\"tolerance\": 0.01, \"labelled\": [\"labelled.extxyz\"]}"
ok "labels were found" [ "$(found duplicates duplicates)" -gt 0 ]
ok "what differs most" agrees diverse "$levels, \"pick\": {\"quota\": 20, \"how\": \"diverse\", \"pool\": 3}"
ok "everything" agrees everything "$common, \"levels\": {\"force\": [0.2, 0.8], \"adaptive\": {\"force\": {\"count\": 80}}},
    \"pick\": {\"quota\": 15, \"per\": \"iteration\", \"how\": \"diverse\", \"soft\": 0.1, \"hard\": 0.99},
    \"filters\": {\"closest\": 1}, \"duplicates\": {\"tolerance\": 0.01, \"labelled\": [\"labelled.extxyz\"]}"
ok "surroundings of few" agrees quota "$levels, \"pick\": {\"quota\": 1000, \"minimum\": 1},
    \"filters\": {\"closest\": 2.5}"

table() {
    fanfold select --rules everything.rules iter >table || return 1
    cat table
    grep -q '^4 files; deviations to ' table &&
        grep -q '^passed over: .*[1-9][0-9]* with atoms too close.* with a label already$' table
}
ok "a table" table
find iter -type f -exec cksum {} + | sort >after
ok "nothing was written" diff before after

# Data that is not there.
refuses() {
    status=$1
    message=$2
    echo "{$3}" >rules.json
    fanfold select --rules rules.json iter >said 2>&1
    found=$?
    cat said
    [ $found -eq "$status" ] && grep -q "$message" said
}
closest='"filters": {"closest": 1}'
ok "elements that are not named" refuses 1 \
    'all.lammpstrj: step [0-9]*: atom type [12], but there are 0 elements' "$closest"
ok "fingerprints without elements" refuses 2 'pick: how: diverse needs elements' \
    '"pick": {"how": "diverse"}'
ok "a file of labels that is not there" refuses 1 'nowhere.extxyz' \
    '"duplicates": {"tolerance": 0.01, "labelled": ["nowhere.extxyz"]}, "elements": ["Si", "O"]'
ok "no file of labels" refuses 0 'duplicates: not looked at, no labelled data is named' \
    '"duplicates": {"tolerance": 0.01}'
ok "levels alone need no trajectories" refuses 0 '^4 files; deviations' '"pick": {"quota": 3}'
rm iter/task.000.000000/all.lammpstrj
ok "a trajectory that is not there" refuses 0 'passed over: [0-9]* without a frame' \
    "$closest, \"elements\": [\"Si\", \"O\"]"

done_testing
