/* SPDX-License-Identifier: BSD-3-Clause */
/* explore_run.c - the step `run` of lammps.explore: one MD and its reruns */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "operators/table.h"
#include "operators/code_run.h"
#include "operators/lammps/lammps.h"
#include "operators/step_task.h"

struct exploration {
    struct step_task task;
    struct strvec program;
    struct strvec elements;
    struct strvec potentials;
    struct lammps_setup setup;
    const char *trajectory; /* where they go */
    const char *forces;
    size_t n_atoms;
    struct whole_frames frames;
    bool blown_up;
};

/* --- before --- */

static int read_setup (struct exploration *e, struct error *err)
{
    struct step_task *task = &e->task;
    struct lammps_setup *setup = &e->setup;

    if (json_want_string (task->inputs, "pair_style", &setup->pair_style, err)
            < 0
        || json_want_string (task->inputs, "pair_coeff", &setup->pair_coeff,
                             err)
               < 0
        || json_want_object (task->inputs, "variables", &setup->variables, err)
               < 0)
        return error_prefix (err, "inputs");
    setup->elements = &e->elements;
    setup->members = e->potentials.n;
    setup->seed = task->seed;
    if (step_count (task->inputs, "run_steps", 1, &setup->steps, err) < 0)
        return -1;
    return step_count (task->inputs, "run_dump_every", 1, &setup->dump_every,
                       err);
}

static int read_task (struct exploration *e, struct error *err)
{
    if (step_task_read ("task.json", &e->task, err) < 0
        || step_strings (e->task.inputs, "lammps", &e->program, err) < 0
        || step_strings (e->task.inputs, "elements", &e->elements, err) < 0
        || step_strings (e->task.inputs, "potentials", &e->potentials, err) < 0
        || read_setup (e, err) < 0)
        return -1;
    if (step_task_output (&e->task, "trajectory", &e->trajectory, err) < 0
        || step_task_output (&e->task, "forces", &e->forces, err) < 0)
        return -1;
    return file_make_dirs (e->forces, err);
}

static int link_potentials (const struct exploration *e, struct error *err)
{
    int rc = 0;

    for (size_t k = 0; rc == 0 && k < e->potentials.n; k++) {
        char *name = lammps_potential_link (k);

        if (symlink (e->potentials.v[k], name) < 0)
            rc = error_errno (err, "cannot make the link '%s'", name);
        free (name);
    }
    return rc;
}

static int write_md_input (const struct exploration *e, struct error *err)
{
    struct strbuf lines = STRBUF_INIT, text = STRBUF_INIT;
    const char *path;
    int rc;

    if (json_want_string (e->task.inputs, "run_input", &path, err) < 0)
        return error_prefix (err, "inputs");
    rc = file_read (path, LAMMPS_INPUT_MAX_BYTES, &lines, err);
    if (rc == 0)
        rc = lammps_format_md (&e->setup, lines.buf, lines.len, &text, err);
    if (rc == 0)
        rc = file_write_atomic ("md.in", text.buf, text.len, err);
    strbuf_release (&lines);
    strbuf_release (&text);
    return rc;
}

static int write_rerun_input (const struct exploration *e, struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    int rc =
        lammps_format_rerun (&e->setup, e->trajectory, e->forces, &text, err);

    if (rc == 0)
        rc = file_write_atomic ("rerun.in", text.buf, text.len, err);
    strbuf_release (&text);
    return rc;
}

/* --- running --- */

static enum step_status run_lammps (const struct exploration *e,
                                    const char *input, const char *output,
                                    bool *exploded, struct error *err)
{
    const char *const arguments[] = { "-in",  input,     "-log",
                                      "none", "-nocite", NULL };
    enum step_status status = code_run (&lammps_code, &e->task, &e->program,
                                        arguments, output, exploded, err);

    if (*exploded)
        return STEP_OK;
    if (status != STEP_OK)
        error_set (err, "%s: %s%s", input, err->text,
                   strstr (err->text, "KIM")
                       ? "; kim.log in the task's working directory may say "
                         "more"
                       : "");
    return status;
}

static int64_t frames_expected (const struct exploration *e)
{
    return e->setup.steps / e->setup.dump_every;
}

static enum step_status run_md (struct exploration *e, struct error *err)
{
    enum step_status status;
    int64_t promised = frames_expected (e) + 1; /* and the start */

    status = run_lammps (e, "md.in", "md.out", &e->blown_up, err);
    if (status != STEP_OK)
        return status;
    if (lammps_keep_whole_frames (LAMMPS_MD_DUMP, e->trajectory, e->n_atoms,
                                  &e->frames, err)
        < 0)
        return STEP_FAILED;
    if (!e->blown_up && e->frames.seen != promised) {
        error_set (err,
                   "the MD wrote %lld frames where %lld steps with one every "
                   "%lld make %lld; let the input run exactly ${steps} steps, "
                   "from step 0",
                   (long long)e->frames.seen, (long long)e->setup.steps,
                   (long long)e->setup.dump_every, (long long)promised);
        return STEP_FATAL;
    }
    /* lost atoms may have been ignored, and NaN is no error to LAMMPS */
    if (e->frames.kept < e->frames.seen)
        e->blown_up = true;
    return STEP_OK;
}

/* A member whose rerun never came leaves an empty file: its place in the list
 * of members counts.
 */
static int fill_forces (const struct exploration *e, struct error *err)
{
    int rc = 0;

    for (size_t k = 0; rc == 0 && k < e->potentials.n; k++) {
        char *path = lammps_forces_path (e->forces, k);

        if (!file_exists (path))
            rc = file_write_atomic (path, "", 0, err);
        free (path);
    }
    return rc;
}

/* LAMMPS refuses to rerun a trajectory without frames. */
static enum step_status rerun (const struct exploration *e, struct error *err)
{
    enum step_status status = STEP_OK;
    bool exploded; /* forces of the frames until then are there */

    if (e->frames.kept > 0) {
        if (write_rerun_input (e, err) < 0)
            return STEP_FATAL;
        status = run_lammps (e, "rerun.in", "rerun.out", &exploded, err);
    }
    if (status == STEP_OK && fill_forces (e, err) < 0)
        status = STEP_FAILED;
    return status;
}

static int write_params (const struct exploration *e, struct error *err)
{
    struct json *params = json_object ();

    json_set (params, "system", json_ref (json_get (e->task.inputs, "system")));
    json_set (params, "frames_expected", json_int (frames_expected (e)));
    json_set (params, "frames", json_int (e->frames.kept));
    json_set (params, "blown_up", json_bool (e->blown_up));
    return step_write ("params.json", params, err);
}

enum step_status lammps_explore_run (struct error *err)
{
    struct exploration e = { .task = STEP_TASK_INIT,
                             .program = STRVEC_INIT,
                             .elements = STRVEC_INIT,
                             .potentials = STRVEC_INIT };
    enum step_status status = STEP_FATAL;

    if (read_task (&e, err) < 0
        || lammps_write_start (&e.task, &e.elements, &e.n_atoms, err) < 0
        || link_potentials (&e, err) < 0 || write_md_input (&e, err) < 0)
        goto done;
    status = run_md (&e, err);
    if (status == STEP_OK)
        status = rerun (&e, err);
    if (status == STEP_OK && write_params (&e, err) < 0)
        status = STEP_FAILED;
done:
    strvec_release (&e.program);
    strvec_release (&e.elements);
    strvec_release (&e.potentials);
    step_task_release (&e.task);
    return status;
}
