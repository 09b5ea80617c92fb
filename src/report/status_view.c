/* SPDX-License-Identifier: BSD-3-Clause */
/* status_view.c - where a campaign stands, as JSON */
#include "base/base.h"

#include "arrays/outcome.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/history/engine.h"
#include "engine/history/state.h"
#include "engine/observe/observe.h"
#include "engine/observe/running_reports.h"
#include "report/notice_view.h"
#include "report/scheduler_view.h"
#include "report/science_view.h"
#include "report/status_view.h"
#include "report/task_watch.h"
#include "report/usage_view.h"
#include "space/layout.h"
#include "space/lease.h"

struct json *chain_json (const struct state *state)
{
    struct json *list;

    if (!state->chained)
        return json_null ();
    list = json_array ();
    for (size_t i = 0; i < state->n_dependency_jobs; i++) {
        const struct dependency_job *w = &state->dependency_jobs[i];
        const struct submission *after =
            w->after[0] ? state_submission (state, w->after) : NULL;
        struct json *v = json_object ();

        json_set (v, "job", json_string (w->job.id));
        json_set (v, "after", json_string (after ? after->id : NULL));
        json_set (v, "at_s", w->after[0] ? json_null () : json_real (w->at_s));
        json_push (list, v);
    }
    return list;
}

const char *status_word (const struct state *state, bool driven)
{
    if (state->n_iterations == 0 && state->status == CAMPAIGN_RUNNING
        && !driven)
        return "not begun";
    if (state->status == CAMPAIGN_RUNNING && !driven)
        return "waiting";
    return campaign_status_name (state->status);
}

/* What runs of a stage's open attempt. */
struct running {
    int32_t tasks;
    struct time_spans spans; /* of the agents that run them, until now */
};

/* Started and not ended, on an element of which something is queued or running
 * still; one that was killed has no end.
 */
static void add_running (const struct stage_state *stage,
                         const struct observed_attempt *seen,
                         const struct observed_submission *submission,
                         double now_s, struct running *running)
{
    for (int64_t e = 0; e < submission->n_elements; e++) {
        const struct task_range *bundle = &submission->bundles[e];
        int32_t n = 0;

        for (int32_t t = -1; (t = task_range_next (bundle, t)) >= 0;)
            n += stage->tasks[t].outcome == OUTCOME_NONE
                 && seen->logs->tasks[t].outcome == OUTCOME_NONE
                 && seen->logs->tasks[t].started;
        running->tasks += n;
        if (n > 0 && submission->read[e].claimed_s > 0)
            time_spans_add (&running->spans, submission->read[e].claimed_s,
                            now_s);
    }
}

static struct running find_running (const struct stage_state *stage,
                                    const struct observed_attempt *seen,
                                    double now_s)
{
    const struct attempt *attempt = stage_open_attempt (stage);
    struct running running = { 0 };

    for (size_t i = 0; seen && attempt && i < seen->n_submissions; i++) {
        const struct submission *s = &attempt->submissions[i];

        if (s->status == SUBMISSION_RELEASED && s->over_s <= 0)
            add_running (stage, seen, &seen->submissions[i], now_s, &running);
    }
    return running;
}

static const struct attempt_logs *logs_of (const struct observed_attempt *seen)
{
    return seen ? seen->logs : NULL;
}

static struct json *task_counts (const struct stage_state *stage,
                                 const struct observed_attempt *seen,
                                 int32_t running)
{
    int32_t n[OUTCOME_COUNT] = { 0 };
    struct json *v = json_object ();

    for (int32_t i = 0; i < stage->n_tasks; i++)
        n[task_outcome (stage, logs_of (seen), i)]++;
    n[OUTCOME_NONE] -= running;
    for (int o = 0; o < OUTCOME_COUNT; o++) {
        if (n[o] > 0 || o == OUTCOME_OK)
            json_set (v, outcome_name ((enum outcome)o), json_int (n[o]));
    }
    if (running > 0)
        json_set (v, "running", json_int (running));
    return v;
}

/* The first few that did not end well. */
static struct json *failures_view (const struct stage_state *stage,
                                   const struct observed_attempt *seen)
{
    struct json *list = json_array ();

    for (int32_t i = 0;
         i < stage->n_tasks && json_count (list) < STATUS_FAILURES_SHOWN; i++) {
        enum outcome outcome = task_outcome (stage, logs_of (seen), i);
        struct json *v;

        if (outcome == OUTCOME_NONE || outcome == OUTCOME_OK)
            continue;
        v = json_object ();
        json_set (v, "task", json_int (i));
        json_set (v, "outcome", json_string (outcome_name (outcome)));
        json_push (list, v);
    }
    return list;
}

/* Why it stands as it does: its own reason, else what the scheduler says of a
 * job that is there, and since when (older journals have no time).
 */
static void add_why (const struct stage_state *state, struct json *v)
{
    const struct attempt *attempt = stage_open_attempt (state);
    const struct submission *noted = NULL;

    for (size_t i = 0; !state->why && attempt && i < attempt->n_submissions;
         i++) {
        const struct submission *s = &attempt->submissions[i];

        if (!noted && s->note && s->status == SUBMISSION_RELEASED)
            noted = s;
    }
    json_set (v, "why", json_string (noted ? noted->note : state->why));
    if (noted && noted->noted_s > 0)
        json_set (v, "since_s", json_real (noted->noted_s));
}

const struct json *status_checkpoint (const struct stage_state *stage,
                                      int32_t task)
{
    const struct json *v;
    char key[16];

    if (stage->status != STAGE_PREPARED || !stage->checkpoints
        || stage->tasks[task].outcome == OUTCOME_OK)
        return NULL;
    snprintf (key, sizeof (key), "%d", task);
    v = json_get (stage->checkpoints, key);
    return json_get (v, "sha256") ? v : NULL;
}

static struct json *checkpoints_view (const struct stage_state *stage)
{
    static const char *const keys[] = { "try", "name", "files", "bytes" };
    struct json *list = json_array ();

    JSON_FOREACH (stage->checkpoints, it) {
        int task = atoi (json_iter_key (it));
        const struct json *known =
            task < stage->n_tasks ? status_checkpoint (stage, task) : NULL;
        struct json *v;

        if (!known)
            continue;
        v = json_object ();
        json_set (v, "task", json_int (task));
        for (size_t i = 0; i < ARRAY_SIZE (keys); i++)
            json_set (v, keys[i], json_ref (json_get (known, keys[i])));
        json_push (list, v);
    }
    return list;
}

/* [SENTENCE] */
static struct json *retired_view (const struct stage_state *state)
{
    struct json *list = json_array ();

    JSON_FOREACH (state->retired, it)
        json_push (list, json_string (json_iter_key (it)));
    return list;
}

static struct json *stage_view (const struct engine *engine,
                                const struct stage *stage, int iteration,
                                const struct observations *observations)
{
    const struct stage_state *state =
        state_stage (&engine->state, iteration, stage->name);
    struct json *v = json_object ();
    enum stage_status status = state ? state->status : STAGE_WAITING;
    const struct observed_attempt *seen =
        observations_find (observations, stage->name);
    struct running running;
    struct time_spans ran;

    json_set (v, "iteration", json_int (iteration));
    json_set (v, "name", json_string (stage->name));
    json_set (v, "operator", json_string (stage->op->name));
    json_set (v, "state", json_string (stage_status_name (status)));
    if (!state) {
        json_set (v, "why", json_null ());
        json_set (v, "tasks", json_object ());
        return v;
    }
    add_why (state, v);
    running = find_running (state, seen, observations->now_s);
    ran = state->usage.ran;
    time_spans_add_all (&ran, &running.spans);
    json_set (v, "tasks", task_counts (state, seen, running.tasks));
    json_set (v, "count", json_int (state->n_tasks));
    json_set (v, "reused_tasks", json_int (stage_reused_tasks (state)));
    json_set (v, "reused", state->reused ? json_ref (state->reused) : NULL);
    json_set (v, "attempts", json_int ((int64_t)state->n_attempts));
    json_set (v, "wall_s",
              ran.n > 0 ? json_real (time_spans_total_s (&ran)) : NULL);
    json_set (v, "task_s",
              state->timed_tasks > 0
                  ? json_real (state->timed_s / (double)state->timed_tasks)
                  : NULL);
    json_set (v, "used", usage_json (&state->usage));
    json_set (v, "failures", failures_view (state, seen));
    json_set (v, "checkpoints", checkpoints_view (state));
    json_set (v, "reports", running_reports (engine, stage, state, seen));
    json_set (v, "retired", retired_view (state));
    if (state->unsteady)
        json_set (v, "unsteady", json_string (state->unsteady));
    return v;
}

static struct json *history_view (const struct state *state)
{
    struct json *list = json_array ();

    for (size_t i = 0; i < state->n_iterations; i++) {
        const struct iteration_state *it = &state->iterations[i];
        struct usage usage = { .ran = { 0 } };
        struct json *v;

        if (!it->closed)
            continue;
        usage_of_iteration (it, &usage);
        v = json_object ();
        json_set (v, "iteration", json_int ((int64_t)i));
        if (it->phase)
            json_set (v, "phase", json_string (it->phase));
        json_set (v, "wall_s", json_real (time_spans_total_s (&usage.ran)));
        json_set (v, "used", usage_json (&usage));
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

/* --- what has changed since --- */

/* The configuration that a stage was prepared by; NULL: it is not there. Caller
 * unrefs.
 */
static struct json *config_before (const struct engine *engine,
                                   const struct stage_state *stage)
{
    struct strbuf file = STRBUF_INIT;
    struct json *config;
    _cleanup_free_ char *path = NULL;

    layout_config_file (state_iteration (&engine->state), stage->config, &file);
    path = engine_path (engine, &file);
    config = json_read_file (path, NULL);
    return config;
}

static const struct json *said_of (const struct json *config,
                                   const char *section, const char *name)
{
    return json_get (json_get (json_get (config, "campaign"), section), name);
}

static bool stage_differs (const struct json *before, const struct json *now,
                           const char *name)
{
    const struct json *was = said_of (before, "stages", name);
    const struct json *is = said_of (now, "stages", name);

    return was && is && !json_equal (was, is);
}

/* What it does.  Inputs also name stages, which may have other names now. */
static bool has_work_of (const struct json *one, const struct json *other)
{
    JSON_FOREACH (other, it) {
        const char *key = json_iter_key (it);

        if (strcmp (key, "doc") != 0 && strcmp (key, "inputs") != 0
            && !json_equal (json_get (one, key), json_iter_value (it)))
            return false;
    }
    return true;
}

static bool operator_differs (const struct json *before, const struct json *now,
                              const char *name)
{
    const struct json *was = said_of (before, "operators", name);
    const struct json *is = said_of (now, "operators", name);

    return was && is && !(has_work_of (was, is) && has_work_of (is, was));
}

/* The stage as campaign.yaml has it, its operator, and of a step the operator
 * that it is in.
 */
static bool has_changed (const struct engine *engine,
                         const struct stage_state *state,
                         const struct stage *stage, const char *name)
{
    const struct json *now = engine->plan->config;
    const char *uses = json_get_string (said_of (now, "stages", name), "uses");
    _cleanup_json_ struct json *before = config_before (engine, state);

    return stage_differs (before, now, name)
           || operator_differs (before, now, stage->op->name)
           || operator_differs (before, now, uses);
}

const char *status_changed_stage (const struct engine *engine)
{
    const struct state *state = &engine->state;
    const struct plan *plan = engine->plan;

    if (state->status != CAMPAIGN_DONE)
        return NULL;
    for (size_t i = 0; i < plan->n_stages; i++) {
        const struct stage *stage = &plan->stages[i];
        const char *name = stage->family ? stage->family : stage->name;
        const struct stage_state *s =
            state_stage (state, state_iteration (state), stage->name);

        if (s && s->status == STAGE_DONE
            && has_changed (engine, s, stage, name))
            return name;
    }
    return NULL;
}

static struct json *science_view (const struct engine *engine)
{
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;
    struct json *view = json_array ();

    science_lines (engine, state_iteration (&engine->state), &lines);
    for (size_t i = 0; i < lines.n; i++)
        json_push (view, json_string (lines.v[i]));
    return view;
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
    struct usage usage = { .ran = { 0 } };

    usage_of_campaign (state, &usage);
    for (size_t i = 0; iteration >= 0 && i < plan->n_stages; i++)
        json_push (stages, stage_view (engine, &plan->stages[i], iteration,
                                       observations));
    json_set (v, "campaign", json_string (plan->name));
    json_set (v, "dir", json_string (plan->dir));
    json_set (v, "state", json_string (status_word (state, holder->held)));
    json_set (v, "why", json_string (state->why));
    json_set (v, "converged", json_bool (state->converged));
    json_set (v, "ended",
              state->status == CAMPAIGN_DONE
                  ? json_string (science_ending (engine))
                  : json_null ());
    json_set (v, "science", science_view (engine));
    json_set (v, "health",
              science_health (engine, state_iteration (&engine->state)));
    json_set (v, "iteration",
              iteration < 0 ? json_null () : json_int (iteration));
    if (iteration >= 0 && state->iterations[iteration].phase)
        json_set (v, "phase", json_string (state->iterations[iteration].phase));
    json_set (v, "driver", driver_view (holder));
    json_set (v, "chain", chain_json (state));
    json_set (v, "schedulers", scheduler_outages_json (state));
    json_set (v, "notices", notices_json (state));
    json_set (v, "quiet", quiet_json (state, observations->now_s));
    json_set (v, "changed", json_string (status_changed_stage (engine)));
    json_set (v, "used", usage_json (&usage));
    json_set (v, "stages", stages);
    json_set (v, "history", history_view (state));
    return v;
}
