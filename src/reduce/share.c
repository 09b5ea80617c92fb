/* SPDX-License-Identifier: BSD-3-Clause */
/* share.c - which rank reads which trajectory */
#include "config.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "reduce/share.h"

struct piece {
    uint64_t bytes;
    size_t index;
};

static int compare_pieces (const void *a, const void *b)
{
    const struct piece *x = a, *y = b;

    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static int least_loaded (const uint64_t *load, int n_ranks)
{
    int least = 0;

    for (int rank = 1; rank < n_ranks; rank++) {
        if (load[rank] < load[least])
            least = rank;
    }
    return least;
}

void share_trajectories (const uint64_t *bytes,
                         size_t n,
                         int n_ranks,
                         int *owner)
{
    struct piece *pieces = xcalloc (n, sizeof (*pieces));
    uint64_t *load = xcalloc ((size_t)n_ranks, sizeof (*load));

    for (size_t i = 0; i < n; i++)
        pieces[i] = (struct piece){ bytes[i], i };
    if (n > 1)
        qsort (pieces, n, sizeof (*pieces), compare_pieces);
    for (size_t i = 0; i < n; i++) {
        int rank = least_loaded (load, n_ranks);

        owner[pieces[i].index] = rank;
        load[rank] += pieces[i].bytes + 1; /* empty files count, too */
    }
    free (load);
    free (pieces);
}
