#!/bin/sh
# 0520-reduce-duplicates.t - candidates that have a label already are replaced,
# whoever looks, and however the labelled frame was shifted

# shellcheck source=tests/cli/tap.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/tap.sh"
# shellcheck source=tests/cli/reduce.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/reduce.sh"

# Four trajectories of 50 frames, each of a structure of its own; all candidates.
for task in 1 2 3 4; do
    deviation_head >d$task
    awk -v task=$task 'BEGIN {
        srand(task)
        for (step = 10; step <= 500; step += 10) {
            printf "%12d", step >>"d" task
            for (i = 1; i <= 6; i++)
                printf " %18.6e", 0.5 >>"d" task
            print "" >>"d" task
            print "ITEM: TIMESTEP\n" step "\nITEM: NUMBER OF ATOMS\n4"
            print "ITEM: BOX BOUNDS xy xz yz pp pp pp\n0 9 1\n0 8 0\n0 8 0"
            print "ITEM: ATOMS id type x y z"
            for (i = 1; i <= 4; i++)
                print i, 1 + i % 2, 8 * rand(), 8 * rand(), 8 * rand()
        }
    }' >t$task
    echo "{\"task\": $task, \"system\": \"s$((task % 2))\", \"trajectory\": \"t$task\"," \
        "\"deviations\": \"d$task\", \"expected_frames\": 50}" >>entries
done
rules='"levels": {"force": [0.2, 0.8]}, "elements": ["Si", "O"], "skip": {"steps": 0}'
plan whole "$rules, \"pick\": {\"quota\": 1000}"
reduce 0 whole.json || exit 1
is "all are selected" 200 "$(answer whole .selected)"

# Label every third frame, as a labelling program might leave it: shifted, atoms
# moved to other images (the cell is 8 0 0, 1 8 0, 0 0 8), 0.004 A off, with
# forces, in several files, and frames of something else among them.
cat whole/frames/*.extxyz | awk '
    /Lattice/ { frame++; match($0, /task=[0-9]* step=[0-9]*/)
        tag = substr($0, RSTART, RLENGTH); match($0, /Lattice="[^"]*"/)
        labelled = frame % 3 == 0; cell = substr($0, RSTART, RLENGTH)
        file = "labelled" frame % 2 ".extxyz"
        if (labelled) {
            print tag >"have"
            print "1\n" cell " Properties=species:S:1:pos:R:3 pbc=\"T T T\"\nSi 0 0 0" >file
            print "4\n" cell " Properties=species:S:1:pos:R:3:forces:R:3 energy=-1 pbc=\"T T T\"" >file
        }
        next }
    NF == 4 && labelled { n++
        print $1, $2 + 30 + 8 * (n % 3 - 1) + n % 2, $3 + 8 * (n % 2) - 7, $4 + 0.004 * (n % 4 == 0), 1, 2, 3 >file }'
is "some have a label" 66 "$(wc -l <have)"
refuse="$rules, \"duplicates\": {\"tolerance\": 0.01, \"labelled\": [\"labelled0.extxyz\", \"labelled1.extxyz\"]}"
plan rest "$refuse, \"pick\": {\"quota\": 1000}"
ok "those with a label are refused" reduce 0 rest.json
is "as many as there are" "134 66" "$(answer rest '"\(.selected) \(.duplicates)"')"
is "and each of those is noted" "66 it has a label already" \
    "$(jq -r '.refused[].why' rest/provenance.json | sort | uniq -c | sed 's/^ *//')"
chosen () {
    cat "$1"/frames/*.extxyz | sed -n 's/.* \(task=[0-9]* step=[0-9]*\) .*/\1/p' | sort
}
sort have >have.sorted
is "none of them is among the selected" "" "$(chosen rest | comm -12 - have.sorted)"
plan exact "$(echo "$refuse" | sed 's/0.01/0.001/'), \"pick\": {\"quota\": 1000}"
reduce 0 exact.json || exit 1
is "a smaller tolerance finds none of those a little off" "200 0" \
    "$(answer exact '"\(.selected) \(.duplicates)"')"

few="$refuse, \"pick\": {\"quota\": 40, \"per\": \"system\"}"
plan few "$few"
reduce 0 few.json || exit 1
is "the quotas are filled" "40 40" "$(answer few '"\(.systems.s0.selected) \(.systems.s1.selected)"')"
is "with others" "" "$(chosen few | comm -12 - have.sorted)"
ok "2, 3 and 7 ranks: the same bytes" same_for_ranks few "$few"

# A file of labels that is not there, or is none.
fails_cleanly () {
    plan "$1" "$rules, \"pick\": {\"quota\": 5}, \"duplicates\": {\"tolerance\": 0.01, \"labelled\": [\"$2\"]}"
    reduce 3 "$1.json" >/dev/null 2>message
    status=$?
    cat message
    [ $status -eq 1 ] && [ "$(grep -c "$3" message)" -eq 1 ] && [ ! -e "$1/frames" ]
}
ok "labels that are not there" fails_cleanly gone gone.extxyz "^fanfold-reduce: .*'gone.extxyz'"
ok "labels that are none" fails_cleanly none entries '^fanfold-reduce: entries:1: '

done_testing
