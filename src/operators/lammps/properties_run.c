/* SPDX-License-Identifier: BSD-3-Clause */
/* properties_run.c - the step `run` of lammps.properties: a crystal with one
 * member of the committee
 *
 * LAMMPS runs twice: it relaxes the crystal, then the atoms of every cell that
 * is made of that.
 */
#include "base/base.h"

#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "formats/extxyz/extxyz.h"
#include "formats/lammps/lammps_axes.h"
#include "formats/lammps/lammps_data.h"
#include "operators/code_run.h"
#include "operators/lammps/lammps.h"
#include "operators/lammps/properties.h"
#include "structures/deform.h"

/* Names in the task's directory. */
#define START_FILE "crystal.data"
#define REST_FILE "at_rest.data"
#define REST_NUMBERS "at_rest.numbers"

/* What is left when nothing moves any more: models of single precision stop
 * far below it.
 */
static const double most_force_eV_A = 0.01;
static const double most_stress_GPa = 0.05;

struct run {
    struct step_task task;
    struct strvec elements, program, links;
    struct property_request request;
    struct lammps_setup setup;
    int64_t member;
    const char *name; /* of the crystal */
    struct frame start, crystal;
    double
        shift[3]; /* of the atoms, in fractions, from where they were given */
    struct cell_result at_rest;
    struct property_cells cells;
    struct cell_result *results;
};

/* --- its inputs --- */

static int read_setup (struct run *run, struct error *err)
{
    const struct json *inputs = run->task.inputs;
    const struct json *members = json_get (inputs, "potentials");
    const char *path = json_as_string (json_at (members, (size_t)run->member));
    _cleanup_free_ char *link = lammps_member_link ((size_t)run->member, path);

    run->setup = (struct lammps_setup){ .elements = &run->elements,
                                        .links = &run->links };
    if (json_want_string (inputs, "pair_style", &run->setup.pair_style, err) < 0
        || json_want_string (inputs, "pair_coeff", &run->setup.pair_coeff, err)
               < 0)
        return error_prefix (err, "inputs");
    strvec_push (&run->links, link);
    return symlink (path, link) < 0
               ? error_errno (err, "cannot make the link '%s'", link)
               : 0;
}

static int read_run (struct run *run, struct error *err)
{
    const struct json *inputs;
    const char *path;

    if (step_task_read (&lammps_properties_operator, &run->task, err) < 0)
        return -1;
    inputs = run->task.inputs;
    if (json_want_string (inputs, "crystal", &run->name, err) < 0
        || json_want_string (inputs, "structure", &path, err) < 0
        || json_want_int (inputs, "member", &run->member, err) < 0)
        return error_prefix (err, "inputs");
    if (step_strings (inputs, "lammps", &run->program, err) < 0
        || step_strings (inputs, "elements", &run->elements, err) < 0
        || property_request_read (inputs, &run->request, err) < 0
        || explore_read_structure (path, &run->elements, &run->start, NULL, err)
               < 0)
        return -1;
    return read_setup (run, err);
}

/* --- what LAMMPS is given --- */

/* While LAMMPS minimizes (seen with 29 Sep 2021), an atom that the last digit
 * of a number puts on the one or the other side of a face may be misplaced: the
 * energy of a crystal at rest jumped.  Single points of it are right.
 */
static int write_off_faces (const struct run *run, const struct frame *frame,
                            const char *path, double shift[3],
                            struct error *err)
{
    _cleanup_ (frame_release) struct frame shifted = FRAME_INIT;

    if (structure_copy (frame, 0, &shifted, err) < 0)
        return -1;
    structure_off_faces (&shifted, shift);
    structure_shift (&shifted, shift);
    return lammps_write_frame (&shifted, &run->elements, path, err);
}

static int add_potential (const struct run *run, const char *data_file,
                          bool turns, struct strbuf *out, struct error *err)
{
    lammps_add_header (data_file, true, out);
    if (turns)
        strbuf_add_str (out, "change_box      all triclinic\n");
    if (lammps_add_pair (&run->setup, 0, out, err) < 0)
        return -1;
    strbuf_add_str (out, "compute         fanfold all pressure NULL virial\n"
                         "thermo_style    custom step pe fmax c_fanfold[*]\n"
                         "thermo_modify   norm no\n"
                         "min_style       cg\n"
                         "minimize        0 1e-8 2000 20000\n");
    return 0;
}

static void add_numbers (const char *path, struct strbuf *out)
{
    strbuf_add_str (out, "run             0\n"
                         "print           \"$(pe:%.17g) $(fmax:%.17g)");
    for (int i = 1; i <= 6; i++)
        strbuf_addf (out, " $(c_fanfold[%d]:%%.17g)", i);
    strbuf_addf (out, "\" file %s\n", path);
}

/* Where cell and atoms move together a line search may stop early, so it begins
 * several times.
 */
static int format_relaxation (const struct run *run, struct strbuf *out,
                              struct error *err)
{
    strbuf_add_str (out, "# Written by Fanfold: the crystal comes to rest.\n");
    if (add_potential (run, START_FILE, true, out, err) < 0)
        return -1;
    for (int i = 0; i < 5; i++)
        strbuf_add_str (
            out, "fix             fanfold all box/relax tri 0 vmax 0.001\n"
                 "minimize        0 1e-8 2000 20000\n"
                 "unfix           fanfold\n"
                 "minimize        0 1e-8 2000 20000\n");
    add_numbers (REST_NUMBERS, out);
    strbuf_add_str (out, "write_data      " REST_FILE " nocoeff\n");
    return 0;
}

static char *cell_file (size_t i, const char *ending)
{
    return xasprintf ("cell_%03zu.%s", i, ending);
}

static int format_cells (const struct run *run, struct strbuf *out,
                         struct error *err)
{
    strbuf_add_str (out,
                    "# Written by Fanfold: what properties follow from.\n");
    for (size_t i = 0; i < run->cells.n; i++) {
        _cleanup_free_ char *data = cell_file (i, "data");
        _cleanup_free_ char *numbers = cell_file (i, "numbers");
        double shift[3];

        if (write_off_faces (run, &run->cells.v[i].frame, data, shift, err) < 0)
            return error_prefix (err, "%s", run->cells.v[i].name);
        strbuf_addf (out, "# %s\n%s", run->cells.v[i].name,
                     i > 0 ? "clear\n" : "");
        if (add_potential (run, data, false, out, err) < 0)
            return -1;
        add_numbers (numbers, out);
    }
    return 0;
}

/* --- what it leaves --- */

static int check_rest (const struct cell_result *result, double force,
                       struct error *err)
{
    if (!isfinite (result->energy_eV) || !all_finite (result->stress_GPa, 6))
        return error_set (err, "the energy or the stress is not a finite "
                               "number");
    if (!(force <= most_force_eV_A))
        return error_set (err,
                          "the atoms did not come to rest: there is a force "
                          "of %.3g eV/A after all steps; the potential is not "
                          "smooth, or has no minimum there",
                          force);
    return 0;
}

/* Stresses as they are outside of LAMMPS's axes, of the cell of 'frame'. */
static int read_numbers (const char *path, const struct frame *frame,
                         struct cell_result *result, struct error *err)
{
    static const int place[6] = { 0, 4, 8, 1, 2, 5 };
    static const int voigt[6] = { 0, 4, 8, 5, 2, 1 };
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    double force, bar[6], tensor[9], axes[9];

    if (lammps_axes_of (frame->cell, axes, err) < 0
        || file_read (path, 4096, &text, err) < 0)
        return -1;
    if (sscanf (text.buf, "%lf %lf %lf %lf %lf %lf %lf %lf", &result->energy_eV,
                &force, bar, bar + 1, bar + 2, bar + 3, bar + 4, bar + 5)
        != 8)
        return error_set (err, "%s: expected 8 numbers", path);
    for (int i = 0; i < 6; i++)
        tensor[place[i]] = tensor[place[i] % 3 * 3 + place[i] / 3] =
            -bar[i] * 1e-4;
    lammps_axes_turn_tensor_back (axes, tensor);
    for (int i = 0; i < 6; i++)
        result->stress_GPa[i] = tensor[voigt[i]];
    return check_rest (result, force, err);
}

/* The crystal in the axes it was given in, and where it was in its cell. */
static int read_crystal (struct run *run, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct frame *c = &run->crystal;
    double axes[9];

    if (lammps_axes_of (run->start.cell, axes, err) < 0
        || file_read (REST_FILE, EXPLORE_STRUCTURE_MAX_BYTES, &text, err) < 0
        || lammps_data_parse (text.buf, text.len, REST_FILE, run->elements.v,
                              run->elements.n, c, err)
               < 0)
        return -1;
    lammps_axes_turn_back (axes, c->cell, 3);
    lammps_axes_turn_back (axes, c->positions, c->n_atoms);
    structure_shift (
        c, (double[]){ -run->shift[0], -run->shift[1], -run->shift[2] });
    if (read_numbers (REST_NUMBERS, &run->start, &run->at_rest, err) < 0)
        return -1;
    for (int i = 0; i < 6; i++) {
        double stress = run->at_rest.stress_GPa[i];

        if (fabs (stress) > most_stress_GPa)
            return error_set (err,
                              "the cell did not come to rest: there is a "
                              "stress of %.3g GPa after all steps; the "
                              "potential is not smooth, or has no minimum "
                              "near this structure",
                              stress);
    }
    return 0;
}

/* --- the step --- */

static enum step_status run_lammps (const struct run *run, const char *input,
                                    const struct strbuf *text,
                                    const char *output, struct error *err)
{
    const char *const arguments[] = LAMMPS_ARGUMENTS (input);
    enum ending ending;

    if (file_write_atomic (input, text->buf, text->len, err) < 0)
        return STEP_FAILED;
    return code_run (&lammps_code, &run->task, &run->program, arguments, output,
                     &ending, err);
}

static enum step_status relax (struct run *run, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    enum step_status status = STEP_FATAL;

    if (write_off_faces (run, &run->start, START_FILE, run->shift, err) == 0
        && format_relaxation (run, &text, err) == 0)
        status = run_lammps (run, "relax.in", &text, "relax.out", err);
    if (status == STEP_OK && read_crystal (run, err) < 0)
        status = STEP_FATAL;
    if (status != STEP_OK)
        error_prefix (err, "at rest");
    return status;
}

/* The cell that LAMMPS was at when it failed is the first that has no numbers.
 */
static void name_cell (const struct run *run, struct error *err)
{
    for (size_t i = 0; i < run->cells.n; i++) {
        _cleanup_free_ char *numbers = cell_file (i, "numbers");

        if (!file_exists (numbers)) {
            error_prefix (err, "%s", run->cells.v[i].name);
            return;
        }
    }
}

static int read_cells (struct run *run, struct error *err)
{
    run->results = xcalloc (run->cells.n, sizeof (*run->results));
    for (size_t i = 0; i < run->cells.n; i++) {
        _cleanup_free_ char *numbers = cell_file (i, "numbers");

        if (read_numbers (numbers, &run->cells.v[i].frame, &run->results[i],
                          err)
            < 0)
            return error_prefix (err, "%s", run->cells.v[i].name);
    }
    return 0;
}

static enum step_status compute_cells (struct run *run, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    enum step_status status;

    if (property_cells_make (&run->request, &run->crystal, &run->cells, err) < 0
        || format_cells (run, &text, err) < 0)
        return STEP_FATAL;
    if (run->cells.n == 0)
        return STEP_OK;
    status = run_lammps (run, "cells.in", &text, "cells.out", err);
    if (status != STEP_OK)
        name_cell (run, err);
    else if (read_cells (run, err) < 0)
        status = STEP_FATAL;
    return status;
}

static int write_crystal (const struct run *run, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    const char *path;

    extxyz_format (&run->crystal, &text);
    if (step_task_output (&run->task, "relaxed", &path, err) < 0)
        return -1;
    return file_write_atomic (path, text.buf, text.len, err);
}

static enum step_status tell (struct run *run, struct error *err)
{
    struct json *params = json_object ();
    struct json *values = json_object (), *curve = json_object ();

    json_set (params, "crystal", json_string (run->name));
    json_set (params, "values", values);
    json_set (params, "curve", curve);
    if (property_values (&run->request, &run->crystal, &run->at_rest,
                         &run->cells, run->results, values, curve, err)
        < 0) {
        json_unref (params);
        return STEP_FATAL;
    }
    if (write_crystal (run, err) < 0) {
        json_unref (params);
        return STEP_FAILED;
    }
    return step_write ("params.json", params, err) < 0 ? STEP_FAILED : STEP_OK;
}

static void run_release (struct run *run)
{
    free (run->results);
    property_cells_release (&run->cells);
    property_request_release (&run->request);
    frame_release (&run->start);
    frame_release (&run->crystal);
    strvec_release (&run->elements);
    strvec_release (&run->program);
    strvec_release (&run->links);
    step_task_release (&run->task);
}

enum step_status lammps_properties_run (struct error *err)
{
    _cleanup_ (run_release) struct run run = {
        .task = STEP_TASK_INIT,
        .elements = STRVEC_INIT,
        .program = STRVEC_INIT,
        .links = STRVEC_INIT,
        .request = PROPERTY_REQUEST_INIT,
        .start = FRAME_INIT,
        .crystal = FRAME_INIT,
    };
    enum step_status status;

    if (read_run (&run, err) < 0)
        return STEP_FATAL;
    status = relax (&run, err);
    if (status == STEP_OK)
        status = compute_cells (&run, err);
    if (status == STEP_OK)
        status = tell (&run, err);
    if (status != STEP_OK)
        error_prefix (err, "%s, member %lld", run.name, (long long)run.member);
    return status;
}
