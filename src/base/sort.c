/* SPDX-License-Identifier: BSD-3-Clause */
/* sort.c - numbers in their order */
#include "base/base.h"

#include "base/sort.h"

static int compare (const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

void sort_doubles (double *v, size_t n)
{
    if (n > 1)
        qsort (v, n, sizeof (*v), compare);
}
