/* SPDX-License-Identifier: BSD-3-Clause */
/* label_run.c - the step `run` of operators that label: one frame */
#include "base/base.h"

#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "formats/extxyz/extxyz.h"
#include "formats/frame.h"
#include "formats/lines.h"
#include "formats/packed/packed_copy.h"
#include "operators/code_run.h"
#include "operators/label/label_kit.h"

struct labelling {
    const struct label_kit *kit;
    struct step_task task;
    struct strvec program;
    struct strvec templates; /* `input` and what it falls back to */
    struct frame frame;
    struct frame sorted; /* with kit->by_element: the frame, and */
    size_t *order;       /* which of its atoms these are; else NULL */
    const char *output;  /* where the labelled frame goes */
};

static const struct frame *sent (const struct labelling *l)
{
    return l->order ? &l->sorted : &l->frame;
}

/* --- before --- */

static int read_frame (struct labelling *l, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    const char *path;

    if (json_want_string (l->task.inputs, "frames", &path, err) < 0)
        return error_prefix (err, "inputs");
    if (file_read (path, LABEL_FILE_MAX_BYTES, &text, err) < 0
        || extxyz_parse (text.buf, text.len, path, 1, &l->frame, err) < 0
        || label_check_frame (l->kit, path, &l->frame, err) < 0)
        return -1;
    return l->kit->by_element
               ? label_by_element (&l->frame, &l->sorted, &l->order, err)
               : 0;
}

static int read_templates (struct labelling *l, struct error *err)
{
    const char *input;

    if (json_want_string (l->task.inputs, "input", &input, err) < 0)
        return error_prefix (err, "inputs");
    strvec_push (&l->templates, input);
    if (json_is_null (json_get (l->task.inputs, "fallback")))
        return 0;
    return step_strings (l->task.inputs, "fallback", &l->templates, err);
}

static int check_ranks (const struct labelling *l, struct error *err)
{
    if (!l->kit->no_mpi || l->task.resources.ranks <= 1)
        return 0;
    return error_set (err,
                      "%s runs as one process, and %d ranks are asked for; "
                      "write ranks: 1 and cores: N",
                      l->kit->code->name, l->task.resources.ranks);
}

static int read_task (struct labelling *l, struct error *err)
{
    if (step_task_read (&l->kit->spec, &l->task, err) < 0
        || step_strings (l->task.inputs, l->kit->program, &l->program, err) < 0
        || check_ranks (l, err) < 0 || read_templates (l, err) < 0
        || read_frame (l, err) < 0)
        return -1;
    return step_task_output (&l->task, "frame", &l->output, err);
}

/* --- one template --- */

static void remove_all (const char *const *paths)
{
    for (; paths && *paths; paths++)
        file_remove_tree (*paths, NULL, NULL);
}

static int write_inputs (const struct labelling *l, const char *path,
                         struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = label_read_template (l->kit, path, &text, err);

    if (rc == 0) {
        struct label_input input = { .task = &l->task,
                                     .inputs = l->task.inputs,
                                     .name = path,
                                     .text = text.buf,
                                     .len = text.len,
                                     .frame = sent (l) };

        rc = l->kit->write_inputs (&input, err);
    }
    return rc;
}

/* Results that cannot be taken: of what the program complained, if it did, else
 * what is wrong with them.
 */
static enum step_status judge_results (const struct labelling *l,
                                       bool converged, enum ending *ending,
                                       struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf message = STRBUF_INIT;
    enum ending complaint =
        code_complaint (l->kit->code, l->kit->output, &message);
    const char *name = l->kit->code->name;

    if (!converged)
        error_set (err, "%s: %s", name,
                   complaint == ENDING_UNCONVERGED ? message.buf
                                                   : "SCF not converged");
    else if (message.len > 0)
        error_set (err, "%s: %s", name, message.buf);
    *ending = converged ? complaint : ENDING_UNCONVERGED;
    return error_is_machine_error (err) || *ending == ENDING_PASSING
               ? STEP_FAILED
               : STEP_FATAL;
}

static int read_labels (const struct labelling *l, struct frame *labels,
                        bool *converged, struct error *err)
{
    const struct label_kit *kit = l->kit;
    struct lines lines = LINES_INIT;
    int rc;

    if (!kit->results_file)
        return kit->read_labels (sent (l), labels, converged, err);
    rc = lines_open (&lines, kit->results_file, 0, err);
    if (rc < 0)
        error_prefix (err, "%s left no results%s%s", kit->code->name,
                      kit->for_results ? "; " : "",
                      kit->for_results ? kit->for_results : "");
    else
        rc = kit->parse (&lines, labels, converged, err);
    if (rc == 0 && kit->scales)
        label_scale_virial (sent (l), labels);
    lines_close (&lines);
    return rc;
}

static enum step_status take_results (struct labelling *l, enum ending *ending,
                                      struct error *err)
{
    _cleanup_ (frame_release) struct frame labels = FRAME_INIT;
    enum step_status status = STEP_OK;
    bool converged = true;

    if (read_labels (l, &labels, &converged, err) < 0)
        status = judge_results (l, true, ending, err);
    else if (!converged)
        status = judge_results (l, false, ending, err);
    else if (label_compare (l->kit, sent (l), &labels, err) < 0)
        status = STEP_FATAL;
    else
        label_take (&l->frame, &labels, l->order);
    return status;
}

static enum step_status try_template (struct labelling *l, const char *path,
                                      enum ending *ending, struct error *err)
{
    const struct label_kit *kit = l->kit;
    enum step_status status;

    *ending = ENDING_MISTAKE;
    remove_all (kit->results);
    remove_all (kit->scratch);
    if (write_inputs (l, path, err) < 0)
        return STEP_FATAL;
    status = code_run (kit->code, &l->task, &l->program, kit->arguments,
                       kit->output, ending, err);
    if (status == STEP_OK)
        status = take_results (l, ending, err);
    remove_all (kit->scratch); /* large, and not read again */
    return status;
}

/* --- all of them --- */

/* The log tells why the output of another calculation follows. */
static void tell_next (const char *path, const struct error *why)
{
    _cleanup_ (strbuf_release) struct strbuf line = STRBUF_INIT;

    strbuf_addf (&line, "--- %s; the next template is %s\n", why->text,
                 path_base (path));
    file_write_all (STDOUT_FILENO, line.buf, line.len, NULL);
}

static void add_templates (const struct labelling *l, struct error *err)
{
    struct error why = *err;
    size_t n = l->templates.n - 1;

    if (n > 0)
        error_set (err, "%s, with input and %zu fallback%s", why.text, n,
                   n > 1 ? "s" : "");
}

static enum step_status try_templates (struct labelling *l, struct error *err)
{
    enum ending ending = ENDING_UNCONVERGED;
    enum step_status status = STEP_FATAL;

    for (size_t i = 0; ending == ENDING_UNCONVERGED && i < l->templates.n;
         i++) {
        if (i > 0)
            tell_next (l->templates.v[i], err);
        status = try_template (l, l->templates.v[i], &ending, err);
    }
    if (ending == ENDING_UNCONVERGED)
        add_templates (l, err);
    return status;
}

static int write_frame (const struct labelling *l, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    extxyz_format (&l->frame, &text);
    return file_write_atomic (l->output, text.buf, text.len, err);
}

/* Compressed, under the last part of its name. */
static int keep_raw_file (const char *path, const char *dir, struct error *err)
{
    _cleanup_free_ char *to = xasprintf ("%s/%s.gz", dir, path_base (path));
    int rc = file_make_parent (to, err);

    if (rc == 0)
        rc = packed_copy (path, to, err);
    return rc;
}

static int keep_raw (const struct labelling *l, struct error *err)
{
    int rc = 0;

    for (const char *const *path = l->kit->raw; rc == 0 && l->task.raw && *path;
         path++) {
        if (file_exists (*path))
            rc = keep_raw_file (*path, l->task.raw, err);
    }
    return rc;
}

enum step_status label_run (const struct label_kit *kit, struct error *err)
{
    struct labelling l = { .kit = kit,
                           .task = STEP_TASK_INIT,
                           .program = STRVEC_INIT,
                           .templates = STRVEC_INIT,
                           .frame = FRAME_INIT,
                           .sorted = FRAME_INIT };
    enum step_status status = STEP_FATAL;

    if (read_task (&l, err) == 0 && label_link_files (l.task.inputs, err) == 0)
        status = try_templates (&l, err);
    if (status == STEP_OK
        && (keep_raw (&l, err) < 0 || write_frame (&l, err) < 0))
        status = STEP_FAILED;
    free (l.order);
    frame_release (&l.frame);
    frame_release (&l.sorted);
    strvec_release (&l.program);
    strvec_release (&l.templates);
    step_task_release (&l.task);
    return status;
}
