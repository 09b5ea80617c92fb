/* SPDX-License-Identifier: BSD-3-Clause */
/* committee_check.c - has a committee the members it needs? */
#include "base/base.h"

#include "base/json.h"
#include "campaign/compilation.h"
#include "signature/operator.h"

/* Outputs of stages that take each other's from the iteration before. */
enum { LINKS_MAX = 8 };

/* Items of a literal, of the shortest list where there are several. */
static int64_t count_literal (const struct json *v)
{
    int64_t least = -1;

    if (json_kind (v) != JSON_KIND_ARRAY)
        return -1;
    if (json_kind (json_at (v, 0)) != JSON_KIND_ARRAY)
        return (int64_t)json_count (v);
    for (size_t i = 0; i < json_count (v); i++) {
        int64_t n = count_literal (json_at (v, i));

        least = least < 0 || n < least ? n : least;
    }
    return least;
}

static const struct binding *input_of (const struct stage *stage,
                                       const char *name)
{
    for (size_t k = 0; k < stage->n_bindings; k++) {
        if (strcmp (stage->bindings[k].port->name, name) == 0)
            return &stage->bindings[k];
    }
    return NULL;
}

/* The input whose list has as many items as the output: the one it says, or
 * what a task of the stage has one of.
 */
static const struct binding *counted_by (const struct stage *stage,
                                         const char *output)
{
    const struct port *port = port_find (stage->op->outputs, output);

    if (!port || port_find (stage->op->collected, output))
        return NULL;
    if (port->each_of)
        return input_of (stage, port->each_of);
    if (port->type.depth > 0 || !stage->op->fan_out || !stage->op->fan_out[0])
        return NULL;
    return input_of (stage, stage->op->fan_out[0]);
}

/* Does a task make a list of them itself? */
static bool is_each_of (const struct stage *stage, const char *output)
{
    const struct port *port = port_find (stage->op->outputs, output);

    return port && port->each_of;
}

/* The literal that says how many items the innermost list of 'binding' has;
 * NULL: that is known later.  *quorum becomes the fraction of them that must be
 * there for the stages between to be done.
 */
static const struct binding *find_source (const struct plan *plan,
                                          const struct binding *binding,
                                          double *quorum)
{
    *quorum = 1;
    for (int links = 0; binding && links < LINKS_MAX; links++) {
        const struct stage *stage;

        if (binding->literal)
            return binding;
        if (binding->stage < 0 || binding->source == SOURCE_ALL)
            return NULL;
        stage = &plan->stages[binding->stage];
        if (stage->op && !is_each_of (stage, binding->output))
            *quorum = fmin (*quorum, stage->success);
        binding = stage->op ? counted_by (stage, binding->output) : NULL;
    }
    return NULL;
}

static void check_input (const struct compilation *c, const struct stage *stage,
                         const struct binding *binding)
{
    double quorum;
    const struct binding *source = find_source (c->plan, binding, &quorum);
    const struct yaml_node *models = field_find (c->root, "models");
    const char *from = source ? source->port->from : NULL;
    bool of_models = models && from && strcmp (from, "models") == 0;
    int64_t n = source ? count_literal (source->literal) : -1;

    if (n > 1 && ceil (quorum * (double)n - 1e-9) < 2)
        problems_warn (c->reader.problems, binding->mark,
                       "stage '%s' compares the members of a committee, and "
                       "by success: %g one of %lld is enough; write a success "
                       "that leaves two or more",
                       stage->name, quorum, (long long)n);
    if (n != 1) /* without any, deviations are given */
        return;
    problems_add (c->reader.problems, of_models ? models->mark : source->mark,
                  "stage '%s' compares the members of a committee, and %s "
                  "one; write %s",
                  stage->name, of_models ? "there is" : "its list has",
                  of_models ? "models: 4, or at least 2" : "at least two");
}

void committee_check (const struct compilation *c)
{
    for (size_t i = 0; i < c->plan->n_stages; i++) {
        const struct stage *stage = &c->plan->stages[i];

        for (size_t k = 0; k < stage->n_bindings; k++) {
            if (stage->bindings[k].port->committee)
                check_input (c, stage, &stage->bindings[k]);
        }
    }
}
