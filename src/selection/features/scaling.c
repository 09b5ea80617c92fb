/* SPDX-License-Identifier: BSD-3-Clause */
/* scaling.c - features of candidates, so that their distances mean something */
#include "base/base.h"

#include "selection/features/scaling.h"

static const double rounding = 0x1p-22; /* of 32-bit numbers, a few times */
static const double least_left = 1e-6;  /* of a variance */

/* Where a product of features i >= j stands. */
static size_t pair_at (const struct feature_moments *moments, size_t i,
                       size_t j)
{
    return moments->width
           + (moments->scale == SCALE_WHITEN ? i * (i + 1) / 2 + j : i);
}

void feature_moments_init (struct feature_moments *moments, size_t width,
                           enum feature_scale scale)
{
    *moments = (struct feature_moments){ .scale = scale, .width = width };
    moments->ranges = xcalloc (2 * width, sizeof (*moments->ranges));
    for (size_t i = 0; i < 2 * width; i++)
        moments->ranges[i] = -INFINITY;
    moments->n_sums =
        width > 0 ? pair_at (moments, width - 1, width - 1) + 1 : 0;
    moments->sums = xcalloc (moments->n_sums, sizeof (*moments->sums));
    moments->fraction = xcalloc (width, sizeof (*moments->fraction));
}

void feature_moments_release (struct feature_moments *moments)
{
    free (moments->ranges);
    free (moments->sums);
    free (moments->fraction);
    *moments = (struct feature_moments){ 0 };
}

void feature_moments_see (struct feature_moments *moments, const double *row)
{
    size_t width = moments->width;

    for (size_t i = 0; i < width; i++) {
        moments->ranges[i] = fmax (moments->ranges[i], row[i]);
        moments->ranges[width + i] = fmax (moments->ranges[width + i], -row[i]);
    }
}

/* Halves, so that nothing overflows. */
static double middle (const struct feature_moments *moments, size_t i)
{
    return moments->ranges[i] / 2 - moments->ranges[moments->width + i] / 2;
}

static double half_range (const struct feature_moments *moments, size_t i)
{
    return moments->ranges[i] / 2 + moments->ranges[moments->width + i] / 2;
}

static bool is_constant (const struct feature_moments *moments, size_t i)
{
    double largest = fmax (fabs (moments->ranges[i]),
                           fabs (moments->ranges[moments->width + i]));

    return !(2 * half_range (moments, i) > rounding * largest);
}

void feature_moments_begin (struct feature_moments *moments, uint64_t n_rows)
{
    int bits = 62;

    for (uint64_t n = n_rows; n > 0; n /= 2)
        bits--;
    moments->n_rows = n_rows;
    moments->unit = ldexp (1, -bits);
}

static uint64_t in_units (const struct feature_moments *moments,
                          double fraction)
{
    return (uint64_t)llrint (fraction / moments->unit);
}

void feature_moments_add (struct feature_moments *moments, const double *row)
{
    double *z = moments->fraction;

    if (moments->scale == SCALE_NONE)
        return;
    for (size_t i = 0; i < moments->width; i++) {
        z[i] = is_constant (moments, i)
                   ? 0
                   : (row[i] - middle (moments, i)) / half_range (moments, i);
        moments->sums[i] += in_units (moments, z[i]);
        for (size_t j = moments->scale == SCALE_WHITEN ? 0 : i; j <= i; j++)
            moments->sums[pair_at (moments, i, j)] +=
                in_units (moments, z[i] * z[j]);
    }
}

/* --- what is made of them --- */

static double mean_at (const struct feature_moments *moments, size_t at)
{
    return (double)(int64_t)moments->sums[at] * moments->unit
           / (double)moments->n_rows;
}

/* Of fractions of the ranges. */
static double covariance (const struct feature_moments *moments, size_t i,
                          size_t j)
{
    return mean_at (moments, pair_at (moments, i, j))
           - mean_at (moments, i) * mean_at (moments, j);
}

/* Row 'width' of the Cholesky factor, of the correlations of feature i with
 * those that are kept; false: it follows from them.
 */
static bool add_cholesky_row (const struct feature_moments *moments,
                              struct scaling *scaling, size_t i)
{
    size_t n = scaling->width;
    double *own = scaling->cholesky + n * (n + 1) / 2;
    double left = 1, variance = covariance (moments, i, i);

    for (size_t k = 0; k < n; k++) {
        const double *row = scaling->cholesky + k * (k + 1) / 2;
        size_t j = scaling->kept[k];
        double sum = covariance (moments, i, j)
                     / sqrt (variance * covariance (moments, j, j));

        for (size_t l = 0; l < k; l++)
            sum -= own[l] * row[l];
        own[k] = sum / row[k];
        left -= own[k] * own[k];
    }
    own[n] = sqrt (fmax (left, 0));
    return left > least_left;
}

static void keep (const struct feature_moments *moments,
                  struct scaling *scaling, size_t i)
{
    size_t at = scaling->width++;
    double half = half_range (moments, i);

    scaling->kept[at] = i;
    scaling->offset[at] = middle (moments, i);
    scaling->factor[at] = 1;
    if (moments->scale != SCALE_NONE) {
        scaling->offset[at] += mean_at (moments, i) * half;
        scaling->factor[at] = 1 / (half * sqrt (covariance (moments, i, i)));
    }
}

void scaling_make (const struct feature_moments *moments,
                   struct scaling *scaling)
{
    size_t n = moments->width;
    struct scaling made = { .n_features = n };

    made.kept = xcalloc (n, sizeof (*made.kept));
    made.offset = xcalloc (n, sizeof (*made.offset));
    made.factor = xcalloc (n, sizeof (*made.factor));
    if (moments->scale == SCALE_WHITEN)
        made.cholesky = xcalloc (n * (n + 1) / 2, sizeof (*made.cholesky));
    for (size_t i = 0; i < n; i++) {
        if (!is_constant (moments, i)
            && (!made.cholesky || add_cholesky_row (moments, &made, i)))
            keep (moments, &made, i);
    }
    *scaling = made;
}

void scaling_release (struct scaling *scaling)
{
    free (scaling->kept);
    free (scaling->offset);
    free (scaling->factor);
    free (scaling->cholesky);
    *scaling = (struct scaling)SCALING_INIT;
}

void scaling_apply (const struct scaling *scaling, const double *row,
                    double *scaled)
{
    for (size_t k = 0; k < scaling->width; k++) {
        const double *l =
            scaling->cholesky ? scaling->cholesky + k * (k + 1) / 2 : NULL;
        double sum =
            (row[scaling->kept[k]] - scaling->offset[k]) * scaling->factor[k];

        for (size_t j = 0; l && j < k; j++)
            sum -= l[j] * scaled[j];
        scaled[k] = l ? sum / l[k] : sum;
    }
}
