/* SPDX-License-Identifier: BSD-3-Clause */
/* what_if.h - a selection as it would be with other rules; writes nothing
 *
 * It does what fanfold-reduce does, on one rank.
 */
#ifndef COMMANDS_WHAT_IF_H
#define COMMANDS_WHAT_IF_H

#include "commands/command.h"
#include "reduce/passes.h"
#include "reduce/selection_input.h"
#include "selection/statistics/frame_stats.h"

struct campaign;
struct stage;
struct stage;

struct what_if {
    struct json *left_out; /* [{"rule", "why"}]: what could not be looked at */
    struct selection_input input;
    struct frame_stats stats;
    struct selection selection;
};

#define WHAT_IF_INIT                                                           \
    {                                                                          \
        .input = SELECTION_INPUT_INIT                                          \
    }

/* The option of every command that asks what if. */
#define WHAT_IF_SET                                                            \
    {                                                                          \
        "set", "KEY=VALUE", "set an input of the stage, as in campaign.yaml"   \
    }

/* Select from what 'task' tells (it is changed), with the inputs that --rules
 * and every --set give, in the task's iteration.  Not STATUS_DONE: it has
 * complained.  Release 'what_if' whatever comes of it.
 */
enum exit_status what_if_run (const struct invocation *invocation,
                              struct json *task, struct what_if *what_if);
void what_if_release (struct what_if *what_if);

/* --- what it selects from: the task.json of a stage that has selected, or one
 * made for files of deviations --- */

/* Find what is named: paths, or --stage.  Not STATUS_DONE: it has complained.
 * Caller unrefs *task (reduce/selection_input.h).
 */
enum exit_status select_source_find (const struct invocation *invocation,
                                     struct json **task);

/* "campaign_dir", "iteration", "seed" and "inputs" (but those that are sliced)
 * of the stage's task 0 in the iteration.  NULL with 'err', or without when
 * there is none. 'lost' says what it selected from and is not there any more,
 * if anything. Caller unrefs.
 */
struct json *select_source_task (const struct campaign *campaign,
                                 const char *stage, int iteration,
                                 struct error *lost, struct error *err);

/* A task of files has no trajectories until its rules look at structures: add
 * what DP-GEN keeps beside each file, all.lammpstrj or the files traj / *
 * .lammpstrj (then with a '*' for the step), or take out the rules that would
 * look at what is not there, each noted in the list 'left_out' as {"rule",
 * "why"}.
 */
void select_source_complete (struct json *inputs, struct json *left_out);

/* --- one frame --- */

/* Print what became of the frame "TASK:STEP", or atom "TASK:STEP:ATOM", of the
 * exploration that 'stage' selected from in the iteration; or what would with
 * the inputs that --set gives.  Not STATUS_DONE: it has complained.
 */
enum exit_status explain_frame (const struct invocation *invocation,
                                const struct campaign *campaign,
                                const struct stage *stage, int iteration,
                                const char *frame);

#endif /* !COMMANDS_WHAT_IF_H */
