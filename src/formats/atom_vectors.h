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
    size_t alloc;    /* atoms that there is room for */

    /* Vectors may stay in rows of the reader's memory when their ids are those
     * of 'rising', or there are none: that of atom i is then at rows + i *
     * row_bytes, unaligned, until the next frame is read.  NULL: they are
     * above.
     */
    bool may_stay; /* whether the user can do with that; never changed */
    const char *rows;
    size_t row_bytes;

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

/* Make room for n atoms, and for one at least, whose values are unspecified
 * then; none stays in rows.  n comes from input: may fail, and leaves the atoms
 * as they are.
 */
int atom_vectors_resize (struct atom_vectors *atoms,
                         size_t n,
                         struct error *err);

/* Are these, unaligned and row_bytes apart, the ids of the last frame that was
 * in order?  True when there are none.
 */
bool atom_vectors_are_known (const struct atom_vectors *atoms,
                             const char *ids,
                             size_t row_bytes);

/* The ids of the n atoms, wherever their vectors are. */
const double *atom_vectors_ids (const struct atom_vectors *atoms);

/* Put the atoms into the order of their ids, if they have any.  -1, the order
 * being unspecified, when an id is not finite or occurs twice; 'err' says
 * which.
 */
int atom_vectors_sort (struct atom_vectors *atoms, struct error *err);

#endif /* !FORMATS_ATOM_VECTORS_H */
