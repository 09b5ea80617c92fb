/* SPDX-License-Identifier: BSD-3-Clause */
/* supercell.h - a structure repeated
 *
 * The new vectors are whole multiples of the old ones, rows[3 i + j] of vector
 * j in the new vector i; atoms, order and images are those of
 * ase.build.make_supercell: cell by cell, put into the new cell.
 */
#ifndef STRUCTURES_SUPERCELL_H
#define STRUCTURES_SUPERCELL_H

#include "formats/frame.h"

/* More atoms than anybody labels are a slip of the pen. */
enum { STRUCTURE_ATOMS_MAX = 100000, SUPERCELL_ROW_MAX = 1000 };

int64_t supercell_determinant (const int64_t rows[9]);

/* -1 with 'err' for a frame that does not repeat where it is to be repeated, or
 * has no volume, and for more than STRUCTURE_ATOMS_MAX atoms.  'made' must be
 * initialised; it is replaced.  The determinant is positive, no number above
 * SUPERCELL_ROW_MAX.
 */
int supercell_make (const struct frame *frame, const int64_t rows[9],
                    struct frame *made, struct error *err);

/* Of the repeats along the periodic vectors (along a and b alone, if 'slab')
 * that have at most 'most_atoms' atoms the roomiest: that whose nearest faces
 * are farthest apart, of several the one of fewest atoms, then of the least
 * repeats along a, then b.
 */
int supercell_choose (const struct frame *frame, int64_t most_atoms, bool slab,
                      int64_t rows[9], struct error *err);

#endif /* !STRUCTURES_SUPERCELL_H */
