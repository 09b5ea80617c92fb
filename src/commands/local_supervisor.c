/* SPDX-License-Identifier: BSD-3-Clause */
/* local_supervisor.c - what the local scheduler starts for a released job */
#include "config.h"

#include "base/error.h"
#include "commands/command_table.h"
#include "commands/invocation.h"
#include "local/supervisor.h"

static enum exit_status supervise (const struct invocation *invocation)
{
    struct error err = ERROR_INIT;

    if (local_supervisor_run (invocation->args[0], &err) < 0)
        return complain (STATUS_FAILED, "local supervisor: %s", err.text);
    return STATUS_DONE;
}

const struct command supervisor_command = {
    .name = "local-supervisor",
    .arguments = "JOB_DIR",
    .summary = "run the elements of a local job",
    .hidden = true,
    .min_args = 1,
    .max_args = 1,
    .run = supervise,
};
