#!/bin/sh
# 0356-renamed - stages that are renamed, and stages that are forgotten
. "$abs_top_srcdir/tests/cli/tap.sh"

# starts DIR NAME ITERATION: how many tasks were started there, by what agents logged.
starts() {
    run_cat "$1" "$2" "00000$3" '*/*/results-*' | grep -c '"start"'
}

# same DIR OLD... : digest of everything results are made of, as if stages that were
# called OLD had always been called dft.
same() {
    dir=$1
    shift
    (cd "$dir" && find dataset -type f | sort | xargs sha256sum
        find . -name outputs.json -not -path './.fanfold/*' | while read -r file; do
            name=$file
            for old; do name=$(echo "$name" | sed "s|^./$old/|./dft/|"); done
            echo "$name $(cat "$file")"
        done | sed "$(printf 's|"%s\\(["/]\\)|"dft\\1|g;' "$@")" | sort) | sha256sum
}

c=$tmp/c
loop_campaign "$c"
sed -i 's/iterations: 6/iterations: 2/' "$c/campaign.yaml"
ok "two iterations" fanfold -C "$c" run

# --- without a word ---

sed -i 's/iterations: 2/iterations: 6/; s/^  label:$/  dft:/; s/all.label.dataset/all.dft.dataset/' "$c/campaign.yaml"
exits "check wants to know what becomes of results" 3 fanfold -C "$c" check
fanfold -C "$c" check >"$tmp/out" 2>&1
ok "... it counts what would be lost, and tells both remedies" \
    grep -q "[1-9][0-9]* labelled frames of stage 'label' would no longer be training data.*; write renamed_from: label in the stage.*fanfold forget label" "$tmp/out"
is "... as an error" 'false,false' \
    "$(fanfold -C "$c" check --json 2>&1 | jq -r '"\(.ok),\(.problems[0].warning)"')"
for command in run advance "redo train" resume submit; do
    # shellcheck disable=SC2086 # words
    exits "$command refuses" 3 fanfold -C "$c" $command
done
fanfold -C "$c" advance --quiet >"$tmp/out" 2>"$tmp/err"
is "cron goes on" 0 $?
ok "... by what was taken on last, and says so" \
    grep -q "results of stage 'label' would no longer be used.*the definition that was taken on last holds" "$tmp/err"
is "... nothing was taken on" done "$(fanfold -C "$c" status --json 2>"$tmp/err" | jq -r .state)"
has "a slip in forget" "nothing is known of a stage 'lable'; did you mean 'label'?" \
    "$(fanfold -C "$c" forget lable --yes 2>&1)"

# --- renamed ---

sed 's/^  dft:$/  dft:\n    renamed_from: lable/' "$c/campaign.yaml" >"$tmp/slip.yaml"
cp "$c/campaign.yaml" "$tmp/right.yaml"
cp "$tmp/slip.yaml" "$c/campaign.yaml"
has "a slip in renamed_from" "renamed_from: stage 'lable' has no results; did you mean 'label'?" \
    "$(fanfold -C "$c" check 2>&1)"
cp "$tmp/right.yaml" "$c/campaign.yaml"

sed -i 's/^  dft:$/  dft:\n    renamed_from: label/' "$c/campaign.yaml"
ok "check is content" fanfold -C "$c" check
has "a stage that goes on is not to be forgotten" "stage 'label' goes on as 'dft'" \
    "$(fanfold -C "$c" forget label 2>&1)"
cp -r "$c" "$tmp/twice"
cp -r "$c" "$tmp/redone"
ok "run goes on" fanfold -C "$c" run
fresh=$tmp/fresh
loop_campaign "$fresh"
cp "$c/campaign.yaml" "$fresh"
ok "reference: so named from the beginning" fanfold -C "$fresh" run
is "the results are the same" "$(same "$fresh" label)" "$(same "$c" label)"
is "nothing was computed twice" 8,0 "$(starts "$c" label 1),$(starts "$c" dft 1)"
is "the journal says who became who" '{"label":"dft"}' \
    "$(cat "$c"/.fanfold/journal/* | jq -cR 'fromjson? | select(.renamed) | .renamed')"
has "explain tells what happened under the old name" "inputs bound and cut" \
    "$(fanfold -C "$c" explain dft --iteration 1)"
has "... and where its files are" ".fanfold/run/0000" "$(fanfold -C "$c" explain dft --iteration 1)"
is "result finds it" "$(fanfold -C "$fresh" result dft labelled --iteration 1)" \
    "$(fanfold -C "$c" result dft labelled --iteration 1)"
has "by its old name it is told the new one" "stage 'label' is called 'dft' now" \
    "$(fanfold -C "$c" result label labelled --iteration 1 2>&1)"
ok "log, too" fanfold -C "$c" log dft 0 --iteration 1
data=dataset/extxyz/iter/000001/dataset.extxyz
has "explain knows who made training data under the old name" "label, iteration 1: 8 tasks" "$(fanfold -C "$c" explain "$data")"
ok "verify looks at what they were made from" \
    test "$(fanfold -C "$c" verify "$data" | sed 's/ .*//')" -gt 8
chmod u+w "$c/label/toy/iter/000001/job/000003/out/"*
made=$(cd "$c" && find label/toy/iter/000001/job/000003/out -type f ! -name result.json)
cp -a "$c/$made" "$tmp/made"
echo >>"$c/$made"
exits "... and finds what differs" 1 fanfold -C "$c" verify "$data"
has "... there" "$made: differs" "$out"
rm -f "$c/$made"
mv "$tmp/made" "$c/$made"
rm "$c/state.json"
is "the journal alone says the same" done "$(state_of "$c")"
ok "the key may stay" fanfold -C "$c" run

# A stage that is redone adopts what lies below its old name, or was replaced from there.
ok "its first iteration is redone" fanfold -C "$c" redo --iteration 1 --yes
ok "... to the end" fanfold -C "$c" run
is "with the same results" "$(same "$fresh" label)" "$(same "$c" label)"
is "... none of which was computed again" 0 "$(starts "$c" dft 1)"
is "... but adopted" 0-7 \
    "$(cat "$c"/.fanfold/journal/* | jq -rR 'fromjson? | select(.ev == "prepared" and .stage == "dft" and .iteration == 1) | .ok')"

# Without the journal: the file tells the old names.
cp -r "$tmp/twice" "$tmp/lost"
rm -r "$tmp/lost/.fanfold" "$tmp/lost/state.json"
ok "without the journal" fanfold -C "$tmp/lost" run
rm -r "$tmp/lost/label" # what was adopted is not there any more
is "the results are the same" "$(same "$fresh" label)" "$(same "$tmp/lost" label)"
is "... nothing was computed twice" 0,0 "$(starts "$tmp/lost" dft 1),$(starts "$tmp/lost" train 1)"

# A chain of names, the last but one of which nobody ever ran.
sed -i 's/^  dft:$/  again:/; s/renamed_from: label/renamed_from: [dft, label]/; s/all.dft.dataset/all.again.dataset/' \
    "$tmp/twice/campaign.yaml"
ok "a second name" fanfold -C "$tmp/twice" run
sed 's/^  dft:$/  again:/; s/renamed_from: label/renamed_from: [dft, label]/; s/all.dft.dataset/all.again.dataset/' \
    "$c/campaign.yaml" >"$tmp/again.yaml"
cp "$tmp/again.yaml" "$c/campaign.yaml"
ok "a second name where the first was in use" fanfold -C "$c" run
is "both end the same" "$(same "$fresh" label)" "$(same "$tmp/twice" label again)"
is "... as what is only renamed" "$(same "$fresh" label)" "$(same "$c" label again)"

# Redone before a driver took the name on.
ok "redo knows the new name at once" fanfold -C "$tmp/redone" redo dft --iteration 1 --yes
ok "... and goes on" fanfold -C "$tmp/redone" run
is "... to the same results" "$(same "$fresh" label)" "$(same "$tmp/redone" label)"

# What failed under the old name is followed under the new one.
f=$tmp/failed
mkdir "$f"
cat >"$f/campaign.yaml" <<'END'
format: 1
campaign: failed
elements: [Si]
stages:
  old: {uses: t.fail}
stop: {iterations: 1}
operators:
  t.fail:
    outputs: {n: {type: int}}
    command: [sh, -c, "exit 1"]
END
exits "a stage fails" 1 fanfold -C "$f" run
sed -i 's/^  old: {uses/  new: {renamed_from: old, uses/' "$f/campaign.yaml"
exits "... and is renamed" 1 fanfold -C "$f" run
exits "log follows its task" 1 fanfold -C "$f" log new 0 --follow
has "... to its end, by the new name" "task 0 of stage 'new' ended failed after 2 tries" "$out"

# --- while it runs ---

w=$tmp/w
mkdir "$w"
cat >"$w/campaign.yaml" <<'END'
format: 1
campaign: waiting
stages:
  old: {uses: t.wait, with: {n: [1, 2, 3]}}
  last: {uses: t.sum, with: {seeds: old.seed}}
stop: {iterations: 1}
operators:
  t.wait:
    fan_out: [n]
    inputs: {n: {type: int}}
    outputs: {seed: {type: int}, file: {type: file}}
    command: [sh, -c, 'echo >>"$1/ran"; until [ -e "$1/go" ]; do sleep 0.02; done; echo >"$3"; echo "{\"seed\": $2}" >params.json', sh, "{campaign}", "{seed}", "{outputs.file}"]
  t.sum:
    inputs: {seeds: {type: int, list: true}}
    outputs: {seeds: {type: int, list: true}}
    command: [sh, -c, 'echo "{\"seeds\": $1}" >params.json', sh, "[{seeds}]"]
END
sed -i 's/command: .sh, -c, .echo "{\\"seeds.*/command: [sh, -c, '"'"'printf "{\\"seeds\\": [%s]}" "$(echo "$@" | tr " " ,)" >params.json'"'"', sh, "{seeds}"]/' "$w/campaign.yaml"
cp "$w/campaign.yaml" "$tmp/w.yaml"
fanfold -C "$w" advance >"$tmp/out"
fanfold -C "$w" advance >"$tmp/out"
ok "a stage runs" until_ok test -e "$w/ran"
sed -i 's/^  old:/  new:/; s/old.seed/new.seed/' "$w/campaign.yaml"
exits "it may not lose its name" 3 fanfold -C "$w" run
has "... since it runs" "stage 'old' is running and not in campaign.yaml any more" "$(fanfold -C "$w" run 2>&1)"
has "nor be forgotten" "stage 'old' is running; run .fanfold cancel." "$(fanfold -C "$w" forget old 2>&1 | tr '`' .)"
sed -i 's/^  new: {/  new: {renamed_from: old, /' "$w/campaign.yaml"
fanfold -C "$w" advance >"$tmp/out" 2>&1
touch "$w/go"
ok "renamed it runs on to its end" fanfold -C "$w" run
is "no task was started twice" 3 "$(wc -l <"$w/ran")"
mkdir "$tmp/v"
cp "$tmp/w.yaml" "$tmp/v/campaign.yaml"
touch "$tmp/v/go"
ok "reference: not renamed" fanfold -C "$tmp/v" run
is "seeds are by its first name" "$(fanfold -C "$tmp/v" result last seeds)" "$(fanfold -C "$w" result last seeds)"

# --- mistakes ---

sed 's/renamed_from: old/renamed_from: last/' "$w/campaign.yaml" >"$tmp/v/campaign.yaml"
has "a name that is in use" "renamed_from: 'last' is another stage of this file" "$(fanfold -C "$tmp/v" check 2>&1)"
sed 's/uses: t.sum/renamed_from: old, &/' "$w/campaign.yaml" >"$tmp/v/campaign.yaml"
has "two that were one" "are both renamed_from: old" "$(fanfold -C "$tmp/v" check 2>&1)"

# --- forgotten ---

f=$tmp/f
loop_campaign "$f"
sed -i 's/iterations: 6/iterations: 1/; s/^  train:$/  more:\n    uses: toy.label\n    with: {frames: initial.extxyz}\n  train:/
    s/from: all.label.dataset/default: []/; s/uses: toy.train/&\n    with: {datasets: [all.label.dataset, all.more.dataset]}/
    s/previous.select.frames/initial.extxyz/' "$f/campaign.yaml"
ok "two stages publish" fanfold -C "$f" run
both=$(fanfold -C "$f" result train frames)
sed -i '/^  more:$/,/^  train:$/{/^  train:$/!d}; s/, all.more.dataset//; s/iterations: 1/iterations: 2/' "$f/campaign.yaml"
exits "one is taken out" 3 fanfold -C "$f" run
has "check tells how many frames that costs" "labelled frames of stage 'more' would no longer be training data" \
    "$(fanfold -C "$f" check 2>&1)"
has "a stage of the file cannot be forgotten" "stage 'label' is in campaign.yaml" "$(fanfold -C "$f" forget label 2>&1)"
n=$(grep -c Lattice "$f/dataset/extxyz/iter/000000/dataset.extxyz")
fanfold -C "$f" forget more >"$tmp/out"
is "forget shows what it would do" 0 $?
ok "... in numbers" grep -q "more: [1-9][0-9]* results* moves* to .fanfold/replaced" "$tmp/out"
frames=$(($(fanfold -C "$f" result more labelled --iteration 0)))
is "... with its frames, those of the other stage not counted" "$frames labelled frame" \
    "$(grep -o '^[0-9]* labelled frame' "$tmp/out")"
is "... and the command that does it" "to do it: fanfold forget more --yes" "$(tail -n 1 "$tmp/out")"
ok "... and does nothing" test -d "$f/more" -a ! -e "$f/.fanfold/replaced"
ok "it is forgotten" fanfold -C "$f" forget more --yes
ok "... and lies aside" test "$(cat "$f"/.fanfold/replaced/*/stage.json | grep -c '"stage": "more"')" -gt 0 -a ! -e "$f/more/toy/iter/000000"
has "status lists it" "forget more" "$(fanfold -C "$f" status --replaced)"
ok "its frames are no training data any more" \
    test "$(grep -c Lattice "$f/dataset/extxyz/iter/000000/dataset.extxyz")" -lt "$n"
is "... those of the other stage still are" "$(($(fanfold -C "$f" result label labelled --iteration 0)))" \
    "$(grep -c Lattice "$f/dataset/extxyz/iter/000000/dataset.extxyz")"
ok "it goes on" fanfold -C "$f" run
is "nothing was computed again by itself" "$both" "$(fanfold -C "$f" result train frames --iteration 0)"
has "check has no more to say" "no problems" "$(fanfold -C "$f" check 2>&1)"

# --- a stage that failed, given up ---

g=$tmp/g
mkdir "$g"
cat >"$g/campaign.yaml" <<'END'
format: 1
campaign: given_up
stages: {good: {uses: a.good}, bad: {uses: a.bad, retry: {failed: 1}}}
stop: {iterations: 2}
operators:
  a.good: {outputs: {f: {type: file}}, script: 'echo >$outputs_f'}
  a.bad: {script: 'exit 1'}
END
exits "a campaign fails by a stage" 1 fanfold -C "$g" run
sed -i 's/, bad: {uses: a.bad, retry: {failed: 1}}//' "$g/campaign.yaml"
ok "which is taken out and forgotten" fanfold -C "$g" forget --yes bad
ok "... and is its failure no longer" fanfold -C "$g" run
is "... the campaign goes on to its end" "done 2" \
    "$(fanfold -C "$g" status --json | jq -r '"\(.state) \(.iteration + 1)"')"

done_testing
