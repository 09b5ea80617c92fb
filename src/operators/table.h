/* SPDX-License-Identifier: BSD-3-Clause */
/* table.h - the built-in operators and the steps they run inside a task
 *
 * A built-in operator's programs are `fanfold operator NAME STEP`, started by
 * the agent in the task's directory like any user's program.  A step reads
 * task.json there (doc/architecture.md), writes below out/ and params.json.
 */
#ifndef OPERATORS_TABLE_H
#define OPERATORS_TABLE_H

struct operator_spec;

/* What a step returns; the exit status of `fanfold operator`.  STEP_FATAL is in
 * step_fatal_exits, which ends with 0.
 */
enum step_status {
    STEP_OK = 0,
    STEP_FAILED = 1,   /* worth another try */
    STEP_FATAL = 3,    /* the same again would end the same way */
    STEP_BROKEN = 4,   /* its program was broken off: what it left is good */
    STEP_KILLED = 137, /* the same, by SIGKILL, as a shell tells it */
};

extern const int step_fatal_exits[];
extern const int step_broken_exits[]; /* STEP_BROKEN */

/* What runs a step: an argv template. */
#define STEP_ARGV(operator_name, step)                                         \
    ((const char *const[]){ "{fanfold}", "operator", (operator_name), (step),  \
                            NULL })

/* NULL-terminated, in the order of their names. */
const struct operator_spec *const *builtin_operators (void);

/* Is there such a step? */
bool operator_has_step (const char *operator_name, const char *step);

/* Run it, in the current directory.  Not OK: 'err' says why. */
enum step_status operator_step_run (const char *operator_name, const char *step,
                                    struct error *err);

/* --- what the table is made of, beside the kits --- */

extern const struct operator_spec command_operator;
extern const struct operator_spec lammps_explore_operator;
extern const struct operator_spec model_devi_probe_operator;
extern const struct operator_spec model_devi_select_operator;

#endif /* !OPERATORS_TABLE_H */
