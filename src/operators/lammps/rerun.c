/* SPDX-License-Identifier: BSD-3-Clause */
/* rerun.c - lammps.explore with a committee that judges by reruns: the MD is
 * driven by the first member, then LAMMPS computes the forces of every member
 * along its trajectory
 */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "operators/lammps/lammps.h"

static const char *const md_arguments[] = LAMMPS_ARGUMENTS ("md.in");
static const char *const rerun_arguments[] = LAMMPS_ARGUMENTS ("rerun.in");

static int write_inputs (const struct exploration *e, const char *lines,
                         size_t len, struct error *err)
{
    struct lammps_setup setup;

    if (lammps_read_setup (e, &setup, err) < 0)
        return -1;
    return lammps_write_md (&setup, &e->start, lines, len, err);
}

/* --- the judgement --- */

static int write_rerun_input (const struct exploration *e, const char *forces,
                              struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct lammps_setup setup;
    int rc = lammps_read_setup (e, &setup, err);

    if (rc == 0)
        rc = lammps_format_rerun (&setup, e->trajectory, forces, &text, err);
    if (rc == 0)
        rc = file_write_atomic ("rerun.in", text.buf, text.len, err);
    return rc;
}

/* A member whose rerun never came leaves an empty file: its place in the list
 * of members counts.
 */
static int fill_forces (const struct exploration *e, const char *forces,
                        struct error *err)
{
    int rc = 0;

    for (size_t k = 0; rc == 0 && k < e->potentials.n; k++) {
        _cleanup_free_ char *path = lammps_forces_path (forces, k);

        if (!file_exists (path))
            rc = file_write_atomic (path, "", 0, err);
    }
    return rc;
}

/* LAMMPS refuses to rerun a trajectory without frames. */
static enum step_status rerun (const struct exploration *e, struct error *err)
{
    enum step_status status = STEP_OK;
    const char *forces;
    bool exploded; /* forces of the frames until then are there */

    if (step_task_output (&e->task, "forces", &forces, err) < 0
        || file_make_dirs (forces, err) < 0)
        return STEP_FATAL;
    if (e->frames.kept > 0) {
        if (write_rerun_input (e, forces, err) < 0)
            return STEP_FATAL;
        status = explore_run_code (e, "rerun.in", rerun_arguments, "rerun.out",
                                   &exploded, err);
    }
    if (status == STEP_OK && fill_forces (e, forces, err) < 0)
        status = STEP_FAILED;
    return status;
}

const struct explore_kit lammps_rerun_kit = {
    .op = &lammps_explore_operator,
    .prepare = "prepare",
    .run = "run",
    LAMMPS_EXPLORE,
    .link_name = lammps_member_link,
    .write_inputs = write_inputs,
    .arguments = md_arguments,
    .hint_word = "KIM",
    .hint = "; kim.log in the task's working directory may say more",
    .judge = rerun,
};
