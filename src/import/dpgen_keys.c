/* SPDX-License-Identifier: BSD-3-Clause */
/* dpgen_keys.c - keys of param.json, and what becomes of each
 *
 * The names are those that DP-GEN 0.13 documents or reads, and those of older
 * releases that its examples have.
 */
#include "config.h"

#include "import/dpgen_keys.h"

#define YES(name, words)                                                       \
    {                                                                          \
        name, KEY_TRANSLATED, words, NULL                                      \
    }
#define YES_OR(name, words, absent)                                            \
    {                                                                          \
        name, KEY_TRANSLATED, words, absent                                    \
    }
#define IDLE(name, words)                                                      \
    {                                                                          \
        name, KEY_NOT_NEEDED, words, NULL                                      \
    }
#define NOT(name, words)                                                       \
    {                                                                          \
        name, KEY_UNSUPPORTED, words, NULL                                     \
    }

const struct known_key dpgen_param_keys[] = {
    YES ("type_map", "elements; the types of every file go by them"),
    YES ("mass_map", "the mass lines of the LAMMPS input"),
    YES ("use_ele_temp", "0 is what there is; 1 and 2 are refused"),

    /* data */
    YES ("init_data_prefix", "data.initial, in front of each path"),
    YES ("init_data_sys", "data.initial"),
    YES_OR ("sys_format", "structures are told by what is in the file",
            "structures are told by what is in the file"),
    YES_OR ("init_batch_size", "training_data.batch_size of input.json",
            "\"auto\" where input.json says nothing"),
    YES ("sys_configs_prefix", "systems, in front of each path"),
    YES ("sys_configs", "systems of the stage explore, 000, 001, ..."),
    YES ("sys_batch_size", "training_data.batch_size of input.json"),
    NOT ("sys_charges",
         "left out: one template serves all systems; write a stage for each "
         "charge"),

    /* training */
    YES ("numb_models", "models"),
    IDLE ("train_param", "the name of a file that DP-GEN writes"),
    YES ("mlp_engine", "dp, which is deepmd.train; others are refused"),
    YES_OR ("train_backend", "backend of the stage train", "tf (TensorFlow)"),
    YES ("default_training_param", "input.json of the stage train"),
    YES ("training_iter0_model_path", "init_model of the first training"),
    YES ("training_init_model",
         "init_model of the stage train: each training goes on from the last"),
    YES ("dp_train_skip_neighbor_stat",
         "skip_neighbor_stat of the stage train"),
    YES_OR ("dp_compress", "compress of the stage train", "false"),
    YES ("training_reuse_iter", "phases from that one on go on from the models "
                                "of the iteration before"),
    YES ("training_reuse_old_ratio",
         "probabilities of old and new data in the phases that reuse"),
    YES ("training_reuse_numb_steps", "numb_steps in the phases that reuse"),
    YES ("training_reuse_stop_batch", "numb_steps in the phases that reuse"),
    YES ("training_reuse_start_lr", "start_lr in the phases that reuse"),
    YES ("training_reuse_start_pref_e",
         "start_pref_e in the phases that reuse"),
    YES ("training_reuse_start_pref_f",
         "start_pref_f in the phases that reuse"),
    NOT ("training_reuse_decay_steps",
         "DP-GEN does not read it either: decay_steps stay those of "
         "default_training_param"),
    NOT ("model_devi_activation_func",
         "left out: all members have the activation functions of "
         "default_training_param and differ by their seeds"),
    NOT ("srtab_file_path",
         "left out: name the table by an absolute path in input.json "
         "(use_srtab)"),
    IDLE ("one_h5", "data are handed over as directories"),
    YES ("training_init_frozen_model",
         "init_frz of the stage train in the first phase"),
    YES ("training_finetune_model",
         "finetune of the stage train in the first phase"),

    /* exploration */
    YES_OR ("model_devi_engine",
            "lammps, which is lammps.explore; others are "
            "refused",
            "lammps"),
    YES ("model_devi_jobs", "phases, one for each, see below"),
    YES ("model_devi_dt", "timestep of the LAMMPS input"),
    YES_OR ("model_devi_taut", "tau of the thermostat in the LAMMPS input",
            "0.1 ps"),
    YES_OR ("model_devi_taup", "tau of the barostat in the LAMMPS input",
            "0.5 ps"),
    YES ("model_devi_neidelay", "neigh_modify delay in the LAMMPS input"),
    YES ("lmp_neigh_modify_one", "neigh_modify one in the LAMMPS input"),
    YES ("lmp_d3", "only with enable: false; else refused"),
    YES ("model_devi_nopbc", "false is what there is; true is refused"),
    YES ("model_devi_plumed", "fix plumed in the LAMMPS input"),
    YES ("model_devi_plumed_path", "a further file the LAMMPS input writes"),
    YES_OR ("model_devi_clean_traj", "keep of the stage explore",
            "until_used: they are removed, as with DP-GEN"),
    IDLE ("model_devi_merge_traj",
          "a trajectory is one file in any case, read frame by frame"),
    NOT ("shuffle_poscar",
         "true: explore takes the structures as they are; write shuffled ones "
         "and name them in systems"),

    /* selection */
    YES ("model_devi_skip", "skip.steps of the stage select (MD steps)"),
    YES ("model_devi_f_trust_lo", "levels.force of the stage select"),
    YES ("model_devi_f_trust_hi", "levels.force of the stage select"),
    YES ("model_devi_v_trust_lo", "levels.virial of the stage select"),
    YES_OR ("model_devi_v_trust_hi", "levels.virial of the stage select",
            "the virial is not looked at"),
    IDLE ("model_devi_e_trust_lo",
          "of DP-GEN before 0.9; LAMMPS writes no deviation of energies"),
    IDLE ("model_devi_e_trust_hi",
          "of DP-GEN before 0.9; LAMMPS writes no deviation of energies"),
    YES ("model_devi_adapt_trust_lo", "levels.adaptive of the stage select"),
    YES ("model_devi_numb_candi_f", "levels.adaptive.force.count"),
    YES ("model_devi_numb_candi_v", "levels.adaptive.virial.count"),
    YES ("model_devi_perc_candi_f",
         "levels.adaptive.force.fraction (percent there)"),
    YES ("model_devi_perc_candi_v",
         "levels.adaptive.virial.fraction (percent there)"),
    YES ("model_devi_f_avg_relative", "true is refused"),
    YES ("use_relative", "relative of the stage explore"),
    YES ("epsilon", "relative of the stage explore"),
    YES ("use_relative_v", "relative of the stage explore"),
    YES ("epsilon_v", "relative of the stage explore"),
    YES ("use_clusters", "clusters of the stage select"),
    YES ("cluster_cutoff", "clusters.cutoff of the stage select"),
    YES ("cluster_cutoff_hard", "clusters.hard of the stage select"),
    NOT ("cluster_minify",
         "left out: bonds that a cluster cuts are not closed with hydrogen"),
    IDLE ("use_multi_systems", "what is labelled may have any composition"),
    YES ("detailed_report_make_fp",
         "lists of the stage select: candidates and the rest, as files"),

    /* labelling */
    YES ("fp_style", "the operator of the stage label"),
    YES ("fp_task_max", "pick.quota of the stage select, of each system"),
    YES ("fp_task_min", "when of the stage train: fewer new frames are not "
                        "trained on at once"),
    YES_OR ("fp_accurate_threshold", "pick.hard of the stage select", "1"),
    YES ("fp_accurate_soft_threshold", "pick.soft of the stage select"),
    YES ("fp_skip_bad_box", "filters of the stage select"),
    YES ("fp_cluster_vacuum", "filters.vacuum of the stage select"),
    YES_OR ("ratio_failed", "success of the stage label",
            "5 % of the labels may fail"),
    YES ("fp_pp_path", "where pseudopotentials are"),
    YES ("fp_pp_files", "pseudopotentials of the stage label, by type_map"),
    YES ("fp_orb_files", "orbitals of the stage label, by type_map"),
    YES ("fp_incar", "input of the stage label"),
    YES ("fp_kpt_file", "kpt of the stage label"),
    YES ("k_points", "kpt of the stage label"),
    YES ("fp_params", "the template of the stage label"),
    YES ("user_fp_params", "the template of the stage label"),
    YES ("external_input_path", "input of the stage label"),
    NOT ("fp_dpks_descriptor",
         "left out: DeePKS needs a descriptor beside the orbitals, which "
         "abacus.label does not write"),
    NOT ("fp_aniso_kspacing",
         "left out: write a KPOINTS file and name it in kpoints"),
    NOT ("cvasp",
         "left out: custodian is not run; `fallback:` names INCARs for what "
         "does not converge, retry: says how often"),
    NOT ("fp_nbands_esti_data",
         "left out: NBANDS is what the INCAR says, or VASP's own"),
    NOT ("use_atom_pref", "left out: all atoms weigh alike"),
    IDLE ("pretty_print", "how DP-GEN writes to its log"),
    IDLE ("pretty_format", "how DP-GEN writes to its log"),
    KEYS_END,
};

const struct known_key dpgen_other_engine_keys[] = {
    NOT ("gromacs_settings", "of GROMACS, which explores nothing here"),
    NOT ("gromacs", "of GROMACS, which explores nothing here"),
    NOT ("qm_region", "of AMBER, which explores nothing here"),
    NOT ("qm_charge", "of AMBER, which explores nothing here"),
    NOT ("parm7", "of AMBER, which explores nothing here"),
    NOT ("parm7_prefix", "of AMBER, which explores nothing here"),
    NOT ("mdin", "of AMBER, which explores nothing here"),
    NOT ("mdin_prefix", "of AMBER, which explores nothing here"),
    NOT ("disang", "of AMBER, which explores nothing here"),
    NOT ("disang_prefix", "of AMBER, which explores nothing here"),
    NOT ("r", "of AMBER, which explores nothing here"),
    NOT ("nsteps", "of AMBER, which explores nothing here"),
    NOT ("low_level", "of AMBER, which explores nothing here"),
    NOT ("high_level", "of AMBER, which labels nothing here"),
    NOT ("cutoff", "of AMBER, which explores nothing here"),
    NOT ("calypso_input_path", "of CALYPSO, which explores nothing here"),
    NOT ("model_devi_max_iter", "of CALYPSO, which explores nothing here"),
    NOT ("vsc", "of CALYPSO, which explores nothing here"),
    KEYS_END,
};

const struct known_key dpgen_job_keys[] = {
    YES ("sys_idx", "systems of the phase"),
    YES ("temps", "for_each.temperature"),
    YES ("Ts", "for_each.temperature"),
    YES ("press", "for_each.pressure (bar), with the npt ensembles"),
    YES ("Ps", "for_each.pressure (bar), with the npt ensembles"),
    YES ("trj_freq", "dump_every"),
    YES ("t_freq", "dump_every"),
    YES ("traj_freq", "dump_every"),
    YES ("nsteps", "steps"),
    YES ("ensemble", "the fix of the LAMMPS input"),
    YES ("ens", "the fix of the LAMMPS input"),
    YES ("taut", "tau of the thermostat (DP-GEN 0.13 reads it nowhere and "
                 "takes model_devi_taut)"),
    YES ("taup", "tau of the barostat (DP-GEN 0.13 reads it nowhere and takes "
                 "model_devi_taup)"),
    YES ("neidelay", "neigh_modify delay of the LAMMPS input"),
    IDLE ("dt", "model_devi_dt counts, as in DP-GEN"),
    YES ("nbeads", "refused: path integrals are no exploration of "
                   "lammps.explore"),
    YES ("pka_e", "refused"),
    YES ("template", "input, rewritten"),
    YES ("rev_mat", "for_each"),
    YES ("sys_rev_mat", "runs, each with a for_each of its own"),
    YES ("model_devi_f_trust_lo", "levels.force in the phase"),
    YES ("model_devi_f_trust_hi", "levels.force in the phase"),
    YES ("model_devi_v_trust_lo", "levels.virial in the phase"),
    YES ("model_devi_v_trust_hi", "levels.virial in the phase"),
    YES ("task_min", "pick.minimum in the phase"),
    YES ("s_t", "true: the stage train is left out in the phase after it"),
    YES ("sk_tr", "true: the stage train is left out in the phase after it"),
    YES ("skip_train",
         "true: the stage train is left out in the phase after it"),
    YES ("skip_training",
         "true: the stage train is left out in the phase after it"),
    NOT ("lambdas", "of GROMACS, which explores nothing here"),
    NOT ("restart_from_iter", "of AMBER, which explores nothing here"),
    NOT ("times", "of CALYPSO, which explores nothing here"),
    KEYS_END,
};
