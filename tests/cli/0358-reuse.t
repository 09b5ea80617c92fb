#!/bin/sh
# 0358-reuse - results of campaigns that a person named, and of no other ones
. "$abs_top_srcdir/tests/cli/tap.sh"

# How many tasks were started, by what agents logged: runs DIR [STAGE [ITERATION]].
runs() {
    run_cat "$1" "${2:-*}" "${3:-*}" '*/*/results-*' | grep -c '"start"'
}
prepared() {
    cat "$1"/.fanfold/journal/* | grep '"ev":"prepared"' | sed 's/,"n":.*$/}/' |
        jq -c "select(.stage == \"$2\" and .iteration == ${3:-0})"
}
takes_from() {
    printf 'reuse_from: [%s]\n' "$2" >>"$1/campaign.yaml"
}

# What was made, wherever.
made() {
    (
        cd "$1" && find dataset -type f | sort | xargs sha256sum &&
            find ./*/*/iter -name outputs.json | sort | xargs jq -c 'del(.reused)'
    ) | sha256sum
}
HOME=$tmp/home
export HOME
mkdir "$HOME"

# --- the same campaign in a second directory ---

a=$tmp/a
loop_campaign "$a"
ok "a campaign runs" fanfold -C "$a" run
ran=$(runs "$a")
b=$tmp/unasked
loop_campaign "$b"
ok "the same one in another directory" fanfold -C "$b" run
is "... takes nothing that nobody named" "$ran" "$(runs "$b")"
silent "... and makes nothing in the home directory" ls -A "$HOME"

# planned DIR STAGE: what plan says of reuse there.
planned() {
    fanfold -C "$1" plan | awk -v stage="$2:" '$1 == stage { on = 1; next } /^[a-z]/ { on = 0 } on && $1 == "reuse"' |
        sed 's/^ *reuse *//'
}
b=$tmp/b
loop_campaign "$b"
silent "where none is named plan tells nothing" planned "$b" train
takes_from "$b" ../a
is "plan tells what will be taken" "3 of 3 tasks, as in stage 'train' of iteration 0 in $a" "$(planned "$b" train)"
is "... and what will be, if" \
    "4 known tasks, of stage 'explore' of iteration 0 in $a, if these inputs come out as there: potentials" "$(planned "$b" explore)"
lacks "... and makes nothing" fanfold ls -A "$b"
out=$(fanfold -C "$b" run 2>&1)
is "one that names it" 0 $?
lacks "... submits nothing" '"ev":"intent"' cat "$b"/.fanfold/journal/*
is "... starts nothing" 0 "$(runs "$b")"
is "... and has the same results" "$(made "$a")" "$(made "$b")"
has "run tells it" "explore    4 ok (4 reused)" "$out"
is "the journal has where they come from" "{\"campaign\":\"$a\",\"stage\":\"explore\",\"iteration\":1,\"tasks\":\"0-3\"}" \
    "$(prepared "$b" explore 1 | jq -c '.reused[0]')"
has "status tells it" "4 ok (4 reused)" "$(fanfold -C "$b" status --iteration 1 2>&1 || fanfold -C "$b" status)"
has "explain of a stage tells where from" "reused: tasks 0-3, from stage 'explore' of iteration 2 in $a" \
    "$(fanfold -C "$b" explain explore)"
has "... of a task, too" "reused: task 2 of stage 'explore' of iteration 2 in $a" "$(fanfold -C "$b" explain explore 2)"
is "... and so does the result" "{\"campaign\":\"$a\",\"stage\":\"explore\",\"iteration\":2,\"task\":2}" \
    "$(jq -c .reused "$b/explore/toy/iter/000002/job/000002/out/result.json")"
is "... which has no try of this campaign" null "$(jq -c .attempt "$b/explore/toy/iter/000002/job/000002/out/result.json")"
silent "no file is another name of one there" find "$b" -path '*/out/*' -type f -links +1
silent "what was taken is not to be changed" find "$b" -path '*/out/*' -type f -perm /222
is "nothing was used" 0 "$(fanfold -C "$b" status --json | jq '[.stages[].used.node_hours // 0] | add')"
ok "it is what is recorded of it" fanfold -C "$b" verify

# Its results come from the first one still, when it goes on from them.
c=$tmp/c
loop_campaign "$c"
takes_from "$c" ../b
ok "a third one takes from the second" fanfold -C "$c" run
is "... all of it" 0 "$(runs "$c")"
is "... as of who made it" "$a" "$(prepared "$c" train | jq -r '.reused[0].campaign')"

# --- whose files they are ---

object=explore/toy/iter/000000/job/000001/out/found.extxyz
before=$(sha256sum <"$a/$object")
chmod u+w "$b/$object"
echo edited >>"$b/$object"
is "an edit in place of the copy changes nothing there" "$before" "$(sha256sum <"$a/$object")"
cp -rp "$a" "$tmp/source"
d=$tmp/d
loop_campaign "$d"
takes_from "$d" "$tmp/source"
ok "one that takes of a copy" fanfold -C "$d" run
is "... all" 0 "$(runs "$d")"
chmod u+w "$tmp/source/$object"
echo edited >>"$tmp/source/$object"
is "an edit in place there changes nothing here" "$before" "$(sha256sum <"$d/$object")"
rm -r "$tmp/source"
ok "where the other one is gone" fanfold -C "$d" verify "$object"
ok "... the campaign runs on" fanfold -C "$d" run

# --- what counts, and what does not ---

again() {
    c=$tmp/$1
    loop_campaign "$c"
    takes_from "$c" ../a
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
is "... the others are taken" 0-2 "$(prepared "$c" explore | jq -r '.reused[0].tasks')"
is "what comes before is taken" 0 "$(runs "$c" train 000000)"
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

again set-up
printf 'format: 1\nprofiles: {here: {scheduler: local, env: {A: b}}}\n' >"$c/site.yaml"
is "plan tells it" "0 of 3 tasks; env differs from stage 'train' of iteration 0 in $a" "$(planned "$c" train)"
ok "jobs are set up otherwise" fanfold -C "$c" --site "$c/site.yaml" run
is "... all tasks run" "$ran" "$(runs "$c")"

# A program imports what only `files:` tells of.
helped() {
    mkdir "$tmp/$1"
    cat >"$tmp/$1/campaign.yaml" <<'END'
format: 1
campaign: helped
stop: {iterations: 1}
stages: {t: {uses: x.t}}
operators:
  x.t:
    outputs: {v: {type: int}}
    files: [helper.py]
    command: [python3, "{campaign}/train.py"]
END
    echo "value = $2" >"$tmp/$1/helper.py"
    cat >"$tmp/$1/train.py" <<'END'
import helper, json
json.dump({"v": helper.value}, open("params.json", "w"))
END
}
helped h1 101
ok "a program with a module" fanfold -C "$tmp/h1" run
helped h2 201
takes_from "$tmp/h2" ../h1
ok "... of which another campaign has another one" fanfold -C "$tmp/h2" run
is "... has its own result" "101 201" "$(fanfold -C "$tmp/h1" result t v) $(fanfold -C "$tmp/h2" result t v)"
helped h3 101
takes_from "$tmp/h3" ../h1
ok "... and one with the same module" fanfold -C "$tmp/h3" run
is "... takes it" "101 0" "$(fanfold -C "$tmp/h3" result t v) $(runs "$tmp/h3")"

# --- what is never taken ---

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
    command: [sh, -c, 'echo "this is $1"; echo "{{\"square\": $1}}" >params.json', sh, "{n}"]
  a.silent:
    command: ["true"]
END
}
small first
ok "tasks that are equal, of parameters alone, without outputs" fanfold -C "$c" run
is "equal ones both ran" 3 "$(runs "$c" twins)"
first=$c
small second
takes_from "$c" "$first"
ok "the same again" fanfold -C "$c" run
is "tasks without outputs ran, and 'command'" "0 0 1 1" \
    "$(runs "$c" twins) $(runs "$c" numbers) $(runs "$c" silent) $(runs "$c" any)"
ok "each of equal tasks has a result of its own" diff -r -x result.json "$first/twins/a/iter/000000/job" "$c/twins/a/iter/000000/job"
is "parameters are the same" '[3,4]' "$(jq -c .outputs.square "$c/numbers/a/iter/000000/outputs.json")"
has "... and explain tells where from" "reused: from stage 'numbers' of iteration 0 in $first" \
    "$(fanfold -C "$c" explain numbers 1)"
is "log shows what it printed there" "this is 4" "$(fanfold -C "$c" log numbers 1 2>"$tmp/err" | tail -n 1)"
has "... and says so" "task 1 of stage 'numbers' was taken from task 1 of stage 'numbers' of iteration 0 in $first, where it printed:" "$(cat "$tmp/err")"
ok "... its path, too" test -f "$(fanfold -C "$c" log numbers 1 --path)"
has "log of a task with files" "task 2 command 1: sh -c 'mktemp" "$(fanfold -C "$c" log twins 2 2>"$tmp/err")"
mv "$first" "$first.moved"
out=$(fanfold -C "$c" log numbers 1 2>&1)
is "... where the other campaign is gone" 0 $?
has "... it says that" "where its log is not any more" "$out"
mv "$first.moved" "$first"
small third
takes_from "$c" "$first"
sed -i 's/n: \[1, 1, 2\]/n: [1, 1, 1]/' "$c/campaign.yaml"
is "plan tells how many" "2 of 3 tasks; parameter n differs from stage 'twins' of iteration 0 in $first" "$(planned "$c" twins)"
is "... nothing of what is never reused" "" "$(planned "$c" silent)$(planned "$c" any)"
ok "a third equal one" fanfold -C "$c" run
is "... runs" 1 "$(runs "$c" twins)"
small edited
cp -rp "$first" "$tmp/numbers"
outputs=$tmp/numbers/numbers/a/iter/000000/outputs.json
chmod u+w "$outputs"
sed -i 's/ 4$/ 5000/' "$outputs"
takes_from "$c" ../numbers
ok "the other one's outputs.json was edited" fanfold -C "$c" run
is "... its tasks run" "2 [3,4]" "$(runs "$c" numbers) $(jq -c .outputs.square "$c/numbers/a/iter/000000/outputs.json")"
is "... and those of what was not do not" 0 "$(runs "$c" twins)"

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

again damaged
cp -rp "$a" "$tmp/broken"
sed -i 's|\.\./a|../broken|' "$c/campaign.yaml"
# As large as it was, and as old.
chmod u+w "$tmp/broken/$object"
touch -r "$tmp/broken/$object" "$tmp/when"
tr '0-8' '1-9' <"$a/$object" >"$tmp/text"
cat "$tmp/text" >"$tmp/broken/$object"
touch -r "$tmp/when" "$tmp/broken/$object"
ok "a result there was edited, and looks as it was" fanfold -C "$c" run
is "... its task runs" 1 "$(runs "$c" explore 000000)"
is "... and makes what it made there" "$before" "$(sha256sum <"$c/$object")"

again gone
cp -rp "$a" "$tmp/going"
sed -i 's|\.\./a|../going|' "$c/campaign.yaml"
sed -i 's/^  toy.train:/  toy.train:\n    reuse: false/' "$c/campaign.yaml"
ok "a stage runs before results are taken" fanfold -C "$c" advance
rm -r "$tmp/going"
ok "the other campaign is removed meanwhile" fanfold -C "$c" run
is "... its tasks run" "3 4" "$(runs "$c" train 000000) $(runs "$c" explore 000000)"
exits "check tells it" 3 fanfold -C "$c" check
has "... by its name" "reuse_from: '$tmp/going' is not there" "$out"

# --- --reuse-from ---

b=$tmp/asked
loop_campaign "$b"
ok "a driver is told what to take from" fanfold -C "$b" advance --reuse-from "$a"
until_ok eval 'fanfold -C "$b" advance >"$tmp/out" 2>&1; grep -q done "$tmp/out"'
is "... and those after it go by it" 0 "$(runs "$b")"
is "it is in the journal once" 1 "$(cat "$b"/.fanfold/journal/* | grep -c '"ev":"reuse_from"')"
b=$tmp/two
loop_campaign "$b"
ok "two of them, one a pattern" fanfold -C "$b" submit --reuse-from "$first" --reuse-from "$tmp/[a]"
is "are both known" "[\"$first\",\"$tmp/[a]\"]" \
    "$(cat "$b"/.fanfold/journal/* | sed -n 's/.*"dirs":\(\[[^}]*\]\).*/\1/p')"
b=$tmp/wrong
loop_campaign "$b"
exits "one that is no campaign" 2 fanfold -C "$b" run --reuse-from "$tmp/wrong/none"
has "... is refused" "--reuse-from: '$tmp/wrong/none' is not there" "$out"
is "... before anything runs" 0 "$(runs "$b")"

# --- what check tells ---

c=$tmp/checked
loop_campaign "$c"
cp "$c/campaign.yaml" "$tmp/plain.yaml"
# wrong NAME WHERE TEXT: what check says where reuse_from is WHERE
wrong() {
    { cat "$tmp/plain.yaml"; echo "reuse_from: [$2]"; } >"$c/campaign.yaml"
    exits "$1" 3 fanfold -C "$c" check
    has "... by name" "$3" "$out"
}
mkdir "$tmp/empty"
ln -s loop "$tmp/loop"
wrong "a directory that is not there" ../none "reuse_from: '$tmp/none' is not there"
wrong "... that is no campaign" ../empty "reuse_from: '$tmp/empty' is no campaign: it has no campaign.yaml"
wrong "... that cannot be read" ../loop "reuse_from: '$tmp/loop' cannot be read"
wrong "the campaign itself" . "reuse_from: '$c' is the campaign itself"
wrong "a pattern that matches none" "'../nowhere*'" "reuse_from: '$tmp/nowhere*' matches no campaign"
wrong "... but what is no campaign" "'../empt*'" "reuse_from: '$tmp/empt*' matches no campaign"
wrong "a variable" "'\$HOME/a'" "nothing is put in for ~ and \$; write the whole path"
cp -rp "$a" "$tmp/older"
for manifest in "$tmp"/older/*/*/iter/*/stage.json; do
    chmod u+w "$manifest"
    sed -i '/"generation"/d' "$manifest"
done
wrong "one of another format" ../older "reuse_from: '$tmp/older' was made by an older program"
exits "run does not begin so" 3 fanfold -C "$c" run
has "... and says why" "was made by an older program" "$out"
wrong "a list of two tells both" "../none, ../empty" "reuse_from: '$tmp/none' is not there"
has "... the other one" "'$tmp/empty' is no campaign" "$out"
{ cat "$tmp/plain.yaml"; echo "reuse_from: ['../[abc]*', ../a]"; } >"$c/campaign.yaml"
ok "a pattern that finds the campaign itself, too" fanfold -C "$c" check

# Of site.yaml, which says where it is relative to.
c=$tmp/by-site
loop_campaign "$c"
mkdir "$tmp/sites"
printf 'format: 1\nprofiles: {here: {scheduler: local}}\nreuse_from: [../a]\n' >"$tmp/sites/site.yaml"
ok "a site names a campaign" fanfold -C "$c" --site "$tmp/sites/site.yaml" run
is "... whose results are taken" 0 "$(runs "$c")"

# What is taken of an earlier preparation here has its log, too.
ok "what comes before is done again" fanfold -C "$a" redo train --iteration 2 --yes
ok "... and the campaign runs" fanfold -C "$a" run
is "... takes what follows" 0 "$(runs "$a" explore 000002)"
has "... whose log is the one of then" " task 1 command 1: " "$(fanfold -C "$a" log explore 1 --iteration 2 2>"$tmp/err")"
has "... which is said" "task 1 of stage 'explore' was taken from an earlier preparation of the stage, where it printed:" \
    "$(cat "$tmp/err")"

done_testing
