/* SPDX-License-Identifier: BSD-3-Clause */
/* cp2k_out.c - results of a CP2K single point from what it printed
 *
 * The sign of the stress, found by a finite difference of the total energy
 * (Si8, GFN1-xTB, cell +-0.1 %): -dE/dV is 8.24 GPa where a third of the trace
 * that CP2K 2023.1 prints is 8.28 GPa.  So it is positive under compression,
 * and the virial, which has DeePMD-kit's sign, is stress times volume.
 */
#include "config.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "formats/cp2k/cp2k_abort.h"
#include "formats/cp2k/cp2k_out.h"
#include "formats/frame.h"
#include "formats/lines.h"

static const double hartree_ev = 27.211386245988; /* CODATA 2018 */
static const double bohr_angstrom = 0.529177210903;
static const double gpa_ev_a3 = 1 / 160.2176634; /* 1 GPa in eV/A^3 */

struct atom {
    char symbol[SYMBOL_SIZE];
    double position[3];
    double force[3];
};

struct single_point {
    struct lines *lines;
    struct atom *atoms; /* that the table of coordinates has */
    size_t n_atoms;
    size_t atoms_alloc;
    size_t n_forces;
    size_t forces_line; /* where their table is; 0: none */
    double cell[9];
    int cell_vectors; /* that were read: bits 1, 2, 4 */
    bool periodic[3];
    double energy;
    bool has_energy;
    bool is_quickstep; /* so there was an SCF */
    double stress[9];  /* eV/A^3 */
    bool has_stress;
    bool converged;
    bool not_converged;
    bool ended;
};

struct unit {
    const char *name;
    double value; /* in ours */
};

static const struct unit energy_units[] = {
    { "a.u.", hartree_ev },
    { "hartree", hartree_ev },
    { "eV", 1 },
    { NULL, 0 },
};

static const struct unit force_units[] = {
    { "a.u.", hartree_ev / bohr_angstrom },
    { "hartree/bohr", hartree_ev / bohr_angstrom },
    { "eV/angstrom", 1 },
    { NULL, 0 },
};

static const struct unit stress_units[] = {
    { "GPa", gpa_ev_a3 },        { "kbar", gpa_ev_a3 / 10 },
    { "MPa", gpa_ev_a3 / 1000 }, { "bar", gpa_ev_a3 / 10000 },
    { "Pa", gpa_ev_a3 / 1e9 },   { NULL, 0 },
};

/* The unit in the last brackets of the line at hand, "[a.u.]" or "(a.u.)";
 * what follows them is left of the line.
 */
static int take_unit (struct lines *lines, const struct unit *units,
                      double *value, struct error *err)
{
    const char *open = lines->end, *stop;

    while (open > lines->at && open[-1] != '[' && open[-1] != '(')
        open--;
    stop = open;
    while (stop < lines->end && *stop != ']' && *stop != ')')
        stop++;
    if (open == lines->at || stop == lines->end)
        return lines_error (lines, err, "expected a unit in brackets");
    for (; units->name; units++) {
        if (strlen (units->name) == (size_t)(stop - open)
            && strncasecmp (units->name, open, (size_t)(stop - open)) == 0) {
            *value = units->value;
            lines->at = stop + 1;
            return 0;
        }
    }
    return lines_error (lines, err,
                        "the unit '%.*s' is not known here; leave CP2K's "
                        "units as they are by default",
                        (int)(stop - open), open);
}

/* --- what is read of a line, and the lines of its table --- */

/* " CELL| Vector a [angstrom]:   5.431   0.000   0.000   |a| =   5.431000" */
static int read_cell_vector (struct single_point *point, struct error *err)
{
    static const struct unit angstrom[] = { { "angstrom", 1 }, { NULL, 0 } };
    struct lines *lines = point->lines;
    int i = lines->at < lines->end ? *lines->at - 'a' : -1;
    double v[3], unit, length, found;
    const char *word;
    size_t len;

    if (i < 0 || i > 2 || (point->cell_vectors & 1 << i))
        return 0;
    if (take_unit (lines, angstrom, &unit, err) < 0)
        return -1;
    lines_take_prefix (lines, ":");
    if (!lines_take_finite (lines, v, 3)
        || !lines_take_word (lines, &word, &len)
        || !lines_take_word (lines, &word, &len)
        || !lines_take_finite (lines, &length, 1))
        return lines_error (lines, err,
                            "expected a vector of the cell and its length");
    found = sqrt (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++)
        point->cell[3 * i + k] = found > 0 ? v[k] * (length / found) : 0;
    point->cell_vectors |= 1 << i;
    return 0;
}

/* " CELL| Periodicity                                   XYZ", or "NONE" */
static int read_periodicity (struct single_point *point, struct error *err)
{
    const char *word;
    size_t len;

    (void)err;
    if (!lines_take_word (point->lines, &word, &len))
        return 0;
    for (int i = 0; i < 3; i++)
        point->periodic[i] = len < 4 && memchr (word, "XYZ"[i], len);
    return 0;
}

/* "      1    1 Si   14      0.054310      0.000000      0.000000   4.0000 ..."
 */
static int read_atom (struct single_point *point, struct error *err)
{
    struct lines *lines = point->lines;
    struct atom atom = { .symbol = "" };
    int64_t number, kind, atomic_number;
    const char *word;
    size_t len;

    if (!lines_take_integer (lines, &number)
        || number != (int64_t)point->n_atoms + 1
        || !lines_take_integer (lines, &kind)
        || !lines_take_word (lines, &word, &len)
        || symbol_set (atom.symbol, word, len) < 0
        || !lines_take_integer (lines, &atomic_number)
        || !lines_take_finite (lines, atom.position, 3))
        return lines_error (lines, err,
                            "expected atom %zu: its number, kind, element, "
                            "atomic number and place",
                            point->n_atoms + 1);
    point->atoms = grow_array (point->atoms, point->n_atoms,
                               &point->atoms_alloc, sizeof (atom));
    point->atoms[point->n_atoms++] = atom;
    return 0;
}

/* " MODULE QUICKSTEP: ATOMIC COORDINATES IN ANGSTROM" */
static int read_coordinates (struct single_point *point, struct error *err)
{
    struct lines *lines = point->lines;

    lines_at_end (lines);
    if (!lines_take_prefix (lines, "ATOMIC COORDINATES IN ")
        || point->n_atoms > 0)
        return 0;
    lines_at_end (lines);
    if (lines->end - lines->at < 8 || strncasecmp (lines->at, "angstrom", 8))
        return lines_error (lines, err, "expected coordinates in angstrom");
    for (;;) {
        if (lines_next_of (lines, "table of coordinates", err) < 0)
            return -1;
        if (lines_at_end (lines)) {
            if (point->n_atoms > 0)
                return 0;
        } else if (!lines_take_prefix (lines, "Atom")
                   && read_atom (point, err) < 0) {
            return -1;
        }
    }
}

/* " ENERGY| Total FORCE_EVAL ( QS ) energy [a.u.]:       -14.508059515376596"
 * A numerical stress has one for each strained cell; the last one counts.
 */
static int read_energy (struct single_point *point, struct error *err)
{
    struct lines *lines = point->lines;
    double unit;

    if (point->forces_line > 0)
        return lines_error (lines, err,
                            "an energy after the forces: a run of several "
                            "steps; only a single point is read");
    lines_at_end (lines);
    point->is_quickstep = lines_take_prefix (lines, "( QS )");
    if (take_unit (lines, energy_units, &unit, err) < 0)
        return -1;
    lines_take_prefix (lines, ":");
    if (!lines_take_finite (lines, &point->energy, 1))
        return lines_error (lines, err, "expected the energy, a finite number");
    point->energy *= unit;
    point->has_energy = true;
    return 0;
}

/* "      1      1      Si         -0.01253092    -0.00511821    -0.00361445",
 * or " FORCES|      1  1.1149E-02  1.5982E-03  2.1299E-02   2.4094E-02"
 */
static int read_force (struct single_point *point, bool has_element,
                       double unit, struct error *err)
{
    struct lines *lines = point->lines;
    size_t i = point->n_forces;
    struct atom *atom;
    int64_t number, kind;
    const char *word;
    size_t len;

    if (i == point->n_atoms)
        return lines_error (lines, err,
                            "forces of more atoms than the %zu of the table "
                            "of coordinates",
                            i);
    atom = &point->atoms[i];
    if (!lines_take_integer (lines, &number) || number != (int64_t)i + 1
        || (has_element
            && (!lines_take_integer (lines, &kind)
                || !lines_take_word (lines, &word, &len)))
        || !lines_take_finite (lines, atom->force, 3))
        return lines_error (lines, err,
                            "expected the force on atom %zu, three finite "
                            "numbers",
                            i + 1);
    if (has_element
        && (len != strlen (atom->symbol) || memcmp (word, atom->symbol, len)))
        return lines_error (lines, err,
                            "atom %zu is '%.*s' here and '%s' in the table of "
                            "coordinates",
                            i + 1, (int)len, word, atom->symbol);
    for (int k = 0; k < 3; k++)
        atom->force[k] *= unit;
    point->n_forces++;
    return 0;
}

/* " ATOMIC FORCES in [a.u.]", or " FORCES| Atomic forces [hartree/bohr]" */
static int read_forces (struct single_point *point, bool has_element,
                        struct error *err)
{
    struct lines *lines = point->lines;
    double unit;

    if (point->forces_line > 0)
        return lines_error (lines, err,
                            "forces again, after those of line %zu: a run of "
                            "several steps; only a single point is read",
                            point->forces_line);
    point->forces_line = lines->number;
    if (take_unit (lines, force_units, &unit, err) < 0)
        return -1;
    for (;;) {
        if (lines_next_of (lines, "table of forces", err) < 0)
            return -1;
        if (lines_at_end (lines) || lines_take_prefix (lines, "#"))
            continue;
        if (lines_take_prefix (lines, "SUM OF"))
            return 0;
        if (lines_take_prefix (lines, "FORCES|") && lines_at_end (lines))
            continue;
        if (lines_take_prefix (lines, "Sum"))
            return 0;
        if (!lines_take_prefix (lines, "Atom ")
            && read_force (point, has_element, unit, err) < 0)
            return -1;
    }
}

static int read_forces_with_elements (struct single_point *point,
                                      struct error *err)
{
    return read_forces (point, true, err);
}

static int read_forces_alone (struct single_point *point, struct error *err)
{
    return read_forces (point, false, err);
}

/* " STRESS| Analytical stress tensor [GPa]", or " STRESS TENSOR [GPa]"; its
 * rows begin with "X", or "STRESS|      x".  Since 2025 it is also printed in
 * bar; the first one counts.
 */
static int read_stress (struct single_point *point, struct error *err)
{
    struct lines *lines = point->lines;
    double unit;
    int row = 0;

    if (point->has_stress)
        return 0;
    if (take_unit (lines, stress_units, &unit, err) < 0)
        return -1;
    while (row < 3) {
        double *to = point->stress + 3 * row;
        const char *word;
        size_t len;

        if (lines_next_of (lines, "stress tensor", err) < 0)
            return -1;
        if (lines_at_end (lines) || strchr ("zZ", lines->end[-1]))
            continue; /* the heading, "x y z" */
        lines_take_prefix (lines, "STRESS|");
        if (!lines_take_word (lines, &word, &len) || len != 1
            || (*word | 0x20) != "xyz"[row]
            || !lines_take_finite (lines, to, 3))
            return lines_error (lines, err,
                                "expected row %c of the stress tensor, three "
                                "finite numbers",
                                "xyz"[row]);
        for (int k = 0; k < 3; k++)
            to[k] *= unit;
        row++;
    }
    point->has_stress = true;
    return 0;
}

static int note_converged (struct single_point *point, struct error *err)
{
    (void)err;
    point->converged = true;
    return 0;
}

static const struct {
    const char *words; /* the line begins with them */
    int (*read) (struct single_point *point, struct error *err);
} items[] = {
    { "CELL| Vector ", read_cell_vector },
    { "CELL| Periodicity", read_periodicity },
    { "MODULE QUICKSTEP:", read_coordinates },
    { "ENERGY| Total FORCE_EVAL", read_energy },
    { "ATOMIC FORCES in", read_forces_with_elements },
    { "FORCES| Atomic forces", read_forces_alone },
    { "STRESS TENSOR", read_stress },
    { "NUMERICAL STRESS TENSOR", read_stress },
    { "STRESS| Analytical stress tensor", read_stress },
    { "STRESS| Numerical stress tensor", read_stress },
    { "*** SCF run converged in", note_converged },
    { "SCF run converged in", note_converged }, /* linear scaling */
    { "outer SCF loop converged in", note_converged },
};

/* What is said within a line: as a warning until 2023, in the box of an abort
 * since 2024.
 */
static const char not_converged_words[] = "SCF run NOT converged";

static const struct {
    const char *words;
    size_t flag; /* its offset */
} notes[] = {
    { not_converged_words, offsetof (struct single_point, not_converged) },
    { "outer SCF loop FAILED to converge",
      offsetof (struct single_point, not_converged) },
    { "PROGRAM ENDED AT", offsetof (struct single_point, ended) },
};

/* --- the whole of it --- */

/* "SCF run NOT converged" is what all releases say, and what the box of those
 * since 2024 begins with.
 */
static int read_abort (struct single_point *point, struct error *err)
{
    size_t line = point->lines->number;
    struct strbuf message = STRBUF_INIT;
    int rc = cp2k_abort_take (point->lines, &message, err);

    if (rc == 0 && strstr (message.buf, not_converged_words))
        point->not_converged = true;
    else if (rc == 0)
        rc =
            error_set (err, "%s:%zu: CP2K stopped: %s", point->lines->file.name,
                       line, message.len > 0 ? message.buf : "it says no more");
    strbuf_release (&message);
    return rc;
}

static int read_line (struct single_point *point, struct error *err)
{
    struct lines *lines = point->lines;

    if (cp2k_abort_at (lines))
        return read_abort (point, err);
    for (size_t i = 0; i < ARRAY_SIZE (notes); i++) {
        if (lines_contain (lines, notes[i].words))
            *(bool *)((char *)point + notes[i].flag) = true;
    }
    if (lines_at_end (lines))
        return 0;
    for (size_t i = 0; i < ARRAY_SIZE (items); i++) {
        if (lines_take_prefix (lines, items[i].words))
            return items[i].read (point, err);
    }
    return 0;
}

/* Are all the parts there? */
static int check (const struct single_point *point, struct error *err)
{
    const char *name = point->lines->file.name;

    if (!point->ended && !point->not_converged)
        return error_set (err,
                          "%s:%zu: the file ends before 'PROGRAM ENDED'; the "
                          "run was cut short",
                          name, point->lines->number);
    if (point->cell_vectors != 7 || point->n_atoms == 0)
        return error_set (
            err,
            "%s: there is no %s; print &ATOMIC_COORDINATES and "
            "&CELL of &SUBSYS, or let PRINT_LEVEL be MEDIUM",
            name, point->n_atoms == 0 ? "table of coordinates" : "cell");
    if (point->not_converged)
        return 0;
    if (!point->has_energy || point->n_forces != point->n_atoms)
        return error_set (err,
                          "%s: expected an energy and forces on %zu atoms; let "
                          "RUN_TYPE be ENERGY_FORCE, PRINT_LEVEL not SILENT, "
                          "and print &FORCES of &FORCE_EVAL",
                          name, point->n_atoms);
    if (point->is_quickstep && !point->converged)
        return error_set (err, "%s: it does not say whether SCF converged",
                          name);
    return 0;
}

static void set_labels (const struct single_point *point, struct frame *frame)
{
    frame->has_energy = true;
    frame->energy = point->energy;
    for (size_t i = 0; i < point->n_atoms; i++)
        memcpy (frame->forces + 3 * i, point->atoms[i].force,
                sizeof (point->atoms[i].force));
    frame->has_virial = point->has_stress;
    for (int i = 0; point->has_stress && i < 9; i++)
        frame->virial[i] = point->stress[i] * fabs (frame_volume (frame));
}

static int make_frame (const struct single_point *point, struct frame *frame,
                       struct error *err)
{
    struct frame made = FRAME_INIT;

    if (check (point, err) < 0
        || frame_resize (&made, point->n_atoms, !point->not_converged, err) < 0)
        return -1;
    for (size_t i = 0; i < point->n_atoms; i++) {
        const struct atom *atom = &point->atoms[i];

        memcpy (made.symbols[i], atom->symbol, SYMBOL_SIZE);
        memcpy (made.positions + 3 * i, atom->position,
                sizeof (atom->position));
    }
    memcpy (made.cell, point->cell, sizeof (made.cell));
    memcpy (made.periodic, point->periodic, sizeof (made.periodic));
    if (!point->not_converged)
        set_labels (point, &made);
    frame_release (frame);
    *frame = made;
    return 0;
}

int cp2k_out_read (struct lines *lines, struct frame *frame, bool *converged,
                   struct error *err)
{
    struct single_point point = { .lines = lines,
                                  .periodic = { true, true, true } };
    int rc;

    while ((rc = lines_next (lines, err)) > 0
           && lines_check_end (lines, err) == 0 && read_line (&point, err) == 0)
        ;
    rc = rc != 0 ? -1 : make_frame (&point, frame, err);
    if (rc == 0)
        *converged = !point.not_converged;
    free (point.atoms);
    return rc;
}

int cp2k_out_parse (const char *text, size_t len, const char *name,
                    struct frame *frame, bool *converged, struct error *err)
{
    struct lines lines;
    int rc;

    lines_of_text (&lines, text, len, name, 1);
    rc = cp2k_out_read (&lines, frame, converged, err);
    lines_close (&lines);
    return rc;
}
