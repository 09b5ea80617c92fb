/* SPDX-License-Identifier: BSD-3-Clause */
/* duplicate.h - is a structure one that has a label already?
 *
 * Two structures are the same, to a tolerance in angstrom, when their elements
 * are the same atom by atom, no component of their cells differs by more, and
 * the second one can be shifted as a whole so that its first atom lies on that
 * of the first and no other atom is farther from its counterpart, or an image
 * of that along a periodic direction.  So the same frame shifted, or with atoms
 * put back into the cell, is found; one that is turned, mirrored or has its
 * atoms in another order is not.
 */
#ifndef SELECTION_DUPLICATE_H
#define SELECTION_DUPLICATE_H

struct frame;

/* Equal for structures that may be the same: a hash of the elements. */
uint64_t duplicate_key (const struct frame *frame);

/* 'a' says which directions are periodic. */
bool duplicate_same (const struct frame *a, const struct frame *b,
                     double tolerance);

#endif /* !SELECTION_DUPLICATE_H */
