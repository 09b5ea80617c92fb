/* SPDX-License-Identifier: BSD-3-Clause */
/* far_node.h - `fanfold group --node DIR`: a group's process on a node that is
 * not its first (far_nodes.h)
 */
#ifndef GROUP_FAR_NODE_H
#define GROUP_FAR_NODE_H

/* Do on this node what the runner in the task's directory 'dir' says, until it
 * is done or gone; then nothing is left here.
 */
int far_node_run (const char *dir, struct error *err);

#endif /* !GROUP_FAR_NODE_H */
