#!/bin/sh
# 0346-identity - results are taken for what made them, and for nothing else
. "$abs_top_srcdir/tests/cli/tap.sh"

# How often tasks were run, by what agents logged.
runs() {
    cat "$1"/.fanfold/run/*/*/*/*/results-* 2>"$tmp/err" | grep -c '"start"'
}

whole=$tmp/whole
loop_campaign "$whole"
ok "a campaign runs to its end" fanfold -C "$whole" run
digest=$(results_digest "$whole")
cp -r "$whole" "$tmp/edited"
cp -r "$whole" "$tmp/script"

# Without its journal: what is there is what would be made.
rm -r "$whole/.fanfold" "$whole/state.json"
ok "... and again without its journal" fanfold -C "$whole" run
is "nothing was run twice" 0 "$(runs "$whole")"
is "... the results are the same" "$digest" "$(results_digest "$whole")"
ok "status counts them" test "$(fanfold -C "$whole" status --json | jq '.stages[1].tasks.ok')" = 3

# Another definition: what its tasks made before is not what they make.
c=$tmp/edited
rm -r "$c/.fanfold" "$c/state.json"
sed -i 's/default: \[300, 600, 900, 1200\]/default: [300, 601, 900, 1200]/' "$c/campaign.yaml"
fresh=$tmp/fresh
loop_campaign "$fresh"
cp "$c/campaign.yaml" "$fresh"
ok "an edited one begins anew among old results" fanfold -C "$c" run
ok "... as in an empty directory" fanfold -C "$fresh" run
is "the results are those of the definition" "$(results_digest "$fresh")" "$(results_digest "$c")"
is "what was made by another one lies aside" 1 \
    "$(find "$c/explore" -path '*000000/job/000001/out.damaged*' -prune -print | wc -l)"
is "... what depends on nothing that changed was not run again" 0 \
    "$(cat "$c"/.fanfold/run/label/000000/*/*/results-* 2>"$tmp/err" | grep -c '"start"')"

# A program of the campaign is part of the definition.
c=$tmp/script
rm -r "$c/.fanfold" "$c/state.json"
echo '# another version' >>"$c/train.sh"
ok "a program was edited" fanfold -C "$c" run
ok "its tasks ran again" grep -q '"start"' "$c"/.fanfold/run/train/000000/000000/000000/results-0.0
is "... nothing else did" 0 \
    "$(cat "$c"/.fanfold/run/explore/000000/*/*/results-* 2>"$tmp/err" | grep -c '"start"')"

done_testing
