/* SPDX-License-Identifier: BSD-3-Clause */
/* draw.c - the first 'quota' frames of an order, the same ones however the
 * frames are shared out
 */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "selection/draw.h"

int drawn_compare (const void *a, const void *b)
{
    const struct drawn *x = a, *y = b;

    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return (x->atom > y->atom) - (x->atom < y->atom);
}

bool drawn_wins (const struct drawn *a, const struct drawn *b)
{
    if (a->key != b->key)
        return a->key < b->key;
    return drawn_compare (a, b) < 0;
}

uint64_t drawn_random_key (uint64_t seed, const struct drawn *frame)
{
    const uint64_t words[4] = { (uint64_t)frame->task, (uint64_t)frame->step,
                                (uint64_t)frame->part, (uint64_t)frame->atom };

    return hash_words (seed, words,
                       frame->atom != 0   ? 4
                       : frame->part != 0 ? 3
                                          : 2);
}

void drawn_random_keys (uint64_t seed,
                        const struct drawn *frame,
                        const int64_t *steps,
                        size_t n,
                        uint64_t *keys)
{
    struct drawn one = *frame;

    if (frame->part == 0 && frame->atom == 0) {
        hash_pairs (seed, (uint64_t)frame->task, (const uint64_t *)steps, n,
                    keys);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        one.step = steps[i];
        keys[i] = drawn_random_key (seed, &one);
    }
}

/* The bits of doubles that are not negative count upwards with them. */
uint64_t drawn_largest_key (const struct drawn *frame)
{
    double deviation = frame->deviation + 0.0; /* no negative zero */
    uint64_t bits;

    memcpy (&bits, &deviation, sizeof (bits));
    return ~bits;
}

void draw_init (struct draw *draw, size_t quota)
{
    *draw = (struct draw){ .quota = quota };
}

void draw_release (struct draw *draw)
{
    free (draw->frames);
    draw_init (draw, draw->quota);
}

void draw_reset (struct draw *draw)
{
    draw->n = 0;
}

static void swap (struct drawn *a, struct drawn *b)
{
    struct drawn kept = *a;

    *a = *b;
    *b = kept;
}

/* Move the last frame up until its parent loses to nobody below. */
static void sift_up (struct draw *draw)
{
    size_t i = draw->n - 1;

    while (i > 0 && drawn_wins (&draw->frames[(i - 1) / 2], &draw->frames[i])) {
        swap (&draw->frames[(i - 1) / 2], &draw->frames[i]);
        i = (i - 1) / 2;
    }
}

/* Move the first frame down until both children win against it. */
static void sift_down (struct draw *draw)
{
    size_t i = 0;

    for (;;) {
        size_t worst = i;

        for (size_t child = 2 * i + 1; child <= 2 * i + 2; child++) {
            if (child < draw->n
                && drawn_wins (&draw->frames[worst], &draw->frames[child]))
                worst = child;
        }
        if (worst == i)
            return;
        swap (&draw->frames[worst], &draw->frames[i]);
        i = worst;
    }
}

static void insert (struct draw *draw, const struct drawn *frame)
{
    if (draw->n < draw->quota) {
        draw->frames = grow_array (draw->frames, draw->n, &draw->alloc,
                                   sizeof (*draw->frames));
        draw->frames[draw->n++] = *frame;
        sift_up (draw);
    } else if (draw->n > 0 && drawn_wins (frame, &draw->frames[0])) {
        draw->frames[0] = *frame;
        sift_down (draw);
    }
}

void draw_offer (struct draw *draw, const struct drawn *frames, size_t n)
{
    for (size_t i = 0; i < n; i++)
        insert (draw, &frames[i]);
}

static int compare_keys (const void *a, const void *b)
{
    const struct drawn *x = a, *y = b;

    return drawn_wins (y, x) - drawn_wins (x, y);
}

void draw_rank (struct draw *draw)
{
    if (draw->n > 1)
        qsort (draw->frames, draw->n, sizeof (*draw->frames), compare_keys);
}

void drawn_sort (struct drawn *frames, size_t n)
{
    if (n > 1)
        qsort (frames, n, sizeof (*frames), drawn_compare);
}
