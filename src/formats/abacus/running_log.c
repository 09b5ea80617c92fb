/* SPDX-License-Identifier: BSD-3-Clause */
/* running_log.c - results of an ABACUS single point from running_scf.log */
#include "config.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/error.h"
#include "formats/abacus/running_log.h"
#include "formats/frame.h"
#include "formats/lines.h"

static const double bohr_angstrom = 0.529177210903; /* CODATA 2018 */
static const double kbar_ev_a3 = 1 / 1602.176634;   /* 1 kbar in eV/A^3 */

struct atom {
    char symbol[SYMBOL_SIZE];
    double position[3]; /* in 'unit' of the lattice vectors' */
    double force[3];
};

struct single_point {
    struct lines *lines;
    struct atom *atoms; /* that the table of coordinates has */
    size_t n_atoms;
    size_t atoms_alloc;
    bool direct; /* their positions are fractions of the cell */
    size_t n_forces;
    size_t forces_line;      /* where their table is; 0: none */
    double lattice_constant; /* in bohr; 0: not told */
    double lattice[9];       /* in that */
    bool has_lattice;
    double energy;
    bool has_energy;
    double stress[9]; /* kbar */
    bool has_stress;
    bool converged;
    bool not_converged;
    bool ended;
};

/* --- what is read of a line, and the lines of its table --- */

/* "      lattice constant (Bohr) = 10" */
static int read_lattice_constant (struct single_point *point, struct error *err)
{
    struct lines *lines = point->lines;

    lines_at_end (lines);
    if (!lines_take_prefix (lines, "=")
        || !lines_take_finite (lines, &point->lattice_constant, 1)
        || !(point->lattice_constant > 0))
        return lines_error (lines, err, "expected the lattice constant");
    return 0;
}

/* Three lines of three numbers each; before them lines without, at most so
 * many.
 */
static int read_matrix (struct lines *lines, const char *what, double *to,
                        struct error *err)
{
    enum { HEADING_LINES_MAX = 6 };
    int headings = 0;

    for (int row = 0; row < 3;) {
        if (lines_next_of (lines, what, err) < 0)
            return -1;
        if (lines_take_finite (lines, to + 3 * row, 3) && lines_at_end (lines))
            row++;
        else if (row > 0 || ++headings > HEADING_LINES_MAX)
            return lines_error (lines, err,
                                "expected row %d of the %s, three finite "
                                "numbers",
                                row + 1, what);
    }
    return 0;
}

/* " Lattice vectors: (Cartesian coordinate: in unit of a_0)" */
static int read_lattice (struct single_point *point, struct error *err)
{
    if (point->has_lattice)
        return 0;
    point->has_lattice = true;
    return read_matrix (point->lines, "lattice vectors", point->lattice, err);
}

/* "tauc_C1", "taud_Si12", "Si1", "Si": the element */
static int set_symbol (char symbol[SYMBOL_SIZE], const char *word, size_t len)
{
    if (len > 5
        && (memcmp (word, "tauc_", 5) == 0 || memcmp (word, "taud_", 5) == 0)) {
        word += 5;
        len -= 5;
    }
    while (len > 0 && isdigit ((unsigned char)word[len - 1]))
        len--;
    return symbol_set (symbol, word, len);
}

static int read_atom (struct single_point *point, struct error *err)
{
    struct lines *lines = point->lines;
    struct atom atom = { .symbol = "" };
    const char *word;
    size_t len;

    if (!lines_take_word (lines, &word, &len)
        || set_symbol (atom.symbol, word, len) < 0
        || !lines_take_finite (lines, atom.position, 3))
        return lines_error (
            lines, err,
            "expected the coordinates of atom %zu, three finite "
            "numbers",
            point->n_atoms + 1);
    point->atoms = grow_array (point->atoms, point->n_atoms,
                               &point->atoms_alloc, sizeof (atom));
    point->atoms[point->n_atoms++] = atom;
    return 0;
}

/* To the next empty line; lines between the heading and the first atom may have
 * dashes.
 */
static int read_coordinates (struct single_point *point, struct error *err)
{
    struct lines *lines = point->lines;

    if (point->n_atoms > 0)
        return 0;
    for (;;) {
        if (lines_next_of (lines, "table of coordinates", err) < 0)
            return -1;
        if (lines_at_end (lines) || *lines->at == '-') {
            if (point->n_atoms > 0)
                return 0;
        } else if (!lines_take_prefix (lines, "atom")
                   && read_atom (point, err) < 0) {
            return -1;
        }
    }
}

static int read_direct (struct single_point *point, struct error *err)
{
    point->direct = point->direct || point->n_atoms == 0;
    return read_coordinates (point, err);
}

static int read_final_energy (struct single_point *point, struct error *err)
{
    struct lines *lines = point->lines;

    if (!lines_take_finite (lines, &point->energy, 1))
        return lines_error (lines, err, "expected the energy, a finite number");
    lines_at_end (lines);
    if (!lines_take_prefix (lines, "eV"))
        return lines_error (lines, err, "expected an energy in eV");
    point->has_energy = true;
    return 0;
}

/* "       C1      -0.154995      -1.114764      +0.083421".  False: no such
 * line */
static bool read_force (struct single_point *point, bool *mismatch)
{
    struct lines *lines = point->lines;
    char symbol[SYMBOL_SIZE];
    struct atom *atom = &point->atoms[point->n_forces];
    const char *word;
    size_t len;

    if (point->n_forces == point->n_atoms
        || !lines_take_word (lines, &word, &len)
        || set_symbol (symbol, word, len) < 0
        || !lines_take_finite (lines, atom->force, 3) || !lines_at_end (lines))
        return false;
    *mismatch = strcmp (symbol, atom->symbol) != 0;
    point->n_forces++;
    return true;
}

/* " TOTAL-FORCE (eV/Angstrom)", lines of signs, a heading, and the atoms */
static int read_forces (struct single_point *point, struct error *err)
{
    enum { HEADING_LINES_MAX = 8 };
    struct lines *lines = point->lines;
    bool mismatch = false;

    if (point->forces_line > 0)
        return lines_error (lines, err,
                            "forces again, after those of line %zu: a run of "
                            "several steps; only a single point is read",
                            point->forces_line);
    point->forces_line = lines->number;
    for (int headings = 0; point->n_forces < point->n_atoms;) {
        if (lines_next_of (lines, "table of forces", err) < 0)
            return -1;
        if (read_force (point, &mismatch) && mismatch)
            return lines_error (lines, err,
                                "atom %zu is another element than '%s' of the "
                                "table of coordinates",
                                point->n_forces,
                                point->atoms[point->n_forces - 1].symbol);
        if (point->n_forces == 0 && ++headings <= HEADING_LINES_MAX)
            continue;
        if (point->n_forces == 0 || lines_at_end (lines) == false)
            return lines_error (lines, err,
                                "expected the force on atom %zu, three finite "
                                "numbers",
                                point->n_forces + 1);
    }
    return 0;
}

/* " TOTAL-STRESS (KBAR)" */
static int read_stress (struct single_point *point, struct error *err)
{
    if (!lines_contain (point->lines, "KBAR")
        && !lines_contain (point->lines, "kbar"))
        return lines_error (point->lines, err, "expected a stress in kbar");
    point->has_stress = true;
    return read_matrix (point->lines, "stress tensor", point->stress, err);
}

static const struct {
    const char *words; /* within the line; what follows them is read */
    int (*read) (struct single_point *point, struct error *err);
} items[] = {
    { "lattice constant (Bohr)", read_lattice_constant },
    { "Lattice vectors: (Cartesian coordinate: in unit of a_0)", read_lattice },
    { "CARTESIAN COORDINATES ( UNIT =", read_coordinates },
    { "DIRECT COORDINATES", read_direct },
    { "TOTAL-FORCE (eV/Angstrom)", read_forces },
    { "TOTAL-STRESS ", read_stress },
    { "!FINAL_ETOT_IS", read_final_energy },
    { "final etot is", read_final_energy },
    { "#TOTAL ENERGY#", read_final_energy },
};

static const struct {
    const char *words;
    size_t flag; /* its offset */
} notes[] = {
    { "charge density convergence is achieved",
      offsetof (struct single_point, converged) },
    { "#SCF IS CONVERGED#", offsetof (struct single_point, converged) },
    { "convergence has NOT been achieved",
      offsetof (struct single_point, not_converged) },
    { "convergence has not been achieved",
      offsetof (struct single_point, not_converged) },
    { "SCF IS NOT CONVERGED", offsetof (struct single_point, not_converged) },
    { "Total  Time", offsetof (struct single_point, ended) },
};

/* --- the whole of it --- */

static int read_line (struct single_point *point, struct error *err)
{
    struct lines *lines = point->lines;

    for (size_t i = 0; i < ARRAY_SIZE (notes); i++) {
        if (lines_contain (lines, notes[i].words))
            *(bool *)((char *)point + notes[i].flag) = true;
    }
    for (size_t i = 0; i < ARRAY_SIZE (items); i++) {
        size_t len = strlen (items[i].words);
        const char *at = memmem (lines->at, (size_t)(lines->end - lines->at),
                                 items[i].words, len);

        if (at) {
            lines->at = at + len;
            return items[i].read (point, err);
        }
    }
    return 0;
}

/* Are all the parts there? */
static int check (const struct single_point *point, struct error *err)
{
    const char *name = point->lines->file.name;

    if (!point->ended)
        return error_set (err,
                          "%s:%zu: the file ends before 'Total  Time'; the run "
                          "was cut short, or ended in an error",
                          name, point->lines->number);
    if (!(point->lattice_constant > 0) || !point->has_lattice
        || point->n_atoms == 0)
        return error_set (err,
                          "%s: expected a lattice constant, lattice vectors "
                          "and coordinates of atoms",
                          name);
    if (point->not_converged)
        return 0;
    if (!point->converged)
        return error_set (err, "%s: it does not say whether SCF converged",
                          name);
    if (!point->has_energy || point->n_forces != point->n_atoms)
        return error_set (err,
                          "%s: expected an energy and forces on %zu atoms; set "
                          "cal_force 1",
                          name, point->n_atoms);
    return 0;
}

/* From units of the lattice, or of the cell, to angstrom. */
static void set_places (const struct single_point *point, struct frame *frame)
{
    double unit = point->lattice_constant * bohr_angstrom;

    for (int i = 0; i < 9; i++)
        frame->cell[i] = point->lattice[i] * unit;
    for (size_t i = 0; i < point->n_atoms; i++) {
        const double *from = point->atoms[i].position;
        double *to = frame->positions + 3 * i;

        memcpy (frame->symbols[i], point->atoms[i].symbol, SYMBOL_SIZE);
        for (int k = 0; k < 3; k++)
            to[k] = point->direct ? from[0] * frame->cell[k]
                                        + from[1] * frame->cell[3 + k]
                                        + from[2] * frame->cell[6 + k]
                                  : from[k] * unit;
    }
}

static void set_labels (const struct single_point *point, struct frame *frame)
{
    double volume = fabs (frame_volume (frame));

    frame->has_energy = true;
    frame->energy = point->energy;
    for (size_t i = 0; i < point->n_atoms; i++)
        memcpy (frame->forces + 3 * i, point->atoms[i].force,
                sizeof (point->atoms[i].force));
    frame->has_virial = point->has_stress;
    for (int i = 0; point->has_stress && i < 9; i++)
        frame->virial[i] = point->stress[i] * kbar_ev_a3 * volume;
}

static int make_frame (const struct single_point *point, struct frame *frame,
                       struct error *err)
{
    struct frame made = FRAME_INIT;

    if (check (point, err) < 0
        || frame_resize (&made, point->n_atoms, !point->not_converged, err) < 0)
        return -1;
    set_places (point, &made);
    memset (made.periodic, true, sizeof (made.periodic));
    if (!point->not_converged)
        set_labels (point, &made);
    frame_release (frame);
    *frame = made;
    return 0;
}

int abacus_log_read (struct lines *lines, struct frame *frame, bool *converged,
                     struct error *err)
{
    struct single_point point = { .lines = lines };
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

int abacus_log_parse (const char *text, size_t len, const char *name,
                      struct frame *frame, bool *converged, struct error *err)
{
    struct lines lines;
    int rc;

    lines_of_text (&lines, text, len, name, 1);
    rc = abacus_log_read (&lines, frame, converged, err);
    lines_close (&lines);
    return rc;
}
