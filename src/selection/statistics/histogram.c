/* SPDX-License-Identifier: BSD-3-Clause */
/* histogram.c - how many frames of each class, and how deviations are
 * distributed
 *
 * A bin is the exponent of a double and the first five bits of its fraction:
 * the bits from the 47th up count through the bins as they are.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "selection/statistics/histogram.h"

static const int bin_shift = 47;
static const int32_t first_bin = (1023 - 20) << 5;

/* The sign makes it a negative number.  Without a branch, which nobody could
 * guess.
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

/* The sum of the bytes. */
static uint64_t sum_bytes (uint64_t bytes)
{
    const uint64_t evens = 0x00ff00ff00ff00ff, ones = 0x0001000100010001;

    return ((bytes & evens) + (bytes >> 8 & evens)) * ones >> 48;
}

/* Eight classes at a time: of the two bits of each, how often either is set,
 * and how often both are.
 */
static void count_classes (struct histogram *histogram,
                           const unsigned char *class,
                           size_t n)
{
    enum { AT_ONCE = 8, MOST = 255 * AT_ONCE }; /* a byte counts to 255 */
    const uint64_t ones = 0x0101010101010101;
    size_t i = 0;

    _Static_assert(FRAME_CLASSES == 4, "two bits");
    while (i + AT_ONCE <= n) {
        size_t start = i, end = n - i > MOST ? i + MOST : n;
        uint64_t low = 0, high = 0, both = 0, word;

        for (; i + AT_ONCE <= end; i += AT_ONCE) {
            memcpy (&word, class + i, sizeof (word));
            low += word & ones;
            high += word >> 1 & ones;
            both += word & word >> 1 & ones;
        }
        low = sum_bytes (low);
        high = sum_bytes (high);
        both = sum_bytes (both);
        histogram->frames[0] += i - start - low - high + both;
        histogram->frames[1] += low - both;
        histogram->frames[2] += high - both;
        histogram->frames[3] += both;
    }
    for (; i < n; i++)
        histogram->frames[class[i]]++;
}

/* Count a valid deviation; its octave is added to *octaves. */
INLINED void count_bin (struct histogram *histogram,
                        double deviation,
                        uint64_t *octaves)
{
    size_t bin = bin_of (deviation);

    histogram->bins[bin]++;
    *octaves |= (uint64_t)1 << bin / HISTOGRAM_OCTAVE;
}

/* The largest that is finite, or 0. */
static double finite_max (const double *deviation, size_t n)
{
    double max = 0;

    for (size_t i = 0; i < n; i++) {
        if (isfinite (deviation[i]))
            max = fmax (max, deviation[i]);
    }
    return max;
}

/* Four of the largest at a time, which do not wait for each other. */
static double add_valid (struct histogram *histogram,
                         const double *deviation,
                         size_t n)
{
    enum { AT_ONCE = 4 };
    uint64_t octaves = histogram->octaves;
    double max[AT_ONCE] = { 0 };
    size_t i = 0;

    for (; i + AT_ONCE <= n; i += AT_ONCE) {
#pragma GCC unroll 4
        for (size_t k = 0; k < AT_ONCE; k++) {
            double value = deviation[i + k];

            count_bin (histogram, value, &octaves);
            max[k] = value > max[k] ? value : max[k];
        }
    }
    for (; i < n; i++) {
        count_bin (histogram, deviation[i], &octaves);
        max[0] = deviation[i] > max[0] ? deviation[i] : max[0];
    }
    for (size_t k = 1; k < AT_ONCE; k++)
        max[0] = max[k] > max[0] ? max[k] : max[0];
    histogram->octaves = octaves;
    return max[0] < INFINITY ? max[0] : finite_max (deviation, n);
}

void histogram_add (struct histogram *histogram,
                    enum frame_class frame_class,
                    double deviation)
{
    const unsigned char class = (unsigned char)frame_class;

    histogram_add_rows (histogram, &class, &deviation, 1);
}

void histogram_add_rows (struct histogram *histogram,
                         const unsigned char *class,
                         const double *deviation,
                         size_t n)
{
    uint64_t invalid = histogram->frames[FRAME_INVALID];
    double max = 0;

    count_classes (histogram, class, n);
    if (histogram->frames[FRAME_INVALID] == invalid)
        max = add_valid (histogram, deviation, n);
    for (size_t i = 0; histogram->frames[FRAME_INVALID] > invalid && i < n;
         i++) {
        if (class[i] != FRAME_INVALID)
            max = fmax (max, add_valid (histogram, deviation + i, 1));
    }
    histogram->max_deviation = fmax (histogram->max_deviation, max);
}

void histogram_merge (struct histogram *histogram,
                      const struct histogram *other)
{
    for (int i = 0; i < FRAME_CLASSES; i++)
        histogram->frames[i] += other->frames[i];
    for (int octave = 0; octave < HISTOGRAM_BINS / HISTOGRAM_OCTAVE; octave++) {
        int first = octave * HISTOGRAM_OCTAVE;

        if (!(other->octaves & (uint64_t)1 << octave))
            continue;
        for (int i = first; i < first + HISTOGRAM_OCTAVE; i++)
            histogram->bins[i] += other->bins[i];
    }
    histogram->octaves |= other->octaves;
    if (other->max_deviation > histogram->max_deviation)
        histogram->max_deviation = other->max_deviation;
}

void histogram_reset (struct histogram *histogram)
{
    for (int octave = 0; octave < HISTOGRAM_BINS / HISTOGRAM_OCTAVE; octave++) {
        if (histogram->octaves & (uint64_t)1 << octave)
            memset (histogram->bins + octave * HISTOGRAM_OCTAVE, 0,
                    HISTOGRAM_OCTAVE * sizeof (*histogram->bins));
    }
    memset (histogram->frames, 0, sizeof (histogram->frames));
    histogram->octaves = 0;
    histogram->max_deviation = 0;
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
