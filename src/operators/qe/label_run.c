/* SPDX-License-Identifier: BSD-3-Clause */
/* label_run.c - the step `run` of qe.label: one single point */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "formats/extxyz/extxyz.h"
#include "formats/frame.h"
#include "formats/qe/qe_xml.h"
#include "operators/table.h"
#include "operators/code_run.h"
#include "operators/qe/input.h"
#include "operators/step_task.h"

#define PW_XML_FILE PW_SCRATCH_DIR "/" PW_PREFIX ".save/data-file-schema.xml"

enum { FRAME_MAX_BYTES = 1 << 30 };

/* pw.x converts to bohr, with the constants of its release, and back. */
static const double same_place_A = 1e-4;

struct labelling {
    struct step_task task;
    struct strvec program;
    struct frame frame;
    const char *output; /* where the labelled frame goes */
};

/* --- before --- */

static int read_frame (struct labelling *l, struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    const char *path;
    int rc;

    if (json_want_string (l->task.inputs, "frames", &path, err) < 0)
        return error_prefix (err, "inputs");
    rc = file_read (path, FRAME_MAX_BYTES, &text, err);
    if (rc == 0)
        rc = extxyz_parse (text.buf, text.len, path, 1, &l->frame, err);
    if (rc == 0 && !(fabs (frame_volume (&l->frame)) > 0))
        rc = error_set (err, "%s: the frame has no cell; pw.x needs one", path);
    strbuf_release (&text);
    return rc;
}

static int write_input (const struct labelling *l, struct error *err)
{
    const struct json *inputs = l->task.inputs;
    struct strbuf lines = STRBUF_INIT, text = STRBUF_INIT;
    struct pw_setup setup;
    const char *path;
    int rc;

    if (json_want_string (inputs, "input", &path, err) < 0
        || json_want_string (inputs, "pseudo_dir", &setup.pseudo_dir, err) < 0
        || json_want_object (inputs, "pseudopotentials",
                             &setup.pseudopotentials, err)
               < 0)
        return error_prefix (err, "inputs");
    rc = file_read (path, PW_TEMPLATE_MAX_BYTES, &lines, err);
    if (rc == 0)
        rc = pw_format_input (&setup, lines.buf, lines.len, path, &l->frame,
                              &text, err);
    if (rc == 0)
        rc = file_write_atomic ("pw.in", text.buf, text.len, err);
    strbuf_release (&lines);
    strbuf_release (&text);
    return rc;
}

static int prepare_run (struct labelling *l, struct error *err)
{
    if (step_task_read ("task.json", &l->task, err) < 0
        || step_strings (l->task.inputs, "pw", &l->program, err) < 0
        || read_frame (l, err) < 0 || write_input (l, err) < 0)
        return -1;
    return step_task_output (&l->task, "frame", &l->output, err);
}

/* --- running --- */

static enum step_status run_pw (const struct labelling *l, struct error *err)
{
    static const char *const arguments[] = { "-in", "pw.in", NULL };
    bool diverged;

    return code_run (&pw_code, &l->task, &l->program, arguments, "pw.out",
                     &diverged, err);
}

/* --- after --- */

static int check_same_place (const struct frame *asked, const struct frame *got,
                             struct error *err)
{
    for (int i = 0; i < 9; i++) {
        if (!(fabs (asked->cell[i] - got->cell[i]) < same_place_A))
            return error_set (err, "pw.x used another cell; remove ibrav, or "
                                   "set it to 0");
    }
    for (size_t i = 0; i < 3 * asked->n_atoms; i++) {
        if (!(fabs (asked->positions[i] - got->positions[i]) < same_place_A))
            return error_set (err,
                              "pw.x moved atom %zu; let calculation be "
                              "'scf'",
                              i / 3 + 1);
    }
    return 0;
}

static int check_result (const struct frame *asked, const struct frame *got,
                         bool converged, struct error *err)
{
    if (!converged)
        return error_set (err, "SCF not converged");
    if (got->n_atoms != asked->n_atoms)
        return error_set (err, "pw.x computed %zu atoms of %zu", got->n_atoms,
                          asked->n_atoms);
    for (size_t i = 0; i < asked->n_atoms; i++) {
        if (strcmp (asked->symbols[i], got->symbols[i]) != 0)
            return error_set (err, "atom %zu: pw.x computed '%s', not '%s'",
                              i + 1, got->symbols[i], asked->symbols[i]);
    }
    if (check_same_place (asked, got, err) < 0)
        return -1;
    if (!got->has_energy || !got->forces)
        return error_set (err, "pw.x computed no %s; set tprnfor = .true.",
                          got->has_energy ? "forces" : "energy");
    return 0;
}

/* Positions and cell stay as they were, to the last digit. */
static void take_labels (struct frame *frame, struct frame *labels)
{
    frame->energy = labels->energy;
    frame->has_energy = true;
    free (frame->forces);
    frame->forces = labels->forces;
    labels->forces = NULL;
    frame->has_virial = labels->has_virial;
    memcpy (frame->virial, labels->virial, sizeof (frame->virial));
}

static int read_labels (struct frame *frame, struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    struct frame labels = FRAME_INIT;
    bool converged;
    int rc = file_read (PW_XML_FILE, FRAME_MAX_BYTES, &text, err);

    if (rc < 0)
        error_prefix (err, "pw.x left no results (disk_io must be 'low')");
    else
        rc = qe_xml_parse (text.buf, text.len, PW_XML_FILE, &labels, &converged,
                           err);
    if (rc == 0)
        rc = check_result (frame, &labels, converged, err);
    if (rc == 0)
        take_labels (frame, &labels);
    frame_release (&labels);
    strbuf_release (&text);
    return rc;
}

static int write_frame (const struct labelling *l, struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    int rc;

    extxyz_format (&l->frame, &text);
    rc = file_write_atomic (l->output, text.buf, text.len, err);
    strbuf_release (&text);
    return rc;
}

enum step_status qe_label_run (struct error *err)
{
    struct labelling l = { .task = STEP_TASK_INIT,
                           .program = STRVEC_INIT,
                           .frame = FRAME_INIT };
    enum step_status status = STEP_FATAL;

    if (prepare_run (&l, err) < 0)
        goto done;
    status = run_pw (&l, err);
    if (status == STEP_OK && read_labels (&l.frame, err) < 0)
        status = STEP_FATAL;
    if (status == STEP_OK && write_frame (&l, err) < 0)
        status = STEP_FAILED;
    /* wave functions are large; nobody reads them again */
    file_remove_tree (PW_SCRATCH_DIR, NULL, NULL);
done:
    frame_release (&l.frame);
    strvec_release (&l.program);
    step_task_release (&l.task);
    return status;
}
