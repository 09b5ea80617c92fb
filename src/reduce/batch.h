/* SPDX-License-Identifier: BSD-3-Clause */
/* batch.h - of the pool of each group, a batch of frames that differ
 *
 * Ranks share the candidates.  One pick is one maximum over the ranks, of equal
 * values the first by task, part, step and atom, and the row of the candidate,
 * which its rank gives to all: about 16 + 4 d bytes a pick.  Nothing that is
 * computed depends on which rank has a candidate, so the batch does not depend
 * on the number of ranks.
 */
#ifndef REDUCE_BATCH_H
#define REDUCE_BATCH_H

struct candidate_pool;
struct frame_stats;
struct selection;
struct selection_input;

/* Collective: leave a batch of the frames that rank 0 has chosen from the pool,
 * as many as the quotas at most.  What equals a labelled or picked frame is
 * not picked.  -1 on all ranks when features cannot be used.
 */
int batch_select (const struct selection_input *input,
                  const struct frame_stats *stats,
                  const struct candidate_pool *pool,
                  struct selection *selection, struct error *err);

#endif /* !REDUCE_BATCH_H */
