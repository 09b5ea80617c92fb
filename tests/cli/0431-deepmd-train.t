#!/bin/sh
# 0431-deepmd-train - deepmd.train with a stand-in for dp (tests/cli/dp): what it is
# given and leaves, with each backend; trainings that fail, are killed, and go on
. "$abs_top_srcdir/tests/cli/tap.sh"

dp=$abs_top_srcdir/tests/cli/dp/dp
frames=$abs_top_srcdir/examples/silicon/data/initial.extxyz

# campaign DIR [WITH]: two models of eight frames of silicon.
campaign() {
    mkdir -p "$1"
    cp "$frames" "$1/frames.extxyz"
    cat >"$1/input.json" <<-'EOF'
	{
	  "_comment": "silicon",
	  "model": {"descriptor": {"type": "se_e2_a", "sel": [30], "rcut": 4.5},
	            "fitting_net": {"neuron": [16, 16]}},
	  "learning_rate": {"type": "exp", "decay_steps": 20, "start_lr": 0.001, "stop_lr": 1e-5},
	  "loss": {"type": "ener", "start_pref_e": 0.02, "start_pref_f": 1000},
	  "training": {"training_data": {"batch_size": "auto"}, "numb_steps": 40,
	               "disp_freq": 10, "save_freq": 20, "disp_file": "lcurve.out"}
	}
	EOF
    cat >"$1/site.yaml" <<-'EOF'
	format: 1
	profiles:
	  here: {scheduler: local, node: {cores: 2, memory: 2GiB}, limits: {poll: 0.1s}}
	EOF
    cat >"$1/campaign.yaml" <<-EOF
	format: 1
	campaign: training
	elements: [Si]
	seed: 1
	models: 2
	data: {initial: [frames.extxyz]}
	stages:
	  train:
	    uses: deepmd.train
	    with: {input: input.json, datasets: {from: data.initial}, dp: [$dp], ${2:-backend: pt}}
	stop: {iterations: 1}
	history: {rmse_f: max(train.rmse_f)}
	EOF
}

# out DIR [MODEL]: the outputs of a task of the first iteration
out() {
    echo "$1/train/deepmd/iter/000000/job/00000${2:-0}/out"
}

# --- what it is given, and what it leaves ---

c=$tmp/pt
campaign "$c"
ok "a template without data and seeds is good" fanfold -C "$c" check
ok "two models are trained" fanfold -C "$c" run
is "the potential is the frozen model, alone" graph.pth "$(ls "$(out "$c")/potential")"
is "... and the checkpoint is kept, as no link, with its input" "input.json model.ckpt.pt" \
    "$(find "$(out "$c")/checkpoint" -type f -printf '%f\n' | sort | xargs)"
is "... of the last step, with all frames" '{"step":40,"frames":8,"begun":"nothing"}' \
    "$(jq -c 'del(.seed, .model)' "$(out "$c")/checkpoint/model.ckpt.pt")"
is "each model has seeds of its own" 2 \
    "$(jq .seed "$c"/train/deepmd/iter/*/job/*/out/checkpoint/model.ckpt.pt | sort -u | wc -l)"
is "the errors of the last row are outputs" '[1.05,1.05]' "$(fanfold -C "$c" result train rmse_f | jq -c .)"
is "... so are steps and frames" '[40,40] [8,8]' \
    "$(fanfold -C "$c" result train step | jq -c .) $(fanfold -C "$c" result train frames | jq -c .)"
is "... and the whole row" '{"step":40,"rmse":3.75,"rmse_e":0.0625,"rmse_f":1.05,"lr":0.001}' \
    "$(fanfold -C "$c" result train last_row | jq -c '.[0]')"
is "... of which validation has none" '[null,null]' \
    "$(fanfold -C "$c" result train rmse_f_val | jq -c .)"
is "the curve is kept" 5 "$(grep -vc '^#' "$(out "$c")/lcurve.out")"
is "its last row is the task's report" '{"local":{"step":40,"rmse":3.75,"rmse_e":0.0625,"rmse_f":1.05,"lr":0.001}}' \
    "$(jq -c .run.report "$(out "$c")/result.json")"
has "dp's output is the log" "Saved frozen model to graph.pth" "$(fanfold -C "$c" log train 0)"

# --- what is held out ---

c=$tmp/held_out
campaign "$c"
head -n 20 "$frames" >"$c/held.extxyz"
sed -i 's/\[frames.extxyz\]/&, held_out: [held.extxyz]/; s/from: data.initial}/&, validation: {from: data.held_out}/'     "$c/campaign.yaml"
ok "two models that are validated" fanfold -C "$c" run
is "... are trained on their data alone" '[8,8]' "$(fanfold -C "$c" result train frames | jq -c .)"
is "... have the errors of these" '[1.05,1.05]' "$(fanfold -C "$c" result train rmse_f | jq -c .)"
is "... and those of what is held out" '[4.05,4.05]'     "$(fanfold -C "$c" result train rmse_f_val | jq -c .)"
# a component a line, of every atom, in the order of DeePMD-kit's systems
atoms=$(awk '$1 == "Si"' "$c/held.extxyz" | wc -l)
is "... and the forces there, labelled and predicted" "$((3 * atoms)) 0.25 0.25" \
    "$(awk '!/^#/ { d = $2 - $1; n++; low = n == 1 || d < low ? d : low; high = n == 1 || d > high ? d : high }
        END { printf "%d %.6g %.6g\n", n, low, high }' "$(out "$c")/parity")"
is "... which are those that were held out" "$(awk '$1 == "Si" { s += $5 * $5 + $6 * $6 + $7 * $7 } END { printf "%.5g\n", s }' "$c/held.extxyz")" \
    "$(awk '!/^#/ { s += $1 * $1 } END { printf "%.5g\n", s }' "$(out "$c")/parity")"
ok "... and the report shows them" sh -c 'fanfold -C "$0" report "$0/report.html" && grep -q "id=\"parity-train-t\"" "$0/report.html"' "$c"
c=$tmp/no_test
campaign "$c"
cp "$tmp/held_out/held.extxyz" "$tmp/held_out/campaign.yaml" "$c"
echo test_fails >"$c/dp-faults"
ok "a model that cannot be tested is a model" fanfold -C "$c" run
is "... without an output" '[null,null]' "$(fanfold -C "$c" result train parity | jq -c .)"
has "... and its log says why" "there is no output 'parity': " "$(fanfold -C "$c" log train 0)"

# --- other programs ---

# one campaign for what else there is: a stage each
c=$tmp/others
campaign "$c"
sed -i '/^  train:/,/^    with:/d; s/models: 2/models: 1/; s/train\.rmse_f/tf.rmse_f/' "$c/campaign.yaml"
for more in 'tf: backend: tf' 'jax: backend: jax' 'pd: backend: pd' 'small: backend: pt, compress: true'; do
    sed -i "s|^stages:|&\n  ${more%%: *}:\n    uses: deepmd.train\n    with: {input: input.json, datasets: {from: data.initial}, dp: [$dp], ${more#*: }}|" \
        "$c/campaign.yaml"
done
ok "TensorFlow, JAX, Paddle, and a model that is compressed" fanfold -C "$c" run

# files STAGE
files() {
    (cd "$c/$1/deepmd/iter/000000/job/000000/out" && find potential checkpoint -type f |
        grep -v input.json | sort | xargs)
}

is "the files of TensorFlow" \
    "checkpoint/model.ckpt.data-00000-of-00001 checkpoint/model.ckpt.index checkpoint/model.ckpt.meta potential/graph.pb" \
    "$(files tf)"
is "the files of JAX" "checkpoint/model.ckpt.jax potential/graph.savedmodel/saved_model.pb" "$(files jax)"
is "the files of Paddle" "checkpoint/model.ckpt.pd potential/graph.json potential/graph.pdiparams" "$(files pd)"
is "a compressed model takes the place of the other" true \
    "$(jq .compressed "$c/small/deepmd/iter/000000/job/000000/out/potential/graph.pth")"

# --- a model is trained further ---

c=$tmp/reuse
campaign "$c" "backend: pt, init_model: previous.train.checkpoint, reuse: {steps: 20, start_lr: 1.0e-4}"
sed -i 's/iterations: 1/iterations: 2/' "$c/campaign.yaml"
ok "a model of the iteration before is trained further" fanfold -C "$c" run
is "... from its checkpoint, for the steps of reuse" '{"step":20,"begun":"init-model"}' \
    "$(jq -c '{step, begun}' "$c/train/deepmd/iter/000001/job/000001/out/checkpoint/model.ckpt.pt")"
is "... where the first one was new" '{"step":40,"begun":"nothing"}' \
    "$(jq -c '{step, begun}' "$(out "$c")/checkpoint/model.ckpt.pt")"
mkdir "$c/pretrained"
cp "$(out "$c")/checkpoint/model.ckpt.pt" "$c/pretrained/dpa.pt"
cp -r "$c" "$tmp/finetuned"
rm -rf "$tmp/finetuned/.fanfold" "$tmp/finetuned/train" "$tmp/finetuned/config"
c=$tmp/finetuned
campaign "$c" "backend: pt, finetune: [pretrained/dpa.pt]"
ok "one model for all to begin with" fanfold -C "$c" run
is "... is tuned" finetune "$(jq -r .begun "$(out "$c" 1)/checkpoint/model.ckpt.pt")"
campaign "$c" "backend: pt, finetune: [pretrained], init_model: [pretrained]"
has "two models to begin with are refused" "a training begins with one model" \
    "$(fanfold -C "$c" check 2>&1)"
campaign "$c" "backend: tf, finetune: [pretrained]"
has "... and one that the backend cannot read" \
    "finetune: '$c/pretrained' has no graph.pb, nor another file that ends in .pb" \
    "$(fanfold -C "$c" check 2>&1)"

c=$tmp/holes
campaign "$c" "backend: pt, init_model: previous.train.checkpoint"
sed -i 's/    uses: deepmd.train/&\n    success: 0.5\n    retry: {failed: 1}/' "$c/campaign.yaml"
echo "crash_model 0" >"$c/dp-faults"
ok "one of two models is enough" fanfold -C "$c" run
rm "$c/dp-faults"
sed -i 's/iterations: 1/iterations: 2/' "$c/campaign.yaml"
fanfold -C "$c" run >/dev/null 2>&1
is "... the other begins anew, and the one goes on with what is its own" "nothing init-model" \
    "$(jq -r .begun "$c"/train/deepmd/iter/000001/job/00000[01]/out/checkpoint/model.ckpt.pt | xargs)"

# --- trainings that fail ---

# fails WHAT FAULT MESSAGE [OUTCOME]
fails() {
    c=$tmp/fails
    rm -rf "$c"
    campaign "$c"
    sed -i 's/models: 2/models: 1/; s/input: input.json,/input: input.json, elements: [Si],/' "$c/campaign.yaml"
    sed -i 's/    uses: deepmd.train/&\n    retry: {failed: 1}/' "$c/campaign.yaml"
    echo "$2" >"$c/dp-faults"
    fanfold -C "$c" run >"$tmp/said" 2>&1
    has "$1" "$3" "$(cat "$tmp/said")"
}

fails "errors that are no numbers are no model" nan \
    "fatal: command 'fanfold' exited with status 3; its last line: 'fanfold: deepmd.train run: lcurve.out: since step 10 the error is no number"
fails "a freeze that leaves nothing is told" no_model "left no graph.pth"
fails "a full GPU is another try's matter" out_of_memory \
    'torch.OutOfMemoryError: CUDA out of memory.'
has "... with the place it was in" 'File "/usr/lib/python3/dist-packages/deepmd/train/training.py", line 800' \
    "$(cat "$tmp/said")"
fails "a backend that dp does not have" no_backend "there is no PyTorch for dp (No module named 'torch'); write backend: tf, jax or pd in the stage, or let setup"
fails "an end without a word" crash "its last lines are in the log"
has "... which quotes them" "> [2026-11-21 02:11:19,785] DEEPMD INFO    DeePMD version: 3.1.3" \
    "$(fanfold -C "$c" log train 0)"

# --- killed, it goes on: within the training, and when that had ended ---

c=$tmp/killed
campaign "$c"
sed -i 's/models: 2/models: 1/' "$c/campaign.yaml"
printf 'stop_at 30\nstop_freeze\n' >"$c/dp-faults"
fanfold -C "$c" run >/dev/null 2>&1 &
pid=$!
came_to() { # FILE, or it will not
    [ -e "$c/$1" ] || ! kill -0 $pid 2>/dev/null
}
until_ok came_to stopped
reported() {
    fanfold -C "$c" status --json | jq -c '.stages[0].reports[0].report'
}
ok "while it runs it reports where it is" \
    until_is '{"step":30,"rmse":3.75,"rmse_e":0.0625,"rmse_f":1.07,"lr":0.001}' reported
has "... and its log is there" "Start to train 40 steps." "$(fanfold -C "$c" log train 0)"
pkill -KILL -f "fanfold -C $c agent"
until_ok came_to freezing
pkill -KILL -f "fanfold -C $c agent"
wait $pid
is "a training whose agents were killed ends well" 0 $?
is "... going on from its checkpoint" '{"step":40,"begun":"restart"}' \
    "$(jq -c '{step, begun}' "$(out "$c")/checkpoint/model.ckpt.pt")"
is "... with one curve, in which the cut row is none" "1 10 20 30 40" \
    "$(awk '!/^#/ && NF == 5 {print $1}' "$(out "$c")/lcurve.out" | xargs)"

# dp alone is killed, or its GPU fails: the next try goes on, and is charged.
# broken WHAT FAULT
broken() {
    c=$tmp/broken
    rm -rf "$c"
    campaign "$c"
    sed -i 's/models: 2/models: 1/; s/    uses: deepmd.train/&\n    retry: {failed: 3}/' "$c/campaign.yaml"
    echo "$2" >"$c/dp-faults"
    fanfold -C "$c" run >"$tmp/said" 2>&1
}

for fault in kill_at gpu_at; do
    broken "$fault" "$fault 30"
    is "$fault: a training goes on" 0 $?
    is "... from its checkpoint" '{"step":40,"begun":"restart"}' \
        "$(jq -c '{step, begun}' "$(out "$c")/checkpoint/model.ckpt.pt")"
    has "... with one try more" "task 0: ok, 2 tries" "$(fanfold -C "$c" explain train 0)"
done
broken "always" "kill_always 30"
is "one that is killed where it goes on fails in the end" 1 $?
is "... after it began anew: its checkpoint may be why" "false true false" \
    "$(run_files "$c" train '000000' '00000[012]/*/work/*/000000/task.json' | xargs -r jq .restart | xargs)"

# A fine-tuning: what goes on has the model that was tuned, not the template's, also
# when dp was killed while it wrote that down.
mkdir "$tmp/large"
jq -c '.model.fitting_net.neuron = [32, 32]' "$tmp/pt/train/deepmd/iter/000000/job/000000/out/checkpoint/model.ckpt.pt" \
    >"$tmp/large/model.ckpt.pt"
c=$tmp/tuned
campaign "$c" "backend: pt, finetune: [$tmp/large], options: [--use-pretrain-script]"
sed -i 's/models: 2/models: 1/' "$c/campaign.yaml"
printf 'stop_at 30\nstop_restart\n' >"$c/dp-faults"
fanfold -C "$c" run >"$tmp/said" 2>&1 &
pid=$!
until_ok came_to stopped
pkill -KILL -f "fanfold -C $c agent"
until_ok came_to restarting
pkill -KILL -f "fanfold -C $c agent"
wait $pid
is "a fine-tuning whose agents were killed ends well" 0 $?
is "... going on from its checkpoint, with the model that was tuned" '{"step":40,"begun":"restart"} [32,32]' \
    "$(jq -c '{step, begun}, .model.fitting_net.neuron' "$(out "$c")/checkpoint/model.ckpt.pt" | xargs -d '\n')"
is "... which is in the input that is kept, with the length of the template" "[32,32] 40" \
    "$(jq -c '.model.fitting_net.neuron, .training.numb_steps' "$(out "$c")/checkpoint/input.json" | xargs)"

# What has done all steps would be trained one more.
c=$tmp/restarted
campaign "$c" "backend: pt, restart: previous.train.checkpoint"
sed -i 's/iterations: 1/iterations: 2/; s/models: 2/models: 1/' "$c/campaign.yaml"
has "a restart from the iteration before: check doubts it" \
    "warning: stage 'train': restart: goes on to the numb_steps of the input, which a model that was trained by the same input has done; to train it further write init_model" \
    "$(fanfold -C "$c" check 2>&1)"
exits "... and it is fatal" 1 fanfold -C "$c" run
has "... with what to write" \
    "checkpoint' has done 40 steps, and the input has numb_steps 40: nothing is left to train; write init_model, and reuse: {steps: N}, or a larger numb_steps" \
    "$(fanfold -C "$c" log train 0)"
campaign "$tmp/check" "backend: pt, restart: [$(out "$c" 0 2>/dev/null)/checkpoint]"
has "... as where the model is named" "restart: '$(out "$c")/checkpoint' has done 40 steps" \
    "$(fanfold -C "$tmp/check" check 2>&1)"
sed -i 's/"numb_steps": 40/"numb_steps": 60/' "$tmp/check/input.json"
ok "... and not with more steps" fanfold -C "$tmp/check" check

# --- several ranks ---

c=$tmp/ranks
campaign "$c" "backend: pt"
sed -i 's/models: 2/models: 1/; s/    uses: deepmd.train/&\n    task: {ranks: 2}/' "$c/campaign.yaml"
sed -i 's/scheduler: local/&, launcher: [env, RANKS=2]/' "$c/site.yaml"
exits "PyTorch has no ranks under a launcher" 3 fanfold -C "$c" check
has "... it names both" "stage 'train': backend: under the launcher, 2 ranks of pt would be 2 trainings that write the same files (dp --pt trains ranks under torchrun alone); write task: {ranks: 1}, or backend: tf" \
    "$(fanfold -C "$c" check 2>&1)"
sed -i 's/backend: pt/backend: tf, compress: true/' "$c/campaign.yaml"
ok "with several ranks" fanfold -C "$c" run
is "... they train, and one freezes and compresses" "train: ranks: 2;freeze: ranks: 1;compress: ranks: 1" \
    "$(fanfold -C "$c" log train 0 | sed -n 's/.*INFO *\([a-z]*: ranks: .\)$/\1/p' | paste -sd ';')"

# --- what check says ---

# refuses WHAT SED MESSAGE: of the template
refuses() {
    campaign "$tmp/check" "backend: pt"
    sed -i "$2" "$tmp/check/input.json"
    has "$1" "$3" "$(fanfold -C "$tmp/check" check 2>&1)"
}

refuses "a seed is ours" 's/"neuron"/"seed": 1, &/' \
    "input.json:4: 'model.fitting_net.seed' is filled in by Fanfold for every model; remove it"
refuses "data are ours" 's/"batch_size"/"systems": ["x"], &/' \
    "input.json:7: 'training.training_data.systems' is filled in by Fanfold for every model; write datasets of the stage"
refuses "a type map of other elements" 's/"model": {/&"type_map": ["O", "Si"], /' \
    "input.json:3: 'model.type_map' has 'O' as type 0, where the elements of the campaign have 'Si'"
refuses "no length" 's/"numb_steps": 40,//' "input.json:7: 'training' does not say how long"
refuses "another name of the curve" 's/lcurve.out/curve/' "input.json:8: 'training.disp_file'"
refuses "validation without data" 's/"numb_steps"/"validation_data": {}, &/' \
    "asks for validation, and there are no data for it"
refuses "what is no JSON" 's/"model": {/"model" {/' "input.json:3:"
campaign "$tmp/check" "backend: pt"
sed -i 's/"neuron"/"seed": 1, &/; s/"batch_size"/"systems": ["x"], &/; s/"numb_steps": 40,//; s/lcurve.out/curve/; s/"model": {/&"type_map": ["O", "Si"], /' \
    "$tmp/check/input.json"
is "all that is wrong with an input is told at once" \
    "'model.fitting_net.seed' 'training.training_data.systems' 'training.disp_file' 'training' 'model.type_map'" \
    "$(fanfold -C "$tmp/check" check 2>&1 | sed -n "s/.*input.json:[0-9]*: \('[^']*'\).*/\1/p" | xargs -d '\n')"
campaign "$tmp/check" "backend: torch"
has "no such backend" "backend: 'torch' is none of DeePMD-kit" "$(fanfold -C "$tmp/check" check 2>&1)"
campaign "$tmp/check" "backend: pt, reuse: {steps: 20, old_ratio: auto}"
has "changes of a model that is trained further, and none" \
    "reuse.steps: is of a model that is trained further; give init_model, or remove it" \
    "$(fanfold -C "$tmp/check" check 2>&1)"
has "... each of them" "reuse.old_ratio: is of a model" "$(fanfold -C "$tmp/check" check 2>&1)"
campaign "$tmp/check" "backend: pd, compress: true"
has "nothing to compress" "models of the backend pd cannot be compressed" \
    "$(fanfold -C "$tmp/check" check 2>&1)"
campaign "$tmp/check" "backend: pt, systems: [sets]"
mkdir -p "$tmp/check/sets/a/set.000"
echo 0 0 >"$tmp/check/sets/a/type.raw"
echo Ge >"$tmp/check/sets/a/type_map.raw"
mkdir "$tmp/check/raw"
echo 0 0 >"$tmp/check/raw/type.raw"
echo 0 0 0 0 0 1 >"$tmp/check/raw/coord.raw"
campaign "$tmp/check" "backend: pt, systems: [raw]"
has "data that dp does not read" "raw' has no set.*, and dp reads no other form; run \`fanfold convert IN DIR --for deepmd --elements Si\` with it, and name DIR" \
    "$(fanfold -C "$tmp/check" check 2>&1)"
fanfold convert "$frames" "$tmp/check/plain" --for deepmd --elements Si >/dev/null
plain=$(dirname "$(find "$tmp/check/plain" -name type.raw | head -n 1)")
cp -r "$plain" "$tmp/check/mixed"
cp "$tmp/check/mixed/set.000/energy.npy" "$tmp/check/mixed/set.000/real_atom_types.npy"
campaign "$tmp/check" "backend: pt, systems: [mixed]"
has "systems of the mixed form beside frames" "mixed' is of the mixed form, and datasets are written in the npy form" \
    "$(fanfold -C "$tmp/check" check 2>&1)"
campaign "$tmp/check" "backend: pt, systems: ['$plain', mixed]"
has "... and beside others" "mixed' is of the mixed form, and others are not: dp reads no two forms together" \
    "$(fanfold -C "$tmp/check" check 2>&1)"
: >"$tmp/check/old.pth"
campaign "$tmp/check" "backend: pt, init_model: [old.pth]"
has "a frozen model is no checkpoint" "old.pth' is a frozen model, and not a checkpoint (.pt); name that, or write init_frz" \
    "$(fanfold -C "$tmp/check" check 2>&1)"
campaign "$tmp/check" "backend: pt, init_model: previous.train.potential"
has "... nor is one of another stage" "init_model: --init-model of the backend pt begins with a checkpoint, and potential is none; write checkpoint in its place" \
    "$(fanfold -C "$tmp/check" check 2>&1)"
campaign "$tmp/check" "backend: pt, init_frz: previous.train.checkpoint"
has "... nor the other way round" "init_frz: --init-frz-model of the backend pt begins with a frozen model, and checkpoint is none" \
    "$(fanfold -C "$tmp/check" check 2>&1)"
campaign "$tmp/check" "backend: pt, systems: [sets]"
has "data of other elements" "sets/a: atom 1 is 'Ge', which is none of the elements" \
    "$(fanfold -C "$tmp/check" check 2>&1)"

done_testing
