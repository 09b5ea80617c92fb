/* SPDX-License-Identifier: BSD-3-Clause */
/* free_node.h - what of a node is still free, and the steps of placing
 *
 * For the files place*.c only.
 */
#ifndef PLACEMENT_FREE_NODE_H
#define PLACEMENT_FREE_NODE_H

#include "placement/place.h"

struct free_node {
    const struct node_shape *shape;
    const struct place_rules *rules;
    struct hwloc_bitmap_s **core; /* by core: what tasks may have; NULL: none */
    struct hwloc_bitmap_s *reserved;
    int *cores;            /* free ones, by NUMA node */
    int64_t *memory_bytes; /* free, by NUMA node; huge where not known */
    int *gpu_units;        /* free, by GPU, of GPU_UNITS; 0: not granted */
    bool *beside; /* [gpu * n_numas + numa]: one granted, near these cores */
    int total_cores;
    int64_t total_memory_bytes;
    int total_gpus;
};

/* A task that gets a slot. */
struct placing {
    size_t group;
    const struct place_group *needs;
    int *gpus; /* needs->gpus indexes, -1 before they are chosen */
    int numa;  /* the NUMA node that has all of it; -1: it crosses */
};

/* How many tasks of this shape a device has room for, where they take one. */
static inline int tasks_on_gpu (const struct place_group *needs)
{
    return needs->gpu_share > 1 ? needs->gpu_share : 1;
}

/* Units of one device that such a task takes. */
static inline int units_of (const struct place_group *needs)
{
    return GPU_UNITS / tasks_on_gpu (needs);
}

void free_node_init (struct free_node *node, const struct node_shape *shape,
                     const struct granted *granted,
                     const struct place_rules *rules);
void free_node_release (struct free_node *node);

/* Choose how many tasks of each group are placed: 'counts' gets one number
 * each.  Up to PLACE_EXACT tasks in all, 'each' is called with every choice of
 * the most tasks until it returns false; beyond, with one.
 */
void place_count (const struct free_node *node,
                  const struct place_group *groups, size_t n,
                  bool (*each) (const int *counts, void *arg), void *arg);

/* Give the tasks of several GPUs their sets, which are taken from the node. */
void place_gpu_sets (struct free_node *node, struct placing *tasks, size_t n);

/* Choose each task's NUMA node, and the devices of tasks with one GPU or a
 * share of one, such that fewer than 'at_most' tasks cross.  Returns how many
 * do; -1: no such choice was found.  'node' is unchanged.
 */
int place_numas (struct free_node *node, struct placing *tasks, size_t n,
                 int at_most);

/* The same for tasks of which it finds no choice: devices first, as they were
 * counted, then NUMA nodes by first fit.
 */
int place_numas_by_gpu (struct free_node *node, struct placing *tasks,
                        size_t n);

/* Give the task its cores and memory, which are taken from the node (a core
 * that is taken is NULL there).  Memory: false where too little is left.
 */
void assign_cores (struct free_node *node, const struct placing *task,
                   struct placed_slot *slot);
bool assign_memory (struct free_node *node, const struct placing *task,
                    struct placed_slot *slot);

#endif /* !PLACEMENT_FREE_NODE_H */
