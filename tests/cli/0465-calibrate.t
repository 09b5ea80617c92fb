#!/bin/sh
# 0465-calibrate.t - the level below which frames are accurate, by labels of some

# shellcheck source=tests/cli/tap.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/tap.sh"
cd "$tmp" || exit 1

# calibrated FILE TARGET COVERAGE [OPTION...]: what is printed as JSON, in one line.
calibrated() {
    table=$1 target=$2 coverage=$3
    shift 3
    fanfold calibrate "$table" --target "$target" --coverage "$coverage" --json "$@" | jq -c .
}

# 19 labels, those of scores above 0.1 wrong, and 40 frames without one.
awk 'BEGIN {
    print "# score error"
    for (i = 1; i <= 19; i++)
        print i / 100, (i > 10) ? 0.3 : 0.1
    for (i = 1; i <= 40; i++)
        print i / 200
}' >table
# (1 + V) / 20 <= 0.25 F holds up to 0.125: 3 / 20 <= 0.25 25 / 40, but 4 / 20 > 0.25 26 / 40.
is "the level" '{"low":0.125,"n":19,"wrong_below":2,"labels_needed":7,"least_target":0.1}' \
    "$(calibrated table 0.2 0.75)"
is "... whatever the order" "$(calibrated table 0.2 0.75)" \
    "$(tac table >turned && calibrated turned 0.2 0.75)"
is "... of a compressed table" "$(calibrated table 0.2 0.75)" \
    "$(gzip -c table >table.gz && calibrated table.gz 0.2 0.75)"
is "an error as large as the target is right" 0.2 "$(calibrated table 0.3 0.75 | jq .low)"
is "no level" '{"low":null,"n":19,"wrong_below":null,"labels_needed":38,"least_target":0.3}' \
    "$(calibrated table 0.2 0.95)"
is "with confidence" '{"low":0.105,"n":19,"wrong_below":0,"labels_needed":19,"least_target":0.1}' \
    "$(calibrated table 0.2 0.75 --confidence 0.94)"
is "failed labels are wrong" "$(calibrated table 0.2 0.75)" \
    "$(sed 's/ 0.3/ nan/' table >failed && calibrated failed 0.2 0.75)"

has "for people" "low 0.125: 25 of 40 frames without a label are accurate; at most 25 % of them are wrong by more than 0.2, on average over draws of labels" \
    "$(fanfold calibrate table --target 0.2 --coverage 0.75)"
has "... what was achieved" "10 of 13 are right: between 50.5 and 93.4 % (90 % interval)" \
    "$(fanfold calibrate table --target 0.2 --coverage 0.75)"
is "... what to do" "no level: 19 frames are labelled, 9 of them wrong by more than 0.2
label 19 more (38 in all), drawn evenly at random; that is enough if the same share of them is wrong
or ask for a target of 0.3 or more, or for less coverage" \
    "$(fanfold calibrate table --target 0.2 --coverage 0.95)"

# refuses WHAT STATUS MESSAGE ARGUMENT...
refuses() {
    what=$1 status=$2 message=$3
    shift 3
    fanfold calibrate "$@" >out 2>err
    is "refused: $what" "$status fanfold: $message" "$? $(cat err)"
    silent "... and nothing is printed" cat out
}
while IFS='|' read -r what row message; do
    printf '# two\n1 2\n%b\n3 4\n' "$row" >bad
    refuses "$what" 1 "bad:3: $message" bad --target 1 --coverage 0.5
done <<'END'
a heading|score error|the score is no number; write a score, or a score and an error, and begin other lines with #
a score that is none|nan 1|the score is not finite; leave such frames out
a score without end|inf|the score is not finite; leave such frames out
a word|1 x|the error is no number; write nan where a label failed
a sign|1 -2|the error is below 0; write how large it is
more columns|1 2 3|there is more than a score and an error; leave the other columns out
commas|1,2|the score is no number; write a score, or a score and an error, and begin other lines with #
END
printf '1 2\n3' >cut
refuses "a table that is cut" 1 "cut:2: the file ends here without a line break, so its last number may be cut; write it again or, if it is whole, run \`echo >>cut\`" \
    cut --target 1 --coverage 0.5
printf '# nothing\n\n' >empty
refuses "a table of nothing" 1 "empty: there are no frames in it" empty --target 1 --coverage 0.5
refuses "coverage in percent" 2 "--coverage 90: write a number between 0 and 1, as 0.9" \
    table --target 1 --coverage 90
refuses "a certain coverage" 2 "--coverage 1: write a number between 0 and 1, as 0.9" \
    table --target 1 --coverage 1
refuses "a confidence of nothing" 2 "--confidence 0: write a number between 0 and 1, as 0.9" \
    table --target 1 --coverage 0.5 --confidence 0
refuses "a target that is none" 2 \
    "--target 0.2eV: write the largest error that is right, in the unit of the table" \
    table --target 0.2eV --coverage 0.5
refuses "no target" 2 \
    "say which error is right by --target, and how many of the accurate frames are to be by --coverage" \
    table --coverage 0.5

printf '5 nan\n5\n' >one
is "all labels failed" '{"low":null,"n":1,"wrong_below":null,"labels_needed":null,"least_target":null}' \
    "$(calibrated one 1 0.5)"
has "... for people" "no target has a level by these labels" \
    "$(fanfold calibrate one --target 1 --coverage 0.5)"
printf '1\n2\n' >unlabelled
is "no labels" "no level: 0 frames are labelled, 0 of them wrong by more than 1
9 labels are needed, and there are 2 frames" \
    "$(fanfold calibrate unlabelled --target 1 --coverage 0.9)"
printf -- '-5 0\n-7\n-9\n' >negative
is "scores below 0" -5 "$(calibrated negative 1 0.5 | jq .low)"

awk 'BEGIN { srand(1); for (i = 0; i < 1000000; i++) print rand(), i % 100 ? "" : rand() }' >large
is "a million frames" 10000 "$(timeout 60 "$(command -v fanfold)" calibrate large --target 0.9 --coverage 0.8 --json | jq .n)"

done_testing
