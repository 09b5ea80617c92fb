#!/bin/sh
# 0357-reset - a campaign that begins again
. "$abs_top_srcdir/tests/cli/tap.sh"

# starts DIR STAGE ITERATION: how many tasks were started there, by what agents logged.
starts() {
    run_cat "$1" "$2" "00000$3" '*/*/results-*' | grep -c '"start"'
}

c=$tmp/c
loop_campaign "$c"
exits "nothing has run" 1 fanfold -C "$c" reset --yes
ok "a campaign runs to its end" fanfold -C "$c" run
digest=$(results_digest "$c")
cp -r "$c" "$tmp/kept"

# --- from nothing ---

fanfold -C "$c" reset >"$tmp/out"
is "reset shows what it would do" 0 $?
ok "... in numbers" grep -q "[1-9][0-9]* results of [1-9] iterations move to .fanfold/replaced/0000" "$tmp/out"
is "... with all frames that were labelled" \
    "$(cat "$c"/dataset/extxyz/iter/*/dataset.extxyz | grep -c Lattice) labelled frames are no training data any more" \
    "$(grep labelled "$tmp/out")"
is "... and the command that does it" "to do it: fanfold reset --yes" "$(tail -n 1 "$tmp/out")"
ok "... and does nothing" test -e "$c/train" -a ! -e "$c/.fanfold/replaced"
has "reset says what it does" "the campaign begins again" "$(fanfold -C "$c" reset --yes)"
aside=$(echo "$c"/.fanfold/replaced/*)
ok "what was computed lies aside" test -e "$aside/train/toy/iter/000001/job/000002/out" \
    -a -e "$aside/dataset/extxyz/iter/000001" \
    -a -e "$aside/config/iter/000000/config.json" \
    -a -e "$aside/train/toy/iter/000000/stage.json"
has "status lists it" "reset (all stages)" "$(fanfold -C "$c" status --replaced)"
ok "it begins again" fanfold -C "$c" run
is "... with the same results" "$digest" "$(results_digest "$c")"
is "... all of which were computed" 3,4 "$(starts "$c" train 0),$(starts "$c" explore 1)"
rm "$c/state.json"
is "the journal alone says the same" done "$(state_of "$c")"

# A stage that is renamed between: no history, no orphans.
ok "once more" fanfold -C "$c" reset --yes
fanfold -C "$c" cancel >"$tmp/out"
ok "and again, as soon as what ran has ended" \
    until_ok sh -c "fanfold -C '$c' advance; fanfold -C '$c' reset --yes"

# --- with the data that it had made ---

k=$tmp/kept
fresh=$tmp/fresh
loop_campaign "$fresh"
mkdir -p "$fresh/kept"
cp -r "$k/dataset/extxyz/iter" "$fresh/kept/000001"
ok "reference: one that begins with these data" fanfold -C "$fresh" run
sed -i 's/iterations: 6/iterations: 7/' "$k/campaign.yaml"
fanfold -C "$k" run >"$tmp/log" 2>&1
sed -i 's/iterations: 7/iterations: 6/' "$k/campaign.yaml"
has "reset tells where they go" " and is initial data" "$(fanfold -C "$k" reset --keep-data --yes)"
first=$(ls "$k/kept")
ok "it begins again" fanfold -C "$k" run
is "... as one that had them from the beginning" "$(results_digest "$fresh")" "$(results_digest "$k")"
ok "... not as one that had them not" test "$(results_digest "$k")" != "$digest"
initial=$(grep -c Lattice "$k/initial.extxyz")
labelled=$(cat "$k/kept/$first"/*/dataset.extxyz | grep -c Lattice)
is "its first training had them" "$((initial + labelled))" \
    "$(fanfold -C "$k" result train frames --iteration 0 | jq max)"
is "config.json names them" "kept/$first/000001/dataset.extxyz" \
    "$(jq -r '.campaign.data.initial[] | select(startswith("kept/"))' "$k/config/iter/000000/config.json" | head -1)"
ok "export has them with the initial ones" fanfold -C "$k" export --format extxyz --with-initial --iterations 0 "$tmp/all"
is "... all of them" "$((initial + labelled + $(grep -c Lattice "$k/dataset/extxyz/iter/000000/dataset.extxyz" 2>"$tmp/err" || echo 0)))" \
    "$(grep -c Lattice "$tmp/all/dataset.extxyz")"
ok "a second one keeps more" fanfold -C "$k" reset --keep-data --yes
ok "... and the first ones" test -e "$k/kept/$first/000001/dataset.extxyz" -a "$(ls "$k/kept" | wc -l)" -eq 2
ok "it runs" fanfold -C "$k" run
fanfold -C "$k" reset --keep-data >"$tmp/out"
is "to keep them all is offered as such" "to do it: fanfold reset --keep-data --yes" "$(tail -n 1 "$tmp/out")"
is "what would be lost with the others counts what was kept" \
    "$(cat "$k"/dataset/extxyz/iter/*/dataset.extxyz "$k"/kept/*/*/dataset.extxyz | grep -c Lattice) labelled frames are no training data any more" \
    "$(fanfold -C "$k" reset | grep labelled)"
ok "a third one keeps nothing" fanfold -C "$k" reset --yes
ok "... they lie aside, too" test ! -e "$k/kept" -a -e "$(echo "$k"/.fanfold/replaced/*/"kept/$first/000001/dataset.extxyz")"
ok "it runs to its end" fanfold -C "$k" run
is "... as in the beginning" "$digest" "$(results_digest "$k")"

# --- while another process drives ---

w=$tmp/w
loop_campaign "$w"
ok "a campaign is done" fanfold -C "$w" run
sed -i 's/^stop:/# &/; s/^history:/stop: {iterations: 7}\n&/' "$w/campaign.yaml"
fanfold -C "$w" run >"$tmp/log" 2>&1 &
pid=$!
until_ok sh -c "fanfold -C '$w' reset --keep-data --yes" >"$tmp/out" 2>&1
wait $pid
ok "and reset by whoever drives, or after it" fanfold -C "$w" run
is "it runs with the kept data" true \
    "$(jq '[.campaign.data.initial[] | startswith("kept/")] | any' "$w/config/iter/000000/config.json")"

# --- not while something runs ---

r=$tmp/r
mkdir "$r"
cat >"$r/campaign.yaml" <<'END'
format: 1
campaign: waiting
stages:
  wait: {uses: t.wait}
stop: {iterations: 1}
operators:
  t.wait:
    outputs: {n: {type: int}}
    command: [sh, -c, 'until [ -e "$1/go" ]; do sleep 0.02; done; echo "{\"n\": 5}" >params.json', sh, "{campaign}"]
END
fanfold -C "$r" advance >"$tmp/out"
fanfold -C "$r" advance >"$tmp/out"
has "a stage that runs is to be cancelled first" "stage 'wait' is running; run .fanfold cancel." \
    "$(fanfold -C "$r" reset --yes 2>&1 | tr '`' .)"
touch "$r/go"
ok "it was not disturbed" fanfold -C "$r" run
ok "reset" fanfold -C "$r" reset --yes
ok "a task without files runs again, too" fanfold -C "$r" run
is "... really" 1 "$(starts "$r" wait 0)"

done_testing
