/* SPDX-License-Identifier: BSD-3-Clause */
/* stage_task.h - what a stage's only task was told, from the stage's run files
 */
#ifndef COMMANDS_STAGE_TASK_H
#define COMMANDS_STAGE_TASK_H

struct error;
struct json;
struct stage_place;

/* Of task 0 what its task.json told of "campaign_dir", "iteration", "seed" and
 * "inputs" (but those that are sliced).  Caller unrefs; NULL with 'err'.
 */
struct json *stage_task_read (const char *campaign_dir,
                              const struct stage_place *place,
                              struct error *err);

#endif /* !COMMANDS_STAGE_TASK_H */
