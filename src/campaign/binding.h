/* SPDX-License-Identifier: BSD-3-Clause */
/* binding.h - where the inputs of a stage come from
 *
 * In `with:` an input is bound to a literal, to a reference (STAGE.OUTPUT,
 * previous.STAGE.OUTPUT, all., latest.), to a list of references, or in the
 * long form to {from: TEXT or such a list, default: LITERAL} or {literal:
 * VALUE}.  The expressions of `when:`, `stop: when:` and `history:` are made of
 * references, too.
 */
#ifndef CAMPAIGN_BINDING_H
#define CAMPAIGN_BINDING_H

#include "campaign/plan.h"
#include "signature/type.h"

struct arena;
struct expression;
struct yaml_node;

/* --- bindings --- */

/* What a binding is made of. */
struct binding_request {
    const struct stage *stage;
    const struct yaml_node *at; /* the stage's key, where nothing better is
                                   known to blame */
    const struct port *port;
    const struct yaml_node *node; /* what `with:` says of the port, or NULL */
    const struct yaml_node *from_at; /* where the port says its `from:` */
    const struct yaml_node *own;     /* `operators:`, or NULL */
    const struct json *known;        /* the stage's inputs that are known by now
                                        (stage_known_values), or NULL */
    bool misplaced; /* `with:` has keys that are no inputs: one that is missing
                       in a section is likely among them */
};

/* Bind the port to what `with:` says, else to what the port says itself.
 * Whatever does not fit the port's type is recorded; the binding is then
 * SOURCE_UNBOUND.
 */
void binding_compile (const struct plan *plan,
                      const struct binding_request *request,
                      struct binding *binding);

/* --- literals: values as a person writes them, "10m" where a duration is
 * wanted becomes 600.0, "1GiB" becomes bytes; a plain 3 where text is wanted is
 * text ---
 */

/* The literal 'node' of type 'type'; NULL after recording everything that is
 * wrong, at the node it is wrong with.  'name' is what messages call it
 * ("input 'ridge' of stage 'train'").  'flags' are value_check's: with
 * VALUE_ON_DISK paths are looked at, relative to the campaign directory.
 * Caller unrefs.
 */
struct json *literal_read (const struct yaml_node *node,
                           const struct type *type, int flags,
                           const char *name);

/* The same of what is bound to an input: where an int is sliced a whole number
 * N, too, for 0 to N-1.  'fan_out' (NULL: none) lists the inputs that are
 * sliced.
 */
struct json *literal_read_input (const struct yaml_node *node,
                                 const struct port *port,
                                 const char *const *fan_out, int flags,
                                 const char *name);

/* VALUE_ON_DISK, but for what was checked once and is recorded. */
int literal_flags (const struct yaml_node *node);

/* --- references --- */

struct reference {
    enum source source; /* SOURCE_THIS, _PREVIOUS, _ALL or _LATEST */
    const char *stage;
    const char *output;
    int index; /* reference_resolve: of the stage that makes it */
    const struct family *family; /* reference_resolve: whose `count` or
                                    `proceed` it is, made by several; NULL: of
                                    no family, or made by the stage 'index' */
    struct type type; /* reference_resolve: of the output as it is seen through
                         'source'; TYPE_NONE when its operator has problems */
};

/* Does 'text' look like a reference?  Its words are copied to the arena. */
bool reference_parse (struct arena *arena, const char *text,
                      struct reference *reference);

/* The same of a text of the campaign, in which references are to families, too;
 * 'made': by the compiler, which refers to steps ("train.run.model").  A text
 * of more words than a reference has is one of those that begins with a family.
 */
bool reference_read (const struct plan *plan, const char *text, bool made,
                     struct reference *reference);

/* Find what is referred to among plan->stages, whose operators are known
 * (NULL: have problems), and families.  Steps are only there for what is
 * 'made'.  -1 after recording that there is no such stage or
 * output; 'name' is what messages call the place ("input 'x' of stage 'y'").
 */
int reference_resolve (const struct plan *plan, const struct yaml_node *node,
                       const char *name, struct reference *reference);

/* Append the names of the stages that may be referred to: those of the file,
 * and for what is 'made' all that the plan has.
 */
void reference_stage_names (const struct plan *plan, bool made,
                            struct strvec *names);

/* Set the entry of each stage that makes what was resolved. */
void reference_note_waits (const struct plan *plan,
                           const struct reference *reference, bool *waits);

/* Read the expression in 'node' and check that every name is `iteration`, or
 * an output of a stage of this or the previous iteration.  'waits' (NULL: not
 * of interest) has an entry per stage, set for those of this iteration that
 * are named.  'name' is what messages call the place.  NULL when anything is
 * wrong; else the caller destroys it, and *text is in the arena.
 * 'is_condition': it has to be true or false.
 */
struct expression *expression_field_read (const struct plan *plan,
                                          const struct yaml_node *node,
                                          const char *name, bool is_condition,
                                          bool *waits, const char **text);

#endif /* !CAMPAIGN_BINDING_H */
