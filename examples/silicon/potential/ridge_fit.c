/* SPDX-License-Identifier: BSD-3-Clause */
/* ridge_fit.c - weighted linear least squares with a ridge */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problem.h"
#include "ridge_fit.h"

int ridge_fit_init (struct ridge_fit *fit, size_t count,
                    struct problem *problem)
{
    struct ridge_fit fresh = {
        count,
        calloc (count * count, sizeof (double)),
        calloc (count, sizeof (double)),
    };

    if (!fresh.gram || !fresh.right) {
        ridge_fit_release (&fresh);
        return problem_set (problem, "out of memory");
    }
    *fit = fresh;
    return 0;
}

void ridge_fit_release (struct ridge_fit *fit)
{
    free (fit->gram);
    free (fit->right);
    *fit = (struct ridge_fit){ 0, NULL, NULL };
}

void ridge_fit_add (struct ridge_fit *fit, const double *row, double target,
                    double weight)
{
    for (size_t a = 0; a < fit->count; a++) {
        double weighted = weight * row[a];
        double *gram = fit->gram + a * fit->count;

        fit->right[a] += weighted * target;
        for (size_t b = 0; b <= a; b++)
            gram[b] += weighted * row[b];
    }
}

/* Scale the equations to a unit diagonal and add the ridge to it.  scale[k] is
 * zero for a feature that never occurs: its coefficient comes out as zero.
 */
static void scale_equations (struct ridge_fit *fit, double ridge, double *scale)
{
    size_t count = fit->count;

    for (size_t a = 0; a < count; a++) {
        double diagonal = fit->gram[a * count + a];

        scale[a] = diagonal > 0 ? 1 / sqrt (diagonal) : 0;
    }
    for (size_t a = 0; a < count; a++) {
        fit->right[a] *= scale[a];
        for (size_t b = 0; b <= a; b++)
            fit->gram[a * count + b] *= scale[a] * scale[b];
        fit->gram[a * count + a] = 1 + ridge;
    }
}

/* Replace the lower triangle by L with L L^T = matrix; -1 when the matrix is
 * not positive definite to working precision.
 */
static int cholesky (double *matrix, size_t count)
{
    for (size_t a = 0; a < count; a++) {
        double *row = matrix + a * count;

        for (size_t b = 0; b <= a; b++) {
            const double *other = matrix + b * count;
            double sum = row[b];

            for (size_t k = 0; k < b; k++)
                sum -= row[k] * other[k];
            if (a == b && !(sum > 0))
                return -1;
            row[b] = a == b ? sqrt (sum) : sum / other[b];
        }
    }
    return 0;
}

/* Solve L L^T x = x in place. */
static void substitute (const double *lower, size_t count, double *x)
{
    for (size_t a = 0; a < count; a++) {
        for (size_t k = 0; k < a; k++)
            x[a] -= lower[a * count + k] * x[k];
        x[a] /= lower[a * count + a];
    }
    for (size_t a = count; a-- > 0;) {
        for (size_t k = a + 1; k < count; k++)
            x[a] -= lower[k * count + a] * x[k];
        x[a] /= lower[a * count + a];
    }
}

int ridge_fit_solve (struct ridge_fit *fit, double ridge, double *coefficients,
                     struct problem *problem)
{
    double *scale = calloc (fit->count, sizeof *scale);
    int rc = -1;

    if (!scale) {
        problem_set (problem, "out of memory");
        goto done;
    }
    scale_equations (fit, ridge, scale);
    if (cholesky (fit->gram, fit->count) < 0) {
        problem_set (problem, "the frames do not determine the coefficients; "
                              "give more frames or a larger --ridge");
        goto done;
    }
    substitute (fit->gram, fit->count, fit->right);
    for (size_t k = 0; k < fit->count; k++)
        coefficients[k] = fit->right[k] * scale[k];
    rc = 0;
done:
    free (scale);
    return rc;
}
