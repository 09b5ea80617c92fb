/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_data.h - atoms from a data file of LAMMPS (atom style atomic) */
#ifndef LAMMPS_DATA_H
#define LAMMPS_DATA_H

#include <stddef.h>

/* In the order of the atoms' numbers, which are 1 to n. */
struct atoms {
    size_t n;
    double *mass;       /* [n] */
    double *positions;  /* [3 n], A */
    double *velocities; /* [3 n], A/ps; 0 where there are none */
    double box_A[3];
};

/* Whatever is wrong ends the program with a line that says so. */
void atoms_read (const char *path, struct atoms *atoms);
void atoms_release (struct atoms *atoms);

#endif /* !LAMMPS_DATA_H */
