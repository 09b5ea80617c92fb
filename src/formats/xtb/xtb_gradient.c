/* SPDX-License-Identifier: BSD-3-Clause */
/* xtb_gradient.c - energy and gradient of a molecule as xtb leaves them */
#include "base/base.h"

#include "formats/atomic_units.h"
#include "formats/lines.h"
#include "formats/single_point.h"
#include "formats/xtb/xtb_gradient.h"

/* "  cycle =      1    SCF energy =    -5.07023326668   |dE/dxyz| = ..." */
static int read_energy (struct lines *lines, struct single_point *point,
                        struct error *err)
{
    static const char words[] = "SCF energy =";
    const char *at = memmem (lines->at, (size_t)(lines->end - lines->at), words,
                             strlen (words));
    double energy;

    if (at)
        lines->at = at + strlen (words);
    if (!at || !lines_take_finite (lines, &energy, 1))
        return lines_error (lines, err, "expected the energy of the cycle");
    if (point->energy.n > 0)
        return lines_error (lines, err,
                            "another cycle: a run of several steps; only a "
                            "single point is read");
    numbers_add (&point->energy, &energy, 1);
    return 0;
}

/* Behind the place of an atom stands its element. */
static int read_row (struct lines *lines, struct single_point *point,
                     struct error *err)
{
    const char *word;
    size_t len;
    double v[3];

    if (!lines_take_finite (lines, v, 3))
        return lines_error (lines, err, "expected three finite numbers");
    if (!lines_take_word (lines, &word, &len)) {
        numbers_add (&point->forces, v, 3);
        return 0;
    }
    if (point->forces.n > 0 || single_point_add_atom (point, word, len) < 0)
        return lines_error (lines, err, "expected the gradient of an atom");
    numbers_add (&point->positions, v, 3);
    return 0;
}

static int read_line (struct lines *lines, struct single_point *point,
                      struct error *err)
{
    lines_at_end (lines);
    if (lines_take_prefix (lines, "$end"))
        point->ended = true;
    else if (lines_take_prefix (lines, "cycle"))
        return read_energy (lines, point, err);
    else if (!lines_at_end (lines) && !lines_take_prefix (lines, "$grad"))
        return read_row (lines, point, err);
    return 0;
}

int xtb_gradient_read (struct lines *lines, struct frame *frame,
                       bool *converged, struct error *err)
{
    static const struct single_point_advice advice = { .last_words = "$end" };
    static const double no_cell[9] = { 0 };
    _cleanup_ (single_point_release) struct single_point point = { .converged =
                                                                       true };
    int rc;

    while ((rc = lines_next (lines, err)) > 0
           && lines_check_end (lines, err) == 0
           && read_line (lines, &point, err) == 0)
        ;
    numbers_add (&point.cell, no_cell, 9);
    numbers_scale (&point.positions, BOHR_A);
    numbers_scale (&point.energy, HARTREE_EV);
    numbers_scale (&point.forces, -HARTREE_EV / BOHR_A);
    return rc != 0 ? -1
                   : single_point_finish (&point, &advice, lines, frame,
                                          converged, err);
}
