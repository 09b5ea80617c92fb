/* SPDX-License-Identifier: BSD-3-Clause */
/* descriptor.h - an atom's surroundings as numbers an energy is linear in
 *
 * With r_j the vectors to the neighbours of an atom, r = |r_j|, u = r_j / r:
 *
 *   g_n(r)  = T_n(2 r/rc - 1) * (1 + cos(pi r/rc)) / 2
 *   A_n^(p) = sum_j g_n(r) u (x) u (x) ... (x) u          (a rank-p tensor)
 *   E       = c_0 + sum_{n < radial2} c_n sum_j g_n(r)
 *           + sum_{n <= n' < radial3, p <= rank} c_nn'p A_n^(p) : A_n'^(p)
 *           + sum_j core(r)
 *   core(r) = 75 eV (1 - r/r_core)^3 below r_core, 0 above
 *
 * T_n are the Chebyshev polynomials and ":" is the full contraction, so that
 * c_n are two-body and c_nn'p three-body terms: by the addition theorem
 * A_n^(p) : A_n'^(p) = sum_jk g_n(r_j) g_n'(r_k) (u_j . u_k)^p.  The factors
 * multiplying the c are the features of the atom.  The core has no
 * coefficient; it keeps atoms apart where no training data reach.
 *
 * Sources: cosine cutoff, J. Behler and M. Parrinello, Phys. Rev. Lett. 98,
 * 146401 (2007); Chebyshev radials, N. Artrith, A. Urban and G. Ceder, Phys.
 * Rev. B 96, 014112 (2017); contracted Cartesian moments, A. V. Shapeev,
 * Multiscale Model. Simul. 14, 1153 (2016).
 *
 * Everything here is reentrant.  Lengths are A, energies eV.
 */
#ifndef DESCRIPTOR_H
#define DESCRIPTOR_H

#include "neighbourhood.h"

struct problem;

struct descriptor_settings {
    double cutoff_A; /* rc */
    double core_A;   /* r_core, at most the cutoff; 0 for none */
    int radial2;     /* radial functions of the two-body part */
    int radial3;     /* radial functions of the three-body part */
    int rank;        /* highest tensor rank of the three-body part */
};

/* One independent component of the moment tensors: u_x^a u_y^b u_z^c. */
struct component {
    double power[3];     /* a, b, c */
    int lower[3];        /* the component with one power less; 0 if none */
    int axis;            /* one along which there is a lower one */
    int rank;            /* a + b + c */
    double multiplicity; /* how often it occurs in the full tensor */
};

struct descriptor {
    struct descriptor_settings settings;
    int component_count;
    size_t feature_count;
    struct component components[DESCRIPTOR_MAX_COMPONENTS];
};

/* Fill in 'descriptor'; it owns nothing.  0, or -1 when a setting is out of
 * range.
 */
int descriptor_init (struct descriptor *descriptor,
                     const struct descriptor_settings *settings,
                     struct problem *problem);

/* The energy of the atom in the middle of 'around' with these coefficients
 * (feature_count of them); sets every bond's gradient.  Bonds are longer than
 * zero; the caller keeps to the cutoff.
 */
double descriptor_energy (const struct descriptor *descriptor,
                          const double *coefficients,
                          struct neighbourhood *around);

/* The same, taken apart for a fit: features[k], their derivatives
 * gradients[(3 * bond + axis) * feature_count + k], and as the result (and the
 * bonds' gradients) the energy of the core alone.
 */
double descriptor_features (const struct descriptor *descriptor,
                            struct neighbourhood *around, double *features,
                            double *gradients);

#endif /* !DESCRIPTOR_H */
