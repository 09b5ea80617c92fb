/* SPDX-License-Identifier: BSD-3-Clause */
/* deviation.c - how much the models of a committee disagree about a frame */
#include "config.h"

#include <math.h>

#include "selection/deviation.h"

static const struct deviation not_finite = { NAN, NAN, NAN };

/* 1/M sum_k (v_k - <v>)^2 of component i.  The mean first, then the squares: no
 * cancellation.
 */
static double variance (const double *const *values, size_t n_models, size_t i)
{
    double mean = 0, sum = 0;

    for (size_t k = 0; k < n_models; k++)
        mean += values[k][i];
    mean /= (double)n_models;
    for (size_t k = 0; k < n_models; k++) {
        double difference = values[k][i] - mean;

        sum += difference * difference;
    }
    return sum / (double)n_models;
}

/* The same of what is divided first: each virial by the number of atoms. */
static double variance_of_quotients (const double *const *values,
                                     size_t n_models,
                                     size_t i,
                                     double divisor)
{
    double mean = 0, sum = 0;

    for (size_t k = 0; k < n_models; k++)
        mean += values[k][i] / divisor;
    mean /= (double)n_models;
    for (size_t k = 0; k < n_models; k++) {
        double difference = values[k][i] / divisor - mean;

        sum += difference * difference;
    }
    return sum / (double)n_models;
}

static void add (struct deviation *deviation, double value)
{
    deviation->max = fmax (deviation->max, value);
    deviation->min = fmin (deviation->min, value);
}

static double atom_deviation (const double *const *forces,
                              size_t n_models,
                              size_t atom)
{
    return sqrt (variance (forces, n_models, 3 * atom)
                 + variance (forces, n_models, 3 * atom + 1)
                 + variance (forces, n_models, 3 * atom + 2));
}

void atom_deviations (const double *const *forces,
                      size_t n_models,
                      size_t n_atoms,
                      double *out)
{
    for (size_t i = 0; i < n_atoms; i++) {
        double eps = atom_deviation (forces, n_models, i);

        out[i] = isfinite (eps) ? eps : NAN;
    }
}

struct deviation force_deviation (const double *const *forces,
                                  size_t n_models,
                                  size_t n_atoms)
{
    struct deviation deviation = { 0, INFINITY, 0 };
    double sum = 0;

    if (n_atoms == 0)
        return (struct deviation){ 0, 0, 0 };
    for (size_t i = 0; i < n_atoms; i++) {
        double eps = atom_deviation (forces, n_models, i);

        if (!isfinite (eps))
            return not_finite;
        add (&deviation, eps);
        sum += eps;
    }
    deviation.average = sum / (double)n_atoms;
    return deviation;
}

struct deviation virial_deviation (const double *const *virials,
                                   size_t n_models,
                                   size_t n_atoms)
{
    struct deviation deviation = { 0, INFINITY, 0 };
    double sum = 0;

    for (size_t i = 0; i < 9; i++) {
        double squared =
            variance_of_quotients (virials, n_models, i, (double)n_atoms);

        if (!isfinite (squared))
            return not_finite;
        add (&deviation, sqrt (squared));
        sum += squared;
    }
    deviation.average = sqrt (sum / 9);
    return deviation;
}
