/* SPDX-License-Identifier: BSD-3-Clause */
/* act_results.c - how tasks ended, after a look at what they left
 *
 * A valid out/result.json is the outcome ok, with or without a log line: the
 * agent that committed it may have died before it could say so, or its log
 * may be what a node lost.  One file is read for each task that is not ok.  (Of
 * a stage without output artifacts there is no such file: nothing but its log
 * makes such a task ok.)
 */
#include "base/base.h"

#include "handover/slice_file.h"
#include "handover/task_result.h"
#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/act/act.h"
#include "engine/act/act_checkpoints.h"
#include "engine/decide/actions.h"
#include "engine/history/engine.h"
#include "signature/outputs.h"

/* --- the event --- */

/* Split a range in two by is_found(). */
static void split_found (const char *text,
                         bool (*is_found) (int32_t task, void *arg), void *arg,
                         struct task_range *found, struct task_range *left)
{
    _cleanup_ (task_range_release) struct task_range range = TASK_RANGE_INIT;

    task_range_parse (text, &range, NULL);
    for (int32_t t = -1; (t = task_range_next (&range, t)) >= 0;)
        task_range_add (is_found (t, arg) ? found : left, t);
}

static void drop_reasons (struct json *event, const struct task_range *tasks)
{
    struct json *why = json_get (event, "why");

    for (int32_t t = -1; (t = task_range_next (tasks, t)) >= 0;) {
        char key[16];

        snprintf (key, sizeof (key), "%d", t);
        json_delete (why, key);
    }
    if (why && json_count (why) == 0)
        json_delete (event, "why");
}

/* The tasks after whose outcome the node is avoided. */
static void add_avoided (const struct json *outcomes, unsigned avoid_after,
                         struct task_range *tasks)
{
    JSON_FOREACH (outcomes, it) {
        enum outcome outcome = outcome_from_name (json_iter_key (it));
        struct task_range range = TASK_RANGE_INIT;

        if (outcome == OUTCOME_COUNT || !(avoid_after & 1U << outcome))
            continue;
        task_range_parse (json_as_string (json_iter_value (it)), &range, NULL);
        for (int32_t t = -1; (t = task_range_next (&range, t)) >= 0;)
            task_range_add (tasks, t);
        task_range_release (&range);
    }
}

static bool is_any_in (const char *text, const struct task_range *tasks)
{
    _cleanup_ (task_range_release) struct task_range range = TASK_RANGE_INIT;
    bool found = false;

    task_range_parse (text, &range, NULL);
    for (int32_t t = -1; !found && (t = task_range_next (&range, t)) >= 0;)
        found = task_range_contains (tasks, t);
    return found;
}

static bool is_listed (const struct json *list, const char *name)
{
    for (size_t i = 0; i < json_count (list); i++) {
        if (strcmp (json_as_string (json_at (list, i)), name) == 0)
            return true;
    }
    return false;
}

/* [NODE...]; NULL for none. */
static struct json *nodes_to_avoid (const struct json *results,
                                    unsigned avoid_after)
{
    struct task_range tasks = TASK_RANGE_INIT;
    struct json *nodes = json_array ();

    add_avoided (json_get (results, "outcomes"), avoid_after, &tasks);
    JSON_FOREACH (json_get (results, "nodes"), it) {
        if (is_any_in (json_as_string (json_iter_value (it)), &tasks))
            json_push (nodes, json_string (json_iter_key (it)));
    }
    task_range_release (&tasks);
    JSON_FOREACH (json_get (results, "retired"), it) {
        const char *node = json_get_string (json_iter_value (it), "node");

        if (*node && !is_listed (nodes, node))
            json_push (nodes, json_string (node));
    }
    if (json_count (nodes) > 0)
        return nodes;
    json_unref (nodes);
    return NULL;
}

struct json *results_checked (const struct json *event, unsigned avoid_after,
                              bool (*is_found) (int32_t task, void *arg),
                              void *arg)
{
    struct json *checked = json_deep_copy (event);
    struct json *outcomes = json_object ();
    _cleanup_ (task_range_release) struct task_range ok = TASK_RANGE_INIT;
    struct json *avoid;

    task_range_parse (
        json_as_string (json_get (json_get (event, "outcomes"), "ok")), &ok,
        NULL);
    JSON_FOREACH (json_get (event, "outcomes"), it) {
        _cleanup_ (task_range_release) struct task_range found =
            TASK_RANGE_INIT;
        _cleanup_ (task_range_release) struct task_range left = TASK_RANGE_INIT;

        if (strcmp (json_iter_key (it), "ok") != 0)
            split_found (json_as_string (json_iter_value (it)), is_found, arg,
                         &found, &left);
        drop_reasons (checked, &found);
        for (int32_t t = -1; (t = task_range_next (&found, t)) >= 0;)
            task_range_add (&ok, t);
        if (left.n_spans > 0)
            json_set (outcomes, json_iter_key (it), task_range_to_json (&left));
    }
    if (ok.n_spans > 0)
        json_set (outcomes, "ok", task_range_to_json (&ok));
    json_set (checked, "outcomes", outcomes);
    if ((avoid = nodes_to_avoid (checked, avoid_after)))
        json_set (checked, "avoid", avoid);
    return checked;
}

/* --- the look --- */

struct looking {
    struct engine *engine;
    struct stage_place place;
    bool artifacts;        /* do its tasks leave an `out`? */
    struct json *manifest; /* stage.json, once it was needed */
    bool found;            /* a result that no log tells of */
    bool in_doubt;         /* something could not be read: 'err' */
    struct error *err;
};

/* The slice of a task; NULL with 'err', or where there are none. */
static struct json *read_slice (struct looking *looking, int32_t task,
                                struct error *err)
{
    const struct stage_place *place = &looking->place;
    _cleanup_ (task_range_release) struct task_range one = TASK_RANGE_INIT;
    struct strbuf run = STRBUF_INIT;
    struct json *slice = NULL;
    _cleanup_free_ char *dir = NULL;
    _cleanup_free_ char *file = NULL;

    layout_stage_dir (place, &run);
    dir = engine_path (looking->engine, &run);
    file = path_join (dir, LAYOUT_STAGE_MANIFEST);
    if (!looking->manifest)
        looking->manifest = json_read_file (file, err);
    task_range_add (&one, task);
    if (json_as_bool (json_get (looking->manifest, "sliced")))
        slice_file_read (dir, &one, &slice, err);
    return slice;
}

/* Is what lies there the result of this task, as it is defined now? */
static enum task_result look (struct looking *looking, int32_t task,
                              struct error *err)
{
    _cleanup_json_ struct json *slice = read_slice (looking, task, err);
    const struct json *of_stage = json_get (looking->manifest, "identity");
    _cleanup_json_ struct json *result = NULL;
    enum task_result there = TASK_RESULT_UNREADABLE;

    if (looking->manifest
        && (slice || !json_as_bool (json_get (looking->manifest, "sliced"))))
        there = task_result_read (
            looking->engine->dir, &looking->place, task,
            slice_identity (slice, of_stage ? json_as_string (of_stage) : NULL),
            &result, err);
    return there;
}

static bool is_found (int32_t task, void *arg)
{
    struct looking *looking = arg;
    struct error why = ERROR_INIT;
    enum task_result there;

    if (!looking->artifacts)
        return false;
    there = look (looking, task, &why);
    if (there == TASK_RESULT_THERE)
        looking->found = true;
    if (there == TASK_RESULT_UNREADABLE) {
        looking->in_doubt = true;
        error_copy (looking->err, &why);
    }
    engine_heartbeat (looking->engine);
    return there == TASK_RESULT_THERE;
}

enum act_result act_results (struct engine *engine, const struct action *action,
                             struct error *err)
{
    const struct stage *stage = &engine->plan->stages[action->stage];
    struct looking looking = {
        .engine = engine,
        .place = state_place (&engine->state, action->iteration, stage->name),
        .artifacts = outputs_have_artifacts (stage->op->outputs),
        .err = err,
    };
    bool way_synced = false;
    struct json *event = results_checked (action->event, action->avoid_after,
                                          is_found, &looking);

    if (!looking.in_doubt && looking.found
        && task_results_make_last (engine->dir, &looking.place, &way_synced,
                                   err)
               < 0)
        looking.in_doubt = true;
    json_unref (looking.manifest);
    if (looking.in_doubt
        || act_checkpoints (engine, stage, action->iteration, event, err) < 0) {
        json_unref (event);
        return ACT_FAILED;
    }
    return engine_record (engine, event, err) < 0 ? ACT_FAILED : ACT_DONE;
}
