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

#endif /* !OPERATORS_TABLE_H */
