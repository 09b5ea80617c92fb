/* SPDX-License-Identifier: BSD-3-Clause */
/* fingerprint.h - numbers by which structures can be told apart, and a choice
 * of structures that differ
 *
 * For each pair of elements and each of FINGERPRINT_SHELLS distances mu_k from
 * 1 to 6 A, per atom of the structure,
 *
 *   1/N sum over pairs exp (-eta (r - mu_k)^2) fc (r),
 *   fc (r) = (cos (pi r / 6 A) + 1) / 2 below 6 A
 *
 * with eta = 2 / A^2: the radial symmetry functions of J. Behler and
 * M. Parrinello, Phys. Rev. Lett. 98, 146401 (2007), averaged over the atoms of
 * an element.  They do not change when the structure is turned, shifted, or its
 * atoms are listed in another order.
 */
#ifndef SELECTION_FINGERPRINT_H
#define SELECTION_FINGERPRINT_H

struct geometry;

enum { FINGERPRINT_SHELLS = 11 };

/* How many numbers there are for so many elements. */
size_t fingerprint_size (size_t n_elements);

/* Set out[0 .. fingerprint_size - 1].  element[i] of atom i is below n_elements
 * (other atoms are passed over).  A cell without volume has zeros.
 */
void fingerprint (const struct geometry *geometry, const size_t *element,
                  size_t n_elements, double *out);

/* Choose 'quota' of n points of 'size' numbers: the first point, then always
 * the one whose distance to the nearest chosen is largest, the earlier one of
 * equals (T. F. Gonzalez, Theor. Comput. Sci. 38, 293 (1985)).  Sets chosen[i],
 * an index, for i below the smaller of quota and n, which is returned.
 */
size_t farthest_points (const double *points, size_t n, size_t size,
                        size_t quota, size_t *chosen);

#endif /* !SELECTION_FINGERPRINT_H */
