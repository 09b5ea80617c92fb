/* SPDX-License-Identifier: BSD-3-Clause */
/* help.h - what --help prints, from the table of commands */
#ifndef COMMANDS_HELP_H
#define COMMANDS_HELP_H

struct command;

/* All commands that people call, the ten of every day first. */
void help_print (FILE *to);

/* Usage, summary and options of one. */
void help_print_command (const struct command *command, FILE *to);

#endif /* !COMMANDS_HELP_H */
