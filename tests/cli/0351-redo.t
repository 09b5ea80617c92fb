#!/bin/sh
# 0351-redo - stages and iterations done again, and stages that are prepared anew
. "$abs_top_srcdir/tests/cli/tap.sh"

# runs DIR STAGE ITERATION: how many tasks were started there, by what agents logged.
runs() {
    run_cat "$1" "$2" "00000$3" '*/*/results-*' | grep -c '"start"'
}

c=$tmp/c
loop_campaign "$c"
exits "nothing has run" 1 fanfold -C "$c" redo train
ok "a campaign runs to its end" fanfold -C "$c" run
digest=$(results_digest "$c")
last=$(fanfold -C "$c" status --json | jq .iteration)
ok "it has iterations to go back by" test "$last" -ge 2
exits "what is to be done again must be said" 2 fanfold -C "$c" redo
exits "a stage that is not there" 2 fanfold -C "$c" redo trian
exits "an iteration that has not begun" 1 fanfold -C "$c" redo train --iteration 77

fanfold -C "$c" plan --redo train --iteration 1 --json >"$tmp/plan"
is "plan tells what would run again" '[1,"train",3,true]' \
    "$(jq -c '.stages[0] | [.iteration, .stage, .tasks, .again]' "$tmp/plan")"
is "... and what may" 3 "$(jq '[.stages[] | select(.iteration == 1)] | length' "$tmp/plan")"
is "... in later iterations, too" true "$(jq '[.stages[] | select(.iteration > 1)] | length > 0' "$tmp/plan")"
has "... for people" "all run again" "$(fanfold -C "$c" plan --redo train --iteration 1)"
ok "... and does nothing" test ! -e "$c/.fanfold/replaced"
fanfold -C "$c" redo --iteration 0 >"$tmp/out"
is "what drops later iterations is only told" 0 $?
has "... as plan tells it" "$(fanfold -C "$c" plan --redo '' --iteration 0)" "$(cat "$tmp/out")"
is "... with the command that does it" "to do it: fanfold redo --iteration 0 --yes" "$(tail -n 1 "$tmp/out")"
is "... of a stage, too" "to do it: fanfold redo train --iteration 1 --yes" \
    "$(fanfold -C "$c" redo train --iteration 1 | tail -n 1)"
ok "... and nothing is done" test ! -e "$c/.fanfold/replaced"
is "... by which the campaign stays where it is" "$last" "$(fanfold -C "$c" status --json | jq .iteration)"
has "a stage of an earlier iteration" "train: all its tasks run again" \
    "$(fanfold -C "$c" redo train --iteration 1 --yes)"
is "the campaign goes on from there" 1 "$(fanfold -C "$c" status --json | jq .iteration)"
ok "... to its end" fanfold -C "$c" run
is "with the same results" "$digest" "$(results_digest "$c")"
is "the stage was run again" 3 "$(runs "$c" train 1)"
is "... what it depends on was not" 4 "$(runs "$c" explore 0)"
is "... and what depends on it was not, since nothing changed" 0 \
    "$(($(runs "$c" explore 1) + $(runs "$c" train 2) + $(runs "$c" explore 2)))"
ok "what was there lies aside" ls -d "$c"/.fanfold/replaced/*/job/000002

matches "status lists it" "[.]fanfold/replaced/0000[0-9]* .*train, iteration 1" "$(fanfold -C "$c" status --replaced)"
has "... and what it was for" "redo train, back to iteration 1" "$(fanfold -C "$c" status --replaced)"

# Another definition from the beginning: what does not depend on it stays.
sed -i 's/default: \[300, 600, 900, 1200\]/default: [300, 601, 900, 1200]/' "$c/campaign.yaml"
fresh=$tmp/fresh
loop_campaign "$fresh"
cp "$c/campaign.yaml" "$fresh"
ok "reference: the edited campaign" fanfold -C "$fresh" run
ok "back to the beginning" fanfold -C "$c" redo --iteration 0 --yes
ok "... and to the end" fanfold -C "$c" run
is "as if it had been so from the beginning" "$(results_digest "$fresh")" "$(results_digest "$c")"
is "only what changed was run" 0,0,1 "$(runs "$c" label 0),$(runs "$c" train 0),$(runs "$c" explore 0)"
ok "config.json is true" diff "$c/config/iter/000001/config.json" "$fresh/config/iter/000001/config.json"

# --- tasks that have only parameters ---

p=$tmp/p
mkdir "$p"
cat >"$p/campaign.yaml" <<'END'
format: 1
campaign: parameters
stages:
  many: {uses: t.many, with: {n: [1, 2, 3, 4], unit: 10}}
  one: {uses: t.one, with: {values: many.v}}
stop: {iterations: 2}
operators:
  t.many:
    fan_out: [n]
    inputs: {n: {type: int}, unit: {type: int}}
    outputs: {v: {type: int}, w: {type: int, optional: true}}
    command: [sh, -c, 'echo many $1 >>"$2/ran"; echo "{\"v\": $(($1 * $4))}" >"$3"', sh, "{n}", "{campaign}", "{outputs.params}", "{unit}"]
  t.one:
    inputs: {values: {type: int, list: true}}
    outputs: {sum: {type: int}}
    command: [sh, -c, 'echo one >>"$1/ran"; shift; out=$1; shift; s=0; for i; do s=$((s + i)); done; echo "{\"sum\": $s}" >"$out"', sh, "{campaign}", "{outputs.params}", "{values}"]
END
# what_ran: the tasks that were run since this was asked last.
what_ran() {
    LC_ALL=C sort "$p/ran" 2>/dev/null | uniq -c | awk '{ print $2 $3 "x" $1 }' | paste -sd ' '
    rm -f "$p/ran"
}
again() {
    what=$1
    shift
    ok "$what" fanfold -C "$p" redo --yes "$@"
    ok "... and it ends" fanfold -C "$p" run
}
ok "tasks that have only parameters" fanfold -C "$p" run
is "... all ran" "many1x2 many2x2 many3x2 many4x2 onex2" "$(what_ran)"
digest=$(results_digest "$p")
again "an iteration is done again" --iteration 0
silent "nothing was run" what_ran
is "the results are the same" "$digest" "$(results_digest "$p")"
has "explain tells of it" "results were there of 0-3" "$(fanfold -C "$p" explain many)"
again "... and once more, from what was adopted" --iteration 0
silent "nothing was run again" what_ran
again "a stage, by name" many --iteration 1
is "its tasks alone" "many1x1 many2x1 many3x1 many4x1" "$(what_ran)"
is "... with the same results" "$digest" "$(results_digest "$p")"
sed -i 's/n: \[1, 2, 3, 4\]/n: [1, 5, 3]/' "$p/campaign.yaml"
again "another task" --iteration 1
is "it is run, and what depends on it" "many5x1 onex1" "$(what_ran)"
is "... by its value and those that were adopted" "[10,50,30] 90" \
    "$(fanfold -C "$p" result many v | jq -c .) $(fanfold -C "$p" result one sum)"
ok "deleting the checkpoint of the state changes nothing" rm "$p/state.json"
is "... of what was adopted" '{"ok":3}' "$(fanfold -C "$p" status --json | jq -c '.stages[0].tasks')"

again "the beginning" --iteration 0
is "the other iteration had other tasks" "many5x1 onex1" "$(what_ran)"

# What is damaged, there or before, is not adopted.
damage() {
    for outputs; do
        rm "$outputs" && echo "no record" >"$outputs"
    done
}
damage "$p"/.fanfold/replaced/*/outputs.json
again "those of before are damaged" --iteration 1
silent "the newest ones are good" what_ran
damage "$p"/.fanfold/replaced/*/outputs.json "$p"/many/*/iter/000001/outputs.json
again "all are damaged" --iteration 1
is "the tasks run again" "many1x1 many3x1 many5x1" "$(what_ran)"

# --- a failed stage whose definition or inputs changed ---

r=$tmp/r
mkdir "$r"
cat >"$r/campaign.yaml" <<'END'
format: 1
campaign: fixed
stages:
  read: {uses: t.read, retry: {failed: 1}, with: {file: [a, b]}}
stop: {iterations: 1}
operators:
  t.read:
    fan_out: [file]
    inputs: {file: {type: file}}
    outputs: {out: {type: file}}
    command: [sh, -c, 'echo "$1" >>"$2/ran"; grep good "$1" >"$3"', sh, "{file}", "{campaign}", "{outputs.out}"]
END
echo good >"$r/a"
echo bad >"$r/b"
exits "a task fails" 1 fanfold -C "$r" run
echo good too >"$r/b"
has "its input is fixed" "read: prepared again, since its definition or its inputs changed" \
    "$(fanfold -C "$r" retry)"
ok "... and it ends" fanfold -C "$r" run
is "the task that was ok was not run again" "a b b" "$(sed 's|.*/||' "$r/ran" | sort | paste -sd ' ')"
is "... its result is there" good "$(cat "$r/read/t/iter/000000/job/000000/out/out")"

rm -r "$r/.fanfold" "$r/state.json" "$r/read" "$r/ran"
sed -i 's/grep good/grep goof/' "$r/campaign.yaml"
exits "a command is wrong" 1 fanfold -C "$r" run
sed -i 's/grep goof/grep good/' "$r/campaign.yaml"
ok "the command is fixed" fanfold -C "$r" retry
ok "... and the stage ends" fanfold -C "$r" run
is "by the new command" "good too" "$(cat "$r/read/t/iter/000000/job/000001/out/out")"

rm -r "$r/.fanfold" "$r/state.json" "$r/read"
sed -i 's/grep good/test -e go \&\& grep good/; s/"$1" >"$3"/"$1" >"$3"/' "$r/campaign.yaml"
exits "nothing changed" 1 fanfold -C "$r" run
n=$(run_files "$r" read 000000 '0*' | wc -l)
fanfold -C "$r" retry >"$tmp/out" 2>&1
ok "a plain retry goes on where it was" test "$(run_files "$r" read 000000 '0*' | wc -l)" -ge "$n"
ok "... and replaces nothing" test ! -e "$r/.fanfold/replaced"

# --- not while it runs ---

w=$tmp/w
mkdir "$w"
cat >"$w/campaign.yaml" <<'END'
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
fanfold -C "$w" advance >"$tmp/out"
fanfold -C "$w" advance >"$tmp/out"
fanfold -C "$w" redo wait >"$tmp/out" 2>"$tmp/err"
is "a stage that runs" 1 $?
ok "... is to be cancelled first" grep -q "stage 'wait' is running; run .fanfold cancel." "$tmp/err"
touch "$w/go"
ok "it was not disturbed" fanfold -C "$w" run

# --- results that somebody took away ---

l=$tmp/l
loop_campaign "$l"
sed -i 's/iterations: 6/iterations: 1/' "$l/campaign.yaml"
ok "an iteration" fanfold -C "$l" run
sed -i 's/iterations: 1/iterations: 2/; s/^  explore:$/  search:\n    renamed_from: explore/; s/explore.found/search.found/' "$l/campaign.yaml"
ok "and another one" fanfold -C "$l" run
rm "$l/label/toy/iter/000001/out/dataset.extxyz"
sed -i 's/iterations: 2/iterations: 3/' "$l/campaign.yaml"
fanfold -C "$l" run >"$tmp/out" 2>"$tmp/err"
is "data that were published are gone: it fails" 1 $?
ok "... and says what makes them again" \
    grep -q "no such file 'label/toy/iter/000001/out/dataset.extxyz'; .fanfold redo label --iteration 1. makes it again$" "$tmp/err"
ok "... in status, too, and nothing else" \
    sh -c "fanfold -C '$l' status | tail -n 1 | grep 'fanfold redo label --iteration 1. makes it again$'"
ok "it is done" fanfold -C "$l" redo label --iteration 1 --yes
ok "... and goes on" fanfold -C "$l" run
is "... to its end" done "$(state_of "$l")"
rm "$l/explore/toy/iter/000000/outputs.json"
ok "a stage of the first iteration again" fanfold -C "$l" redo select --iteration 0 --yes
has "the outputs of one that has another name now are gone" "fanfold redo search --iteration 0. makes it again" \
    "$(fanfold -C "$l" run 2>&1 | tr '`' .)"

done_testing
