/* SPDX-License-Identifier: BSD-3-Clause */
/* equation_of_state.h - what follows from the energies of a crystal at several
 * volumes
 */
#ifndef STRUCTURES_EQUATION_OF_STATE_H
#define STRUCTURES_EQUATION_OF_STATE_H

/* One more than the equation has parameters. */
enum { EQUATION_OF_STATE_POINTS_MIN = 5 };

/* GPa in an eV/angstrom^3 (CODATA 2018). */
#define GPA_PER_EV_A3 160.2176634

struct equation_of_state {
    double volume_A3; /* of the minimum */
    double energy_eV;
    double bulk_modulus_GPa;
    double slope; /* of the bulk modulus, by pressure; "B'" */
};

/* Fit the third-order equation of Birch and Murnaghan (F. Birch, Phys. Rev. 71,
 * 809 (1947)) by least squares; as ASE's EquationOfState ('birchmurnaghan').
 * -1 with 'err' for fewer points than that, of different volumes, a minimum
 * that is not among them, and energies that are on no such curve: off it by
 * more than a twentieth of their range.
 */
int equation_of_state_fit (const double *volumes_A3, const double *energies_eV,
                           size_t n, struct equation_of_state *fit,
                           struct error *err);

#endif /* !STRUCTURES_EQUATION_OF_STATE_H */
