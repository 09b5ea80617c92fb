/* SPDX-License-Identifier: BSD-3-Clause */
/* command_table.h - every command, in the order help prints them */
#ifndef COMMANDS_COMMAND_TABLE_H
#define COMMANDS_COMMAND_TABLE_H

#include "commands/command.h"

/* NAME_command is what a command's file exports.  The last of them are started
 * by jobs and by the program itself.
 */
#define COMMANDS                                                               \
    COMMAND (new)                                                              \
    COMMAND (check)                                                            \
    COMMAND (plan)                                                             \
    COMMAND (run)                                                              \
    COMMAND (advance)                                                          \
    COMMAND (submit)                                                           \
    COMMAND (status)                                                           \
    COMMAND (explain)                                                          \
    COMMAND (log)                                                              \
    COMMAND (result)                                                           \
    COMMAND (select)                                                           \
    COMMAND (doctor)                                                           \
    COMMAND (pause)                                                            \
    COMMAND (resume)                                                           \
    COMMAND (cancel)                                                           \
    COMMAND (retry)                                                            \
    COMMAND (skip)                                                             \
    COMMAND (agent)                                                            \
    COMMAND (supervisor)                                                       \
    COMMAND (operator)                                                         \
    COMMAND (examine_node)                                                     \
    COMMAND (wake)

#define COMMAND(name) extern const struct command name##_command;
COMMANDS
#undef COMMAND

#endif /* !COMMANDS_COMMAND_TABLE_H */
