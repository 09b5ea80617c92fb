/* SPDX-License-Identifier: BSD-3-Clause */
/* stacked_outputs.c - what all tasks of a stage made, output by output */
#include "base/base.h"

#include "base/json.h"
#include "campaign/plan.h"
#include "engine/act/logged_params.h"
#include "engine/act/stacked_outputs.h"
#include "engine/history/engine.h"
#include "engine/history/lost_results.h"
#include "engine/history/outputs_store.h"
#include "engine/history/version_lines.h"
#include "handover/task_result.h"
#include "signature/outputs.h"
#include "space/layout.h"

/* What all tasks made of one output, by task; NULL: nothing. */
struct column {
    const struct port *port;
    struct json **values;
    struct json **artifacts; /* NULL: it is a parameter */
};

struct stack {
    const struct stacking *f;
    struct column *columns;
    size_t n;
};

static void stack_init (struct stack *stack, const struct stacking *f)
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

struct json *artifact_record_of (const struct port *port,
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
            column->artifacts[t] =
                artifact_record_of (column->port, checked, false);
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
    const struct stacking *f = stack->f;
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

static int read_result (const struct stacking *f, int32_t t,
                        struct json **result, char sha256[DIGEST_HEX_SIZE],
                        struct error *err)
{
    enum task_result there = task_result_read_whole (
        f->engine->dir, f->place, t, f->engine->plan->verify_always, result,
        sha256, err);

    if (there == TASK_RESULT_ABSENT)
        error_set (err, "task %d of stage '%s' was ok, but its place is gone",
                   t, f->place->stage);
    if (there == TASK_RESULT_ABSENT || there == TASK_RESULT_DAMAGED)
        outputs_store_say (f->engine->outputs, f->place, err);
    return there == TASK_RESULT_THERE ? 0 : -1;
}

void seen_note (struct json *seen, const struct json *result,
                const char *out_dir)
{
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;

    JSON_FOREACH (json_get (result, "artifacts"), it) {
        const struct json *artifact = json_iter_value (it);

        if (!json_get (artifact, "seen"))
            continue;
        strbuf_reset (&path);
        strbuf_addf (&path, "%s/%s", out_dir,
                     json_get_string (artifact, "path"));
        json_set (seen, path.buf, json_ref (json_get (artifact, "seen")));
    }
}

/* result.json itself is what the logs tell. */
static int compare_results (const struct stacking *f,
                            char (*sha256)[DIGEST_HEX_SIZE], struct error *err)
{
    int rc = logged_results_compare (f->engine->dir, f->place, f->state, sha256,
                                     f->tries, &f->engine->heartbeat, err);

    return rc == 0 || error_is_machine_error (err)
               ? rc
               : outputs_store_say (f->engine->outputs, f->place, err);
}

static int stack_results (struct stack *stack, struct error *err)
{
    const struct stacking *f = stack->f;
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
        layout_task_out (f->place, t, &out);
        stack_task (stack, t, result, out.buf);
        seen_note (f->seen, result, out.buf);
        version_lines_note (
            f->versions,
            json_get_string (json_get (result, "run"), "version_line"));
        strbuf_release (&out);
        json_unref (result);
    }
    if (rc == 0)
        rc = compare_results (f, sha256, err);
    free (sha256);
    return rc;
}

static void stack_params (int32_t task, const struct json *end, void *arg)
{
    const struct stack *stack = arg;
    struct json *params = json_get (end, "params");
    _cleanup_json_ struct json *checked = json_object ();

    if (params)
        json_set (checked, "params", json_ref (params));
    stack_task (arg, task, checked, "");
    version_lines_note (stack->f->versions,
                        json_get_string (end, "version_line"));
}

/* Of a stage without output artifacts the logs tell everything. */
int stack_outputs (const struct stacking *f, struct error *err)
{
    struct error why = ERROR_INIT;
    struct stack stack;
    int rc;

    stack_init (&stack, f);
    if (outputs_have_artifacts (f->stage->op->outputs))
        rc = stack_results (&stack, err);
    else if ((rc = logged_params_read (f->engine->dir, f->place, f->state,
                                       stack_params, &stack, f->tries,
                                       &f->engine->heartbeat, &why))
             < 0) {
        error_copy (err, &why);
        if (!error_is_machine_error (&why) || error_is_absence (&why))
            lost_results_say (f->stage->name, f->place->iteration, err);
    }
    if (rc == 0)
        stack_finish (&stack);
    stack_release (&stack);
    return rc;
}
