/* SPDX-License-Identifier: BSD-3-Clause */
/* decide_stage.c - a stage that has no open attempt */
#include "base/base.h"

#include "base/json.h"
#include "campaign/plan.h"
#include "engine/decide/conditions.h"
#include "engine/decide/deciding.h"
#include "engine/decide/dependency_jobs.h"
#include "engine/decide/readiness.h"
#include "engine/history/events.h"
#include "engine/history/learned_needs.h"
#include "engine/decide/retry.h"
#include "engine/history/state.h"

static void record_of_stage (const struct deciding *d, const char *kind,
                             int stage, const char *why)
{
    struct json *event =
        event_of_stage (kind, d->observations->now_s, d->iteration,
                        d->plan->stages[stage].name);

    json_set (event, "why", json_string (why));
    actions_record (d->actions, event);
}

/* Of what cannot be known nothing follows: the next round looks again. */
static void decide_ready (const struct deciding *d, int stage)
{
    const struct stage *s = &d->plan->stages[stage];
    _cleanup_ (strbuf_release) struct strbuf why = STRBUF_INIT;
    _cleanup_json_ struct json *value = NULL;
    struct error err = ERROR_INIT;
    enum condition_result result = CONDITION_KNOWN;

    if (s->when)
        result = condition_evaluate (s->when, d->plan, d->state,
                                     d->observations, &value, &err);
    if (result == CONDITION_WRONG) {
        strbuf_addf (&why, "when: %s: %s", s->when_text, err.text);
        record_of_stage (d, "unfit", stage, why.buf);
    } else if (result == CONDITION_KNOWN && s->when && !json_as_bool (value)) {
        strbuf_addf (&why, "its condition (%s) does not hold", s->when_text);
        record_of_stage (d, "skip", stage, why.buf);
    } else if (result == CONDITION_KNOWN) {
        actions_add (d->actions, ACT_PREPARE, stage, d->iteration);
    }
}

static void decide_waiting (const struct deciding *d, int stage)
{
    _cleanup_ (strbuf_release) struct strbuf why = STRBUF_INIT;
    enum readiness readiness = inputs_readiness (
        d->plan, d->state, &d->plan->stages[stage], d->iteration, &why);

    if (readiness == INPUTS_SKIP)
        record_of_stage (d, "skip", stage, why.buf);
    else if (readiness == INPUTS_READY)
        decide_ready (d, stage);
}

static void fail_stage (const struct deciding *d, int stage, const char *why)
{
    struct json *event =
        event_of_stage ("stage", d->observations->now_s, d->iteration,
                        d->plan->stages[stage].name);

    json_set (event, "phase", json_string ("failed"));
    json_set (event, "why", json_string (why));
    actions_record (d->actions, event);
}

/* "2 failed, 1 lost"; of a lone task without the number. */
static void add_outcomes (const struct stage_state *state, struct strbuf *text)
{
    const char *comma = "";

    for (int o = OUTCOME_OK + 1; o < OUTCOME_COUNT; o++) {
        if (state->by_outcome[o] == 0)
            continue;
        strbuf_add_str (text, comma);
        if (state->n_tasks > 1)
            strbuf_addf (text, "%d ", state->by_outcome[o]);
        strbuf_add_str (text, outcome_name ((enum outcome)o));
        comma = ", ";
    }
}

static void fail_for_quorum (const struct deciding *d, int stage,
                             const struct stage_state *state)
{
    const struct stage *spec = &d->plan->stages[stage];
    int needed = retry_tasks_needed (spec, state);
    _cleanup_ (strbuf_release) struct strbuf why = STRBUF_INIT;

    if (state->n_tasks == 1)
        strbuf_add_str (&why, "its one task is not ok (");
    else
        strbuf_addf (&why, "%d of %d tasks are ok (",
                     state->by_outcome[OUTCOME_OK], state->n_tasks);
    add_outcomes (state, &why);
    strbuf_add_char (&why, ')');
    if (needed < state->n_tasks)
        strbuf_addf (&why, ", success: %g needs %d", spec->success, needed);
    fail_stage (d, stage, why.buf);
}

void decide_pause (const struct deciding *d, struct json *why)
{
    struct json *event = event_new ("paused", d->observations->now_s);

    json_set (event, "why", why);
    actions_record (d->actions, event);
}

/* A person cancelled tasks: not ours to undo. */
static void pause_for_cancelled (const struct deciding *d,
                                 const struct stage_state *state)
{
    decide_pause (
        d, json_stringf ("%d tasks of stage '%s' were cancelled; `fanfold "
                         "resume` runs them again",
                         state->by_outcome[OUTCOME_CANCELLED], state->name));
}

/* What keeps jobs from beginning is no task's fault. */
static void pause_without_result (const struct deciding *d,
                                  const struct stage_state *state)
{
    _cleanup_ (strbuf_release) struct strbuf why = STRBUF_INIT;

    strbuf_addf (&why,
                 "stage '%s': three submissions in a row ended before any task "
                 "began; ",
                 state->name);
    if (state->why)
        strbuf_addf (&why, "the last one said: %s; ", state->why);
    else
        strbuf_addf (&why,
                     "see their output among the run files (`fanfold "
                     "explain %s`); ",
                     state->name);
    strbuf_add_str (&why, "fix that, then run `fanfold resume`");
    decide_pause (d, json_string (why.buf));
}

/* Takes over 'tasks'. */
static void open_attempt (const struct deciding *d, int stage,
                          const struct stage_state *state,
                          struct task_range tasks)
{
    const struct learned_needs learned =
        learned_needs (&d->plan->stages[stage], d->state, d->iteration);
    struct action *action =
        actions_add (d->actions, ACT_OPEN_ATTEMPT, stage, d->iteration);

    action->tasks = tasks;
    action->task = retry_resources (&d->plan->stages[stage], &learned.needs,
                                    state, &tasks);
    action->measured_s = state_task_s (d->state, state->name);
    action->reserved = d->state->chained ? DEPENDENCY_JOBS_MOST : 0;
    action->elements = retry_smaller_arrays (state);
}

static void decide_prepared (const struct deciding *d, int stage,
                             const struct stage_state *state)
{
    struct task_range pending = TASK_RANGE_INIT;

    retry_pending (&d->plan->stages[stage], state, &pending);
    if (state->by_outcome[OUTCOME_CANCELLED] > 0) {
        pause_for_cancelled (d, state);
    } else if (pending.n_spans > 0
               && state->without_result >= WITHOUT_RESULT_MAX) {
        pause_without_result (d, state);
    } else if (pending.n_spans > 0) {
        open_attempt (d, stage, state, pending);
        return;
    } else if (retry_quorum_met (&d->plan->stages[stage], state)) {
        actions_add (d->actions, ACT_FAN_IN, stage, d->iteration);
    } else {
        fail_for_quorum (d, stage, state);
    }
    task_range_release (&pending);
}

void decide_stage (const struct deciding *d, int stage)
{
    const struct stage_state *state =
        state_stage (d->state, d->iteration, d->plan->stages[stage].name);

    if (!state || state->status == STAGE_WAITING)
        decide_waiting (d, stage);
    else if (state->status == STAGE_PREPARED)
        decide_prepared (d, stage, state);
}
