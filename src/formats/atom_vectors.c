/* SPDX-License-Identifier: BSD-3-Clause */
/* atom_vectors.c - one vector of each atom: its position, or a force on it */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "formats/atom_vectors.h"
#include "formats/lammps/row_order.h"

void atom_vectors_release (struct atom_vectors *atoms)
{
    free (atoms->ids);
    free (atoms->vectors);
    free (atoms->rising);
    *atoms = (struct atom_vectors)ATOM_VECTORS_INIT;
}

int atom_vectors_resize (struct atom_vectors *atoms,
                         size_t n,
                         struct error *err)
{
    uint64_t ids_version = atoms->ids_version;
    size_t alloc = n > 0 ? n : 1;
    double *ids, *vectors;

    if (alloc > atoms->alloc) {
        ids = try_calloc (alloc, sizeof (*ids), "ids of atoms", err);
        if (!ids)
            return -1;
        vectors = try_calloc (alloc, 3 * sizeof (*vectors), "vectors", err);
        if (!vectors) {
            free (ids);
            return -1;
        }
        atom_vectors_release (atoms);
        atoms->ids = ids;
        atoms->vectors = vectors;
        atoms->alloc = alloc;
        atoms->ids_version = ids_version;
    }
    atoms->n = n;
    return 0;
}

static bool are_sorted (const struct atom_vectors *atoms)
{
    bool sorted = atoms->n == 0 || isfinite (atoms->ids[0]);

    for (size_t i = 1; i < atoms->n; i++)
        sorted &= atoms->ids[i - 1] < atoms->ids[i];
    return sorted && (atoms->n == 0 || isfinite (atoms->ids[atoms->n - 1]));
}

/* The ids that were in order: nothing is to be done for them. */
static bool are_as_before (const struct atom_vectors *atoms)
{
    return atoms->n > 0 && atoms->n == atoms->n_rising
           && memcmp (atoms->ids, atoms->rising,
                      atoms->n * sizeof (*atoms->ids))
                  == 0;
}

static void remember (struct atom_vectors *atoms)
{
    atoms->n_rising = atoms->n;
    if (!atoms->rising)
        atoms->rising = xcalloc (atoms->alloc, sizeof (*atoms->rising));
    memcpy (atoms->rising, atoms->ids, atoms->n * sizeof (*atoms->ids));
}

static void permute (struct atom_vectors *atoms,
                     const struct numbered_row *rows)
{
    double *sorted = xcalloc (atoms->n, 3 * sizeof (*sorted));

    for (size_t i = 0; i < atoms->n; i++) {
        atoms->ids[i] = rows[i].id;
        memcpy (sorted + 3 * i, atoms->vectors + 3 * rows[i].row,
                3 * sizeof (*sorted));
    }
    memcpy (atoms->vectors, sorted, atoms->n * 3 * sizeof (*sorted));
    free (sorted);
}

int atom_vectors_sort (struct atom_vectors *atoms, struct error *err)
{
    struct numbered_row *rows;
    const struct numbered_row *bad;
    int rc = 0;

    if (!atoms->has_ids || are_as_before (atoms))
        return 0;
    atoms->ids_version++;
    if (are_sorted (atoms)) {
        remember (atoms);
        return 0;
    }
    atoms->n_rising = 0;
    rows = xcalloc (atoms->n, sizeof (*rows));
    for (size_t i = 0; i < atoms->n; i++)
        rows[i] = (struct numbered_row){ .id = atoms->ids[i], .row = i };
    bad = row_order (rows, atoms->n);
    if (bad)
        rc = error_set (err, "the atom id %.17g %s", bad->id,
                        isfinite (bad->id) ? "occurs twice" : "is no number");
    else
        permute (atoms, rows);
    free (rows);
    return rc;
}
