/* SPDX-License-Identifier: BSD-3-Clause */
/* atom_vectors.h - one vector of each atom: its position, or a force on it */
#ifndef FORMATS_ATOM_VECTORS_H
#define FORMATS_ATOM_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

struct atom_vectors {
    size_t n;
    bool has_ids;    /* else atoms are in the order of the file */
    double *ids;     /* n */
    double *vectors; /* 3 * n */
    size_t alloc;    /* atoms that there is memory for */

    /* Counts up whenever the ids, in order, become others: mostly they are
     * those of the frame before.
     */
    uint64_t ids_version;
    double *rising; /* ids of a frame that was in order, n_rising of them */
    size_t n_rising;
};

#define ATOM_VECTORS_INIT                                                      \
    {                                                                          \
        0                                                                      \
    }
void atom_vectors_release (struct atom_vectors *atoms); /* legal twice */

/* Reserve memory for n atoms, and for one at least, whose values are
 * unspecified then.  n comes from input: may fail, and leaves the atoms as they
 * are.
 */
int atom_vectors_resize (struct atom_vectors *atoms,
                         size_t n,
                         struct error *err);

/* Put the atoms into the order of their ids, if they have any.  -1, the order
 * being unspecified, when an id is not finite or occurs twice; 'err' says
 * which.
 */
int atom_vectors_sort (struct atom_vectors *atoms, struct error *err);

#endif /* !FORMATS_ATOM_VECTORS_H */
