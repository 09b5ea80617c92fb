/* SPDX-License-Identifier: BSD-3-Clause */
/* elastic.c - elastic constants from the stresses of strained cells */
#include "base/base.h"

#include "structures/elastic.h"

void elastic_strain (int k, double size, double voigt[6])
{
    memset (voigt, 0, 6 * sizeof (*voigt));
    voigt[k / 2] = k % 2 == 0 ? -size : size;
}

static double largest (const double c[36])
{
    double most = 0;

    for (int i = 0; i < 36; i++)
        most = fmax (most, fabs (c[i]));
    return most;
}

int elastic_constants (const double stresses_GPa[ELASTIC_STRAINS][6],
                       double size, double c_GPa[36], struct error *err)
{
    double c[36];

    for (int j = 0; j < 6; j++) {
        for (int i = 0; i < 6; i++)
            c[6 * i + j] = (stresses_GPa[2 * j + 1][i] - stresses_GPa[2 * j][i])
                           / (2 * size);
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < i; j++) {
            double one = c[6 * i + j], other = c[6 * j + i];

            if (!(fabs (one - other) <= ELASTIC_ASYMMETRY * largest (c)))
                return error_set (
                    err,
                    "c%d%d is %.4g GPa by one strain and %.4g by the other: "
                    "the crystal changes under strain, or the potential is not "
                    "smooth; write another strain",
                    j + 1, i + 1, other, one);
            c[6 * i + j] = c[6 * j + i] = (one + other) / 2;
        }
    }
    memcpy (c_GPa, c, sizeof (c));
    return 0;
}

/* --- moduli --- */

/* Turn the plane of p and q so that a[p][q] is 0 (C. G. J. Jacobi; Numerical
 * Recipes, 11.1).
 */
static void rotate (double a[6][6], double vectors[6][6], int p, int q)
{
    double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    double t = copysign (1, theta) / (fabs (theta) + sqrt (theta * theta + 1));
    double c = 1 / sqrt (t * t + 1), s = t * c;

    for (int k = 0; k < 6; k++) {
        double one = a[k][p], other = a[k][q];

        a[k][p] = c * one - s * other;
        a[k][q] = s * one + c * other;
    }
    for (int k = 0; k < 6; k++) {
        double one = a[p][k], other = a[q][k];

        a[p][k] = c * one - s * other;
        a[q][k] = s * one + c * other;
        one = vectors[k][p];
        other = vectors[k][q];
        vectors[k][p] = c * one - s * other;
        vectors[k][q] = s * one + c * other;
    }
}

/* The eigenvalues come to stand in the diagonal of 'a'; vectors are columns. */
static void diagonalize (double a[6][6], double vectors[6][6])
{
    enum { SWEEPS = 30 };

    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++)
            vectors[i][j] = i == j;
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int p = 0; p < 6; p++) {
            for (int q = p + 1; q < 6; q++) {
                if (a[p][q] != 0)
                    rotate (a, vectors, p, q);
            }
        }
    }
}

static void average (const double c[36], double a[6][6], double vectors[6][6],
                     struct elastic_moduli *moduli)
{
    double s[36] = { 0 }, bulk[2], shear[2];

    for (int i = 0; i < 36; i++) {
        for (int k = 0; k < 6; k++)
            s[i] += vectors[i / 6][k] * vectors[i % 6][k] / a[k][k];
    }
    bulk[0] = (c[0] + c[7] + c[14] + 2 * (c[1] + c[2] + c[8])) / 9;
    bulk[1] = 1 / (s[0] + s[7] + s[14] + 2 * (s[1] + s[2] + s[8]));
    shear[0] =
        (c[0] + c[7] + c[14] - c[1] - c[2] - c[8] + 3 * (c[21] + c[28] + c[35]))
        / 15;
    shear[1] = 15
               / (4 * (s[0] + s[7] + s[14] - s[1] - s[2] - s[8])
                  + 3 * (s[21] + s[28] + s[35]));
    moduli->bulk_GPa = (bulk[0] + bulk[1]) / 2;
    moduli->shear_GPa = (shear[0] + shear[1]) / 2;
}

struct elastic_moduli elastic_moduli_of (const double c_GPa[36])
{
    struct elastic_moduli moduli = { INFINITY, NAN, NAN };
    double a[6][6], vectors[6][6];

    memcpy (a, c_GPa, sizeof (a));
    diagonalize (a, vectors);
    for (int i = 0; i < 6; i++)
        moduli.least_GPa = fmin (moduli.least_GPa, a[i][i]);
    if (moduli.least_GPa > 0)
        average (c_GPa, a, vectors, &moduli);
    return moduli;
}
