/* SPDX-License-Identifier: BSD-3-Clause */
/* fold_request.c - what people asked for, folded in */
#include "base/base.h"

#include "base/json.h"
#include "campaign/plan.h"
#include "engine/history/fold.h"

/* How many requests that were carried out are remembered: enough that one whose
 * file could not be removed is not carried out again.
 */
enum { REQUESTS_REMEMBERED = 256 };

/* Forget outcomes so that the tasks run again. */
static void renew_tasks (struct stage_state *stage,
                         bool (*concerned) (enum outcome outcome))
{
    const struct attempt *open = stage_open_attempt (stage);

    for (int32_t i = 0; i < stage->n_tasks; i++) {
        if (!concerned ((enum outcome)stage->tasks[i].outcome))
            continue;
        fold_set_outcome (stage, i, OUTCOME_NONE);
        stage->tasks[i].tries = 0;
        stage->tasks[i].renewed = open && task_range_contains (&open->tasks, i);
    }
    stage->without_result = 0;
}

static bool is_cancelled (enum outcome outcome)
{
    return outcome == OUTCOME_CANCELLED;
}

static bool is_failure (enum outcome outcome)
{
    return outcome != OUTCOME_NONE && outcome != OUTCOME_OK;
}

static void go_on (struct state *state)
{
    state->status = CAMPAIGN_RUNNING;
    state->cancelling = false;
    state->auto_paused = false;
    fold_text (&state->why, NULL);
    fold_forget_outages (state);
}

/* What was cancelled runs again after a resume. */
static void fold_resume (struct state *state)
{
    struct iteration_state *it;

    go_on (state);
    if (state->n_iterations == 0)
        return;
    it = &state->iterations[state->n_iterations - 1];
    for (size_t i = 0; i < it->n_stages; i++) {
        if (it->stages[i].status == STAGE_PREPARED)
            renew_tasks (&it->stages[i], is_cancelled);
    }
}

/* 'enough': of its tasks are ok; those that failed are not tried again. */
static void retry_stage (struct stage_state *stage, bool enough)
{
    if (!stage_may_be_retried (stage))
        return;
    stage->status = stage->bad_input ? STAGE_WAITING : STAGE_PREPARED;
    stage->bad_input = false;
    stage->ended_s = 0;
    fold_text (&stage->why, NULL);
    if (stage->status == STAGE_PREPARED && !enough)
        renew_tasks (stage, is_failure);
}

/* Failed stages (or the one named) get their tries anew. */
static int fold_retry (struct state *state, const struct json *event,
                       struct error *err)
{
    const struct json *name = json_get (event, "stage");
    struct iteration_state *it;

    if (state->n_iterations == 0)
        return error_set (err, "nothing has run that could be tried again");
    it = &state->iterations[state->n_iterations - 1];
    for (size_t i = 0; i < it->n_stages; i++) {
        struct stage_state *stage = &it->stages[i];

        if (!name || stage_is_of (stage->name, json_as_string (name)))
            retry_stage (stage, json_array_has_string (
                                    json_get (event, "enough"), stage->name));
    }
    go_on (state);
    return 0;
}

static void remember_request (struct state *state, const char *id)
{
    if (!state->requests_seen)
        state->requests_seen = json_object ();
    if (json_get (state->requests_seen, id))
        return;
    if (json_count (state->requests_seen) >= REQUESTS_REMEMBERED) {
        void *oldest = json_iter (state->requests_seen);
        _cleanup_free_ char *key = xstrdup (json_iter_key (oldest));

        json_delete (state->requests_seen, key);
    }
    json_set (state->requests_seen, id, json_bool (true));
}

static int fold_request (struct state *state, const struct json *event,
                         struct error *err)
{
    const char *id;
    const char *kind;
    int rc = 0;

    if (json_want_string (event, "id", &id, err) < 0
        || json_want_string (event, "kind", &kind, err) < 0)
        return -1;
    if (json_get (event, "number") && fold_replacement (state, event, err) < 0)
        return -1;
    if (strcmp (kind, "pause") == 0 || strcmp (kind, "cancel") == 0) {
        fold_paused (state, event, err);
        state->auto_paused = false;
        if (strcmp (kind, "cancel") == 0)
            state->cancelling = true;
    } else if (strcmp (kind, "resume") == 0) {
        fold_resume (state);
    } else if (strcmp (kind, "retry") == 0) {
        rc = fold_retry (state, event, err);
    } else if (strcmp (kind, "redo") == 0 || strcmp (kind, "reset") == 0) {
        go_on (state);
    } else if (strcmp (kind, "skip") == 0) {
        if ((rc = fold_skip (state, event, err)) == 0)
            go_on (state);
    } else if (strcmp (kind, "forget") == 0) {
        if (state->status == CAMPAIGN_FAILED)
            go_on (state); /* as far as it can without that stage */
    } else if (strcmp (kind, "refused") != 0) {
        rc = error_set (err, "unknown request '%s'", kind);
    }
    if (rc == 0)
        remember_request (state, id);
    return rc;
}

const struct event_fold request_folds[] = {
    { "request", fold_request },
    { NULL, NULL },
};
