/* SPDX-License-Identifier: BSD-3-Clause */
/* distinct_frames.h - a set of frames in which none is there twice
 *
 * Two are the same when duplicate_same says so, to
 * DISTINCT_FRAMES_TOLERANCE, and they repeat along the same directions and have
 * the same fparam and aparam, on which labels depend, too.  Memory: elements
 * and positions of all.
 */
#ifndef SELECTION_DISTINCT_FRAMES_H
#define SELECTION_DISTINCT_FRAMES_H

#include "formats/frame.h"
#include "selection/dataset/frame_mark.h"

#define DISTINCT_FRAMES_TOLERANCE 1e-3 /* A */

struct distinct_frame {
    struct frame frame; /* without forces; its info: fparam and aparam */
    struct frame_mark mark;
};

struct distinct_place;

struct distinct_frames {
    struct distinct_frame *v; /* in the order in which they came */
    size_t n, alloc;
    struct distinct_place *places; /* of each */
    size_t places_alloc;
    size_t *newest; /* of those with one remainder of their key */
};

#define DISTINCT_FRAMES_INIT                                                   \
    {                                                                          \
        NULL, 0, 0, NULL, 0, NULL                                              \
    }

/* NULL: the frame was added, taken over, and is empty now.  Else the one that
 * is the same, lent until the next call; 'frame' stays as it is.
 */
const struct distinct_frame *distinct_frames_add (struct distinct_frames *set,
                                                  struct frame *frame,
                                                  struct frame_mark mark);
void distinct_frames_release (struct distinct_frames *set);

#endif /* !SELECTION_DISTINCT_FRAMES_H */
