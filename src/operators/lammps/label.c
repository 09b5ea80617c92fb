/* SPDX-License-Identifier: BSD-3-Clause */
/* label.c - the kit of lammps.label: a single point with any potential that
 * LAMMPS has
 *
 * LAMMPS computes in its own axes (lammps_axes.h), in units metal.
 */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "formats/frame.h"
#include "formats/frame_reader.h"
#include "formats/lammps/lammps_axes.h"
#include "operators/lammps/lammps.h"

/* Names in a task's directory. */
#define INPUT_FILE "label.in"
#define FRAME_FILE "label.data"
#define ATOMS_FILE "label.dump"
#define NUMBERS_FILE "label.numbers"

/* bar angstrom^3 in an eV, as LAMMPS counts them in units metal (nktv2p,
 * update.cpp).
 */
static const double bar_A3_per_eV = 1.6021765e6;

static const struct template_key keys[] = {
    { "units", "remove it: labels are in units metal" },
    { "atom_style", NULL },
    { "atom_modify", NULL },
    { "boundary", NULL },
    { "box", NULL },
    { "read_data", NULL },
    { "read_restart", NULL },
    { "create_box", NULL },
    { "create_atoms", NULL },
    { "thermo_style", NULL },
    { "run", "remove it: nothing moves" },
    { "minimize", "remove it: nothing moves" },
    { "rerun", "remove it: nothing moves" },
    { "clear", NULL },
    { "quit", NULL },
    { 0 },
};

/* 1 where it has a potential: an included file may hold it. */
static int find_potential (const char *key, size_t line, void *arg,
                           struct error *err)
{
    (void)line;
    (void)arg;
    (void)err;
    return strcmp (key, "pair_style") == 0 || strcmp (key, "include") == 0;
}

static int check_template (const char *text, size_t len, const char *name,
                           struct error *err)
{
    if (template_first_words (text, len, find_potential, NULL, NULL) == 1)
        return 0;
    return error_set (err,
                      "%s: there is no pair_style; the template holds it, "
                      "and pair_coeff",
                      name);
}

/* Types are numbered as elements are. */
static int check_types (const char *text, size_t len, const char *name,
                        const struct known_input *input, struct error *err)
{
    const struct json *elements = json_get (input->others, "elements");
    size_t line = 1;
    int rc = 0;

    (void)len;
    for (const char *at = text; rc == 0 && *at; line++) {
        size_t end = strcspn (at, "\n"), used = strcspn (at, "#\n");
        char *one = xstrndup (at, used);

        if (strncmp (one + strspn (one, " \t"), "pair_coeff",
                     strlen ("pair_coeff"))
            == 0)
            rc = lammps_check_types (one, elements, "${elements}", err);
        if (rc < 0)
            error_prefix (err, "%s:%zu: pair_coeff", name, line);
        free (one);
        at += end + (at[end] == '\n');
    }
    return rc;
}

LABEL_CHECK (lammps_label)

/* --- its input --- */

static void add_single_point (const char *elements, struct strbuf *out)
{
    strbuf_addf (out,
                 "\n# Written by Fanfold.\n"
                 "compute         fanfold all pressure NULL virial\n"
                 "thermo_style    custom step pe vol c_fanfold[*]\n"
                 "thermo_modify   norm no\n"
                 "dump            fanfold all custom 1 " ATOMS_FILE
                 " id element x y z fx fy fz\n"
                 "dump_modify     fanfold sort id element %s format float "
                 "%%.17g\n"
                 "run             0\n"
                 "print           \"$(pe:%%.17g) $(vol:%%.17g)",
                 elements);
    for (int i = 1; i <= 6; i++)
        strbuf_addf (out, " $(c_fanfold[%d]:%%.17g)", i);
    strbuf_add_str (out, "\" file " NUMBERS_FILE "\n");
}

static int write_inputs (const struct label_input *input, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec elements = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf names = STRBUF_INIT;
    int rc = step_strings (input->inputs, "elements", &elements, err);

    if (rc == 0)
        rc = lammps_write_frame (input->frame, &elements, FRAME_FILE, err);
    if (rc == 0) {
        lammps_add_elements (&elements, &names);
        strbuf_add_str (&text, "# Written by Fanfold; then the user's "
                               "template.\n");
        lammps_add_header (FRAME_FILE, true, &text);
        strbuf_addf (&text, "variable        elements string \"%s\"\n",
                     names.buf);
        strbuf_add (&text, input->text, input->len);
        add_single_point (names.buf, &text);
        rc = file_write_atomic (INPUT_FILE, text.buf, text.len, err);
    }
    return rc;
}

/* --- its results --- */

/* The virial of the pressure times the volume; both count stretching as
 * negative.  LAMMPS prints xx yy zz xy xz yz.
 */
static int read_numbers (struct frame *labels, struct error *err)
{
    static const int place[6] = { 0, 4, 8, 1, 2, 5 };
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    double volume, pressure[6];
    int rc = file_read (NUMBERS_FILE, 4096, &text, err);

    if (rc == 0
        && sscanf (text.buf, "%lf %lf %lf %lf %lf %lf %lf %lf", &labels->energy,
                   &volume, pressure, pressure + 1, pressure + 2, pressure + 3,
                   pressure + 4, pressure + 5)
               != 8)
        rc = error_set (err, "%s: expected 8 numbers", NUMBERS_FILE);
    for (int i = 0; rc == 0 && i < 6; i++) {
        double eV = pressure[i] * volume / bar_A3_per_eV;

        labels->virial[place[i]] = eV;
        labels->virial[place[i] % 3 * 3 + place[i] / 3] = eV;
    }
    return rc;
}

static int read_atoms (struct frame *labels, struct error *err)
{
    const struct frame_options options = FRAME_OPTIONS_INIT;
    struct frame_reader *reader = frame_reader_open (ATOMS_FILE, &options, err);
    int rc = reader ? frame_reader_next (reader, labels, err) : -1;

    if (rc == 0)
        rc = error_set (err, "%s is empty", ATOMS_FILE);
    frame_reader_close (reader);
    return rc < 0 ? -1 : 0;
}

static int read_labels (const struct frame *sent, struct frame *labels,
                        bool *converged, struct error *err)
{
    double axes[9];

    if (lammps_axes_of (sent->cell, axes, err) < 0
        || read_atoms (labels, err) < 0 || read_numbers (labels, err) < 0)
        return -1;
    lammps_axes_turn_back (axes, labels->cell, 3);
    lammps_axes_turn_back (axes, labels->positions, labels->n_atoms);
    if (labels->forces)
        lammps_axes_turn_back (axes, labels->forces, labels->n_atoms);
    lammps_axes_turn_tensor_back (axes, labels->virial);
    labels->has_energy = labels->has_virial = true;
    *converged = true;
    return 0;
}

/* --- the kit --- */

static const struct port inputs[] = {
    LABEL_INPUTS ("lammps", "[\"lmp\"]"),
    { "elements", ONE (LIST), .from = "elements" },
    { 0 },
};

static const char *const arguments[] = LAMMPS_ARGUMENTS (INPUT_FILE);
static const char *const results[] = { ATOMS_FILE, NUMBERS_FILE, NULL };

static const char *const raw[] = { "label.out", ATOMS_FILE, NUMBERS_FILE,
                                   NULL };

static const char *const input_files[] = { INPUT_FILE, FRAME_FILE, NULL };

const struct label_kit lammps_label = {
    .spec = LABEL_OPERATOR ("lammps.label", "lammps", inputs, NULL, input_files,
                            "LAMMPS ("),
    .code = &lammps_code,
    .program = "lammps",
    .arguments = arguments,
    .output = "label.out",
    .raw = raw,
    .results = results,
    .scan = template_first_words,
    .keys = keys,
    .check_template = check_template,
    .check_with = check_types,
    .needs_cell = true,
    .needs_periods = true,
    .write_inputs = write_inputs,
    .read_labels = read_labels,
    .same_place_A = 1e-6,
    .for_place = "remove what moves atoms",
    .for_cell = "remove what changes the box",
};
