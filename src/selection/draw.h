/* SPDX-License-Identifier: BSD-3-Clause */
/* draw.h - the first 'quota' frames of an order, the same ones however the
 * frames are shared out
 *
 * Each frame gets a key; the frames with the smallest keys win, and (task,
 * part, step, atom) decides between equal keys.  A draw holds the winners so
 * far, so memory is the quota, and draws of parts merge into the draw of the
 * whole.
 */
#ifndef SELECTION_DRAW_H
#define SELECTION_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No place: the frame is to be found by its step. */
#define DRAWN_NOWHERE UINT64_MAX

struct drawn {
    uint64_t key;
    int64_t task;
    int64_t part; /* of the task: a bead, a section of its deviations */
    int64_t step;
    int64_t atom;   /* of the frame, from 1; 0: it is about all of them */
    uint64_t place; /* where the frame is: the caller's business */
    double deviation;
};

/* A heap, largest key first, until it is sorted. */
struct draw {
    size_t quota;
    struct drawn *frames;
    size_t n;
    size_t alloc;
};

/* By (task, part, step, atom): less than, equal to or greater than 0; for
 * struct drawn.
 */
int drawn_compare (const void *a, const void *b);

/* Keys: at random, by hashing (seed, task, step, and the part and the atom as
 * far as they are not 0);
 * and by the largest deviation, which must not be negative.
 */
uint64_t drawn_random_key (uint64_t seed, const struct drawn *frame);
uint64_t drawn_largest_key (const struct drawn *frame);

/* The random keys of n frames that differ in their steps alone: keys[i] is that
 * of 'frame' at steps[i].
 */
void drawn_random_keys (uint64_t seed,
                        const struct drawn *frame,
                        const int64_t *steps,
                        size_t n,
                        uint64_t *keys);

/* Does 'a' win against 'b'? */
bool drawn_wins (const struct drawn *a, const struct drawn *b);

void draw_init (struct draw *draw, size_t quota);

/* Legal twice. */
void draw_release (struct draw *draw);

/* Forget the frames, keep the memory. */
void draw_reset (struct draw *draw);

/* The largest key that might get in. */
static inline uint64_t draw_limit (const struct draw *draw)
{
    if (draw->n < draw->quota)
        return UINT64_MAX;
    return draw->n > 0 ? draw->frames[0].key : 0;
}

/* Offer frames with their keys; (task, part, step, atom) must be unique. */
void draw_offer (struct draw *draw, const struct drawn *frames, size_t n);

/* Sort by (key, task, part, step, atom), best first, or without the key;
 * nothing can be offered afterwards.
 */
void draw_rank (struct draw *draw);
void drawn_sort (struct drawn *frames, size_t n);

#endif /* !SELECTION_DRAW_H */
