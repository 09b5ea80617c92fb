/* SPDX-License-Identifier: BSD-3-Clause */
/* stage_group.h - what a stage makes of its operator's group */
#ifndef CAMPAIGN_STAGE_GROUP_H
#define CAMPAIGN_STAGE_GROUP_H

#include "arrays/packing.h"

struct stage;
struct yaml_node;

/* Fill stage->group by the operator's and by `node_map:` of the stage, whose
 * mapping is 'node'.
 */
void stage_group_read (const struct yaml_node *node, struct stage *stage);

/* Add to stage->needs, which has what `task:` says, what the programs of the
 * group need together; less of anything is recorded.  'key' is the stage's.
 */
void stage_group_complete (const struct yaml_node *key,
                           const struct yaml_node *node, struct stage *stage);

/* Record, at 'at', that the group needs more of 'need' than a node has: 'why'
 * is what task_need_fits said.
 */
void stage_group_no_room (const struct yaml_node *at, enum task_need need,
                          const struct stage *stage, const char *why);

#endif /* !CAMPAIGN_STAGE_GROUP_H */
