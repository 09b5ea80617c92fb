/* SPDX-License-Identifier: BSD-3-Clause */
/* deviation_file.h - model_devi.out: what an engine found its committee to
 * disagree by
 *
 * One row per frame: the step, then maximum, minimum and average of the
 * deviation of virials and forces, and more.  Columns are found by the names in
 * the header, whoever wrote it:
 *
 *   LAMMPS             step, v, f; with `atomic` a column for each atom
 *   dp model-devi      two header lines for each system (the first names it),
 *                      devi_e behind f; many systems in one file: sections
 *   pair_style deepspin  v, fr, fm: fr is the force
 *   CALYPSO            min_dis, the smallest distance, behind f
 *   old DP-GEN         e, f, and no v
 *
 * Without a header (a file continued after a restart that lost its beginning)
 * the columns are LAMMPS's.  A header may come again.  All rows between two
 * lines with '#' are of the same number of atoms.  Reading streams; a
 * compressed file is unpacked, and its size is that of the compressed one.
 */
#ifndef FORMATS_DEVIATION_FILE_H
#define FORMATS_DEVIATION_FILE_H

#include "formats/deviations/row_shape.h"

enum { DEVIATION_ROWS_MAX = 512 };

/* Consecutive rows.  A deviation is NaN when it, or the average or minimum that
 * stands beside it, is not a number (LAMMPS's maximum steps over NaN, its
 * average does not), or the minimum is above it (DeePMD-kit's of no atoms is
 * 1.797693e+308), and infinite when one of them is.
 */
struct deviation_rows {
    size_t n;
    int64_t section; /* 0, or the how manieth system of the file, from 0 */
    int64_t step[DEVIATION_ROWS_MAX];
    double value[DEVIATION_QUANTITIES][DEVIATION_ROWS_MAX];

    /* With atoms, n is at most 1: the atoms' deviations, lent; or NULL */
    const double *atoms;
    size_t n_atoms;
};

struct deviation_reader;

/* A reader can read one file after another.  wanted[q]: the file must have
 * quantity q (other values stay as they are in the rows).  'atoms': and each
 * atom's.
 */
struct deviation_reader *deviation_reader_new (
    const bool wanted[DEVIATION_QUANTITIES], bool atoms);
void deviation_reader_free (
    struct deviation_reader *reader); /* NULL is legal */

/* Open 'path' to read the rows that start in [begin, end) and end
 * before 'file_bytes'; the header is always read.  What stands behind
 * 'file_bytes' is not looked at: a growing file has the same rows for all who
 * agree on that.  -1 with an absence (base/error.h) when there is no such file.
 */
int deviation_reader_open (struct deviation_reader *reader, const char *path,
                           uint64_t begin, uint64_t end, uint64_t file_bytes,
                           struct error *err);

/* The next rows: 1, 0 at the end, or -1 when the file cannot be read or is no
 * model_devi.out (its header lacks a column, its first row is none).
 */
int deviation_reader_next (struct deviation_reader *reader,
                           struct deviation_rows *rows, struct error *err);

/* Lines so far that are no rows: cut short by the end of a run, and perhaps
 * continued by the next one.  The very last line of a file is no row either
 * when its line break is missing.  Blank lines do not count.
 */
uint64_t deviation_reader_cut (const struct deviation_reader *reader);

/* Bytes of the file (packed, if it is) that were looked at so far. */
uint64_t deviation_reader_bytes (const struct deviation_reader *reader);

/* Are all lines so far from 'begin' on to be read as the top of the file says?
 * False after other columns, another system, or another number of atoms: who
 * begins to read in the middle of such a file does not know of them.
 */
bool deviation_reader_is_uniform (const struct deviation_reader *reader);

/* Can its rows be read from the middle on?  Not when it is compressed, or has
 * (or could have) more than one section: a line before the first row that names
 * a system.  False for
 * a file that cannot be read.
 */
bool deviation_file_is_divisible (const char *path);

/* How many rows the file has; with 'atomic' each atom's must be there, too. */
int deviation_count_rows (const char *path, bool atomic, int64_t *n,
                          struct error *err);

#endif /* !FORMATS_DEVIATION_FILE_H */
