/* SPDX-License-Identifier: BSD-3-Clause */
/* surface.c - a slab, cut out of a crystal */
#include "base/base.h"

#include "selection/geometry/geometry.h"
#include "structures/deform.h"
#include "structures/supercell.h"
#include "structures/surface.h"

/* An atom so near below a face, in fractions, stays with those on it: files
 * have six digits, and a plane of atoms is not to be torn in two.
 */
static const double face = 1e-6;

/* --- whole numbers --- */

/* Towards minus infinity. */
static int64_t quotient (int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

int64_t greatest_divisor (int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* x a + y b is their greatest divisor, with its sign as ASE has it. */
static void bezout (int64_t a, int64_t b, int64_t *x, int64_t *y)
{
    int64_t rest;

    if (b == 0 || a % b == 0) {
        *x = b == 0;
        *y = b != 0;
        return;
    }
    rest = a - b * quotient (a, b);
    bezout (b, rest, y, x);
    *y -= *x * quotient (a, b);
}

/* --- vectors of the lattice: two in the plane, and one to the next --- */

static double dot (const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Whole multiples of the cell's vectors. */
static void combine (const double cell[9], double i, double j, double k,
                     double out[3])
{
    const double row[3] = { i, j, k };

    row_times (row, cell, out);
}

/* How many of the second vector make the first one shortest. */
static int64_t shorten (const double cell[9], const int64_t m[3], int64_t p,
                        int64_t q)
{
    double h = (double)m[0], k = (double)m[1], l = (double)m[2];
    double first[3], step[3], second[3], along;

    combine (cell, (double)p * k + (double)q * l, (double)-p * h,
             (double)-q * h, first);
    combine (cell, 0, l, -k, second);
    combine (cell, l * k - k * l, -l * h, k * h, step);
    along = dot (step, second);
    return fabs (along) > 1e-10
               ? -(int64_t)nearbyint (dot (first, second) / along)
               : 0;
}

static void axis_rows (const int64_t m[3], int64_t rows[9])
{
    int normal = m[0] ? 0 : m[1] ? 1 : 2;
    static const int others[3][2] = { { 1, 2 }, { 2, 0 }, { 0, 1 } };

    memset (rows, 0, 9 * sizeof (*rows));
    rows[others[normal][0]] = 1;
    rows[3 + others[normal][1]] = 1;
    rows[6 + normal] = 1;
}

static void surface_rows (const double cell[9], const int64_t m[3],
                          int64_t rows[9])
{
    int64_t h = m[0], k = m[1], l = m[2], p, q, a, b, i, divisor;

    if ((h == 0) + (k == 0) + (l == 0) == 2) {
        axis_rows (m, rows);
        return;
    }
    bezout (k, l, &p, &q);
    i = shorten (cell, m, p, q);
    p += i * l;
    q -= i * k;
    bezout (p * k + q * l, h, &a, &b);
    divisor = greatest_divisor (l, k);
    memcpy (rows,
            (const int64_t[]){ p * k + q * l, -p * h, -q * h, 0, l / divisor,
                               -k / divisor, b, a * p, a * q },
            9 * sizeof (*rows));
}

/* --- the slab --- */

/* The fractions of 'at', of which those of the first n are put into [0, 1). */
static void fractions_of (const double inverse[9], const double at[3], int n,
                          double fractions[3])
{
    for (int k = 0; k < 3; k++) {
        fractions[k] = dot (inverse + 3 * k, at);
        if (k < n)
            fractions[k] -= floor (fractions[k] + face);
    }
}

/* Atoms go with the fractions they have in the cell 'old'. */
static void change_cell (struct frame *frame, const double old[9],
                         const double now[9], int wrapped)
{
    double inverse[9], heights[3], fractions[3];

    if (!geometry_invert_cell (old, inverse, heights))
        return;
    for (size_t i = 0; i < frame->n_atoms; i++) {
        double *at = frame->positions + 3 * i;

        fractions_of (inverse, at, wrapped, fractions);
        row_times (fractions, now, at);
    }
    memcpy (frame->cell, now, 9 * sizeof (*now));
}

/* The cell of the slab with its normal in place of the third vector, and the
 * same turned.
 */
static void upright (const double cell[9], double here[9], double turned[9])
{
    const double *a = cell, *b = cell + 3, *c = cell + 6;
    const double normal[3] = { a[1] * b[2] - a[2] * b[1],
                               a[2] * b[0] - a[0] * b[2],
                               a[0] * b[1] - a[1] * b[0] };
    double height = dot (c, normal) / dot (normal, normal);
    double length = sqrt (dot (a, a)), along = dot (a, b) / length;

    memcpy (here, cell, 6 * sizeof (*here));
    for (int j = 0; j < 3; j++)
        here[6 + j] = height * normal[j];
    memset (turned, 0, 9 * sizeof (*turned));
    turned[0] = length;
    turned[3] = along;
    turned[4] = sqrt (dot (b, b) - along * along);
    turned[8] = sqrt (dot (here + 6, here + 6));
}

static int check_crystal (const struct frame *frame, struct error *err)
{
    if (!frame->periodic[0] || !frame->periodic[1] || !frame->periodic[2]
        || frame_volume (frame) == 0)
        return error_set (err, "a surface is cut out of a crystal, and it is "
                               "not periodic in all directions; give it a "
                               "cell that is");
    if (frame_volume (frame) < 0)
        return error_set (err, "its cell is left-handed, and a surface would "
                               "be a mirror image; swap two vectors of it");
    return 0;
}

/* Layer by layer, so in the order of ASE. */
static int stack (const struct frame *frame, int64_t layers, struct frame *slab,
                  struct error *err)
{
    size_t n = frame->n_atoms;

    if ((double)n * (double)layers > STRUCTURE_ATOMS_MAX)
        return error_set (err,
                          "the surface has more than %d atoms; write fewer "
                          "layers",
                          STRUCTURE_ATOMS_MAX);
    if (structure_copy (frame, n * (size_t)(layers - 1), slab, err) < 0)
        return -1;
    slab->n_atoms = n * (size_t)layers;
    for (size_t i = n; i < slab->n_atoms; i++) {
        memcpy (slab->symbols[i], slab->symbols[i - n], SYMBOL_SIZE);
        for (size_t j = 0; j < 3; j++)
            slab->positions[3 * i + j] =
                slab->positions[3 * (i - n) + j] + frame->cell[6 + j];
    }
    for (int j = 6; j < 9; j++)
        slab->cell[j] *= (double)layers;
    return 0;
}

int surface_make (const struct frame *frame, const struct surface_cut *cut,
                  struct frame *made, struct error *err)
{
    _cleanup_ (frame_release) struct frame layer = FRAME_INIT;
    double cell[9], here[9], turned[9];
    int64_t rows[9];

    if (check_crystal (frame, err) < 0
        || structure_copy (frame, 0, &layer, err) < 0)
        return -1;
    surface_rows (frame->cell, cut->miller, rows);
    for (int k = 0; k < 3; k++)
        combine (frame->cell, (double)rows[3 * k], (double)rows[3 * k + 1],
                 (double)rows[3 * k + 2], cell + 3 * k);
    change_cell (&layer, cell, cell, 3);
    if (stack (&layer, cut->layers, made, err) < 0)
        return -1;
    upright (made->cell, here, turned);
    change_cell (made, here, turned, 2);
    made->cell[8] += cut->vacuum_A;
    return 0;
}
