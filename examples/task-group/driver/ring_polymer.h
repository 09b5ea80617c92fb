/* SPDX-License-Identifier: BSD-3-Clause */
/* ring_polymer.h - path-integral molecular dynamics of distinguishable atoms
 *
 * P replicas ("beads") of the system, neighbours tied by springs of frequency
 * P kT / hbar, sample the quantum distribution at T when they are at P T
 * (D. Chandler and P. G. Wolynes, J. Chem. Phys. 74, 4078 (1981)).  The
 * springs are propagated exactly in their normal modes; the thermostat is
 * PILE-L (M. Ceriotti et al., J. Chem. Phys. 133, 124104 (2010)).
 *
 * Units are LAMMPS's metal units; see units.h.
 */
#ifndef RING_POLYMER_H
#define RING_POLYMER_H

#include <stddef.h>
#include <stdint.h>

struct ring_polymer {
    size_t beads;
    size_t n; /* coordinates of a bead: 3 for each atom */
    double temperature_K;
    double *mass;        /* [n] */
    double *q, *v, *f;   /* [beads][n]: A, A/ps, eV/A */
    double *modes;       /* [beads][beads], orthonormal: mode k in row k */
    double *frequencies; /* [beads]: of the modes, 1/ps */
    double *work;        /* [2][beads][n] */
    uint64_t random;     /* state */
};

/* All beads at rest in the same place, which the caller sets. */
void ring_polymer_init (struct ring_polymer *polymer, size_t beads, size_t n,
                        double temperature_K, uint64_t seed);
void ring_polymer_release (struct ring_polymer *polymer);

/* Velocities by the forces, for dt. */
void ring_polymer_kick (struct ring_polymer *polymer, double dt_ps);

/* Positions and velocities by the springs alone, for dt, exactly. */
void ring_polymer_drift (struct ring_polymer *polymer, double dt_ps);

/* Velocities by the thermostat, for dt; the centroid relaxes in 'tau'.  The
 * energy it gave, in eV.
 */
double ring_polymer_thermostat (struct ring_polymer *polymer, double dt_ps,
                                double tau_ps);

/* In eV, of all beads together. */
double ring_polymer_kinetic (const struct ring_polymer *polymer);
double ring_polymer_springs (const struct ring_polymer *polymer);

/* The centroid virial estimator of the kinetic energy of the quantum system, in
 * eV (M. F. Herman, E. J. Bruskin and B. J. Berne, J. Chem. Phys. 76, 5150
 * (1982)).
 */
double ring_polymer_quantum_kinetic (const struct ring_polymer *polymer);

#endif /* !RING_POLYMER_H */
