/* SPDX-License-Identifier: BSD-3-Clause */
/* inspect.h - is what a deviation belongs to a structure worth a label?
 *
 * Before the quota, so that it is filled: of candidates that were drawn, those
 * whose structure cannot be used are passed over.
 */
#ifndef REDUCE_INSPECT_H
#define REDUCE_INSPECT_H

struct frame;
struct sampled;
struct selection_input;

enum verdict {
    VERDICT_USABLE,
    VERDICT_NO_FRAME, /* the trajectory holds no (whole) frame of the step */
    VERDICT_BAD_BOX,  /* what input->rules.filters refuse: */
    VERDICT_TOO_CLOSE,
    VERDICT_NO_VACUUM,
    VERDICT_DUPLICATE, /* it has a label */
    VERDICTS,
};

/* What was found out about a frame; sums over the ranks, of which one looks. */
struct inspected {
    uint64_t verdict;
    uint64_t place; /* where the frame starts in its file */
};

/* Numbers of a frame's fingerprint; 0 when none is needed. */
size_t inspect_fingerprint_size (const struct selection_input *input);

/* Set print[0 .. inspect_fingerprint_size () - 1]. */
void inspect_fingerprint (const struct selection_input *input,
                          const struct frame *frame, double *print);

/* Look at those of the frames (in the order of sampled_sort) that are rank's of
 * n_ranks: all of a trajectory are one rank's.  Entries of others are zeros.
 * fingerprints[i * inspect_fingerprint_size ()] is where that of frame i goes.
 * -1: a trajectory cannot be read; *at is the number of the frame.
 */
int inspect_frames (const struct selection_input *input,
                    const struct sampled *frames, size_t n, int rank,
                    int n_ranks, struct inspected *inspected,
                    double *fingerprints, size_t *at, struct error *err);

#endif /* !REDUCE_INSPECT_H */
