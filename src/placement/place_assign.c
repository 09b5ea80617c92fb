/* SPDX-License-Identifier: BSD-3-Clause */
/* place_assign.c - the cores and the memory of a slot */
#include "base/base.h"

#include <hwloc.h>

#include "placement/free_node.h"

/* How many cores of core 'i''s level 3 cache (where there is none: of its NUMA
 * node) are left, beside 'near' (NULL: anywhere).
 */
static int left_in_cache (const struct free_node *node, size_t i,
                          const struct hwloc_bitmap_s *near)
{
    const struct node_core *all = node->shape->cores;
    int n = 0;

    for (size_t k = 0; k < node->shape->n_cores; k++)
        n += all[k].numa == all[i].numa && all[k].l3 == all[i].l3
             && node->core[k]
             && (!near || hwloc_bitmap_intersects (near, all[k].threads));
    return n;
}

/* Take up to 'want' cores of one cache of the NUMA node: of the one with the
 * fewest that has all of them, else of the one with most.  Returns how many.
 */
static int take_from_cache (struct free_node *node, int numa, int want,
                            const struct hwloc_bitmap_s *near,
                            struct hwloc_bitmap_s *cpus)
{
    const struct node_shape *shape = node->shape;
    int best = -1, best_left = 0, taken = 0;

    for (size_t i = 0; i < shape->n_cores; i++) {
        int left;

        if (shape->cores[i].numa != numa || !node->core[i]
            || (i > 0 && shape->cores[i - 1].numa == numa
                && shape->cores[i - 1].l3 == shape->cores[i].l3
                && node->core[i - 1]))
            continue;
        left = left_in_cache (node, i, near);
        if (left == 0)
            continue;
        if (best < 0
            || (left >= want ? best_left < want || left < best_left
                             : best_left < want && left > best_left)) {
            best = (int)i;
            best_left = left;
        }
    }
    for (size_t i = 0; best >= 0 && taken < want && i < shape->n_cores; i++) {
        if (shape->cores[i].numa != numa || !node->core[i]
            || shape->cores[i].l3 != shape->cores[best].l3
            || (near
                && !hwloc_bitmap_intersects (near, shape->cores[i].threads)))
            continue;
        hwloc_bitmap_or (cpus, cpus, node->core[i]);
        hwloc_bitmap_free (node->core[i]);
        node->core[i] = NULL;
        node->cores[numa]--;
        taken++;
    }
    return taken;
}

static void take_from_numa (struct free_node *node, int numa, int want,
                            const struct hwloc_bitmap_s *near,
                            struct hwloc_bitmap_s *cpus)
{
    while (want > 0) {
        int taken = take_from_cache (node, numa, want, near, cpus);

        if (taken == 0 && near)
            near = NULL; /* none are left beside the device */
        else if (taken == 0)
            return;
        want -= taken;
    }
}

/* The NUMA node to take the next cores of a slot that crosses from: one beside
 * its first device, then the one with most.
 */
static int next_numa (const struct free_node *node, const struct placing *task)
{
    size_t n = node->shape->n_numas;
    int best = -1;
    bool best_beside = false;

    for (size_t j = 0; j < n; j++) {
        bool beside = task->needs->gpus > 0
                      && node->beside[(size_t)task->gpus[0] * n + j];

        if (node->cores[j] > 0
            && (best < 0 || beside > best_beside
                || (beside == best_beside
                    && node->cores[j] > node->cores[best]))) {
            best = (int)j;
            best_beside = beside;
        }
    }
    return best;
}

void assign_cores (struct free_node *node, const struct placing *task,
                   struct placed_slot *slot)
{
    const struct node_shape *shape = node->shape;
    const struct hwloc_bitmap_s *near =
        task->needs->gpus > 0 ? shape->gpus[task->gpus[0]].near : NULL;
    int want = task->needs->cores;

    slot->cpus = hwloc_bitmap_alloc ();
    if (task->numa >= 0) {
        take_from_numa (node, task->numa, want, near, slot->cpus);
        return;
    }
    while (want > 0) {
        int numa = next_numa (node, task);
        int here = node->cores[numa] < want ? node->cores[numa] : want;

        take_from_numa (node, numa, here, near, slot->cpus);
        want -= here;
    }
}

static int64_t take_memory (struct free_node *node, int numa, int64_t want,
                            struct placed_slot *slot)
{
    int64_t bytes =
        node->memory_bytes[numa] < want ? node->memory_bytes[numa] : want;

    if (bytes <= 0)
        return 0;
    node->memory_bytes[numa] -= bytes;
    slot->memory[slot->n_memory++] = (struct slot_memory){ numa, bytes };
    return bytes;
}

bool slot_has_core_of (const struct node_shape *shape,
                       const struct placed_slot *slot, size_t numa)
{
    for (size_t i = 0; i < shape->n_cores; i++) {
        if ((size_t)shape->cores[i].numa == numa
            && hwloc_bitmap_intersects (slot->cpus, shape->cores[i].threads))
            return true;
    }
    return false;
}

bool assign_memory (struct free_node *node, const struct placing *task,
                    struct placed_slot *slot)
{
    const struct node_shape *shape = node->shape;
    int64_t want = task->needs->memory_bytes;

    slot->memory = xcalloc (shape->n_numas * 2, sizeof (*slot->memory));
    if (task->numa >= 0) {
        want -= take_memory (node, task->numa, want, slot);
        return want == 0;
    }
    for (size_t j = 0; want > 0 && j < shape->n_numas; j++) {
        if (slot_has_core_of (shape, slot, j))
            want -= take_memory (node, (int)j, want, slot);
    }
    while (want > 0 && !node->rules->strict_memory) {
        size_t most = 0;

        for (size_t j = 1; j < shape->n_numas; j++) {
            if (node->memory_bytes[j] > node->memory_bytes[most])
                most = j;
        }
        if (node->memory_bytes[most] <= 0)
            break;
        want -= take_memory (node, (int)most, want, slot);
    }
    return want == 0;
}
