/* SPDX-License-Identifier: BSD-3-Clause */
/* task_file.h - task.json, and what placeholders stand for
 *
 * The agent writes it for a task, the engine for prepare and collect: the same
 * keys and the same placeholders (signature/operator.h lists them).
 */
#ifndef HANDOVER_TASK_FILE_H
#define HANDOVER_TASK_FILE_H

#include "space/layout.h"

struct port;
struct resources;

enum { TASK_FRONT = -1 }; /* in the place of a number: prepare or collect */

struct task_file {
    const char *campaign;
    const char *campaign_dir; /* absolute */
    bool called;              /* it is a call of a function */
    const char *program;      /* fanfold's path */
    const char *programs; /* the copy that the operator runs from, relative to
                             the campaign; NULL: none */
    struct stage_place place;
    int task; /* or TASK_FRONT, which has no placeholders of resources */
    int64_t seed;
    unsigned uses; /* of 'task', 'seed' and the iteration: those that task.json
                      is to tell (task_uses.h) */
    const struct resources *needs;
    const char *const *launcher; /* argv template, expanded when there are
                                    several ranks; NULL: none */
    const char
        *on_nodes;       /* {on_nodes}, words with blanks between; NULL: none */
    bool keeps_raw;      /* it is to leave raw files */
    bool restart;        /* it goes on from a checkpoint of an earlier try */
    struct json *inputs; /* {NAME: value}, paths absolute */
    const struct port *outputs;
    struct json *stacked; /* collect: what the tasks made; else NULL */
};

/* What task.json says; *values gets {PLACEHOLDER: value}.  Caller unrefs both.
 * NULL with 'err' (*values is then untouched): the launcher's argv cannot be
 * expanded.
 */
struct json *task_file_make (const struct task_file *file, struct json **values,
                             struct error *err);

/* Make the placeholders of resources, and {launcher}, those of a part of the
 * task that has 'needs'.
 */
int task_values_of_share (struct json *values, const struct resources *needs,
                          const char *const *launcher, struct error *err);

#endif /* !HANDOVER_TASK_FILE_H */
