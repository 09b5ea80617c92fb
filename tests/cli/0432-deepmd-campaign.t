#!/bin/sh
# 0432-deepmd-campaign - a whole campaign of people who use DeePMD-kit: a committee is
# trained, judges its own MD, and is trained further with what was labelled, until it
# agrees.  dp and lmp are stand-ins (tests/cli/dp), labels are made up.
. "$abs_top_srcdir/tests/cli/tap.sh"

bin=$abs_top_srcdir/tests/cli/dp
silicon=$abs_top_srcdir/examples/silicon/data
c=$tmp/campaign
mkdir "$c"
cp "$abs_top_srcdir/tests/cli/loop/label.sh" "$abs_top_srcdir/tests/cli/loop/collect.sh" \
    "$abs_top_srcdir/tests/cli/loop/site.yaml" "$c"
cp "$silicon/initial.extxyz" "$silicon/diamond.data" "$c"
cat >"$c/input.json" <<'END'
{"model": {"type_map": ["Si"],
           "descriptor": {"type": "se_e2_a", "sel": [30], "rcut": 4.5},
           "fitting_net": {"neuron": [16, 16]}},
 "learning_rate": {"type": "exp", "start_lr": 0.001, "stop_lr": 1e-8},
 "loss": {"type": "ener", "start_pref_e": 0.02, "start_pref_f": 1000},
 "training": {"training_data": {"batch_size": "auto"}, "numb_steps": 40,
              "disp_freq": 20, "save_freq": 20}}
END
cat >"$c/md.in" <<'END'
velocity all create ${temperature} ${seed}
fix 1 all nvt temp ${temperature} ${temperature} 0.1
run ${steps}
END
cat >"$c/campaign.yaml" <<END
format: 1
campaign: deepmd
elements: [Si]
seed: 1
models: 4
data: {initial: [initial.extxyz]}
stages:
  label:
    uses: toy.label
    with: {frames: previous.select.frames}
  train:
    uses: deepmd.train
    with:
      input: input.json
      backend: pt
      dp: [$bin/dp]
      init_model: previous.train.checkpoint
      reuse: {steps: 20, start_lr: 1.0e-4, old_ratio: auto}
  explore:
    uses: lammps.explore
    with:
      committee: deepmd
      lammps: [$bin/lmp]
      input: md.in
      systems: diamond.data
      for_each: {temperature: [300, 900]}
      steps: 100
      dump_every: 10
  select:
    uses: model_devi.select
    with: {levels: {force: [0.1, 0.5]}, pick: {quota: 8}}
stop: {when: select.accurate == 1, consecutive: 1, iterations: 8}
history: {frames: max(train.frames), rmse_f: max(train.rmse_f), accurate: select.accurate}
operators:
  toy.label:
    fan_out: [frames]
    inputs: {frames: {type: frames}}
    outputs: {frame: {type: frames}}
    command: [sh, "{campaign}/label.sh", "{frames}", "{outputs.frame}"]
    collect:
      outputs: {dataset: {type: frames, publish: true}, labelled: {type: int}}
      command: [sh, "{campaign}/collect.sh", "{outputs.dataset}", "{outputs.params}"]
END

# model ITERATION: what the first model was made by
model() {
    jq -c '{step, frames, begun}' "$c/train/deepmd/iter/00000$1/job/000000/out/checkpoint/model.ckpt.pt"
}

ok "it passes check" fanfold -C "$c" check
ok "it runs until the committee agrees" fanfold -C "$c" run
is "... which more frames brought about" '[8,16,24,28]' \
    "$(fanfold -C "$c" status --json | jq -c '[.history[].frames]')"
is "... and every frame is accurate" 1 \
    "$(fanfold -C "$c" status --json | jq '.history[-1].accurate')"
is "four models were trained in each iteration" "4 4 4 4" \
    "$(for i in 0 1 2 3; do find "$c/train/deepmd/iter/00000$i/job" -mindepth 1 -maxdepth 1 | wc -l; done | xargs)"
is "the first from nothing" '{"step":40,"frames":8,"begun":"nothing"}' "$(model 0)"
is "... then from what there was, in fewer steps" '{"step":20,"frames":24,"begun":"init-model"}' "$(model 2)"
is "... with the new data weighed" "prob_sys_size; 0:2:0.166667; 2:3:0.833333" \
    "$(jq -r .training.training_data.auto_prob "$c/train/deepmd/iter/000002/job/000000/out/checkpoint/input.json")"

done_testing
