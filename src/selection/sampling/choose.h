/* SPDX-License-Identifier: BSD-3-Clause */
/* choose.h - from the candidates that were drawn, those to be labelled */
#ifndef SELECTION_CHOOSE_H
#define SELECTION_CHOOSE_H

#include "selection/sampling/top_k.h"

struct frame_stats;

/* How many frames each sample of the statistics should hold so that the quotas
 * can nearly always be met although some candidates are refused.
 */
size_t choose_pool_size (const struct frame_stats *stats, bool may_refuse);

/* Set chosen[] to the frames of all groups (*n of them, by task, part and step;
 * caller frees), those for which accept() is false being passed over (NULL:
 * takes all).  The statistics' samples are ranked for that.  Returns false when
 * a quota was missed although there are candidates that were not held, unless
 * 'last': draw more, then choose again.
 *
 *   random, max          by key
 *   stratified           from each bin in turn, by key within it
 *   inverse_population   at random with the probability 1/(candidates in its
 *                        bin), without replacement: smallest -log (1 - u) *
 * count
 *
 *                        (P. S. Efraimidis and P. G. Spirakis, "Weighted random
 *                        sampling with a reservoir", 2006)
 *   diverse, fps, cover, doptimal
 *                        by key: a pool of rules->pool times the quota, which
 *                        farthest_points, or a batch (batch.h), thins out
 */
bool choose_frames (struct frame_stats *stats,
                    bool (*accept) (const struct sampled *frame, void *arg),
                    void *arg, bool last, struct sampled **chosen, size_t *n);

#endif /* !SELECTION_CHOOSE_H */
