/* SPDX-License-Identifier: BSD-3-Clause */
/* examine_node.c - what doctor's probe job runs on its node */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "commands/command_table.h"
#include "commands/invocation.h"
#include "doctor/node_report.h"

static enum exit_status examine_node (const struct invocation *invocation)
{
    struct error err = ERROR_INIT;

    if (node_report_write (invocation->dir,
                           strcmp (invocation->args[0], "gpu") == 0,
                           (const char *const *)invocation->args + 1, &err)
        < 0)
        return complain (STATUS_FAILED, "examine-node: %s", err.text);
    return STATUS_DONE;
}

/* What every job script adds; there is only one element. */
static const struct command_option options[] = {
    { "element", "N", "index in the array" },
    { "job-id", "ID", "as the scheduler spells it" },
    { 0 },
};

const struct command examine_node_command = {
    .name = "examine-node",
    .arguments = "gpu|no-gpu [PROGRAM ...]",
    .summary = "write what this node sees into the directory",
    .hidden = true,
    .min_args = 1,
    .max_args = 16,
    .options = options,
    .run = examine_node,
};
