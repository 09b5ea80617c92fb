/* SPDX-License-Identifier: BSD-3-Clause */
/* act_checkpoints.h - what tries left that were cut short, for the next ones
 *
 * Of stages whose operator has checkpoints (handover/task_checkpoint.h).  All
 * of it can be done again: after a crash the next driver finds what is moved
 * already, and goes on.
 */
#ifndef ENGINE_ACT_CHECKPOINTS_H
#define ENGINE_ACT_CHECKPOINTS_H

struct engine;
struct stage;

/* The tasks of a `results` event of the stage's open attempt are about to be
 * recorded: move what those that were cut short left to its place, remove what
 * there is of others that are not ok, and note in the event what there is now
 * ("checkpoints").
 */
int act_checkpoints (struct engine *engine, const struct stage *stage,
                     int iteration, struct json *event, struct error *err);

/* The same for the tasks that the open attempt leaves without an outcome: a
 * machine failed them on their way.
 */
int act_checkpoints_of_pending (struct engine *engine,
                                const struct stage *stage, int iteration,
                                struct error *err);

#endif /* !ENGINE_ACT_CHECKPOINTS_H */
