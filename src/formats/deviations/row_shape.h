/* SPDX-License-Identifier: BSD-3-Clause */
/* row_shape.h - rows of a model_devi.out that look like the one before
 *
 * Both LAMMPS and `dp model-devi` print every row of a file in the same
 * columns: the step right-aligned, then numbers like 1.767406e-02.  A shape is
 * learnt from one such row and compared with others, all bytes at once, so
 * that every column of a row is known to be a finite number although few of
 * them are converted.  What does not fit the shape may still be a good row: it
 * is then read word by word.
 */
#ifndef FORMATS_ROW_SHAPE_H
#define FORMATS_ROW_SHAPE_H

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

struct row_shape {
    size_t step_bytes; /* the step ends here */
    size_t row_bytes;  /* without the line break; 0: no shape is known */
    size_t value_at[DEVIATION_QUANTITIES]; /* SIZE_MAX: no such column */
    size_t least_at[DEVIATION_QUANTITIES]; /* what no value is below */
    uint8_t *low; /* byte i of a row is in [low[i], low[i] + range[i]], */
    uint8_t *range;
    uint8_t *clear; /* and these bits of its distance from low[i] are 0 */
    size_t alloc;
};

/* Legal on zeros, which are no shape, and twice. */
void row_shape_release (struct row_shape *shape);

/* Learn from the row [at, at + len), without its line break: the step and
 * 'n_columns' - 1 numbers.  value[q] is the column of quantity q, least[q]
 * that of its minimum, or negative.  False, and nothing known, when the row is
 * printed in another way.
 */
bool row_shape_learn (struct row_shape *shape, const char *at, size_t len,
                      size_t n_columns, const int value[DEVIATION_QUANTITIES],
                      const int least[DEVIATION_QUANTITIES]);

/* Rows of this shape, to [0, max) of 'step' and of value[q] for each q that is
 * wanted: NaN where the minimum is above it.  They start in [at, limit), and
 * memory ends at 'stop'.  Returns how many fitted, and where the first that
 * does not would start in *next.
 */
struct deviation_columns {
    int64_t *step;
    double *value[DEVIATION_QUANTITIES]; /* NULL: not wanted */
};

size_t row_shape_rows (const struct row_shape *shape, const char *at,
                       const char *limit, const char *stop,
                       const struct deviation_columns *columns, size_t max,
                       const char **next);

#endif /* !FORMATS_ROW_SHAPE_H */
