/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes.h - the compute nodes: what the scheduler starts there are agents */
#ifndef TESTS_SIM_NODES_H
#define TESTS_SIM_NODES_H

#include "sim/sim.h"

struct world;

/* Hosts 0 and 1 are where people log in. */
enum { LOGINS = 2 };

/* What the simulated scheduler asks of the world. */
struct sim_player nodes_player (struct world *world);

/* Something happens to a node or to what runs there, if that kind of fault
 * strikes now.
 */
void nodes_suffer (struct world *world);

#endif /* !TESTS_SIM_NODES_H */
