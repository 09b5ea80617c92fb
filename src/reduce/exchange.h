/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange.h - what the ranks tell each other
 *
 * Every function is collective: all ranks call it, in the same order.  Numbers
 * travel as 64-bit words, in pieces that fit MPI's int counts.  Failures of
 * MPI itself end the program (MPI_ERRORS_ARE_FATAL).
 */
#ifndef REDUCE_EXCHANGE_H
#define REDUCE_EXCHANGE_H

struct frame_stats;

int exchange_rank (void);
int exchange_ranks (void);

/* Give rank 0's words (text) to all. */
void exchange_share (uint64_t *words, size_t n);
void exchange_share_text (struct strbuf *text);

/* Replace each word by its sum over the ranks (each value by the largest). */
void exchange_sum (uint64_t *words, size_t n);
void exchange_max (double *values, size_t n);

/* The largest value of all ranks and its place, of equal ones the smallest;
 * places are at most INT_MAX.
 */
void exchange_best (double *value, uint64_t *place);

/* Give the n numbers of rank 'owner' to all. */
void exchange_row (int owner, float *row, size_t n);

/* Merge the ranks' statistics: everybody has all sums then.  Samples go to rank
 * 0 alone (the others' are left in an unspecified state): log2 (ranks) rounds
 * of at most what the samples hold.
 */
void exchange_stats (struct frame_stats *stats);

/* Give rank 0's lower levels to all. */
void exchange_levels (struct frame_stats *stats);

/* Every rank's n words to all, in the order of ranks; all has room for n *
 * ranks.
 */
void exchange_all (const uint64_t *words, size_t n, uint64_t *all);

/* Agree on whether all is well.  'place' orders failures; INT64_MAX: none
 * here.  0, or -1 on all ranks when any failed; 'err' is then that of the
 * smallest place everywhere.
 */
int exchange_failure (int64_t place, struct error *err);

/* The same of what each rank did, negative where it failed; by rank. */
int exchange_rc (int rc, struct error *err);

#endif /* !REDUCE_EXCHANGE_H */
