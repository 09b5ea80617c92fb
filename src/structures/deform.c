/* SPDX-License-Identifier: BSD-3-Clause */
/* deform.c - a structure scaled, strained, displaced */
#include "base/base.h"

#include "base/random_stream.h"
#include "base/sort.h"
#include "selection/geometry/geometry.h"
#include "structures/deform.h"

void row_times (const double v[3], const double matrix[9], double out[3])
{
    double product[3];

    for (int j = 0; j < 3; j++)
        product[j] =
            v[0] * matrix[j] + v[1] * matrix[3 + j] + v[2] * matrix[6 + j];
    memcpy (out, product, sizeof (product));
}

int structure_copy (const struct frame *frame, size_t more, struct frame *copy,
                    struct error *err)
{
    struct frame made = FRAME_INIT;

    if (frame_resize (&made, frame->n_atoms + more, false, err) < 0)
        return -1;
    made.n_atoms = frame->n_atoms;
    memcpy (made.cell, frame->cell, sizeof (made.cell));
    memcpy (made.periodic, frame->periodic, sizeof (made.periodic));
    memcpy (made.symbols, frame->symbols, frame->n_atoms * SYMBOL_SIZE);
    memcpy (made.positions, frame->positions,
            3 * frame->n_atoms * sizeof (*made.positions));
    frame_release (copy);
    *copy = made;
    return 0;
}

static void multiply (struct frame *frame, const double matrix[9])
{
    for (size_t i = 0; i < 3; i++)
        row_times (frame->cell + 3 * i, matrix, frame->cell + 3 * i);
    for (size_t i = 0; i < frame->n_atoms; i++)
        row_times (frame->positions + 3 * i, matrix, frame->positions + 3 * i);
}

void structure_scale (struct frame *frame, double factor)
{
    for (size_t i = 0; i < 9; i++)
        frame->cell[i] *= factor;
    for (size_t i = 0; i < 3 * frame->n_atoms; i++)
        frame->positions[i] *= factor;
}

void strain_matrix (const double voigt[6], double matrix[9])
{
    double yz = voigt[3] / 2, xz = voigt[4] / 2, xy = voigt[5] / 2;
    const double all[9] = { 1 + voigt[0], xy, xz, xy,          1 + voigt[1],
                            yz,           xz, yz, 1 + voigt[2] };

    memcpy (matrix, all, sizeof (all));
}

void structure_strain (struct frame *frame, const double voigt[6])
{
    double matrix[9];

    strain_matrix (voigt, matrix);
    multiply (frame, matrix);
}

void structure_shift (struct frame *frame, const double fractions[3])
{
    double by[3];

    row_times (fractions, frame->cell, by);
    for (size_t i = 0; i < 3 * frame->n_atoms; i++)
        frame->positions[i] += by[i % 3];
}

/* The middle of the widest gap between the n numbers, which repeat with the
 * period 1; they are sorted.
 */
static double middle_of_gap (double *numbers, size_t n)
{
    double middle = 0, widest = -1;

    sort_doubles (numbers, n);
    for (size_t i = 0; i < n; i++) {
        double next = i + 1 < n ? numbers[i + 1] : numbers[0] + 1;

        if (next - numbers[i] > widest) {
            widest = next - numbers[i];
            middle = (next + numbers[i]) / 2;
        }
    }
    return middle;
}

void structure_off_faces (const struct frame *frame, double fractions[3])
{
    size_t n = frame->n_atoms;
    _cleanup_free_ double *along = xcalloc (n, sizeof (*along));
    double inverse[9], heights[3];
    bool has_cell = geometry_invert_cell (frame->cell, inverse, heights);

    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; has_cell && i < n; i++) {
            const double *at = frame->positions + 3 * i;
            double f = inverse[3 * k] * at[0] + inverse[3 * k + 1] * at[1]
                       + inverse[3 * k + 2] * at[2];

            along[i] = f - floor (f);
        }
        fractions[k] = has_cell ? -middle_of_gap (along, n) : 0;
    }
}

void structure_displace (struct frame *frame, double sigma_A,
                         struct random_stream *random)
{
    for (size_t i = 0; i < 3 * frame->n_atoms; i++)
        frame->positions[i] += sigma_A * random_normal (random);
}
