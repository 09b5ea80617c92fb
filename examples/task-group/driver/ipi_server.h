/* SPDX-License-Identifier: BSD-3-Clause */
/* ipi_server.h - the driver's side of the protocol of i-PI
 *
 * Clients connect to a UNIX socket and compute forces: LAMMPS by `fix ipi ...
 * unix`.  A message is 12 characters, filled with blanks, and what belongs to
 * it; on the wire are atomic units (M. Ceriotti, J. More and D. E.
 * Manolopoulos, Comput. Phys. Commun. 185, 1019 (2014)).  Whatever goes wrong
 * ends the program with a line that says so.
 */
#ifndef IPI_SERVER_H
#define IPI_SERVER_H

#include <stddef.h>

/* Listen at 'path', which appears when a client can connect. */
int ipi_listen (const char *path);

/* Wait for 'n' clients, for at most so long. */
void ipi_accept (int listener, int *clients, size_t n, double limit_s);

/* Let a client begin with a frame of 3 x n_atoms coordinates in A, in a box
 * with these edges.
 */
void ipi_send (int client, const double *positions_A, size_t n_atoms,
               const double box_A[3]);

/* Wait for what it computed: eV, eV/A. */
double ipi_receive (int client, double *forces_eV_per_A, size_t n_atoms);

/* Wait until a client that computed all it was to compute has gone.  One that
 * still writes when its socket is closed, and be it nothing at all, is killed
 * by SIGPIPE.
 */
void ipi_close (int client);

#endif /* !IPI_SERVER_H */
