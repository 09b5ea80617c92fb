/* SPDX-License-Identifier: BSD-3-Clause */
/* retry_rules.h - what to do when a task ends in some way: defaults, `retry:`
 */
#ifndef CAMPAIGN_RETRY_RULES_H
#define CAMPAIGN_RETRY_RULES_H

#include "arrays/outcome.h"

struct field_reader;
struct retry_rule;
struct yaml_node;

/* What a campaign does that says nothing about retrying. */
void retry_rules_default (struct retry_rule rules[OUTCOME_COUNT]);

/* Change 'rules' to what `retry:` says, OUTCOME: TRIES or OUTCOME: {tries,
 * walltime, memory, exclude_node}; what is not mentioned stays.  'name' is
 * what messages call the mapping.
 */
void retry_rules_read (const struct field_reader *reader,
                       const struct yaml_node *node,
                       const char *name,
                       struct retry_rule rules[OUTCOME_COUNT]);

#endif /* !CAMPAIGN_RETRY_RULES_H */
