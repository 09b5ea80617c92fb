/* SPDX-License-Identifier: BSD-3-Clause */
/* input.c - what LAMMPS is given: the inputs of the MD and its rerun, and the
 * configuration it starts from
 */
#include "base/base.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/json.h"
#include "formats/frame.h"
#include "formats/lammps/lammps_axes.h"
#include "formats/lammps/lammps_data.h"
#include "formats/lammps/whole_frames.h"
#include "operators/lammps/lammps.h"
#include "signature/template.h"

const char *const lammps_input_files[] = { "md.in", LAMMPS_START_FILE,
                                           "rerun.in", NULL };

/* The largest seed every LAMMPS command takes (RanMars, random_mars.cpp). */
enum { LARGEST_SEED = 900000000 };

char *lammps_potential_link (size_t k, const char *path)
{
    const char *dot = strrchr (path_base (path), '.');

    return xasprintf ("potential_%zu%s", k, dot ? dot : "");
}

/* A directory is known by what is in it, a file often by its ending. */
char *lammps_member_link (size_t k, const char *path)
{
    struct stat st;
    bool is_dir = stat (path, &st) < 0 || S_ISDIR (st.st_mode);

    return lammps_potential_link (k, is_dir ? "" : path);
}

char *lammps_forces_path (const char *dir, size_t k)
{
    return xasprintf ("%s/%03zu.dump", dir, k);
}

void lammps_add_elements (const struct strvec *elements, struct strbuf *out)
{
    for (size_t i = 0; i < elements->n; i++)
        strbuf_addf (out, "%s%s", i > 0 ? " " : "", elements->v[i]);
}

static struct json *placeholders (const struct lammps_setup *setup, size_t k)
{
    struct json *values = json_object ();
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (setup->deepmd)
        json_set (values, "deepmd", json_string (setup->deepmd));
    else
        json_set (values, "potential", json_string (setup->links->v[k]));
    lammps_add_elements (setup->elements, &text);
    json_set (values, "elements", json_string (text.buf));
    return values;
}

static int check_name (const char *name, void *arg, struct error *err)
{
    const char *another = arg;

    if (strcmp (name, "elements") == 0
        || (another && strcmp (name, another) == 0))
        return 0;
    return error_set (
        err, "unknown placeholder '{%s}'; there is %s%s%s{elements}", name,
        another ? "{" : "", another ? another : "", another ? "}, " : "");
}

int lammps_check_line (const char *line_template, const char *another,
                       struct error *err)
{
    return template_scan (line_template, check_name, (void *)another, err);
}

static int add_line (const char *command, const char *line_template,
                     const struct json *values, struct strbuf *out,
                     struct error *err)
{
    _cleanup_ (strvec_release) struct strvec line = STRVEC_INIT;
    int rc = template_expand (line_template, values, &line, err);

    if (rc < 0)
        error_prefix (err, "%s", command);
    else
        strbuf_addf (out, "%-15s %s\n", command, line.v[0]);
    return rc;
}

int lammps_add_pair (const struct lammps_setup *setup, size_t k,
                     struct strbuf *out, struct error *err)
{
    _cleanup_json_ struct json *values = placeholders (setup, k);
    int rc = add_line ("pair_style", setup->pair_style, values, out, err);

    if (rc == 0)
        rc = add_line ("pair_coeff", setup->pair_coeff, values, out, err);
    return rc;
}

void lammps_add_header (const char *data_file, bool is_skewed,
                        struct strbuf *out)
{
    strbuf_add_str (out, "units           metal\n"
                         "atom_style      atomic\n"
                         "atom_modify     map array sort 0 0.0\n"
                         "boundary        p p p\n");
    if (is_skewed)
        strbuf_add_str (out, "box             tilt large\n");
    strbuf_addf (out, "read_data       %s\n", data_file);
}

static void add_variables (const struct lammps_setup *setup, struct strbuf *out)
{
    strbuf_addf (out, "variable        seed equal %" PRId64 "\n",
                 1 + setup->seed % LARGEST_SEED);
    strbuf_addf (out, "variable        steps equal %" PRId64 "\n",
                 setup->steps);
    JSON_FOREACH (setup->variables, it) {
        strbuf_addf (out, "variable        %s equal ", json_iter_key (it));
        json_dump (json_iter_value (it), JSON_COMPACT, out);
        strbuf_add_char (out, '\n');
    }
}

static void add_dump (const char *path, const char *columns, int64_t every,
                      struct strbuf *out)
{
    strbuf_addf (out,
                 "dump            fanfold all custom %" PRId64
                 " %s id type %s\n"
                 "dump_modify     fanfold sort id format float %%.17g\n",
                 every, path, columns);
}

int lammps_format_md (const struct lammps_setup *setup, const char *lines,
                      size_t len, struct strbuf *out, struct error *err)
{
    strbuf_add_str (out, "# Written by Fanfold, down to the dump; the rest is "
                         "the user's input.\n");
    lammps_add_header (LAMMPS_START_FILE, setup->is_skewed, out);
    if (lammps_add_pair (setup, 0, out, err) < 0)
        return -1;
    add_variables (setup, out);
    add_dump (LAMMPS_MD_DUMP, "x y z", setup->dump_every, out);
    strbuf_add (out, lines, len);
    if (len > 0 && lines[len - 1] != '\n')
        strbuf_add_char (out, '\n');
    return 0;
}

int lammps_format_rerun (const struct lammps_setup *setup,
                         const char *trajectory_path, const char *forces_dir,
                         struct strbuf *out, struct error *err)
{
    int rc = 0;

    strbuf_add_str (out, "# Written by Fanfold: the forces of every member.\n");
    lammps_add_header (LAMMPS_START_FILE, setup->is_skewed, out);
    for (size_t k = 0; rc == 0 && k < setup->links->n; k++) {
        _cleanup_free_ char *path = lammps_forces_path (forces_dir, k);

        strbuf_add_str (out, "pair_style      none\n"); /* or it is kept */
        rc = lammps_add_pair (setup, k, out, err);
        add_dump (path, "fx fy fz", 1, out);
        strbuf_addf (out,
                     "rerun           %s dump x y z box yes\n"
                     "undump          fanfold\n",
                     trajectory_path);
    }
    return rc;
}

/* Are there two lattice vectors that are not at right angles? */
static bool is_skewed (const double cell[9])
{
    for (int i = 0; i < 3; i++) {
        const double *a = cell + 3 * i, *b = cell + 3 * ((i + 1) % 3);

        if (a[0] * b[0] + a[1] * b[1] + a[2] * b[2] != 0)
            return true;
    }
    return false;
}

int lammps_read_setup (const struct exploration *e, struct lammps_setup *setup,
                       struct error *err)
{
    const struct json *inputs = e->task.inputs;

    *setup = (struct lammps_setup){
        .elements = &e->elements,
        .links = &e->links,
        .variables = e->variables,
        .seed = e->task.seed,
        .steps = e->steps,
        .dump_every = e->dump_every,
        .is_skewed = is_skewed (e->start.cell),
    };
    if (json_want_string (inputs, "pair_style", &setup->pair_style, err) < 0
        || json_want_string (inputs, "pair_coeff", &setup->pair_coeff, err) < 0)
        return error_prefix (err, "inputs");
    return 0;
}

int lammps_write_frame (const struct frame *frame,
                        const struct strvec *elements, const char *path,
                        struct error *err)
{
    struct frame turned = *frame;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    double axes[9];
    int rc = lammps_axes_of (frame->cell, axes, err);

    if (rc < 0)
        return -1;
    turned.positions = xcalloc (3 * frame->n_atoms, sizeof (double));
    memcpy (turned.positions, frame->positions,
            3 * frame->n_atoms * sizeof (double));
    lammps_axes_turn (axes, turned.positions, frame->n_atoms);
    lammps_axes_turn_cell (axes, turned.cell);
    rc = lammps_data_format (&turned, elements->v, elements->n, &text, err);
    if (rc == 0)
        rc = file_write_atomic (path, text.buf, text.len, err);
    free (turned.positions);
    return rc;
}

int lammps_write_md (const struct lammps_setup *setup,
                     const struct frame *start, const char *lines, size_t len,
                     struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf input = STRBUF_INIT;
    int rc =
        lammps_write_frame (start, setup->elements, LAMMPS_START_FILE, err);

    if (rc == 0)
        rc = lammps_format_md (setup, lines, len, &input, err);
    if (rc == 0)
        rc = file_write_atomic ("md.in", input.buf, input.len, err);
    return rc;
}

int lammps_keep_frames (struct exploration *e, struct error *err)
{
    struct whole_frames whole;

    if (whole_frames_keep (LAMMPS_MD_DUMP, e->trajectory, e->start.n_atoms,
                           &whole, err)
        < 0)
        return -1;
    e->frames = (struct explore_frames){ .seen = whole.seen,
                                         .kept = whole.kept,
                                         .bad = whole.seen - whole.kept };
    return 0;
}
