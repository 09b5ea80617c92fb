/* SPDX-License-Identifier: BSD-3-Clause */
/* latest.c - what `latest.` in a function stands for when it is called */
#include "base/base.h"

#include "base/json.h"
#include "calls/call_space.h"
#include "calls/latest.h"
#include "campaign/plan.h"
#include "engine/history/call_result.h"
#include "engine/history/engine.h"
#include "engine/history/made.h"
#include "engine/history/outputs_store.h"
#include "signature/operator.h"
#include "signature/value.h"
#include "space/layout.h"

/* A value that was found, and where; value NULL: nothing is done. */
struct found {
    struct json *value;
    struct json *origin;
};

static void found_release (struct found *found)
{
    json_unref (found->value);
    json_unref (found->origin);
}

/* --- one reference --- */

/* Tasks that are not ok left none. */
static struct json *without_holes (struct json *value)
{
    struct json *list;

    if (json_kind (value) != JSON_KIND_ARRAY)
        return json_ref (value);
    list = json_array ();
    for (size_t i = 0; i < json_count (value); i++) {
        if (!json_is_null (json_at (value, i)))
            json_push (list, json_ref (json_at (value, i)));
    }
    return list;
}

static struct json *value_for (const struct binding *binding,
                               const struct json *outputs)
{
    struct json *value = json_get (outputs, binding->output);

    if (json_is_null (value))
        return NULL;
    return binding->port->holes ? json_ref (value) : without_holes (value);
}

/* Is what was found, of the campaign in 'engine', still what was made there? */
static int compare_found (const struct engine *engine,
                          const struct binding *binding,
                          const struct json *value, struct error *err)
{
    bool always = engine->plan && engine->plan->verify_always;
    struct made made;
    int rc;

    if (!type_is_artifact (&binding->port->type))
        return 0;
    made_init (&made, engine->dir, engine->outputs, always, NULL);
    rc = made_compare_value (&made, value, err);
    made_release (&made);
    return rc;
}

/* -1, 0: nothing, 1. */
static int from_stage (const struct latest *latest,
                       const struct binding *binding, struct found *found,
                       struct error *err)
{
    const struct stage *stage = &latest->plan->stages[binding->stage];
    const struct state *state = &latest->engine->state;

    for (int at = state_iteration (state); at >= 0 && !found->value; at--) {
        const struct stage_state *s = state_stage (state, at, stage->name);
        const struct json *outputs;

        if (!s || s->status != STAGE_DONE)
            continue;
        outputs =
            outputs_store_get (latest->engine->outputs, at, stage->name, err);
        if (!outputs)
            return -1;
        if (!(found->value = value_for (binding, outputs)))
            return 0;
        if (compare_found (latest->engine, binding, found->value, err) < 0)
            return -1;
        found->origin = json_object ();
        json_set (found->origin, "stage", json_string (stage->name));
        json_set (found->origin, "iteration", json_int (at));
    }
    return found->value != NULL;
}

/* What a done call made, with paths relative to the campaign. */
static struct json *moved (const struct function *function,
                           const struct binding *binding, int number,
                           struct json *value)
{
    _cleanup_free_ char *dir = call_dir ("", function->name, number);
    struct type type;
    struct json *v;

    if (!operator_output_type (function->stage.op, binding->output, &type))
        type = binding->port->type;
    v = value_absolute (&type, value, dir);
    return v;
}

static int from_call (const struct latest *latest,
                      const struct function *function,
                      const struct binding *binding, int number,
                      struct found *found, struct error *err)
{
    char *dir = call_dir (latest->engine->dir, function->name, number);
    struct engine call = { 0 };
    _cleanup_json_ struct json *outputs = NULL;
    struct json *value;
    int rc = engine_open (&call, dir, latest->engine->program, err);

    free (dir);
    if (rc < 0)
        return -1;
    if (call.state.status == CAMPAIGN_DONE) {
        outputs = call_outputs (&call, function->name, function->family, err);
        rc = outputs ? 1 : -1;
        value = rc > 0 ? value_for (binding, outputs) : NULL;
        if (value && compare_found (&call, binding, value, err) < 0) {
            json_unref (value);
            rc = error_prefix (err, "call %d of '%s'", number, function->name);
        } else if (value) {
            found->value = moved (function, binding, number, value);
            found->origin = json_object ();
            json_set (found->origin, "function", json_string (function->name));
            json_set (found->origin, "call", json_int (number));
            json_unref (value);
        }
    }
    engine_close (&call);
    return rc;
}

static int from_calls (const struct latest *latest,
                       const struct function *function,
                       const struct binding *binding, struct found *found,
                       struct error *err)
{
    _cleanup_ (strvec_release) struct strvec numbers = STRVEC_INIT;
    int rc = calls_list (latest->engine->dir, function->name, &numbers, err);

    for (size_t i = numbers.n; rc == 0 && i > 0; i--)
        rc = from_call (latest, function, binding, atoi (numbers.v[i - 1]),
                        found, err);
    return rc < 0 ? -1 : found->value != NULL;
}

static int find (const struct latest *latest, const struct binding *binding,
                 struct found *found, struct error *err)
{
    size_t n = latest->plan->n_stages;

    if ((size_t)binding->stage < n)
        return from_stage (latest, binding, found, err);
    return from_calls (latest,
                       &latest->plan->functions[(size_t)binding->stage - n],
                       binding, found, err);
}

/* --- one input --- */

/* One list of what the parts have. */
static int find_parts (const struct latest *latest,
                       const struct binding *binding, struct found *all,
                       struct error *err)
{
    _cleanup_json_ struct json *list = json_array ();
    _cleanup_json_ struct json *origins = json_array ();
    int rc = 0;

    for (size_t i = 0; rc >= 0 && i < binding->n_parts; i++) {
        _cleanup_ (found_release) struct found one = { 0 };
        bool whole = binding->parts[i].is_item;

        rc = find (latest, &binding->parts[i], &one, err);
        whole = whole || json_kind (one.value) != JSON_KIND_ARRAY;
        if (rc > 0 && whole)
            json_push (list, json_ref (one.value));
        for (size_t k = 0; rc > 0 && !whole && k < json_count (one.value); k++)
            json_push (list, json_ref (json_at (one.value, k)));
        if (rc > 0)
            json_push (origins, json_ref (one.origin));
    }
    if (rc >= 0 && json_count (origins) > 0)
        *all = (struct found){ json_ref (list), json_ref (origins) };
    return rc < 0 ? -1 : all->value != NULL;
}

static int nothing_done (const struct latest *latest,
                         const struct binding *binding, struct error *err)
{
    const struct binding *one = binding->parts ? binding->parts : binding;
    const struct plan *plan = latest->plan;
    bool of_stage = (size_t)one->stage < plan->n_stages;
    const char *name =
        of_stage ? plan->stages[one->stage].name
                 : plan->functions[(size_t)one->stage - plan->n_stages].name;

    error_set (err,
               "%s: %s '%s' is done that made a '%s'; %s first, or write "
               "{from: latest.%s.%s, default: VALUE} in with:",
               binding->port->name,
               of_stage ? "no iteration of stage" : "no call of", name,
               one->output, of_stage ? "run the campaign" : "call that", name,
               one->output);
    return 1;
}

static int look_up (const struct latest *latest, const struct binding *binding,
                    struct json *values, struct json *origins,
                    struct error *err)
{
    const char *name = binding->port->name;
    struct found found = { 0 };
    int rc = binding->source == SOURCE_JOINED
                 ? find_parts (latest, binding, &found, err)
                 : find (latest, binding, &found, err);

    if (rc == 0 && binding->fallback) {
        found.value = json_ref (binding->fallback);
        found.origin = json_string ("default");
        rc = 1;
    }
    if (rc == 0)
        return nothing_done (latest, binding, err);
    if (rc > 0) {
        json_set (values, name, json_ref (found.value));
        json_set (origins, name, json_ref (found.origin));
    }
    found_release (&found);
    return rc < 0 ? -1 : 0;
}

int latest_values (const struct latest *latest, const struct function *function,
                   struct json *values, struct json *origins, struct error *err)
{
    const struct stage *stage = &function->stage;
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < stage->n_bindings; i++) {
        const struct binding *binding = &stage->bindings[i];

        if (binding->source == SOURCE_LATEST
            || binding->source == SOURCE_JOINED)
            rc = look_up (latest, binding, values, origins, err);
        else if (binding->source == SOURCE_LITERAL)
            json_set (values, binding->port->name, json_ref (binding->literal));
        else if (binding->source == SOURCE_ITERATION)
            json_set (values, binding->port->name, json_int (0));
    }
    return rc;
}
