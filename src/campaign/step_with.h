/* SPDX-License-Identifier: BSD-3-Clause */
/* step_with.h - `with:` and `when:` of a step, written out for one stage
 *
 * In an operator with steps `with:` speaks of inputs.NAME and of the steps
 * beside.  Written out, inputs are what the stage binds to them, and steps have
 * the names that they have in the campaign; every value says which it is,
 * {from: ...} or {literal: ...}, so that nothing in it is taken for a name
 * of the campaign by chance.  Pure: YAML in, YAML out.
 */
#ifndef CAMPAIGN_STEP_WITH_H
#define CAMPAIGN_STEP_WITH_H

struct operator_spec;
struct plan;
struct yaml_node;

struct step_scope {
    const struct plan *plan;        /* of its constants (elements, data) */
    const struct yaml_node *stages; /* the names that stages of the file have */
    const char *name;               /* "train", whose steps these are */
    const struct operator_spec *op; /* what it uses */
    const struct yaml_node *with;   /* what it binds, or NULL; written out
                                       where it is a step itself */
    const struct yaml_node *inputs; /* what the operator declares, or NULL */
    const struct yaml_node *at;     /* where references stand that do not fit;
                                       NULL: where they are written */
};

/* 'with' of a step that uses 'op', which has no problems; inputs that come to
 * nothing are left out.  In the reader's arena.
 */
struct yaml_node *step_with_written_out (const struct step_scope *scope,
                                         const struct operator_spec *op,
                                         const struct yaml_node *with);

/* `when:` of a step, a scalar that is good, in the same way: an expression of
 * the campaign, and where 'stage' says `when:`, too, both.  What an input is
 * that has no place in an expression (a list that is written out) is recorded.
 */
struct yaml_node *step_when_written_out (const struct step_scope *scope,
                                         const struct yaml_node *when,
                                         const struct yaml_node *stage);

/* Call 'each' with every STEP.OUTPUT that 'with' of a step refers to. */
void step_with_references (
    const struct step_scope *scope, const struct operator_spec *op,
    const struct yaml_node *with,
    void (*each) (const char *step, const char *output, void *arg), void *arg);

#endif /* !CAMPAIGN_STEP_WITH_H */
