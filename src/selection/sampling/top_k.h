/* SPDX-License-Identifier: BSD-3-Clause */
/* top_k.h - the first 'quota' frames of an order, the same ones however the
 * frames are shared out
 *
 * Each frame gets a key; the frames with the smallest keys win, and (task,
 * part, step, atom) decides between equal keys.  A sample holds the winners so
 * far, so memory is the quota, and samples of parts merge into the sample of
 * the whole.
 */
#ifndef SELECTION_TOP_K_H
#define SELECTION_TOP_K_H

/* No place: the frame is to be found by its step. */
#define SAMPLED_NOWHERE UINT64_MAX

struct sampled {
    uint64_t key;
    int64_t task;
    int64_t part; /* of the task: a bead, a section of its deviations */
    int64_t step;
    int64_t atom;   /* of the frame, from 1; 0: it is about all of them */
    uint64_t place; /* where the frame is: the caller's business */
    double deviation;
};

/* A heap, largest key first, until it is sorted.  One of zeros holds nothing,
 * until it is reset.
 */
struct top_k {
    size_t quota;
    struct sampled *frames;
    size_t n;
    size_t alloc;
};

/* By (task, part, step, atom): less than, equal to or greater than 0; for
 * struct sampled.
 */
int sampled_compare (const void *a, const void *b);

/* Keys: at random, by hashing (seed, task, step, and the part and the atom as
 * far as they are not 0); and by the largest deviation, which must not be
 * negative.
 */
uint64_t sampled_random_key (uint64_t seed, const struct sampled *frame);
uint64_t sampled_largest_key (const struct sampled *frame);

/* Does 'a' win against 'b'? */
bool sampled_wins (const struct sampled *a, const struct sampled *b);

/* Legal twice. */
void top_k_release (struct top_k *sample);

/* Forget the frames, keep the memory; hold up to 'quota' from now on. */
void top_k_reset (struct top_k *sample, size_t quota);

/* The largest key that might get in. */
static inline uint64_t top_k_limit (const struct top_k *sample)
{
    if (sample->n < sample->quota)
        return UINT64_MAX;
    return sample->n > 0 ? sample->frames[0].key : 0;
}

/* Offer frames with their keys; (task, part, step, atom) must be unique. */
void top_k_offer (struct top_k *sample, const struct sampled *frames, size_t n);

/* Sort by (key, task, part, step, atom), best first, or without the key;
 * nothing can be offered afterwards.
 */
void top_k_rank (struct top_k *sample);
void sampled_sort (struct sampled *frames, size_t n);

#endif /* !SELECTION_TOP_K_H */
