/* SPDX-License-Identifier: BSD-3-Clause */
/* random_stream.c - draws that depend on a key alone */
#include "base/base.h"

#include "base/hash.h"
#include "base/random_stream.h"

double random_uniform (struct random_stream *random)
{
    const uint64_t number = random->drawn++;

    return (double)(hash_words (random->key, &number, 1) >> 11) * 0x1p-53;
}

/* Box and Muller's; rounded, since libraries differ in the last digit. */
double random_normal (struct random_stream *random)
{
    double radius = sqrt (-2 * log (1 - random_uniform (random)));
    double angle = 2 * M_PI * random_uniform (random);

    return round (radius * cos (angle) * 1e9) / 1e9;
}

void random_choose (struct random_stream *random, size_t *items, size_t n,
                    size_t k)
{
    for (size_t i = 0; i < k; i++) {
        size_t j =
            i + (size_t)floor (random_uniform (random) * (double)(n - i));
        size_t item = items[i];

        items[i] = items[j];
        items[j] = item;
    }
}
