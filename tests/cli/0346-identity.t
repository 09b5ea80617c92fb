#!/bin/sh
# 0346-identity - results are taken for what made them, and for nothing else
. "$abs_top_srcdir/tests/cli/tap.sh"

# How often tasks were run, by what agents logged.
runs() {
    run_cat "$1" '*' '*' '*/*/results-*' | grep -c '"start"'
}
has_started() {
    run_cat "$@" | grep -q '"start"'
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
    "$(grep -l '"stage": "explore"' "$c"/.fanfold/replaced/*/stage.json | xargs grep -l '"iteration": 0' | wc -l)"
is "... what depends on nothing that changed was not run again" 0 \
    "$(run_cat "$c" label '000000' '*/*/results-*' | grep -c '"start"')"

# A program of the campaign is part of the definition.
c=$tmp/script
rm -r "$c/.fanfold" "$c/state.json"
echo '# another version' >>"$c/train.sh"
ok "a program was edited" fanfold -C "$c" run
ok "its tasks ran again" has_started "$c" train '000000' '000000/000000/results-0.0'
is "... nothing else did" 0 \
    "$(run_cat "$c" explore '000000' '*/*/results-*' | grep -c '"start"')"

# So is a version that is stated, of the user's operators and of built-in ones.
c=$tmp/version
cp -r "$whole" "$c"
rm -r "$c/.fanfold" "$c/state.json"
sed -i '/^  toy.train:/a\    version: 2' "$c/campaign.yaml"
ok "a version was raised" fanfold -C "$c" run
ok "its tasks ran again, too" has_started "$c" train '000000' '000000/000000/results-0.0'
has "explain tells it" "operator: toy.train, version 2" "$(fanfold -C "$c" explain train)"
has "... and of operators that state none the name" "operator: toy.explore
" "$(fanfold -C "$c" explain explore)"
cat >"$tmp/builtin.yaml" <<'END'
format: 1
campaign: c
stop: {iterations: 1}
stages: {note: {uses: command, with: {argv: [/bin/true]}}}
END
mkdir "$tmp/builtin"
cp "$tmp/builtin.yaml" "$tmp/builtin/campaign.yaml"
is "plan tells that of a built-in one" 1 "$(fanfold -C "$tmp/builtin" plan --json | jq '.stages[0].version')"
ok "it runs" fanfold -C "$tmp/builtin" run
has "explain tells it, too" "operator: command, version 1" "$(fanfold -C "$tmp/builtin" explain note)"
sed -i '/^  toy.train:/,/version/s/version: 2/version: 0/' "$c/campaign.yaml"
has "no version is left out, not 0" "version: " "$(fanfold -C "$c" check 2>&1)"

# What it reads besides, where `files` names it.
c=$tmp/files
cp -r "$whole" "$c"
rm -r "$c/.fanfold" "$c/state.json"
mkdir "$c/lib"
echo one >"$c/lib/table"
sed -i '/^  toy.label:/a\    files: [lib]' "$c/campaign.yaml"
ok "an operator names files" fanfold -C "$c" run
ok "... its tasks ran again" has_started "$c" label '*' '000000/000000/results-0.0'
is "... nothing else did" 0 "$(run_cat "$c" explore '*' '*/*/results-*' | grep -c '"start"')"
rm -r "$c/.fanfold" "$c/state.json"
ok "the same once more" fanfold -C "$c" run
is "nothing was run" 0 "$(runs "$c")"
rm -r "$c/.fanfold" "$c/state.json"
echo two >"$c/lib/table"
ok "a file in it was edited" fanfold -C "$c" run
is "... its tasks ran again" "$(jq -s 'map(.tasks) | add' "$c"/label/toy/iter/*/outputs.json)" "$(runs "$c")"
rm -r "$c/lib"
has "files that are not there are told" "files: 'lib' is not there" "$(fanfold -C "$c" check 2>&1)"

# A seed that is not used, names of stages and of the campaign: the same result.
mkdir "$tmp/seed"
cat >"$tmp/seed/campaign.yaml" <<'END'
format: 1
campaign: c
seed: 1
stop: {iterations: 1}
stages:
  plain: {uses: a.plain}
  drawn: {uses: a.drawn}
operators:
  a.plain:
    outputs: {task: {type: file}}
    command: [cp, task.json, "{outputs.task}"]
  a.drawn:
    outputs: {task: {type: file}}
    command: [[cp, task.json, "{outputs.task}"], ["true", "{seed}", "{task}", "{iteration}"]]
END
c=$tmp/seed
ok "two operators, of which one uses the seed" fanfold -C "$c" run
told() { jq -c '[has("seed"), has("task"), has("iteration")]' "$c"/"$1"/a/iter/000000/job/000000/out/task; }
is "the other one is not told it" '[false,false,false]' "$(told plain)"
is "... the one is" '[true,true,true]' "$(told drawn)"
rm -r "$c/.fanfold" "$c/state.json"
sed -i 's/^seed: 1/seed: 2/; s/^campaign: c/campaign: d/' "$c/campaign.yaml"
ok "another seed" fanfold -C "$c" run
is "one of both ran again" 1 "$(runs "$c")"
ok "... that uses it" has_started "$c" drawn '000000' '000000/000000/results-0.0'

# A program in the middle of an argument is one, too.
c=$tmp/middle
mkdir "$c"
cat >"$c/campaign.yaml" <<'END'
format: 1
campaign: middle
stages: {a: {uses: u.a}, b: {uses: u.b, with: {v: a.v}}}
stop: {iterations: 1}
operators:
  u.a:
    outputs: {v: {type: int}}
    command: [sh, -c, 'cd . && sh "{campaign}/say.sh" >{outputs.params}; true']
  u.b:
    inputs: {v: {type: int}}
    outputs: {w: {type: int}}
    command: [sh, -c, 'echo "{{\"w\": {v}}}" >{outputs.params}']
END
cp "$tmp/script/site.yaml" "$c"
echo 'echo "{\"v\": 1}"' >"$c/say.sh"
ok "a program that sh -c names" fanfold -C "$c" run
is "... is in the identity" say.sh "$(jq -r '.parts.files | keys[]' "$c"/a/*/iter/000000/stage.json)"
echo 'echo "{\"v\": 2}"' >"$c/say.sh"
ok "it is edited, and the iteration done again" fanfold -C "$c" redo --iteration 0
ok "... it runs" fanfold -C "$c" run
is "... and its new result counts" 2 "$(fanfold -C "$c" result b w)"

done_testing
