/* SPDX-License-Identifier: BSD-3-Clause */
/* notice_event.c - what a program that tells people is given */
#include "base/base.h"

#include "base/clock.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/decide/notices.h"
#include "engine/drive/notice_event.h"
#include "engine/history/engine.h"

static struct json *time_json (double wall_s)
{
    char text[CLOCK_ISO_SIZE];

    clock_iso (wall_s, text);
    return json_string (text);
}

/* --- counts --- */

static void add_counts (const struct stage_state *stage,
                        int64_t counts[OUTCOME_COUNT])
{
    for (int o = 0; o < OUTCOME_COUNT; o++)
        counts[o] += stage->by_outcome[o];
}

/* {OUTCOME: tasks} of a stage, or of all in the iteration. */
static struct json *counts_json (const struct iteration_state *it,
                                 const struct stage_state *stage)
{
    int64_t counts[OUTCOME_COUNT] = { 0 };
    struct json *v = json_object ();

    for (size_t i = 0; i < it->n_stages; i++) {
        if (!stage || stage == &it->stages[i])
            add_counts (&it->stages[i], counts);
    }
    for (int o = 0; o < OUTCOME_COUNT; o++) {
        if (counts[o] > 0)
            json_set (v, outcome_name ((enum outcome)o), json_int (counts[o]));
    }
    return v;
}

/* --- the first error --- */

static bool has_failed (const struct task_state *task)
{
    return task->outcome != OUTCOME_NONE && task->outcome != OUTCOME_OK;
}

/* What the journal says why a task ended. */
struct saying {
    int iteration;
    const char *stage;
    char task[16];
    char *why; /* of its latest end; NULL: nothing */
};

static int look_for_why (const struct json *event, void *arg, struct error *err)
{
    struct saying *saying = arg;
    const struct json *why = json_get (json_get (event, "why"), saying->task);

    (void)err;
    if (strcmp (json_get_string (event, "ev"), "results") != 0 || !why
        || json_get_int (event, "iteration") != saying->iteration
        || strcmp (json_get_string (event, "stage"), saying->stage) != 0)
        return 0;
    free (saying->why);
    saying->why = xstrdup (json_as_string (why));
    return 0;
}

/* Of the first task that failed; NULL: none did. */
static struct json *first_error_json (const struct engine *engine,
                                      int iteration,
                                      const struct stage_state *stage)
{
    struct saying saying = { .iteration = iteration, .stage = stage->name };
    struct journal_position position = { 0 };
    struct json *v;
    int32_t task = 0;

    while (task < stage->n_tasks && !has_failed (&stage->tasks[task]))
        task++;
    if (task == stage->n_tasks)
        return NULL;
    snprintf (saying.task, sizeof (saying.task), "%d", task);
    journal_read (engine->dir, &position, look_for_why, &saying, NULL);
    v = json_object ();
    json_set (v, "task", json_int (task));
    json_set (
        v, "outcome",
        json_string (outcome_name ((enum outcome)stage->tasks[task].outcome)));
    json_set (v, "message", json_string (saying.why));
    free (saying.why);
    return v;
}

/* --- the event --- */

/* A stage that failed may run again when its notice is sent. */
static void add_failure (const struct engine *engine, int iteration,
                         const struct stage_state *stage, struct json *v)
{
    struct json *error = stage && stage->status == STAGE_FAILED
                             ? first_error_json (engine, iteration, stage)
                             : NULL;

    if (error)
        json_set (v, "first_error", error);
}

static void add_iteration (const struct engine *engine, int iteration,
                           const char *stage_name, struct json *v)
{
    const struct iteration_state *it = &engine->state.iterations[iteration];
    const struct stage_state *stage =
        state_stage (&engine->state, iteration, stage_name);

    json_set (v, "tasks", counts_json (it, stage));
    if (json_count (it->history) > 0)
        json_set (v, "history", json_deep_copy (it->history));
    add_failure (engine, iteration, stage, v);
}

static void add_quiet (const struct quiet *quiet, struct json *v)
{
    if (quiet->since_s > 0)
        json_set (v, "since", time_json (quiet->since_s));
    json_set (v, "usual_s", json_real (quiet->most_s));
    if (quiet->stage)
        json_set (v, "stage", json_string (quiet->stage));
}

/* What is known of an iteration that was not undone since. */
static void add_place (const struct engine *engine, const struct notice *notice,
                       struct json *v)
{
    const struct json *waits = notice->waits;
    int iteration = waits && json_get (waits, "iteration")
                        ? (int)json_get_int (waits, "iteration")
                        : state_iteration (&engine->state);

    if (waits && json_get (waits, "stage"))
        json_set (v, "stage", json_deep_copy (json_get (waits, "stage")));
    if (notice->event == NOTICE_STUCK)
        add_quiet (&notice->quiet, v);
    if (iteration < 0)
        return;
    json_set (v, "iteration", json_int (iteration));
    if ((size_t)iteration < engine->state.n_iterations)
        add_iteration (engine, iteration, json_get_string (v, "stage"), v);
}

struct json *notice_event_json (const struct engine *engine,
                                const struct notice *notice)
{
    const struct json *waits = notice->waits;
    const char *name = notice_event_name (notice->event);
    struct json *v = json_object ();

    json_set (
        v, "id",
        json_stringf ("%s-%" PRId64 "-%s", engine->state.id, notice->of, name));
    json_set (v, "event", json_string (name));
    json_set (v, "campaign", json_string (engine->plan->name));
    json_set (v, "directory", json_string (engine->dir));
    json_set (v, "time",
              time_json (waits ? json_get_double (waits, "at_s")
                               : engine_now_s (engine)));
    json_set (v, "again", json_bool (notice->begun > 0));
    if (waits && json_get (waits, "why"))
        json_set (v, "why", json_deep_copy (json_get (waits, "why")));
    add_place (engine, notice, v);
    return v;
}
