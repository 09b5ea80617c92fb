/* SPDX-License-Identifier: BSD-3-Clause */
/* operator.c - a step of a built-in operator, run in a task's directory */
#include "config.h"

#include "base/error.h"
#include "commands/command_table.h"
#include "commands/invocation.h"
#include "operators/table.h"

static enum exit_status run_step (const struct invocation *invocation)
{
    const char *name = invocation->args[0];
    const char *step_name = invocation->args[1];
    const struct operator_step *step = operator_step_find (name, step_name);
    struct error err = ERROR_INIT;
    enum step_status status;

    if (!step)
        return complain (STATUS_USAGE, "operator %s has no step '%s'", name,
                         step_name);
    if ((status = step->run (&err)) != STEP_OK)
        complain (STATUS_FAILED, "%s %s: %s", name, step_name, err.text);
    return (enum exit_status)status;
}

const struct command operator_command = {
    .name = "operator",
    .arguments = "NAME STEP",
    .summary = "run a step of a built-in operator here",
    .hidden = true,
    .min_args = 2,
    .max_args = 2,
    .run = run_step,
};
