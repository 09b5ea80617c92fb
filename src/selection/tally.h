/* SPDX-License-Identifier: BSD-3-Clause */
/* tally.h - how many frames of each class, and how deviations are distributed
 *
 * Whole numbers only, and one maximum: tallies of parts add up to the tally of
 * the whole to the bit, in any order.
 */
#ifndef SELECTION_TALLY_H
#define SELECTION_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "selection/classes.h"

/* Bins of deviations: 32 to the octave from 2^-20 (1e-6) to 2^12 (4096), so a
 * bin is at most 1/32 of its lower edge wide; smaller ones are in the first
 * bin, larger ones in the last.
 */
enum { TALLY_OCTAVE = 32, TALLY_BINS = 32 * TALLY_OCTAVE };

struct tally {
    uint64_t frames[FRAME_CLASSES];
    uint64_t bins[TALLY_BINS]; /* of frames that are not invalid */
    uint64_t octaves;          /* a bit for those that may have frames */
    double max_deviation;      /* of those; 0 when there is none */
};

#define TALLY_INIT                                                             \
    {                                                                          \
        { 0 }, { 0 }, 0, 0                                                     \
    }

/* 'deviation' is not looked at for an invalid frame. */
void tally_add (struct tally *tally,
                enum frame_class frame_class,
                double deviation);

/* Add n frames of these classes. */
void tally_add_rows (struct tally *tally,
                     const unsigned char *class,
                     const double *deviation,
                     size_t n);

/* Make it TALLY_INIT again: bins without frames are left as they are. */
void tally_reset (struct tally *tally);

/* Add the frames of 'other'. */
void tally_merge (struct tally *tally, const struct tally *other);

/* All frames added, and those of them that are not invalid. */
uint64_t tally_frames (const struct tally *tally);
uint64_t tally_valid (const struct tally *tally);

/* The lower edge of a bin; of TALLY_BINS: the upper of the last. */
double tally_edge (size_t bin);

/* The middle of the bin that holds the ceil (n/2)-th smallest deviation of n
 * valid frames; 0 when there is none.
 */
double tally_median (const struct tally *tally);

#endif /* !SELECTION_TALLY_H */
