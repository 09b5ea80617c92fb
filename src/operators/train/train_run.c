/* SPDX-License-Identifier: BSD-3-Clause */
/* train_run.c - the steps of a training operator, for any code */
#include "base/base.h"

#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "operators/code_run.h"
#include "operators/train/train_kit.h"

/* What the program prints, for whoever reads an ending out of it. */
#define TRAIN_LOG "train.log"

const char *const train_fan_out[] = { "model", NULL };
const char *const train_nodes[] = { group_local_node, NULL };

static const char *const runner[] = { "{fanfold}", "group", NULL };
const char *const *const train_commands[] = { runner, NULL };
const char *const train_reads[] = { "seed", NULL };

/* --- before --- */

static int begin (struct training *t, struct error *err)
{
    const struct json *inputs;

    if (step_task_read (&t->kit->spec, &t->task, err) < 0)
        return -1;
    inputs = t->task.inputs;
    t->restart = json_as_bool (json_get (t->task.record, "restart"));
    return step_strings (inputs, t->kit->program, &t->program, err) < 0
                   || step_strings (inputs, "elements", &t->elements, err) < 0
                   || step_strings (inputs, "datasets", &t->datasets, err) < 0
                   || step_strings (inputs, "validation", &t->validation, err)
                          < 0
                   || step_count (inputs, "model", 0, &t->model, err) < 0
               ? -1
               : 0;
}

static int write_inputs (struct training *t, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    const char *path;
    int rc;

    if (json_want_string (t->task.inputs, "input", &path, err) < 0)
        return error_prefix (err, "inputs");
    rc = file_read (path, TRAIN_TEMPLATE_MAX_BYTES, &text, err);
    if (rc == 0)
        rc = t->kit->write_inputs (t, text.buf, text.len, path, err);
    return rc;
}

int train_member (const struct training *t, const char *input,
                  const char **path, struct error *err)
{
    const struct json *list = json_get (t->task.inputs, input);
    size_t n = json_count (list);
    size_t i = n == 1 ? 0 : (size_t)t->model;

    if (n > 0 && i >= n)
        return error_set (err,
                          "%s: there are %zu, and none for model %zu; give one "
                          "for each model, or one for all",
                          input, n, i);
    *path = n == 0 || json_is_null (json_at (list, i))
                ? NULL
                : json_as_string (json_at (list, i));
    return 0;
}

/* --- running --- */

/* What the machine did to the program is no word against its checkpoint. */
static enum step_status broken_off (enum ending ending)
{
    return ending == ENDING_KILLED                                ? STEP_KILLED
           : ending == ENDING_CRASHED || ending == ENDING_PASSING ? STEP_BROKEN
                                                                  : STEP_FAILED;
}

static enum step_status run (const struct training *t,
                             const struct step_task *task,
                             const char *const *arguments, struct error *err)
{
    enum ending ending;
    enum step_status status = code_run (t->kit->code, task, &t->program,
                                        arguments, TRAIN_LOG, &ending, err);

    return status == STEP_FAILED ? broken_off (ending) : status;
}

enum step_status train_program (const struct training *t,
                                const char *const *arguments, struct error *err)
{
    return run (t, &t->task, arguments, err);
}

enum step_status train_program_alone (const struct training *t,
                                      const char *const *arguments,
                                      struct error *err)
{
    struct step_task alone = t->task;

    alone.resources.ranks = 1;
    return run (t, &alone, arguments, err);
}

/* --- after --- */

/* Without a curve another try may do better; errors that are no numbers may
 * come again.
 */
static enum step_status read_curve (const struct training *t,
                                    struct train_curve *curve,
                                    struct error *err)
{
    if (t->kit->read_curve (t->kit->curve, curve, err) < 0) {
        error_prefix (err, "the training left no learning curve");
        return STEP_FAILED;
    }
    if (curve->diverged_at < 0)
        return STEP_OK;
    error_set (err,
               "%s: since step %" PRId64
               " the error is no number; start with a lower learning rate, or "
               "look at the data with `fanfold data`",
               t->kit->curve, curve->diverged_at);
    return t->kit->repeats ? STEP_FATAL : STEP_FAILED;
}

/* The output parameters are those of the curve that the operator declares. */
static int write_params (const struct training *t,
                         const struct train_curve *curve, struct error *err)
{
    struct json *params = json_object ();

    for (const struct port *port = t->kit->spec.outputs; port->name; port++) {
        struct json *v = json_get (curve->last, port->name);

        if (v && !type_is_artifact (&port->type))
            json_set (params, port->name, json_ref (v));
    }
    json_set (params, "frames", json_int ((int64_t)t->n_frames));
    json_set (params, "last_row", json_ref (curve->last));
    return step_write ("params.json", params, err);
}

static enum step_status end (const struct training *t, struct error *err)
{
    struct train_curve curve = { .diverged_at = -1 };
    enum step_status status = read_curve (t, &curve, err);

    if (status == STEP_OK)
        status = t->kit->finish (t, err);
    if (status == STEP_OK && write_params (t, &curve, err) < 0)
        status = STEP_FAILED;
    json_unref (curve.last);
    return status;
}

static void training_release (struct training *t)
{
    strvec_release (&t->program);
    strvec_release (&t->elements);
    strvec_release (&t->datasets);
    strvec_release (&t->validation);
    step_task_release (&t->task);
}

enum step_status train_run (const struct train_kit *kit, struct error *err)
{
    _cleanup_ (training_release) struct training t = { .kit = kit,
                                                       .task = STEP_TASK_INIT,
                                                       .program = STRVEC_INIT,
                                                       .elements = STRVEC_INIT,
                                                       .datasets = STRVEC_INIT,
                                                       .validation =
                                                           STRVEC_INIT };
    enum step_status status = STEP_FATAL;

    if (begin (&t, err) == 0 && write_inputs (&t, err) == 0)
        status = kit->train (&t, err);
    if (status == STEP_OK)
        status = end (&t, err);
    return status;
}

/* --- while it runs --- */

enum step_status train_report (const struct train_kit *kit, struct error *err)
{
    struct train_curve curve = { .diverged_at = -1 };
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc;

    if (kit->read_curve (kit->curve, &curve, NULL) < 0)
        strbuf_add_str (&text, "{}"); /* it has not begun */
    else
        json_dump (curve.last, JSON_COMPACT, &text);
    strbuf_add_char (&text, '\n');
    rc = file_write_all (STDOUT_FILENO, text.buf, text.len, err);
    json_unref (curve.last);
    return rc < 0 ? STEP_FAILED : STEP_OK;
}

/* --- ports --- */

int train_read_template (const struct known_input *input, struct strbuf *text,
                         struct error *err)
{
    if (file_read (json_as_string (input->value), TRAIN_TEMPLATE_MAX_BYTES,
                   text, err)
        < 0)
        return error_prefix (err, "%s", input->name);
    return 0;
}
