/* SPDX-License-Identifier: BSD-3-Clause */
/* scheduler_access.h - how the scheduler of a profile is reached, and what its
 * nodes have
 */
#ifndef ENGINE_SCHEDULER_ACCESS_H
#define ENGINE_SCHEDULER_ACCESS_H

#include "adapter.h"
#include "arrays/packing.h"

struct engine;
struct profile;

/* The adapter of 'profile', and how to reach its scheduler (lent by plan and
 * engine).
 */
const struct scheduler_adapter *engine_scheduler (struct engine *engine,
                                                  const struct profile *profile,
                                                  struct scheduler *scheduler);

/* What one element of 'profile' may have for tasks that need 'task', less what
 * is reserved: as site.yaml
 * says; where it says nothing, this machine's cores (local), or what most nodes
 * have by the scheduler's answer 'site' (NULL: it was not asked).
 */
int node_capacity_of (const struct profile *profile,
                      const struct resources *task,
                      const struct scheduler_limits *site,
                      struct node_capacity *room, struct error *err);

/* Of what a profile and its scheduler allow the tightest. */
struct array_limits limits_at_site (const struct profile *profile,
                                    const struct scheduler_limits *site);

#endif /* !ENGINE_SCHEDULER_ACCESS_H */
