/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_rows.h - some columns of a LAMMPS dump's rows, fast
 *
 * Words have one space between them; a row in another form is left to the
 * caller.
 */
#ifndef FORMATS_DUMP_ROWS_H
#define FORMATS_DUMP_ROWS_H

enum { DUMP_ROWS_WANTED = 8 }; /* columns, at most */

/* Which columns of a row go where: that of row i to out[k] + i * stride[k]. */
struct dump_rows {
    size_t n_columns;
    size_t n_wanted;
    size_t column[DUMP_ROWS_WANTED]; /* rising */
    double *out[DUMP_ROWS_WANTED];
    size_t stride[DUMP_ROWS_WANTED];
    bool plain; /* as without AVX2: the results are the same */
};

/* Read rows [first, end) of a frame from the lines at 'at', of which bytes
 * [begin, stop) are in memory (begin <= at).  Returns how far it came: 'end',
 * or the number of a row that ends too close to 'stop', starts too close to
 * 'begin', or is none (columns that are no numbers, or too many or few of
 * them).  *next is where that row starts.
 */
size_t dump_rows_read (const struct dump_rows *rows, size_t first, size_t end,
                       const char *begin, const char *at, const char *stop,
                       const char **next);

#endif /* !FORMATS_DUMP_ROWS_H */
