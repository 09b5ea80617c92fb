/* SPDX-License-Identifier: BSD-3-Clause */
/* deviation.c - how much the models of a committee disagree about a frame */
#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/compiler.h"
#include "selection/deviations/deviation.h"

static const struct deviation not_finite = { NAN, NAN, NAN };

enum { PACK = 4 };

/* GCC's vectors: as many operations at once as the machine has. */
typedef double pack __attribute__ ((vector_size (PACK * sizeof (double))));

/* What a sum over the models is divided by. */
struct divisor {
    double n;
    double inverse; /* exact when n is a power of two; 0: it is not */
};

INLINED struct divisor divisor_of (size_t n)
{
    return (struct divisor){ (double)n,
                             (n & (n - 1)) == 0 ? 1 / (double)n : 0 };
}

INLINED void divide_pack (pack *sum, const struct divisor *by)
{
    *sum = by->inverse > 0 ? *sum * by->inverse : *sum / by->n;
}

/* The largest of n values; NaN when one is not finite.  Four at a time, which
 * do not wait for each other.
 */
INLINED double largest_of (const double *values, size_t n)
{
    double largest[PACK] = { 0 }, bad[PACK] = { 0 }, all = 0;
    size_t i = 0;

    for (; i + PACK <= n; i += PACK) {
        for (size_t j = 0; j < PACK; j++) {
            double value = values[i + j];

            largest[j] = value > largest[j] ? value : largest[j];
            bad[j] += value - value; /* 0, or NaN */
        }
    }
    for (; i < n; i++) {
        largest[0] = values[i] > largest[0] ? values[i] : largest[0];
        bad[0] += values[i] - values[i];
    }
    for (size_t j = 0; j < PACK; j++)
        all = largest[j] > all ? largest[j] : all;
    return all + (bad[0] + bad[1]) + (bad[2] + bad[3]);
}

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
INLINED void find_pack (const double *const *values,
                        size_t n_models,
                        const struct divisor *models,
                        size_t at,
                        double *mean, /* or NULL */
                        double *variance)
{
    pack middle, sum = { 0 }, value;

    memcpy (&middle, values[0] + at, sizeof (middle));
    for (size_t k = 1; k < n_models; k++) {
        memcpy (&value, values[k] + at, sizeof (value));
        middle += value;
    }
    divide_pack (&middle, models);
    for (size_t k = 0; k < n_models; k++) {
        memcpy (&value, values[k] + at, sizeof (value));
        value -= middle;
        sum += value * value;
    }
    divide_pack (&sum, models);
    if (mean)
        memcpy (mean, &middle, sizeof (middle));
    memcpy (variance, &sum, sizeof (sum));
}

/* The same of one component. */
INLINED void find_one (const double *const *values,
                       size_t n_models,
                       size_t at,
                       double *mean,
                       double *variance)
{
    double sum = 0;

    *mean = values[0][at];
    for (size_t k = 1; k < n_models; k++)
        *mean += values[k][at];
    *mean /= (double)n_models;
    for (size_t k = 0; k < n_models; k++) {
        double difference = values[k][at] - *mean;

        sum += difference * difference;
    }
    *variance = sum / (double)n_models;
}

/* The means stay unspecified when they are not wanted. */
INLINED void find_variances (const double *const *values,
                             size_t n_models,
                             size_t first,
                             size_t n,
                             bool with_means,
                             struct piece *piece)
{
    const struct divisor models = divisor_of (n_models);
    size_t i = 0;

    for (; i + PACK <= n; i += PACK)
        find_pack (values, n_models, &models, first + i,
                   with_means ? piece->mean + i : NULL, piece->variance + i);
    for (; i < n; i++)
        find_one (values, n_models, first + i, piece->mean + i,
                  piece->variance + i);
}

/* The squared deviation of each of n atoms. */
INLINED void find_squares (const struct piece *piece, size_t n, double *squares)
{
    const double *v = piece->variance;

    for (size_t i = 0; i < n; i++)
        squares[i] = v[3 * i] + v[3 * i + 1] + v[3 * i + 2];
}

/* The deviation of each of n atoms. */
INLINED void find_deviations (const struct piece *piece,
                              size_t n,
                              const double *level,
                              double *eps)
{
    const double *f = piece->mean;

    find_squares (piece, n, eps);
    for (size_t i = 0; i < n; i++)
        eps[i] = sqrt (eps[i]);
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

/* False when a value is not finite. */
INLINED bool add_values (const double *eps,
                         size_t n,
                         struct deviation *deviation)
{
    bool finite = true;

    for (size_t i = 0; i < n; i++) {
        finite &= isfinite (eps[i]) != 0;
        deviation->max = eps[i] > deviation->max ? eps[i] : deviation->max;
        deviation->min = eps[i] < deviation->min ? eps[i] : deviation->min;
        deviation->average += eps[i];
    }
    return finite;
}

struct deviation force_deviation (const double *const *forces,
                                  size_t n_models,
                                  size_t n_atoms,
                                  const double *level)
{
    struct deviation deviation = { 0, INFINITY, 0 };
    double eps[PIECE_ATOMS];
    struct piece piece;

    if (n_atoms == 0)
        return (struct deviation){ 0, 0, 0 };
    for (size_t at = 0; at < n_atoms; at += PIECE_ATOMS) {
        size_t n = piece_atoms (n_atoms, at);

        find_variances (forces, n_models, 3 * at, 3 * n, level != NULL, &piece);
        find_deviations (&piece, n, level, eps);
        if (!add_values (eps, n, &deviation))
            return not_finite;
    }
    deviation.average /= (double)n_atoms;
    return deviation;
}

/* The root of the largest square is the largest root, to the bit. */
INLINED double find_max (const double *const *forces,
                         size_t n_models,
                         size_t n_atoms,
                         const double *level)
{
    double values[PIECE_ATOMS], largest = 0;
    struct piece piece;

    for (size_t at = 0; at < n_atoms; at += PIECE_ATOMS) {
        size_t n = piece_atoms (n_atoms, at);
        double found;

        find_variances (forces, n_models, 3 * at, 3 * n, level != NULL, &piece);
        if (level)
            find_deviations (&piece, n, level, values);
        else
            find_squares (&piece, n, values);
        found = largest_of (values, n);
        if (!isfinite (found))
            return NAN;
        largest = found > largest ? found : largest;
    }
    return level ? largest : sqrt (largest);
}

/* The number of models is nearly always 4 (DP-GEN's default): the loops over
 * them are unrolled then.
 */
FASTEST_HERE
double max_force_deviation (const double *const *forces,
                            size_t n_models,
                            size_t n_atoms,
                            const double *level)
{
    if (n_models == 4 && !level)
        return find_max (forces, 4, n_atoms, NULL);
    return find_max (forces, n_models, n_atoms, level);
}

void atom_deviations (const double *const *forces,
                      size_t n_models,
                      size_t n_atoms,
                      const double *level,
                      double *out)
{
    struct piece piece;

    for (size_t at = 0; at < n_atoms; at += PIECE_ATOMS) {
        size_t n = piece_atoms (n_atoms, at);

        find_variances (forces, n_models, 3 * at, 3 * n, level != NULL, &piece);
        find_deviations (&piece, n, level, out + at);
        for (size_t i = at; i < at + n; i++)
            out[i] = isfinite (out[i]) ? out[i] : NAN;
    }
}

FASTEST_HERE
bool all_finite (const double *values, size_t n)
{
    pack bad = { 0 }, value;
    double sum = 0;
    size_t i = 0;

    for (; i + PACK <= n; i += PACK) {
        memcpy (&value, values + i, sizeof (value));
        bad += value - value; /* 0, or NaN */
    }
    for (; i < n; i++)
        sum += values[i] - values[i];
    for (size_t j = 0; j < PACK; j++)
        sum += bad[j];
    return sum == 0;
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
