/* SPDX-License-Identifier: BSD-3-Clause */
/* step_task.h - what a step of a built-in operator is told: task.json
 *
 * The agent (for `prepare` and `collect` the engine) writes task.json into
 * the directory a step runs in; doc/architecture.md shows one.
 */
#ifndef OPERATORS_STEP_TASK_H
#define OPERATORS_STEP_TASK_H

#include "signature/operator.h"

struct step_task {
    struct json *record; /* the whole of it; everything lent is its */
    const char *campaign_dir;
    int64_t seed; /* positive, 31 bits; 0 where there is no task */
    struct resources resources;
    struct strvec launcher; /* argv words, expanded; empty: none given */
    struct json *inputs;    /* {NAME: value} */
    struct json *outputs;   /* {NAME: path of an output artifact} */
    const char *raw;        /* directory for raw files of the code; NULL: they
                               are not kept */
    struct json *stacked;   /* collect: {NAME: [value or null]}; else NULL */
};

#define STEP_TASK_INIT                                                         \
    {                                                                          \
        .launcher = STRVEC_INIT                                                \
    }

/* Read task.json of a step of 'op', whose text is refused as `check` refuses it
 * (operator_check_text): values may come from tasks.  NULL: it writes none.
 */
int step_task_read (const struct operator_spec *op, struct step_task *task,
                    struct error *err);
void step_task_release (struct step_task *task);

/* Append the strings of the list inputs.NAME. */
int step_strings (const struct json *inputs, const char *name,
                  struct strvec *strings, struct error *err);

/* For the check of a port: a program and its arguments, a list of strings, the
 * first of them not empty; a whole number of at least 1; what is said of
 * committees whose members are one model, "error" or "allow".
 */
int step_check_program (const struct known_input *input, struct error *err);
int step_check_count (const struct known_input *input, struct error *err);
int step_check_identical (const struct known_input *input, struct error *err);

/* Do the inputs say "allow" of it? */
bool step_allows_identical (const struct json *inputs);

/* A whole-number input that must be at least 'least'. */
int step_count (const struct json *inputs, const char *name, int64_t least,
                int64_t *count, struct error *err);

/* Where output artifact 'name' is to be written (lent); makes the directory it
 * goes to.
 */
int step_task_output (const struct step_task *task, const char *name,
                      const char **path, struct error *err);

/* Write the output parameters, "params.json", or what `prepare` made to slice
 * over, "slices.json" (the reference is taken over).
 */
int step_write (const char *path, struct json *record, struct error *err);

#endif /* !OPERATORS_STEP_TASK_H */
