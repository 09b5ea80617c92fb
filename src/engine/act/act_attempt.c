/* SPDX-License-Identifier: BSD-3-Clause */
/* act_attempt.c - what is pending packed into elements; an attempt closed */
#include "base/base.h"

#include "arrays/packing.h"
#include "base/file.h"
#include "base/json.h"
#include "base/point.h"
#include "campaign/plan.h"
#include "engine/act/act.h"
#include "engine/act/act_checkpoints.h"
#include "engine/decide/actions.h"
#include "engine/history/engine.h"
#include "engine/history/events.h"
#include "engine/observe/scheduler_access.h"
#include "space/layout.h"

/* An adapter keeps the end of what a job prints, if anything. */
enum { JOB_OUTPUT_MAX_BYTES = 1 << 20 };

/* --- open --- */

/* The tightest of what the profile and the scheduler allow, less what is
 * reserved of the submit limit.
 */
static enum act_result find_limits (struct engine *engine,
                                    const struct profile *profile,
                                    int64_t reserved,
                                    struct array_limits *limits,
                                    struct scheduler_limits *site,
                                    struct error *err)
{
    struct scheduler scheduler;
    const struct scheduler_adapter *adapter =
        engine_scheduler (engine, profile, &scheduler);

    enum answer answer = adapter->limits (&scheduler, site, err);

    if (answer != ANSWER_OK)
        return act_unanswered (answer);
    *limits = limits_at_site (profile, site);
    if (limits->submit > 0)
        limits->submit =
            limits->submit > reserved ? limits->submit - reserved : 1;
    return ACT_DONE;
}

static struct json *attempt_event (const struct engine *engine,
                                   const struct action *action,
                                   const struct stage_state *state,
                                   const struct packing *packing,
                                   const struct resources *task,
                                   double node_share, int64_t site_submit)
{
    struct json *event = event_of_stage ("attempt", engine_now_s (engine),
                                         action->iteration, state->name);

    json_set (event, "attempt", json_int ((int64_t)state->n_attempts));
    json_set (event, "tasks", task_range_to_json (&action->tasks));
    json_set (event, "packing", packing_to_json (packing));
    json_set (event, "task", resources_to_json (task));
    json_set (event, "node_share", json_real (node_share));
    json_set (event, "site_submit", json_int (site_submit));
    return event;
}

/* A task that fits nowhere is for the user to fix: the stage fails. */
static enum act_result fail_unfit (struct engine *engine,
                                   const struct action *action,
                                   const struct stage *stage, struct error *err)
{
    struct json *event = event_of_stage ("stage", engine_now_s (engine),
                                         action->iteration, stage->name);

    json_set (event, "phase", json_string ("failed"));
    json_set (event, "why", json_string (err->text));
    return engine_record (engine, event, err) < 0 ? ACT_FAILED : ACT_DONE;
}

/* A retry, or what was learned, that asks for more than the site gives gets
 * what it gives.
 */
static bool keep_memory (const struct stage *stage,
                         const struct node_capacity *node,
                         struct resources *task)
{
    int64_t most = task_memory_most (node);

    if (most == 0 || resources_of_node (task).memory_bytes <= most
        || resources_of_node (&stage->needs).memory_bytes > most)
        return false;
    task->memory_bytes = most * (task->nodes > 1 ? task->nodes : 1);
    return true;
}

static void keep_walltime (const struct stage *stage,
                           const struct array_limits *limits,
                           struct resources *task)
{
    if (limits->walltime_s > 0 && task->walltime_s > limits->walltime_s
        && stage->needs.walltime_s <= limits->walltime_s)
        task->walltime_s = limits->walltime_s;
}

/* Was what its agents need of the stage taken away?  1, 0, -1. */
static int manifest_is_gone (struct engine *engine, const char *stage,
                             int iteration, struct error *err)
{
    _cleanup_free_ char *path =
        engine_stage_path (engine, iteration, stage, LAYOUT_STAGE_MANIFEST);
    int there = file_look (path, err);

    return there < 0 ? -1 : !there;
}

/* No attempt would come to anything. */
static enum act_result pause_without_manifest (struct engine *engine,
                                               const char *stage,
                                               struct error *err)
{
    struct json *event = event_new ("paused", engine_now_s (engine));

    json_set (event, "why",
              json_stringf ("stage '%s': its " LAYOUT_STAGE_MANIFEST
                            " is gone from its directory; bring it back and "
                            "run `fanfold resume`, or make it anew: run "
                            "`fanfold redo %s`, then `fanfold run`",
                            stage, stage));
    return engine_record (engine, event, err) < 0 ? ACT_FAILED : ACT_DONE;
}

enum act_result act_open_attempt (struct engine *engine,
                                  const struct action *action,
                                  struct error *err)
{
    const struct stage *stage = &engine->plan->stages[action->stage];
    const struct stage_state *state =
        state_stage (&engine->state, action->iteration, stage->name);
    struct node_capacity capacity;
    struct array_limits limits;
    struct scheduler_limits site = { 0 };
    struct packing packing;
    struct resources task = action->task;
    enum act_result result;
    int gone = manifest_is_gone (engine, stage->name, action->iteration, err);

    if (gone != 0)
        return gone < 0 ? ACT_FAILED
                        : pause_without_manifest (engine, stage->name, err);
    if ((result = find_limits (engine, stage->profile, action->reserved,
                               &limits, &site, err))
        != ACT_DONE)
        return result;
    limits.elements = tighter_limit (limits.elements, action->elements);
    keep_walltime (stage, &limits, &task);
    if (node_capacity_of (stage->profile, &task, &site, &capacity, err) < 0)
        return ACT_FAILED;
    if (keep_memory (stage, &capacity, &task)
        && node_capacity_of (stage->profile, &task, &site, &capacity, err) < 0)
        return ACT_FAILED;
    if (packing_plan ((int64_t)task_range_count (&action->tasks), &task,
                      action->measured_s, &capacity, &limits, &packing, err)
        < 0)
        return fail_unfit (engine, action, stage, err);
    return engine_record (engine,
                          attempt_event (engine, action, state, &packing, &task,
                                         packing_node_share (&task, &capacity),
                                         site.submit),
                          err)
                   < 0
               ? ACT_FAILED
               : ACT_DONE;
}

/* --- close --- */

/* A job we took for absent may have appeared late, a request that was repeated
 * on its way may have made two: cancel them now, when nothing may run under
 * this attempt any more.
 */
static enum act_result cancel_late_duplicates (struct engine *engine,
                                               const struct stage *stage,
                                               const struct attempt *attempt,
                                               struct error *err)
{
    struct scheduler scheduler;
    const struct scheduler_adapter *adapter =
        engine_scheduler (engine, stage->profile, &scheduler);

    for (size_t i = 0; i < attempt->n_submissions; i++) {
        enum answer answer = act_cancel_others (adapter, &scheduler,
                                                &attempt->submissions[i], err);

        if (answer != ANSWER_OK)
            return act_unanswered (answer);
    }
    return ACT_DONE;
}

/* Agents refuse to run under an attempt that has this file. */
static int write_closed (struct engine *engine,
                         const struct attempt_place *place, struct error *err)
{
    static const char text[] = "{\"format\": 1}\n";
    _cleanup_free_ char *path =
        attempt_path (engine->dir, place, LAYOUT_CLOSED);
    int rc =
        file_make_lasting_parent (path, err); /* nothing may be submitted yet */

    if (rc == 0)
        rc = file_write_atomic (path, text, sizeof (text) - 1, err);
    return rc;
}

/* Did no task of the attempt begin or end, though it was not cancelled? */
static bool was_without_result (const struct stage_state *state,
                                const struct attempt *attempt)
{
    const struct task_range *tasks = &attempt->tasks;

    for (size_t i = 0; i < attempt->n_submissions; i++) {
        if (attempt->submissions[i].cancel_asked)
            return false;
    }
    for (int32_t t = -1; (t = task_range_next (tasks, t)) >= 0;) {
        if (task_is_judged (&state->tasks[t]))
            return false;
    }
    return true;
}

/* What the adapter keeps of jobs that ended is no longer needed.  Before the
 * event: a closed attempt is not come back to.
 */
static void forget_jobs (struct engine *engine, const struct stage *stage,
                         const struct attempt *attempt)
{
    struct scheduler scheduler;
    const struct scheduler_adapter *adapter =
        engine_scheduler (engine, stage->profile, &scheduler);

    for (size_t i = 0; adapter->forget && i < attempt->n_submissions; i++) {
        engine_heartbeat (engine);
        if (attempt->submissions[i].id)
            adapter->forget (&scheduler, attempt->submissions[i].id, NULL);
    }
}

/* What jobs of the attempt printed last, where nothing came of any. */
static void add_last_output (const struct engine *engine,
                             const struct attempt_place *place, int64_t chunks,
                             struct json *event)
{
    bool found = false;

    for (int64_t chunk = 0; !found && chunk < chunks; chunk++) {
        _cleanup_free_ char *path = attempt_chunk_path (
            engine->dir, place, (int)chunk, LAYOUT_JOB_OUTPUT);
        _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
        _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;

        if (file_read (path, JOB_OUTPUT_MAX_BYTES, &text, NULL) == 0)
            strvec_split (&lines, text.buf, "\r\n");
        found = lines.n > 0;
        if (found)
            json_set (event, "said",
                      json_stringf ("%.600s", lines.v[lines.n - 1]));
    }
}

enum act_result act_close_attempt (struct engine *engine,
                                   const struct action *action,
                                   struct error *err)
{
    const struct stage *stage = &engine->plan->stages[action->stage];
    const struct stage_state *state =
        state_stage (&engine->state, action->iteration, stage->name);
    const struct attempt *attempt = stage_open_attempt (state);
    struct attempt_place place = { state->generation,
                                   (int)state->n_attempts - 1 };
    bool without_result =
        !action->repack && was_without_result (state, attempt);
    enum act_result result;
    struct json *event;

    point_reached ("close.checked");
    if (write_closed (engine, &place, err) < 0)
        return ACT_FAILED;
    if ((result = cancel_late_duplicates (engine, stage, attempt, err))
        != ACT_DONE)
        return result;
    if (act_checkpoints_of_pending (engine, stage, action->iteration, err) < 0)
        return ACT_FAILED;
    forget_jobs (engine, stage, attempt);
    event = event_of_stage ("closed", engine_now_s (engine), action->iteration,
                            stage->name);
    json_set (event, "attempt", json_int (place.attempt));
    json_set (event, "without_result", json_bool (without_result));
    if (without_result)
        add_last_output (engine, &place, attempt->packing.chunks, event);
    return engine_record (engine, event, err) < 0 ? ACT_FAILED : ACT_DONE;
}
