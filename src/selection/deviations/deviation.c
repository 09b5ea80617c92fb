/* SPDX-License-Identifier: BSD-3-Clause */
/* deviation.c - how much the models of a committee disagree about a frame */
#include "base/base.h"

#include "selection/deviations/deviation.h"

/* Atoms are looked at by so many at once: what is made of a piece of them stays
 * in the first cache.
 */
enum { PIECE_ATOMS = 64, PIECE_NUMBERS = 3 * PIECE_ATOMS };

/* Of each component, over the models. */
struct piece {
    double mean[PIECE_NUMBERS];
    double variance[PIECE_NUMBERS];
};

/* The mean first, then the squares: no cancellation. */
INLINED void find_variances (const double *const *values, size_t n_models,
                             size_t first, size_t n, struct piece *piece)
{
    for (size_t i = 0; i < n; i++) {
        double mean = values[0][first + i], sum = 0;

        for (size_t k = 1; k < n_models; k++)
            mean += values[k][first + i];
        mean /= (double)n_models;
        for (size_t k = 0; k < n_models; k++) {
            double difference = values[k][first + i] - mean;

            sum += difference * difference;
        }
        piece->mean[i] = mean;
        piece->variance[i] = sum / (double)n_models;
    }
}

/* The deviation of each of n atoms, the first of which is 'first'. */
INLINED void find_deviations (const double *const *forces, size_t n_models,
                              size_t first, size_t n, const double *level,
                              double *eps)
{
    struct piece piece;
    const double *f = piece.mean, *v = piece.variance;

    find_variances (forces, n_models, 3 * first, 3 * n, &piece);
    for (size_t i = 0; i < n; i++)
        eps[i] = sqrt (v[3 * i] + v[3 * i + 1] + v[3 * i + 2]);
    for (size_t i = 0; level && i < n; i++) {
        double norm = sqrt (f[3 * i] * f[3 * i] + f[3 * i + 1] * f[3 * i + 1]
                            + f[3 * i + 2] * f[3 * i + 2]);

        eps[i] /= norm + *level;
    }
}

/* Atoms of the piece that starts at 'first'. */
INLINED size_t piece_atoms (size_t n_atoms, size_t first)
{
    return n_atoms - first < PIECE_ATOMS ? n_atoms - first : PIECE_ATOMS;
}

INLINED double find_max (const double *const *forces, size_t n_models,
                         size_t n_atoms, const double *level)
{
    double eps[PIECE_ATOMS], largest = 0, bad = 0;

    for (size_t at = 0; at < n_atoms; at += PIECE_ATOMS) {
        size_t n = piece_atoms (n_atoms, at);

        find_deviations (forces, n_models, at, n, level, eps);
        for (size_t i = 0; i < n; i++) {
            largest = eps[i] > largest ? eps[i] : largest;
            bad += eps[i] - eps[i]; /* 0, or NaN */
        }
    }
    return largest + bad;
}

/* The number of models is nearly always 4 (DP-GEN's default): the loops over
 * them are unrolled then.
 */
FASTEST_HERE
double max_force_deviation (const double *const *forces, size_t n_models,
                            size_t n_atoms, const double *level)
{
    if (n_models == 4 && !level)
        return find_max (forces, 4, n_atoms, NULL);
    return find_max (forces, n_models, n_atoms, level);
}

void atom_deviations (const double *const *forces, size_t n_models,
                      size_t n_atoms, const double *level, double *out)
{
    for (size_t at = 0; at < n_atoms; at += PIECE_ATOMS)
        find_deviations (forces, n_models, at, piece_atoms (n_atoms, at), level,
                         out + at);
    for (size_t i = 0; i < n_atoms; i++)
        out[i] = isfinite (out[i]) ? out[i] : NAN;
}

/* Of quotients: each virial, each energy is divided first. */
static double variance_of_quotients (const double *const *values,
                                     size_t n_models, size_t i, double divisor,
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

double max_virial_deviation (const double *const *virials, size_t n_models,
                             size_t n_atoms, const double *level)
{
    double largest = 0, mean;

    for (size_t i = 0; i < 9; i++) {
        double eps = sqrt (variance_of_quotients (virials, n_models, i,
                                                  (double)n_atoms, &mean));

        if (level)
            eps /= fabs (mean) + *level;
        if (!isfinite (eps))
            return NAN;
        largest = fmax (largest, eps);
    }
    return largest;
}

double energy_deviation (const double *energies, size_t n_models,
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
