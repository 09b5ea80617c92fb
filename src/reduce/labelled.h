/* SPDX-License-Identifier: BSD-3-Clause */
/* labelled.h - which candidates have a label already
 *
 * Candidates are put aside until there are enough of them, then the labelled
 * frames stream by.  Memory is LABELLED_BYTES of candidates and one frame.
 */
#ifndef REDUCE_LABELLED_H
#define REDUCE_LABELLED_H

struct frame;
struct selection_input;

enum { LABELLED_BYTES = 64 << 20 };

struct labelled_candidate;

/* Candidates put aside. */
struct labelled {
    const struct selection_input *input;
    struct labelled_candidate *candidates;
    size_t n;
    size_t alloc;
    size_t bytes;
};

void labelled_init (struct labelled *labelled,
                    const struct selection_input *input);
void labelled_release (struct labelled *labelled);

/* Put a candidate aside (the frame is taken over and initialised).  *verdict
 * becomes VERDICT_DUPLICATE, now or by labelled_finish, when it is among the
 * frames of input->labelled.  -1: one of these files cannot be read.
 */
int labelled_add (struct labelled *labelled, struct frame *frame,
                  uint64_t *verdict, struct error *err);

/* Judge those that are still aside. */
int labelled_finish (struct labelled *labelled, struct error *err);

#endif /* !REDUCE_LABELLED_H */
