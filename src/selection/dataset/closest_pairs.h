/* SPDX-License-Identifier: BSD-3-Clause */
/* closest_pairs.h - how close atoms of any two elements come in a set of frames
 *
 * Images along periodic directions count, an atom's own, too.
 */
#ifndef SELECTION_CLOSEST_PAIRS_H
#define SELECTION_CLOSEST_PAIRS_H

#include "formats/frame.h"
#include "selection/dataset/frame_mark.h"

/* Angstrom; farther pairs are not looked for. */
#define CLOSEST_PAIRS_REACH 6.0

/* Angstrom; in a cell lower than this along a periodic direction an atom has
 * thousands of images within the reach.
 */
#define CLOSEST_PAIRS_HEIGHT 0.5

struct closest_pair {
    char symbols[2][SYMBOL_SIZE]; /* the earlier by name first */
    double distance; /* A; above the reach: none was found within it */
    struct frame_mark mark;
};

struct closest_pairs {
    struct closest_pair *v; /* of each two elements that some frame has */
    size_t n;
    size_t alloc;
    uint64_t n_flat; /* frames passed over for a cell that is too low */
    struct frame_mark first_flat;
};

#define CLOSEST_PAIRS_INIT                                                     \
    {                                                                          \
        .v = NULL                                                              \
    }

/* Look at the pairs of a frame.  One with numbers that are not finite is passed
 * over, one in a cell that is too low counted.
 */
void closest_pairs_add (struct closest_pairs *pairs, const struct frame *frame,
                        struct frame_mark mark);
void closest_pairs_release (struct closest_pairs *pairs);

#endif /* !SELECTION_CLOSEST_PAIRS_H */
