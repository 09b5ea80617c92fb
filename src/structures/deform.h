/* SPDX-License-Identifier: BSD-3-Clause */
/* deform.h - a structure scaled, strained, displaced
 *
 * Pure: positions and the cell go along, nothing is put back into the cell.
 */
#ifndef STRUCTURES_DEFORM_H
#define STRUCTURES_DEFORM_H

#include "formats/frame.h"

struct random_stream;

/* The three numbers at 'v', a row, times the matrix. */
void row_times (const double v[3], const double matrix[9], double out[3]);

/* 'copy', which must be initialised, becomes the cell, elements and positions
 * of 'frame' alone, with room for as many atoms more.
 */
int structure_copy (const struct frame *frame, size_t more, struct frame *copy,
                    struct error *err);

/* Multiply all lengths. */
void structure_scale (struct frame *frame, double factor);

/* 1 + the strains xx yy zz yz xz xy of Voigt's order, of which the last three
 * are the angles (twice the tensor's): symmetric, so that nothing turns.
 */
void strain_matrix (const double voigt[6], double matrix[9]);

/* Multiply cell and positions, rows, by it. */
void structure_strain (struct frame *frame, const double voigt[6]);

/* Shift all atoms by these fractions of the vectors. */
void structure_shift (struct frame *frame, const double fractions[3]);

/* By which fractions, so that the faces of the cell come to lie in the middle
 * of the widest gaps between atoms along its vectors; 0 without a volume.
 */
void structure_off_faces (const struct frame *frame, double fractions[3]);

/* Add a normal deviate of this width, in angstrom, to every coordinate. */
void structure_displace (struct frame *frame, double sigma_A,
                         struct random_stream *random);

#endif /* !STRUCTURES_DEFORM_H */
