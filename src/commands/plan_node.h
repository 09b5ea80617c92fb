/* SPDX-License-Identifier: BSD-3-Clause */
/* plan_node.h - `fanfold plan --node`: how tasks are placed on a node */
#ifndef COMMANDS_PLAN_NODE_H
#define COMMANDS_PLAN_NODE_H

#include "commands/command.h"

/* Without a campaign or a site: the node that --node names, a file of hwloc's
 * XML or hwloc's synthetic text, with the tasks that --task describe.
 */
enum exit_status plan_node (const struct invocation *invocation);

#endif /* !COMMANDS_PLAN_NODE_H */
