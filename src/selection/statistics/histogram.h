/* SPDX-License-Identifier: BSD-3-Clause */
/* histogram.h - how many frames of each class, and how deviations are
 * distributed
 *
 * Whole numbers only, and one maximum: histograms of parts add up to the
 * histogram of the whole to the bit, in any order.
 */
#ifndef SELECTION_HISTOGRAM_H
#define SELECTION_HISTOGRAM_H

#include "selection/statistics/classes.h"

/* Bins of deviations: 32 to the octave from 2^-20 (1e-6) to 2^12 (4096), so a
 * bin is at most 1/32 of its lower edge wide; smaller ones are in the first
 * bin, larger ones in the last.
 */
enum { HISTOGRAM_BINS = 32 * 32 };

struct histogram {
    uint64_t frames[FRAME_CLASSES];
    uint64_t bins[HISTOGRAM_BINS]; /* of frames that are not invalid */
    double max_deviation;          /* finite; 0 when there is none */
};

#define HISTOGRAM_INIT                                                         \
    {                                                                          \
        { 0 }, { 0 }, 0                                                        \
    }

/* 'deviation' is not looked at for an invalid frame. */
void histogram_add (struct histogram *histogram, enum frame_class frame_class,
                    double deviation);

/* Add the frames of 'other'. */
void histogram_merge (struct histogram *histogram,
                      const struct histogram *other);

/* All frames added, and those of them that are not invalid. */
uint64_t histogram_frames (const struct histogram *histogram);
uint64_t histogram_valid (const struct histogram *histogram);

/* The lower edge of a bin; of HISTOGRAM_BINS: the upper of the last. */
double histogram_edge (size_t bin);

/* The middle of the bin that holds the ceil (n/2)-th smallest deviation of n
 * valid frames; 0 when there is none.
 */
double histogram_median (const struct histogram *histogram);

#endif /* !SELECTION_HISTOGRAM_H */
