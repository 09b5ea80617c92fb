/* SPDX-License-Identifier: BSD-3-Clause */
/* force_error.h - how far a committee's forces are off a label
 *
 * With F_k,i the force of model k on atom i, <> the mean over the models and
 * f_i the label, the error of an atom is |<F_i> - f_i|, in eV/A.
 */
#ifndef SELECTION_FORCE_ERROR_H
#define SELECTION_FORCE_ERROR_H

enum error_of {
    ERROR_MAX, /* the largest of the atoms */
    ERROR_RMS, /* the root of the mean square over the atoms */
};

/* The frame's error; INFINITY when a number is not finite.  forces[k] and
 * 'label' are the 3 * n_atoms components of model k and of the label, atom by
 * atom.  No atoms: 0.
 */
double force_error (const double *const *forces, size_t n_models,
                    const double *label, size_t n_atoms, enum error_of of);

#endif /* !SELECTION_FORCE_ERROR_H */
