/* SPDX-License-Identifier: BSD-3-Clause */
/* command_check.h - do the placeholders of an operator's programs exist? */
#ifndef CAMPAIGN_COMMAND_CHECK_H
#define CAMPAIGN_COMMAND_CHECK_H

struct field_reader;
struct operator_spec;
struct yaml_node;

/* 'node' is the declaration 'op' was read from without a problem. */
void command_check (const struct field_reader *reader,
                    const struct yaml_node *node,
                    const struct operator_spec *op);

#endif /* !CAMPAIGN_COMMAND_CHECK_H */
