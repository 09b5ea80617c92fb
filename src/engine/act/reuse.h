/* SPDX-License-Identifier: BSD-3-Clause */
/* reuse.h - results of the store that are what a stage's tasks would make
 *
 * While the stage is cut into tasks, each is looked up by its identity
 * (reuse_find); when all are known, what was found is put in its place
 * (reuse_take), so that a driver that was killed in between left nothing but a
 * directory of its own.  Where the store fails, or has no longer what its
 * documents name, tasks run.
 */
#ifndef ENGINE_REUSE_H
#define ENGINE_REUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "arrays/task_range.h"
#include "engine/act/origins.h"

struct engine;
struct error;
struct json;
struct result_event;
struct reuse;
struct stage;
struct stage_description;

/* May the stage take results, and was it not asked to compute? */
bool reuse_is_wanted (const struct engine *engine, const struct stage *stage,
                      int iteration);

/* NULL: nothing is reused by this stage, or nothing is known. */
struct reuse *reuse_begin (struct engine *engine, const struct stage *stage,
                           const struct stage_description *description);
void reuse_end (struct reuse *reuse); /* NULL is legal */

/* Look for the result of a task.  Tasks are asked for in ascending order. */
void reuse_find (struct reuse *reuse, int32_t task, const char *identity);

/* Put what was found, but for tasks of 'ok', into job/<task>/out, synced; tasks
 * that have their result by that are added to 'ok' and 'origins'.
 */
int reuse_take (struct reuse *reuse, struct task_range *ok,
                struct origins *origins, struct error *err);

/* Of a stage without artifacts: 'put' gets the record of each one's end, for
 * the log of what was adopted.
 */
int reuse_take_params (struct reuse *reuse, struct task_range *ok,
                       struct origins *origins,
                       int (*put) (const struct json *record, void *arg,
                                   struct error *err),
                       void *arg, struct error *err);

#endif /* !ENGINE_REUSE_H */
