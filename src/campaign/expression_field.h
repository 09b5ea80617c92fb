/* SPDX-License-Identifier: BSD-3-Clause */
/* expression_field.h - `when:`, `stop: when:` and `history:` */
#ifndef CAMPAIGN_EXPRESSION_FIELD_H
#define CAMPAIGN_EXPRESSION_FIELD_H

#include <stdbool.h>

struct expression;
struct field_reader;
struct plan;
struct yaml_node;

/* Read the expression in 'node' and check that every name is `iteration`, or
 * an output of a stage of this or the previous iteration.  'waits' (NULL: not
 * of interest) has an entry per stage, set for those of this iteration that
 * are named.  'name' is what messages call the place.  NULL when anything is
 * wrong; else the caller destroys it, and *text is in the arena.
 */
struct expression *expression_field_read (const struct field_reader *reader,
                                          const struct plan *plan,
                                          const struct yaml_node *node,
                                          const char *name,
                                          bool *waits,
                                          const char **text);

#endif /* !CAMPAIGN_EXPRESSION_FIELD_H */
