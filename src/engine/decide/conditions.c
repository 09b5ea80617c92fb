/* SPDX-License-Identifier: BSD-3-Clause */
/* conditions.c - `when:`, `stop:` and `history:` (pure) */
#include "base/base.h"

#include "base/json.h"
#include "campaign/plan.h"
#include "engine/decide/conditions.h"
#include "engine/decide/phases.h"
#include "engine/decide/observations.h"
#include "engine/decide/readiness.h"
#include "engine/history/state.h"
#include "signature/expression.h"

/* The stage whose results, in *iteration, STAGE.OUTPUT or previous.STAGE.OUTPUT
 * looks at, its name lent by the plan; *output is the rest of 'name'.  NULL:
 * there are none, the value is null.
 */
static const char *find_results (const struct plan *plan,
                                 const struct state *state, const char *name,
                                 int *iteration, const char **output)
{
    static const char previous[] = "previous.";
    bool is_previous = strncmp (name, previous, strlen (previous)) == 0;
    const char *rest = name + (is_previous ? strlen (previous) : 0);
    const char *dot = strrchr (rest, '.'); /* "train.run.loss" */
    const struct stage_state *s;
    char *stage;
    int i;

    if (!dot)
        return NULL;
    *iteration = state_iteration (state) - is_previous;
    stage = xstrndup (rest, (size_t)(dot - rest));
    i = plan_stage_find (plan, stage);
    s = i < 0 ? NULL : state_stage (state, *iteration, stage);
    free (stage);
    if (!s || s->status != STAGE_DONE)
        return NULL;
    *output = dot + 1;
    return plan->stages[i].name;
}

/* --- what is needed --- */

struct needing {
    const struct plan *plan;
    const struct state *state;
    results_needed *need;
    void *arg;
};

static int need_name (const char *name, void *arg, struct error *err)
{
    const struct needing *n = arg;
    const char *output, *stage;
    int iteration;

    stage = find_results (n->plan, n->state, name, &iteration, &output);
    return stage ? n->need (stage, iteration, n->arg, err) : 0;
}

/* May the stage begin, but for its condition? */
static bool is_pending (const struct needing *n, const struct stage *stage)
{
    int iteration = state_iteration (n->state);
    const struct stage_state *s =
        state_stage (n->state, iteration, stage->name);

    return stage->when && (!s || s->status == STAGE_WAITING)
           && inputs_readiness (n->plan, n->state, stage, iteration, NULL)
                  == INPUTS_READY;
}

static bool have_all_ended (const struct needing *n)
{
    for (size_t i = 0; i < n->plan->n_stages; i++) {
        const struct stage_state *s = state_stage (
            n->state, state_iteration (n->state), n->plan->stages[i].name);

        if (!s || (s->status != STAGE_DONE && s->status != STAGE_SKIPPED))
            return false;
    }
    return true;
}

int conditions_needs (const struct plan *plan, const struct state *state,
                      results_needed *need, void *arg, struct error *err)
{
    struct needing n = { plan, state, need, arg };
    const struct phase *phase = phase_now (plan, state);
    int current = state_iteration (state);

    if (current < 0 || state->iterations[current].closed
        || state->status != CAMPAIGN_RUNNING)
        return 0;
    for (size_t i = 0; i < plan->n_stages; i++) {
        if (is_pending (&n, &plan->stages[i])
            && expression_names (plan->stages[i].when, need_name, &n, err) < 0)
            return -1;
    }
    if (!have_all_ended (&n))
        return 0;
    if (plan->stop && expression_names (plan->stop, need_name, &n, err) < 0)
        return -1;
    if (phase && phase->until
        && expression_names (phase->until, need_name, &n, err) < 0)
        return -1;
    for (size_t i = 0; i < plan->n_history; i++) {
        if (expression_names (plan->history[i].expression, need_name, &n, err)
            < 0)
            return -1;
    }
    return 0;
}

/* --- evaluating --- */

struct evaluating {
    const struct plan *plan;
    const struct state *state;
    const struct observations *observations;
    bool unknown; /* results were looked at that were not observed */
};

static struct json *look_up (const char *name, void *arg)
{
    struct evaluating *e = arg;
    const char *output, *stage;
    const struct json *outputs;
    int iteration;

    if (strcmp (name, "iteration") == 0)
        return json_int (state_iteration (e->state));
    stage = find_results (e->plan, e->state, name, &iteration, &output);
    if (!stage)
        return NULL;
    outputs = observations_outputs (e->observations, stage, iteration);
    e->unknown = e->unknown || !outputs;
    return json_ref (json_get (outputs, output));
}

enum condition_result condition_evaluate (
    const struct expression *expression, const struct plan *plan,
    const struct state *state, const struct observations *observations,
    struct json **value, struct error *err)
{
    struct evaluating e = { plan, state, observations, false };
    struct json *v = NULL;
    int rc = expression_eval (expression, look_up, &e, &v, err);

    if (rc == 0 && !e.unknown) {
        *value = v;
        return CONDITION_KNOWN;
    }
    json_unref (v);
    return e.unknown ? CONDITION_UNKNOWN : CONDITION_WRONG;
}
