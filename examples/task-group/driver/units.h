/* SPDX-License-Identifier: BSD-3-Clause */
/* units.h - LAMMPS's metal units (A, ps, eV, g/mol) and its constants
 *
 * The numbers are those of LAMMPS's update.cpp and fix_ipi.cpp, not newer ones:
 * what is compared with a run of LAMMPS has to be converted as it does.
 */
#ifndef UNITS_H
#define UNITS_H

#define BOLTZMANN_EV_PER_K 8.617343e-5
#define HBAR_EV_PS (4.135667403e-3 / 6.283185307179586)
#define EV_PER_MASS_V2 1.0364269e-4 /* eV of 1 g/mol (A/ps)^2 */
#define PS_PER_FS 1e-3

/* Atomic units on the socket. */
#define BOHR_A 0.52917721
#define HARTREE_PER_EV (3.1668152e-06 / BOLTZMANN_EV_PER_K)

#endif /* !UNITS_H */
