/* SPDX-License-Identifier: BSD-3-Clause */
/* deviation_layout.h - rows of a model_devi.out that look like the one before
 *
 * Both LAMMPS and `dp model-devi` print every row of a file in the same
 * columns: the step right-aligned, then numbers like 1.767406e-02.  A layout is
 * learnt from one such row and compares others with it, all bytes at once, so
 * that every column of a row is known to be a finite number although few of
 * them are converted.  What does not fit the layout may still be a good row: it
 * is then read word by word.
 */
#ifndef FORMATS_DEVIATION_LAYOUT_H
#define FORMATS_DEVIATION_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the models are asked about; DISTANCE is the smallest between two atoms,
 * which CALYPSO's files hold.
 */
enum deviation_quantity {
    DEVIATION_FORCE,    /* eV/A */
    DEVIATION_VIRIAL,   /* eV/atom */
    DEVIATION_ENERGY,   /* eV/atom */
    DEVIATION_DISTANCE, /* A */
    DEVIATION_QUANTITIES,
};

/* What of the processor is used; the results are the same. */
enum deviation_means {
    DEVIATION_MEANS_ALL,
    DEVIATION_MEANS_AVX2,
    DEVIATION_MEANS_PLAIN, /* row by row, as on any processor */
};

struct deviation_layout {
    size_t step_bytes;  /* the step ends here */
    size_t named_bytes; /* the columns that have names end here */
    size_t atom_bytes;  /* of each column behind them; 0: there is none */
    size_t row_bytes;   /* of the last row, its line break apart; 0: unknown */
    size_t value_at[DEVIATION_QUANTITIES]; /* SIZE_MAX: not wanted */
    uint8_t *low; /* byte i of a row is in [low[i], low[i] + range[i]], */
    uint8_t *range;
    uint8_t *clear; /* and so far above low[i] that these bits are clear */
    size_t n_known; /* bytes of which that is known */
    size_t alloc;
    enum deviation_means means;
};

#define DEVIATION_LAYOUT_INIT                                                  \
    {                                                                          \
        0                                                                      \
    }

void deviation_layout_release (struct deviation_layout *layout);

/* Learn from the row [at, at + len), without its line break: the step and
 * 'n_named' - 1 columns, behind them any number of columns of atoms when
 * 'atoms'.  value[q] is the column of quantity q, or negative.  False, and
 * nothing known, when the row is printed in another way.
 */
bool deviation_layout_learn (struct deviation_layout *layout,
                             const char *at,
                             size_t len,
                             size_t n_named,
                             bool atoms,
                             const int value[DEVIATION_QUANTITIES]);

/* Rows that look alike, to [0, max) of 'step' and of value[q] for each q that
 * is wanted.  They start in [at, limit) and are to be had up to 'stop'. Returns
 * how many fitted, and where the first that does not would start in *next.
 */
struct deviation_columns {
    int64_t *step;
    double *value[DEVIATION_QUANTITIES]; /* NULL: not wanted */
};

size_t deviation_layout_rows (struct deviation_layout *layout,
                              const char *at,
                              const char *limit,
                              const char *stop,
                              const struct deviation_columns *columns,
                              size_t max,
                              const char **next);

/* The number at 'at', twelve bytes like 1.767406e-02: the double nearest to
 * it, as number_read's.
 */
double deviation_layout_number (const char *at);

#endif /* !FORMATS_DEVIATION_LAYOUT_H */
