/* SPDX-License-Identifier: BSD-3-Clause */
/* batch_pick.h - which candidates of one group make a batch
 *
 * Collective.  One pick is one maximum over the ranks, of equal values the
 * first by task, part, step and atom, and the row of the candidate, which its
 * rank gives to all: about 16 + 4 d bytes; to cover all ranks have all rows.
 * What is computed of a candidate
 * does not depend on which rank has it.
 */
#ifndef REDUCE_BATCH_PICK_H
#define REDUCE_BATCH_PICK_H

struct batch_rows;

/* Set picked[] to 'quota' candidates or fewer, by number, in no order, and *n,
 * on all ranks; it has room for all.  -1 on all ranks: what is labelled cannot
 * be read, or there are too many candidates.
 */
int batch_pick_farthest (struct batch_rows *batch, size_t quota, size_t *picked,
                         size_t *n, struct error *err);
int batch_pick_d_optimal (struct batch_rows *batch, size_t quota,
                          size_t *picked, size_t *n, struct error *err);
int batch_pick_cover (struct batch_rows *batch, size_t quota, size_t *picked,
                      size_t *n, struct error *err);

/* Give the row of candidate 'i' to all. */
void batch_share_row (const struct batch_rows *batch, size_t i, float *row);

/* Of all ranks' values the largest, and who has it: 'i' is a candidate of ours.
 */
double batch_best (const struct batch_rows *batch, double value, size_t *i);

/* Is candidate 'i' one of ours? */
bool batch_is_own (const struct batch_rows *batch, size_t i);

#endif /* !REDUCE_BATCH_PICK_H */
