/* SPDX-License-Identifier: BSD-3-Clause */
/* candidate_pool.h - the candidates that were drawn, and what is known of them
 */
#ifndef REDUCE_CANDIDATE_POOL_H
#define REDUCE_CANDIDATE_POOL_H

#include "reduce/inspect.h"
#include "selection/sampling/top_k.h"

/* The same on all ranks. */
struct candidate_pool {
    struct sampled *frames; /* in the order of sampled_sort */
    struct inspected *inspected;
    double *fingerprints; /* 'size' numbers each */
    size_t size;
    size_t n;
};

#endif /* !REDUCE_CANDIDATE_POOL_H */
