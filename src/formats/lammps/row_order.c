/* SPDX-License-Identifier: BSD-3-Clause */
/* row_order.c - atoms are kept in the order of their ids */
#include "base/base.h"

#include "formats/lammps/row_order.h"

static int compare_rows (const void *a, const void *b)
{
    const struct numbered_row *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

const struct numbered_row *row_order (struct numbered_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite (rows[i].id))
            return &rows[i];
    }
    if (n > 1)
        qsort (rows, n, sizeof (*rows), compare_rows);
    for (size_t i = 1; i < n; i++) {
        if (rows[i].id == rows[i - 1].id)
            return &rows[i];
    }
    return NULL;
}
