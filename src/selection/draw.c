/* SPDX-License-Identifier: BSD-3-Clause */
/* draw.c - draw at most 'quota' frames, the same ones however they are shared
 */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "selection/draw.h"

static int compare_places (const void *a, const void *b)
{
    const struct drawn *x = a, *y = b;

    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    return (x->step > y->step) - (x->step < y->step);
}

static bool wins (const struct drawn *a, const struct drawn *b)
{
    if (a->key != b->key)
        return a->key < b->key;
    return compare_places (a, b) < 0;
}

void draw_init (struct draw *draw, uint64_t seed, size_t quota)
{
    *draw = (struct draw){ .seed = seed, .quota = quota };
}

void draw_release (struct draw *draw)
{
    free (draw->frames);
    draw_init (draw, draw->seed, draw->quota);
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

    while (i > 0 && wins (&draw->frames[(i - 1) / 2], &draw->frames[i])) {
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
                && wins (&draw->frames[worst], &draw->frames[child]))
                worst = child;
        }
        if (worst == i)
            return;
        swap (&draw->frames[worst], &draw->frames[i]);
        i = worst;
    }
}

/* 'frame' has its key. */
static void insert (struct draw *draw, const struct drawn *frame)
{
    if (draw->n < draw->quota) {
        draw->frames = grow_array (draw->frames, draw->n, &draw->alloc,
                                   sizeof (*draw->frames));
        draw->frames[draw->n++] = *frame;
        sift_up (draw);
    } else if (draw->n > 0 && wins (frame, &draw->frames[0])) {
        draw->frames[0] = *frame;
        sift_down (draw);
    }
}

void draw_offer (struct draw *draw, struct drawn frame)
{
    const uint64_t words[2] = { (uint64_t)frame.task, (uint64_t)frame.step };

    frame.key = hash_words (draw->seed, words, 2);
    insert (draw, &frame);
}

void draw_merge (struct draw *draw, const struct drawn *frames, size_t n)
{
    for (size_t i = 0; i < n; i++)
        insert (draw, &frames[i]);
}

void draw_sort (struct draw *draw)
{
    if (draw->n > 1)
        qsort (draw->frames, draw->n, sizeof (*draw->frames), compare_places);
}
