/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_keys.c - keys of machine files, and what becomes of each
 *
 * The names are those of DP-GEN 0.13's and dpdispatcher 1.0's documentation of
 * arguments, and of older machine files.
 */
#include "base/base.h"

#include "import/machine_keys.h"

const struct setting machine_file_keys[] = {
    IDLE ("api_version", "both kinds of machine file are read"),
    IDLE ("deepmd_version", "DeePMD-kit 2 and 3 read the same input"),
    YES ("train", "the profile of the stage train (site.yaml)"),
    YES ("model_devi", "the profile of the stage explore (site.yaml)"),
    YES ("fp", "the profile of the stage label (site.yaml)"),
    KEYS_END,
};

const struct setting machine_flat_keys[] = {
    YES ("train_machine", "the profile of the stage train"),
    YES ("model_devi_machine", "the profile of the stage explore"),
    YES ("fp_machine", "the profile of the stage label"),
    YES ("train_resources", "task: of the stage train"),
    YES ("model_devi_resources", "task: of the stage explore"),
    YES ("fp_resources", "task: of the stage label"),
    YES ("train_command", "with.dp of the stage train"),
    YES ("model_devi_command", "with.lammps of the stage explore"),
    YES ("fp_command", "the program of the stage label"),
    YES ("deepmd_path",
         "with.dp of the stage train, where train_command does not say it"),
    NOT ("python_path",
         "DeePMD-kit 0.x with a Python of its own; dp is run as a command"),
    NOT ("python_test_path",
         "DeePMD-kit 0.x with a Python of its own; dp is run as a command"),
    IDLE ("train_group_size", "Fanfold bundles tasks by the time they take"),
    IDLE ("model_devi_group_size",
          "Fanfold bundles tasks by the time they take"),
    IDLE ("fp_group_size", "Fanfold bundles tasks by the time they take"),
    NOT ("train_user_forward_files",
         "files are not copied to tasks; name them by absolute paths"),
    NOT ("model_devi_user_forward_files",
         "files are not copied to tasks; name them by absolute paths"),
    NOT ("fp_user_forward_files",
         "files are not copied to tasks; name them by absolute paths"),
    IDLE ("train_user_backward_files", "only what operators declare is kept"),
    IDLE ("model_devi_user_backward_files",
          "only what operators declare is kept"),
    IDLE ("fp_user_backward_files", "only what operators declare is kept"),
    KEYS_END,
};

const struct setting machine_stage_keys[] = {
    YES ("machine", "key by key, below"),
    YES ("resources", "key by key, below"),
    YES_OR ("command", "the stage's program, setup and launcher",
            "the operator's own program"),
    IDLE ("group_size", "Fanfold bundles tasks by the time they take"),
    NOT ("user_forward_files",
         "files are not copied to tasks; name them by absolute paths"),
    IDLE ("user_backward_files", "only what operators declare is kept"),
    NOT ("deepmd_path", "of CALYPSO, which is not supported"),
    NOT ("calypso_path", "of CALYPSO, which is not supported"),
    NOT ("deepmdkit_python", "of CALYPSO, which is not supported"),
    NOT ("python_path", "dp is run as a command"),
    ROW ("comments", KEY_COMMENT, "left out"),
    KEYS_END,
};

const struct setting machine_machine_keys[] = {
    YES ("batch_type machine_type batch", "scheduler of the profile"),
    IDLE ("context_type",
          "Fanfold runs where the scheduler is, see the remarks"),
    IDLE ("local_root", "tasks work below the campaign"),
    IDLE ("remote_root",
          "tasks work below the campaign: put it on that file system"),
    IDLE ("work_path",
          "tasks work below the campaign: put it on that file system"),
    IDLE ("remote_profile",
          "no host is logged in to; nothing of it was copied"),
    IDLE ("hostname", "run Fanfold on that host"),
    IDLE ("port", "no host is logged in to"),
    IDLE ("username", "not copied"),
    IDLE ("password", "not copied; take it out of that file"),
    IDLE ("clean_asynchronously", "tasks clean up after them"),
    IDLE ("retry_count", "retry: of a stage says it by the way a task ended"),
    IDLE ("lazy_local", "tasks work below the campaign"),
    KEYS_END,
};

const struct setting machine_resources_keys[] = {
    YES ("number_node numb_node", "task.nodes of the stage"),
    YES ("cpu_per_node task_per_node", "task.cores of the stage"),
    YES ("cpus_per_task", "task.cores of the stage"),
    YES ("gpu_per_node numb_gpu", "task.gpus of the stage"),
    YES ("queue_name partition", "partition or queue of the profile"),
    YES ("account", "account of the profile"),
    YES ("qos", "qos of the profile"),
    YES ("time_limit",
         "task.walltime of the stage, limits.walltime of the profile"),
    YES ("mem_limit", "task.memory of the stage"),
    YES ("source_list", "setup of the profile"),
    YES ("module_list", "setup of the profile"),
    YES ("module_unload_list", "setup of the profile"),
    YES ("module_purge", "setup of the profile"),
    YES ("envs", "env of the profile"),
    YES ("custom_flags", "flag by flag, below"),
    IDLE ("group_size", "Fanfold bundles tasks by the time they take"),
    YES ("para_deg",
         "divides task.cores and task.gpus: Fanfold packs tasks side by side"),
    IDLE ("strategy", "tasks get devices of their own"),
    IDLE ("batch_type", "that of the machine counts"),
    IDLE ("wait_time", "limits.poll of the profile, by default 30 s"),
    YES ("kwargs", "key by key, below"),
    YES ("exclude_list", "directives of the profile"),
    YES ("constraint_list", "directives of the profile"),
    NOT ("license_list", "add it to directives of the profile"),
    YES ("with_mpi", "ranks and launcher of the stage"),
    YES ("prepend_script", "setup and env of the profile, line by line"),
    NOT ("append_script", "left out"),
    IDLE ("allow_failure", "success: of the stage says how many"),
    KEYS_END,
};
