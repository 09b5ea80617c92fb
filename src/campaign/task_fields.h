/* SPDX-License-Identifier: BSD-3-Clause */
/* task_fields.h - `task:` of a stage or an operator, `retry:` of a stage */
#ifndef CAMPAIGN_TASK_FIELDS_H
#define CAMPAIGN_TASK_FIELDS_H

#include "campaign/plan.h"

struct yaml_node;

enum {
    NEED_COUNT_MAX = 1000000
}; /* beyond any node, and sums far from INT_MAX */

/* Change the struct resources 'needs' to what {nodes, cores, ranks, gpus,
 * memory, walltime} say; what is not mentioned stays (0: unstated), but ranks
 * without cores keep the cores per rank, and `auto` keeps the size, which is
 * that of as long as nothing was learned.  For a struct field.
 */
void task_needs_read (const struct yaml_node *node, void *needs);

/* As task_needs_read, of one instance of a program of a group: it may have 1/N
 * of a core, which N instances share.
 */
void program_needs_read (const struct yaml_node *node, struct resources *needs);

/* Where nothing was stated: 1 node, 1 rank a node, 1 core a rank. */
void task_needs_complete (struct resources *needs);

/* What a campaign does that says nothing about retrying. */
void retry_rules_default (struct retry_rule rules[OUTCOME_COUNT]);

/* Change 'rules', a struct retry_rule for each outcome, to what `retry:` says,
 * OUTCOME: TRIES or OUTCOME: {tries, walltime, memory, exclude_node}; what is
 * not mentioned stays.  For a struct field.
 */
void retry_rules_read (const struct yaml_node *node, void *rules);

#endif /* !CAMPAIGN_TASK_FIELDS_H */
