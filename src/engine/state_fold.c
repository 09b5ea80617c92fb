/* SPDX-License-Identifier: BSD-3-Clause */
/* state_fold.c - events (events.h) folded into a state
 *
 * A fold checks everything it needs before it changes anything.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "engine/state.h"

/* How many obeyed requests are remembered: enough that one whose file could
 * not be removed is not obeyed again.
 */
enum { REQUESTS_REMEMBERED = 256 };

struct fold {
    const char *kind;
    int (*apply) (struct state *state,
                  const struct json *event,
                  struct error *err);
};

static double event_now_s (const struct json *event)
{
    return json_as_double (json_get (event, "now_s"));
}

static void set_text (char **to, const char *text)
{
    free (*to);
    *to = text && *text ? xstrdup (text) : NULL;
}

/* The name of the stage an event is about; NULL when that is not of the
 * current iteration.
 */
static const char *event_stage_name (const struct state *state,
                                     const struct json *event,
                                     struct error *err)
{
    const char *name;
    int64_t iteration;

    if (json_want_int (event, "iteration", &iteration, err) < 0
        || json_want_string (event, "stage", &name, err) < 0)
        return NULL;
    if (iteration >= 0 && iteration == state_iteration (state))
        return name;
    error_set (err,
               "stage '%s' of iteration %" PRId64 ", but iteration %d runs",
               name, iteration, state_iteration (state));
    return NULL;
}

/* The stage an event names, which something happened to before. */
static struct stage_state *event_stage (const struct state *state,
                                        const struct json *event,
                                        struct error *err)
{
    const char *name = event_stage_name (state, event, err);
    struct stage_state *stage;

    if (!name)
        return NULL;
    stage = state_stage (state, state_iteration (state), name);
    if (!stage)
        error_set (err, "nothing is known of stage '%s'", name);
    return stage;
}

/* The stage an event names, made when nothing happened to it yet: to be called
 * when nothing can fail any more.
 */
static struct stage_state *event_new_stage (struct state *state,
                                            const struct json *event,
                                            struct error *err)
{
    const char *name = event_stage_name (state, event, err);
    struct stage_state *stage;
    struct iteration_state *it;

    if (!name)
        return NULL;
    if ((stage = state_stage (state, state_iteration (state), name)))
        return stage;
    it = &state->iterations[state->n_iterations - 1];
    it->stages =
        grow_array (it->stages, it->n_stages, &it->alloc, sizeof (*it->stages));
    stage = &it->stages[it->n_stages++];
    memset (stage, 0, sizeof (*stage));
    stage->name = xstrdup (name);
    return stage;
}

static struct submission *event_submission (struct state *state,
                                            const struct json *event,
                                            struct error *err)
{
    const char *token;
    struct submission *submission;

    if (json_want_string (event, "token", &token, err) < 0)
        return NULL;
    if (!(submission = state_submission (state, token)))
        error_set (err, "no submission has the token '%s'", token);
    return submission;
}

static int fold_campaign (struct state *state,
                          const struct json *event,
                          struct error *err)
{
    const char *id;

    if (json_want_string (event, "id", &id, err) < 0)
        return -1;
    set_text (&state->id, id);
    return 0;
}

static int fold_config (struct state *state,
                        const struct json *event,
                        struct error *err)
{
    const char *sha256;

    if (json_want_string (event, "sha256", &sha256, err) < 0)
        return -1;
    snprintf (state->config_sha256, sizeof (state->config_sha256), "%s",
              sha256);
    return 0;
}

static int fold_iteration (struct state *state,
                           const struct json *event,
                           struct error *err)
{
    int64_t iteration;

    if (json_want_int (event, "iteration", &iteration, err) < 0)
        return -1;
    if (iteration != state_iteration (state) + 1)
        return error_set (err, "iteration %" PRId64 " is not next", iteration);
    if (iteration > 0 && !state->iterations[iteration - 1].closed)
        return error_set (err, "iteration %d is not closed",
                          state_iteration (state));
    state->iterations = grow_array (state->iterations, state->n_iterations,
                                    &state->alloc, sizeof (*state->iterations));
    memset (&state->iterations[iteration], 0, sizeof (*state->iterations));
    state->iterations[iteration].began_s = event_now_s (event);
    state->n_iterations++;
    return 0;
}

static int fold_skip (struct state *state,
                      const struct json *event,
                      struct error *err)
{
    struct stage_state *stage = event_new_stage (state, event, err);

    if (!stage)
        return -1;
    stage->phase = STAGE_SKIPPED;
    stage->ended_s = event_now_s (event);
    set_text (&stage->why, json_as_string (json_get (event, "why")));
    return 0;
}

static int fold_prepared (struct state *state,
                          const struct json *event,
                          struct error *err)
{
    struct stage_state *stage;
    int64_t tasks;

    if (json_want_int (event, "tasks", &tasks, err) < 0)
        return -1;
    if (tasks < 0 || tasks > TASK_MAX + 1)
        return error_set (err, "%" PRId64 " tasks are out of range", tasks);
    if (!(stage = event_new_stage (state, event, err)))
        return -1;
    if (stage->phase != STAGE_WAITING)
        return error_set (err, "stage '%s' was prepared before", stage->name);
    free (stage->tasks);
    stage->tasks = xcalloc ((size_t)tasks + 1, sizeof (*stage->tasks));
    stage->n_tasks = (int32_t)tasks;
    memset (stage->by_outcome, 0, sizeof (stage->by_outcome));
    stage->by_outcome[OUTCOME_NONE] = (int32_t)tasks;
    stage->phase = STAGE_PREPARED;
    stage->began_s = event_now_s (event);
    return 0;
}

static int fold_unfit (struct state *state,
                       const struct json *event,
                       struct error *err)
{
    struct stage_state *stage = event_new_stage (state, event, err);

    if (!stage)
        return -1;
    stage->phase = STAGE_FAILED;
    stage->bad_input = true;
    stage->ended_s = event_now_s (event);
    set_text (&stage->why, json_as_string (json_get (event, "why")));
    return 0;
}

static int fold_intent (struct state *state,
                        const struct json *event,
                        struct error *err)
{
    struct stage_state *stage;
    struct attempt *attempt;
    struct submission *submission;
    const char *token;
    int64_t chunk;
    int64_t elements;

    if (json_want_int (event, "chunk", &chunk, err) < 0
        || json_want_int (event, "elements", &elements, err) < 0
        || json_want_string (event, "token", &token, err) < 0
        || !(stage = event_stage (state, event, err)))
        return -1;
    if (!(attempt = stage_open_attempt (stage)))
        return error_set (err, "stage '%s' has no open attempt", stage->name);
    if (chunk < 0 || chunk >= attempt->chunks || elements < 1
        || elements > TASK_MAX + 1 || strlen (token) > TOKEN_LENGTH)
        return error_set (err, "chunk, elements or token are out of range");
    attempt->submissions =
        grow_array (attempt->submissions, attempt->n_submissions,
                    &attempt->alloc, sizeof (*attempt->submissions));
    submission = &attempt->submissions[attempt->n_submissions++];
    memset (submission, 0, sizeof (*submission));
    snprintf (submission->token, sizeof (submission->token), "%s", token);
    submission->chunk = (int)chunk;
    submission->elements = elements;
    submission->intended_s = event_now_s (event);
    return 0;
}

static int fold_recorded (struct state *state,
                          const struct json *event,
                          struct error *err)
{
    struct submission *submission;
    const char *id;

    if (json_want_string (event, "id", &id, err) < 0
        || !(submission = event_submission (state, event, err)))
        return -1;
    if (*id == '\0')
        return error_set (err, "the job of token '%s' has no id",
                          submission->token);
    set_text (&submission->id, id);
    submission->phase = SUBMISSION_RECORDED;
    return 0;
}

static int fold_released (struct state *state,
                          const struct json *event,
                          struct error *err)
{
    struct submission *submission = event_submission (state, event, err);

    if (!submission)
        return -1;
    if (!submission->id)
        return error_set (err, "'%s' was not recorded", submission->token);
    submission->phase = SUBMISSION_RELEASED;
    return 0;
}

static int fold_empty (struct state *state,
                       const struct json *event,
                       struct error *err)
{
    struct submission *submission = event_submission (state, event, err);

    if (!submission)
        return -1;
    if (submission->empty_answers++ == 0)
        submission->first_empty_s = event_now_s (event);
    return 0;
}

static int fold_absent (struct state *state,
                        const struct json *event,
                        struct error *err)
{
    struct submission *submission = event_submission (state, event, err);

    if (!submission)
        return -1;
    submission->phase = SUBMISSION_ABSENT;
    return 0;
}

static int fold_refused (struct state *state,
                         const struct json *event,
                         struct error *err)
{
    if (fold_absent (state, event, err) < 0)
        return -1;
    state->phase = CAMPAIGN_PAUSED;
    set_text (&state->why, json_as_string (json_get (event, "why")));
    return 0;
}

static int fold_over (struct state *state,
                      const struct json *event,
                      struct error *err)
{
    struct submission *submission = event_submission (state, event, err);

    if (!submission)
        return -1;
    submission->over_s = event_now_s (event);
    return 0;
}

static int fold_back (struct state *state,
                      const struct json *event,
                      struct error *err)
{
    struct submission *submission = event_submission (state, event, err);

    if (!submission)
        return -1;
    submission->over_s = 0;
    return 0;
}

static int fold_cancelling (struct state *state,
                            const struct json *event,
                            struct error *err)
{
    struct submission *submission = event_submission (state, event, err);

    if (!submission)
        return -1;
    submission->cancel_asked = true;
    return 0;
}

static int fold_ended (struct state *state,
                       const struct json *event,
                       struct error *err)
{
    struct submission *submission = event_submission (state, event, err);

    if (!submission)
        return -1;
    submission->phase = SUBMISSION_ENDED;
    return 0;
}

static void set_outcome (struct stage_state *stage,
                         int32_t task,
                         enum outcome outcome)
{
    struct task_state *t = &stage->tasks[task];

    stage->by_outcome[t->outcome]--;
    stage->by_outcome[outcome]++;
    t->outcome = (uint8_t)outcome;
}

static void count_up (uint8_t *counter)
{
    if (*counter < UINT8_MAX)
        (*counter)++;
}

/* One task's end; a try counts whatever it led to. */
static void fold_outcome (struct stage_state *stage,
                          int32_t task,
                          enum outcome outcome)
{
    struct task_state *t = &stage->tasks[task];

    if (t->outcome == OUTCOME_OK)
        return;
    if (outcome == OUTCOME_TIMEOUT)
        count_up (&t->timeouts);
    if (outcome == OUTCOME_OUT_OF_MEMORY)
        count_up (&t->out_of_memory);
    set_outcome (stage, task, outcome);
}

/* The tasks of a range, all of them within the stage. */
static int event_range (const struct stage_state *stage,
                        const struct json *text,
                        struct task_range *range,
                        struct error *err)
{
    const struct task_span *last;

    if (task_range_parse (json_as_string (text), range, err) < 0)
        return -1;
    if (range->n_spans == 0)
        return 0;
    last = &range->spans[range->n_spans - 1];
    if (last->last < stage->n_tasks)
        return 0;
    error_set (err, "stage '%s' has %d tasks, not %d", stage->name,
               stage->n_tasks, last->last + 1);
    task_range_release (range);
    return -1;
}

static int fold_attempt (struct state *state,
                         const struct json *event,
                         struct error *err)
{
    struct stage_state *stage;
    struct attempt *attempt;
    struct task_range tasks = TASK_RANGE_INIT;
    int64_t number;
    int64_t chunks;

    if (json_want_int (event, "attempt", &number, err) < 0
        || json_want_int (event, "chunks", &chunks, err) < 0
        || !(stage = event_stage (state, event, err)))
        return -1;
    if (chunks < 1 || chunks > TASK_MAX + 1)
        return error_set (err, "%" PRId64 " chunks are out of range", chunks);
    if (event_range (stage, json_get (event, "tasks"), &tasks, err) < 0)
        return -1;
    if (number != (int64_t)stage->n_attempts || stage_open_attempt (stage)) {
        task_range_release (&tasks);
        return error_set (err, "attempt %" PRId64 " is not next", number);
    }
    stage->attempts =
        grow_array (stage->attempts, stage->n_attempts, &stage->attempts_alloc,
                    sizeof (*stage->attempts));
    attempt = &stage->attempts[stage->n_attempts++];
    memset (attempt, 0, sizeof (*attempt));
    attempt->tasks = tasks;
    attempt->chunks = chunks;
    for (int32_t t = -1; (t = task_range_next (&tasks, t)) >= 0;)
        set_outcome (stage, t, OUTCOME_NONE);
    return 0;
}

static int fold_results (struct state *state,
                         const struct json *event,
                         struct error *err)
{
    struct stage_state *stage = event_stage (state, event, err);
    const struct json *outcomes = json_get (event, "outcomes");
    struct task_range ranges[OUTCOME_COUNT] = { { 0 } };
    struct task_range tried = TASK_RANGE_INIT;
    int rc = -1;

    if (!stage
        || event_range (stage, json_get (event, "tried"), &tried, err) < 0)
        goto done;
    JSON_FOREACH (outcomes, it) {
        enum outcome outcome = outcome_from_name (json_iter_key (it));

        if (outcome == OUTCOME_COUNT) {
            error_set (err, "unknown outcome '%s'", json_iter_key (it));
            goto done;
        }
        if (event_range (stage, json_iter_value (it), &ranges[outcome], err)
            < 0)
            goto done;
    }
    for (int32_t t = -1; (t = task_range_next (&tried, t)) >= 0;)
        count_up (&stage->tasks[t].tries);
    for (int o = 0; o < OUTCOME_COUNT; o++) {
        for (int32_t t = -1; (t = task_range_next (&ranges[o], t)) >= 0;)
            fold_outcome (stage, t, (enum outcome)o);
    }
    rc = 0;
done:
    for (int o = 0; o < OUTCOME_COUNT; o++)
        task_range_release (&ranges[o]);
    task_range_release (&tried);
    return rc;
}

static int fold_closed (struct state *state,
                        const struct json *event,
                        struct error *err)
{
    struct stage_state *stage = event_stage (state, event, err);
    struct attempt *attempt;

    if (!stage)
        return -1;
    if (!(attempt = stage_open_attempt (stage)))
        return error_set (err, "stage '%s' has no open attempt", stage->name);
    attempt->closed = true;
    stage->fruitless =
        json_as_bool (json_get (event, "fruitless")) ? stage->fruitless + 1 : 0;
    return 0;
}

static int fold_stage (struct state *state,
                       const struct json *event,
                       struct error *err)
{
    struct stage_state *stage;
    const char *phase;

    if (json_want_string (event, "phase", &phase, err) < 0
        || !(stage = event_stage (state, event, err)))
        return -1;
    if (strcmp (phase, "done") == 0)
        stage->phase = STAGE_DONE;
    else if (strcmp (phase, "failed") == 0)
        stage->phase = STAGE_FAILED;
    else
        return error_set (err, "unknown phase '%s'", phase);
    stage->ended_s = event_now_s (event);
    stage->count = json_as_int (json_get (event, "count"));
    stage->proceed = json_as_bool (json_get (event, "proceed"));
    set_text (&stage->why, json_as_string (json_get (event, "why")));
    return 0;
}

static int fold_closing (struct state *state,
                         const struct json *event,
                         struct error *err)
{
    struct iteration_state *it;

    if (state->n_iterations == 0)
        return error_set (err, "no iteration to close");
    it = &state->iterations[state->n_iterations - 1];
    it->closed = true;
    it->ended_s = event_now_s (event);
    it->stop = json_as_bool (json_get (event, "stop"));
    json_unref (it->history);
    it->history = json_deep_copy (json_get (event, "history"));
    return 0;
}

static int fold_paused (struct state *state,
                        const struct json *event,
                        struct error *err)
{
    (void)err;
    state->phase = CAMPAIGN_PAUSED;
    set_text (&state->why, json_as_string (json_get (event, "why")));
    return 0;
}

static int fold_finished (struct state *state,
                          const struct json *event,
                          struct error *err)
{
    const char *phase;

    if (json_want_string (event, "phase", &phase, err) < 0)
        return -1;
    state->phase =
        strcmp (phase, "done") == 0 ? CAMPAIGN_DONE : CAMPAIGN_FAILED;
    state->converged = json_as_bool (json_get (event, "converged"));
    set_text (&state->why, json_as_string (json_get (event, "why")));
    return 0;
}

/* Forget outcomes so that the tasks run again. */
static void renew_tasks (struct stage_state *stage,
                         bool (*concerned) (enum outcome outcome))
{
    for (int32_t i = 0; i < stage->n_tasks; i++) {
        if (!concerned ((enum outcome)stage->tasks[i].outcome))
            continue;
        set_outcome (stage, i, OUTCOME_NONE);
        stage->tasks[i].tries = 0;
    }
    stage->fruitless = 0;
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
    state->phase = CAMPAIGN_RUNNING;
    state->cancelling = false;
    set_text (&state->why, NULL);
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
        if (it->stages[i].phase == STAGE_PREPARED)
            renew_tasks (&it->stages[i], is_cancelled);
    }
}

/* Not while it runs: the logs of the open attempt would say the same again. */
static void retry_stage (struct stage_state *stage)
{
    if ((stage->phase != STAGE_FAILED && stage->phase != STAGE_PREPARED)
        || stage_open_attempt (stage))
        return;
    stage->phase = stage->bad_input ? STAGE_WAITING : STAGE_PREPARED;
    stage->bad_input = false;
    stage->ended_s = 0;
    set_text (&stage->why, NULL);
    if (stage->phase == STAGE_PREPARED)
        renew_tasks (stage, is_failure);
}

/* Failed stages (or the one named) get their tries anew. */
static int fold_retry (struct state *state,
                       const struct json *event,
                       struct error *err)
{
    const struct json *name = json_get (event, "stage");
    struct iteration_state *it;

    if (state->n_iterations == 0)
        return error_set (err, "nothing has run that could be tried again");
    it = &state->iterations[state->n_iterations - 1];
    for (size_t i = 0; i < it->n_stages; i++) {
        struct stage_state *stage = &it->stages[i];

        if (!name || strcmp (stage->name, json_as_string (name)) == 0)
            retry_stage (stage);
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
        char *key = xstrdup (json_iter_key (oldest));

        json_delete (state->requests_seen, key);
        free (key);
    }
    json_set (state->requests_seen, id, json_bool (true));
}

static int fold_request (struct state *state,
                         const struct json *event,
                         struct error *err)
{
    const char *id;
    const char *kind;
    int rc = 0;

    if (json_want_string (event, "id", &id, err) < 0
        || json_want_string (event, "kind", &kind, err) < 0)
        return -1;
    if (strcmp (kind, "pause") == 0 || strcmp (kind, "cancel") == 0) {
        fold_paused (state, event, err);
        if (strcmp (kind, "cancel") == 0)
            state->cancelling = true;
    } else if (strcmp (kind, "resume") == 0) {
        fold_resume (state);
    } else if (strcmp (kind, "retry") == 0) {
        rc = fold_retry (state, event, err);
    } else if (strcmp (kind, "skip") == 0) {
        if ((rc = fold_skip (state, event, err)) == 0)
            go_on (state);
    } else if (strcmp (kind, "refused") != 0) {
        rc = error_set (err, "unknown request '%s'", kind);
    }
    if (rc == 0)
        remember_request (state, id);
    return rc;
}

static const struct fold folds[] = {
    { "campaign", fold_campaign },
    { "config", fold_config },
    { "iteration", fold_iteration },
    { "skip", fold_skip },
    { "prepared", fold_prepared },
    { "unfit", fold_unfit },
    { "attempt", fold_attempt },
    { "intent", fold_intent },
    { "recorded", fold_recorded },
    { "released", fold_released },
    { "empty", fold_empty },
    { "absent", fold_absent },
    { "refused", fold_refused },
    { "over", fold_over },
    { "back", fold_back },
    { "results", fold_results },
    { "cancelling", fold_cancelling },
    { "ended", fold_ended },
    { "closed", fold_closed },
    { "stage", fold_stage },
    { "closing", fold_closing },
    { "request", fold_request },
    { "paused", fold_paused },
    { "finished", fold_finished },
};

int state_apply (struct state *state,
                 const struct json *event,
                 struct error *err)
{
    const char *kind = json_as_string (json_get (event, "ev"));
    int64_t n = json_as_int (json_get (event, "n"));

    for (size_t i = 0; i < ARRAY_SIZE (folds); i++) {
        if (strcmp (folds[i].kind, kind) != 0)
            continue;
        if (folds[i].apply (state, event, err) < 0)
            return error_prefix (err, "event %" PRId64 " (%s)", n, kind);
        state->n = n;
        return 0;
    }
    return error_set (err,
                      "event %" PRId64 ": unknown kind '%s'; was the campaign "
                      "driven by a newer fanfold?",
                      n, kind);
}
