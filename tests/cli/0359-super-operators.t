#!/bin/sh
# 0359-super-operators - stages with steps: what runs, what commands take, and names
. "$abs_top_srcdir/tests/cli/tap.sh"

# campaign DIR: a stage with two steps, one of them nested in another operator, and
# a stage that uses what they make.
campaign() {
    mkdir -p "$1/data"
    echo one >"$1/a.in"
    echo two >"$1/b.in"
    echo good >"$1/data/state"
    cat >"$1/campaign.yaml" <<'EOF'
format: 1
campaign: steps
stop: {iterations: 2}
stages:
  train:
    uses: toy.train
    with: {n: 2, init: {from: previous.train.models, default: [a.in, b.in]}}
    steps: {run: {retry: {failed: 1}, steps: {fit: {task: {cores: 1}}}}}
  use:
    uses: toy.use
    with: {models: train.models, count: train.count}
history: {count: train.count, size: max(train.size), on: train.proceed}
operators:
  toy.train:
    inputs:
      n: {type: int}
      init: {type: file, list: true}
      suffix: {type: string, default: use.count}
      note: {type: string, optional: true}
    steps:
      prep: {uses: toy.prep, with: {n: inputs.n}}
      run: {uses: toy.more, with: {words: prep.words, init: inputs.init, suffix: inputs.suffix, note: inputs.note}}
    outputs: {models: run.models, size: run.size, words: prep.words}
  toy.more:
    inputs:
      words: {type: string, list: true}
      init: {type: file, list: true}
      suffix: {type: string}
      note: {type: string, optional: true}
    steps:
      fit: {uses: toy.fit, with: {word: inputs.words, init: inputs.init, suffix: inputs.suffix, note: inputs.note}}
    outputs: {models: fit.model, size: fit.size}
  toy.prep:
    inputs: {n: {type: int}}
    outputs: {words: {type: string, list: true}}
    command: [sh, -c, 'printf "{\"words\": [\"w0\", \"w1\"]}" >"$1"', sh, "{outputs.params}"]
  toy.fit:
    fan_out: [word, init]
    inputs: {word: {type: string}, init: {type: file}, suffix: {type: string}, note: {type: string, optional: true}}
    outputs: {model: {type: file}, size: {type: int}}
    command: [sh, -c, 'echo "fitting $2"; grep -q good "$1/data/state" || exit 1; { cat "$3"; echo "$2 $4"; } >"$5"; printf "{\"size\": %d}" "$(wc -l <"$5")" >"$6"', sh, "{campaign}", "{word}", "{init}", "{suffix}", "{outputs.model}", "{outputs.params}"]
  toy.use:
    inputs: {models: {type: file, list: true}, count: {type: int}}
    outputs: {all: {type: file}}
    command: [sh, -c, 'all=$1; shift; echo "$1" >"$all"; shift; cat "$@" >>"$all"', sh, "{outputs.all}", "{count}", "{models}"]
EOF
}

c=$tmp/c
campaign "$c"
ok "it checks" fanfold -C "$c" check
is "plan has the steps" "train.prep train.run.fit use" \
    "$(fanfold -C "$c" plan --json | jq -r '[.stages[].name] | join(" ")')"
ok "it runs" fanfold -C "$c" run
is "results are below the steps" \
    "train.prep/toy/iter train.run.fit/toy/iter use/toy/iter" \
    "$(cd "$c" && echo train*/*/iter use/*/iter)"
is "... what was bound and defaults, the past and a value like a name" \
    "1 one w0 use.count w0 use.count two w1 use.count w1 use.count" \
    "$(xargs <"$c/use/toy/iter/000001/job/000000/out/all")"
is "the history sees the outputs of the stage" "1 2 true" \
    "$(fanfold -C "$c" status --json | jq -r '.history[0] | "\(.count) \(.size) \(.on)"')"

# --- names ---

is "result of the stage: what its operator declares" "models size words count proceed" \
    "$(fanfold -C "$c" result train | jq -r 'keys_unsorted | join(" ")')"
is "... one of them" "3 3" "$(fanfold -C "$c" result train size | jq -r 'join(" ")')"
is "... of an iteration, by its key" "2 2" \
    "$(fanfold -C "$c" result iter-000000--train size | jq -r 'join(" ")')"
is "result of a step" "model size count proceed" \
    "$(fanfold -C "$c" result train.run.fit | jq -r 'keys_unsorted | join(" ")')"
is "... of a task, by its key" "train.run.fit/toy/iter/000000/job/000001/out/model 2" \
    "$(fanfold -C "$c" result iter-000000--train.run.fit-000001 | jq -r '"\(.model) \(.size)"')"
has "... there is no such output" "there is no output 'modles'; did you mean 'models'?" \
    "$(fanfold -C "$c" result train modles 2>&1)"
is "status of the stage" "train.prep train.run.fit" \
    "$(fanfold -C "$c" status train --json | jq -r '[.stages[].name] | join(" ")')"
is "... of a step that has steps" "train.run.fit" \
    "$(fanfold -C "$c" status train.run --json | jq -r '[.stages[].name] | join(" ")')"
is "keys" "iter-000001--train.prep iter-000001--train.prep-000000 \
iter-000001--train.run.fit iter-000001--train.run.fit-000000 \
iter-000001--train.run.fit-000001" \
    "$(fanfold -C "$c" status --keys train | sed 's/  .*//' | xargs)"
is "... with how they stand" "done ok ok" \
    "$(fanfold -C "$c" status --keys --json iter-000000--train.run | jq -r '[.[].state] | join(" ")')"
failed=0
for key in $(fanfold -C "$c" status --keys | sed 's/  .*//'); do
    fanfold -C "$c" explain "$key" >"$tmp/out" 2>&1 && fanfold -C "$c" log "$key" >"$tmp/out" 2>&1 \
        && fanfold -C "$c" result "$key" >"$tmp/out" 2>&1 || failed=$((failed + 1))
done
is "explain, log and result take every key" 0 $failed
has "explain of the stage" "train (toy.train) has the steps train.prep, train.run.fit" \
    "$(fanfold -C "$c" explain train)"
has "... and of each step" "train.run.fit, iteration 1: done" "$(fanfold -C "$c" explain train)"
has "log of a task by its key" "fitting w1" "$(fanfold -C "$c" log iter-000000--train.run.fit-000001)"
has "a task of a stage with steps" \
    "stage 'train' has steps; name one of them: train.prep, train.run.fit" \
    "$(fanfold -C "$c" explain train 1 2>&1)"
exits "two iterations that differ" 2 fanfold -C "$c" explain iter-000000--train --iteration 1
exits "two tasks that differ" 2 fanfold -C "$c" explain iter-000000--train.prep-000000 1
has "what is no key" "'iter-0-train' is no key" "$(fanfold -C "$c" log iter-0-train 2>&1)"
has "a stage that is not there" "there is no stage 'trian'; did you mean 'train'?" \
    "$(fanfold -C "$c" log trian 2>&1)"
is "plan prints all scripts of a stage" 2 \
    "$(fanfold -C "$c" plan --script train | grep -c '^exec ')"

# --- redo, retry, skip ---

is "what a redo of the stage would do" "train.prep train.run.fit use" \
    "$(fanfold -C "$c" plan --redo train --json | jq -r '[.stages[].stage] | unique | join(" ")')"
ok "redo of the stage" fanfold -C "$c" redo iter-000001--train --yes
echo bad >"$c/data/state"
exits "... its tasks run again, all steps" 1 fanfold -C "$c" run
is "... so the second fails" "done failed waiting" \
    "$(fanfold -C "$c" status --json | jq -r '[.stages[].state] | join(" ")')"
has "log of the stage is that of the step that failed" "fitting w0" "$(fanfold -C "$c" log train 2>&1)"
is "... with --failed of every step" 2 "$(fanfold -C "$c" log train --failed 2>"$tmp/err" | grep -c '^==> task')"
has "retry is of a stage" "retry is for a stage, not for a task; write iter-000001--train.run.fit" \
    "$(fanfold -C "$c" retry iter-000001--train.run.fit-000000 2>&1)"
exits "... of the current iteration" 2 fanfold -C "$c" retry iter-000000--train
has "retry of a step that is done" "stage 'train.prep' has not failed" \
    "$(fanfold -C "$c" retry train.prep 2>&1)"
echo good >"$c/data/state"
has "retry of the stage: of the steps that failed" "train.run.fit: tasks 0-1 get new tries" \
    "$(fanfold -C "$c" retry train 2>&1)"
ok "... goes on" fanfold -C "$c" run
is "... to the same bytes" "1 one w0 use.count w0 use.count two w1 use.count w1 use.count" \
    "$(xargs <"$c/use/toy/iter/000001/job/000000/out/all")"
ok "more iterations" sed -i 's/iterations: 2/iterations: 3/' "$c/campaign.yaml"
echo bad >"$c/data/state"
exits "... of which one fails" 1 fanfold -C "$c" run
ok "skip of the stage: of the steps that are not done" fanfold -C "$c" skip train
ok "... goes on" fanfold -C "$c" run
is "... without them" "done skipped skipped" \
    "$(fanfold -C "$c" status --json | jq -r '[.stages[].state] | join(" ")')"
is "... and their count is not there" null \
    "$(fanfold -C "$c" status --json | jq -r '.history[2].count')"

# --- renamed, forgotten ---

cp "$c/campaign.yaml" "$tmp/before.yaml"
sed -i 's/^  train:$/  fit:\n    renamed_from: train/; s/train\.models/fit.models/g; s/train\.count/fit.count/g
    s/train\.size/fit.size/; s/train\.proceed/fit.proceed/; s/iterations: 3/iterations: 4/' "$c/campaign.yaml"
echo good >"$c/data/state"
ok "a stage with steps is renamed with them" fanfold -C "$c" run
is "... and goes on with what it made" "fit.run.fit/toy/iter/000003/job/000000/out/model" \
    "$(fanfold -C "$c" result fit models | jq -r '.[0]')"
is "... before, too" "train.run.fit/toy/iter/000000/job/000000/out/model" \
    "$(fanfold -C "$c" result iter-000000--fit models | jq -r '.[0]')"
has "the old name" "stage 'train.prep' is called 'fit.prep' now" \
    "$(fanfold -C "$c" explain train.prep 2>&1)"
cat >"$c/campaign.yaml" <<'EOF'
format: 1
campaign: steps
stop: {iterations: 5}
stages:
  use: {uses: command, with: {argv: ["true"]}}
EOF
exits "without the stage its results want a word" 3 fanfold -C "$c" check
has "... of each step" "results of stage 'fit.run.fit' would no longer be used" \
    "$(fanfold -C "$c" check 2>&1)"
has "forget tells what it would do" "fanfold forget fit --yes" "$(fanfold -C "$c" forget fit)"
ok "forget takes all steps" fanfold -C "$c" forget fit --yes
ok "... and the campaign goes on" fanfold -C "$c" run

# --- errors ---

campaign "$tmp/bad"
sed -i 's/train\.models, count/train.run.models, count/' "$tmp/bad/campaign.yaml"
fanfold -C "$tmp/bad" check >"$tmp/out" 2>&1
is "what is not seen from outside" 3 $?
has "... is refused at its line, with what there is" "campaign.yaml:11:20: input 'models' of stage 'use': \
'train.run.models' is for the steps of toy.train alone; of stage 'train' there is train.models, train.size, \
train.words, train.count and train.proceed" "$(cat "$tmp/out")"

# --- conditions of steps ---

w=$tmp/when
campaign "$w"
sed -i -e 's/      prep: {uses: toy.prep,/      prep: {when: iteration == inputs.at, uses: toy.prep,/' \
    -e "s/      suffix: {type: string, default: use.count}/&\n      at: {type: int, default: 0}/" \
    -e 's/{words: prep.words, init: inputs.init, suffix/{words: latest.prep.words, init: inputs.init, suffix/' "$w/campaign.yaml"
ok "a step has a condition" fanfold -C "$w" check
fanfold -C "$w" run >"$tmp/out"
is "... that it runs by" 0 $?
is "... where it holds" "1 ok" "$(sed -n 's/^[^ ]*    train.prep *//p' "$tmp/out" | head -n 1 | cut -d ' ' -f 1,2)"
is "... and not where it does not, with what it made before" "train.prep skipped, train.run.fit done" \
    "$(fanfold -C "$w" status --json | jq -r '[.stages[] | select(.name | startswith("train")) | "\(.name) \(.state)"] | join(", ")')"

done_testing
