/* SPDX-License-Identifier: BSD-3-Clause */
/* share.h - which rank reads which bytes
 *
 * The files are laid end to end and cut into as many pieces as there are ranks.
 * A cut goes through a file when that can be read from the middle, and between
 * two files otherwise.
 */
#ifndef REDUCE_SHARE_H
#define REDUCE_SHARE_H

/* Byte 'byte' of file 'file'; the end of everything is byte 0 of file n. */
struct share_cut {
    uint64_t file;
    uint64_t byte;
};

/* Files smaller than this are not cut. */
enum { SHARE_LEAST_BYTES = 1 << 20 };

/* Set cuts[0..n_ranks] so that rank r reads [cuts[r], cuts[r + 1]) and ranks
 * have about as much to do: the bytes of n files, and something for opening
 * each.  'can_split' is asked about the few files that a cut would go through
 * (NULL: none can).
 * Pure: the same numbers and answers, the same cuts.
 */
void share_bytes (const uint64_t *bytes, size_t n, int n_ranks,
                  bool (*can_split) (size_t file, void *arg), void *arg,
                  struct share_cut *cuts);

#endif /* !REDUCE_SHARE_H */
