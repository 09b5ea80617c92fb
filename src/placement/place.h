/* SPDX-License-Identifier: BSD-3-Clause */
/* place.h - tasks -> slots on one node (pure)
 *
 * A slot is what one task is given: cores, devices, memory.  'fanfold plan' and
 * the agent both ask this, so that what was shown is what is bound.
 *
 * What is sought, in this order: the most tasks at a time; for tasks of several
 * GPUs the sets with the greatest sum of bandwidths between their GPUs (where
 * those are equal or not known: GPUs beside the same cores); the fewest slots
 * that cross NUMA nodes.  A slot crosses unless one NUMA node has all of its
 * cores and memory and is beside all of its devices.  Up to PLACE_EXACT tasks
 * and PLACE_EXACT_GPUS devices that is the optimum, but that the search for the
 * fewest that cross ends after some time (2 of 12,500 random mixes come to
 * that) with the best it has; beyond, tasks are taken by what of the node they
 * use and cores by first fit.  Then: a task with GPUs
 * gets the cores nearest to them, one without, beside such tasks, gets cores
 * near no GPU while there are any, and cores that share a cache stay together.
 *
 * Memory is counted for each NUMA node: a slot's comes from the nodes of its
 * cores and, where those have not enough left, from the ones with most
 * ('strict_memory': from nowhere else).  Nodes without cores (HBM, memory of
 * GPUs) are left out.  Where a shape does not know its memory, none is counted.
 */
#ifndef PLACEMENT_PLACE_H
#define PLACEMENT_PLACE_H

#include "placement/node_shape.h"
#include "placement/place_rules.h"

enum {
    PLACE_EXACT = 12,
    PLACE_EXACT_GPUS = 8,
    GPU_UNITS = 720720 /* of a device: any 1/n of it, n up to 16, is whole */
};

/* What this process, or an element, was given of the node. */
struct granted {
    const struct hwloc_bitmap_s *cpus; /* NULL: all hardware threads */
    const int *gpus;                   /* indexes into shape->gpus */
    size_t n_gpus;
};

/* Tasks of one shape. */
struct place_group {
    int tasks; /* at a time, at most; 0: as many as fit beside groups that have
                  a number, those with GPUs first */
    int cores; /* >= 1 */
    int gpus;
    int gpu_share;        /* n > 1: 'gpus' is 1, and n tasks share the device */
    int64_t memory_bytes; /* 0: not stated */
};

struct slot_memory {
    int numa; /* index into shape->numas */
    int64_t bytes;
};

struct placed_slot {
    size_t group;
    struct hwloc_bitmap_s *cpus; /* hardware threads; bind none: all granted */
    int first_core;              /* the first of its cores, by hwloc's order */
    int *gpus;                   /* indexes into shape->gpus */
    size_t n_gpus;
    struct slot_memory *memory;
    size_t n_memory;
    bool crosses;
};

enum place_lack { LACK_NOTHING, LACK_CORES, LACK_GPUS, LACK_MEMORY };

struct placement {
    struct placed_slot *v; /* by group, then by GPU and core */
    size_t n;
    enum place_lack *lacks;      /* by group: why no more of it were placed */
    struct hwloc_bitmap_s *idle; /* hardware threads that no slot has */
    struct hwloc_bitmap_s *reserved;
    int *idle_gpus; /* of which no slot has a part */
    size_t n_idle_gpus;
};

void placement_release (struct placement *placement);

/* Place 'n' groups.  What does not fit is left out, with its reason; so the
 * result may have no slot.
 */
void place (const struct node_shape *shape, const struct granted *granted,
            const struct place_group *groups, size_t n,
            const struct place_rules *rules, struct placement *placement);

/* How many of the cores that were granted (NULL: all) the rules leave to the
 * system.
 */
int place_reserved (const struct node_shape *shape,
                    const struct granted *granted,
                    const struct place_rules *rules);

/* The rules of an element that asked for 'cores' cores, for tasks of 'group':
 * one that asked for no more than its tasks need has a share of a node, and
 * reserves nothing of that.
 */
struct place_rules place_rules_of_element (const struct place_rules *rules,
                                           const struct place_group *group,
                                           int cores);

/* What tasks of one shape have of a node where the memory of each is from the
 * NUMA nodes of its cores alone (strict_memory); all 0: the node does not tell
 * its memory, they want none, or none has room.
 */
struct strict_room {
    int tasks;           /* at a time */
    int64_t task_bytes;  /* the most memory that one may have */
    int64_t least_bytes; /* of the smallest NUMA node with cores */
};
struct strict_room place_strict_room (const struct node_shape *shape,
                                      const struct granted *granted,
                                      const struct place_group *group,
                                      const struct place_rules *rules);

/* Whether the slot has a core of the NUMA node. */
bool slot_has_core_of (const struct node_shape *shape,
                       const struct placed_slot *slot, size_t numa);

/* For people and programs, as a list of slots; the caller unrefs. */
struct json *placement_json (const struct node_shape *shape,
                             const struct placement *placement);

#endif /* !PLACEMENT_PLACE_H */
