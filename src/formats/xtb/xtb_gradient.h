/* SPDX-License-Identifier: BSD-3-Clause */
/* xtb_gradient.h - energy and gradient of a molecule as xtb leaves them
 *
 * The file `gradient` that xtb --grad appends to, in the form of Turbomole, in
 * hartree and bohr:
 *
 *   $grad
 *     cycle =      1    SCF energy =    -5.07023326668   |dE/dxyz| =  0.017804
 *     0.000 0.000 0.225 O     the places of all atoms, and
 *     2.59E-17 -1.3E-16 1.42E-02   then dE/dx of all
 *   $end
 */
#ifndef FORMATS_XTB_GRADIENT_H
#define FORMATS_XTB_GRADIENT_H

struct frame;
struct lines;

/* Read the one cycle of the file into a labelled frame without a cell;
 * *converged: xtb writes the file of no other.  'frame' must be initialised; it
 * is replaced.
 */
int xtb_gradient_read (struct lines *lines, struct frame *frame,
                       bool *converged, struct error *err);

#endif /* !FORMATS_XTB_GRADIENT_H */
