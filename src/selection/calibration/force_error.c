/* SPDX-License-Identifier: BSD-3-Clause */
/* force_error.c - how far a committee's forces are off a label */
#include "base/base.h"

#include "selection/calibration/force_error.h"

/* The square of an atom's error. */
static double squared_error (const double *const *forces, size_t n_models,
                             const double *label, size_t atom)
{
    double sum = 0;

    for (size_t i = 3 * atom; i < 3 * atom + 3; i++) {
        double mean = 0;

        for (size_t k = 0; k < n_models; k++)
            mean += forces[k][i];
        mean /= (double)n_models;
        sum += (mean - label[i]) * (mean - label[i]);
    }
    return sum;
}

double force_error (const double *const *forces, size_t n_models,
                    const double *label, size_t n_atoms, enum error_of of)
{
    double largest = 0, sum = 0;

    for (size_t i = 0; i < n_atoms; i++) {
        double squared = squared_error (forces, n_models, label, i);

        if (!isfinite (squared))
            return INFINITY;
        largest = fmax (largest, squared);
        sum += squared;
    }
    if (of == ERROR_RMS && n_atoms > 0)
        return sqrt (sum / (double)n_atoms);
    return sqrt (largest);
}
