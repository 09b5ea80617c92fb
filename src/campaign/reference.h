/* SPDX-License-Identifier: BSD-3-Clause */
/* reference.h - STAGE.OUTPUT, previous.STAGE.OUTPUT, all., latest., and the
 * expressions over them: `when:`, `stop: when:` and `history:`
 */
#ifndef CAMPAIGN_REFERENCE_H
#define CAMPAIGN_REFERENCE_H

#include <stdbool.h>

#include "base/problems.h"
#include "campaign/plan.h"
#include "signature/type.h"

struct expression;
struct arena;
struct yaml_node;

struct reference {
    enum source source; /* SOURCE_THIS, _PREVIOUS, _ALL or _LATEST */
    const char *stage;
    const char *output;
    int index;        /* reference_resolve: of the stage */
    struct type type; /* reference_resolve: of the output as it is seen through
                         'source'; TYPE_NONE when its operator has problems */
};

/* Does 'text' look like a reference?  Its words are copied to the arena. */
bool reference_parse (struct arena *arena,
                      const char *text,
                      struct reference *reference);

/* Find what is referred to among plan->stages, whose operators are known
 * (NULL: have problems).  -1 after recording that there is no such stage or
 * output; 'name' is what messages call the place ("input 'x' of stage 'y'").
 */
int reference_resolve (const struct plan *plan,
                       const struct yaml_node *node,
                       const char *name,
                       struct reference *reference);

/* Read the expression in 'node' and check that every name is `iteration`, or
 * an output of a stage of this or the previous iteration.  'waits' (NULL: not
 * of interest) has an entry per stage, set for those of this iteration that
 * are named.  'name' is what messages call the place.  NULL when anything is
 * wrong; else the caller destroys it, and *text is in the arena.
 */
struct expression *expression_field_read (const struct plan *plan,
                                          const struct yaml_node *node,
                                          const char *name,
                                          bool *waits,
                                          const char **text);

#endif /* !CAMPAIGN_REFERENCE_H */
