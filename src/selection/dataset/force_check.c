/* SPDX-License-Identifier: BSD-3-Clause */
/* force_check.c - do forces say how energies change from frame to frame? */
#include "base/base.h"

#include "formats/atomic_units.h"
#include "formats/frame.h"
#include "selection/dataset/force_check.h"
#include "selection/geometry/duplicate.h"
#include "selection/geometry/geometry.h"

enum { PAIRS_MIN = 5 };

static const double cell_tolerance = 1e-4; /* angstrom */
static const double step_max = 0.3;        /* angstrom, along an axis */
static const double change_min_ev = 0.01;

/* Forces that turn around on the way say little of what is between. */
static const double straight_min = 0.5;

/* Ratios beyond are wrong; so are nearer ones that hardly differ among each
 * other, since those of frames far apart scatter around 1.
 */
static const double ratio_min = 0.3, ratio_max = 3;
static const double agreement = 0.3, spread_max = 0.1;

static const double likeness = 0.04; /* of a ratio to that of a mistake */

#define KCAL_MOL_EV (4184 / MOL / EV_J)

static const struct {
    double ratio;
    const char *cause;
} mistakes[] = {
    { 1, "energies or forces have the other sign" }, /* of which alone */
    { HARTREE_EV / BOHR_A, "forces are in hartree/bohr" },
    { HARTREE_EV / BOHR_A / 2, "forces are in Ry/bohr" },
    { 1 / BOHR_A, "forces are per bohr" },
    { HARTREE_EV, "forces are in hartree/A" },
    { 1 / KCAL_MOL_EV, "energies are in kcal/mol" },
    { KCAL_MOL_EV, "forces are in kcal/mol/A" },
    { 1 / HARTREE_EV, "energies are in hartree" },
    { 2 / HARTREE_EV, "energies are in Ry" },
    { BOHR_A, "positions and cells are in bohr" },
};

/* --- pairs --- */

static bool is_labelled (const struct frame *frame)
{
    return frame->n_atoms > 0 && frame->forces && frame->has_energy
           && isfinite (frame->energy)
           && all_finite (frame->forces, 3 * frame->n_atoms)
           && all_finite (frame->positions, 3 * frame->n_atoms)
           && all_finite (frame->cell, 9);
}

static void keep (struct force_check *check, const struct frame *frame)
{
    size_t n = 3 * frame->n_atoms;

    if (frame->n_atoms > check->atoms_alloc) {
        check->atoms_alloc = frame->n_atoms;
        check->positions =
            xrealloc (check->positions, n * sizeof (*check->positions));
        check->forces = xrealloc (check->forces, n * sizeof (*check->forces));
    }
    check->key = duplicate_key (frame);
    check->n_atoms = frame->n_atoms;
    check->energy = frame->energy;
    memcpy (check->cell, frame->cell, sizeof (check->cell));
    memcpy (check->positions, frame->positions, n * sizeof (*frame->positions));
    memcpy (check->forces, frame->forces, n * sizeof (*frame->forces));
}

static bool same_cell (const double *a, const double *b)
{
    for (int i = 0; i < 9; i++) {
        if (!(fabs (a[i] - b[i]) <= cell_tolerance))
            return false;
    }
    return true;
}

/* By the nearest image: atoms may have been put back into the cell. */
static void shorten (const struct frame *frame, const double *inverse,
                     double apart[3])
{
    for (int k = 0; k < 3; k++) {
        const double *normal = inverse + 3 * k;
        double turns = round (normal[0] * apart[0] + normal[1] * apart[1]
                              + normal[2] * apart[2]);

        for (int l = 0; l < 3 && frame->periodic[k]; l++)
            apart[l] -= turns * frame->cell[3 * k + l];
    }
}

/* What the forces of both ends say; false: an atom moved too far. */
static bool expect (const struct force_check *check, const struct frame *frame,
                    double *first, double *second)
{
    double inverse[9], heights[3];
    bool images = frame_volume (frame) != 0
                  && geometry_invert_cell (frame->cell, inverse, heights);

    *first = *second = 0;
    for (size_t i = 0; i < frame->n_atoms; i++) {
        double apart[3];

        for (size_t k = 0; k < 3; k++)
            apart[k] =
                frame->positions[3 * i + k] - check->positions[3 * i + k];
        if (images)
            shorten (frame, inverse, apart);
        for (size_t k = 0; k < 3; k++) {
            if (!(fabs (apart[k]) <= step_max))
                return false;
            *first -= check->forces[3 * i + k] * apart[k] / 2;
            *second -= frame->forces[3 * i + k] * apart[k] / 2;
        }
    }
    return true;
}

static bool compare_frames (struct force_check *check,
                            const struct frame *frame)
{
    double first, second, change = frame->energy - check->energy;

    if (check->n_atoms != frame->n_atoms || check->key != duplicate_key (frame)
        || !same_cell (check->cell, frame->cell)
        || !expect (check, frame, &first, &second)
        || fabs (first + second) < straight_min * fabs (first - second)
        || first + second == 0
        || fmax (fabs (change), fabs (first + second)) < change_min_ev)
        return false;
    check->ratios = grow_array (check->ratios, check->n_pairs, &check->alloc,
                                sizeof (*check->ratios));
    check->ratios[check->n_pairs++] = change / (first + second);
    return true;
}

bool force_check_add (struct force_check *check, const struct frame *frame)
{
    bool counts;

    if (!is_labelled (frame)) {
        check->n_atoms = 0;
        return false;
    }
    counts = compare_frames (check, frame);
    keep (check, frame);
    return counts;
}

void force_check_release (struct force_check *check)
{
    free (check->positions);
    free (check->forces);
    free (check->ratios);
    *check = (struct force_check)FORCE_CHECK_INIT;
}

/* --- all of them --- */

static int by_value (const void *x, const void *y)
{
    const double *a = x, *b = y;

    return (*a > *b) - (*a < *b);
}

static const char *cause_of (const struct force_check *check, double ratio)
{
    if (ratio == 0)
        return "all energies are the same";
    if (fabs (fabs (ratio) * (double)check->n_atoms - 1) < likeness)
        return "energies are those of an atom";
    for (size_t i = 0; i < ARRAY_SIZE (mistakes); i++) {
        if (fabs (fabs (ratio) / mistakes[i].ratio - 1) < likeness)
            return mistakes[i].cause;
    }
    return NULL;
}

struct force_finding force_check_judge (struct force_check *check)
{
    struct force_finding finding = { false, 0, NULL };
    size_t n = check->n_pairs;
    double spread;

    if (n < PAIRS_MIN)
        return finding;
    qsort (check->ratios, n, sizeof (*check->ratios), by_value);
    finding.ratio = check->ratios[n / 2];
    spread = check->ratios[3 * n / 4] - check->ratios[n / 4];
    finding.contradicts = finding.ratio < ratio_min || finding.ratio > ratio_max
                          || (fabs (finding.ratio - 1) > agreement
                              && spread < spread_max * finding.ratio);
    if (finding.contradicts)
        finding.cause = cause_of (check, finding.ratio);
    return finding;
}
