/* SPDX-License-Identifier: BSD-3-Clause */
/* inputs.c - from bindings to values */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "campaign/plan.h"
#include "engine/inputs.h"
#include "engine/outputs_store.h"
#include "engine/state.h"
#include "space/layout.h"

/* The source stage in the iteration a binding looks at. */
static const struct stage_state *stage_at (const struct plan *plan,
                                           const struct state *state,
                                           int stage,
                                           int iteration)
{
    return state_stage (state, iteration, plan->stages[stage].name);
}

/* Newest iteration up to 'iteration' in which the stage has results; -1. */
static int latest_iteration (const struct plan *plan,
                             const struct state *state,
                             int stage,
                             int iteration)
{
    for (; iteration >= 0; iteration--) {
        const struct stage_state *s = stage_at (plan, state, stage, iteration);

        if (s && s->phase == STAGE_DONE && s->proceed)
            return iteration;
    }
    return -1;
}

/* The iteration a single-valued binding reads from; -1 when there is none. */
static int source_iteration (const struct plan *plan,
                             const struct state *state,
                             const struct binding *b,
                             int iteration)
{
    if (b->source == SOURCE_PREVIOUS)
        return iteration - 1;
    if (b->source == SOURCE_LATEST)
        return latest_iteration (plan, state, b->stage, iteration);
    return iteration;
}

static bool stage_has_ended (const struct stage_state *s)
{
    return s && (s->phase == STAGE_DONE || s->phase == STAGE_SKIPPED);
}

/* Does the source of a single-valued binding have something to give? */
static bool source_gives (const struct plan *plan,
                          const struct state *state,
                          const struct binding *b,
                          int iteration)
{
    int at = source_iteration (plan, state, b, iteration);
    const struct stage_state *s =
        at < 0 ? NULL : stage_at (plan, state, b->stage, at);

    return s && s->phase == STAGE_DONE && s->proceed;
}

static bool is_single (const struct binding *b)
{
    return b->source == SOURCE_THIS || b->source == SOURCE_PREVIOUS
           || b->source == SOURCE_LATEST;
}

enum readiness inputs_readiness (const struct plan *plan,
                                 const struct state *state,
                                 const struct stage *s,
                                 int iteration,
                                 struct strbuf *why)
{
    for (size_t i = 0; i < s->n_after; i++) {
        if (!stage_has_ended (stage_at (plan, state, s->after[i], iteration)))
            return INPUTS_WAIT;
    }
    for (size_t i = 0; i < s->n_bindings; i++) {
        const struct binding *b = &s->bindings[i];

        if (!is_single (b) || b->fallback || b->port->optional
            || source_gives (plan, state, b, iteration))
            continue;
        strbuf_addf (why, "input '%s' needs '%s' of stage '%s', which %s",
                     b->port->name, b->output, plan->stages[b->stage].name,
                     b->source == SOURCE_PREVIOUS && iteration == 0
                         ? "has no previous iteration"
                         : "has nothing to give");
        return INPUTS_SKIP;
    }
    return INPUTS_READY;
}

/* Without the entries of tasks that are not ok. */
static struct json *drop_holes (const struct json *value,
                                const struct stage_state *s)
{
    struct json *kept = json_array ();

    for (size_t i = 0; i < json_count (value); i++) {
        if ((int32_t)i >= s->n_tasks || s->tasks[i].outcome == OUTCOME_OK)
            json_push (kept, json_ref (json_at (value, i)));
    }
    return kept;
}

/* Output 'b->output' of the source stage at iteration 'at'; a new reference,
 * NULL with 'err'.
 */
static struct json *output_of (const struct plan *plan,
                               const struct state *state,
                               struct outputs_store *outputs,
                               const struct binding *b,
                               int at,
                               struct error *err)
{
    const struct stage *source = &plan->stages[b->stage];
    struct stage_place place = { source->name, source->op->code, at };
    const struct stage_state *s = stage_at (plan, state, b->stage, at);
    const struct json *all = outputs_store_get (outputs, &place, err);
    struct json *value;
    bool stacked = operator_fans_out (source->op)
                   && port_find (source->op->outputs, b->output);

    if (!all)
        return NULL;
    if (!(value = json_get (all, b->output))) {
        error_set (err, "stage '%s' left no output '%s' in iteration %d",
                   source->name, b->output, at);
        return NULL;
    }
    if (stacked && !b->port->holes && s)
        return drop_holes (value, s);
    return json_ref (value);
}

/* Push 'value', or its elements when it is a list, to 'list'. */
static void push_flat (struct json *list, struct json *value)
{
    if (json_kind (value) != JSON_KIND_ARRAY) {
        json_push (list, json_ref (value));
        return;
    }
    for (size_t i = 0; i < json_count (value); i++)
        push_flat (list, json_at (value, i));
}

/* Every iteration's output so far; for frames one flat list of files. */
static struct json *resolve_all (const struct plan *plan,
                                 const struct state *state,
                                 struct outputs_store *outputs,
                                 const struct binding *b,
                                 int iteration,
                                 struct error *err)
{
    bool flat = b->port->type.kind == TYPE_FRAMES;
    struct json *list = json_array ();

    for (size_t i = 0; flat && plan->initial && plan->initial[i]; i++)
        json_push (list, json_string (plan->initial[i]));
    for (int at = 0; at <= iteration; at++) {
        const struct stage_state *s = stage_at (plan, state, b->stage, at);
        struct json *value;

        if (!s || s->phase != STAGE_DONE || s->count == 0)
            continue;
        if (!(value = output_of (plan, state, outputs, b, at, err))) {
            json_unref (list);
            return NULL;
        }
        if (flat) {
            push_flat (list, value);
            json_unref (value);
        } else {
            json_push (list, value);
        }
    }
    return list;
}

/* *value: a new reference, or NULL for an absent optional input. */
static int resolve (const struct plan *plan,
                    const struct state *state,
                    struct outputs_store *outputs,
                    const struct binding *b,
                    int iteration,
                    struct json **value,
                    struct error *err)
{
    *value = NULL;
    if (b->source == SOURCE_UNBOUND || b->source == SOURCE_LITERAL) {
        *value = json_ref (b->literal);
        return 0;
    }
    if (b->source == SOURCE_ITERATION) {
        *value = json_int (iteration);
        return 0;
    }
    if (b->source == SOURCE_ALL) {
        *value = resolve_all (plan, state, outputs, b, iteration, err);
    } else if (!source_gives (plan, state, b, iteration)) {
        *value = json_ref (b->fallback);
        return 0;
    } else {
        int at = source_iteration (plan, state, b, iteration);

        *value = output_of (plan, state, outputs, b, at, err);
    }
    return *value ? 0 : error_prefix (err, "input '%s'", b->port->name);
}

struct json *inputs_resolve (const struct plan *plan,
                             const struct state *state,
                             struct outputs_store *outputs,
                             const struct stage *s,
                             int iteration,
                             struct error *err)
{
    struct json *values = json_object ();

    for (size_t i = 0; i < s->n_bindings; i++) {
        const struct binding *b = &s->bindings[i];
        struct json *value;

        if (resolve (plan, state, outputs, b, iteration, &value, err) < 0) {
            json_unref (values);
            return NULL;
        }
        if (value)
            json_set (values, b->port->name, value);
    }
    return values;
}

struct json *inputs_lookup (const struct plan *plan,
                            const struct state *state,
                            struct outputs_store *outputs,
                            int iteration,
                            const char *name)
{
    static const char previous[] = "previous.";
    const char *rest = name;
    const char *dot;
    const struct stage_state *s;
    struct json *value = NULL;
    char *stage;
    int at = iteration;
    int i;

    if (strcmp (name, "iteration") == 0)
        return json_int (iteration);
    if (strncmp (name, previous, strlen (previous)) == 0) {
        rest += strlen (previous);
        at--;
    }
    if (!(dot = strchr (rest, '.')))
        return NULL;
    stage = xstrndup (rest, (size_t)(dot - rest));
    i = plan_stage_find (plan, stage);
    s = i < 0 ? NULL : state_stage (state, at, stage);
    if (s && s->phase == STAGE_DONE) {
        struct stage_place place = { plan->stages[i].name,
                                     plan->stages[i].op->code, at };

        value = json_get (outputs_store_get (outputs, &place, NULL), dot + 1);
    }
    free (stage);
    return json_ref (value);
}
