/* SPDX-License-Identifier: BSD-3-Clause */
/* cp2k_out.c - results of a CP2K single point from what it printed
 *
 * The sign of the stress, found by a finite difference of the total energy
 * (Si8, GFN1-xTB, cell +-0.1 %): -dE/dV is 8.24 GPa where a third of the trace
 * that CP2K 2023.1 prints is 8.28 GPa.  So it is positive under compression,
 * and the virial, which has DeePMD-kit's sign, is stress times volume.
 */
#include "base/base.h"

#include <strings.h>

#include "formats/atomic_units.h"
#include "formats/cp2k/cp2k_abort.h"
#include "formats/cp2k/cp2k_out.h"
#include "formats/lines.h"
#include "formats/single_point.h"

struct cp2k_out {
    struct lines *lines;
    struct single_point point;
    double cell[9];
    int cell_vectors;  /* that were read: bits 1, 2, 4 */
    bool is_quickstep; /* so there was an SCF */
};

static const struct single_point_advice advice = {
    .last_words = "PROGRAM ENDED",
    .structure = "print &ATOMIC_COORDINATES and &CELL of &SUBSYS, or let "
                 "PRINT_LEVEL be MEDIUM",
    .labels = "let RUN_TYPE be ENERGY_FORCE, PRINT_LEVEL not SILENT, and print "
              "&FORCES of &FORCE_EVAL",
};

struct unit {
    const char *name;
    double value; /* in ours */
};

static const struct unit energy_units[] = {
    { "a.u.", HARTREE_EV },
    { "hartree", HARTREE_EV },
    { "eV", 1 },
    { NULL, 0 },
};

static const struct unit force_units[] = {
    { "a.u.", HARTREE_EV / BOHR_A },
    { "hartree/bohr", HARTREE_EV / BOHR_A },
    { "eV/angstrom", 1 },
    { NULL, 0 },
};

static const struct unit stress_units[] = {
    { "GPa", GPA_EV_A3 },        { "kbar", GPA_EV_A3 / 10 },
    { "MPa", GPA_EV_A3 / 1000 }, { "bar", GPA_EV_A3 / 10000 },
    { "Pa", GPA_EV_A3 / 1e9 },   { NULL, 0 },
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
static int read_cell_vector (struct cp2k_out *out, struct error *err)
{
    static const struct unit angstrom[] = { { "angstrom", 1 }, { NULL, 0 } };
    struct lines *lines = out->lines;
    int i = lines->at < lines->end ? *lines->at - 'a' : -1;
    double v[3], unit, length, found;
    const char *word;
    size_t len;

    if (i < 0 || i > 2 || (out->cell_vectors & 1 << i))
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
        out->cell[3 * i + k] = found > 0 ? v[k] * (length / found) : 0;
    out->cell_vectors |= 1 << i;
    return 0;
}

/* " CELL| Periodicity                                   XYZ", or "NONE" */
static int read_periodicity (struct cp2k_out *out, struct error *err)
{
    const char *word;
    size_t len;

    (void)err;
    if (!lines_take_word (out->lines, &word, &len))
        return 0;
    for (int i = 0; i < 3; i++)
        out->point.periodic[i] = len < 4 && memchr (word, "XYZ"[i], len);
    return 0;
}

/* "      1    1 Si   14      0.054310      0.000000      0.000000   4.0000 ..."
 */
static int read_atom (struct cp2k_out *out, struct error *err)
{
    struct lines *lines = out->lines;
    struct single_point *point = &out->point;
    int64_t number, kind, atomic_number;
    double position[3];
    const char *word;
    size_t len, n = point->n_atoms;

    if (!lines_take_integer (lines, &number) || number != (int64_t)n + 1
        || !lines_take_integer (lines, &kind)
        || !lines_take_word (lines, &word, &len)
        || !lines_take_integer (lines, &atomic_number)
        || !lines_take_finite (lines, position, 3)
        || single_point_add_atom (point, word, len) < 0)
        return lines_error (lines, err,
                            "expected atom %zu: its number, kind, element, "
                            "atomic number and place",
                            n + 1);
    numbers_add (&point->positions, position, 3);
    return 0;
}

/* " MODULE QUICKSTEP: ATOMIC COORDINATES IN ANGSTROM" */
static int read_coordinates (struct cp2k_out *out, struct error *err)
{
    struct lines *lines = out->lines;

    lines_at_end (lines);
    if (!lines_take_prefix (lines, "ATOMIC COORDINATES IN ")
        || out->point.n_atoms > 0)
        return 0;
    lines_at_end (lines);
    if (lines->end - lines->at < 8 || strncasecmp (lines->at, "angstrom", 8))
        return lines_error (lines, err, "expected coordinates in angstrom");
    for (;;) {
        if (lines_next_of (lines, "table of coordinates", err) < 0)
            return -1;
        if (lines_at_end (lines)) {
            if (out->point.n_atoms > 0)
                return 0;
        } else if (!lines_take_prefix (lines, "Atom")
                   && read_atom (out, err) < 0) {
            return -1;
        }
    }
}

/* " ENERGY| Total FORCE_EVAL ( QS ) energy [a.u.]:       -14.508059515376596"
 * A numerical stress has one for each strained cell; the last one counts.
 */
static int read_energy (struct cp2k_out *out, struct error *err)
{
    struct lines *lines = out->lines;
    double unit, energy;

    if (out->point.forces_line > 0)
        return lines_error (lines, err,
                            "an energy after the forces: a run of several "
                            "steps; only a single point is read");
    lines_at_end (lines);
    out->is_quickstep = lines_take_prefix (lines, "( QS )");
    if (take_unit (lines, energy_units, &unit, err) < 0)
        return -1;
    lines_take_prefix (lines, ":");
    if (!lines_take_finite (lines, &energy, 1))
        return lines_error (lines, err, "expected the energy, a finite number");
    out->point.energy.n = 0;
    numbers_add (&out->point.energy, &energy, 1);
    numbers_scale (&out->point.energy, unit);
    return 0;
}

/* "      1      1      Si         -0.01253092    -0.00511821    -0.00361445",
 * or " FORCES|      1  1.1149E-02  1.5982E-03  2.1299E-02   2.4094E-02"
 */
static int read_force (struct cp2k_out *out, bool has_element, double unit,
                       struct error *err)
{
    struct lines *lines = out->lines;
    struct single_point *point = &out->point;
    size_t i = point->forces.n / 3;
    int64_t number, kind;
    const char *word;
    double force[3];
    size_t len;

    if (i == point->n_atoms)
        return lines_error (lines, err,
                            "forces of more atoms than the %zu of the table "
                            "of coordinates",
                            i);
    if (!lines_take_integer (lines, &number) || number != (int64_t)i + 1
        || (has_element
            && (!lines_take_integer (lines, &kind)
                || !lines_take_word (lines, &word, &len)))
        || !lines_take_finite (lines, force, 3))
        return lines_error (lines, err,
                            "expected the force on atom %zu, three finite "
                            "numbers",
                            i + 1);
    if (has_element
        && (len != strlen (point->symbols[i])
            || memcmp (word, point->symbols[i], len)))
        return lines_error (lines, err,
                            "atom %zu is '%.*s' here and '%s' in the table of "
                            "coordinates",
                            i + 1, (int)len, word, point->symbols[i]);
    for (int k = 0; k < 3; k++)
        force[k] *= unit;
    numbers_add (&point->forces, force, 3);
    return 0;
}

/* " ATOMIC FORCES in [a.u.]", or " FORCES| Atomic forces [hartree/bohr]" */
static int read_forces (struct cp2k_out *out, bool has_element,
                        struct error *err)
{
    struct lines *lines = out->lines;
    double unit;

    if (single_point_begin_forces (&out->point, lines, err) < 0)
        return -1;
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
            && read_force (out, has_element, unit, err) < 0)
            return -1;
    }
}

static int read_forces_with_elements (struct cp2k_out *out, struct error *err)
{
    return read_forces (out, true, err);
}

static int read_forces_alone (struct cp2k_out *out, struct error *err)
{
    return read_forces (out, false, err);
}

/* " STRESS| Analytical stress tensor [GPa]", or " STRESS TENSOR [GPa]"; its
 * rows begin with "X", or "STRESS|      x".  Since 2025 it is also printed in
 * bar; the first one counts.
 */
static int read_stress (struct cp2k_out *out, struct error *err)
{
    struct lines *lines = out->lines;
    struct numbers *stress = &out->point.stress;
    double unit;

    if (stress->n > 0)
        return 0;
    if (take_unit (lines, stress_units, &unit, err) < 0)
        return -1;
    while (stress->n < 9) {
        char axis = "xyz"[stress->n / 3];
        double row[3];
        const char *word;
        size_t len;

        if (lines_next_of (lines, "stress tensor", err) < 0)
            return -1;
        if (lines_at_end (lines) || strchr ("zZ", lines->end[-1]))
            continue; /* the heading, "x y z" */
        lines_take_prefix (lines, "STRESS|");
        if (!lines_take_word (lines, &word, &len) || len != 1
            || (*word | 0x20) != axis || !lines_take_finite (lines, row, 3))
            return lines_error (lines, err,
                                "expected row %c of the stress tensor, three "
                                "finite numbers",
                                axis);
        numbers_add (stress, row, 3);
    }
    numbers_scale (stress, unit);
    return 0;
}

static int note_converged (struct cp2k_out *out, struct error *err)
{
    (void)err;
    out->point.converged = true;
    return 0;
}

static const struct {
    const char *words; /* the line begins with them */
    int (*read) (struct cp2k_out *out, struct error *err);
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

static const struct single_point_note notes[] = {
    { not_converged_words, offsetof (struct single_point, not_converged) },
    { "outer SCF loop FAILED to converge",
      offsetof (struct single_point, not_converged) },
    { "PROGRAM ENDED AT", offsetof (struct single_point, ended) },
    { 0 },
};

/* --- the whole of it --- */

/* "SCF run NOT converged" is what all releases say, and what the box of those
 * since 2024 begins with.
 */
static int read_abort (struct cp2k_out *out, struct error *err)
{
    size_t line = out->lines->number;
    _cleanup_ (strbuf_release) struct strbuf message = STRBUF_INIT;
    int rc = cp2k_abort_take (out->lines, &message, err);

    if (rc == 0 && strstr (message.buf, not_converged_words))
        out->point.not_converged = true;
    else if (rc == 0)
        rc =
            error_set (err, "%s:%zu: CP2K stopped: %s", out->lines->file.name,
                       line, message.len > 0 ? message.buf : "it says no more");
    return rc;
}

static int read_line (struct cp2k_out *out, struct error *err)
{
    struct lines *lines = out->lines;

    if (cp2k_abort_at (lines))
        return read_abort (out, err);
    single_point_note (&out->point, notes, lines);
    if (lines_at_end (lines))
        return 0;
    for (size_t i = 0; i < ARRAY_SIZE (items); i++) {
        if (lines_take_prefix (lines, items[i].words))
            return items[i].read (out, err);
    }
    return 0;
}

int cp2k_out_read (struct lines *lines, struct frame *frame, bool *converged,
                   struct error *err)
{
    struct cp2k_out out = { .lines = lines, .point = SINGLE_POINT_INIT };
    struct single_point *point = &out.point;
    int rc;

    while ((rc = lines_next (lines, err)) > 0
           && lines_check_end (lines, err) == 0 && read_line (&out, err) == 0)
        ;
    if (out.cell_vectors == 7)
        numbers_add (&point->cell, out.cell, 9);
    point->ended |= point->not_converged; /* it may stop there */
    point->converged |= !out.is_quickstep;
    rc = rc != 0 ? -1
                 : single_point_finish (point, &advice, lines, frame, converged,
                                        err);
    single_point_release (point);
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
