/* SPDX-License-Identifier: BSD-3-Clause */
/* table.h - the built-in operators and the steps they run inside a task
 *
 * A built-in operator's programs are `fanfold operator NAME STEP`, started by
 * the agent in the task's directory like any user's program.  A step reads
 * task.json there (doc/architecture.md), writes below out/ and params.json.
 */
#ifndef OPERATORS_TABLE_H
#define OPERATORS_TABLE_H

struct error;
struct operator_spec;

/* What a step returns; the exit status of `fanfold operator`. */
enum step_status {
    STEP_OK = 0,
    STEP_FAILED = 1, /* worth another try */
    STEP_FATAL = 3,  /* the same again would end the same way */
};

struct operator_step {
    const char *operator_name;
    const char *name;
    /* Runs in the current directory.  Not OK: 'err' says why. */
    enum step_status (*run) (struct error *err);
};

/* NULL-terminated, in the order of their names. */
const struct operator_spec *const *builtin_operators (void);

/* The step, or NULL. */
const struct operator_step *operator_step_find (const char *operator_name,
                                                const char *step);

/* --- what the table is made of --- */

extern const struct operator_spec command_operator;
extern const struct operator_spec lammps_explore_operator;
extern const struct operator_spec model_devi_select_operator;
extern const struct operator_spec qe_label_operator;

/* Check what the user gave and say what the tasks are. */
enum step_status lammps_explore_prepare (struct error *err);

/* One MD and its reruns. */
enum step_status lammps_explore_run (struct error *err);

/* One single point; all of them in one file. */
enum step_status qe_label_run (struct error *err);
enum step_status qe_label_collect (struct error *err);

#endif /* !OPERATORS_TABLE_H */
