/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_axes.c - the axes in which LAMMPS sees a cell: Gram-Schmidt of it */
#include "base/base.h"

#include "formats/lammps/lammps_axes.h"

static double dot (const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

int lammps_axes_of (const double cell[9], double axes[9], struct error *err)
{
    double found[9];

    memcpy (found, cell, sizeof (found));
    for (int k = 0; k < 3; k++) {
        double *axis = found + 3 * k, length;

        for (int before = 0; before < k; before++) {
            double along = dot (axis, found + 3 * before);

            for (int i = 0; i < 3; i++)
                axis[i] -= along * found[3 * before + i];
        }
        length = sqrt (dot (axis, axis));
        if (!(length > 1e-9) || !isfinite (length))
            return error_set (err, "the cell has no volume");
        for (int i = 0; i < 3; i++)
            axis[i] /= length;
    }
    memcpy (axes, found, sizeof (found));
    return 0;
}

void lammps_axes_turn (const double axes[9], double *vectors, size_t n)
{
    for (size_t v = 0; v < n; v++, vectors += 3) {
        double turned[3];

        for (int k = 0; k < 3; k++)
            turned[k] = dot (vectors, axes + 3 * k);
        memcpy (vectors, turned, sizeof (turned));
    }
}

void lammps_axes_turn_back (const double axes[9], double *vectors, size_t n)
{
    for (size_t v = 0; v < n; v++, vectors += 3) {
        double turned[3];

        for (int i = 0; i < 3; i++)
            turned[i] = vectors[0] * axes[i] + vectors[1] * axes[3 + i]
                        + vectors[2] * axes[6 + i];
        memcpy (vectors, turned, sizeof (turned));
    }
}

void lammps_axes_turn_cell (const double axes[9], double cell[9])
{
    lammps_axes_turn (axes, cell, 3);
    cell[1] = cell[2] = cell[5] = 0;
}

static void transpose (double m[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < i; j++) {
            double was = m[3 * i + j];

            m[3 * i + j] = m[3 * j + i];
            m[3 * j + i] = was;
        }
    }
}

void lammps_axes_turn_tensor_back (const double axes[9], double tensor[9])
{
    for (int side = 0; side < 2; side++) {
        lammps_axes_turn_back (axes, tensor, 3);
        transpose (tensor);
    }
}
