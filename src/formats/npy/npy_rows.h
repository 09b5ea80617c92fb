/* SPDX-License-Identifier: BSD-3-Clause */
/* npy_rows.h - the rows of a NumPy array, one after the other
 *
 * An array of any shape is taken as rows: its first extent is how many there
 * are.  float64, float32, int32 and int64.  Streams.
 */
#ifndef FORMATS_NPY_ROWS_H
#define FORMATS_NPY_ROWS_H

struct npy_header;
struct npy_rows;

/* NULL with an absence (base/error.h) when there is no such file. */
struct npy_rows *npy_rows_open (const char *path, struct error *err);
void npy_rows_close (struct npy_rows *rows); /* NULL is legal */

uint64_t npy_rows_count (const struct npy_rows *rows);

/* Numbers of a row. */
size_t npy_rows_width (const struct npy_rows *rows);

/* What the header says; lent. */
const struct npy_header *npy_rows_header (const struct npy_rows *rows);

/* The next row: lent until the next call.  1, 0 at the end (when that comes
 * before the header's promise, _truncated is true), or -1.
 */
int npy_rows_next (struct npy_rows *rows, const double **values,
                   struct error *err);

/* Go to row 'row'; that behind the last is the end. */
int npy_rows_go_to (struct npy_rows *rows, uint64_t row, struct error *err);
bool npy_rows_truncated (const struct npy_rows *rows);

#endif /* !FORMATS_NPY_ROWS_H */
