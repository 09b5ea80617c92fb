/* SPDX-License-Identifier: BSD-3-Clause */
/* decide_stage.c - a stage that has no open attempt */
#include "config.h"

#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "campaign/plan.h"
#include "engine/decide_stage.h"
#include "engine/events.h"
#include "engine/inputs.h"
#include "engine/retry.h"
#include "engine/state.h"
#include "signature/expression.h"

static struct json *look_up (const char *name, void *arg)
{
    const struct deciding *d = arg;

    return inputs_lookup (d->plan, d->state, d->outputs, d->iteration, name);
}

static void record_of_stage (const struct deciding *d,
                             const char *kind,
                             int stage,
                             const char *why)
{
    struct json *event =
        event_of_stage (kind, d->observations->now_s, d->iteration,
                        d->plan->stages[stage].name);

    json_set (event, "why", json_string (why));
    actions_record (d->actions, event);
}

/* 1: go, 0: skip, -1: the expression cannot be evaluated ('why' set). */
static int evaluate_when (const struct deciding *d,
                          const struct stage *stage,
                          struct strbuf *why)
{
    struct json *value = NULL;
    struct error err = ERROR_INIT;
    int rc = 1;

    if (!stage->when)
        return 1;
    if (expression_eval (stage->when, look_up, (void *)d, &value, &err) < 0) {
        strbuf_addf (why, "when: %s: %s", stage->when_text, err.text);
        rc = -1;
    } else if (!json_as_bool (value)) {
        strbuf_addf (why, "its condition (%s) does not hold", stage->when_text);
        rc = 0;
    }
    json_unref (value);
    return rc;
}

static void decide_waiting (const struct deciding *d, int stage)
{
    const struct stage *s = &d->plan->stages[stage];
    struct strbuf why = STRBUF_INIT;
    enum readiness readiness =
        inputs_readiness (d->plan, d->state, s, d->iteration, &why);

    if (readiness == INPUTS_SKIP) {
        record_of_stage (d, "skip", stage, why.buf);
    } else if (readiness == INPUTS_READY) {
        int go = evaluate_when (d, s, &why);

        if (go > 0)
            actions_add (d->actions, ACT_PREPARE, stage, d->iteration);
        else
            record_of_stage (d, go == 0 ? "skip" : "unfit", stage, why.buf);
    }
    strbuf_release (&why);
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

static void fail_for_quorum (const struct deciding *d,
                             int stage,
                             const struct stage_state *state)
{
    struct strbuf why = STRBUF_INIT;

    strbuf_addf (&why, "%d of %d tasks are ok, success: %g asks for more (",
                 state->by_outcome[OUTCOME_OK], state->n_tasks,
                 d->plan->stages[stage].success);
    for (int o = OUTCOME_OK + 1; o < OUTCOME_COUNT; o++) {
        if (state->by_outcome[o] > 0)
            strbuf_addf (&why, "%s%d %s",
                         why.buf[why.len - 1] == '(' ? "" : ", ",
                         state->by_outcome[o], outcome_name ((enum outcome)o));
    }
    strbuf_add_str (&why, ")");
    fail_stage (d, stage, why.buf);
    strbuf_release (&why);
}

void decide_pause (const struct deciding *d, struct json *why)
{
    struct json *event = event_new ("paused", d->observations->now_s);

    json_set (event, "why", why);
    actions_record (d->actions, event);
}

/* Somebody outside cancelled tasks: not ours to undo. */
static void pause_for_cancelled (const struct deciding *d,
                                 const struct stage_state *state)
{
    decide_pause (
        d, json_stringf ("%d tasks of stage '%s' were cancelled; `fanfold "
                         "resume` runs them again",
                         state->by_outcome[OUTCOME_CANCELLED], state->name));
}

/* What keeps jobs from beginning is no task's fault. */
static void pause_for_fruitless (const struct deciding *d,
                                 const struct stage_state *state)
{
    struct strbuf why = STRBUF_INIT;

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
    strbuf_add_str (&why, "mend that, then `fanfold resume`");
    decide_pause (d, json_string (why.buf));
    strbuf_release (&why);
}

static void decide_prepared (const struct deciding *d,
                             int stage,
                             const struct stage_state *state)
{
    struct task_range pending = TASK_RANGE_INIT;

    retry_pending (&d->plan->stages[stage], state, &pending);
    if (state->by_outcome[OUTCOME_CANCELLED] > 0)
        pause_for_cancelled (d, state);
    else if (pending.n_spans > 0 && state->fruitless >= FRUITLESS_MAX)
        pause_for_fruitless (d, state);
    else if (pending.n_spans > 0)
        actions_add (d->actions, ACT_OPEN_ATTEMPT, stage, d->iteration);
    else if (retry_quorum_met (&d->plan->stages[stage], state))
        actions_add (d->actions, ACT_FAN_IN, stage, d->iteration);
    else
        fail_for_quorum (d, stage, state);
    task_range_release (&pending);
}

void decide_stage (const struct deciding *d, int stage)
{
    const struct stage_state *state =
        state_stage (d->state, d->iteration, d->plan->stages[stage].name);

    if (!state || state->phase == STAGE_WAITING)
        decide_waiting (d, stage);
    else if (state->phase == STAGE_PREPARED)
        decide_prepared (d, stage, state);
}
