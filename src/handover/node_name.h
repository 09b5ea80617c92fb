/* SPDX-License-Identifier: BSD-3-Clause */
/* node_name.h - what the scheduler calls a node */
#ifndef HANDOVER_NODE_NAME_H
#define HANDOVER_NODE_NAME_H

/* The node that the script of a job runs on, as that says in FANFOLD_NODE; NULL
 * where it does not, or where that cannot stand in a list of nodes.  Lent by
 * the environment.
 */
const char *node_name_of_script (void);

/* The same of a process that `agents:` started, which has the script's
 * environment wherever it runs: the variable that FANFOLD_NODE_IN names is the
 * scheduler's, of each node.
 */
const char *node_name_of_step (void);

/* May it stand in a list of nodes? */
bool is_node_name (const char *name);

#endif /* !HANDOVER_NODE_NAME_H */
