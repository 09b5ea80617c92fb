/* SPDX-License-Identifier: BSD-3-Clause */
/* act_fan_in.c - the outputs of a stage: stacked, collected, published
 *
 * Nothing is visible to other stages before outputs.json is there and
 * journaled, so everything here may be done again after a crash.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "handover/task_result.h"
#include "base/alloc.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/point.h"
#include "base/strbuf.h"
#include "campaign/plan.h"
#include "engine/act/act.h"
#include "engine/decide/actions.h"
#include "engine/history/engine.h"
#include "engine/history/events.h"
#include "engine/history/lost_results.h"
#include "engine/history/outputs_store.h"
#include "engine/act/front_step.h"
#include "engine/act/keep_results.h"
#include "engine/act/logged_params.h"
#include "engine/act/publish.h"
#include "signature/output_tree.h"
#include "signature/outputs.h"
#include "signature/sizes.h"
#include "signature/value.h"
#include "space/layout.h"
#include "space/lease.h"

struct fan_in {
    struct engine *engine;
    const struct stage *stage;
    struct stage_place place;
    const struct stage_state *state;
    struct json *outputs;   /* {NAME: value}, what outputs.json will hold */
    struct json *artifacts; /* {NAME: {bytes, sha256}}, or a list of them */
    struct json *published; /* {FORM: SHA256}: the training data that it made */
    struct json *seen;      /* {PATH: how the artifact there looks} */
    char sha256[DIGEST_HEX_SIZE]; /* of outputs.json; "": not written */
};

/* --- stack --- */

/* What all tasks made of one output, by task; NULL: nothing. */
struct column {
    const struct port *port;
    struct json **values;
    struct json **artifacts; /* NULL: it is a parameter */
};

struct stack {
    struct fan_in *f;
    struct column *columns;
    size_t n;
};

static void stack_init (struct stack *stack, struct fan_in *f)
{
    const struct port *port = f->stage->op->outputs;
    size_t tasks = (size_t)f->state->n_tasks + 1;
    size_t n = 0;

    for (; port && port[n].name; n++)
        continue;
    *stack = (struct stack){ f, xcalloc (n + 1, sizeof (*stack->columns)), n };
    for (size_t i = 0; i < n; i++) {
        struct column *column = &stack->columns[i];

        column->port = &port[i];
        column->values = xcalloc (tasks, sizeof (*column->values));
        if (type_is_artifact (&port[i].type))
            column->artifacts = xcalloc (tasks, sizeof (*column->artifacts));
    }
}

static void stack_release (struct stack *stack)
{
    for (size_t i = 0; i < stack->n; i++) {
        struct column *column = &stack->columns[i];

        for (int32_t t = 0; t < stack->f->state->n_tasks; t++) {
            json_unref (column->values[t]);
            if (column->artifacts)
                json_unref (column->artifacts[t]);
        }
        free (column->values);
        free (column->artifacts);
    }
    free (stack->columns);
}

/* {bytes, sha256} of an artifact that 'checked' tells of, and of a directory
 * its files if no result.json has them.
 */
static struct json *artifact_json (const struct port *port,
                                   const struct json *checked, bool files)
{
    const struct json *artifact =
        json_get (json_get (checked, "artifacts"), port->name);
    struct json *v;

    if (json_is_null (artifact))
        return json_null ();
    v = json_object ();
    json_set (v, "bytes", json_ref (json_get (artifact, "bytes")));
    json_set (v, "sha256", json_ref (json_get (artifact, "sha256")));
    if (files && json_get (artifact, "files"))
        json_set (v, "files", json_ref (json_get (artifact, "files")));
    return v;
}

/* What one task left: 'checked' is as outputs_check returns it. */
static void stack_task (struct stack *stack, int32_t t,
                        const struct json *checked, const char *out_dir)
{
    for (size_t i = 0; i < stack->n; i++) {
        struct column *column = &stack->columns[i];

        column->values[t] = output_value (column->port, checked, out_dir);
        if (column->artifacts)
            column->artifacts[t] = artifact_json (column->port, checked, false);
    }
}

/* The list of all, with holes; of an operator that does not fan out the one
 * value.
 */
static struct json *column_json (struct json *const *cells, int32_t n_tasks,
                                 bool fans_out)
{
    struct json *list;

    if (!fans_out)
        return cells[0] ? json_ref (cells[0]) : json_null ();
    list = json_array ();
    for (int32_t t = 0; t < n_tasks; t++)
        json_push (list, cells[t] ? json_ref (cells[t]) : json_null ());
    return list;
}

static void stack_finish (const struct stack *stack)
{
    struct fan_in *f = stack->f;
    bool fans_out = operator_fans_out (f->stage->op);

    for (size_t i = 0; i < stack->n; i++) {
        const struct column *column = &stack->columns[i];
        const char *name = column->port->name;

        json_set (f->outputs, name,
                  column_json (column->values, f->state->n_tasks, fans_out));
        if (column->artifacts)
            json_set (
                f->artifacts, name,
                column_json (column->artifacts, f->state->n_tasks, fans_out));
    }
}

static int read_result (const struct fan_in *f, int32_t t, struct json **result,
                        char sha256[DIGEST_HEX_SIZE], struct error *err)
{
    enum task_result there = task_result_read_whole (
        f->engine->dir, &f->place, t, f->engine->plan->verify_always, result,
        sha256, err);

    if (there == TASK_RESULT_ABSENT)
        error_set (err, "task %d of stage '%s' was ok, but its out is gone", t,
                   f->place.stage);
    if (there == TASK_RESULT_ABSENT || there == TASK_RESULT_DAMAGED)
        outputs_store_say (f->engine->outputs, &f->place, err);
    return there == TASK_RESULT_THERE ? 0 : -1;
}

/* Of each file whose look is in its task's result. */
static void note_seen (struct fan_in *f, const struct json *result,
                       const char *out_dir)
{
    struct strbuf path = STRBUF_INIT;

    JSON_FOREACH (json_get (result, "artifacts"), it) {
        const struct json *artifact = json_iter_value (it);

        if (!json_get (artifact, "seen"))
            continue;
        strbuf_reset (&path);
        strbuf_addf (&path, "%s/%s", out_dir,
                     json_get_string (artifact, "path"));
        json_set (f->seen, path.buf, json_ref (json_get (artifact, "seen")));
    }
    strbuf_release (&path);
}

/* result.json itself is what the logs tell. */
static int compare_results (const struct fan_in *f,
                            char (*sha256)[DIGEST_HEX_SIZE], struct error *err)
{
    int rc = logged_results_compare (f->engine->dir, &f->place, f->state,
                                     sha256, &f->engine->heartbeat, err);

    return rc == 0 || error_is_machine_error (err)
               ? rc
               : outputs_store_say (f->engine->outputs, &f->place, err);
}

static int stack_results (struct stack *stack, struct error *err)
{
    struct fan_in *f = stack->f;
    size_t n = (size_t)f->state->n_tasks + 1;
    char (*sha256)[DIGEST_HEX_SIZE] = xcalloc (n, sizeof (*sha256));
    int rc = 0;

    for (int32_t t = 0; rc == 0 && t < f->state->n_tasks; t++) {
        struct strbuf out = STRBUF_INIT;
        struct json *result = NULL;

        engine_heartbeat (f->engine);
        if (f->state->tasks[t].outcome != OUTCOME_OK
            || (rc = read_result (f, t, &result, sha256[t], err)) < 0)
            continue;
        layout_task_out (&f->place, t, &out);
        stack_task (stack, t, result, out.buf);
        note_seen (f, result, out.buf);
        strbuf_release (&out);
        json_unref (result);
    }
    if (rc == 0)
        rc = compare_results (f, sha256, err);
    free (sha256);
    return rc;
}

static void stack_params (int32_t task, const struct json *params, void *arg)
{
    struct json *checked = json_object ();

    if (params)
        json_set (checked, "params", json_ref ((struct json *)params));
    stack_task (arg, task, checked, "");
    json_unref (checked);
}

/* Of a stage without output artifacts the logs tell everything. */
static int stack_outputs (struct fan_in *f, struct error *err)
{
    struct error why = ERROR_INIT;
    struct stack stack;
    int rc;

    stack_init (&stack, f);
    if (outputs_have_artifacts (f->stage->op->outputs))
        rc = stack_results (&stack, err);
    else if ((rc = logged_params_read (f->engine->dir, &f->place, f->state,
                                       stack_params, &stack,
                                       &f->engine->heartbeat, &why))
             < 0) {
        error_copy (err, &why);
        if (!error_is_machine_error (&why) || error_is_absence (&why))
            lost_results_say (f->stage->name, f->place.iteration, err);
    }
    if (rc == 0)
        stack_finish (&stack);
    stack_release (&stack);
    return rc;
}

/* --- collect --- */

static struct json *absolute_outputs (const struct fan_in *f)
{
    const struct port *port = f->stage->op->outputs;
    struct json *absolute = json_object ();

    for (; port && port->name; port++)
        json_set (absolute, port->name,
                  value_absolute (&port->type,
                                  json_get (f->outputs, port->name),
                                  f->engine->dir));
    return absolute;
}

/* The values prepare wrote to stage.json: collect sees the same inputs. */
static struct json *stage_values (const struct fan_in *f, struct error *err)
{
    struct strbuf run = STRBUF_INIT;
    struct json *manifest;
    struct json *values;
    char *dir;
    char *file;

    layout_run_stage (f->place.stage, f->place.iteration, &run);
    dir = engine_path (f->engine, &run);
    file = path_join (dir, LAYOUT_STAGE_MANIFEST);
    manifest = json_read_file (file, err);
    values = json_ref (json_get (manifest, "values"));
    if (manifest && !values)
        error_set (err, "%s: holds no values", file);
    json_unref (manifest);
    free (file);
    free (dir);
    return values;
}

/* Put what collect left below out/ in its place and take its values. */
static int take_collected (struct fan_in *f, const char *step_dir,
                           const struct json *checked, struct error *err)
{
    const struct port *port = f->stage->op->collected;
    struct strbuf out = STRBUF_INIT;
    int rc;

    layout_stage_path (&f->place, LAYOUT_OUT, &out);
    rc = front_step_keep (f->engine, step_dir, out.buf, "collect.checked", err);
    note_seen (f, checked, out.buf);
    for (; rc == 0 && port && port->name; port++) {
        json_set (f->outputs, port->name,
                  output_value (port, checked, out.buf));
        if (type_is_artifact (&port->type))
            json_set (f->artifacts, port->name,
                      artifact_json (port, checked, true));
    }
    strbuf_release (&out);
    return rc;
}

/* The sizes that collect's outputs share with what all tasks share. */
static int note_inputs (const struct fan_in *f, const struct json *inputs,
                        struct sizes *sizes, struct error *err)
{
    const struct port *port = f->stage->op->inputs;

    for (; port && port->name; port++) {
        if (sizes_note_value (sizes, &port->type, json_get (inputs, port->name),
                              f->engine->dir, "input", port->name,
                              &f->engine->heartbeat, err)
            < 0)
            return -1;
    }
    return 0;
}

/* 0; 1 with 'err' when the operator's collect failed; -1. */
static int run_collect (struct fan_in *f, struct error *err)
{
    struct front_step step = { .stage = f->stage,
                               .iteration = f->place.iteration,
                               .name = LAYOUT_COLLECT,
                               .command = f->stage->op->collect,
                               .script = f->stage->op->collect_script,
                               .outputs = f->stage->op->collected };
    struct sizes sizes = SIZES_INIT;
    struct json *inputs;
    struct json *checked = NULL;
    char *dir = NULL;
    int rc = -1;

    if (!f->stage->op->collect)
        return 0;
    if (!(inputs = stage_values (f, err)))
        goto done;
    step.inputs = inputs;
    step.stacked = absolute_outputs (f);
    if ((rc = front_step_run (f->engine, &step, &dir, err)) != 0)
        goto done;
    if (note_inputs (f, inputs, &sizes, err) < 0
        || output_tree_take (step.outputs, dir, err) < 0
        || !(checked = outputs_check (step.outputs, dir, &sizes,
                                      &f->engine->heartbeat, err))) {
        rc = error_is_machine_error (err) ? -1 : 1;
        goto done;
    }
    rc = take_collected (f, dir, checked, err);
    if (rc == 0)
        rc = file_remove_tree (dir, &f->engine->heartbeat, err);
done:
    sizes_release (&sizes);
    json_unref (inputs);
    json_unref (step.stacked);
    json_unref (checked);
    free (dir);
    return rc;
}

/* --- the result --- */

/* `count`, and `proceed`: false when nothing is ok or the operator says so. */
static void set_flags (struct fan_in *f)
{
    int32_t count = f->state->by_outcome[OUTCOME_OK];
    const struct json *said = json_get (f->outputs, "proceed");
    bool proceed = count > 0;

    if (json_kind (said) == JSON_KIND_BOOL)
        proceed = proceed && json_as_bool (said);
    json_set (f->outputs, "count", json_int (count));
    json_set (f->outputs, "proceed", json_bool (proceed));
}

/* Whole and read-only, with its digest. */
static int write_sealed (const struct fan_in *f, const char *name,
                         const struct json *v, char sha256[DIGEST_HEX_SIZE],
                         struct error *err)
{
    struct strbuf relative = STRBUF_INIT, text = STRBUF_INIT;
    char *path;
    int rc;

    layout_stage_path (&f->place, name, &relative);
    path = engine_path (f->engine, &relative);
    if ((rc = json_check (v, err)) < 0) {
        error_prefix (err, "%s", path);
        goto done;
    }
    json_dump (v, JSON_PRETTY, &text);
    digest_bytes (text.buf, text.len, sha256);
    rc = file_make_lasting_parent (path, err);
    if (rc == 0)
        rc = file_write_sealed (path, text.buf, text.len, err);
done:
    strbuf_release (&text);
    free (path);
    return rc;
}

/* How artifacts look, for those who read them (act/contents.h).  Not in
 * outputs.json, which is the same whenever they were made.
 */
static int write_seen (const struct fan_in *f, struct error *err)
{
    struct json *v = json_object ();
    char hex[DIGEST_HEX_SIZE];
    int rc = 0;

    json_set (v, "format", json_int (1));
    json_set (v, "seen", json_ref (f->seen));
    if (json_count (f->seen) > 0)
        rc = write_sealed (f, LAYOUT_SEEN, v, hex, err);
    json_unref (v);
    return rc;
}

static int write_outputs (struct fan_in *f, struct error *err)
{
    struct json *v = json_object ();
    int rc;

    json_set (v, "format", json_int (1));
    json_set (v, "stage", json_string (f->place.stage));
    json_set (v, "code", json_string (f->place.code));
    json_set (v, "iteration", json_int (f->place.iteration));
    json_set (v, "tasks", json_int (f->state->n_tasks));
    json_set (v, "outputs", json_ref (f->outputs));
    json_set (v, "artifacts", json_ref (f->artifacts));
    rc = write_sealed (f, LAYOUT_OUTPUTS, v, f->sha256, err);
    json_unref (v);
    return rc;
}

static enum act_result record_end (struct fan_in *f, const char *status,
                                   const char *why, struct error *err)
{
    struct json *event = event_of_stage ("stage", engine_now_s (f->engine),
                                         f->place.iteration, f->stage->name);

    json_set (event, "phase", json_string (status));
    if (why)
        json_set (event, "why", json_string (why));
    if (json_get (f->outputs, "count")) {
        json_set (event, "count", json_ref (json_get (f->outputs, "count")));
        json_set (event, "proceed",
                  json_ref (json_get (f->outputs, "proceed")));
    }
    if (f->sha256[0])
        json_set (event, "outputs", json_string (f->sha256));
    if (json_count (f->published) > 0)
        json_set (event, "dataset", json_ref (f->published));
    return engine_record (f->engine, event, err) < 0 ? ACT_FAILED : ACT_DONE;
}

enum act_result act_fan_in (struct engine *engine, const struct action *action,
                            struct error *err)
{
    const struct stage *stage = &engine->plan->stages[action->stage];
    struct fan_in f = {
        .engine = engine,
        .stage = stage,
        .place = state_place (&engine->state, action->iteration, stage->name,
                              stage->op->code),
        .state = state_stage (&engine->state, action->iteration, stage->name),
        .outputs = json_object (),
        .artifacts = json_object (),
        .published = json_object (),
        .seen = json_object (),
    };
    enum act_result result = ACT_FAILED;
    int rc;

    err->text[0] = '\0';
    if (stack_outputs (&f, err) < 0 || (rc = run_collect (&f, err)) < 0)
        goto done;
    if (rc == 0)
        rc = publish_dataset (engine, stage, &f.place, f.outputs, f.published,
                              err);
    if (rc < 0)
        goto done;
    if (rc > 0) {
        result = record_end (&f, "failed", err->text, err);
        goto done;
    }
    set_flags (&f);
    keep_results (engine, stage, &f.place, f.state);
    if (lease_check (engine->lease, err) < 0)
        goto done;
    point_reached ("outputs.checked");
    if (write_seen (&f, err) < 0 || write_outputs (&f, err) < 0)
        goto done;
    result = record_end (&f, "done", NULL, err);
done:
    json_unref (f.outputs);
    json_unref (f.artifacts);
    json_unref (f.published);
    json_unref (f.seen);
    return result;
}
