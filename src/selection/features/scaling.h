/* SPDX-License-Identifier: BSD-3-Clause */
/* scaling.h - features, so that their distances mean something
 *
 *   none       as they are
 *   standard   each less its mean, over its standard deviation
 *   whiten     besides, without what follows from the features before it: the
 *              distances are those of Mahalanobis (rows times the inverse of a
 *              Cholesky factor of the covariances)
 *
 * Constant features are dropped; by whiten also those of which less than 1e-6
 * of the variance does not follow from others.
 *
 * Moments are sums of whole numbers: once the ranges are known, a feature is
 * taken as a fraction of its range with so many bits that the sum of all rows
 * fits 64.  So they do not depend on who adds what first.
 */
#ifndef SELECTION_SCALING_H
#define SELECTION_SCALING_H

enum { FEATURES_MAX = 4096 }; /* in a row */

enum feature_scale { SCALE_NONE, SCALE_STANDARD, SCALE_WHITEN };

struct feature_moments {
    enum feature_scale scale;
    size_t width;
    double *ranges; /* the largest of each feature, then of its negative */
    uint64_t *sums; /* of each, then of products; modulo 2^64 */
    size_t n_sums;
    double unit;      /* of the sums */
    uint64_t n_rows;  /* that are added, by all */
    double *fraction; /* of one row */
};

/* Of rows of 'width' features, FEATURES_MAX at most. */
void feature_moments_init (struct feature_moments *moments, size_t width,
                           enum feature_scale scale);
void feature_moments_release (struct feature_moments *moments);

/* First all rows are seen, then n_rows of them are added.  Of ranks the ranges
 * become the largest in between, and the sums are summed in the end; n_rows are
 * those of all ranks.
 */
void feature_moments_see (struct feature_moments *moments, const double *row);
void feature_moments_begin (struct feature_moments *moments, uint64_t n_rows);
void feature_moments_add (struct feature_moments *moments, const double *row);

struct scaling {
    size_t n_features; /* of a row before, */
    size_t width;      /* and after */
    size_t *kept;      /* 'width' of them, in order */
    double *offset;    /* of those that are kept */
    double *factor;
    double *cholesky; /* lower triangle by rows; NULL: not whitened */
};

#define SCALING_INIT                                                           \
    {                                                                          \
        0                                                                      \
    }

/* Where all rows are the same its width is 0.  'scaling' must be initialised.
 */
void scaling_make (const struct feature_moments *moments,
                   struct scaling *scaling);
void scaling_release (struct scaling *scaling);

/* 'scaled' has room for scaling->width. */
void scaling_apply (const struct scaling *scaling, const double *row,
                    double *scaled);

#endif /* !SELECTION_SCALING_H */
