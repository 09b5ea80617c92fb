#!/bin/sh
# 0358-reuse - what some campaign has computed no other one computes again
. "$abs_top_srcdir/tests/cli/tap.sh"
FANFOLD_STORE=$tmp/store
export FANFOLD_STORE

# How many tasks were started, by what agents logged: runs DIR [STAGE [ITERATION]].
runs() {
    cat "$1"/.fanfold/run/${2:-*}/${3:-*}/*/*/results-* 2>"$tmp/err" | grep -c '"start"'
}
events() {
    cat "$1"/.fanfold/journal/* | grep "\"ev\":\"$2\""
}
prepared() {
    events "$1" prepared | sed 's/,"n":.*$/}/' |
        jq -c "select(.stage == \"$2\" and .iteration == ${3:-0})"
}

# --- the same campaign in a second directory ---

a=$tmp/a
b=$tmp/b
loop_campaign "$a"
# planned DIR STAGE: what plan says of reuse there.
planned() {
    fanfold -C "$1" plan | awk -v stage="$2:" '$1 == stage { on = 1; next } /^[a-z]/ { on = 0 } on && $1 == "reuse"' |
        sed 's/^ *reuse *//'
}
silent "without a store plan tells nothing" planned "$a" train
ok "a campaign runs" fanfold -C "$a" run
ran=$(runs "$a")
loop_campaign "$b"
is "plan tells what is reused" "3 of 3 tasks, as in stage 'train' of iteration 0 in $a" "$(planned "$b" train)"
is "... and what will be, if" \
    "4 known tasks, of stage 'explore' of iteration 0 in $a, if these inputs come out as there: potentials" "$(planned "$b" explore)"
lacks "... and makes nothing" fanfold ls -A "$b"
out=$(fanfold -C "$b" run 2>&1)
is "the same one in another directory" 0 $?
lacks "... submits nothing" '"ev":"intent"' cat "$b"/.fanfold/journal/*
is "... starts nothing" 0 "$(runs "$b")"
is "... and has the same results" "$(results_digest "$a")" "$(results_digest "$b")"
has "run tells it" "explore    4 ok (4 reused)" "$out"
is "the journal has where they come from" "{\"campaign\":\"$a\",\"stage\":\"explore\",\"iteration\":1,\"tasks\":\"0-3\"}" \
    "$(prepared "$b" explore 1 | jq -c '.reused[0]')"
has "status tells it" "4 ok (4 reused)" "$(fanfold -C "$b" status --iteration 1 2>&1 || fanfold -C "$b" status)"
has "explain of a stage tells where from" "reused: tasks 0-3, from stage 'explore' of iteration 2 in $a" \
    "$(fanfold -C "$b" explain explore)"
has "... of a task, too" "reused: task 2 of stage 'explore' of iteration 2 in $a" "$(fanfold -C "$b" explain explore 2)"
is "... and so does the result" "{\"campaign\":\"$a\",\"stage\":\"explore\",\"iteration\":2,\"task\":2}" \
    "$(jq -c .reused "$b/explore/toy/iter/000002/job/000002/out/result.json")"
is "files are the same inode" "$(stat -c %i "$a/explore/toy/iter/000002/job/000002/out/found.extxyz")" \
    "$(stat -c %i "$b/explore/toy/iter/000002/job/000002/out/found.extxyz")"
is "nothing was used" 0 "$(fanfold -C "$b" status --json | jq '[.stages[].used.node_hours // 0] | add')"
is "what was reused is kept once" "$(ls "$FANFOLD_STORE/records/results" | wc -l)" 11

# Its results come from the first one still, when it goes on from them.
c=$tmp/c
loop_campaign "$c"
ok "a third one" fanfold -C "$c" run
is "... reuses what ran, not what was reused" "$a" "$(prepared "$c" train | jq -r '.reused[0].campaign')"

# --- what counts, and what does not ---

again() {
    c=$tmp/$1
    loop_campaign "$c"
}
again site
cat >"$c/site.yaml" <<'END'
format: 1
profiles: {other: {scheduler: local, node: {cores: 2}}}
END
sed -i 's/^  explore:/  explore:\n    task: {walltime: 7m}\n    retry: {failed: 9}\n    success: 0.5/; s/^campaign: loop/campaign: renamed/' "$c/campaign.yaml"
ok "another profile, walltime, retry rule, quorum and name" fanfold -C "$c" --site "$c/site.yaml" run
is "... run nothing" 0 "$(runs "$c")"

again parameter
sed -i 's/default: \[300, 600, 900, 1200\]/default: [300, 600, 900, 1300]/' "$c/campaign.yaml"
is "plan tells which" "those of 4 known tasks, of stage 'explore' of iteration 0 in $a, that have the same \
parameter temperature, if these inputs come out as there: potentials" "$(planned "$c" explore)"
ok "one parameter is another" fanfold -C "$c" run
is "one task of the stage runs" 1 "$(runs "$c" explore 000000)"
is "... the others are reused" 0-2 "$(prepared "$c" explore | jq -r '.reused[0].tasks')"
is "what comes before is reused" 0 "$(runs "$c" train 000000)"
is "what depends on it runs" 1 "$(runs "$c" select 000000)"

again program
echo '# another version' >>"$c/explore.sh"
is "plan tells which" "no task: file explore.sh differs from stage 'explore' of iteration 0 in $a" "$(planned "$c" explore)"
ok "a program is another" fanfold -C "$c" run
is "its tasks run" 4 "$(runs "$c" explore 000000)"
is "... and no other one, since they made the same" 000 "$(runs "$c" select)$(runs "$c" train)$(runs "$c" label)"

again seed
sed -i 's/^seed: 7/seed: 8/' "$c/campaign.yaml"
is "plan tells it" "0 of 3 tasks; seed differs from stage 'train' of iteration 0 in $a" "$(planned "$c" train)"
ok "the seed is another" fanfold -C "$c" run
is "tasks that use it run" 3 "$(runs "$c" train 000000)"

# --- who is never reused ---

again never
sed -i 's/^  explore:/  explore:\n    reuse: false/; s/^  toy.train:/  toy.train:\n    reuse: false/' "$c/campaign.yaml"
ok "a stage and an operator with reuse: false" fanfold -C "$c" run
is "run" "4 3" "$(runs "$c" explore 000000) $(runs "$c" train 000000)"
is "... and others do not" 0 "$(runs "$c" select)"

small() {
    c=$tmp/$1
    mkdir "$c"
    cat >"$c/campaign.yaml" <<'END'
format: 1
campaign: small
stop: {iterations: 1}
stages:
  twins: {uses: a.draw, with: {n: [1, 1, 2]}}
  numbers: {uses: a.number, with: {n: [3, 4]}}
  silent: {uses: a.silent}
  any: {uses: command, with: {argv: ["true"]}}
operators:
  a.draw:
    fan_out: [n]
    inputs: {n: {type: int}}
    outputs: {token: {type: file}, list: {type: file, list: true, optional: true}, tree: {type: dir}}
    command: [sh, -c, 'mktemp -u >"$1"; mkdir -p "$2/x" out/list; mktemp -u >"$2/x/y"; echo 1 >out/list/a; echo 2 >out/list/b', sh, "{outputs.token}", "{outputs.tree}"]
  a.number:
    fan_out: [n]
    inputs: {n: {type: int}}
    outputs: {square: {type: int}}
    command: [sh, -c, 'echo "{{\"square\": $1}}" >params.json', sh, "{n}"]
  a.silent:
    command: ["true"]
END
}
small first
ok "tasks that are equal, of parameters alone, without outputs" fanfold -C "$c" run
is "equal ones both ran" 3 "$(runs "$c" twins)"
first=$c
small second
ok "the same again" fanfold -C "$c" run
is "tasks without outputs ran, and 'command'" "0 0 1 1" \
    "$(runs "$c" twins) $(runs "$c" numbers) $(runs "$c" silent) $(runs "$c" any)"
ok "each of equal tasks has a result of its own" diff -r -x result.json "$first/twins" "$c/twins"
is "parameters are the same" '[3,4]' "$(jq -c .outputs.square "$c/numbers/a/iter/000000/outputs.json")"
has "... and explain tells where from" "reused: from stage 'numbers' of iteration 0 in $first" \
    "$(fanfold -C "$c" explain numbers 1)"
small third
sed -i 's/n: \[1, 1, 2\]/n: [1, 1, 1]/' "$c/campaign.yaml"
is "plan tells how many" "2 of 3 tasks; parameter n differs from stage 'twins' of iteration 0 in $first" "$(planned "$c" twins)"
is "... nothing of what is never reused" "" "$(planned "$c" silent)$(planned "$c" any)"
ok "a third equal one" fanfold -C "$c" run
is "... runs" 1 "$(runs "$c" twins)"

# Without its journal the logs are gone, and the store has them.
rm -r "$c/.fanfold" "$c/state.json"
ok "a campaign without its journal" fanfold -C "$c" run
is "... adopts what is there, and reuses parameters" "0 0" "$(runs "$c" twins) $(runs "$c" numbers)"

# --- a person who wants it computed ---

again anew
ok "run --no-reuse" fanfold -C "$c" run --no-reuse
is "... runs everything" "$ran" "$(runs "$c")"
again stage
ok "... STAGE" fanfold -C "$c" run --no-reuse explore
is "... that stage" 4 "$(runs "$c" explore 000000)"
is "... and no other" 0 "$(runs "$c" train)"
again key
ok "... KEY" fanfold -C "$c" run --no-reuse iter-000000--explore-000002 iter-000001--train-000000
is "... these tasks" "2" "$(runs "$c")"
exits "a stage that there is not" 2 fanfold -C "$c" run --no-reuse explroe
has "... is told" "did you mean 'explore'" "$out"
exits "arguments without the option" 2 fanfold -C "$c" run explore

again redone
fanfold -C "$c" run >"$tmp/out"
ok "redo" fanfold -C "$c" redo explore --iteration 2 --yes
ok "... runs" fanfold -C "$c" run
is "... what it was asked for" 4 "$(runs "$c" explore 000002)"
ok "reset" fanfold -C "$c" reset --yes
ok "... and run" fanfold -C "$c" run
is "... begins anew" "$ran" "$(runs "$c")"

# --- what goes wrong ---

with_hooks
again stopped
FANFOLD_STOP_AT=reuse.checked fanfold -C "$c" run >"$tmp/out" 2>&1 &
pid=$!
stopped() { grep -q '^State:.*T' "/proc/$pid/status"; }
until stopped; do sleep 0.01; done
kill -KILL $pid
wait $pid 2>"$tmp/err"
ok "a driver is killed before results are in their places" fanfold -C "$c" run
is "... nothing runs" 0 "$(runs "$c")"
silent "... nothing is left of it" find "$c/.fanfold/run" -name 'reuse.*' -o -name 'keep.*'

again damaged
object=$(find "$FANFOLD_STORE/files" -samefile "$a/explore/toy/iter/000000/job/000001/out/found.extxyz")
cp -r "$FANFOLD_STORE" "$tmp/store.damaged"
FANFOLD_STORE=$tmp/store.damaged
damaged=$FANFOLD_STORE${object#"$tmp/store"}
chmod u+w "$damaged"
echo damage >>"$damaged"
out=$(fanfold -C "$c" run 2>&1)
is "a damaged entry of the store" 0 $?
is "... is not used" 1 "$(runs "$c" explore 000000)"
has "... and named" "is damaged" "$out"
is "... once" 1 "$(printf '%s\n' "$out" | grep -c 'the store could not be used')"

again unusable
echo text >"$tmp/file"
FANFOLD_STORE=$tmp/file/store
out=$(fanfold -C "$c" run 2>&1)
is "a store that cannot be used" 0 $?
is "... is told once" 1 "$(printf '%s\n' "$out" | grep -c 'the store could not be used')"
has "... and by status" "the store could not be used" "$(fanfold -C "$c" status)"
is "... all runs" "$ran" "$(runs "$c")"
again step
out=$(fanfold -C "$c" advance 2>&1)
again cron
is "a step of cron tells it, too" 1 "$(fanfold -C "$c" advance --quiet | grep -c 'the store could not be used')"
has "... as any step" "the store could not be used" "$out"
silent "... once" fanfold -C "$c" advance --quiet
FANFOLD_STORE=none
again none
ok "no store" fanfold -C "$c" run
is "... all runs" "$ran" "$(runs "$c")"
is "... and nothing is told" 0 "$(fanfold -C "$c" status | grep -c store)"
unset FANFOLD_STORE HOME XDG_DATA_HOME
again homeless
ok "no home" fanfold -C "$c" run
is "... and nothing is told" 0 "$(fanfold -C "$c" status | grep -c store)"

# A task that goes on from its workspace is run each time, however equal.
FANFOLD_STORE=$tmp/going-on.store
export FANFOLD_STORE
c=$tmp/going-on
mkdir "$c"
cat >"$c/campaign.yaml" <<'EOF'
format: 1
campaign: going-on
stages: {a: {uses: x.a}, g: {uses: x.g, with: {a: a.a}}}
stop: {iterations: 3}
operators:
  x.a: {outputs: {a: {type: int}}, script: 'echo "{\"a\": 1}" >$outputs_params'}
  x.g:
    inputs: {a: {type: int}}
    outputs: {n: {type: int}}
    group:
      workspace: global
      programs: {p: {script: 'n=$(($(cat $workspace/n || echo 0) + 1)); echo $n >$workspace/n; echo "{\"n\": $n}" >$outputs_params'}}
EOF
printf 'format: 1\nprofiles: {here: {scheduler: local, node: {cores: 1}}}\n' >"$c/site.yaml"
counts() {
    for i in 0 1 2; do fanfold -C "$c" result g n --iteration $i; done | paste -sd' '
}
ok "three iterations with a global workspace" fanfold -C "$c" run
is "... count on" "1 2 3" "$(counts)"
ok "the stage before it is made again" fanfold -C "$c" redo a --iteration 2
ok "... and the campaign runs" fanfold -C "$c" run
is "... what was replaced is not taken back" "1 2 4" "$(counts)"
unset FANFOLD_STORE

# What `keep:` removes, the store does not keep.
FANFOLD_STORE=$tmp/short.store
export FANFOLD_STORE
again short
sed -i 's/found: {type: frames}$/found: {type: frames, keep: 1}/' "$c/campaign.yaml"
ok "outputs that are removed" fanfold -C "$c" run
is "... are not in the store, and others are" "label select train" \
    "$(jq -r .stage "$tmp"/short.store/records/results/* | sort -u | paste -sd' ')"
unset FANFOLD_STORE

# Nobody named a store: no campaign takes from another, be it through the store that
# `quick` has in the home directory.
HOME=$tmp/home
export HOME
mkdir -p "$HOME/.local/share"
cp -r "$tmp/store" "$HOME/.local/share/fanfold"
kept=$(ls "$HOME/.local/share/fanfold/records/results")
again unnamed
silent "no store is named: plan forecasts no reuse" planned "$c" train
ok "... the campaign runs" fanfold -C "$c" run
is "... all of it" "$ran" "$(runs "$c")"
is "... and keeps nothing for others" "$kept" "$(ls "$HOME/.local/share/fanfold/records/results")"
rm -r "$HOME/.local"
again unnamed2
ok "... nor where there is none in the home directory" fanfold -C "$c" run
is "... all runs" "$ran" "$(runs "$c")"
silent "... and none is made" ls -A "$HOME"

done_testing
