/* SPDX-License-Identifier: BSD-3-Clause */
/* running_log.c - results of an ABACUS single point from running_scf.log */
#include "base/base.h"

#include "formats/abacus/running_log.h"
#include "formats/atomic_units.h"
#include "formats/lines.h"
#include "formats/single_point.h"

struct running_log {
    struct lines *lines;
    struct single_point point; /* positions in 'unit' until the end */
    bool direct;               /* their positions are fractions of the cell */
    double lattice_constant;   /* in bohr; 0: not told */
};

static const struct single_point_advice advice = {
    .last_words = "Total  Time",
    .labels = "set cal_force 1",
};

/* --- what is read of a line, and the lines of its table --- */

/* "      lattice constant (Bohr) = 10" */
static int read_lattice_constant (struct running_log *log, struct error *err)
{
    struct lines *lines = log->lines;

    lines_at_end (lines);
    if (!lines_take_prefix (lines, "=")
        || !lines_take_finite (lines, &log->lattice_constant, 1)
        || !(log->lattice_constant > 0))
        return lines_error (lines, err, "expected the lattice constant");
    return 0;
}

/* Three lines of three numbers each; before them lines without, at most so
 * many.
 */
static int read_matrix (struct lines *lines, const char *what,
                        struct numbers *to, struct error *err)
{
    enum { HEADING_LINES_MAX = 6 };
    int headings = 0;
    double v[3];

    for (int row = 0; row < 3;) {
        if (lines_next_of (lines, what, err) < 0)
            return -1;
        if (lines_take_finite (lines, v, 3) && lines_at_end (lines)) {
            numbers_add (to, v, 3);
            row++;
        } else if (row > 0 || ++headings > HEADING_LINES_MAX) {
            return lines_error (lines, err,
                                "expected row %d of the %s, three finite "
                                "numbers",
                                row + 1, what);
        }
    }
    return 0;
}

/* " Lattice vectors: (Cartesian coordinate: in unit of a_0)" */
static int read_lattice (struct running_log *log, struct error *err)
{
    if (log->point.cell.n > 0)
        return 0;
    return read_matrix (log->lines, "lattice vectors", &log->point.cell, err);
}

/* "tauc_C1", "taud_Si12", "Si1", "Si": the element */
static bool take_symbol (struct lines *lines, char symbol[SYMBOL_SIZE])
{
    const char *word;
    size_t len;

    if (!lines_take_word (lines, &word, &len))
        return false;
    if (len > 5
        && (memcmp (word, "tauc_", 5) == 0 || memcmp (word, "taud_", 5) == 0)) {
        word += 5;
        len -= 5;
    }
    while (len > 0 && isdigit ((unsigned char)word[len - 1]))
        len--;
    return symbol_set (symbol, word, len) == 0;
}

static int read_atom (struct running_log *log, struct error *err)
{
    char symbol[SYMBOL_SIZE];
    double position[3];

    if (!take_symbol (log->lines, symbol)
        || !lines_take_finite (log->lines, position, 3))
        return lines_error (
            log->lines, err,
            "expected the coordinates of atom %zu, three finite "
            "numbers",
            log->point.n_atoms + 1);
    numbers_add (&log->point.positions, position, 3);
    return single_point_add_atom (&log->point, symbol, strlen (symbol));
}

/* To the next empty line; lines between the heading and the first atom may have
 * dashes.
 */
static int read_coordinates (struct running_log *log, struct error *err)
{
    struct lines *lines = log->lines;

    if (log->point.n_atoms > 0)
        return 0;
    for (;;) {
        if (lines_next_of (lines, "table of coordinates", err) < 0)
            return -1;
        if (lines_at_end (lines) || *lines->at == '-') {
            if (log->point.n_atoms > 0)
                return 0;
        } else if (!lines_take_prefix (lines, "atom")
                   && read_atom (log, err) < 0) {
            return -1;
        }
    }
}

static int read_direct (struct running_log *log, struct error *err)
{
    log->direct = log->direct || log->point.n_atoms == 0;
    return read_coordinates (log, err);
}

static int read_final_energy (struct running_log *log, struct error *err)
{
    struct lines *lines = log->lines;
    double energy;

    if (!lines_take_finite (lines, &energy, 1))
        return lines_error (lines, err, "expected the energy, a finite number");
    lines_at_end (lines);
    if (!lines_take_prefix (lines, "eV"))
        return lines_error (lines, err, "expected an energy in eV");
    log->point.energy.n = 0;
    numbers_add (&log->point.energy, &energy, 1);
    return 0;
}

/* "       C1      -0.154995      -1.114764      +0.083421".  False: no such
 * line */
static bool read_force (struct running_log *log, bool *mismatch)
{
    struct single_point *point = &log->point;
    size_t atom = point->forces.n / 3;
    char symbol[SYMBOL_SIZE];
    double force[3];

    if (!take_symbol (log->lines, symbol)
        || !lines_take_finite (log->lines, force, 3)
        || !lines_at_end (log->lines))
        return false;
    *mismatch = strcmp (symbol, point->symbols[atom]) != 0;
    numbers_add (&point->forces, force, 3);
    return true;
}

/* " TOTAL-FORCE (eV/Angstrom)", lines of signs, a heading, and the atoms */
static int read_forces (struct running_log *log, struct error *err)
{
    enum { HEADING_LINES_MAX = 8 };
    struct single_point *point = &log->point;
    struct lines *lines = log->lines;
    bool mismatch = false;
    size_t n;

    if (single_point_begin_forces (&log->point, lines, err) < 0)
        return -1;
    for (int headings = 0; (n = point->forces.n / 3) < log->point.n_atoms;) {
        if (lines_next_of (lines, "table of forces", err) < 0)
            return -1;
        if (read_force (log, &mismatch) && mismatch)
            return lines_error (lines, err,
                                "atom %zu is another element than '%s' of the "
                                "table of coordinates",
                                n + 1, point->symbols[n]);
        if (point->forces.n == 0 && ++headings <= HEADING_LINES_MAX)
            continue;
        if (point->forces.n == 0 || lines_at_end (lines) == false)
            return lines_error (lines, err,
                                "expected the force on atom %zu, three finite "
                                "numbers",
                                point->forces.n / 3 + 1);
    }
    return 0;
}

/* " TOTAL-STRESS (KBAR)" */
static int read_stress (struct running_log *log, struct error *err)
{
    if (!lines_contain (log->lines, "KBAR")
        && !lines_contain (log->lines, "kbar"))
        return lines_error (log->lines, err, "expected a stress in kbar");
    log->point.stress.n = 0;
    return read_matrix (log->lines, "stress tensor", &log->point.stress, err);
}

static const struct {
    const char *words; /* within the line; what follows them is read */
    int (*read) (struct running_log *log, struct error *err);
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

static const struct single_point_note notes[] = {
    { "charge density convergence is achieved",
      offsetof (struct single_point, converged) },
    { "#SCF IS CONVERGED#", offsetof (struct single_point, converged) },
    { "convergence has NOT been achieved",
      offsetof (struct single_point, not_converged) },
    { "convergence has not been achieved",
      offsetof (struct single_point, not_converged) },
    { "SCF IS NOT CONVERGED", offsetof (struct single_point, not_converged) },
    { "Total  Time", offsetof (struct single_point, ended) },
    { 0 },
};

/* --- the whole of it --- */

static int read_line (struct running_log *log, struct error *err)
{
    struct lines *lines = log->lines;

    single_point_note (&log->point, notes, lines);
    for (size_t i = 0; i < ARRAY_SIZE (items); i++) {
        size_t len = strlen (items[i].words);
        const char *at = memmem (lines->at, (size_t)(lines->end - lines->at),
                                 items[i].words, len);

        if (at) {
            lines->at = at + len;
            return items[i].read (log, err);
        }
    }
    return 0;
}

/* From units of the lattice, or of the cell, to angstrom. */
static void to_our_units (struct running_log *log)
{
    double unit = log->lattice_constant * BOHR_A;

    numbers_scale (&log->point.cell, unit);
    if (!log->direct)
        numbers_scale (&log->point.positions, unit);
    else if (log->point.cell.n == 9)
        single_point_place (&log->point);
    numbers_scale (&log->point.stress, KBAR_EV_A3);
}

int abacus_log_read (struct lines *lines, struct frame *frame, bool *converged,
                     struct error *err)
{
    struct running_log log = { .lines = lines, .point = SINGLE_POINT_INIT };
    int rc;

    while ((rc = lines_next (lines, err)) > 0
           && lines_check_end (lines, err) == 0 && read_line (&log, err) == 0)
        ;
    if (log.lattice_constant > 0)
        to_our_units (&log);
    else
        log.point.cell.n = 0;
    rc = rc != 0 ? -1
                 : single_point_finish (&log.point, &advice, lines, frame,
                                        converged, err);
    single_point_release (&log.point);
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
