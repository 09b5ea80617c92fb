/* SPDX-License-Identifier: BSD-3-Clause */
/* local_supervisor.c - what the local scheduler starts for a released job */
#include "config.h"

#include "adapter.h"
#include "base/error.h"
#include "commands/command_table.h"
#include "commands/invocation.h"

static enum exit_status supervise (const struct invocation *invocation)
{
    const struct scheduler_adapter *adapter = scheduler_adapter_at (0);
    struct error err = ERROR_INIT;

    for (size_t i = 1; !adapter->supervise; i++)
        adapter = scheduler_adapter_at (i);
    if (adapter->supervise (invocation->args[0], &err) < 0)
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
