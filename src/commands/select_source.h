/* SPDX-License-Identifier: BSD-3-Clause */
/* select_source.h - what a what-if selects from: the task.json of a stage that
 * has selected, or one made for files of deviations
 */
#ifndef COMMANDS_SELECT_SOURCE_H
#define COMMANDS_SELECT_SOURCE_H

#include <stdint.h>

#include "commands/command.h"

struct campaign;
struct error;
struct json;
struct stage;

/* Find what is named: paths, or --stage.  Not STATUS_DONE: it has complained.
 * Caller unrefs *task (reduce/selection_input.h).
 */
enum exit_status select_source_find (const struct invocation *invocation,
                                     struct json **task);

/* What the stage's task was told in that iteration.  NULL with 'err', or
 * without when there is none.  Caller unrefs.
 */
struct json *select_source_task (const struct campaign *campaign,
                                 const struct stage *stage,
                                 int iteration,
                                 struct error *err);

/* A task of files has no trajectories until its rules look at structures: add
 * what DP-GEN keeps beside each file, all.lammpstrj or the files traj / *
 * .lammpstrj (then with a '*' for the step), or take out the rules that would
 * look at what is not there, each noted in the list 'left_out' as {"rule",
 * "why"}.
 */
void select_source_complete (struct json *inputs, struct json *left_out);

#endif /* !COMMANDS_SELECT_SOURCE_H */
