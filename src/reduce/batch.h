/* SPDX-License-Identifier: BSD-3-Clause */
/* batch.h - of the pool of each group, a batch of frames that differ
 *
 * Ranks share the candidates of a group (batch_rows.h), whose batch does not
 * depend on their number (batch_pick.h).
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
