/* SPDX-License-Identifier: BSD-3-Clause */
/* state_checkpoint.c - a state as JSON and back (state.json)
 *
 * Tasks are written as ranges: {"ok": "0-97,99"} and, by count, {"1": "0-99"}.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "engine/state.h"

static void set_unless_null (struct json *to, const char *key, const char *text)
{
    if (text)
        json_set (to, key, json_string (text));
}

/* --- writing --- */

/* {VALUE: RANGE} of the tasks whose field at 'offset' is VALUE (not 0). */
static struct json *tasks_by (const struct stage_state *stage,
                              size_t offset,
                              const char *(*name) (int value, char *buf))
{
    struct json *by = json_object ();
    struct task_range ranges[UINT8_MAX + 1] = { { 0 } };
    char buf[16];

    for (int32_t i = 0; i < stage->n_tasks; i++) {
        uint8_t value = ((const uint8_t *)&stage->tasks[i])[offset];

        if (value > 0)
            task_range_add (&ranges[value], i);
    }
    for (int v = 1; v <= UINT8_MAX; v++) {
        if (ranges[v].n_spans > 0)
            json_set (by, name (v, buf), task_range_to_json (&ranges[v]));
        task_range_release (&ranges[v]);
    }
    return by;
}

static const char *name_of_number (int value, char *buf)
{
    snprintf (buf, 16, "%d", value);
    return buf;
}

static const char *name_of_outcome (int value, char *buf)
{
    (void)buf;
    return outcome_name ((enum outcome)value);
}

static struct json *submission_json (const struct submission *s)
{
    struct json *v = json_object ();

    json_set (v, "phase", json_int (s->phase));
    json_set (v, "token", json_string (s->token));
    set_unless_null (v, "id", s->id);
    json_set (v, "chunk", json_int (s->chunk));
    json_set (v, "elements", json_int (s->elements));
    json_set (v, "intended_s", json_real (s->intended_s));
    json_set (v, "empty_answers", json_int (s->empty_answers));
    json_set (v, "first_empty_s", json_real (s->first_empty_s));
    json_set (v, "cancel_asked", json_bool (s->cancel_asked));
    json_set (v, "found", json_bool (s->found));
    json_set (v, "swept", json_bool (s->swept));
    json_set (v, "over_s", json_real (s->over_s));
    set_unless_null (v, "note", s->note);
    return v;
}

static struct json *attempt_json (const struct attempt *attempt)
{
    struct json *v = json_object ();
    struct json *list = json_array ();

    for (size_t i = 0; i < attempt->n_submissions; i++)
        json_push (list, submission_json (&attempt->submissions[i]));
    json_set (v, "tasks", task_range_to_json (&attempt->tasks));
    json_set (v, "closed", json_bool (attempt->closed));
    json_set (v, "chunks", json_int (attempt->chunks));
    json_set (v, "per_chunk", json_int (attempt->per_chunk));
    json_set (v, "site_submit", json_int (attempt->site_submit));
    json_set (v, "submissions", list);
    return v;
}

static struct json *wakeup_json (const struct wakeup *wakeup)
{
    struct json *v = json_object ();

    json_set (v, "job", submission_json (&wakeup->job));
    json_set (v, "after", json_string (wakeup->after));
    json_set (v, "at_s", json_real (wakeup->at_s));
    json_set (v, "stage", json_string (wakeup->stage));
    return v;
}

static struct json *stage_json (const struct stage_state *stage)
{
    struct json *v = json_object ();
    struct json *attempts = json_array ();

    json_set (v, "name", json_string (stage->name));
    json_set (v, "phase", json_int (stage->phase));
    set_unless_null (v, "why", stage->why);
    json_set (v, "bad_input", json_bool (stage->bad_input));
    json_set (v, "tasks", json_int (stage->n_tasks));
    json_set (v, "outcomes",
              tasks_by (stage, offsetof (struct task_state, outcome),
                        name_of_outcome));
    json_set (
        v, "tries",
        tasks_by (stage, offsetof (struct task_state, tries), name_of_number));
    json_set (v, "timeouts",
              tasks_by (stage, offsetof (struct task_state, timeouts),
                        name_of_number));
    json_set (v, "out_of_memory",
              tasks_by (stage, offsetof (struct task_state, out_of_memory),
                        name_of_number));
    for (size_t i = 0; i < stage->n_attempts; i++)
        json_push (attempts, attempt_json (&stage->attempts[i]));
    json_set (v, "attempts", attempts);
    if (stage->avoid)
        json_set (v, "avoid", json_ref (stage->avoid));
    json_set (v, "fruitless", json_int (stage->fruitless));
    json_set (v, "began_s", json_real (stage->began_s));
    json_set (v, "ended_s", json_real (stage->ended_s));
    json_set (v, "count", json_int (stage->count));
    json_set (v, "proceed", json_bool (stage->proceed));
    return v;
}

static struct json *iteration_json (const struct iteration_state *it)
{
    struct json *v = json_object ();
    struct json *stages = json_array ();

    for (size_t i = 0; i < it->n_stages; i++)
        json_push (stages, stage_json (&it->stages[i]));
    json_set (v, "stages", stages);
    json_set (v, "closed", json_bool (it->closed));
    json_set (v, "stop", json_bool (it->stop));
    if (it->history)
        json_set (v, "history", json_ref (it->history));
    json_set (v, "began_s", json_real (it->began_s));
    json_set (v, "ended_s", json_real (it->ended_s));
    return v;
}

struct json *state_to_json (const struct state *state)
{
    struct json *v = json_object ();
    struct json *iterations = json_array ();
    struct json *wakeups = json_array ();

    json_set (v, "n", json_int (state->n));
    set_unless_null (v, "id", state->id);
    json_set (v, "phase", json_int (state->phase));
    set_unless_null (v, "why", state->why);
    json_set (v, "converged", json_bool (state->converged));
    json_set (v, "cancelling", json_bool (state->cancelling));
    json_set (v, "held_up", json_bool (state->held_up));
    json_set (v, "chained", json_bool (state->chained));
    for (size_t i = 0; i < state->n_wakeups; i++)
        json_push (wakeups, wakeup_json (&state->wakeups[i]));
    json_set (v, "wakeups", wakeups);
    json_set (v, "config_sha256", json_string (state->config_sha256));
    if (state->requests_seen)
        json_set (v, "requests_seen", json_deep_copy (state->requests_seen));
    for (size_t i = 0; i < state->n_iterations; i++)
        json_push (iterations, iteration_json (&state->iterations[i]));
    json_set (v, "iterations", iterations);
    return v;
}

/* --- reading --- */

static char *text_or_null (const struct json *v, const char *key)
{
    const struct json *text = json_get (v, key);

    return text ? xstrdup (json_as_string (text)) : NULL;
}

static double real_of (const struct json *v, const char *key)
{
    return json_as_double (json_get (v, key));
}

static int int_of (const struct json *v, const char *key)
{
    return (int)json_as_int (json_get (v, key));
}

/* The integer 'key', which must be in first .. last. */
static int want_in (const struct json *v,
                    const char *key,
                    int first,
                    int last,
                    int *out,
                    struct error *err)
{
    int64_t n;

    if (json_want_int (v, key, &n, err) < 0)
        return -1;
    if (n < first || n > last)
        return error_set (err, "key '%s': %lld is out of range", key,
                          (long long)n);
    *out = (int)n;
    return 0;
}

static int read_tasks_by (const struct json *by,
                          struct stage_state *stage,
                          size_t offset,
                          int (*value) (const char *name),
                          struct error *err)
{
    JSON_FOREACH (by, it) {
        struct task_range range = TASK_RANGE_INIT;
        int number = value (json_iter_key (it));

        if (task_range_parse (json_as_string (json_iter_value (it)), &range,
                              err)
            < 0)
            return -1;
        for (int32_t t = -1; (t = task_range_next (&range, t)) >= 0;) {
            if (t < stage->n_tasks)
                ((uint8_t *)&stage->tasks[t])[offset] = (uint8_t)number;
        }
        task_range_release (&range);
    }
    return 0;
}

static int value_of_outcome (const char *name)
{
    enum outcome outcome = outcome_from_name (name);

    return outcome == OUTCOME_COUNT ? OUTCOME_NONE : (int)outcome;
}

static int read_tasks (const struct json *v,
                       struct stage_state *stage,
                       struct error *err)
{
    if (want_in (v, "tasks", 0, TASK_MAX + 1, &stage->n_tasks, err) < 0)
        return -1;
    stage->tasks = xcalloc ((size_t)stage->n_tasks + 1, sizeof (*stage->tasks));
    if (read_tasks_by (json_get (v, "outcomes"), stage,
                       offsetof (struct task_state, outcome), value_of_outcome,
                       err)
            < 0
        || read_tasks_by (json_get (v, "tries"), stage,
                          offsetof (struct task_state, tries), atoi, err)
               < 0
        || read_tasks_by (json_get (v, "timeouts"), stage,
                          offsetof (struct task_state, timeouts), atoi, err)
               < 0
        || read_tasks_by (json_get (v, "out_of_memory"), stage,
                          offsetof (struct task_state, out_of_memory), atoi,
                          err)
               < 0)
        return -1;
    for (int32_t i = 0; i < stage->n_tasks; i++)
        stage->by_outcome[stage->tasks[i].outcome]++;
    return 0;
}

static int read_submission (const struct json *v,
                            struct submission *s,
                            struct error *err)
{
    const char *token;
    int phase = 0;
    int elements = 0;

    if (json_want_string (v, "token", &token, err) < 0
        || want_in (v, "phase", 0, SUBMISSION_ABSENT, &phase, err) < 0
        || want_in (v, "elements", 1, TASK_MAX + 1, &elements, err) < 0)
        return -1;
    snprintf (s->token, sizeof (s->token), "%s", token);
    s->phase = (enum submission_phase)phase;
    s->id = text_or_null (v, "id");
    s->chunk = int_of (v, "chunk");
    s->elements = elements;
    s->intended_s = real_of (v, "intended_s");
    s->empty_answers = int_of (v, "empty_answers");
    s->first_empty_s = real_of (v, "first_empty_s");
    s->cancel_asked = json_as_bool (json_get (v, "cancel_asked"));
    s->found = json_as_bool (json_get (v, "found"));
    s->swept = json_as_bool (json_get (v, "swept"));
    s->over_s = real_of (v, "over_s");
    s->note = text_or_null (v, "note");
    if (!s->id
        && (phase == SUBMISSION_RECORDED || phase == SUBMISSION_RELEASED))
        return error_set (err, "submission '%s' has no id", s->token);
    return 0;
}

static int read_attempt (const struct json *v,
                         int32_t n_tasks,
                         struct attempt *attempt,
                         struct error *err)
{
    const struct json *list = json_get (v, "submissions");
    const struct task_range *range = &attempt->tasks;
    const char *tasks;
    int chunks = 0;

    if (json_want_string (v, "tasks", &tasks, err) < 0
        || task_range_parse (tasks, &attempt->tasks, err) < 0
        || want_in (v, "chunks", 1, TASK_MAX + 1, &chunks, err) < 0)
        return -1;
    if (range->n_spans > 0 && range->spans[range->n_spans - 1].last >= n_tasks)
        return error_set (err, "an attempt has tasks the stage has not");
    attempt->closed = json_as_bool (json_get (v, "closed"));
    attempt->chunks = chunks;
    attempt->per_chunk = json_as_int (json_get (v, "per_chunk"));
    attempt->site_submit = json_as_int (json_get (v, "site_submit"));
    attempt->alloc = json_count (list);
    attempt->submissions =
        xcalloc (attempt->alloc + 1, sizeof (*attempt->submissions));
    while (attempt->n_submissions < json_count (list)) {
        size_t i = attempt->n_submissions++;

        if (read_submission (json_at (list, i), &attempt->submissions[i], err)
            < 0)
            return -1;
    }
    return 0;
}

static int read_stage (const struct json *v,
                       struct stage_state *stage,
                       struct error *err)
{
    const struct json *list = json_get (v, "attempts");
    const char *name;
    int phase = 0;

    if (json_want_string (v, "name", &name, err) < 0
        || want_in (v, "phase", 0, STAGE_FAILED, &phase, err) < 0
        || read_tasks (v, stage, err) < 0)
        return -1;
    stage->name = xstrdup (name);
    stage->phase = (enum stage_phase)phase;
    stage->why = text_or_null (v, "why");
    stage->bad_input = json_as_bool (json_get (v, "bad_input"));
    if (json_get (v, "avoid"))
        stage->avoid = json_deep_copy (json_get (v, "avoid"));
    stage->fruitless = int_of (v, "fruitless");
    stage->began_s = real_of (v, "began_s");
    stage->ended_s = real_of (v, "ended_s");
    stage->count = json_as_int (json_get (v, "count"));
    stage->proceed = json_as_bool (json_get (v, "proceed"));
    stage->attempts_alloc = json_count (list);
    stage->attempts =
        xcalloc (stage->attempts_alloc + 1, sizeof (*stage->attempts));
    while (stage->n_attempts < json_count (list)) {
        size_t i = stage->n_attempts++;

        if (read_attempt (json_at (list, i), stage->n_tasks,
                          &stage->attempts[i], err)
            < 0)
            return -1;
    }
    return 0;
}

static int read_iteration (const struct json *v,
                           struct iteration_state *it,
                           struct error *err)
{
    const struct json *list = json_get (v, "stages");

    it->closed = json_as_bool (json_get (v, "closed"));
    it->stop = json_as_bool (json_get (v, "stop"));
    if (json_get (v, "history"))
        it->history = json_deep_copy (json_get (v, "history"));
    it->began_s = real_of (v, "began_s");
    it->ended_s = real_of (v, "ended_s");
    it->alloc = json_count (list);
    it->stages = xcalloc (it->alloc + 1, sizeof (*it->stages));
    while (it->n_stages < json_count (list)) {
        size_t i = it->n_stages++;

        if (read_stage (json_at (list, i), &it->stages[i], err) < 0)
            return -1;
    }
    return 0;
}

static int read_wakeup (const struct json *v,
                        struct wakeup *wakeup,
                        struct error *err)
{
    const char *after;
    const char *stage;

    if (json_want_string (v, "after", &after, err) < 0
        || json_want_string (v, "stage", &stage, err) < 0
        || read_submission (json_get (v, "job"), &wakeup->job, err) < 0)
        return -1;
    snprintf (wakeup->after, sizeof (wakeup->after), "%s", after);
    wakeup->at_s = real_of (v, "at_s");
    wakeup->stage = xstrdup (stage);
    return 0;
}

static int read_wakeups (const struct json *list,
                         struct state *state,
                         struct error *err)
{
    state->wakeups_alloc = json_count (list);
    state->wakeups =
        xcalloc (state->wakeups_alloc + 1, sizeof (*state->wakeups));
    while (state->n_wakeups < json_count (list)) {
        size_t i = state->n_wakeups++;

        if (read_wakeup (json_at (list, i), &state->wakeups[i], err) < 0)
            return -1;
    }
    return 0;
}

static int read_state (const struct json *v,
                       struct state *state,
                       struct error *err)
{
    struct json *list;
    int phase = 0;

    if (json_want_int (v, "n", &state->n, err) < 0
        || json_want_array (v, "iterations", &list, err) < 0
        || want_in (v, "phase", 0, CAMPAIGN_FAILED, &phase, err) < 0)
        return -1;
    state->id = text_or_null (v, "id");
    state->phase = (enum campaign_phase)phase;
    state->why = text_or_null (v, "why");
    state->converged = json_as_bool (json_get (v, "converged"));
    state->cancelling = json_as_bool (json_get (v, "cancelling"));
    state->held_up = json_as_bool (json_get (v, "held_up"));
    state->chained = json_as_bool (json_get (v, "chained"));
    if (read_wakeups (json_get (v, "wakeups"), state, err) < 0)
        return -1;
    snprintf (state->config_sha256, sizeof (state->config_sha256), "%s",
              json_as_string (json_get (v, "config_sha256")));
    if (json_get (v, "requests_seen"))
        state->requests_seen = json_deep_copy (json_get (v, "requests_seen"));
    state->alloc = json_count (list);
    state->iterations = xcalloc (state->alloc + 1, sizeof (*state->iterations));
    while (state->n_iterations < json_count (list)) {
        size_t i = state->n_iterations++;

        if (read_iteration (json_at (list, i), &state->iterations[i], err) < 0)
            return -1;
    }
    return 0;
}

int state_from_json (const struct json *v,
                     struct state *state,
                     struct error *err)
{
    struct state read = STATE_INIT;

    if (read_state (v, &read, err) < 0) {
        state_release (&read);
        return -1;
    }
    *state = read;
    return 0;
}
