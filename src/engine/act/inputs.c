/* SPDX-License-Identifier: BSD-3-Clause */
/* inputs.c - from bindings to values */
#include "base/base.h"

#include "arrays/task_range.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/act/inputs.h"
#include "engine/history/lost_results.h"
#include "engine/decide/readiness.h"
#include "engine/history/outputs_store.h"
#include "engine/history/state.h"
#include "signature/operator.h"
#include "signature/value.h"
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
    const struct stage_state *s = stage_at (plan, state, b->stage, at);
    const struct json *all = outputs_store_get (outputs, at, source->name, err);
    struct json *value;
    bool stacked = operator_fans_out (source->op)
                   && port_find (source->op->outputs, b->output);

    if (!all && err && error_is_absence (err))
        lost_results_say (source->name, at, err);
    if (!all)
        return NULL;
    value = json_get (all, b->output);
    if (!value && b->port->from_if_made && b->fallback)
        return json_ref (b->fallback); /* a version before made none */
    if (!value) {
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

/* Whose values are being looked up, and when. */
struct lookup {
    const struct plan *plan;
    const struct state *state;
    struct outputs_store *outputs;
    int iteration;
};

static bool is_flat (const struct binding *b)
{
    return b->port->type.kind == TYPE_FRAMES;
}

/* What any `all.` of frames begins with. */
static void push_initial (const struct plan *plan, struct json *list)
{
    for (size_t i = 0; plan->initial && plan->initial[i]; i++)
        json_push (list, json_string (plan->initial[i]));
}

static bool is_among_all (const struct lookup *l, const struct binding *b,
                          int at)
{
    const struct stage_state *s = stage_at (l->plan, l->state, b->stage, at);

    return s && s->status == STAGE_DONE && s->count > 0;
}

/* Every iteration's output so far; of frames the files. */
static struct json *all_outputs (const struct lookup *l,
                                 const struct binding *b, struct error *err)
{
    _cleanup_json_ struct json *list = json_array ();

    for (int at = 0; at <= l->iteration; at++) {
        _cleanup_json_ struct json *value = NULL;

        if (!is_among_all (l, b, at))
            continue;
        if (!(value = output_of (l->plan, l->state, l->outputs, b, at, err)))
            return NULL;
        if (is_flat (b))
            push_flat (list, value);
        else
            json_push (list, json_ref (value));
    }
    return steal (&list);
}

/* Was a source, or that of any part (where they make one value, of every part),
 * not skipped?
 */
static bool has_source (const struct lookup *l, const struct binding *b)
{
    bool wanted = b->fold == FOLD_LIST;

    for (size_t i = 0; i < b->n_parts; i++) {
        if (has_source (l, &b->parts[i]) == wanted)
            return wanted;
    }
    return !wanted || b->source == SOURCE_ALL || b->source == SOURCE_LITERAL
           || (b->source != SOURCE_JOINED
               && source_iteration (l->plan, l->state, b, l->iteration) >= 0);
}

static struct json *resolve_list (const struct lookup *l,
                                  const struct binding *b, struct error *err);

/* The least of the parts, or whether all are true. */
static struct json *resolve_fold (const struct lookup *l,
                                  const struct binding *b, struct error *err)
{
    _cleanup_json_ struct json *list = resolve_list (l, b, err);
    int64_t least = INT64_MAX;
    bool all = true;

    if (!list)
        return NULL;
    for (size_t i = 0; i < json_count (list); i++) {
        const struct json *v = json_at (list, i);

        all = all && json_as_bool (v);
        least = json_as_int (v) < least ? json_as_int (v) : least;
    }
    return b->fold == FOLD_LEAST ? json_int (least) : json_bool (all);
}

/* What one reference gives that has a source; initial data aside. */
static struct json *value_of (const struct lookup *l, const struct binding *b,
                              struct error *err)
{
    if (b->source == SOURCE_LITERAL)
        return json_ref (b->literal);
    if (b->source == SOURCE_ALL)
        return all_outputs (l, b, err);
    if (b->fold != FOLD_LIST)
        return resolve_fold (l, b, err);
    return output_of (l->plan, l->state, l->outputs, b,
                      source_iteration (l->plan, l->state, b, l->iteration),
                      err);
}

/* Push what a reference, or a part of several, has. */
static int push_part (const struct lookup *l, const struct binding *part,
                      struct json *list, struct error *err)
{
    _cleanup_json_ struct json *value = NULL;

    if (!has_source (l, part))
        return 0;
    if (!(value = value_of (l, part, err)))
        return -1;
    if (is_flat (part))
        push_flat (list, value);
    else if (part->is_item)
        json_push (list, json_ref (value));
    else
        for (size_t i = 0; i < json_count (value); i++)
            json_push (list, json_ref (json_at (value, i)));
    return 0;
}

static bool takes_all (const struct binding *b)
{
    for (size_t i = 0; i < b->n_parts; i++) {
        if (b->parts[i].source == SOURCE_ALL)
            return true;
    }
    return b->source == SOURCE_ALL;
}

/* `all.` and joined lists.  The initial data come first, once. */
static struct json *resolve_list (const struct lookup *l,
                                  const struct binding *b, struct error *err)
{
    _cleanup_json_ struct json *list = json_array ();

    if (is_flat (b) && takes_all (b))
        push_initial (l->plan, list);
    if (b->source == SOURCE_ALL && push_part (l, b, list, err) < 0)
        return NULL;
    for (size_t i = 0; i < b->n_parts; i++) {
        if (push_part (l, &b->parts[i], list, err) < 0)
            return NULL;
    }
    return steal (&list);
}

/* *value: a new reference, or NULL for an absent optional input. */
static int resolve (const struct lookup *l, const struct binding *b,
                    struct json **value, struct error *err)
{
    *value = NULL;
    switch (b->source) {
    case SOURCE_UNBOUND:
    case SOURCE_LITERAL:
        *value = json_ref (b->literal);
        return 0;
    case SOURCE_ITERATION:
        *value = json_int (l->iteration);
        return 0;
    default:
        break;
    }
    if (!has_source (l, b)) {
        *value = json_ref (b->fallback);
        return 0;
    }
    if (b->source == SOURCE_ALL
        || (b->source == SOURCE_JOINED && b->fold == FOLD_LIST))
        *value = resolve_list (l, b, err);
    else
        *value = value_of (l, b, err);
    return *value ? 0 : error_prefix (err, "input '%s'", b->port->name);
}

/* The value, or where it is the number of slices of an int the list of them;
 * NULL with 'err'.  The reference is taken over.
 */
static struct json *as_slices (const struct stage *s, const struct binding *b,
                               struct json *value, struct error *err)
{
    struct json *numbers;

    if (json_kind (value) != JSON_KIND_INT
        || !port_counts (b->port, s->op->fan_out))
        return value;
    if (!(numbers = value_numbers (json_as_int (value), err)))
        error_prefix (err, "input '%s'", b->port->name);
    json_unref (value);
    return numbers;
}

struct json *inputs_resolve (const struct plan *plan, const struct state *state,
                             struct outputs_store *outputs,
                             const struct stage *s, int iteration,
                             struct error *err)
{
    const struct lookup lookup = { plan, state, outputs, iteration };
    _cleanup_json_ struct json *values = json_object ();

    for (size_t i = 0; i < s->n_bindings; i++) {
        const struct binding *b = &s->bindings[i];
        struct json *value;

        if (resolve (&lookup, b, &value, err) < 0
            || (value && !(value = as_slices (s, b, value, err))))
            return NULL;
        if (value)
            json_set (values, b->port->name, value);
    }
    return steal (&values);
}

/* --- where they come from --- */

static void push_sources (const struct lookup *l, const struct binding *b,
                          struct json *list)
{
    _cleanup_ (task_range_release) struct task_range iterations =
        TASK_RANGE_INIT;
    struct json *one;

    for (size_t i = 0; i < b->n_parts; i++)
        push_sources (l, &b->parts[i], list);
    if (b->n_parts > 0 || b->stage < 0 || !has_source (l, b))
        return;
    if (b->source != SOURCE_ALL)
        task_range_add (&iterations,
                        source_iteration (l->plan, l->state, b, l->iteration));
    for (int at = 0; b->source == SOURCE_ALL && at <= l->iteration; at++) {
        if (is_among_all (l, b, at))
            task_range_add (&iterations, at);
    }
    one = json_object ();
    json_set (one, "stage", json_string (l->plan->stages[b->stage].name));
    json_set (one, "output", json_string (b->output));
    json_set (one, "iterations", task_range_to_json (&iterations));
    json_push (list, one);
}

struct json *inputs_sources (const struct plan *plan, const struct state *state,
                             const struct stage *s, int iteration)
{
    const struct lookup lookup = { plan, state, NULL, iteration };
    struct json *sources = json_object ();

    for (size_t i = 0; i < s->n_bindings; i++) {
        _cleanup_json_ struct json *list = json_array ();

        push_sources (&lookup, &s->bindings[i], list);
        if (json_count (list) > 0)
            json_set (sources, s->bindings[i].port->name, json_ref (list));
    }
    return sources;
}
