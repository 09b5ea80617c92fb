/* SPDX-License-Identifier: BSD-3-Clause */
/* share.h - which rank reads which trajectory */
#ifndef REDUCE_SHARE_H
#define REDUCE_SHARE_H

#include <stddef.h>
#include <stdint.h>

/* Set owner[i], in 0..n_ranks-1, of each of n trajectories so that ranks read
 * about as many bytes each: the largest first, each to the rank that has least
 * (R. L. Graham, "Bounds on multiprocessing timing anomalies", 1969).  Pure:
 * the same numbers, the same owners.
 */
void share_trajectories (const uint64_t *bytes,
                         size_t n,
                         int n_ranks,
                         int *owner);

#endif /* !REDUCE_SHARE_H */
