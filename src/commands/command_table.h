/* SPDX-License-Identifier: BSD-3-Clause */
/* command_table.h - what each command file exports */
#ifndef COMMANDS_COMMAND_TABLE_H
#define COMMANDS_COMMAND_TABLE_H

#include "commands/command.h"

extern const struct command new_command;
extern const struct command check_command;
extern const struct command plan_command;
extern const struct command run_command;
extern const struct command advance_command;
extern const struct command submit_command;
extern const struct command status_command;
extern const struct command explain_command;
extern const struct command log_command;
extern const struct command result_command;
extern const struct command select_command;
extern const struct command pause_command;
extern const struct command resume_command;
extern const struct command cancel_command;
extern const struct command retry_command;
extern const struct command skip_command;
extern const struct command doctor_command;

/* Started by the program itself. */
extern const struct command agent_command;
extern const struct command supervisor_command;
extern const struct command operator_command;
extern const struct command examine_node_command;
extern const struct command wake_command;

#endif /* !COMMANDS_COMMAND_TABLE_H */
