/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_axes.h - the axes in which LAMMPS sees a cell
 *
 * LAMMPS takes a along x and b in the xy plane, with positive diagonal (manual,
 * "Triclinic simulation boxes").  Any other cell is turned, and a left-handed
 * one reflected: distances, and so energies, stay as they are.
 */
#ifndef FORMATS_LAMMPS_AXES_H
#define FORMATS_LAMMPS_AXES_H

/* The rows of 'axes' are the unit vectors of LAMMPS, in the coordinates of the
 * cell (rows a, b, c); those of a cell as LAMMPS takes it are exactly 1.  -1:
 * the cell has no volume.
 */
int lammps_axes_of (const double cell[9], double axes[9], struct error *err);

/* Vectors in these axes, of n (3 numbers each), and back; in place. */
void lammps_axes_turn (const double axes[9], double *vectors, size_t n);
void lammps_axes_turn_back (const double axes[9], double *vectors, size_t n);

/* The cell in these axes: what is zero is so exactly. */
void lammps_axes_turn_cell (const double axes[9], double cell[9]);

/* A tensor (row-major) in these axes as it is outside. */
void lammps_axes_turn_tensor_back (const double axes[9], double tensor[9]);

#endif /* !FORMATS_LAMMPS_AXES_H */
