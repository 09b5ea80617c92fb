/* SPDX-License-Identifier: BSD-3-Clause */
/* status_view.c - where a campaign stands, as JSON */
#include "config.h"

#include "arrays/outcome.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/history/engine.h"
#include "engine/observe/observe.h"
#include "report/chain_view.h"
#include "report/status_view.h"
#include "space/lease.h"

const char *status_word (const struct state *state, bool driven)
{
    if (state->phase == CAMPAIGN_RUNNING && !driven)
        return "waiting";
    return campaign_phase_name (state->phase);
}

/* Tasks by outcome, the logs' newest words included. */
static struct json *task_counts (const struct stage_state *stage,
                                 const struct observed_attempt *seen)
{
    int32_t n[OUTCOME_COUNT] = { 0 };
    int32_t running = 0;
    struct json *v = json_object ();

    for (int32_t i = 0; i < stage->n_tasks; i++) {
        int outcome = stage->tasks[i].outcome;

        if (outcome == OUTCOME_NONE && seen) {
            outcome = (int)seen->words[i].outcome;
            running += outcome == OUTCOME_NONE && seen->words[i].started;
        }
        n[outcome]++;
    }
    n[OUTCOME_NONE] -= running;
    for (int o = 0; o < OUTCOME_COUNT; o++) {
        if (n[o] > 0 || o == OUTCOME_OK)
            json_set (v, outcome_name ((enum outcome)o), json_int (n[o]));
    }
    if (running > 0)
        json_set (v, "running", json_int (running));
    return v;
}

static struct json *wall_json (double began_s, double ended_s, double now_s)
{
    if (began_s == 0)
        return json_null ();
    return json_real ((ended_s > 0 ? ended_s : now_s) - began_s);
}

/* Why it stands as it does: its own reason, else what the scheduler says of a
 * job that is there.
 */
static const char *stage_why (const struct stage_state *state)
{
    const struct attempt *attempt = stage_open_attempt (state);

    for (size_t i = 0; !state->why && attempt && i < attempt->n_submissions;
         i++) {
        const struct submission *s = &attempt->submissions[i];

        if (s->note && s->phase == SUBMISSION_RELEASED)
            return s->note;
    }
    return state->why;
}

static struct json *stage_view (const struct engine *engine,
                                const struct stage *stage,
                                int iteration,
                                const struct observations *observations)
{
    const struct stage_state *state =
        state_stage (&engine->state, iteration, stage->name);
    struct json *v = json_object ();
    enum stage_phase phase = state ? state->phase : STAGE_WAITING;

    json_set (v, "iteration", json_int (iteration));
    json_set (v, "name", json_string (stage->name));
    json_set (v, "operator", json_string (stage->op->name));
    json_set (v, "state", json_string (stage_phase_name (phase)));
    json_set (v, "why", json_string (state ? stage_why (state) : NULL));
    if (!state) {
        json_set (v, "tasks", json_object ());
        return v;
    }
    json_set (
        v, "tasks",
        task_counts (state, observations_find (observations, stage->name)));
    json_set (v, "count", json_int (state->n_tasks));
    json_set (v, "attempts", json_int ((int64_t)state->n_attempts));
    json_set (v, "wall_s",
              wall_json (state->began_s, state->ended_s, observations->now_s));
    return v;
}

static struct json *history_view (const struct state *state)
{
    struct json *list = json_array ();

    for (size_t i = 0; i < state->n_iterations; i++) {
        const struct iteration_state *it = &state->iterations[i];
        struct json *v;

        if (!it->closed)
            continue;
        v = json_object ();
        json_set (v, "iteration", json_int ((int64_t)i));
        json_set (v, "wall_s", json_real (it->ended_s - it->began_s));
        JSON_FOREACH (it->history, h) {
            json_set (v, json_iter_key (h), json_ref (json_iter_value (h)));
        }
        json_push (list, v);
    }
    return list;
}

static struct json *driver_view (const struct lease_holder *holder)
{
    struct json *v;

    if (!holder->held)
        return json_null ();
    v = json_object ();
    json_set (v, "host", json_string (holder->host));
    json_set (v, "pid", json_int (holder->pid));
    return v;
}

struct json *status_json (const struct engine *engine,
                          const struct observations *observations,
                          const struct lease_holder *holder)
{
    const struct plan *plan = engine->plan;
    const struct state *state = &engine->state;
    int iteration = state_iteration (state);
    struct json *v = json_object ();
    struct json *stages = json_array ();

    for (size_t i = 0; iteration >= 0 && i < plan->n_stages; i++)
        json_push (stages, stage_view (engine, &plan->stages[i], iteration,
                                       observations));
    json_set (v, "campaign", json_string (plan->name));
    json_set (v, "dir", json_string (plan->dir));
    json_set (v, "state", json_string (status_word (state, holder->held)));
    json_set (v, "why", json_string (state->why));
    json_set (v, "converged", json_bool (state->converged));
    json_set (v, "iteration",
              iteration < 0 ? json_null () : json_int (iteration));
    json_set (v, "driver", driver_view (holder));
    json_set (v, "chain", chain_json (state));
    json_set (v, "stages", stages);
    json_set (v, "history", history_view (state));
    return v;
}
