/* SPDX-License-Identifier: BSD-3-Clause */
/* deviation.c - how much the models of a committee disagree about a frame */
#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/compiler.h"
#include "selection/deviation.h"

static const struct deviation not_finite = { NAN, NAN, NAN };

/* Atoms are looked at by so many at once: the loops over a piece have a known
 * length, and what they make stays in the first cache.
 */
enum { PIECE_ATOMS = 64, PIECE_NUMBERS = 3 * PIECE_ATOMS };

/* Of each component, over the models. */
struct piece {
    double mean[PIECE_NUMBERS];
    double variance[PIECE_NUMBERS];
};

/* The mean first, then the squares: no cancellation. */
static inline void find_variances (const double *const *values,
                                   size_t n_models,
                                   size_t first,
                                   size_t n,
                                   struct piece *piece)
{
    double models = (double)n_models;

    memcpy (piece->mean, values[0] + first, n * sizeof (*piece->mean));
    for (size_t k = 1; k < n_models; k++) {
        for (size_t i = 0; i < n; i++)
            piece->mean[i] += values[k][first + i];
    }
    for (size_t i = 0; i < n; i++) {
        piece->mean[i] /= models;
        piece->variance[i] = 0;
    }
    for (size_t k = 0; k < n_models; k++) {
        for (size_t i = 0; i < n; i++) {
            double difference = values[k][first + i] - piece->mean[i];

            piece->variance[i] += difference * difference;
        }
    }
    for (size_t i = 0; i < n; i++)
        piece->variance[i] /= models;
}

/* The deviation of each of n atoms. */
static inline void find_deviations (const struct piece *piece,
                                    size_t n,
                                    const double *level,
                                    double *eps)
{
    const double *v = piece->variance, *f = piece->mean;

    for (size_t i = 0; i < n; i++)
        eps[i] = v[3 * i] + v[3 * i + 1] + v[3 * i + 2];
    for (size_t i = 0; i < n; i++)
        eps[i] = sqrt (eps[i]);
    for (size_t i = 0; level && i < n; i++) {
        double norm = sqrt (f[3 * i] * f[3 * i] + f[3 * i + 1] * f[3 * i + 1]
                            + f[3 * i + 2] * f[3 * i + 2]);

        eps[i] /= norm + *level;
    }
}

/* The deviations of the atoms from 'first' on, which is at most a piece of
 * them; returns how many.
 */
static inline size_t next_piece (const double *const *forces,
                                 size_t n_models,
                                 size_t n_atoms,
                                 size_t first,
                                 const double *level,
                                 double eps[PIECE_ATOMS])
{
    size_t n = n_atoms - first;
    struct piece piece;

    if (n >= PIECE_ATOMS) {
        find_variances (forces, n_models, 3 * first, PIECE_NUMBERS, &piece);
        find_deviations (&piece, PIECE_ATOMS, level, eps);
        return PIECE_ATOMS;
    }
    find_variances (forces, n_models, 3 * first, 3 * n, &piece);
    find_deviations (&piece, n, level, eps);
    return n;
}

/* False when a value is not finite. */
static inline bool add_values (const double *eps,
                               size_t n,
                               struct deviation *deviation)
{
    bool finite = true;

    for (size_t i = 0; i < n; i++) {
        finite &= eps[i] - eps[i] == 0;
        deviation->max = eps[i] > deviation->max ? eps[i] : deviation->max;
        deviation->min = eps[i] < deviation->min ? eps[i] : deviation->min;
        deviation->average += eps[i];
    }
    return finite;
}

FASTEST_HERE
struct deviation force_deviation (const double *const *forces,
                                  size_t n_models,
                                  size_t n_atoms,
                                  const double *level)
{
    struct deviation deviation = { 0, INFINITY, 0 };
    double eps[PIECE_ATOMS];

    if (n_atoms == 0)
        return (struct deviation){ 0, 0, 0 };
    for (size_t at = 0; at < n_atoms;) {
        size_t n = next_piece (forces, n_models, n_atoms, at, level, eps);

        if (!add_values (eps, n, &deviation))
            return not_finite;
        at += n;
    }
    deviation.average /= (double)n_atoms;
    return deviation;
}

void atom_deviations (const double *const *forces,
                      size_t n_models,
                      size_t n_atoms,
                      const double *level,
                      double *out)
{
    double eps[PIECE_ATOMS];

    for (size_t at = 0; at < n_atoms;) {
        size_t n = next_piece (forces, n_models, n_atoms, at, level, eps);

        for (size_t i = 0; i < n; i++)
            out[at + i] = isfinite (eps[i]) ? eps[i] : NAN;
        at += n;
    }
}

/* Of quotients: each virial, each energy is divided first. */
static double variance_of_quotients (const double *const *values,
                                     size_t n_models,
                                     size_t i,
                                     double divisor,
                                     double *mean)
{
    double sum = 0;

    *mean = 0;
    for (size_t k = 0; k < n_models; k++)
        *mean += values[k][i] / divisor;
    *mean /= (double)n_models;
    for (size_t k = 0; k < n_models; k++) {
        double difference = values[k][i] / divisor - *mean;

        sum += difference * difference;
    }
    return sum / (double)n_models;
}

struct deviation virial_deviation (const double *const *virials,
                                   size_t n_models,
                                   size_t n_atoms,
                                   const double *level)
{
    struct deviation deviation = { 0, INFINITY, 0 };
    double sum = 0, mean;

    for (size_t i = 0; i < 9; i++) {
        double eps = sqrt (variance_of_quotients (virials, n_models, i,
                                                  (double)n_atoms, &mean));

        if (level)
            eps /= fabs (mean) + *level;
        if (!isfinite (eps))
            return not_finite;
        deviation.max = fmax (deviation.max, eps);
        deviation.min = fmin (deviation.min, eps);
        sum += eps * eps;
    }
    deviation.average = sqrt (sum / 9);
    return deviation;
}

double energy_deviation (const double *energies,
                         size_t n_models,
                         size_t n_atoms)
{
    double mean = 0, sum = 0, atoms = (double)n_atoms;

    for (size_t k = 0; k < n_models; k++)
        mean += energies[k] / atoms;
    mean /= (double)n_models;
    for (size_t k = 0; k < n_models; k++)
        sum += (energies[k] / atoms - mean) * (energies[k] / atoms - mean);
    sum = sqrt (sum / (double)n_models);
    return isfinite (sum) ? sum : NAN;
}
