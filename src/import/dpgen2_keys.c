/* SPDX-License-Identifier: BSD-3-Clause */
/* dpgen2_keys.c - keys of DPGEN2's input, and what becomes of each
 *
 * The names are those of the arguments that DPGEN2 0.0.7 documents.
 */
#include "config.h"

#include "import/dpgen2_keys.h"

#define NO_SERVICE "there is no service beside the scheduler"

const struct known_key dpgen2_keys[] = {
    IDLE ("dflow_config", NO_SERVICE),
    IDLE ("dflow_s3_config", NO_SERVICE),
    IDLE ("bohrium_config", "no service is logged in to; nothing of it was "
                            "copied"),
    IDLE ("lebesgue_context_config", NO_SERVICE),
    YES ("default_step_config", "what step_configs do not say themselves"),
    YES ("step_configs", "profiles (site.yaml), step by step"),
    IDLE ("upload_python_packages", "Fanfold is one program"),
    YES ("inputs", "key by key, below"),
    YES ("train", "key by key, below"),
    YES ("explore", "key by key, below"),
    YES ("fp", "key by key, below"),
    YES ("name", "campaign"),
    IDLE ("parallelism", "limits.running of the profiles"),
    KEYS_END,
};

const struct known_key dpgen2_inputs_keys[] = {
    YES ("type_map", "elements"),
    YES ("mass_map", "the mass lines of the LAMMPS input"),
    YES ("init_data_prefix", "data.initial, in front of each path"),
    YES ("init_data_sys", "data.initial"),
    NOT ("init_data_uri", "left out: copy the data and name them in data"),
    IDLE ("mixed_type", "data of any composition are one data set"),
    YES ("do_finetune", "finetune of the stage train in the first iteration"),
    YES ("valid_data_prefix", "data.held_out, in front of each path"),
    YES ("valid_data_sys", "data.held_out, which is validation of the stage "
                           "train"),
    NOT ("valid_data_uri", "left out: copy the data and name them in data"),
    YES ("use_ele_temp", "0 is what there is; 1 and 2 are refused"),
    YES ("multitask", "true is refused"),
    NOT ("head", "of a training of several tasks, which is refused"),
    NOT ("multi_init_data", "of a training of several tasks"),
    NOT ("multi_init_data_uri", "of a training of several tasks"),
    NOT ("multi_valid_data", "of a training of several tasks"),
    NOT ("multi_valid_data_uri", "of a training of several tasks"),
    KEYS_END,
};

const struct known_key dpgen2_train_keys[] = {
    YES ("type", "dp, which is deepmd.train; others are refused"),
    YES_OR ("numb_models", "models", "4"),
    YES ("config", "key by key, below"),
    YES ("template_script", "input of the stage train"),
    YES ("init_models_paths", "what the first training begins with"),
    NOT ("init_models_uri", "left out: copy the models and name them in "
                            "init_model"),
    NOT ("student_model_path", "of dp-dist, which is refused"),
    NOT ("student_model_uri", "of dp-dist, which is refused"),
    NOT ("optional_files", "left out: name them by absolute paths"),
    KEYS_END,
};

const struct known_key dpgen2_train_config_keys[] = {
    YES ("command", "dp of the stage train"),
    YES_OR ("impl", "backend of the stage train", "tf (TensorFlow)"),
    YES ("backend", "backend of the stage train"),
    YES ("init_model_policy",
         "whether each training goes on from the models before"),
    YES ("init_model_old_ratio", "reuse.old_ratio of the stage train"),
    YES ("init_model_numb_steps", "reuse.steps of the stage train"),
    YES ("init_model_stop_batch", "reuse.steps of the stage train"),
    YES ("init_model_start_lr", "reuse.start_lr of the stage train"),
    YES ("init_model_start_pref_e", "reuse.start_pref_e of the stage train"),
    YES ("init_model_start_pref_f", "reuse.start_pref_f of the stage train"),
    YES ("init_model_start_pref_v", "reuse.start_pref_v of the stage train"),
    NOT ("init_model_with_finetune", "left out: models go on by init_model"),
    YES ("finetune_args", "options of the stage train"),
    NOT ("finetune_mode", "left out: finetune of the stage train is plain"),
    NOT ("head", "of a training of several tasks"),
    YES ("multitask", "true is refused"),
    KEYS_END,
};

const struct known_key dpgen2_explore_keys[] = {
    YES ("type", "lmp, which is lammps.explore; others are refused"),
    YES ("config", "command: lammps of the stage explore"),
    YES_OR ("max_numb_iter", "iterations of each phase", "10"),
    YES_OR ("fatal_at_max", "on_maximum of each phase", "on_maximum: stop"),
    IDLE ("output_nopbc", "labelled frames have the cell they were explored "
                          "in"),
    YES ("convergence", "levels and convergence of the stage select"),
    YES ("configurations", "systems of the stage explore, 000, 001, ..."),
    YES ("configuration_prefix", "systems, in front of each path"),
    YES ("stages", "phases, one for each"),
    YES ("filters", "filters of the stage select"),
    KEYS_END,
};

const struct known_key dpgen2_convergence_keys[] = {
    YES ("type", "levels of the stage select, fixed or adaptive"),
    YES ("level_f_lo", "levels.force"),
    YES ("level_f_hi", "levels.force"),
    YES ("level_v_lo", "levels.virial"),
    YES ("level_v_hi", "levels.virial"),
    YES_OR ("conv_accuracy", "convergence.accurate", NULL),
    YES ("numb_candi_f", "levels.adaptive.force.count"),
    YES ("rate_candi_f", "levels.adaptive.force.fraction"),
    YES ("numb_candi_v", "levels.adaptive.virial.count"),
    YES ("rate_candi_v", "levels.adaptive.virial.fraction"),
    YES ("n_checked_steps", "convergence.steps"),
    YES ("conv_tolerance", "convergence.drift"),
    YES ("candi_sel_prob", "pick.how"),
    KEYS_END,
};

const struct known_key dpgen2_configuration_keys[] = {
    YES ("type", "file; alloy is refused"),
    YES ("files", "systems of the stage explore"),
    YES ("prefix", "systems, in front of each path"),
    IDLE ("fmt", "structures are told by what is in the file"),
    YES ("remove_pbc", "true is refused"),
    KEYS_END,
};

const struct known_key dpgen2_group_keys[] = {
    YES ("type", "lmp-md and lmp-template; others are refused"),
    YES ("conf_idx", "systems of the run"),
    YES ("sys_idx", "systems of the run"),
    NOT ("n_sample", "the first frame of each file is explored, in each "
                     "iteration; `fanfold convert` writes frames to files"),
    YES ("temps", "for_each.temperature"),
    YES ("Ts", "for_each.temperature"),
    YES ("press", "for_each.pressure (bar), with the npt ensembles"),
    YES ("Ps", "for_each.pressure (bar), with the npt ensembles"),
    YES ("ens", "the fix of the LAMMPS input"),
    YES ("ensemble", "the fix of the LAMMPS input"),
    YES ("dt", "timestep of the LAMMPS input"),
    YES ("nsteps", "steps"),
    YES ("trj_freq", "dump_every"),
    YES ("t_freq", "dump_every"),
    YES ("traj_freq", "dump_every"),
    YES ("tau_t", "tau of the thermostat"),
    YES ("tau_p", "tau of the barostat"),
    YES ("neidelay", "neigh_modify delay of the LAMMPS input"),
    YES ("pka_e", "refused"),
    YES ("no_pbc", "true is refused"),
    YES ("use_clusters", "true is refused"),
    YES ("relative_f_epsilon", "relative.force of the stage explore"),
    YES ("relative_v_epsilon", "relative.virial of the stage explore"),
    YES ("ele_temp_f", "refused"),
    YES ("ele_temp_a", "refused"),
    YES ("pimd_bead", "refused"),
    NOT ("input_extra_files", "left out: name them by absolute paths"),
    YES ("lmp_template_fname", "input, rewritten"),
    YES ("lmp_template", "input, rewritten"),
    YES ("lmp", "input, rewritten"),
    YES ("plm_template_fname", "a file that the LAMMPS input writes"),
    YES ("plm_template", "a file that the LAMMPS input writes"),
    YES ("plm", "a file that the LAMMPS input writes"),
    YES ("revisions", "for_each"),
    NOT ("extra_pair_style_args", "left out: lammps.explore writes pair_style"),
    KEYS_END,
};

const struct known_key dpgen2_fp_keys[] = {
    YES ("type", "the operator of the stage label"),
    YES_OR ("task_max", "pick.quota of the stage select, of each iteration",
            "10"),
    YES ("inputs_config", "key by key, below"),
    YES ("run_config", "command: the program of the stage label"),
    IDLE ("extra_output_files", "what a task left is kept when it failed"),
    KEYS_END,
};

const struct known_key dpgen2_fp_inputs_keys[] = {
    YES ("incar", "input of the stage label"),
    YES ("pp_files", "pseudopotentials of the stage label"),
    YES ("kspacing", "KSPACING of the INCAR"),
    YES ("kgamma", "KGAMMA of the INCAR"),
    YES ("input_file", "input of the stage label"),
    YES ("inp_file", "input of the stage label"),
    YES ("kpt_file", "kpt of the stage label"),
    YES ("orb_files", "orbitals of the stage label"),
    IDLE ("element_mass", "the masses that elements have"),
    NOT ("deepks_descriptor", "left out: ABACUS labels without DeePKS"),
    NOT ("deepks_model", "left out: ABACUS labels without DeePKS"),
    KEYS_END,
};

const struct known_key dpgen2_step_keys[] = {
    NOT ("template_config",
         "left out: programs are those of the hosts; begin the program of the "
         "stage with a container (lammps: [apptainer, exec, IMAGE, lmp])"),
    YES ("executor", "the profile, key by key below"),
    YES ("continue_on_success_ratio", "success of the stage"),
    NOT ("continue_on_num_success", "left out: success of the stage is a "
                                    "fraction"),
    IDLE ("continue_on_failed", "success of the stage"),
    IDLE ("template_slice_config",
          "Fanfold bundles tasks by the time they take"),
    IDLE ("parallelism", "limits.running of the profile"),
    KEYS_END,
};

const struct known_key dpgen2_executor_keys[] = {
    IDLE ("type", "the scheduler is asked itself"),
    IDLE ("image_pull_policy", NO_SERVICE),
    IDLE ("retry_on_submission_error", "what could not be submitted is "
                                       "submitted again"),
    IDLE ("host", "run Fanfold on that host"),
    IDLE ("username", "not copied"),
    IDLE ("port", "no host is logged in to"),
    IDLE ("private_key_file", "no host is logged in to"),
    IDLE ("remote_root", "tasks work below the campaign"),
    IDLE ("clean", "tasks clean up after them"),
    YES ("machine_dict", "key by key, below"),
    YES ("resources_dict", "key by key, below"),
    KEYS_END,
};
