/* SPDX-License-Identifier: BSD-3-Clause */
/* task_needs.h - `task:` of a stage or an operator */
#ifndef CAMPAIGN_TASK_NEEDS_H
#define CAMPAIGN_TASK_NEEDS_H

struct field_reader;
struct resources;
struct yaml_node;

/* Change 'needs' to what {nodes, cores, ranks, gpus, memory, walltime} say;
 * what is not mentioned stays (0: unstated), but ranks without cores keep the
 * cores per rank.  'name' is what messages call the mapping.
 */
void task_needs_read (const struct field_reader *reader,
                      const struct yaml_node *node,
                      const char *name,
                      struct resources *needs);

/* Where nothing was stated: 1 node, 1 rank a node, 1 core a rank. */
void task_needs_complete (struct resources *needs);

#endif /* !CAMPAIGN_TASK_NEEDS_H */
