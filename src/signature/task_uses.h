/* SPDX-License-Identifier: BSD-3-Clause */
/* task_uses.h - what of its place in the campaign a task's work depends on
 *
 * The programs of an operator use the seed, {task} or {iteration}, or they do
 * not.  Only where they do are these in task.json, and in the identity of a
 * task: the others make the same wherever they stand.
 */
#ifndef SIGNATURE_TASK_USES_H
#define SIGNATURE_TASK_USES_H

struct operator_spec;

enum task_uses {
    USES_SEED = 1,
    USES_TASK = 2,
    USES_ITERATION = 4,
    USES_ALL = 7, /* what is known of stages that older programs prepared */
};

/* Of a task of 'op' (operator_uses.h). */
unsigned operator_task_uses (const struct operator_spec *op);

/* Of its prepare or collect, whose argv template is 'command', and which runs
 * the text 'script' (NULL: none).
 */
unsigned operator_step_uses (const struct operator_spec *op,
                             const char *const *command, const char *script);

/* ["seed", "task"].  Caller unrefs. */
struct json *task_uses_to_json (unsigned uses);

/* NULL is USES_ALL; a word that is none is an error. */
int task_uses_from_json (const struct json *v, unsigned *uses,
                         struct error *err);

#endif /* !SIGNATURE_TASK_USES_H */
