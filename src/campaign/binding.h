/* SPDX-License-Identifier: BSD-3-Clause */
/* binding.h - where the inputs of a stage come from
 *
 * In `with:` an input is bound to a literal, to a reference (see reference.h),
 * or in the long form to {from: TEXT, default: LITERAL} or {literal: VALUE}.
 */
#ifndef CAMPAIGN_BINDING_H
#define CAMPAIGN_BINDING_H

#include "base/problems.h"

struct binding;
struct plan;
struct port;
struct stage;
struct yaml_node;

struct binding_context {
    const struct plan *plan;    /* models, elements, data; all stages with their
                                   operators */
    const struct stage *stage;  /* whose input is bound */
    const struct yaml_node *at; /* the stage's key, where nothing better is
                                   known to blame */
};

/* Bind 'port': to what 'node' (its entry in `with:`, or NULL) says, else to
 * what the port says itself, `from:` at 'from_at'.  Whatever does not fit
 * the port's type is recorded; the binding is then SOURCE_UNBOUND.
 */
void binding_compile (const struct binding_context *context,
                      const struct port *port,
                      const struct yaml_node *node,
                      const struct yaml_node *from_at,
                      struct binding *binding);

#endif /* !CAMPAIGN_BINDING_H */
