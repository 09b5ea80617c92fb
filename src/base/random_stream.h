/* SPDX-License-Identifier: BSD-3-Clause */
/* random_stream.h - draws that depend on a key alone: the same on every machine
 */
#ifndef BASE_RANDOM_STREAM_H
#define BASE_RANDOM_STREAM_H

struct random_stream {
    uint64_t key;
    uint64_t drawn;
};

/* Uniform, from 0 to below 1. */
double random_uniform (struct random_stream *random);

/* Normal, of mean 0 and width 1. */
double random_normal (struct random_stream *random);

/* Put the first 'k' of n items, k at most n, in a random order that any k of
 * them have equal chances to be.
 */
void random_choose (struct random_stream *random, size_t *items, size_t n,
                    size_t k);

#endif /* !BASE_RANDOM_STREAM_H */
