/* SPDX-License-Identifier: BSD-3-Clause */
/* equation_of_state.c - what follows from the energies of a crystal at several
 * volumes
 *
 * In x = V^(-2/3) the equation of Birch and Murnaghan is a cubic polynomial,
 * so the least squares are linear.
 */
#include "base/base.h"

#include "formats/frame.h"
#include "structures/equation_of_state.h"

enum { TERMS = 4 };

/* t = (x - middle) / half is from -1 to 1; energies are above 'base'. */
struct cubic {
    double middle, half;
    double base;
    double terms[TERMS]; /* of 1, t, t^2, t^3 */
};

static double x_of (double volume)
{
    return 1 / cbrt (volume * volume);
}

static double value_at (const struct cubic *c, double t)
{
    const double *b = c->terms;

    return c->base + b[0] + t * (b[1] + t * (b[2] + t * b[3]));
}

/* Solve the normal equations; false: there are not so many volumes. */
static bool solve (double a[TERMS][TERMS + 1], double out[TERMS])
{
    for (int i = 0; i < TERMS; i++) {
        if (!(a[i][i] > 1e-12))
            return false;
        for (int j = i + 1; j < TERMS; j++) {
            double factor = a[j][i] / a[i][i];

            for (int k = i; k <= TERMS; k++)
                a[j][k] -= factor * a[i][k];
        }
    }
    for (int i = TERMS - 1; i >= 0; i--) {
        out[i] = a[i][TERMS];
        for (int j = i + 1; j < TERMS; j++)
            out[i] -= a[i][j] * out[j];
        out[i] /= a[i][i];
    }
    return true;
}

static bool fit_cubic (const double *volumes, const double *energies, size_t n,
                       struct cubic *c)
{
    double a[TERMS][TERMS + 1] = { { 0 } };

    for (size_t i = 0; i < n; i++) {
        double t = (x_of (volumes[i]) - c->middle) / c->half;
        const double powers[TERMS] = { 1, t, t * t, t * t * t };

        for (int j = 0; j < TERMS; j++) {
            for (int k = 0; k < TERMS; k++)
                a[j][k] += powers[j] * powers[k] / (double)n;
            a[j][TERMS] += powers[j] * (energies[i] - c->base) / (double)n;
        }
    }
    return solve (a, c->terms);
}

/* Where the polynomial has its minimum; not a number: nowhere. */
static double minimum_of (const struct cubic *c)
{
    double one = c->terms[1], two = c->terms[2], three = c->terms[3];
    double root = sqrt (two * two - 3 * one * three);

    return -one / (two + root); /* of both roots that with a curvature > 0 */
}

static struct equation_of_state read_off (const struct cubic *c, double t)
{
    double x = c->middle + t * c->half, volume = 1 / (x * sqrt (x));
    double curvature =
        (2 * c->terms[2] + 6 * c->terms[3] * t) / (c->half * c->half);
    double bulk = 4.0 / 9 * curvature * x * x / volume;
    double third = c->terms[3] / (c->half * c->half * c->half);

    return (struct equation_of_state){
        .volume_A3 = volume,
        .energy_eV = value_at (c, t),
        .bulk_modulus_GPa = bulk * GPA_PER_EV_A3,
        .slope = 4 + 16 * third * x * x * x / (9 * volume * bulk),
    };
}

static void range_of (const double *v, size_t n, double *low, double *high)
{
    *low = *high = v[0];
    for (size_t i = 1; i < n; i++) {
        *low = fmin (*low, v[i]);
        *high = fmax (*high, v[i]);
    }
}

/* The root of the mean of the squares. */
static double distance (const struct cubic *c, const double *volumes,
                        const double *energies, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        double t = (x_of (volumes[i]) - c->middle) / c->half;

        sum += pow (energies[i] - value_at (c, t), 2);
    }
    return sqrt (sum / (double)n);
}

static int check_points (const double *volumes, const double *energies,
                         size_t n, struct error *err)
{
    if (n < EQUATION_OF_STATE_POINTS_MIN)
        return error_set (err,
                          "%zu points are too few for a curve of 4 "
                          "parameters; write points: %d or more",
                          n, EQUATION_OF_STATE_POINTS_MIN);
    if (!all_finite (volumes, n) || !all_finite (energies, n))
        return error_set (err, "an energy is not a finite number");
    for (size_t i = 0; i < n; i++) {
        if (!(volumes[i] > 0))
            return error_set (err, "a volume is %g A^3", volumes[i]);
    }
    return 0;
}

int equation_of_state_fit (const double *volumes_A3, const double *energies_eV,
                           size_t n, struct equation_of_state *fit,
                           struct error *err)
{
    double low, high, most, least, t, off;
    struct cubic c;

    if (check_points (volumes_A3, energies_eV, n, err) < 0)
        return -1;
    range_of (volumes_A3, n, &low, &high);
    range_of (energies_eV, n, &least, &most);
    c.middle = (x_of (low) + x_of (high)) / 2;
    c.half = (x_of (low) - x_of (high)) / 2;
    c.base = least;
    if (!(c.half > 0) || !fit_cubic (volumes_A3, energies_eV, n, &c))
        return error_set (err, "too few of the volumes differ; write a wider "
                               "range");
    t = minimum_of (&c);
    if (!(t >= -1 && t <= 1))
        return error_set (err,
                          "the curve has no minimum between %.4f and %.4f "
                          "A^3; write a wider range, or another structure",
                          low, high);
    off = distance (&c, volumes_A3, energies_eV, n);
    if (off > (most - least) / 20)
        return error_set (err,
                          "the energies are %.3g eV off the fitted curve, and "
                          "%.3g eV apart: the structure changes along it, or "
                          "the potential is not smooth; write a smaller range",
                          off, most - least);
    *fit = read_off (&c, t);
    return 0;
}
