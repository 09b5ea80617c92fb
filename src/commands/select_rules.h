/* SPDX-License-Identifier: BSD-3-Clause */
/* select_rules.h - the rules that the options of `fanfold select` ask for */
#ifndef COMMANDS_SELECT_RULES_H
#define COMMANDS_SELECT_RULES_H

#include "commands/command.h"

struct error;
struct json;
struct select_source;

/* NULL-terminated. */
extern const struct command_option select_options[];

/* The rules (selection/rules.h) of the source's stage, or DP-GEN's defaults,
 * with those of --rules and then the other options in their place, as they are
 * in the source's iteration; and the lists and rules that else belong to a plan
 * (reduce/plan_file.h): elements, labelled, relative, columns.  What looks at
 * data that is not there is left out, and named in 'left_out', a list of
 * {"rule", "why"}.  Caller unrefs; NULL with 'err'.
 */
struct json *select_rules (const struct invocation *invocation,
                           const struct select_source *source,
                           struct json *left_out,
                           struct error *err);

#endif /* !COMMANDS_SELECT_RULES_H */
