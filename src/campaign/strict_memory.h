/* SPDX-License-Identifier: BSD-3-Clause */
/* strict_memory.h - room for tasks whose memory is strictly bound */
#ifndef CAMPAIGN_STRICT_MEMORY_H
#define CAMPAIGN_STRICT_MEMORY_H

#include "placement/place.h"

struct node_capacity;
struct profile;
struct resources;

/* What a node is to have of it for each of 'tasks' tasks (0: any number). */
struct place_group place_group_of (const struct resources *task, int tasks);

/* Count the NUMA nodes of the profile, those of its topology or (with
 * 'this_host', where it runs here and says nothing of its nodes) of this host,
 * for tasks that need 'task': the members strict_... of 'node'.  Nothing is
 * counted without memory_binding: strict.
 */
void strict_memory_count (const struct profile *profile,
                          const struct resources *task, bool this_host,
                          struct node_capacity *node);

#endif /* !CAMPAIGN_STRICT_MEMORY_H */
