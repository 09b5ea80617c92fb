/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_terms.h - energy and forces of a whole periodic frame
 *
 * Once with the coefficients left open, as rows for a fit, and once with the
 * coefficients of a model.
 */
#ifndef FRAME_TERMS_H
#define FRAME_TERMS_H

#include "extxyz_frames.h"
#include "linear_model.h"

/* Energy = fixed_energy_eV + energy_row . c, and for the component axis of the
 * force on atom i, row r = 3 i + axis: fixed_forces[r] + force_rows[r] . c.
 * The fixed part is the core.  Rows have the descriptor's feature_count.
 */
struct frame_terms {
    double *energy_row;
    double *force_rows;
    double fixed_energy_eV;
    double *fixed_forces;
};

/* 0, or -1 when atoms coincide, the cell is too thin for the cutoff or memory
 * ran out; the problem names the frame's file and line.
 */
int frame_terms_init (struct frame_terms *terms,
                      const struct descriptor *descriptor,
                      const struct frame *frame, struct problem *problem);

void frame_terms_release (struct frame_terms *terms);

/* What the model says of the frame: forces[atom_count].  0, or -1 as above. */
int frame_predict (const struct linear_model *model, const struct frame *frame,
                   double *energy_eV, double (*forces)[3],
                   struct problem *problem);

#endif /* !FRAME_TERMS_H */
