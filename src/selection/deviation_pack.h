/* SPDX-License-Identifier: BSD-3-Clause */
/* deviation_pack.h - four numbers at once, for those who compute deviations */
#ifndef SELECTION_DEVIATION_PACK_H
#define SELECTION_DEVIATION_PACK_H

#include <stddef.h>

#include "base/compiler.h"

enum { PACK = 4 };

/* GCC's vectors: as many operations at once as the machine has. */
typedef double pack __attribute__ ((vector_size (PACK * sizeof (double))));

/* What a sum over the models is divided by. */
struct divisor {
    double n;
    double inverse; /* exact when n is a power of two; 0: it is not */
};

INLINED struct divisor divisor_of (size_t n)
{
    return (struct divisor){ (double)n,
                             (n & (n - 1)) == 0 ? 1 / (double)n : 0 };
}

INLINED void divide_pack (pack *sum, const struct divisor *by)
{
    *sum = by->inverse > 0 ? *sum * by->inverse : *sum / by->n;
}

/* The largest of n values; NaN when one is not finite.  Four at a time, which
 * do not wait for each other.
 */
INLINED double largest_of (const double *values, size_t n)
{
    double largest[PACK] = { 0 }, bad[PACK] = { 0 }, all = 0;
    size_t i = 0;

    for (; i + PACK <= n; i += PACK) {
        for (size_t j = 0; j < PACK; j++) {
            double value = values[i + j];

            largest[j] = value > largest[j] ? value : largest[j];
            bad[j] += value - value; /* 0, or NaN */
        }
    }
    for (; i < n; i++) {
        largest[0] = values[i] > largest[0] ? values[i] : largest[0];
        bad[0] += values[i] - values[i];
    }
    for (size_t j = 0; j < PACK; j++)
        all = largest[j] > all ? largest[j] : all;
    return all + (bad[0] + bad[1]) + (bad[2] + bad[3]);
}

#endif /* !SELECTION_DEVIATION_PACK_H */
