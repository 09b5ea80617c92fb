/* SPDX-License-Identifier: BSD-3-Clause */
/* live_view.c - how a campaign stands at this moment, in numbers */
#include "base/base.h"

#include "arrays/outcome.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/history/engine.h"
#include "engine/history/outputs_store.h"
#include "engine/observe/observe.h"
#include "report/live_view.h"
#include "report/science_view.h"
#include "report/status_view.h"
#include "report/usage_view.h"
#include "space/lease.h"

#define S_PER_HOUR 3600

static char *copy_of (const char *text)
{
    return text ? xstrdup (text) : NULL;
}

/* --- the tasks of an open attempt --- */

/* What its logs say beyond the journal, and of its jobs. */
struct looked_at {
    int64_t ok, failed, running; /* of tasks that the journal has no end of */
    struct time_spans spans;     /* of agents that run tasks, until now */
    double queued_since_s;       /* 0: no element waits */
    double waited_s;
    double node_s; /* that may still be used; NAN: not known */
};

/* Tasks of an element that have not ended, as far as is known. */
struct unended {
    int64_t tasks, running;
};

static struct unended look_at_tasks (const struct stage_state *stage,
                                     const struct attempt_logs *logs,
                                     const struct task_range *bundle,
                                     struct looked_at *seen)
{
    struct unended unended = { 0 };

    for (size_t i = 0; i < bundle->n_spans; i++) {
        for (int32_t t = bundle->spans[i].first; t <= bundle->spans[i].last;
             t++) {
            const struct logged_task *logged = &logs->tasks[t];

            if (stage->tasks[t].outcome != OUTCOME_NONE)
                continue;
            if (logged->outcome == OUTCOME_NONE) {
                unended.tasks++;
                unended.running += logged->started;
            } else {
                seen->ok += logged->outcome == OUTCOME_OK;
                seen->failed += logged->outcome != OUTCOME_OK;
            }
        }
    }
    return unended;
}

/* What the element may still use of the nodes, and whether it waits. */
static void look_at_element (const struct attempt *attempt,
                             const struct submission *s,
                             const struct read_element *element,
                             const struct unended *unended, double now_s,
                             struct looked_at *seen)
{
    const struct packing *packing = &attempt->packing;
    bool begun = element->claimed_s > 0 || element->n_logs > 0;
    double ran_s =
        element->claimed_s > 0 ? fmax (now_s - element->claimed_s, 0) : 0;
    double left_s = fmax (packing->walltime_s - ran_s, 0);

    if (element->claimed_s > 0)
        seen->waited_s =
            fmax (seen->waited_s, element->claimed_s - s->intended_s);
    if (unended->tasks == 0)
        return;
    if (!begun)
        seen->queued_since_s = seen->queued_since_s > 0
                                   ? fmin (seen->queued_since_s, s->intended_s)
                                   : s->intended_s;
    if (unended->running > 0 && element->claimed_s > 0)
        time_spans_add (&seen->spans, element->claimed_s, now_s);
    seen->node_s += packing->walltime_s > 0 && attempt->node_share > 0
                        ? attempt->node_share * packing->slots * left_s
                        : NAN;
}

static void look_at_submission (const struct stage_state *stage,
                                const struct submission *s,
                                const struct attempt_logs *logs,
                                const struct observed_submission *observed,
                                double now_s, struct looked_at *seen)
{
    const struct attempt *attempt = stage_open_attempt (stage);
    bool lives = s->over_s <= 0;

    for (int64_t e = 0; e < observed->n_elements; e++) {
        const struct read_element *element = &observed->read[e];
        struct unended unended;

        if (element->finished)
            continue;
        unended = look_at_tasks (stage, logs, &observed->bundles[e], seen);
        if (!lives)
            continue;
        seen->running += unended.running;
        look_at_element (attempt, s, element, &unended, now_s, seen);
    }
}

static void look_at_attempt (const struct stage_state *stage,
                             const struct observed_attempt *observed,
                             double now_s, struct looked_at *seen)
{
    const struct attempt *attempt = stage_open_attempt (stage);

    *seen = (struct looked_at){ .node_s = 0 };
    for (size_t i = 0; observed && attempt && i < observed->n_submissions;
         i++) {
        if (attempt->submissions[i].status == SUBMISSION_RELEASED)
            look_at_submission (stage, &attempt->submissions[i], observed->logs,
                                &observed->submissions[i], now_s, seen);
    }
}

/* --- stages --- */

static int64_t count_failed (const struct stage_state *stage)
{
    int64_t n = 0;

    for (int o = 0; o < OUTCOME_COUNT; o++) {
        if (o != OUTCOME_NONE && o != OUTCOME_OK)
            n += stage->by_outcome[o];
    }
    return n;
}

static const char *note_of (const struct stage_state *stage)
{
    const struct attempt *attempt = stage_open_attempt (stage);

    for (size_t i = 0; attempt && i < attempt->n_submissions; i++) {
        const struct submission *s = &attempt->submissions[i];

        if (s->note && s->status == SUBMISSION_RELEASED)
            return s->note;
    }
    return NULL;
}

static void count_tasks (const struct stage_state *stage,
                         const struct looked_at *seen, struct live_stage *v)
{
    v->tasks = stage->n_tasks;
    v->reused = stage_reused_tasks (stage);
    v->n[BAR_OK] = stage->by_outcome[OUTCOME_OK] + seen->ok;
    v->n[BAR_FAILED] = count_failed (stage) + seen->failed;
    v->n[BAR_RUNNING] = seen->running;
    v->n[BAR_QUEUED] =
        v->tasks - v->n[BAR_OK] - v->n[BAR_FAILED] - v->n[BAR_RUNNING];
}

/* How fast its tasks end, and what is left of it. */
static void time_stage (const struct stage_state *stage,
                        const struct looked_at *seen, double now_s,
                        struct live_stage *v, struct stage_work *work)
{
    struct time_spans ran = stage->usage.ran;

    time_spans_add_all (&ran, &seen->spans);
    v->wall_s = time_spans_total_s (&ran);
    work->over = stage->status == STAGE_DONE || stage->status == STAGE_SKIPPED;
    work->runs = stage->status == STAGE_PREPARED;
    work->elapsed_s = fmax (now_s - stage->began_s, 0);
    work->tasks_left = v->n[BAR_RUNNING] + v->n[BAR_QUEUED];
    work->tasks_ended = stage->timed_tasks + seen->ok + seen->failed;
    work->ran_s = v->wall_s;
    work->since_s = ran.n > 0 ? fmax (now_s - ran.v[0].from_s, 0) : 0;
    work->task_s = stage->timed_tasks > 0
                       ? stage->timed_s / (double)stage->timed_tasks
                       : 0;
    if (work->runs && work->tasks_ended >= TASKS_TELL && work->ran_s > 0)
        v->tasks_per_s = (double)work->tasks_ended / work->ran_s;
    if (seen->queued_since_s > 0)
        v->queued_s = fmax (now_s - seen->queued_since_s, 0);
    v->waited_s = seen->waited_s;
}

/* How long it took in the iterations before in which it was done. */
static void see_before (const struct state *state, const char *name,
                        int iteration, struct time_seen *before)
{
    for (int i = 0; i < iteration; i++) {
        const struct stage_state *s = state_stage (state, i, name);

        if (s && s->status == STAGE_DONE && s->began_s > 0 && s->ended_s > 0)
            time_seen_add (before, s->ended_s - s->began_s);
    }
}

static void view_stage (const struct engine *engine, const struct stage *stage,
                        int iteration, const struct observations *observations,
                        struct live_view *view, struct live_stage *v,
                        struct stage_work *work)
{
    const struct stage_state *state =
        state_stage (&engine->state, iteration, stage->name);
    struct looked_at seen;

    v->name = xstrdup (stage->name);
    work->after = stage->after;
    work->n_after = stage->n_after;
    see_before (&engine->state, stage->name, iteration, &work->before);
    if (!state)
        return;
    look_at_attempt (state, observations_find (observations, stage->name),
                     observations->now_s, &seen);
    v->status = state->status;
    v->why = copy_of (state->why ? state->why : note_of (state));
    count_tasks (state, &seen, v);
    time_stage (state, &seen, observations->now_s, v, work);
    v->left = stage_time_left (work);
    view->submitted_node_hours += seen.node_s / S_PER_HOUR;
}

/* --- the campaign --- */

static bool may_stop (const struct plan *plan)
{
    bool stops = plan->stop != NULL;

    for (size_t i = 0; i < plan->n_phases; i++)
        stops = stops || plan->phases[i].until;
    return stops;
}

static void view_stages (const struct engine *engine,
                         const struct observations *observations,
                         struct live_view *view)
{
    const struct plan *plan = engine->plan;
    const struct state *state = &engine->state;
    _cleanup_free_ struct stage_work *works =
        xcalloc (plan->n_stages + 1, sizeof (*works));
    struct time_seen iterations = { .n = 0 };

    view->stages = xcalloc (plan->n_stages + 1, sizeof (*view->stages));
    view->n_stages = plan->n_stages;
    for (size_t i = 0; i < plan->n_stages; i++)
        view_stage (engine, &plan->stages[i], view->iteration, observations,
                    view, &view->stages[i], &works[i]);
    if (isnan (view->submitted_node_hours))
        view->submitted_node_hours = -1;
    if (state->status != CAMPAIGN_RUNNING)
        return;
    for (size_t i = 0; i + 1 < state->n_iterations; i++)
        time_seen_add (&iterations, state->iterations[i].ended_s
                                        - state->iterations[i].began_s);
    view->iteration_left = iteration_time_left (works, plan->n_stages);
    view->campaign_left = campaign_time_left (
        &view->iteration_left, &iterations,
        view->iterations - 1 - view->iteration, may_stop (plan));
}

/* --- accuracy --- */

static double accuracy_of (const struct engine *engine,
                           const struct stage *stage, int iteration)
{
    const struct stage_state *s =
        state_stage (&engine->state, iteration, stage->name);
    const struct json *v =
        s && s->status == STAGE_DONE ? json_get (
            outputs_store_get (engine->outputs, iteration, stage->name, NULL),
            "accurate")
                                     : NULL;

    return json_is_number (v) ? json_as_double (v) : NAN;
}

/* Of each stage that tells which frames are accurate. */
static void view_accuracy (const struct engine *engine, struct live_view *view)
{
    const struct plan *plan = engine->plan;

    view->accuracy = xcalloc (plan->n_stages + 1, sizeof (*view->accuracy));
    for (size_t i = 0; i < plan->n_stages; i++) {
        const struct stage *stage = &plan->stages[i];
        struct live_accuracy *v = &view->accuracy[view->n_accuracy];

        if (!stage_classifies_frames (stage))
            continue;
        v->name = xasprintf ("accurate frames of %s", stage->name);
        v->values =
            xcalloc (engine->state.n_iterations + 1, sizeof (*v->values));
        for (int n = 0; n <= view->iteration; n++) {
            v->values[n] = accuracy_of (engine, stage, n);
            v->n = isfinite (v->values[n]) ? n + 1 : v->n;
        }
        view->n_accuracy++;
    }
}

/* A driver that shows its own screen does not say who it is. */
static char *driver_text (const struct lease_holder *holder)
{
    if (!holder->held || holder->pid == 0)
        return NULL;
    return xasprintf ("driven by pid %" PRId64 " on %s", (int64_t)holder->pid,
                      holder->host);
}

void live_view_make (const struct engine *engine,
                     const struct observations *observations,
                     const struct lease_holder *holder, struct live_view *view)
{
    const struct state *state = &engine->state;
    struct usage usage = { .ran = { 0 } };
    int iteration = state_iteration (state);

    usage_of_campaign (state, &usage);
    *view = (struct live_view){
        .campaign = xstrdup (engine->plan->name),
        .status = status_word (state, holder->held),
        .why = copy_of (state->why),
        .driver = driver_text (holder),
        .iteration = iteration,
        .iterations = plan_iterations (engine->plan),
        .phase = iteration >= 0 ? copy_of (state->iterations[iteration].phase)
                                : NULL,
        .node_hours = (usage.ok.node_s + usage.lost.node_s) / S_PER_HOUR,
        .lost_node_hours = usage.lost.node_s / S_PER_HOUR,
    };
    if (iteration < 0)
        return;
    view_stages (engine, observations, view);
    view_accuracy (engine, view);
}

void live_view_release (struct live_view *view)
{
    for (size_t i = 0; i < view->n_accuracy; i++) {
        free (view->accuracy[i].name);
        free (view->accuracy[i].values);
    }
    for (size_t i = 0; i < view->n_stages; i++) {
        free (view->stages[i].name);
        free (view->stages[i].why);
    }
    free (view->accuracy);
    free (view->stages);
    free (view->campaign);
    free (view->driver);
    free (view->phase);
    free (view->why);
    memset (view, 0, sizeof (*view));
}
