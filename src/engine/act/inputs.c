/* SPDX-License-Identifier: BSD-3-Clause */
/* inputs.c - from bindings to values */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/act/inputs.h"
#include "engine/decide/readiness.h"
#include "engine/history/outputs_store.h"
#include "engine/history/state.h"
#include "space/layout.h"

/* The source stage in the iteration a binding looks at. */
static const struct stage_state *stage_at (const struct plan *plan,
                                           const struct state *state, int stage,
                                           int iteration)
{
    return state_stage (state, iteration, plan->stages[stage].name);
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
                               const struct binding *b, int at,
                               struct error *err)
{
    const struct stage *source = &plan->stages[b->stage];
    const struct stage_place place = {
        source->name, state_code (state, at, source->name, source->op->code), at
    };
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
                                 const struct binding *b, int iteration,
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
static int resolve (const struct plan *plan, const struct state *state,
                    struct outputs_store *outputs, const struct binding *b,
                    int iteration, struct json **value, struct error *err)
{
    int at;

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
    } else if ((at = source_iteration (plan, state, b, iteration)) < 0) {
        *value = json_ref (b->fallback);
        return 0;
    } else {
        *value = output_of (plan, state, outputs, b, at, err);
    }
    return *value ? 0 : error_prefix (err, "input '%s'", b->port->name);
}

struct json *inputs_resolve (const struct plan *plan, const struct state *state,
                             struct outputs_store *outputs,
                             const struct stage *s, int iteration,
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
