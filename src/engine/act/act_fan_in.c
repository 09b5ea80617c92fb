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
#include "engine/act/fan_in.h"
#include "engine/act/generation.h"
#include "engine/decide/actions.h"
#include "engine/history/engine.h"
#include "engine/history/events.h"
#include "engine/history/lost_results.h"
#include "engine/history/outputs_store.h"
#include "engine/act/front_step.h"
#include "engine/act/inputs_compare.h"
#include "engine/act/logged_params.h"
#include "engine/act/outputs_write.h"
#include "engine/act/publish.h"
#include "engine/act/witness.h"
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
    char *dir;                    /* of the generation, absolute */
    struct json *manifest;        /* stage.json, or NULL */
    struct strbuf unsteady;       /* what changed while it ran */
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

/* --- what was seen --- */

/* Into f->manifest; without it only a collect cannot run. */
static int read_manifest (struct fan_in *f, struct error *err)
{
    char *file = path_join (f->dir, LAYOUT_STAGE_MANIFEST);
    struct error why = ERROR_INIT;
    int rc = 0;

    f->manifest = json_read_file (file, &why);
    if (!f->manifest && (f->stage->op->collect || !error_is_absence (&why)))
        rc = error_copy (err, &why);
    else if (f->manifest && !json_get (f->manifest, "values"))
        rc = error_set (err, "%s: holds no values", file);
    free (file);
    return rc;
}

/* Tasks have read them, so has collect, and what when is not known.  0; 1 with
 * 'err', which is why none of its results counts; -1.
 */
static int compare_inputs (struct fan_in *f, struct error *err)
{
    if (!f->manifest
        || inputs_compare (f->engine, f->stage, f->dir,
                           json_get (f->manifest, "values"), f->state->n_tasks,
                           err)
               == 0)
        return 0;
    if (error_is_machine_error (err))
        return -1;
    strbuf_add_str (&f->unsteady, err->text);
    return 1;
}

static int write_witness (const struct fan_in *f, struct error *err)
{
    return f->manifest ? witness_write (f->engine, &f->place,
                                        json_get (f->manifest, "witness"),
                                        f->unsteady.buf, err)
                       : 0;
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

static int keep_collected (const struct fan_in *f, const char *step_dir,
                           struct error *err)
{
    char *from = path_join (step_dir, LAYOUT_OUT);
    int rc = file_seal_tree (from, &f->engine->heartbeat, err);

    if (rc == 0)
        rc = lease_check (f->engine->lease, err);
    point_reached ("collect.checked");
    if (rc == 0)
        rc = generation_put (f->engine, &f->place, from, LAYOUT_OUT, err);
    free (from);
    return rc;
}

/* Put what collect left below out/ in its place and take its values. */
static int take_collected (struct fan_in *f, const char *step_dir,
                           const struct json *checked, struct error *err)
{
    const struct port *port = f->stage->op->collected;
    struct strbuf out = STRBUF_INIT;
    int rc;

    layout_stage_path (&f->place, LAYOUT_OUT, &out);
    rc = keep_collected (f, step_dir, err);
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
    struct json *inputs = json_get (f->manifest, "values");
    struct json *checked = NULL;
    char *dir = NULL;
    int rc = -1;

    if (!f->stage->op->collect)
        return 0;
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
    if (f->unsteady.len > 0)
        json_set (event, "unsteady", json_string (f->unsteady.buf));
    if (f->sha256[0])
        json_set (event, "outputs", json_string (f->sha256));
    if (json_count (f->published) > 0)
        json_set (event, "dataset", json_ref (f->published));
    return engine_record (f->engine, event, err) < 0 ? ACT_FAILED : ACT_DONE;
}

/* The outputs of the stage.  0; 1 with 'err': it failed; -1. */
static int make_outputs (struct fan_in *f, struct error *err)
{
    int rc = read_manifest (f, err) < 0 ? -1 : compare_inputs (f, err);

    if (rc == 0)
        rc = stack_outputs (f, err);
    if (rc == 0)
        rc = run_collect (f, err);
    if (rc == 0)
        rc = publish_dataset (f->engine, f->stage, &f->place, f->outputs,
                              f->published, err);
    if (rc == 0)
        rc = witness_compare (f->engine, json_get (f->manifest, "witness"),
                              &f->unsteady, err);
    return rc;
}

static int write_outputs (struct fan_in *f, struct error *err)
{
    if (lease_check (f->engine->lease, err) < 0)
        return -1;
    point_reached ("outputs.checked");
    if (write_witness (f, err) < 0)
        return -1;
    return outputs_write (f->engine, &f->place, f->state, f->outputs,
                          f->artifacts, f->seen, f->sha256, err);
}

static void fan_in_release (struct fan_in *f)
{
    json_unref (f->outputs);
    json_unref (f->artifacts);
    json_unref (f->published);
    json_unref (f->seen);
    json_unref (f->manifest);
    strbuf_release (&f->unsteady);
    free (f->dir);
}

/* Is there anything that nothing but its outputs.json could tell? */
static bool is_to_be_told (const struct engine *engine,
                           const struct stage_state *state)
{
    int at = plan_stage_find (engine->plan, state->name);

    return at >= 0 && engine->plan->stages[at].op
           && !outputs_have_artifacts (engine->plan->stages[at].op->outputs)
           && state->status != STAGE_DONE && state->by_outcome[OUTCOME_OK] > 0;
}

int fan_in_unfinished (struct engine *engine, const struct stage_state *state,
                       int iteration, char sha256[DIGEST_HEX_SIZE],
                       struct error *err)
{
    struct fan_in f = { .engine = engine,
                        .place = state_place (&engine->state, iteration,
                                              state->name, ""),
                        .state = state };
    struct error why = ERROR_INIT;
    int rc;

    sha256[0] = '\0';
    if (!is_to_be_told (engine, state))
        return 0;
    f.stage =
        &engine->plan->stages[plan_stage_find (engine->plan, state->name)];
    f.outputs = json_object ();
    f.artifacts = json_object ();
    f.seen = json_object ();
    rc = stack_outputs (&f, &why);
    if (rc == 0 && (rc = lease_check (engine->lease, err)) == 0)
        rc = outputs_write (engine, &f.place, state, f.outputs, f.artifacts,
                            f.seen, sha256, err);
    else if (rc < 0 && why.text[0]) /* what is damaged is made again */
        rc = error_is_machine_error (&why) && !error_is_absence (&why)
                 ? error_copy (err, &why)
                 : 0;
    fan_in_release (&f);
    return rc;
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
        .unsteady = STRBUF_INIT,
    };
    enum act_result result = ACT_FAILED;
    struct strbuf dir = STRBUF_INIT;
    int rc;

    layout_stage_dir (&f.place, &dir);
    f.dir = engine_path (engine, &dir);
    err->text[0] = '\0';
    rc = make_outputs (&f, err);
    if (rc > 0 && f.unsteady.len > 0
        && (lease_check (engine->lease, err) < 0
            || write_witness (&f, err) < 0))
        rc = -1;
    if (rc > 0) {
        result = record_end (&f, "failed", err->text, err);
    } else if (rc == 0) {
        set_flags (&f);
        if (write_outputs (&f, err) == 0)
            result = record_end (&f, "done", NULL, err);
    }
    fan_in_release (&f);
    return result;
}
