/* SPDX-License-Identifier: BSD-3-Clause */
/* binary_rows.h - where the rows of a LAMMPS binary dump go
 *
 * A row is n_columns doubles, in either byte order and at any address.  All of
 * them are kept, or the id and the vector of each atom, or nothing.
 */
#ifndef FORMATS_BINARY_ROWS_H
#define FORMATS_BINARY_ROWS_H

#include <stdbool.h>
#include <stddef.h>

struct binary_rows {
    size_t n_columns;
    size_t row; /* how many came */
    bool swapped;
    double *values; /* all columns, or */
    double *ids;    /* the id (or the first one), */
    double *vectors;
    size_t id;
    size_t vector[3];
};

/* Take the next n rows, at 'bytes'.  There must be memory for them. */
void binary_rows_take (struct binary_rows *rows, const char *bytes, size_t n);

#endif /* !FORMATS_BINARY_ROWS_H */
