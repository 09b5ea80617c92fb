/* SPDX-License-Identifier: BSD-3-Clause */
/* strict_memory.c - room for tasks whose memory is strictly bound */
#include "base/base.h"

#include "campaign/plan.h"
#include "campaign/strict_memory.h"
#include "placement/slots.h"

struct place_group place_group_of (const struct resources *task, int tasks)
{
    const struct resources share = resources_of_node (task);

    return (struct place_group){ .tasks = tasks,
                                 .cores = share.cores,
                                 .gpus = share.gpus,
                                 .gpu_share = share.gpu_share,
                                 .memory_bytes = share.memory_bytes };
}

static struct strict_room room_of_topology (const struct profile *profile,
                                            const struct place_group *group)
{
    struct strict_room room = { 0 };
    struct granted granted = { 0 };
    struct node_shape shape;
    _cleanup_free_ int *gpus = NULL;

    if (node_shape_from_xml (profile->topology, &shape, NULL) < 0)
        return room;
    gpus = xcalloc (shape.n_gpus + 1, sizeof (*gpus));
    for (size_t i = 0; i < shape.n_gpus; i++)
        gpus[i] = (int)i;
    granted.gpus = gpus;
    granted.n_gpus = shape.n_gpus;
    room = place_strict_room (&shape, &granted, group, &profile->rules);
    node_shape_release (&shape);
    return room;
}

void strict_memory_count (const struct profile *profile,
                          const struct resources *task, bool this_host,
                          struct node_capacity *node)
{
    const struct place_group group = place_group_of (task, 0);
    struct strict_room room = { 0 };

    if (!profile->rules.strict_memory)
        return;
    if (profile->topology)
        room = room_of_topology (profile, &group);
    else if (this_host && profile_runs_here (profile)
             && profile->node.cores == 0)
        room = granted_strict_room (&group, &profile->rules);
    node->strict_tasks = room.tasks;
    node->strict_task_bytes = room.task_bytes;
    node->least_numa_bytes = room.least_bytes;
}
