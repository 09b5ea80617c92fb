/* SPDX-License-Identifier: BSD-3-Clause */
/* d_optimal.h - a batch that differs: the largest determinant
 *
 * With x the features of a frame behind a 1, and M the inverse of
 * ridge I + sum of x x' over what is labelled or picked, the value of a
 * candidate is x'Mx: picking it makes the determinant 1 + x'Mx times as large
 * (J. Sherman and W. J. Morrison, Ann. Math. Stat. 21, 124 (1950)), which is
 * what a linear model is least sure of.  Picked one by one the logarithm of
 * the determinant gains at least 1 - 1/e of what the best batch gains
 * (G. L. Nemhauser et al., Math. Program. 14, 265 (1978)); then each may be
 * given up for another, as long as that gains (V. V. Fedorov, Theory of
 * Optimal Experiments (1972)).
 *
 * What equals a row that is met is no candidate any more.
 */
#ifndef SELECTION_D_OPTIMAL_H
#define SELECTION_D_OPTIMAL_H

struct d_optimal {
    const float *rows; /* n of 'width' numbers, lent */
    size_t n;
    size_t width;
    double *inverse; /* M: width + 1 rows and columns */
    double *product; /* M times the last row */
    double *values;  /* of each */
    bool *out;       /* no candidate */
    double *before;  /* M and values before a row was given up */
};

void d_optimal_init (struct d_optimal *design, const float *rows, size_t n,
                     size_t width, double ridge);
void d_optimal_release (struct d_optimal *design);

/* A labelled row.  When all were told: d_optimal_start. */
void d_optimal_meet (struct d_optimal *design, const float *row);
void d_optimal_start (struct d_optimal *design);

/* The largest value, and the first candidate that has it; negative when none is
 * left.
 */
double d_optimal_best (const struct d_optimal *design, size_t *best);

/* A row is picked, or given up (what equals it stays out).  The value it had,
 * or has then.
 */
double d_optimal_pick (struct d_optimal *design, const float *row);
double d_optimal_give_up (struct d_optimal *design, const float *row);

/* The last row that was given up is picked, as it was before: to the bit. */
void d_optimal_take_back (struct d_optimal *design);

/* Candidate i of ours is out, or not. */
void d_optimal_set_out (struct d_optimal *design, size_t i, bool out);

#endif /* !SELECTION_D_OPTIMAL_H */
