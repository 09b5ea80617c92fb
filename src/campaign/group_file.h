/* SPDX-License-Identifier: BSD-3-Clause */
/* group_file.h - `group:` and `report:` of an operator -> struct group_spec */
#ifndef CAMPAIGN_GROUP_FILE_H
#define CAMPAIGN_GROUP_FILE_H

struct group_spec;
struct operator_spec;
struct yaml_node;

/* What the mapping 'node', `group:`, says; NULL when anything is wrong. */
const struct group_spec *group_file_read (const struct yaml_node *node);

/* A command that has `report:`, the mapping 'node', is a group of one program,
 * "command", which has all that the task has; 'script' is the text that it
 * runs, or NULL.  NULL when anything is wrong.
 */
const struct group_spec *group_file_report (const struct yaml_node *node,
                                            const char *const *const *commands,
                                            const char *script);

/* Record what `task:` of an operator or a stage cannot say of a group. */
void group_file_check_task (const struct yaml_node *task);

/* What a task of a group runs in its directory. */
extern const char *const *const group_commands[];

#endif /* !CAMPAIGN_GROUP_FILE_H */
