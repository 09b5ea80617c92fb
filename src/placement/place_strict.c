/* SPDX-License-Identifier: BSD-3-Clause */
/* place_strict.c - what tasks have of a node whose memory is strictly bound */
#include "base/base.h"

#include "placement/place.h"

/* How many tasks of this shape the node has room for. */
static int count_tasks (const struct node_shape *shape,
                        const struct granted *granted,
                        const struct place_group *group,
                        const struct place_rules *rules)
{
    struct placement placement;
    int n;

    place (shape, granted, group, 1, rules, &placement);
    n = (int)placement.n;
    placement_release (&placement);
    return n;
}

/* The memory of the NUMA nodes of one task, as it is placed by its cores. */
static int64_t memory_of_cores (const struct node_shape *shape,
                                const struct granted *granted,
                                const struct place_group *one,
                                const struct place_rules *rules)
{
    struct placement placement;
    int64_t bytes = 0;

    place (shape, granted, one, 1, rules, &placement);
    for (size_t j = 0; placement.n > 0 && j < shape->n_numas; j++) {
        if (slot_has_core_of (shape, &placement.v[0], j))
            bytes += shape->numas[j].memory_bytes;
    }
    placement_release (&placement);
    return bytes;
}

/* A task has its memory from one NUMA node, or from those that its cores must
 * be of.
 */
static int64_t most_of_one (const struct node_shape *shape,
                            const struct granted *granted,
                            const struct place_group *group,
                            const struct place_rules *rules)
{
    struct place_group one = *group;
    int64_t most;

    one.tasks = 1;
    one.memory_bytes = 0;
    most = memory_of_cores (shape, granted, &one, rules);
    for (size_t j = 0; j < shape->n_numas; j++) {
        one.memory_bytes = shape->numas[j].memory_bytes;
        if (one.memory_bytes > most
            && count_tasks (shape, granted, &one, rules) > 0)
            most = one.memory_bytes;
    }
    return most;
}

struct strict_room place_strict_room (const struct node_shape *shape,
                                      const struct granted *granted,
                                      const struct place_group *group,
                                      const struct place_rules *rules)
{
    struct place_group any = *group;
    struct strict_room room = { 0 };

    any.tasks = 0;
    if (!rules->strict_memory || shape->memory_bytes == 0
        || group->memory_bytes == 0)
        return room;
    room.task_bytes = most_of_one (shape, granted, &any, rules);
    if (room.task_bytes == 0)
        return room;
    room.tasks = count_tasks (shape, granted, &any, rules);
    for (size_t j = 0; j < shape->n_numas; j++) {
        const struct node_numa *numa = &shape->numas[j];

        if (numa->cores > 0
            && (room.least_bytes == 0 || numa->memory_bytes < room.least_bytes))
            room.least_bytes = numa->memory_bytes;
    }
    return room;
}
