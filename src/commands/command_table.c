/* SPDX-License-Identifier: BSD-3-Clause */
/* command_table.c - every command, in the order help prints them */
#include "config.h"

#include <stddef.h>
#include <string.h>

#include "commands/command.h"
#include "commands/command_table.h"

static const struct command *const table[] = {
    &new_command,
    &check_command,
    &plan_command,
    &run_command,
    &advance_command,
    &submit_command,
    &status_command,
    &explain_command,
    &log_command,
    &result_command,
    &select_command,
    &doctor_command,
    &pause_command,
    &resume_command,
    &cancel_command,
    &retry_command,
    &skip_command,
    &agent_command,
    &supervisor_command,
    &operator_command,
    &examine_node_command,
    &wake_command,
    NULL,
};

const struct command *const *command_table (void)
{
    return table;
}

const struct command *command_find (const char *name)
{
    for (const struct command *const *c = table; *c; c++) {
        if (strcmp ((*c)->name, name) == 0)
            return *c;
    }
    return NULL;
}
