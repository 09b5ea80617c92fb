/* SPDX-License-Identifier: BSD-3-Clause */
/* draw.h - draw at most 'quota' frames at random, the same ones however the
 * frames are shared out
 *
 * Each candidate gets a key by hashing (seed, task, step); the frames with the
 * smallest keys win, and (task, step) decides between equal keys.  A draw
 * holds the winners so far, so memory is the quota, and draws of parts merge
 * into the draw of the whole.
 */
#ifndef SELECTION_DRAW_H
#define SELECTION_DRAW_H

#include <stddef.h>
#include <stdint.h>

struct drawn {
    uint64_t key;
    int64_t task;
    int64_t step;
    uint64_t place; /* where the frame is: the caller's business */
    double deviation;
};

/* A heap, largest key first, until it is sorted. */
struct draw {
    uint64_t seed;
    size_t quota;
    struct drawn *frames;
    size_t n;
    size_t alloc;
};

void draw_init (struct draw *draw, uint64_t seed, size_t quota);

/* Legal twice. */
void draw_release (struct draw *draw);

/* Offer a frame; (task, step) must be unique.  Its key is filled in. */
void draw_offer (struct draw *draw, struct drawn frame);

/* Offer the n winners of another draw of the same seed. */
void draw_merge (struct draw *draw, const struct drawn *frames, size_t n);

/* Sort by (task, step); nothing can be offered afterwards. */
void draw_sort (struct draw *draw);

#endif /* !SELECTION_DRAW_H */
