/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - the step `run` of an exploring operator: one MD, and what its
 * committee says
 */
#include "base/base.h"

#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "operators/code_run.h"
#include "operators/explore/explore.h"

/* --- before --- */

static int read_numbers (struct exploration *e, struct error *err)
{
    const struct json *inputs = e->task.inputs;

    if (json_want_object (inputs, "variables", &e->variables, err) < 0)
        return error_prefix (err, "inputs");
    if (step_count (inputs, "run_steps", 1, &e->steps, err) < 0)
        return -1;
    return step_count (inputs, "run_dump_every", 1, &e->dump_every, err);
}

static int read_task (struct exploration *e, struct error *err)
{
    const struct json *inputs;

    if (step_task_read (e->kit->op, &e->task, err) < 0)
        return -1;
    inputs = e->task.inputs;
    if (step_strings (inputs, e->kit->program, &e->program, err) < 0
        || step_strings (inputs, "elements", &e->elements, err) < 0
        || step_strings (inputs, "potentials", &e->potentials, err) < 0
        || read_numbers (e, err) < 0)
        return -1;
    return step_task_output (&e->task, "trajectory", &e->trajectory, err);
}

static void scale_frame (const struct json *scale, struct frame *frame)
{
    double factor = json_as_double (scale);

    if (json_is_null (scale))
        return;
    for (int i = 0; i < 9; i++)
        frame->cell[i] *= factor;
    for (size_t i = 0; i < 3 * frame->n_atoms; i++)
        frame->positions[i] *= factor;
}

static int read_start (struct exploration *e, struct error *err)
{
    const char *path;

    if (json_want_string (e->task.inputs, "structure", &path, err) < 0)
        return error_prefix (err, "inputs");
    if (explore_read_structure (path, &e->elements, &e->start, NULL, err) < 0)
        return -1;
    scale_frame (json_get (e->variables, "scale"), &e->start);
    return 0;
}

static int link_potentials (struct exploration *e, struct error *err)
{
    int rc = 0;

    for (size_t k = 0; rc == 0 && k < e->potentials.n; k++) {
        _cleanup_free_ char *name = e->kit->link_name (k, e->potentials.v[k]);

        if (symlink (e->potentials.v[k], name) < 0)
            rc = error_errno (err, "cannot make the link '%s'", name);
        strvec_push (&e->links, name);
    }
    return rc;
}

static int write_inputs (const struct exploration *e, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf lines = STRBUF_INIT;
    const char *path;
    int rc;

    if (json_want_string (e->task.inputs, "run_input", &path, err) < 0)
        return error_prefix (err, "inputs");
    rc = file_read (path, EXPLORE_TEMPLATE_MAX_BYTES, &lines, err);
    if (rc == 0)
        rc = e->kit->write_inputs (e, lines.buf, lines.len, err);
    return rc;
}

/* --- running --- */

enum step_status explore_run_code (const struct exploration *e,
                                   const char *input,
                                   const char *const *arguments,
                                   const char *log, bool *exploded,
                                   struct error *err)
{
    const struct explore_kit *kit = e->kit;
    enum ending ending;
    enum step_status status = code_run (kit->code, &e->task, &e->program,
                                        arguments, log, &ending, err);

    *exploded = ending == ENDING_DIVERGED;
    if (*exploded)
        return STEP_OK;
    if (status != STEP_OK)
        error_set (err, "%s: %s%s", input, err->text,
                   kit->hint && strstr (err->text, kit->hint_word) ? kit->hint
                                                                   : "");
    return status;
}

int64_t explore_frames_expected (const struct exploration *e)
{
    return e->steps / e->dump_every;
}

static enum step_status run_md (struct exploration *e, struct error *err)
{
    const struct explore_kit *kit = e->kit;
    int64_t promised = explore_frames_expected (e) + !kit->without_start;
    enum step_status status;

    status = explore_run_code (e, kit->md_name, kit->arguments, kit->log,
                               &e->blown_up, err);
    if (status != STEP_OK)
        return status;
    if (kit->keep_frames (e, err) < 0)
        return STEP_FAILED;
    if (!e->blown_up && e->frames.seen != promised) {
        error_set (err,
                   "the MD wrote %lld frames where %lld steps with one every "
                   "%lld make %lld; let the input run exactly ${steps} steps, "
                   "from step 0",
                   (long long)e->frames.seen, (long long)e->steps,
                   (long long)e->dump_every, (long long)promised);
        return STEP_FATAL;
    }
    /* lost atoms may have been ignored, and NaN is no error to most codes */
    if (e->frames.bad > 0)
        e->blown_up = true;
    return STEP_OK;
}

/* --- after --- */

/* A task that a version before prepared has no output of conditions. */
static int write_params (const struct exploration *e, struct error *err)
{
    struct json *params = json_object ();
    struct json *conditions = json_get (e->task.inputs, "conditions");

    json_set (params, "system", json_ref (json_get (e->task.inputs, "system")));
    json_set (params, "frames_expected",
              json_int (explore_frames_expected (e)));
    json_set (params, "frames", json_int (e->frames.kept));
    if (conditions)
        json_set (params, "conditions", json_ref (conditions));
    json_set (params, "blown_up", json_bool (e->blown_up));
    return step_write ("params.json", params, err);
}

enum step_status explore_run_step (const struct explore_kit *kit,
                                   struct error *err)
{
    struct exploration e = { .kit = kit,
                             .task = STEP_TASK_INIT,
                             .program = STRVEC_INIT,
                             .elements = STRVEC_INIT,
                             .potentials = STRVEC_INIT,
                             .links = STRVEC_INIT,
                             .start = FRAME_INIT };
    enum step_status status = STEP_FATAL;

    if (read_task (&e, err) < 0 || read_start (&e, err) < 0
        || link_potentials (&e, err) < 0 || write_inputs (&e, err) < 0)
        goto done;
    status = run_md (&e, err);
    if (status == STEP_OK && kit->judge)
        status = kit->judge (&e, err);
    if (status == STEP_OK && write_params (&e, err) < 0)
        status = STEP_FAILED;
done:
    frame_release (&e.start);
    strvec_release (&e.program);
    strvec_release (&e.elements);
    strvec_release (&e.potentials);
    strvec_release (&e.links);
    step_task_release (&e.task);
    return status;
}
