/* SPDX-License-Identifier: BSD-3-Clause */
/* surface.h - a slab, cut out of a crystal
 *
 * As ase.build.surface, periodic, and ase.build.add_vacuum make it: a lies
 * along x, b in the plane of x and y, the surface is that plane; 'layers' cells
 * of the lattice along the normal, each one distance of the planes high, and
 * the vacuum above them.  A plane of atoms stays whole, of which ASE may put
 * some to the other side, by the last digit.  Miller indices are those of the
 * frame's own cell, so of the conventional one where people mean that.
 */
#ifndef STRUCTURES_SURFACE_H
#define STRUCTURES_SURFACE_H

#include "formats/frame.h"

enum { MILLER_MAX = 50, LAYERS_MAX = 1000 };

struct surface_cut {
    int64_t miller[3]; /* without a common factor */
    int64_t layers;    /* 0: there is no surface */
    double vacuum_A;
};

/* -1 with 'err' for a frame that is not periodic in all directions, or whose
 * cell is left-handed.  'made' must be initialised; it is replaced.
 */
int surface_make (const struct frame *frame, const struct surface_cut *cut,
                  struct frame *made, struct error *err);

int64_t greatest_divisor (int64_t a, int64_t b); /* of both, positive; 0 */

#endif /* !STRUCTURES_SURFACE_H */
