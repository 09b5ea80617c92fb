/* SPDX-License-Identifier: BSD-3-Clause */
/* atom_vectors.c - one vector of each atom: its position, or a force on it */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/error.h"
#include "formats/atom_vectors.h"
#include "formats/row_order.h"

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
    struct atom_vectors old = *atoms;
    size_t room = n > 0 ? n : 1;
    double *ids, *vectors;

    if (room > atoms->alloc) {
        ids = try_calloc (room, sizeof (*ids), "ids of atoms", err);
        if (!ids)
            return -1;
        vectors = try_calloc (room, 3 * sizeof (*vectors), "vectors", err);
        if (!vectors) {
            free (ids);
            return -1;
        }
        atom_vectors_release (atoms);
        atoms->ids = ids;
        atoms->vectors = vectors;
        atoms->alloc = room;
        atoms->ids_version = old.ids_version;
        atoms->may_stay = old.may_stay;
    }
    atoms->n = n;
    atoms->rows = NULL;
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

/* Bits that differ. */
INLINED uint64_t difference (const char *a, const double *b)
{
    uint64_t x, y;

    memcpy (&x, a, sizeof (x));
    memcpy (&y, b, sizeof (y));
    return x ^ y;
}

bool atom_vectors_are_known (const struct atom_vectors *atoms,
                             const char *ids,
                             size_t row_bytes)
{
    uint64_t others = 0;
    size_t i = 0;

    if (!atoms->has_ids)
        return true;
    if (atoms->n == 0 || atoms->n != atoms->n_rising)
        return false;
    for (; i + 4 <= atoms->n; i += 4, ids += 4 * row_bytes)
        others |= difference (ids, atoms->rising + i)
                  | difference (ids + row_bytes, atoms->rising + i + 1)
                  | difference (ids + 2 * row_bytes, atoms->rising + i + 2)
                  | difference (ids + 3 * row_bytes, atoms->rising + i + 3);
    for (; i < atoms->n; i++, ids += row_bytes)
        others |= difference (ids, atoms->rising + i);
    return others == 0;
}

const double *atom_vectors_ids (const struct atom_vectors *atoms)
{
    return atoms->rows ? atoms->rising : atoms->ids;
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

    if (!atoms->has_ids || atoms->rows || are_as_before (atoms))
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
