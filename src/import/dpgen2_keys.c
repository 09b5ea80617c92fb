/* SPDX-License-Identifier: BSD-3-Clause */
/* dpgen2_keys.c - keys of DPGEN2's input, and what becomes of each
 *
 * The names are those of the arguments that DPGEN2 0.0.7 documents.
 */
#include "base/base.h"

#include "import/dpgen2_keys.h"

#define NO_SERVICE "there is no service beside the scheduler"

const struct setting dpgen2_keys[] = {
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

const struct setting dpgen2_inputs_keys[] = {
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
    ONLY ("use_ele_temp", "0", "0 is what there is; 1 and 2 are refused",
          "needs fparam or aparam, which is not supported"),
    ONLY ("multitask", "false", "true is refused",
          "a training of several tasks needs an operator of your own"),
    NOT ("head", "of a training of several tasks, which is refused"),
    NOT ("multi_init_data", "of a training of several tasks"),
    NOT ("multi_init_data_uri", "of a training of several tasks"),
    NOT ("multi_valid_data", "of a training of several tasks"),
    NOT ("multi_valid_data_uri", "of a training of several tasks"),
    KEYS_END,
};

const struct setting dpgen2_train_keys[] = {
    ONLY ("type", "dp", "dp, which is deepmd.train; others are refused",
          "has no operator here, only dp has; train with an operator of your "
          "own (`command:` in fanfold-declare(5))"),
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

const struct setting dpgen2_train_config_keys[] = {
    YES ("command", "dp of the stage train"),
    YES_OR ("impl backend", "backend of the stage train", "tf (TensorFlow)"),
    YES ("init_model_policy",
         "whether each training goes on from the models before"),
    STORED ("init_model_numb_steps init_model_stop_batch", COPY, "reuse.steps",
            "reuse.steps of the stage train"),
    STORED ("init_model_start_lr", COPY, "reuse.start_lr",
            "reuse.start_lr of the stage train"),
    STORED ("init_model_start_pref_e", COPY, "reuse.start_pref_e",
            "reuse.start_pref_e of the stage train"),
    STORED ("init_model_start_pref_f", COPY, "reuse.start_pref_f",
            "reuse.start_pref_f of the stage train"),
    STORED ("init_model_start_pref_v", COPY, "reuse.start_pref_v",
            "reuse.start_pref_v of the stage train"),
    STORED ("init_model_old_ratio", COPY, "reuse.old_ratio",
            "reuse.old_ratio of the stage train"),
    NOT ("init_model_with_finetune", "left out: models go on by init_model"),
    YES ("finetune_args", "options of the stage train"),
    NOT ("finetune_mode", "left out: finetune of the stage train is plain"),
    NOT ("head", "of a training of several tasks"),
    ONLY ("multitask", "false", "true is refused",
          "a training of several tasks needs an operator of your own"),
    KEYS_END,
};

const struct setting dpgen2_explore_keys[] = {
    ONLY ("type", "lmp", "lmp, which is lammps.explore; others are refused",
          "has no operator here, only lmp has; explore with an operator of "
          "your own"),
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

const struct setting dpgen2_convergence_keys[] = {
    YES ("type", "levels of the stage select, fixed or adaptive"),
    YES ("level_f_lo", "levels.force"),
    STORED ("level_f_hi", NUMBER, "adaptive.levels.force.high", "levels.force"),
    YES ("level_v_lo", "levels.virial"),
    STORED ("level_v_hi", NUMBER, "adaptive.levels.virial.high",
            "levels.virial"),
    STORED ("conv_accuracy", NUMBER, "fixed.convergence.accurate",
            "convergence.accurate"),
    STORED ("numb_candi_f", NUMBER, "adaptive.levels.adaptive.force.count",
            "levels.adaptive.force.count"),
    STORED ("rate_candi_f", NUMBER, "adaptive.levels.adaptive.force.fraction",
            "levels.adaptive.force.fraction"),
    STORED ("numb_candi_v", NUMBER, "adaptive.levels.adaptive.virial.count",
            "levels.adaptive.virial.count"),
    STORED ("rate_candi_v", NUMBER, "adaptive.levels.adaptive.virial.fraction",
            "levels.adaptive.virial.fraction"),
    STORED ("n_checked_steps", NUMBER, "adaptive.convergence.steps",
            "convergence.steps"),
    STORED ("conv_tolerance", NUMBER, "adaptive.convergence.drift",
            "convergence.drift"),
    YES ("candi_sel_prob", "pick.how"),
    KEYS_END,
};

const struct setting dpgen2_configuration_keys[] = {
    ONLY ("type", "file", "file; alloy is refused",
          "structures are not made here; write them to files and name these "
          "(type: file)"),
    YES ("files", "systems of the stage explore"),
    YES ("prefix", "systems, in front of each path"),
    IDLE ("fmt", "the format of a structure is found from its content"),
    ONLY ("remove_pbc", "false", "true is refused",
          "lammps.explore has periodic boundaries only"),
    KEYS_END,
};

const struct setting dpgen2_group_keys[] = {
    YES ("type", "lmp-md and lmp-template; others are refused"),
    YES ("conf_idx sys_idx", "systems of the run"),
    NOT ("n_sample", "the first frame of each file is explored, in each "
                     "iteration; `fanfold convert` writes frames to files"),
    YES ("temps Ts", "for_each.temperature"),
    YES ("press Ps", "for_each.pressure (bar), with the npt ensembles"),
    YES ("ensemble ens", "the fix of the LAMMPS input"),
    STORED ("dt", NUMBER, "md.timestep", "timestep of the LAMMPS input",
            .otherwise = 0.001),
    STORED ("nsteps", WHOLE, "steps.steps", "steps", .least = 1,
            .otherwise = 100),
    STORED ("trj_freq t_freq traj_freq", WHOLE, "every.dump_every",
            "dump_every", .least = 1, .otherwise = 10),
    STORED ("tau_t", NUMBER, "md.tau_t", "tau of the thermostat",
            .otherwise = 0.05),
    STORED ("tau_p", NUMBER, "md.tau_p", "tau of the barostat",
            .otherwise = 0.5),
    STORED ("neidelay", WHOLE, "md.delay",
            "neigh_modify delay of the LAMMPS input"),
    ONLY ("pka_e", "", "refused",
          "no cascade is written; use an lmp-template that sets the velocity"),
    ONLY ("no_pbc", "false", "true is refused", "only false is supported"),
    ONLY ("use_clusters", "false", "true is refused",
          "only false is supported"),
    STORED ("relative_f_epsilon", NUMBER, "explore.relative.force",
            "relative.force of the stage explore"),
    STORED ("relative_v_epsilon", NUMBER, "explore.relative.virial",
            "relative.virial of the stage explore"),
    ONLY ("ele_temp_f", "", "refused", "fparam is not supported"),
    ONLY ("ele_temp_a", "", "refused", "aparam is not supported"),
    ONLY ("pimd_bead", "", "refused",
          "lammps.explore runs classical MD; path integrals need an operator "
          "of your own (fanfold-groups(7))"),
    NOT ("input_extra_files", "left out: name them by absolute paths"),
    YES ("lmp_template_fname lmp_template lmp", "input, rewritten"),
    YES ("plm_template_fname plm_template plm",
         "a file that the LAMMPS input writes"),
    YES ("revisions", "for_each"),
    NOT ("extra_pair_style_args", "left out: lammps.explore writes pair_style"),
    KEYS_END,
};

const struct setting dpgen2_fp_keys[] = {
    YES ("type", "the operator of the stage label"),
    YES_OR ("task_max", "pick.quota of the stage select, of each iteration",
            "10"),
    YES ("inputs_config", "key by key, below"),
    YES ("run_config", "command: the program of the stage label"),
    IDLE ("extra_output_files", "what a task left is kept when it failed"),
    KEYS_END,
};

const struct setting dpgen2_fp_inputs_keys[] = {
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

const struct setting dpgen2_step_keys[] = {
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

const struct setting dpgen2_executor_keys[] = {
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
