/* SPDX-License-Identifier: BSD-3-Clause */
/* histogram.c - how many frames of each class, and how deviations are
 * distributed
 *
 * A bin is the exponent of a double and the first five bits of its fraction:
 * the bits from the 47th up count through the bins as they are.
 */
#include "base/base.h"

#include "selection/statistics/histogram.h"

static const int bin_shift = 47;
static const int32_t first_bin = (1023 - 20) << 5;

/* The sign makes it a negative number.  Without a branch, which could not be
 * predicted.
 */
static size_t bin_of (double deviation)
{
    uint64_t bits;
    int32_t bin;

    memcpy (&bits, &deviation, sizeof (bits));
    bin = ((int32_t)(bits >> 32) >> (bin_shift - 32)) - first_bin;
    bin = bin > 0 ? bin : 0;
    return (size_t)(bin < HISTOGRAM_BINS ? bin : HISTOGRAM_BINS - 1);
}

double histogram_edge (size_t bin)
{
    uint64_t bits = ((uint64_t)first_bin + bin) << bin_shift;
    double edge;

    memcpy (&edge, &bits, sizeof (edge));
    return edge;
}

void histogram_add (struct histogram *histogram, enum frame_class frame_class,
                    double deviation)
{
    histogram->frames[frame_class]++;
    if (frame_class == FRAME_INVALID)
        return;
    histogram->bins[bin_of (deviation)]++;
    if (deviation > histogram->max_deviation && deviation < INFINITY)
        histogram->max_deviation = deviation;
}

void histogram_merge (struct histogram *histogram,
                      const struct histogram *other)
{
    for (int i = 0; i < FRAME_CLASSES; i++)
        histogram->frames[i] += other->frames[i];
    for (int i = 0; i < HISTOGRAM_BINS; i++)
        histogram->bins[i] += other->bins[i];
    if (other->max_deviation > histogram->max_deviation)
        histogram->max_deviation = other->max_deviation;
}

uint64_t histogram_frames (const struct histogram *histogram)
{
    uint64_t n = 0;

    for (int i = 0; i < FRAME_CLASSES; i++)
        n += histogram->frames[i];
    return n;
}

uint64_t histogram_valid (const struct histogram *histogram)
{
    return histogram_frames (histogram) - histogram->frames[FRAME_INVALID];
}

double histogram_median (const struct histogram *histogram)
{
    uint64_t valid = histogram_valid (histogram), seen = 0;
    uint64_t half = valid / 2 + valid % 2;

    if (valid == 0)
        return 0;
    for (size_t bin = 0; bin < HISTOGRAM_BINS; bin++) {
        seen += histogram->bins[bin];
        if (seen >= half)
            return (histogram_edge (bin) + histogram_edge (bin + 1)) / 2;
    }
    return 0;
}
