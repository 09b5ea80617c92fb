/* SPDX-License-Identifier: BSD-3-Clause */
/* like_frames.h - frames that are the same, or the same but for a strain
 *
 * Of each frame a few numbers are kept: of its elements, its cell, and
 *
 *   sum over atoms i of w_ij cos (2 pi (s_ik - s_0k) + phase),
 *   k = 0, 1, 2, with two phases each
 *
 * where s are fractions of the cell's vectors and w_ij in [-1, 1] belong to the
 * place of the atom in the list.  They do not change when atoms are shifted as
 * a whole, put back into the cell, or strained with it; frames that agree in
 * all of them have the same fractions, unless six numbers agree by chance.  The
 * sum is no mean, so that one atom that has moved shows among however many.
 */
#ifndef SELECTION_LIKE_FRAMES_H
#define SELECTION_LIKE_FRAMES_H

#include "selection/dataset/frame_mark.h"

struct frame;

/* Fractions agree when the numbers do to so much, cells in angstrom. */
#define LIKE_FRAMES_TOLERANCE 1e-4

enum { LIKE_FRAMES_NUMBERS = 6 };

struct like_frame {
    uint64_t key; /* of the elements, in order */
    double numbers[LIKE_FRAMES_NUMBERS];
    double cell[9];
    double virial[9];
    double energy;
    size_t n_atoms;
    bool has_labels; /* energy and virial */
    struct frame_mark mark;
    size_t order; /* in which it came */
};

struct like_frames {
    struct like_frame *v;
    size_t n;
    size_t alloc;
};

#define LIKE_FRAMES_INIT                                                       \
    {                                                                          \
        NULL, 0, 0                                                             \
    }

/* A frame without atoms, or with numbers that are not finite, is passed over.
 */
void like_frames_add (struct like_frames *frames, const struct frame *frame,
                      struct frame_mark mark);
void like_frames_release (struct like_frames *frames);

/* Call 'same' for each frame that is the same as an earlier one (once, with the
 * first of them), and 'strained' for pairs of which the second is the first
 * one strained: for each frame the few that follow it by volume.  Sorts the
 * frames.
 */
void like_frames_each (struct like_frames *frames,
                       void (*same) (const struct like_frame *first,
                                     const struct like_frame *again, void *arg),
                       void (*strained) (const struct like_frame *a,
                                         const struct like_frame *b, void *arg),
                       void *arg);

#endif /* !SELECTION_LIKE_FRAMES_H */
