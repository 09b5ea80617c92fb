/* SPDX-License-Identifier: BSD-3-Clause */
/* farthest.c - a batch that differs: farthest points */
#include "base/base.h"

#include "selection/batch/farthest.h"
#include "selection/batch/row_distance.h"

void farthest_init (struct farthest *farthest, const float *rows, size_t n,
                    size_t width, const double *weights)
{
    *farthest = (struct farthest){ rows, n, width, weights, NULL };
    farthest->nearest = xcalloc (n, sizeof (*farthest->nearest));
    for (size_t i = 0; i < n; i++)
        farthest->nearest[i] = INFINITY;
}

void farthest_release (struct farthest *farthest)
{
    free (farthest->nearest);
    farthest->nearest = NULL;
}

void farthest_meet (struct farthest *farthest, const float *row)
{
    for (size_t i = 0; i < farthest->n; i++) {
        double squared = row_distance (farthest->rows + i * farthest->width,
                                       row, farthest->width);

        if (squared < farthest->nearest[i])
            farthest->nearest[i] = squared;
    }
}

/* Nothing is infinitely far by a weight of zero. */
static double value_of (const struct farthest *farthest, size_t i)
{
    double weight = farthest->weights ? farthest->weights[i] : 1;

    if (farthest->nearest[i] < 0)
        return -1;
    return weight > 0 ? weight * sqrt (farthest->nearest[i]) : 0;
}

double farthest_best (const struct farthest *farthest, size_t *best)
{
    double largest = -1;

    *best = 0;
    for (size_t i = 0; i < farthest->n; i++) {
        double value = value_of (farthest, i);

        if (value > largest) {
            largest = value;
            *best = i;
        }
    }
    return largest;
}

void farthest_take (struct farthest *farthest, size_t i)
{
    farthest->nearest[i] = -1;
}
