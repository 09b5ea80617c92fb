/* SPDX-License-Identifier: BSD-3-Clause */
/* script_file.h - `script:`, text in place of a command */
#ifndef CAMPAIGN_SCRIPT_FILE_H
#define CAMPAIGN_SCRIPT_FILE_H

struct yaml_node;

/* The text; 0, or -1 after recording what is wrong with it. */
int script_read (const struct yaml_node *node, const char **text);

/* Of the mapping 'node', which messages call 'name', that has `command:` or
 * `script:`: the text of the latter, else *text stays.  Neither is recorded at
 * 'at', and so are both.
 */
void script_read_in_place (const struct yaml_node *at,
                           const struct yaml_node *node, const char *name,
                           const char **text);

#endif /* !CAMPAIGN_SCRIPT_FILE_H */
