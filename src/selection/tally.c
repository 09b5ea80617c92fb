/* SPDX-License-Identifier: BSD-3-Clause */
/* tally.c - how many frames of each class, and how deviations are distributed
 *
 * A bin is the exponent of a double and the first five bits of its fraction:
 * the bits from the 47th up count through the bins as they are.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "selection/tally.h"

static const int bin_shift = 47;
static const uint64_t first_bin = (uint64_t)(1023 - 20) << 5;

static size_t bin_of (double deviation)
{
    uint64_t bits;

    memcpy (&bits, &deviation, sizeof (bits));
    bits >>= bin_shift;
    if (!(deviation > 0) || bits < first_bin)
        return 0;
    bits -= first_bin;
    return bits < TALLY_BINS ? bits : TALLY_BINS - 1;
}

double tally_edge (size_t bin)
{
    uint64_t bits = (first_bin + bin) << bin_shift;
    double edge;

    memcpy (&edge, &bits, sizeof (edge));
    return edge;
}

void tally_add (struct tally *tally,
                enum frame_class frame_class,
                double deviation)
{
    tally->frames[frame_class]++;
    if (frame_class == FRAME_INVALID)
        return;
    tally->bins[bin_of (deviation)]++;
    if (deviation > tally->max_deviation)
        tally->max_deviation = deviation;
}

/* Each class counts in 16 bits of its own, which so many rows cannot fill. */
static void count_classes (struct tally *tally,
                           const unsigned char *class,
                           size_t n)
{
    enum { BITS = 16, MOST = (1 << BITS) - 1 };

    _Static_assert(FRAME_CLASSES * BITS <= 64, "a word has room for all");
    for (size_t i = 0; i < n;) {
        size_t end = n - i > MOST ? i + MOST : n;
        uint64_t counts = 0;

        for (; i < end; i++)
            counts += (uint64_t)1 << BITS * class[i];
        for (int c = 0; c < FRAME_CLASSES; c++)
            tally->frames[c] += counts >> BITS * c & MOST;
    }
}

/* Four of the largest at a time, which do not wait for each other. */
static double add_valid (struct tally *tally, const double *deviation, size_t n)
{
    enum { AT_ONCE = 4 };
    double max[AT_ONCE] = { 0 };

    for (size_t i = 0; i < n; i++) {
        double *largest = &max[i % AT_ONCE];

        tally->bins[bin_of (deviation[i])]++;
        *largest = deviation[i] > *largest ? deviation[i] : *largest;
    }
    for (int i = 1; i < AT_ONCE; i++)
        max[0] = max[i] > max[0] ? max[i] : max[0];
    return max[0];
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
    for (int i = 0; i < TALLY_BINS; i++)
        tally->bins[i] += other->bins[i];
    if (other->max_deviation > tally->max_deviation)
        tally->max_deviation = other->max_deviation;
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
