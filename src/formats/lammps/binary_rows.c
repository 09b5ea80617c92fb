/* SPDX-License-Identifier: BSD-3-Clause */
/* binary_rows.c - where the rows of a LAMMPS binary dump go */
#include "config.h"

#include <byteswap.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"
#include "formats/lammps/binary_rows.h"

static double swap_double (double value)
{
    uint64_t bits;

    memcpy (&bits, &value, sizeof (bits));
    bits = bswap_64 (bits);
    memcpy (&value, &bits, sizeof (bits));
    return value;
}

static void swap_doubles (double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        values[i] = swap_double (values[i]);
}

/* All columns of n rows at 'rows', which are not aligned. */
static void take_values (struct binary_rows *rows, const char *bytes, size_t n)
{
    double *to = rows->values + rows->row * rows->n_columns;

    memcpy (to, bytes, n * rows->n_columns * sizeof (*to));
    if (rows->swapped)
        swap_doubles (to, n * rows->n_columns);
}

/* n rows whose components stand side by side: of all but the last, four numbers
 * at once, the fourth being overwritten by the next row's first.
 */
FASTEST_HERE
static void copy_adjacent (const char *x,
                           const char *id,
                           size_t row_bytes,
                           size_t n,
                           double *to,
                           double *ids)
{
    for (size_t i = 0; i + 1 < n; i++, to += 3) {
        memcpy (to, x + i * row_bytes, 4 * sizeof (*to));
        memcpy (ids + i, id + i * row_bytes, sizeof (*ids));
    }
    memcpy (to, x + (n - 1) * row_bytes, 3 * sizeof (*to));
    memcpy (ids + n - 1, id + (n - 1) * row_bytes, sizeof (*ids));
}

static bool are_adjacent (const struct binary_rows *rows)
{
    return rows->vector[1] == rows->vector[0] + 1
           && rows->vector[2] == rows->vector[0] + 2;
}

/* The vectors of n rows (at least one), and the ids. */
static void take_vectors (struct binary_rows *rows, const char *bytes, size_t n)
{
    size_t row_bytes = rows->n_columns * sizeof (double);
    double *to = rows->vectors + 3 * rows->row, *ids = rows->ids + rows->row;
    const char *id = bytes + rows->id * sizeof (double);
    const char *x = bytes + rows->vector[0] * sizeof (double);
    const char *y = bytes + rows->vector[1] * sizeof (double);
    const char *z = bytes + rows->vector[2] * sizeof (double);
    bool adjacent = are_adjacent (rows);

    if (adjacent)
        copy_adjacent (x, id, row_bytes, n, to, ids);
    for (size_t i = 0; !adjacent && i < n; i++, to += 3) {
        memcpy (to, x + i * row_bytes, sizeof (*to));
        memcpy (to + 1, y + i * row_bytes, sizeof (*to));
        memcpy (to + 2, z + i * row_bytes, sizeof (*to));
        memcpy (ids + i, id + i * row_bytes, sizeof (*ids));
    }
    if (rows->swapped) {
        swap_doubles (rows->vectors + 3 * rows->row, 3 * n);
        swap_doubles (ids, n);
    }
}

void binary_rows_take (struct binary_rows *rows, const char *bytes, size_t n)
{
    if (n > 0 && rows->values)
        take_values (rows, bytes, n);
    else if (n > 0 && rows->vectors)
        take_vectors (rows, bytes, n);
    rows->row += n;
}
