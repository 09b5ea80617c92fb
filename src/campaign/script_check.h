/* SPDX-License-Identifier: BSD-3-Clause */
/* script_check.h - do the scripts of a declared operator read what there is? */
#ifndef CAMPAIGN_SCRIPT_CHECK_H
#define CAMPAIGN_SCRIPT_CHECK_H

struct operator_spec;
struct yaml_node;

/* Warn, in the scripts of the declaration 'node' of 'op', whose ports and group
 * are good, of variables that are neither placeholders there nor set in the
 * text, of placeholders in braces, and of optional inputs without a default.
 * Record placeholders that would be the same variable, also one of `env:`.
 */
void scripts_check (const struct yaml_node *node,
                    const struct operator_spec *op);

#endif /* !CAMPAIGN_SCRIPT_CHECK_H */
