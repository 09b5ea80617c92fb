/* SPDX-License-Identifier: BSD-3-Clause */
/* explain_record.c - why a stage or a task has the state it has */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/explain_record.h"
#include "commands/taken_log.h"
#include "commands/task_output.h"
#include "commands/task_record.h"
#include "report/group_view.h"
#include "report/inputs_view.h"
#include "report/reuse_view.h"
#include "report/status_view.h"
#include "report/task_watch.h"
#include "signature/outputs.h"

/* What is looked at. */
struct looked_at {
    const struct campaign *campaign;
    const struct stage *stage;
    int iteration, task;
    const struct stage_state *state; /* NULL: it has not begun */
};

static void set_keys (struct json *to, const struct json *from,
                      const char *const *keys)
{
    for (; *keys; keys++)
        json_set_from (to, *keys, from);
}

static void set_standing (const struct looked_at *at, struct json *v)
{
    const struct stage_state *state = at->state;
    struct json *tasks = json_object ();

    json_set (v, "stage", json_string (at->stage->name));
    json_set (v, "iteration", json_int (at->iteration));
    json_set (v, "state",
              json_string (
                  stage_status_name (state ? state->status : STAGE_WAITING)));
    json_set (tasks, "all", json_int (state ? state->n_tasks : 0));
    json_set (tasks, "ok",
              json_int (state ? state->by_outcome[OUTCOME_OK] : 0));
    json_set (v, "tasks", tasks);
}

static void set_task (const struct looked_at *at,
                      const struct attempt_logs *logs, struct json *v)
{
    static const char *const keys[] = { "try", "name", "files", "bytes", NULL };
    const struct json *known = status_checkpoint (at->state, at->task);
    struct json *checkpoint = known ? json_object () : NULL;
    int tries;

    json_set (v, "task", json_int (at->task));
    json_set (v, "outcome",
              json_string (task_standing (at->state, logs, at->task, &tries)));
    json_set (v, "tries", json_int (tries));
    if (known) {
        set_keys (checkpoint, known, keys);
        json_set (v, "checkpoint", checkpoint);
    }
}

/* What it was prepared with: the file may have been edited since. */
static void set_prepared (const struct looked_at *at,
                          const struct json *manifest, struct json *v)
{
    static const char *const keys[] = { "operator", "version", NULL };
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;

    set_keys (v, manifest, keys);
    layout_config_file (at->iteration, at->state->config, &path);
    json_set (v, "definition", json_string (path.buf));
}

static void set_inputs (const struct looked_at *at, const struct json *manifest,
                        struct json *v)
{
    if (json_get (manifest, "values"))
        json_set_from (v, "values", manifest);
    else
        json_set (v, "bindings", inputs_view (at->campaign->plan, at->stage));
    json_set (v, "arrays", arrays_view (at->stage));
}

/* --- a task's newest try --- */

static struct json *try_record (const struct task_record *record)
{
    static const char *const of_claim[] = { "host", "node_differs", NULL };
    static const char *const of_start[] = {
        "cores", "cores_wanted", "memory", "memory_wanted", "gpus", NULL,
    };
    static const char *const of_end[] = {
        "version_line", "cpu_s", "wall_s", "peak_bytes", "energy_j", NULL,
    };
    struct json *v = json_object ();

    set_keys (v, record->claim, of_claim);
    set_keys (v, record->start, of_start);
    set_keys (v, record->end, of_end);
    return v;
}

static void set_task_dir (const struct looked_at *at,
                          const struct task_record *record, struct json *v)
{
    const struct engine *engine = &at->campaign->engine;
    _cleanup_free_ char *work =
        record->start ? task_output_work_dir (record, at->task) : NULL;
    _cleanup_free_ char *dir = state_task_dir (&engine->state, at->iteration,
                                               at->stage->name, at->task);

    /* Where it works; it is kept when the task did not end well. */
    if (work && file_exists (work))
        json_set (v, "task_dir", json_string (work + strlen (engine->dir) + 1));
    else if (outputs_have_artifacts (at->stage->op->outputs))
        json_set (v, "task_dir", json_string (dir));
}

/* Of one that ran here. */
static void set_try (const struct looked_at *at, struct json *v)
{
    _cleanup_ (task_record_release) struct task_record record =
        TASK_RECORD_INIT;
    struct error err = ERROR_INIT;

    if (!json_get (v, "reused")
        && task_record_find (&at->campaign->engine, at->iteration,
                             at->stage->name, at->task, 0, &record, &err)
               < 0)
        json_set (v, "not_known", json_string (err.text));
    if (record.start)
        json_set (v, "newest_try", try_record (&record));
    set_task_dir (at, &record, v);
}

static bool is_prepared (const struct stage_state *state)
{
    return state && state->status != STAGE_WAITING
           && state->status != STAGE_SKIPPED;
}

static void set_made (const struct looked_at *at, struct json *v)
{
    const struct engine *engine = &at->campaign->engine;
    const struct stage_state *state = at->state;
    _cleanup_json_ struct json *manifest =
        is_prepared (state) ? engine_stage_file (
            engine, at->iteration, at->stage->name, LAYOUT_STAGE_MANIFEST)
                            : NULL;
    struct json *group = group_view_json (at->stage->group);

    if (state && json_count (state->removed) > 0)
        json_set (v, "removed", json_ref (state->removed));
    if (state && state->unsteady)
        json_set (v, "unsteady", json_string (state->unsteady));
    if (at->task >= 0 && reused_origin_of (state, at->task))
        json_set (v, "reused",
                  taken_origin (engine, state, at->iteration, at->task));
    if (is_prepared (state))
        set_prepared (at, manifest, v);
    if (group)
        json_set (v, "group", group);
    if (at->task < 0)
        set_inputs (at, manifest, v);
}

struct json *explain_record (const struct campaign *campaign,
                             const struct stage *stage, int iteration,
                             const struct attempt_logs *logs, int task,
                             struct error *err)
{
    const struct engine *engine = &campaign->engine;
    const struct looked_at at = {
        campaign,
        stage,
        iteration,
        task,
        state_stage (&engine->state, iteration, stage->name),
    };
    struct json *v, *events;
    _cleanup_ (strbuf_release) struct strbuf run = STRBUF_INIT;

    if (task >= 0 && (!at.state || task >= at.state->n_tasks)) {
        error_set (err, "stage '%s' has %d tasks in iteration %d", stage->name,
                   at.state ? at.state->n_tasks : 0, iteration);
        return NULL;
    }
    events = explain_events (engine, stage, iteration, task, err);
    if (!events)
        return NULL;
    v = json_object ();
    set_standing (&at, v);
    if (task >= 0)
        set_task (&at, logs, v);
    set_made (&at, v);
    json_set (v, "events", events);
    if (task >= 0)
        set_try (&at, v);
    layout_run (at.state ? at.state->generation : 0, &run);
    json_set (v, "run_dir", json_string (run.buf));
    return v;
}
