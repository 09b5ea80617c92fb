#!/bin/sh
# 0480-import - inputs of DP-GEN as campaigns: every shape of their keys
. "$abs_top_srcdir/tests/cli/tap.sh"

d=$tmp/dpgen
mkdir -p "$d/init/a" "$d/confs/1" "$d/confs/2" "$d/pp" "$d/bin"
printf 'Si\n1\n5.43 0 0\n0 5.43 0\n0 0 5.43\nSi\n1\nDirect\n0 0 0\n' >"$d/confs/1/POSCAR"
sed 's/5.43/5.6/' "$d/confs/1/POSCAR" >"$d/confs/2/POSCAR"
printf '0\n' >"$d/init/a/type.raw"
printf 'Si\n' >"$d/init/a/type_map.raw"
printf '0 0 0\n' >"$d/init/a/coord.raw"
printf '9 0 0 0 9 0 0 0 9\n' >"$d/init/a/box.raw"
printf -- '-1\n' >"$d/init/a/energy.raw"
printf '0 0 0\n' >"$d/init/a/force.raw"
printf 'upf\n' >"$d/pp/Si.upf"
for name in dp lmp pw.x; do
    printf '#!/bin/sh\n' >"$d/bin/$name"
    chmod +x "$d/bin/$name"
done
PATH=$d/bin:$PATH
export PATH

# What all inputs here begin with: a campaign that is whole.
base='{
 "type_map": ["Si"], "mass_map": [28.085],
 "init_data_prefix": "init", "init_data_sys": ["a"], "init_batch_size": [4],
 "sys_configs_prefix": "confs", "sys_configs": [["1/POSCAR"], ["*/POSCAR"]],
 "sys_batch_size": [4, 4],
 "numb_models": 4,
 "default_training_param": {
  "model": {"type_map": ["Si"], "descriptor": {"type": "se_e2_a", "seed": 1, "rcut": 5}, "fitting_net": {"seed": 1}},
  "learning_rate": {"start_lr": 0.001}, "loss": {},
  "training": {"numb_steps": 1000, "seed": 1, "disp_file": "lcurve.out", "training_data": {"systems": ["x"], "batch_size": 1}}},
 "model_devi_dt": 0.002, "model_devi_skip": 0,
 "model_devi_f_trust_lo": 0.05, "model_devi_f_trust_hi": 0.15,
 "model_devi_clean_traj": true,
 "model_devi_jobs": [
  {"sys_idx": [0], "temps": [50, 100], "press": [1.0], "trj_freq": 10, "nsteps": 1000, "ensemble": "npt", "_idx": "00"},
  {"sys_idx": ["0-2:1"], "Ts": [300], "Ps": [1, 10], "t_freq": 20, "nsteps": 3000, "ens": "npt-t", "_idx": "01"}],
 "fp_style": "pwscf", "fp_task_max": 20, "fp_task_min": 5,
 "fp_pp_path": "pp", "fp_pp_files": ["Si.upf"],
 "user_fp_params": {"control": {"calculation": "scf", "outdir": "./"}, "system": {"ecutwfc": 30}, "kspacing": 0.5},
 "_comment": "that is all"}'
cat >"$d/machine.json" <<'END'
{"api_version": "1.0",
 "train": {"command": "dp", "machine": {"batch_type": "Shell"}, "resources": {"cpu_per_node": 4, "group_size": 1}},
 "model_devi": {"command": "lmp -i input.lammps -v restart 0", "machine": {"batch_type": "Shell"}, "resources": {"cpu_per_node": 2}},
 "fp": {"command": "mpirun -n 2 pw.x < input", "machine": {"batch_type": "Shell"}, "resources": {"cpu_per_node": 2}}}
END

# matches WHAT PATTERN TEXT
matches() {
    if printf '%s' "$3" | tr '\n' ' ' | grep -qE -- "$2"; then
        pass "$1"
    else
        fail "$1" "no '$2' in" "$3"
    fi
}

# import JQ: the base, changed by the jq program, as the campaign $c.
n=0
change() {
    n=$((n + 1))
    c=$tmp/c$n
    printf '%s' "$base" | jq "$1" >"$d/param.json"
}
import() {
    change "$1"
    said=$(fanfold import dpgen "$d/param.json" "$d/machine.json" "$c" 2>&1)
}
import .
ok "a whole input is imported" test -f "$c/campaign.yaml"
ok "... and passes check" fanfold -C "$c" check
matches "... which knows of two jobs and a last training" 'job_01.*last_training' \
    "$(tr '\n' ' ' <"$c/campaign.yaml")"
ok "structures of a pattern, and of a range of systems" \
    grep -qE "(000: .system_000 \\[|- )\"[.][.]/.*/confs/1/POSCAR" "$c/campaign.yaml"
ok "the keys of the lines name their origin" grep -q 'pick: {quota: 20}  # fp_task_max' "$c/campaign.yaml"
is "seeds, systems and types are not the template's" null,null,null,null \
    "$(jq -r '[.training.seed, .training.training_data.systems, .model.type_map, .model.descriptor.seed] | map(tostring) | join(",")' "$c/deepmd/input.json")"
is "one batch size, since all are the same" 4 "$(jq .training.training_data.batch_size "$c/deepmd/input.json")"
import '.init_batch_size = [1, 2] | .sys_batch_size = [8, 8]'
is "... or one of each data set, that of later ones last" "[1,2,8]" \
    "$(jq -c .training.training_data.batch_size "$c/deepmd/input.json")"
import '.init_batch_size = [1, 2] | .sys_batch_size = [8, 4]'
is "... the first where they differ" "[1,2,8]" \
    "$(jq -c .training.training_data.batch_size "$c/deepmd/input.json")"
matches "... which is told" 'sys_batch_size +what an iteration labels is one data set' "$said"
import .
ok "an MD that changes all of the cell" grep -q 'tri ${pressure} ${pressure} 0.5' "$c/lammps/npt-t.in"
ok "masses are those of the input" grep -q '^mass            1 28.085' "$c/lammps/npt.in"
ok "what qe.label sets is left out" sh -c "! grep -q outdir '$c/qe/pw.in'"
matches "every key has its line: translated" 'fp_task_max +pick.quota' "$(cat "$c/import.txt")"
matches "... not given" 'ratio_failed +5 %' "$(cat "$c/import.txt")"
matches "... a comment" '_comment +left out' "$(cat "$c/import.txt")"
is "... none of the input's keys is missing" "" "$(
    jq -r 'keys[]' "$d/param.json" | while read -r key; do
        grep -q "^  $key " "$c/import.txt" || echo "$key"
    done
)"
is "... nor of a job's" "" "$(
    jq -r '.model_devi_jobs | to_entries[] | .key as $i | .value | keys[] | "model_devi_jobs[\($i)].\(.)"' "$d/param.json" | while read -r key; do
        grep -qF "  $key " "$c/import.txt" || echo "$key"
    done
)"
exits "a directory that is not empty stays as it is" 1 fanfold import dpgen "$d/param.json" "$d/machine.json" "$c"
mkdir "$tmp/empty"
ok "an empty one is taken" fanfold import dpgen "$d/param.json" "$d/machine.json" "$tmp/empty"
fanfold import dpgen "$d/param.json" "$d/machine.json" "$tmp/json" --json >"$tmp/import.json"
is "the report as JSON has the same keys" true \
    "$(jq '[.keys[].key] | index("fp_task_max") != null' "$tmp/import.json")"
silent "... and fits its schema" /usr/bin/python3 -B "$abs_top_srcdir/tests/cli/schema.py" \
    json "$abs_top_srcdir/doc/schemas" "$tmp/import.json"

# The same, said in other ways: JQ, and what campaign.yaml then has.
says() { # WHAT JQ PATTERN
    import "$2"
    if fanfold -C "$c" check >"$tmp/check" 2>&1 && grep -qE "$3" "$c/campaign.yaml"; then
        pass "$1"
    else
        fail "$1" "$said" "$(cat "$tmp/check")" "$(cat "$c/campaign.yaml")"
    fi
}
says "levels as lists and maps" '.model_devi_f_trust_lo = [0, 0.1] | .model_devi_f_trust_hi = {"0": 0.2, "1": 0.3}' \
    'force: \{low: \{000: 0, 001: 0.1\}, high: \{000: 0.2, 001: 0.3\}\}'
says "levels of a job" '.model_devi_jobs[0].model_devi_f_trust_hi = 0.4' 'force: \[0.05, 0.4\]'
says "levels of the virial" '.model_devi_v_trust_lo = 0.01 | .model_devi_v_trust_hi = 0.1' 'virial: \[0.01, 0.1\]'
says "adaptive levels" '.model_devi_adapt_trust_lo = true | .model_devi_numb_candi_f = 7 | .model_devi_perc_candi_f = 5' \
    'adaptive: \{force: \{count: 7, fraction: 0.05\}\}'
says "... without a ceiling, of which the 10 highest are taken where nothing is said" \
    '.model_devi_adapt_trust_lo = true | .model_devi_f_trust_hi = 1e10' 'force: \{high: 10000000000\}'
ok "... which the selection is told" grep -q 'adaptive: {force: {count: 10, fraction: 0}}' "$c/campaign.yaml"
says "relative deviations" '.use_relative = true | .epsilon = 1' 'force: 1  # epsilon'
says "boxes that are skipped" '.fp_skip_bad_box = "length_ratio:5;tilt_ratio:1.5"' 'filters: \{length_ratio: 5, tilt_ratio: 1.5\}'
says "a quota that decays" '.fp_accurate_threshold = 0.9999 | .fp_accurate_soft_threshold = 0.95' 'soft: 0.95, hard: 0.9999'
says "frames that are skipped" '.model_devi_skip = 100' 'skip: \{steps: 100, dump_every: 20\}'
says "the ratio of failures" '.ratio_failed = 0.2' 'success: 0.8 '
says "training from the models before" '.training_init_model = true' 'init_model: \{from: previous.train.checkpoint'
says "reuse" '.training_reuse_iter = 1 | .training_reuse_numb_steps = 99 | .training_reuse_start_lr = 1e-4 | .training_reuse_old_ratio = 0.3' \
    'reuse: \{steps: 99, start_lr: 0.0001, old_ratio: 0.3\}'
# phase NAME: what $c has of it, on one line.
phase() {
    sed -n '/^phases:/,/^history:/p' "$c/campaign.yaml" |
        awk -v name="$1" '/- name:/ { on = $3 == name } on' | tr -s '\n ' ' '
}
says "a training that is left out: s_t of the last job" '.model_devi_jobs[1].s_t = true' 'train: \{when: false\}'
is "... is the last training, on the labels of that job" ':job' \
    "$(phase job_01 | grep -o 'when: false'):$(phase last_training | grep -q 'train: {when: false}' && echo job)"
import '.model_devi_jobs[0].skip_train = true | .training_init_model = true'
matches "... of the first job, the second training" 'train: \{when: false\}' "$(phase job_01)"
matches "... and the one after it has none to go on from" 'after job_01 begins its training anew' "$said"
says "compression and another backend" '.dp_compress = true | .train_backend = "pytorch"' 'compress: true'
ok "... which is PyTorch" grep -q 'backend: pt' "$c/campaign.yaml"
printf 'pb\n' >"$d/start.pb"
says "a model to fine-tune" '.numb_models = 2 | .training_reuse_iter = 1 | .training_finetune_model = ["start.pb", "start.pb"]' \
    '[{ ]finetune: \[models/000, models/001\]'
matches "... in the first training" 'finetune' "$(phase job_00)"
is "... and in no other" 1 "$(grep -c finetune "$c/campaign.yaml")"
import '.training_iter0_model_path = ["start"]'
ok "checkpoints that no training begins with are in no input" sh -c "! grep -q init_model '$c/campaign.yaml'"
matches "... which is told" 'training_iter0_model_path +training_init_model is false' "$(cat "$c/import.txt")"
import '.training_iter0_model_path = ["start"] | .training_init_model = true'
matches "... and with training_init_model in that of the first" \
    'init_model:[^}]*from: previous.train.checkpoint,? default: +\["[^]]*/start"\]' "$(tr -s '\n ' ' ' <"$c/campaign.yaml")"
says "what only the first job has" '.model_devi_jobs[0].task_min = 5' 'pick: \{quota: 20, minimum: 5\}'
matches "... the other takes away" 'pick: {quota: 20, minimum: null}' "$(phase job_01)"
is "the first job is that of the stages" "  - name: job_00 iterations: 1" "$(phase job_00 | tr -s '\n ' ' ' | sed 's/^ /  /; s/ $//')"
is "files beside the campaign's directory are named from it" "../dpgen/confs/1/POSCAR ../dpgen/init/a ../dpgen/pp" \
    "$(grep -oE '"[^"]*(/confs/1/POSCAR|/init/a|/pp)"' "$c/campaign.yaml" | sort -u | xargs)"
mkdir "$tmp/elsewhere" && cp -r "$tmp/dpgen" "$c" "$tmp/elsewhere/"
ok "... so both can be moved together" sh -c "mv '$tmp/dpgen' '$tmp/away' &&
    PATH=\$PATH:'$tmp/away/bin' fanfold -C '$tmp/elsewhere/$(basename "$c")' check; rc=\$?; mv '$tmp/away' '$tmp/dpgen'; exit \$rc"
mkdir "$tmp/far"
ok "from further away" fanfold import dpgen "$d/param.json" "$d/machine.json" "$tmp/far/c"
ok "... by their whole path" grep -q "$d/init/a" "$tmp/far/c/campaign.yaml"
cp "$d/param.json" "$d/machine.json" "$tmp/far/"
ok "relative paths of an input are seen from --from" \
    fanfold import dpgen "$tmp/far/param.json" "$tmp/far/machine.json" "$tmp/c-from" --from "$d"
ok "... with the files there" sh -c "fanfold -C '$tmp/c-from' check && grep -q '"[.][.]/dpgen/init/a"' '$tmp/c-from/campaign.yaml'"
is "a system is written out once" "1 1 1" \
    "$(for text in '&system_000' 'confs/1/POSCAR' ': [*]system_000$'; do grep -c "$text" "$c/campaign.yaml"; done | xargs)"
says "candidates without a ceiling" '.model_devi_v_trust_lo = 0.1' 'virial: \[0.1, 10000000000\]'
says "... of the virial, the so many highest" \
    '.model_devi_adapt_trust_lo = true | .model_devi_numb_candi_v = 3' 'virial: \{high: 10000000000\}'
says "a level of a job that is null is that of all" '.model_devi_jobs[0].model_devi_f_trust_lo = null' 'force: \[0.05, 0.15\]'
says "trajectories go once they are used, where nothing is said" 'del(.model_devi_clean_traj)' 'trajectory: until_used'
import '.model_devi_clean_traj = false'
ok "... and stay where that is said" sh -c "! grep -q keep: '$c/campaign.yaml'"
import '.default_training_param.training.training_data.sys_probs = [1] | .default_training_param.training.validation_data = {"batch_size": 1}'
matches "settings of the training that are left out are told" \
    'training.validation_data +left out.*training_data.sys_probs +left out|training_data.sys_probs +left out.*training.validation_data +left out' "$said"
says "systems without a prefix" '.sys_configs = [["confs/1/POSCAR"], "confs/*/POSCAR"] | del(.sys_configs_prefix)' 'confs/1/POSCAR'

import '.fp_taks_max = 3'
matches "an unknown key is told with the nearest known one" "fp_taks_max +did you mean 'fp_task_max'" "$said"
import '.shuffle_poscar = true | .cvasp = true'
matches "what is not supported is told" 'shuffle_poscar +true: explore takes' "$said"
import '.init_data_sys = ["a", "none"] | .fp_pp_files = ["No.upf"]'
matches "files that are missing are listed" "Named, and not there:.*pp/No.upf.*init/none" "$said"

# --- CP2K: user_fp_params is taken before external_input_path ---
cp2k='.fp_style = "cp2k" | .external_input_path = "none.inp" | .user_fp_params = {"FORCE_EVAL": {"DFT": {"MGRID": {"CUTOFF": 777}}, "SUBSYS": {"KIND": {"_": "Si", "POTENTIAL": "GTH-PBE-q4", "BASIS_SET": "DZVP"}}}}'
import "$cp2k"
ok "user_fp_params count where both are given" grep -q 'CUTOFF 777' "$c/cp2k/template.inp"
ok "... and 5 % may fail, as with all styles" grep -q 'success: 0.95 ' "$c/campaign.yaml"

# --- templates ---
mkdir -p "$d/lmp"
printf 'units metal\nvariable N equal V_NSTEPS\nread_data conf.lmp\npair_style deepmd\npair_coeff * *\nfix dpgen_plm\nfix 1 all nvt temp V_TEMP V_TEMP 0.1\ndump dpgen_dump\ntimestep 0.001\nrun ${N}\n' >"$d/lmp/in.lmp"
printf 'PRINT STRIDE=V_STRIDE\n' >"$d/lmp/plm"
template='del(.model_devi_jobs[1]) | .model_devi_jobs[0] = {"sys_idx": [0, 1], "trj_freq": 10, "template": {"lmp": "lmp/in.lmp", "plm": "lmp/plm"},
  "rev_mat": {"lmp": {"V_NSTEPS": [1000, 2000], "V_TEMP": [50, 100]}, "plm": {"V_STRIDE": [10]}}}'
import "$template | .model_devi_plumed = true"
ok "a template with PLUMED passes check" fanfold -C "$c" check
is "each number of steps is a run, temperatures are variables" '1000,2000' \
    "$(grep -oE 'steps: [0-9]+$' "$c/campaign.yaml" | cut -d ' ' -f 2 | paste -sd ,)"
ok "... LAMMPS writes the file of PLUMED" grep -q 'STRIDE=${V_STRIDE}""" file input.plumed' "$c/lammps/template.in"
import "$template"
is "words of PLUMED are none without it" 2 "$(grep -cE 'steps: [0-9]+$' "$c/campaign.yaml")"
ok "... and no variables" sh -c "! grep -rq V_STRIDE '$c/campaign.yaml' '$c/lammps'"
import "$template | .lmp_neigh_modify_one = 5000"
ok "how many neighbours an atom may have, in a template" \
    grep -q '^neigh_modify  *one 5000' "$c/lammps/template.in"
printf 'neigh_modify delay 5 one 7\n' >>"$d/lmp/in.lmp"
import "$template | .lmp_neigh_modify_one = 5000"
ok "... is the template's own" sh -c "! grep -q 'one 5000' '$c/lammps/template.in'"
import "$template | .model_devi_jobs[0].sys_rev_mat = {\"0\": {\"lmp\": {\"V_NAME\": [\"a\", \"b\"]}}, \"1\": {\"lmp\": {\"V_NAME\": [\"c\"]}}}"
ok "words of systems, and words that are no numbers" fanfold -C "$c" check
is "... are runs of their own" 6 "$(grep -cE '^ +- ?(input|systems|for_each|steps):' "$c/campaign.yaml")"
import "$template | .model_devi_jobs[0].template.lmp = \"lmp/none\""
matches "a template that is missing is told" 'run fanfold import again' "$said"

# --- what is refused, naming the key ---
refused() { # WHAT JQ MESSAGE
    import "$2"
    if holds "$said" "$3" && ! test -e "$c"; then
        pass "refused: $1"
    else
        fail "refused: $1" "$said"
    fi
}
holds() {
    case $1 in
    *"$2"*) true ;;
    *) false ;;
    esac
}
refused "a style without an operator" '.fp_style = "gaussian"' "fp_style: 'gaussian' has no operator here"
refused "another engine" '.model_devi_engine = "gromacs"' "model_devi_engine: 'gromacs'"
refused "electron temperatures" '.use_ele_temp = 1' 'use_ele_temp: 1 needs'
refused "open boundaries" '.model_devi_nopbc = true' 'model_devi_nopbc: '
refused "path integrals" '.model_devi_jobs[1].nbeads = 4' 'model_devi_jobs[1].nbeads: '
refused "a system that is not there" '.model_devi_jobs[0].sys_idx = [7]' 'model_devi_jobs[0].sys_idx: there is no system 7; sys_configs has 2'
refused "a system twice" '.model_devi_jobs[0].sys_idx = [0, "0-1"]' 'model_devi_jobs[0].sys_idx: system 0 is there twice'
refused "a range that is none" '.model_devi_jobs[0].sys_idx = ["a-b"]' "'a-b' is no number"
refused "numbers that no system has" '.model_devi_jobs[0].sys_idx = ["9223372036854775807"]' "'9223372036854775807' is no number"
refused "... nor a step" '.model_devi_jobs[0].sys_idx = ["1-2:9223372036854775807"]' "1-2:9223372036854775807' is no number"
refused "no high level of the force" 'del(.model_devi_f_trust_hi)' 'model_devi_f_trust_hi: it is missing'
refused "two ways to begin" '.training_init_model = true | .training_finetune_model = ["m"]' 'training_finetune_model: DP-GEN begins in one way only'
refused "levels that say nothing of a system" '.model_devi_f_trust_lo = [0.1]' 'model_devi_f_trust_lo: nothing is said of system 1'
refused "a job without temperatures" 'del(.model_devi_jobs[0].temps)' 'model_devi_jobs[0].temps: it is missing'
refused "an ensemble" '.model_devi_jobs[0].ensemble = "nph"' "model_devi_jobs[0].ensemble: the ensemble 'nph' is not known"
refused "text for a number" '.fp_task_max = "many"' "fp_task_max: expected a number, found 'many'"
refused "no elements" 'del(.type_map)' 'type_map: it is missing'
refused "no jobs" '.model_devi_jobs = []' 'model_devi_jobs: the list is empty'
refused "too few pseudopotentials" '.fp_pp_files = []' 'fp_pp_files: the number of files is 0, that of elements 1'
refused "masses that are no list of numbers" '.mass_map = ["x"]' "mass_map: expected a number, found 'x'"

# --- texts ---
printf '../../machine/machine.json' >"$d/link.json"
exits "a link that became text" 3 fanfold import dpgen "$d/link.json" "$d/machine.json" "$tmp/no"
printf '{"type_map": [' >"$d/cut.json"
exits "broken JSON" 3 fanfold import dpgen "$d/cut.json" "$d/machine.json" "$tmp/no"
matches "... is told with its place" 'cut.json:1:' "$(fanfold import dpgen "$d/cut.json" "$d/machine.json" "$tmp/no" 2>&1)"
change .
exits "a machine file that is none" 3 fanfold import dpgen "$d/param.json" "$d/param.json" "$tmp/no"
exits "no such file" 3 fanfold import dpgen "$d/none.json" "$d/machine.json" "$tmp/no"
exits "too few arguments" 2 fanfold import dpgen "$d/param.json" "$tmp/no"
ok "nothing was left behind" sh -c "! ls -a '$tmp' | grep -q '^no\|tmp-'"
{ echo ---; printf '%s' "$base"; } >"$d/param.yaml"
ok "YAML" fanfold import dpgen "$d/param.yaml" "$d/machine.json" "$tmp/yaml"
is "... is the same campaign" "$(sed 1d "$tmp/empty/campaign.yaml")" "$(sed 1d "$tmp/yaml/campaign.yaml")"

# --- a run that goes on ---
r=$d/run
mkdir -p "$r/iter.000000/02.fp/data.000" "$r/iter.000000/00.train/000" "$r/iter.000000/00.train/001"
cp "$d/init/a"/* "$r/iter.000000/02.fp/data.000"
for k in 000 001; do
    touch "$r/iter.000000/00.train/$k/model.ckpt.index" "$r/iter.000000/00.train/$k/model.ckpt.meta" \
        "$r/iter.000000/00.train/$k/model.ckpt.data-00000-of-00001" "$r/iter.000000/00.train/graph.$k.pb"
done
goes_on() { # LINE [JQ]: the last of record.dpgen
    printf '0 0\n%s\n' "$1" >"$r/record.dpgen"
    find "$r" | sort >"$tmp/before"
    change ".numb_models = 2 | .training_init_model = true | ${2:-.}"
    said=$(fanfold import dpgen "$d/param.json" "$d/machine.json" "$c" --continue "$r" 2>&1)
    find "$r" | sort >"$tmp/after"
}
goes_on '0 8'
ok "a labelled iteration is data" grep -q 'iter.000000/02.fp/data.000' "$c/campaign.yaml"
is "... the next job comes next" '1:job_01' "$(grep -oE 'job_[0-9]+' "$c/campaign.yaml" | sort -u | paste -sd , | sed 's/^/1:/')"
matches "... from its checkpoints" 'init_model:.*default: +\[?[^}]*iter.000000/00.train/000' "$(tr -s '\n ' ' ' <"$c/campaign.yaml")"
ok "... and passes check" fanfold -C "$c" check
ok "the directory is only read" cmp "$tmp/before" "$tmp/after"
goes_on '0 8' '.model_devi_jobs[0].s_t = true'
matches "the first training may be left out" 'train: \{when: false\}' "$(phase job_01)"
ok "... explored with the models there are" grep -q 'graph.000.pb' "$c/campaign.yaml"
ok "... which passes check" fanfold -C "$c" check
goes_on '0 3'
matches "a trained iteration is not trained again" 'train: \{when: false\}' "$(phase job_00)"
ok "... but explored with its models" grep -q 'graph.000.pb' "$c/campaign.yaml"
ok "... and what lies in its labelling is no data" sh -c "! grep -q 02.fp '$c/campaign.yaml'"
ok "... which passes check" fanfold -C "$c" check
goes_on '0 3' 'del(.training_init_model) | .training_finetune_model = ["start.pb", "start.pb"]'
ok "... and begins with nothing that is for the first" sh -c "! grep -q finetune '$c/campaign.yaml'"
matches "... which is told" 'training_finetune_model +of the first training, which is done' "$(cat "$c/import.txt")"
mkdir -p "$r/iter.000000/02.fp/task.000.000000" "$r/iter.000000/02.fp/task.000.000001" \
    "$r/iter.000000/02.fp/task.000.000002/OUT.ABACUS" "$r/iter.000000/02.fp/task.000.000003"
cp "$abs_top_srcdir/tests/fixtures/vasp/md.OUTCAR" "$r/iter.000000/02.fp/task.000.000000/OUTCAR"
head -c 2000 "$r/iter.000000/02.fp/task.000.000000/OUTCAR" >"$r/iter.000000/02.fp/task.000.000001/OUTCAR"
cp "$abs_top_srcdir/tests/fixtures/abacus/nacl-3.10.out" "$r/iter.000000/02.fp/task.000.000002/OUT.ABACUS/running_scf.log"
printf '\n     Program PWSCF v.6.7MaX starts on 10Oct2022 at 12: 0: 0\n' >"$r/iter.000000/02.fp/task.000.000003/output"
goes_on '0 6'
matches "labels of tasks that have ended are taken over" 'of 4 tasks 2 have labels' "$said"
ok "... as data" grep -q 'data/taken-over.extxyz' "$c/campaign.yaml"
ok "... and what was made of them already is not data twice" sh -c "! grep -q 02.fp/data '$c/campaign.yaml'"
matches "... and of pw.x they are lost, which is told" 'of 1 tasks there is an output of pw.x.*let DP-GEN end' "$said"
ok "... and the directory is only read" cmp "$tmp/before" "$tmp/after"
goes_on '1 8'
is "a run that is done trains once" "- name: last_training" \
    "$(sed -n '/^phases:/,/^history:/p' "$c/campaign.yaml" | grep -o -- '- name: .*')"
matches "... and does nothing else" 'explore: \{when: false\}' "$(phase last_training)"
goes_on 'x'
matches "a record that is no record" "record.dpgen:2: the last line is not 'ITERATION STAGE'" "$said"
goes_on '9 8'
matches "a run of another input" 'model_devi_jobs: there are 2, and the run has done 10' "$said"
rm "$r/record.dpgen"
exits "a directory that is no run" 3 fanfold import dpgen "$d/param.json" "$d/machine.json" "$tmp/no" --continue "$r"

# --- machine files ---
# machine JQ: the machine file, changed, with the base as the campaign $c.
machine() {
    change .
    jq "$1" "$d/machine.json" >"$d/changed.json"
    said=$(fanfold import dpgen "$d/param.json" "$d/changed.json" "$c" 2>&1)
}
machine '.fp.command = "mpirun pw.x < input" | .fp.resources.cpu_per_node = 4'
ok "a launcher that is told no number has the cores of the job" grep -q 'ranks: 4' "$c/campaign.yaml"
matches "... which is told" "'mpirun' is told no number of ranks; the stage has 4" "$said"
ok "... and passes check" fanfold -C "$c" check
machine '.fp.resources.source_list = ["$HOME/env.sh"]'
matches "a word that only a shell replaces is told" 'HOME/env.sh. is not replaced by anything' "$said"
machine '.train = 3'
matches "an error of the machine file names that file" 'changed.json: train: expected a mapping' "$said"
exits "--continue is for DP-GEN only" 2 fanfold import dpgen2 "$d/param.json" "$tmp/no" --continue "$d"

# --- templates that would mean something else ---
refused_template() { # WHAT LINE MESSAGE
    { echo "$2"; cat "$tmp/in.lmp"; } >"$d/lmp/in.lmp"
    refused "$1" "$template" "$3"
}
grep -v '^units\|dpgen_plm' "$d/lmp/in.lmp" >"$tmp/in.lmp"
refused_template "units of a template" 'units real' 'lammps.explore has units metal'
refused_template "atoms of a template" 'atom_style full' 'lammps.explore has atom_style atomic'
refused_template "a plugin after pair_style" 'plugin load libdeepmd_lmp.so' 'LAMMPS_PLUGIN_PATH'
cp "$tmp/in.lmp" "$d/lmp/in.lmp"
refused "PLUMED without its line" "$template | .model_devi_plumed = true" "one line 'fix dpgen_plm', found 0"
{ printf 'variable steps equal V_NSTEPS\nbox tilt large\n'; cat "$tmp/in.lmp"; } >"$d/lmp/in.lmp"
import "$template"
ok "names of lammps.explore in a template are changed" fanfold -C "$c" check
ok "... and the box is Fanfold's" grep -q '^# (Fanfold writes this) box tilt large' "$c/lammps/template.in"

# --- k points of ABACUS ---
printf 'INPUT_PARAMETERS\nkspacing 0.1\n' >"$d/INPUT"
abacus='.fp_style = "abacus" | del(.user_fp_params) | .fp_incar = "INPUT" | .fp_pp_files = ["Si.upf"]'
import "$abacus"
ok "an INPUT with kspacing gets no KPT" sh -c "test -f '$c/abacus/INPUT' && ! test -e '$c/abacus/KPT'"
printf 'INPUT_PARAMETERS\ngamma_only 1\n' >"$d/INPUT"
import "$abacus"
ok "... nor one of the gamma point" sh -c "test -f '$c/abacus/INPUT' && ! test -e '$c/abacus/KPT'"
printf 'INPUT_PARAMETERS\ngamma_only 0\n' >"$d/INPUT"
import "$abacus | .k_points = [3, 2, 1, 0, 0, 1]"
is "... one where that is switched off has its k points" "3 2 1 0 0 1" "$(tail -n 1 "$c/abacus/KPT")"
import "$abacus"
is "... or those of DP-GEN" "1 1 1 0 0 0" "$(tail -n 1 "$c/abacus/KPT")"
# As ABACUS reads them, and abacus.label: these choose, those do not.
for line in 'gamma_only .true.' 'Gamma_Only T' 'KSPACING 0.2'; do
    printf 'INPUT_PARAMETERS\n%s\n' "$line" >"$d/INPUT"
    import "$abacus"
    ok "... $line gets none" sh -c "test -f '$c/abacus/INPUT' && ! test -e '$c/abacus/KPT'"
done
for line in 'gamma_only .false.' 'kspacing 0'; do
    printf 'INPUT_PARAMETERS\n%s\n' "$line" >"$d/INPUT"
    import "$abacus | .k_points = [3, 2, 1, 0, 0, 1]"
    is "... $line gets its k points" "3 2 1 0 0 1" "$(tail -n 1 "$c/abacus/KPT")"
    lacks "... without which abacus.label refuses it" 'k-points' sh -c "fanfold -C '$c' check || true"
done
printf 'INPUT_PARAMETERS\necutwfc 50\n' >"$d/INPUT"
printf 'K_POINTS\n0\nGamma\n2 2 2 0 0 0\n' >"$d/KPT"
import "$abacus | .fp_kpt_file = \"KPT\""
ok "... and the file of k points names its key" grep -q 'abacus/KPT  # fp_kpt_file' "$c/campaign.yaml"
says "another backend is that of train" '.train_backend = "pytorch"' 'backend: pt( |$)'

# --- what has no effect is not called translated ---

# fate WHAT JQ KEY FATE WORDS: of the import's report.
fate() {
    change "$2"
    row=$(fanfold import dpgen "$d/param.json" "$d/machine.json" "$c" --json |
        jq -r --arg key "$3" '.keys[] | select(.key == $key) | "\(.fate): \(.words)"')
    has "$1" "$4" "$row"
    has "... $5" "$5" "$row"
}
fate "sys_batch_size alone" 'del(.init_batch_size)' sys_batch_size unsupported "without init_batch_size"
no_effect="no effect with what the other keys say"
fate "what another key is before" '.fp_style = "vasp" | .fp_incar = "INCAR"' \
    user_fp_params "not needed" "$no_effect"
fate "... a pressure without an npt ensemble" '.model_devi_jobs[0].ensemble = "nvt"' \
    'model_devi_jobs[0].press' "not needed" "$no_effect"
fate "... epsilon without use_relative" '.epsilon = 1' epsilon "not needed" "$no_effect"
fate "... and with it" '.epsilon = 1 | .use_relative = true' epsilon translated relative
fate "... reuse without an iteration" '.training_reuse_start_lr = 1' training_reuse_start_lr "not needed" "$no_effect"
fate "... null, as not given" '.epsilon = null' epsilon "not needed" "null is the same as not given"
fate "... with what holds then" '.sys_format = null' sys_format default "null is not given: the format of a structure"
fate "... of a list that is read elsewhere" '.training_iter0_model_path = null | .training_init_model = true' \
    training_iter0_model_path "not needed" "null is the same as not given"
fate "coord_norm, which DeePMD-kit refuses" '.default_training_param.training.coord_norm = true' \
    default_training_param.training.coord_norm unsupported "DeePMD-kit 2 and 3 refuse it"
is "... is not in the input" false "$(jq '.training | has("coord_norm")' "$c/deepmd/input.json")"
fate "... sedd" '.default_training_param.model.fitting_net.sedd = 1' \
    default_training_param.model.fitting_net.sedd unsupported "seeds are set for each model"
is "... neither" false "$(jq '.model.fitting_net | has("sedd")' "$c/deepmd/input.json")"

# refused WHAT JQ TEXT
refused() {
    import "$2"
    has "$1" "$3" "$said"
    ok "... and nothing is written" test ! -e "$c"
}
refused "a misspelt numb_models" '.num_models = .numb_models | del(.numb_models)' \
    "numb_models: it is missing; is 'num_models' meant to be it?"
refused "an input of simplify" 'del(.model_devi_jobs) | .pick_data = "x"' \
    'pick_data: that is an input of `dpgen simplify`'
refused "... of init_bulk" '{super_cell: [1, 1, 1], elements: ["Si"]}' 'an input of `dpgen init_bulk`'
refused "... of autotest" '{structures: ["confs/*"], relaxation: {}}' 'an input of `dpgen autotest`'

import .
ok "the screen has what is to be done, import.txt the rest" \
    test "$(printf '%s\n' "$said" | wc -l)" -lt "$(wc -l <"$c/import.txt")"
is "... no key that was translated" "" "$(printf '%s\n' "$said" | grep 'fp_task_max')"

jq '.fp.user_forward_files = ["pp/Si.upf"]' "$d/machine.json" >"$d/forward.json"
change .
fanfold import dpgen "$d/param.json" "$d/forward.json" "$c" >/dev/null
ok "user_forward_files of fp are files of the stage label" grep -q 'files: \["../dpgen/pp/Si.upf"\]' "$c/campaign.yaml"
ok "... which check takes" fanfold -C "$c" check

# --- DPGEN2 ---

printf '{"model": {"descriptor": {"type": "se_e2_a"}}, "learning_rate": {}, "loss": {}, "training": {"numb_steps": 9}}' >"$d/train.json"
printf 'ENCUT = 300\n' >"$d/INCAR"
printf 'ENCUT = 300\nKSPACING = 0.3\n' >"$d/INCAR.k"
two='{
 "name": "silicon-2",
 "inputs": {"type_map": ["Si"], "mass_map": [28.085], "init_data_sys": ["init/a"]},
 "train": {"type": "dp", "config": {}, "template_script": "train.json"},
 "explore": {"type": "lmp", "config": {"command": "lmp"},
  "convergence": {"type": "fixed-levels", "conv_accuracy": 0.9, "level_f_lo": 0.05, "level_f_hi": 0.5},
  "max_numb_iter": 5,
  "configurations": [{"type": "file", "files": ["confs/1/POSCAR"]}],
  "stages": [[
   {"type": "lmp-md", "ensemble": "nvt", "nsteps": 50, "temps": [50], "trj_freq": 10, "conf_idx": [0], "n_sample": 1, "relative_f_epsilon": 0.1},
   {"type": "lmp-md", "ensemble": "nvt", "nsteps": 50, "temps": [90], "trj_freq": 10, "conf_idx": [0], "n_sample": 1, "relative_f_epsilon": 0.2}]]},
 "fp": {"type": "vasp", "task_max": 2, "inputs_config": {"pp_files": {"Si": "pp/Si.upf"}, "incar": "INCAR", "kgamma": true}, "run_config": {"command": "vasp"}}}'
# fate2 WHAT JQ KEY FATE WORDS
fate2() {
    n=$((n + 1))
    c=$tmp/c$n
    printf '%s' "$two" | jq "$2" >"$d/input.json"
    row=$(fanfold import dpgen2 "$d/input.json" "$c" --json |
        jq -r --arg key "$3" '.keys[] | select(.key == $key) | "\(.fate): \(.words)"')
    has "$1: $4" "$4: " "$row"
    has "... $5" "$5" "$row"
}
fate2 "name" . name translated campaign
ok "... is the campaign's" grep -q '^campaign: silicon-2  # name' "$c/campaign.yaml"
ok "numb_models that is not given is no origin" grep -qx 'models: 4' "$c/campaign.yaml"
fate2 "a name that is none" '.name = "a b"' name unsupported "cannot be the name of a campaign"
fate2 "relative_f_epsilon of the first group" . 'explore.stages[0][0].relative_f_epsilon' translated relative
fate2 "... of another" . 'explore.stages[0][1].relative_f_epsilon' unsupported "that of explore.stages[0][0]"
fate2 "kgamma alone" . fp.inputs_config.kgamma "not needed" "only with kspacing"
fate2 "... with kspacing" '.fp.inputs_config.kspacing = 0.2' fp.inputs_config.kgamma translated KGAMMA
for gamma in true false; do
    fate2 "... KGAMMA is $gamma" ".fp.inputs_config |= (.kspacing = 0.2 | .kgamma = $gamma)" \
        fp.inputs_config.kspacing translated KSPACING
    is "... in the INCAR" "KSPACING = 0.2 KGAMMA = .$(echo $gamma | tr a-z A-Z)." \
        "$(grep -hE '^K(SPACING|GAMMA)' "$c/vasp/INCAR" | paste -sd' ')"
done
fate2 "... both beside KSPACING" '.fp.inputs_config |= (.kspacing = 0.2 | .incar = "INCAR.k")' \
    fp.inputs_config.kspacing "not needed" "the INCAR has KSPACING"
fate2 "levels of another convergence" '.explore.convergence.numb_candi_f = 3' \
    explore.convergence.numb_candi_f "not needed" "$no_effect"
fate2 "a section of which a key is taken" . explore.config translated lammps
printf '%s' "$two" | jq '.train.config.multitask = true' >"$d/input.json"
has "multitask of train.config is refused" "train.config.multitask: a training of several tasks" \
    "$(fanfold import dpgen2 "$d/input.json" "$tmp/none" 2>&1)"

done_testing
