/* SPDX-License-Identifier: BSD-3-Clause */
/* free_node.c - what of a node can be given to tasks */
#include "base/base.h"

#include <hwloc.h>

#include "placement/free_node.h"

/* Whether the system keeps this core, 'before' of which were granted before. */
static bool is_reserved (const struct free_node *node, size_t core, int before)
{
    const struct node_core *all = node->shape->cores;

    if (!node->rules->reserve_one_per_l3)
        return before < node->rules->reserved_cores;
    for (size_t i = 0; i < core; i++) {
        if (all[i].l3 == all[core].l3
            && hwloc_bitmap_intersects (node->reserved, all[i].threads))
            return false;
    }
    return true;
}

static void add_cores (struct free_node *node,
                       const struct hwloc_bitmap_s *granted)
{
    const struct node_shape *shape = node->shape;
    int before = 0;

    for (size_t i = 0; i < shape->n_cores; i++) {
        struct hwloc_bitmap_s *threads =
            hwloc_bitmap_dup (shape->cores[i].threads);

        if (granted)
            hwloc_bitmap_and (threads, threads, granted);
        if (hwloc_bitmap_iszero (threads)) {
            hwloc_bitmap_free (threads);
        } else if (is_reserved (node, i, before++)) {
            hwloc_bitmap_or (node->reserved, node->reserved, threads);
            hwloc_bitmap_free (threads);
        } else {
            if (node->rules->one_thread)
                hwloc_bitmap_singlify (threads);
            node->core[i] = threads;
            node->cores[shape->cores[i].numa]++;
            node->total_cores++;
        }
    }
}

static void add_memory (struct free_node *node)
{
    const struct node_shape *shape = node->shape;
    bool known = shape->memory_bytes > 0;

    node->total_memory_bytes = known ? shape->memory_bytes : INT64_MAX;
    for (size_t j = 0; j < shape->n_numas; j++) {
        if (!known)
            node->memory_bytes[j] = INT64_MAX;
        else if (shape->numas[j].cores > 0)
            node->memory_bytes[j] = shape->numas[j].memory_bytes;
    }
}

static void add_gpu (struct free_node *node, size_t gpu)
{
    const struct node_shape *shape = node->shape;

    node->gpu_units[gpu] = GPU_UNITS;
    node->total_gpus++;
    for (size_t i = 0; i < shape->n_cores; i++) {
        if (hwloc_bitmap_intersects (shape->gpus[gpu].near,
                                     shape->cores[i].threads))
            node->beside[gpu * shape->n_numas + (size_t)shape->cores[i].numa] =
                true;
    }
}

void free_node_init (struct free_node *node, const struct node_shape *shape,
                     const struct granted *granted,
                     const struct place_rules *rules)
{
    *node = (struct free_node){ .shape = shape, .rules = rules };
    node->core = xcalloc (shape->n_cores, sizeof (*node->core));
    node->reserved = hwloc_bitmap_alloc ();
    node->cores = xcalloc (shape->n_numas, sizeof (*node->cores));
    node->memory_bytes = xcalloc (shape->n_numas, sizeof (*node->memory_bytes));
    node->gpu_units = xcalloc (shape->n_gpus, sizeof (*node->gpu_units));
    node->beside =
        xcalloc (shape->n_gpus * shape->n_numas, sizeof (*node->beside));
    add_cores (node, granted->cpus);
    add_memory (node);
    for (size_t i = 0; i < granted->n_gpus; i++)
        add_gpu (node, (size_t)granted->gpus[i]);
}

void free_node_release (struct free_node *node)
{
    for (size_t i = 0; i < node->shape->n_cores; i++)
        hwloc_bitmap_free (node->core[i]);
    free (node->core);
    hwloc_bitmap_free (node->reserved);
    free (node->cores);
    free (node->memory_bytes);
    free (node->gpu_units);
    free (node->beside);
}

int place_reserved (const struct node_shape *shape,
                    const struct granted *granted,
                    const struct place_rules *rules)
{
    static const struct granted all = { 0 };
    struct free_node node;
    int reserved = 0;

    free_node_init (&node, shape, granted ? granted : &all, rules);
    for (size_t i = 0; i < shape->n_cores; i++)
        reserved +=
            hwloc_bitmap_intersects (node.reserved, shape->cores[i].threads);
    free_node_release (&node);
    return reserved;
}
