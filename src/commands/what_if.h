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

struct json;

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
        "set", "KEY=VALUE", "an input of the stage, as in campaign.yaml"       \
    }

/* Select from what 'task' tells (it is changed), with the inputs that --rules
 * and every --set give, in the task's iteration.  Not STATUS_DONE: it has
 * complained.  Release 'what_if' whatever comes of it.
 */
enum exit_status what_if_run (const struct invocation *invocation,
                              struct json *task,
                              struct what_if *what_if);
void what_if_release (struct what_if *what_if);

#endif /* !COMMANDS_WHAT_IF_H */
