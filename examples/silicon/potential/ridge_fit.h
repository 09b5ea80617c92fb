/* SPDX-License-Identifier: BSD-3-Clause */
/* ridge_fit.h - weighted linear least squares with a ridge
 *
 * Minimises sum_r w_r (row_r . c - target_r)^2 + ridge * sum_k s_k^2 c_k^2
 * where s_k^2 = sum_r w_r row_r[k]^2, so that the ridge is a number without
 * unit which treats small and large features alike.  Solved by the normal
 * equations and Cholesky's method, which for a hundred unknowns and a ridge
 * far above 1e-16 loses nothing that matters.
 */
#ifndef RIDGE_FIT_H
#define RIDGE_FIT_H

#include <stddef.h>

struct problem;

struct ridge_fit {
    size_t count;  /* unknowns */
    double *gram;  /* lower triangle of sum w row row^T, row by row */
    double *right; /* sum w row target */
};

/* 0, or -1 when memory ran out. */
int ridge_fit_init (struct ridge_fit *fit, size_t count,
                    struct problem *problem);

void ridge_fit_release (struct ridge_fit *fit);

void ridge_fit_add (struct ridge_fit *fit, const double *row, double target,
                    double weight);

/* Write the solution to 'coefficients'; 'fit' is used up.  0, or -1 when the
 * rows do not determine it.
 */
int ridge_fit_solve (struct ridge_fit *fit, double ridge, double *coefficients,
                     struct problem *problem);

#endif /* !RIDGE_FIT_H */
