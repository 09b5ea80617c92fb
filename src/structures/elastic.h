/* SPDX-License-Identifier: BSD-3-Clause */
/* elastic.h - elastic constants from the stresses of strained cells
 *
 * All in Voigt's order, xx yy zz yz xz xy; of strains the last three are angles
 * (deform.h), stresses are positive where the crystal is stretched.
 */
#ifndef STRUCTURES_ELASTIC_H
#define STRUCTURES_ELASTIC_H

enum { ELASTIC_STRAINS = 12 };

/* Each of the six strains by so much, below and above. */
void elastic_strain (int k, double size, double voigt[6]);

/* Of the stresses under these, in GPa, the constants c[6 i + j], symmetric.  -1
 * with 'err' where those that have to be equal, c_ij and c_ji, differ by more
 * than ELASTIC_ASYMMETRY of the largest.
 */
#define ELASTIC_ASYMMETRY 0.05
int elastic_constants (const double stresses_GPa[ELASTIC_STRAINS][6],
                       double size, double c_GPa[36], struct error *err);

struct elastic_moduli {
    double least_GPa; /* eigenvalue of c; above 0 the crystal is stable: the
                         criteria of M. Born (Mouhat, Coudert, Phys. Rev. B 90,
                         224104 (2014)) */
    double bulk_GPa;  /* R. Hill's averages, Proc. Phys. Soc. A 65, 349 (1952);
                         not a number where it is not stable */
    double shear_GPa;
};

struct elastic_moduli elastic_moduli_of (const double c_GPa[36]);

#endif /* !STRUCTURES_ELASTIC_H */
