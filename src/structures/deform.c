/* SPDX-License-Identifier: BSD-3-Clause */
/* deform.c - a structure scaled, strained, displaced */
#include "base/base.h"

#include "structures/deform.h"
#include "base/random_stream.h"

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

void structure_displace (struct frame *frame, double sigma_A,
                         struct random_stream *random)
{
    for (size_t i = 0; i < 3 * frame->n_atoms; i++)
        frame->positions[i] += sigma_A * random_normal (random);
}
