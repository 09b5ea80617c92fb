/* SPDX-License-Identifier: BSD-3-Clause */
/* act_checkpoints.c - what tries left that were cut short, for the next ones */
#include "base/base.h"

#include "arrays/packing.h"
#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/act/act.h"
#include "engine/act/act_checkpoints.h"
#include "engine/history/engine.h"
#include "handover/task_checkpoint.h"
#include "space/lease.h"

struct gathering {
    struct engine *engine;
    const struct stage *stage;
    int iteration;
    const struct stage_state *state;
    const struct attempt *attempt; /* the open one */
};

static struct gathering begin (struct engine *engine, const struct stage *stage,
                               int iteration)
{
    const struct stage_state *state =
        state_stage (&engine->state, iteration, stage->name);

    return (struct gathering){ engine, stage, iteration, state,
                               stage_open_attempt (state) };
}

static char *place_of (const struct gathering *g, int32_t task)
{
    return task_checkpoint_place (g->engine->dir, g->state->generation, task);
}

/* --- where an attempt's agents worked on a task --- */

struct element_place {
    char *chunk_dir; /* NULL: the attempt does not have the task */
    int64_t element;
};

static struct element_place element_of (const struct gathering *g, int32_t task)
{
    const struct attempt_place place = { g->state->generation,
                                         (int)g->state->n_attempts - 1 };
    struct element_place found = { NULL, -1 };

    for (int64_t c = 0; !found.chunk_dir && c < g->attempt->packing.chunks;
         c++) {
        _cleanup_ (task_range_release) struct task_range share =
            TASK_RANGE_INIT;

        packing_chunk_tasks (&g->attempt->packing, &g->attempt->tasks, c,
                             &share);
        found.element = packing_element_of (
            &share, packing_chunk_elements (&g->attempt->packing, c), task);
        if (found.element >= 0)
            found.chunk_dir =
                attempt_chunk_path (g->engine->dir, &place, (int)c, "");
    }
    return found;
}

/* How many claims the element has. */
static int64_t count_claims (const struct element_place *at)
{
    int64_t n = 0;
    bool there = true;

    for (; there; n += there) {
        _cleanup_free_ char *log =
            xasprintf ("%s" LAYOUT_RESULTS, at->chunk_dir, at->element, n);

        there = file_exists (log);
    }
    return n;
}

/* Of its agents, the latest that left anything; or what none has taken. */
static int gather_task (const struct gathering *g, int32_t task,
                        const char *place, bool *found, struct error *err)
{
    struct element_place at = element_of (g, task);
    int rc = lease_check (g->engine->lease, err);

    *found = false;
    if (rc == 0)
        rc = file_look (place, err);
    *found = rc > 0;
    if (rc > 0) /* whoever put it there may not have come to that */
        rc = file_sync_parent (place, err);
    for (int64_t n = at.chunk_dir ? count_claims (&at) : 0;
         rc == 0 && !*found && n-- > 0;) {
        _cleanup_free_ char *dir =
            xasprintf ("%s" LAYOUT_WORK LAYOUT_WORK_TASK, at.chunk_dir,
                       at.element, n, task);

        rc = task_checkpoint_gather (dir, g->stage->op->checkpoint, place,
                                     &g->engine->heartbeat, found, err);
    }
    free (at.chunk_dir);
    return rc < 0 ? -1 : 0;
}

/* --- of a results event --- */

/* The task was cut short: what is there to go on from? */
static int note_checkpoint (const struct gathering *g, int32_t task,
                            struct json *told, struct error *err)
{
    _cleanup_free_ char *place = place_of (g, task);
    struct json *v = NULL;
    bool found = false;
    int rc = gather_task (g, task, place, &found, err);
    char key[16];

    snprintf (key, sizeof (key), "%d", task);
    if (rc == 0 && found
        && !(v = task_checkpoint_describe (place, &g->engine->heartbeat, err)))
        rc = -1;
    if (v)
        json_set (told, key, v);
    return rc;
}

/* A program that was broken off, not by its own doing: by a signal, which a
 * shell and a launcher tell as 128 + N, or as the operator says.
 */
static bool is_broken_off (const struct gathering *g, enum outcome outcome,
                           int32_t task)
{
    const struct attempt_logs *logs =
        logs_read_of (&g->engine->logs_read, g->state, g->iteration);
    int status = task < logs->n_tasks ? logs->tasks[task].status : 0;

    if (!outcome_may_be_broken_off (outcome))
        return false;
    for (const int *e = g->stage->op->broken_exits; e && *e; e++) {
        if (*e == status)
            return true;
    }
    return status > 128;
}

/* The same as the try began with may be what broke it off. */
static void drop_if_known (const struct gathering *g, int32_t task,
                           struct json *told)
{
    char key[16];

    snprintf (key, sizeof (key), "%d", task);
    if (json_get (told, key)
        && strcmp (json_get_string (json_get (told, key), "sha256"),
                   json_get_string (json_get (g->state->checkpoints, key),
                                    "sha256"))
               == 0)
        json_delete (told, key);
}

static int discard (const struct gathering *g, int32_t task, struct error *err)
{
    _cleanup_free_ char *place = place_of (g, task);

    return task_checkpoint_discard (place, &g->engine->heartbeat, err);
}

/* Of a try that was broken off. */
static int note_newer (const struct gathering *g, int32_t task,
                       struct json *told, struct error *err)
{
    char key[16];

    if (note_checkpoint (g, task, told, err) < 0)
        return -1;
    drop_if_known (g, task, told);
    snprintf (key, sizeof (key), "%d", task);
    return json_get (told, key) ? 0 : discard (g, task, err);
}

static int note_task (const struct gathering *g, enum outcome outcome,
                      int32_t task, struct json *told, struct error *err)
{
    if (outcome_is_cut_short (outcome))
        return note_checkpoint (g, task, told, err);
    return is_broken_off (g, outcome, task) ? note_newer (g, task, told, err)
                                            : discard (g, task, err);
}

static int note_range (const struct gathering *g, enum outcome outcome,
                       const char *text, struct json *told, struct error *err)
{
    _cleanup_ (task_range_release) struct task_range range = TASK_RANGE_INIT;
    int rc = task_range_parse (text, &range, err);

    for (int32_t t = -1; rc == 0 && (t = task_range_next (&range, t)) >= 0;) {
        engine_heartbeat (g->engine);
        rc = note_task (g, outcome, t, told, err);
    }
    return rc;
}

/* How long those tries took: their time is not lost. */
static void add_times (struct engine *engine, const struct gathering *g,
                       int iteration, const struct json *told)
{
    const struct attempt_logs *logs =
        logs_read_of (&engine->logs_read, g->state, iteration);

    JSON_FOREACH (told, it) {
        int t = atoi (json_iter_key (it));

        if (t < logs->n_tasks && logs->tasks[t].wall_s > 0)
            json_set (json_iter_value (it), "wall_s",
                      json_real ((double)logs->tasks[t].wall_s));
    }
}

int act_checkpoints (struct engine *engine, const struct stage *stage,
                     int iteration, struct json *event, struct error *err)
{
    const struct gathering g = begin (engine, stage, iteration);
    _cleanup_json_ struct json *told = NULL;
    int rc = 0;

    if (!stage->op->checkpoint || !g.attempt)
        return 0;
    told = json_object ();
    JSON_FOREACH (json_get (event, "outcomes"), it) {
        enum outcome outcome = outcome_from_name (json_iter_key (it));

        if (rc == 0 && outcome != OUTCOME_OK)
            rc = note_range (&g, outcome, json_as_string (json_iter_value (it)),
                             told, err);
    }
    add_times (engine, &g, iteration, told);
    if (json_count (told) > 0)
        json_set (event, "checkpoints", json_ref (told));
    return rc;
}

int act_checkpoints_of_pending (struct engine *engine,
                                const struct stage *stage, int iteration,
                                struct error *err)
{
    const struct gathering g = begin (engine, stage, iteration);
    const struct task_range *tasks = &g.attempt->tasks;
    int rc = 0;

    if (!stage->op->checkpoint)
        return 0;
    for (int32_t t = -1; rc == 0 && (t = task_range_next (tasks, t)) >= 0;) {
        char *place;
        bool found;

        if (g.state->tasks[t].outcome != OUTCOME_NONE)
            continue;
        engine_heartbeat (engine);
        place = place_of (&g, t);
        rc = gather_task (&g, t, place, &found, err);
        free (place);
    }
    return rc;
}
