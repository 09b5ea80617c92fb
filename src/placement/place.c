/* SPDX-License-Identifier: BSD-3-Clause */
/* place.c - tasks -> slots on one node (pure) */
#include "base/base.h"

#include <hwloc.h>

#include "base/json.h"
#include "placement/free_node.h"

/* --- choosing --- */

struct choice {
    struct placing *tasks;
    size_t n;
    int crossing;
};

static void tasks_release (struct placing *tasks, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free (tasks[i].gpus);
    free (tasks);
}

/* Several GPUs first, then one, then larger shares first, then cores. */
static int by_size (const void *a, const void *b)
{
    const struct placing *x = a, *y = b;
    const struct place_group *p = x->needs, *q = y->needs;

    if (p->gpus != q->gpus)
        return q->gpus - p->gpus;
    if (units_of (p) != units_of (q))
        return units_of (q) - units_of (p);
    if (p->cores != q->cores)
        return q->cores - p->cores;
    if (p->memory_bytes != q->memory_bytes)
        return p->memory_bytes < q->memory_bytes ? 1 : -1;
    return (x->group > y->group) - (x->group < y->group);
}

static struct placing *tasks_make (const struct place_group *groups, size_t n,
                                   const int *counts, size_t *n_tasks)
{
    struct placing *tasks = NULL;
    size_t alloc = 0;

    *n_tasks = 0;
    for (size_t g = 0; g < n; g++) {
        for (int i = 0; i < counts[g]; i++) {
            tasks = grow_array (tasks, *n_tasks, &alloc, sizeof (*tasks));
            tasks[(*n_tasks)++] = (struct placing){
                g, &groups[g], xcalloc ((size_t)groups[g].gpus, sizeof (int)),
                -1
            };
        }
    }
    if (*n_tasks > 0)
        qsort (tasks, *n_tasks, sizeof (*tasks), by_size);
    return tasks;
}

struct choosing {
    const struct free_node *node;
    const struct place_group *groups;
    size_t n_groups;
    struct choice best;
};

/* Try these numbers of tasks; false: nothing can be better. */
static bool try_counts (const int *counts, void *arg)
{
    struct choosing *c = arg;
    struct choice choice;
    size_t gpu_bytes = c->node->shape->n_gpus * sizeof (int);
    struct free_node node = *c->node;

    node.gpu_units = xmalloc (gpu_bytes + 1);
    memcpy (node.gpu_units, c->node->gpu_units, gpu_bytes);
    choice.tasks = tasks_make (c->groups, c->n_groups, counts, &choice.n);
    place_gpu_sets (&node, choice.tasks, choice.n);
    choice.crossing = place_numas (&node, choice.tasks, choice.n,
                                   c->best.tasks ? c->best.crossing : INT_MAX);
    if (choice.crossing < 0 && !c->best.tasks)
        choice.crossing = place_numas_by_gpu (&node, choice.tasks, choice.n);
    free (node.gpu_units);
    if (choice.crossing < 0) {
        tasks_release (choice.tasks, choice.n);
        return true;
    }
    tasks_release (c->best.tasks, c->best.n);
    c->best = choice;
    return choice.crossing > 0;
}

static void slot_release (struct placed_slot *slot)
{
    hwloc_bitmap_free (slot->cpus);
    free (slot->gpus);
    free (slot->memory);
}

static int by_place (const void *a, const void *b)
{
    const struct placed_slot *x = a, *y = b;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->n_gpus > 0 && x->gpus[0] != y->gpus[0])
        return x->gpus[0] - y->gpus[0];
    return x->first_core - y->first_core;
}

/* Slots with a numa first: those that cross take what they leave. */
static void assign (struct free_node *node, const struct choice *choice,
                    struct placement *placement)
{
    placement->v = xcalloc (choice->n, sizeof (*placement->v));
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t t = 0; t < choice->n; t++) {
            const struct placing *task = &choice->tasks[t];
            struct placed_slot slot = { .group = task->group,
                                        .n_gpus = (size_t)task->needs->gpus,
                                        .crosses = task->numa < 0 };

            if (slot.crosses != (pass == 1))
                continue;
            assign_cores (node, task, &slot);
            while (!hwloc_bitmap_intersects (
                node->shape->cores[slot.first_core].threads, slot.cpus))
                slot.first_core++;
            if (!assign_memory (node, task, &slot)) {
                placement->lacks[task->group] = LACK_MEMORY;
                slot_release (&slot);
                continue;
            }
            slot.gpus = xcalloc (slot.n_gpus + 1, sizeof (*slot.gpus));
            memcpy (slot.gpus, task->gpus, slot.n_gpus * sizeof (*slot.gpus));
            placement->v[placement->n++] = slot;
        }
    }
    if (placement->n > 0)
        qsort (placement->v, placement->n, sizeof (*placement->v), by_place);
}

/* --- the result --- */

/* What there is too little of for one more task of the group. */
static enum place_lack lack_of (const struct free_node *node,
                                const struct placement *placement,
                                const struct place_group *groups, size_t group)
{
    int cores = node->total_cores, devices = 0;
    int *units = xcalloc (node->shape->n_gpus, sizeof (*units));

    memcpy (units, node->gpu_units, node->shape->n_gpus * sizeof (*units));
    for (size_t i = 0; i < placement->n; i++) {
        const struct placed_slot *slot = &placement->v[i];

        cores -= groups[slot->group].cores;
        for (size_t k = 0; k < slot->n_gpus; k++)
            units[slot->gpus[k]] -= units_of (&groups[slot->group]);
    }
    for (size_t i = 0; i < node->shape->n_gpus; i++)
        devices += units[i] >= units_of (&groups[group]);
    free (units);
    if (cores < groups[group].cores)
        return LACK_CORES;
    return devices < groups[group].gpus ? LACK_GPUS : LACK_MEMORY;
}

static void note_lacks (const struct free_node *node,
                        const struct place_group *groups, size_t n,
                        struct placement *placement)
{
    for (size_t g = 0; g < n; g++) {
        int placed = 0;

        for (size_t i = 0; i < placement->n; i++)
            placed += placement->v[i].group == g;
        if (placement->lacks[g] == LACK_NOTHING
            && (groups[g].tasks == 0 || placed < groups[g].tasks))
            placement->lacks[g] = lack_of (node, placement, groups, g);
    }
}

static void note_idle (const struct free_node *node,
                       struct placement *placement)
{
    const struct node_shape *shape = node->shape;

    placement->idle = hwloc_bitmap_alloc ();
    for (size_t i = 0; i < shape->n_cores; i++) {
        if (node->core[i])
            hwloc_bitmap_or (placement->idle, placement->idle, node->core[i]);
    }
    placement->idle_gpus = xcalloc (shape->n_gpus + 1, sizeof (int));
    for (int gpu = 0; gpu < (int)shape->n_gpus; gpu++) {
        bool idle = node->gpu_units[gpu] > 0;

        for (size_t i = 0; idle && i < placement->n; i++) {
            for (size_t k = 0; k < placement->v[i].n_gpus; k++)
                idle = idle && placement->v[i].gpus[k] != gpu;
        }
        if (idle)
            placement->idle_gpus[placement->n_idle_gpus++] = gpu;
    }
}

/* Nothing is bound: every slot has all that was granted. */
static void unbind (const struct free_node *node, struct placement *placement)
{
    struct hwloc_bitmap_s *all = hwloc_bitmap_alloc ();

    for (size_t i = 0; i < node->shape->n_cores; i++) {
        if (node->core[i])
            hwloc_bitmap_or (all, all, node->core[i]);
    }
    for (size_t i = 0; i < placement->n; i++)
        hwloc_bitmap_or (all, all, placement->v[i].cpus);
    for (size_t i = 0; i < placement->n; i++)
        hwloc_bitmap_copy (placement->v[i].cpus, all);
    hwloc_bitmap_free (all);
}

void place (const struct node_shape *shape, const struct granted *granted,
            const struct place_group *groups, size_t n,
            const struct place_rules *rules, struct placement *placement)
{
    struct free_node node;
    struct choosing choosing = { &node, groups, n, { 0 } };

    free_node_init (&node, shape, granted, rules);
    *placement = (struct placement){ 0 };
    placement->lacks = xcalloc (n, sizeof (*placement->lacks));
    place_count (&node, groups, n, try_counts, &choosing);
    assign (&node, &choosing.best, placement);
    tasks_release (choosing.best.tasks, choosing.best.n);
    note_lacks (&node, groups, n, placement);
    note_idle (&node, placement);
    if (rules->bind == BIND_NONE)
        unbind (&node, placement);
    placement->reserved = hwloc_bitmap_dup (node.reserved);
    free_node_release (&node);
}

struct place_rules place_rules_of_element (const struct place_rules *rules,
                                           const struct place_group *group,
                                           int cores)
{
    struct place_rules of_element = *rules;

    if (cores <= group->tasks * group->cores) {
        of_element.reserve_one_per_l3 = false;
        of_element.reserved_cores = 0;
    }
    return of_element;
}

void placement_release (struct placement *placement)
{
    for (size_t i = 0; i < placement->n; i++)
        slot_release (&placement->v[i]);
    free (placement->v);
    free (placement->lacks);
    hwloc_bitmap_free (placement->idle);
    hwloc_bitmap_free (placement->reserved);
    free (placement->idle_gpus);
    *placement = (struct placement){ 0 };
}

/* --- as JSON --- */

static struct json *slot_json (const struct node_shape *shape,
                               const struct placed_slot *slot)
{
    struct json *v = json_object ();
    struct json *numa = json_array ();
    struct json *gpus = json_array ();

    for (size_t j = 0; j < shape->n_numas; j++) {
        if (slot_has_core_of (shape, slot, j))
            json_push (numa, json_int (shape->numas[j].os));
    }
    for (size_t i = 0; i < slot->n_gpus; i++)
        json_push (gpus, json_string (shape->gpus[slot->gpus[i]].address));
    json_set (v, "cores", cpus_json (slot->cpus));
    json_set (v, "numa", numa);
    json_set (v, "gpus", gpus);
    if (slot->crosses)
        json_set (v, "crosses", json_bool (true));
    return v;
}

struct json *placement_json (const struct node_shape *shape,
                             const struct placement *placement)
{
    struct json *v = json_array ();

    for (size_t i = 0; i < placement->n; i++)
        json_push (v, slot_json (shape, &placement->v[i]));
    return v;
}
