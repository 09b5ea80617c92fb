/* SPDX-License-Identifier: BSD-3-Clause */
/* batch_rows.h - the features of the candidates of one group, scaled
 *
 * Ranks share the candidates: each holds the rows of its own, 4 bytes a
 * feature.
 */
#ifndef REDUCE_BATCH_ROWS_H
#define REDUCE_BATCH_ROWS_H

#include "selection/features/scaling.h"

struct candidate_pool;
struct feature_place;
struct selection_input;

struct batch_rows {
    const struct selection_input *input; /* lent, as is */
    const struct candidate_pool *pool;
    const size_t *members; /* of the pool, in its order: the candidates */
    size_t n;              /* of all ranks */
    size_t begin, end;     /* those of this rank */
    struct feature_place *places;
    double *forces; /* of ours, if they are the weight */
    struct scaling scaling;
    float *rows; /* of ours: 'width' numbers each */
    size_t width;
    uint64_t n_labelled;
};

#define BATCH_ROWS_INIT                                                        \
    {                                                                          \
        .scaling = SCALING_INIT                                                \
    }

/* Collective: read the features of the candidates.  input, pool, members and n
 * are set, the rest is initialised.  -1 on all ranks when that fails on one.
 */
int batch_rows_load (struct batch_rows *batch, struct error *err);
void batch_rows_release (struct batch_rows *batch);

/* Who has candidate i. */
int batch_rows_owner (const struct batch_rows *batch, size_t i);

/* Call 'each' for all labelled rows, scaled.  -1: one cannot be read. */
int batch_rows_each_labelled (struct batch_rows *batch,
                              void (*each) (const float *row, void *arg),
                              void *arg, struct error *err);

#endif /* !REDUCE_BATCH_ROWS_H */
