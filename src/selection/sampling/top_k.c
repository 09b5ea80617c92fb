/* SPDX-License-Identifier: BSD-3-Clause */
/* top_k.c - the first 'quota' frames of an order, the same ones however the
 * frames are shared out
 */
#include "base/base.h"

#include "base/hash.h"
#include "selection/sampling/top_k.h"

int sampled_compare (const void *a, const void *b)
{
    const struct sampled *x = a, *y = b;

    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return (x->atom > y->atom) - (x->atom < y->atom);
}

bool sampled_wins (const struct sampled *a, const struct sampled *b)
{
    if (a->key != b->key)
        return a->key < b->key;
    return sampled_compare (a, b) < 0;
}

uint64_t sampled_random_key (uint64_t seed, const struct sampled *frame)
{
    const uint64_t words[4] = { (uint64_t)frame->task, (uint64_t)frame->step,
                                (uint64_t)frame->part, (uint64_t)frame->atom };

    return hash_words (seed, words,
                       frame->atom != 0   ? 4
                       : frame->part != 0 ? 3
                                          : 2);
}

/* The bits of doubles that are not negative count upwards with them. */
uint64_t sampled_largest_key (const struct sampled *frame)
{
    double deviation = frame->deviation + 0.0; /* no negative zero */
    uint64_t bits;

    memcpy (&bits, &deviation, sizeof (bits));
    return ~bits;
}

void top_k_release (struct top_k *sample)
{
    free (sample->frames);
    *sample = (struct top_k){ .quota = sample->quota };
}

void top_k_reset (struct top_k *sample, size_t quota)
{
    sample->n = 0;
    sample->quota = quota;
}

static void swap (struct sampled *a, struct sampled *b)
{
    struct sampled kept = *a;

    *a = *b;
    *b = kept;
}

/* Move the last frame up until its parent loses to none below. */
static void sift_up (struct top_k *sample)
{
    size_t i = sample->n - 1;

    while (i > 0
           && sampled_wins (&sample->frames[(i - 1) / 2], &sample->frames[i])) {
        swap (&sample->frames[(i - 1) / 2], &sample->frames[i]);
        i = (i - 1) / 2;
    }
}

/* Move the first frame down until both children win against it. */
static void sift_down (struct top_k *sample)
{
    size_t i = 0;

    for (;;) {
        size_t worst = i;

        for (size_t child = 2 * i + 1; child <= 2 * i + 2; child++) {
            if (child < sample->n
                && sampled_wins (&sample->frames[worst],
                                 &sample->frames[child]))
                worst = child;
        }
        if (worst == i)
            return;
        swap (&sample->frames[worst], &sample->frames[i]);
        i = worst;
    }
}

static void insert (struct top_k *sample, const struct sampled *frame)
{
    if (sample->n < sample->quota) {
        sample->frames = grow_array (sample->frames, sample->n, &sample->alloc,
                                     sizeof (*sample->frames));
        sample->frames[sample->n++] = *frame;
        sift_up (sample);
    } else if (sample->n > 0 && sampled_wins (frame, &sample->frames[0])) {
        sample->frames[0] = *frame;
        sift_down (sample);
    }
}

void top_k_offer (struct top_k *sample, const struct sampled *frames, size_t n)
{
    for (size_t i = 0; i < n; i++)
        insert (sample, &frames[i]);
}

static int compare_keys (const void *a, const void *b)
{
    const struct sampled *x = a, *y = b;

    return sampled_wins (y, x) - sampled_wins (x, y);
}

void top_k_rank (struct top_k *sample)
{
    if (sample->n > 1)
        qsort (sample->frames, sample->n, sizeof (*sample->frames),
               compare_keys);
}

void sampled_sort (struct sampled *frames, size_t n)
{
    if (n > 1)
        qsort (frames, n, sizeof (*frames), sampled_compare);
}
