/* SPDX-License-Identifier: BSD-3-Clause */
/* node_file.h - what site.yaml says of a profile's nodes and of placing there
 *
 * For site_file.c; 'record' is the struct profile.  Problems are recorded.
 */
#ifndef CAMPAIGN_NODE_FILE_H
#define CAMPAIGN_NODE_FILE_H

struct profile;
struct yaml_node;

/* `bind:`, `smt:`, `reserved_cores:` or `memory_binding:`. */
void node_file_rule (const struct yaml_node *node, void *record);

/* `node:`, after the rules. */
void node_file_read (const struct yaml_node *node, void *record);

/* What the rules need to know that the mapping of the profile does not say. */
void node_file_check_rules (const struct yaml_node *node,
                            const struct profile *profile);

#endif /* !CAMPAIGN_NODE_FILE_H */
