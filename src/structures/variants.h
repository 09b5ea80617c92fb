/* SPDX-License-Identifier: BSD-3-Clause */
/* variants.h - the frames that a construction makes of structures
 *
 * Every choice of one value of each list.  What is random follows from the
 * seed, which structure it is, and the places of the values in their lists, so
 * values that are added behind others change nothing before them.  Equal frames
 * (duplicate.h) are made once.
 */
#ifndef STRUCTURES_VARIANTS_H
#define STRUCTURES_VARIANTS_H

#include "formats/frame.h"

struct construction;
struct variant_mark;

/* Angstrom, of the cell and the positions. */
#define VARIANTS_TOLERANCE 1e-3

/* Of all frames together. */
enum { VARIANTS_ATOMS_MAX = 2000000 };

struct variants {
    struct frame *v; /* without labels; info says of what and how it was made */
    struct variant_mark *marks;
    size_t n, alloc, marks_alloc;
    size_t n_equal; /* left out: equal to one before */
    size_t n_atoms;
};

#define VARIANTS_INIT                                                          \
    {                                                                          \
        .v = NULL                                                              \
    }

/* A structure, and how messages and frames call it; lent. */
struct variant_source {
    const struct frame *frame;
    const char *name;   /* "al.vasp" */
    uint64_t number[2]; /* of the file, and of the frame in it */
};

/* Append what 'c' makes of it.  -1 with 'err', which names the
 * frame, for what cannot be made of it, atoms that are too close, and too many
 * frames.
 */
int variants_add (const struct construction *c,
                  const struct variant_source *source,
                  struct variants *variants, struct error *err);
void variants_release (struct variants *variants);

#endif /* !STRUCTURES_VARIANTS_H */
