#!/bin/sh
# 0556-reduce-error-levels.t - levels that follow from labels of a random draw are
# those of the definition, for any number of ranks, or there are none

# shellcheck source=tests/cli/tap.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/tap.sh"
# shellcheck source=tests/cli/reduce.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/reduce.sh"
errors="python3 ${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/error_levels.py"
fanfold=${abs_top_builddir:-$PWD}/fanfold

$errors make 6 100 4 1 || exit 1
base='"elements": ["Si"], "skip": {"steps": 1, "dump_every": 10}'
plan probe "$base, \"count\": 60"
ok "frames are drawn" reduce 0 probe.json
is "from all of them" "600 60 true" "$(answer probe '"\(.total) \(.selected) \(.proceed)"')"
is "and say so" "60" "$(cat probe/frames/*.extxyz | grep -c ' drawn_from=600$')"
is "there are no classes of them" "null null null" \
    "$(answer probe '"\(.accurate) \(.levels) \(.converged)"')"
ok "2, 3 and 7 ranks: the same bytes" same_for_ranks probe "$base, \"count\": 60"
mean () { # of the scores of a file's frames
    sed -n 's/.* deviation=\([^ ]*\).*/\1/p' "$@" | awk '{ s += $1 } END { print s / NR }'
}
plan all "$base, \"count\": 600"
reduce 0 all.json || exit 1
is "all frames are drawn if asked for" 600 "$(answer all .selected)"
ok "large deviations are as likely as small ones" \
    awk -v a="$(mean probe/frames/*)" -v b="$(mean all/frames/*)" \
    'BEGIN { exit !(a > 0.75 * b && a < 1.33 * b) }'

$errors label 13 && $errors table || exit 1
files='"labels": "labels.extxyz", "probe": ["probe/frames/s0.extxyz", "probe/frames/s1.extxyz"]'
# rules ERROR [MORE], select_with DIR ERROR [MORE]: levels by error.
rules () {
    echo "$base, \"calibration\": {\"mode\": \"probe\", $files}," \
        "\"levels\": {\"error\": {$1}}, \"pick\": {\"quota\": 25, \"per\": \"iteration\"}," \
        "\"convergence\": {\"accurate\": 0.05}${2-}"
}
select_with () {
    rm -rf "$1"
    plan "$1" "$(rules "$2" "${3-}")"
    reduce "${ranks-0}" "$1.json" >message 2>&1
    status=$?
    cat message
    return $status
}

# --- the definition ---

same_as_calibrate () {
    select_with same "\"force\": $1, \"coverage\": $2" || return 1
    "$fanfold" calibrate table --target "$1" --coverage "$2" --json |
        jq -c '[.low, .n, .wrong_below // 0, .labels_needed, .least_target]' >expected
    answer same '.calibration | [.low, .n, .wrong_below, .labels_needed, .least_target] | tojson' >found
    diff expected found
}
for target in 0.3 0.8 1.2 2; do
    for coverage in 0.6 0.9; do
        ok "target $target, coverage $coverage: as calibrate has it" \
            same_as_calibrate $target $coverage
    done
done
is "labels that failed are wrong" 4 "$(answer same .calibration.failed)"

with_confidence () {
    select_with sure "\"force\": $1, \"coverage\": $2, \"confidence\": $3" || return 1
    expected=$($errors grid "$1" "$2" "$3")
    found=$(answer sure .calibration.low)
    [ "$found" = "$expected" ] || { echo "$found, expected $expected"; return 1; }
}
for wish in '1.5 0.7 0.8' '2 0.8 0.9' '1 0.6 0.9' '0.4 0.9 0.95'; do
    # shellcheck disable=SC2086 # words
    ok "with a confidence: $wish" with_confidence $wish
done

# --- what it is used for ---

error='"force": 1.2, "coverage": 0.8, "failed": 1.4'
select_with sel "$error" || exit 1
low=$(answer sel .calibration.low)
is "accurate is what has a deviation up to the level" "$($errors count "$low")" \
    "$(answer sel '.accurate * .total | round')"
is "one level for all systems" true "$(answer sel '.levels.s0 == .levels.s1')"
is "it is found to hold" "true true" "$(answer sel '"\(.calibrated) \(.converged)"')"
keys () {
    cat "$1"/frames/*.extxyz | sed -n 's/.* \(task=[0-9]* step=[0-9]*\) .*/\1/p' | sort
}
keys probe >probe.keys
is "what was drawn is not selected again" "" "$(keys sel | comm -12 - probe.keys)"
ok "the high level is not below the low one" \
    test "$(answer sel '.levels.s0.force as [$low, $high] | $high != null and $low <= $high')" = true
for ranks in 2 3 7; do
    select_with "ranks$ranks" "$error" >message
    ok "$ranks ranks: the same numbers" cmp sel/params.json "ranks$ranks/params.json"
    ok "... and frames" diff -r sel/frames "ranks$ranks/frames"
done
ranks=0

select_with lists "$error" ', "lists": "lists/lists"' || exit 1
is "lists go by the level" "$($errors count "$low")" \
    "$(cat lists/lists/rest_accurate.* | wc -l)"

select_with each "$error, \"per\": \"system\"" || exit 1
is "a system has the level of its own labels, or that of all" "true" "$(answer each '
    [.calibration as $c | .levels | to_entries[]
     | ($c.systems[.key] | if .own then .low else $c.low end) as $low
     | .value.force[0] > $low and .value.force[0] < $low * 1.000001] | all')"
is "labels are shared out" 60 "$(answer each '[.calibration.systems[].n] | add')"

select_with none '"force": 0.01, "coverage": 0.9' || exit 1
is "no level: nothing is accurate, and nothing converges" "0 false false null" \
    "$(answer none '"\(.accurate) \(.calibrated) \(.converged) \(.calibration.low)"')"
is "... and why" "the labels give no level" "$(answer none .convergence)"
is "... all others are candidates" "600" "$(answer none .candidates)"
is "... and those that were drawn are refused" "it has a label already" \
    "$(jq -r '.refused[].why' none/provenance.json | sort -u)"
is "... without a high level" "[0,null]" "$(answer none '.levels.s0.force | tojson')"

# --- what does not fit ---

fails () {
    what=$1 says=$2
    shift 2
    output=$(select_with bad "$@" 2>&1)
    case $?,$output in
    [13],*"$says"*) good=yes ;;
    *) good=no; echo "# $output" ;;
    esac
    [ ! -e bad/params.json ] || good=no
    is "$what" yes $good
}
cp labels.extxyz labels.kept
sed '3s/Si [^ ]*/Si 1.5/' labels.kept >labels.extxyz
fails "a label of another frame" "labels.extxyz: frame 1: no frame of the probe" "$error"
sed '1,6!d; 2s/:forces:R:3/:other:R:3/' labels.kept >labels.extxyz
fails "a label without forces" "it has no forces" "$error"
rm labels.extxyz
fails "no labels" "labels.extxyz" "$error"
: >labels.extxyz
select_with failed "$error" || exit 1
is "all labels failed: no level" "60 false" \
    "$(answer failed '"\(.calibration.failed) \(.calibrated)"')"
cp labels.kept labels.extxyz
files='"probe": []'
select_with nothing "$error" || exit 1
is "nothing was drawn: no level" "0 false 0" \
    "$(answer nothing '"\(.calibration.n) \(.calibrated) \(.accurate)"')"
files='"labels": "labels.extxyz", "probe": ["probe/frames/s0.extxyz", "probe/frames/s1.extxyz"]'

base='"elements": ["Si"], "skip": {"steps": 25, "dump_every": 10}'
fails "frames that are skipped now" "is not among the frames" "$error"
base='"elements": ["Si"], "skip": {"steps": 1, "dump_every": 10}'
sed 's/drawn_from=600/drawn_from=601/' probe/frames/s0.extxyz >s0
sed 's/drawn_from=600/drawn_from=601/' probe/frames/s1.extxyz >s1
good_files=$files
files='"labels": "labels.extxyz", "probe": ["s0", "s1"]'
fails "another number of frames" "drawn from 601 frames, and here are 600" "$error"
files='"labels": "labels.extxyz", "probe": ["s0", "probe/frames/s1.extxyz"]'
fails "two probes" "of another probe" "$error"
files='"labels": "labels.extxyz", "probe": ["labels.extxyz"]'
fails "no probe at all" "model_devi.probe" "$error"
files=$good_files

# A member that was trained again.
task=$(sed -n '1s/task=\([0-9]*\).*/\1/p' probe.keys)
sed 's/^\(1 [^ ]*\) [^ ]* /\1 0.5 /' "f$task.0" >f
mv f "f$task.0"
fails "another committee" "drawn by another committee" "$error"

done_testing
