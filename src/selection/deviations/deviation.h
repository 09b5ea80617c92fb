/* SPDX-License-Identifier: BSD-3-Clause */
/* deviation.h - how much the models of a committee disagree about a frame
 *
 * As DeePMD-kit defines it (deepmd/infer/model_devi.py; DeepBaseModel.cc): with
 * F_k,i the force of model k = 1..M on atom i, Xi_k its virial, E_k its energy,
 * N atoms, <> the mean over the models,
 *
 *   eps_F,i  = sqrt (1/M sum_k |F_k,i - <F_i>|^2)
 *   eps_V,ab = sqrt (1/M sum_k (Xi_k,ab/N - <Xi_ab/N>)^2)
 *   eps_E    = sqrt (1/M sum_k (E_k/N - <E/N>)^2)
 *
 * (population standard deviations, M in the denominator).  What counts is the
 * maximum of eps_F,i over the atoms, and that of the nine eps_V,ab.
 *
 * Relative to a level l (in the same unit), as its C++ code and LAMMPS have it:
 *
 *   eps_F,i / (|<F_i>| + l)        eps_V,ab / (|<Xi_ab/N>| + l)
 *
 * take the place of eps_F,i and eps_V,ab.  (Its Python code divides virials by
 * the norm of all nine instead, and fails for most numbers of frames.)
 *
 * Unlike DeePMD-kit, whose maximum steps over NaN, anything that is not finite
 * (in the input, or by overflow) makes every number of the deviation NaN.
 */
#ifndef SELECTION_DEVIATION_H
#define SELECTION_DEVIATION_H

/* The frame's maximum.  forces[k] are the 3 * n_atoms components of model k in
 * eV/A, atom by atom; the result is in eV/A, or relative to *level (NULL: it is
 * not).  No atoms: 0.
 */
double max_force_deviation (const double *const *forces, size_t n_models,
                            size_t n_atoms, const double *level);

/* The deviation of each atom to out[0 .. n_atoms - 1]; NaN where it is not
 * finite.
 */
void atom_deviations (const double *const *forces, size_t n_models,
                      size_t n_atoms, const double *level, double *out);

/* The maximum.  virials[k] are the nine components of model k's total virial in
 * eV; the result is in eV/atom, or relative to *level (NULL: it is not).
 * n_atoms > 0.
 */
double max_virial_deviation (const double *const *virials, size_t n_models,
                             size_t n_atoms, const double *level);

/* energies[k] is model k's total energy in eV; the result is in eV/atom.
 * n_atoms > 0.
 */
double energy_deviation (const double *energies, size_t n_models,
                         size_t n_atoms);

#endif /* !SELECTION_DEVIATION_H */
