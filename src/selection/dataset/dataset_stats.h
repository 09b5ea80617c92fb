/* SPDX-License-Identifier: BSD-3-Clause */
/* dataset_stats.h - what labelled frames are, and the ranges of their labels
 *
 * Frames are added one by one; nothing is kept of them but numbers.
 */
#ifndef SELECTION_DATASET_STATS_H
#define SELECTION_DATASET_STATS_H

#include "selection/dataset/frame_mark.h"

struct frame;

/* Of finite values. */
struct value_range {
    uint64_t n;
    double low, high, sum, squares;
    struct frame_mark at_low, at_high;
};

double value_range_mean (const struct value_range *range); /* 0 of none */
double value_range_rms (const struct value_range *range);

/* Sums over frames of the same atoms that repeat and have a virial: of the
 * volume an atom (A^3), the pressure (GPa), and their products.
 */
struct compression {
    uint64_t n;
    double volume, pressure, volume_volume, volume_pressure, pressure_pressure;
};

/* By a straight line through them: -V dP/dV in GPa at the mean volume.  False:
 * they are fewer than five, volumes differ by less than a hundredth (standard
 * deviation), or the line explains less than half of how pressures differ.
 */
bool compression_modulus (const struct compression *c, double *modulus_GPa);

struct composition {
    char *formula; /* "H2O", elements by their names */
    size_t n_atoms;
    uint64_t n_frames;
    struct value_range energy; /* eV an atom */
    struct compression compression;
};

enum dataset_label { LABEL_ENERGY, LABEL_FORCES, LABEL_VIRIAL, LABELS };

struct label_count {
    uint64_t n; /* frames that have it */
    struct frame_mark first_without;
};

struct dataset_stats {
    uint64_t n_frames;
    uint64_t n_atoms;
    struct composition *compositions; /* as they first came */
    size_t n_compositions;
    size_t alloc;
    struct label_count labels[LABELS];
    uint64_t n_periodic; /* in all directions */
    uint64_t n_isolated; /* in none */

    /* Frames with a number that is not finite. */
    uint64_t n_invalid;
    struct frame_mark first_invalid;

    struct value_range energy;    /* eV an atom */
    struct value_range force;     /* |F| of an atom, eV/A */
    struct value_range net_force; /* |sum of F| / atoms, eV/A */
    struct value_range virial;    /* components, eV an atom */
    struct value_range pressure;  /* trace of the virial / 3 volumes, GPa */
    struct value_range volume;    /* A^3 an atom, of periodic frames */
};

#define DATASET_STATS_INIT                                                     \
    {                                                                          \
        0                                                                      \
    }

void dataset_stats_add (struct dataset_stats *stats, const struct frame *frame,
                        struct frame_mark mark);
void dataset_stats_release (struct dataset_stats *stats);

/* "energy", "forces", "virial". */
const char *dataset_label_name (enum dataset_label label);

#endif /* !SELECTION_DATASET_STATS_H */
