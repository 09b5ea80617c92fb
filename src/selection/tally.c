/* SPDX-License-Identifier: BSD-3-Clause */
/* tally.c - how many frames of each class, and how deviations are distributed
 *
 * A bin is the exponent of a double and the first five bits of its fraction:
 * the bits from the 47th up count through the bins as they are.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "selection/tally.h"

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
    return (size_t)(bin < TALLY_BINS ? bin : TALLY_BINS - 1);
}

double tally_edge (size_t bin)
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
static void count_classes (struct tally *tally,
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
        tally->frames[0] += i - start - low - high + both;
        tally->frames[1] += low - both;
        tally->frames[2] += high - both;
        tally->frames[3] += both;
    }
    for (; i < n; i++)
        tally->frames[class[i]]++;
}

/* Count a valid deviation; its octave is added to *octaves. */
INLINED void count_bin (struct tally *tally,
                        double deviation,
                        uint64_t *octaves)
{
    size_t bin = bin_of (deviation);

    tally->bins[bin]++;
    *octaves |= (uint64_t)1 << bin / TALLY_OCTAVE;
}

/* Four of the largest at a time, which do not wait for each other. */
static double add_valid (struct tally *tally, const double *deviation, size_t n)
{
    enum { AT_ONCE = 4 };
    uint64_t octaves = tally->octaves;
    double max[AT_ONCE] = { 0 };
    size_t i = 0;

    for (; i + AT_ONCE <= n; i += AT_ONCE) {
#pragma GCC unroll 4
        for (size_t k = 0; k < AT_ONCE; k++) {
            double value = deviation[i + k];

            count_bin (tally, value, &octaves);
            max[k] = value > max[k] ? value : max[k];
        }
    }
    for (; i < n; i++) {
        count_bin (tally, deviation[i], &octaves);
        max[0] = deviation[i] > max[0] ? deviation[i] : max[0];
    }
    for (size_t k = 1; k < AT_ONCE; k++)
        max[0] = max[k] > max[0] ? max[k] : max[0];
    tally->octaves = octaves;
    return max[0];
}

void tally_add (struct tally *tally,
                enum frame_class frame_class,
                double deviation)
{
    const unsigned char class = (unsigned char)frame_class;

    tally_add_rows (tally, &class, &deviation, 1);
}

void tally_add_rows (struct tally *tally,
                     const unsigned char *class,
                     const double *deviation,
                     size_t n)
{
    uint64_t invalid = tally->frames[FRAME_INVALID];
    double max = 0;

    count_classes (tally, class, n);
    if (tally->frames[FRAME_INVALID] == invalid)
        max = add_valid (tally, deviation, n);
    for (size_t i = 0; tally->frames[FRAME_INVALID] > invalid && i < n; i++) {
        if (class[i] != FRAME_INVALID)
            max = fmax (max, add_valid (tally, deviation + i, 1));
    }
    tally->max_deviation = fmax (tally->max_deviation, max);
}

void tally_merge (struct tally *tally, const struct tally *other)
{
    for (int i = 0; i < FRAME_CLASSES; i++)
        tally->frames[i] += other->frames[i];
    for (int octave = 0; octave < TALLY_BINS / TALLY_OCTAVE; octave++) {
        int first = octave * TALLY_OCTAVE;

        if (!(other->octaves & (uint64_t)1 << octave))
            continue;
        for (int i = first; i < first + TALLY_OCTAVE; i++)
            tally->bins[i] += other->bins[i];
    }
    tally->octaves |= other->octaves;
    if (other->max_deviation > tally->max_deviation)
        tally->max_deviation = other->max_deviation;
}

void tally_reset (struct tally *tally)
{
    for (int octave = 0; octave < TALLY_BINS / TALLY_OCTAVE; octave++) {
        if (tally->octaves & (uint64_t)1 << octave)
            memset (tally->bins + octave * TALLY_OCTAVE, 0,
                    TALLY_OCTAVE * sizeof (*tally->bins));
    }
    memset (tally->frames, 0, sizeof (tally->frames));
    tally->octaves = 0;
    tally->max_deviation = 0;
}

uint64_t tally_frames (const struct tally *tally)
{
    uint64_t n = 0;

    for (int i = 0; i < FRAME_CLASSES; i++)
        n += tally->frames[i];
    return n;
}

uint64_t tally_valid (const struct tally *tally)
{
    return tally_frames (tally) - tally->frames[FRAME_INVALID];
}

double tally_median (const struct tally *tally)
{
    uint64_t valid = tally_valid (tally), seen = 0;
    uint64_t half = valid / 2 + valid % 2;

    if (valid == 0)
        return 0;
    for (size_t bin = 0; bin < TALLY_BINS; bin++) {
        seen += tally->bins[bin];
        if (seen >= half)
            return (tally_edge (bin) + tally_edge (bin + 1)) / 2;
    }
    return 0;
}
