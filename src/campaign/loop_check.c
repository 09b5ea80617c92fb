/* SPDX-License-Identifier: BSD-3-Clause */
/* loop_check.c - does a campaign that selects also label what it selects, train
 * on what it labels, and wait for what can be true?
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/json.h"
#include "campaign/compilation.h"
#include "signature/operator.h"

static bool selects (const struct stage *stage)
{
    return stage->op && strcmp (stage->op->name, "model_devi.select") == 0;
}

/* The port that the stage publishes, or NULL. */
static const struct port *published (const struct stage *stage)
{
    const struct port *tables[] = { stage->op->collected, stage->op->outputs };

    for (size_t i = 0; i < ARRAY_SIZE (tables); i++) {
        for (const struct port *port = tables[i]; port && port->name; port++) {
            if (port->publish)
                return port;
        }
    }
    return NULL;
}

static void check_selected (const struct compilation *c,
                            const struct yaml_node *key,
                            const struct stage *stage)
{
    if (!plan_binds (c->plan, stage, "frames"))
        field_warning (key,
                       "no stage takes %s.frames, so what is selected is never "
                       "labelled; write frames: previous.%s.frames in the "
                       "stage that labels",
                       stage->name, stage->name);
}

static void check_labelled (const struct compilation *c,
                            const struct yaml_node *key,
                            const struct stage *stage)
{
    const struct port *port = published (stage);

    if (port && stage->publish && !plan_binds (c->plan, stage, port->name))
        field_warning (key,
                       "no stage takes %s.%s, so nothing is trained on what is "
                       "labelled; bind all.%s.%s in the stage that trains",
                       stage->name, port->name, stage->name, port->name);
}

static const struct binding *binding_of (const struct stage *stage,
                                         const char *name)
{
    for (size_t i = 0; i < stage->n_bindings; i++) {
        if (strcmp (stage->bindings[i].port->name, name) == 0)
            return &stage->bindings[i];
    }
    return NULL;
}

static bool is_given (const struct stage *stage, const char *name)
{
    const struct binding *b = binding_of (stage, name);

    return b && (b->source != SOURCE_UNBOUND || !json_is_null (b->literal));
}

/* `converged` is false where nothing says what that is. */
static void check_converged (const struct compilation *c,
                             const struct stage *stage)
{
    const struct yaml_node *when =
        field_find (field_find (c->root, "stop"), "when");
    char *name = xasprintf ("%s.converged", stage->name);

    if (when && when->kind == YAML_SCALAR && strstr (when->text, name)
        && !is_given (stage, "convergence.accurate")
        && !is_given (stage, "convergence.drift"))
        field_warning (when,
                       "%s is false as long as the stage does not say what it "
                       "is; write convergence: {accurate: 0.95} there, or "
                       "when: %s.accurate >= 0.95 here",
                       name, stage->name);
    free (name);
}

/* Errors of what is trained on say nothing of the rest. */
static void check_validation (const struct compilation *c,
                              const struct stage *stage)
{
    const struct binding *validation = binding_of (stage, "validation");
    const struct binding *datasets = binding_of (stage, "datasets");

    if (validation && datasets && validation->stage >= 0
        && validation->stage == datasets->stage
        && validation->source == datasets->source)
        problems_warn (c->reader.problems, validation->mark,
                       "stage '%s' is validated on what it is trained on; "
                       "write validation: {from: data.held_out}",
                       stage->name);
}

/* LAMMPS dumps hold forces. */
static void check_quantities (const struct compilation *c,
                              const struct yaml_node *key,
                              const struct stage *stage)
{
    const struct binding *forces = binding_of (stage, "forces");
    const struct stage *from =
        forces && forces->stage >= 0 ? &c->plan->stages[forces->stage] : NULL;

    if (from && from->op && strcmp (from->op->name, "lammps.explore") == 0
        && (is_given (stage, "levels.virial")
            || is_given (stage, "levels.energy")))
        field_problem (key,
                       "levels for the virial and the energy need what "
                       "lammps.explore writes with committee: deepmd (the "
                       "virial) or a code of your own; write levels for the "
                       "force alone, or that");
}

/* "when: iteration == 0" of what needs something of the iteration before. */
static void check_first (const struct compilation *c,
                         const struct yaml_node *key, const struct stage *stage)
{
    const struct yaml_node *when =
        field_find (field_find (c->stages, key->text), "when");

    if (!when || when->kind != YAML_SCALAR
        || strcmp (when->text, "iteration == 0") != 0)
        return;
    for (size_t i = 0; i < stage->n_bindings; i++) {
        const struct binding *b = &stage->bindings[i];

        if (b->source == SOURCE_PREVIOUS && !b->fallback && b->stage >= 0
            && !b->port->optional)
            field_warning (when,
                           "stage '%s' is run in iteration 0 alone, and "
                           "previous.%s is not there then, so it never runs; "
                           "write default: of '%s', or another condition",
                           stage->name, c->plan->stages[b->stage].name,
                           b->port->name);
    }
}

void loop_check (const struct compilation *c)
{
    const struct plan *plan = c->plan;
    bool loop = false;

    for (size_t i = 0; i < plan->n_stages; i++)
        loop = loop || selects (&plan->stages[i]);
    /* in another phase something may bind it */
    for (size_t i = 0; loop && c->n_phases <= 1 && i < plan->n_stages; i++) {
        const struct stage *stage = &plan->stages[i];
        const struct yaml_node *key = c->stages->keys[i];

        if (selects (stage)) {
            check_selected (c, key, stage);
            check_converged (c, stage);
            check_quantities (c, key, stage);
        } else if (stage->op) {
            check_labelled (c, key, stage);
            check_first (c, key, stage);
            check_validation (c, stage);
        }
    }
}
