/* SPDX-License-Identifier: BSD-3-Clause */
/* place_gpus.c - sets of GPUs for the tasks that want several */
#include "base/base.h"

#include <hwloc.h>

#include "placement/free_node.h"

/* How good a choice of sets is; compared in this order. */
struct quality {
    double bandwidth; /* the sum over the pairs of each set */
    int together;     /* pairs beside the same cores */
    int roomy;        /* sets beside which the task has room */
};

static bool better (const struct quality *a, const struct quality *b)
{
    if (a->bandwidth != b->bandwidth)
        return a->bandwidth > b->bandwidth;
    if (a->together != b->together)
        return a->together > b->together;
    return a->roomy > b->roomy;
}

static void add_pair (const struct free_node *node, int a, int b,
                      struct quality *q)
{
    const struct node_shape *shape = node->shape;

    if (shape->links)
        q->bandwidth += shape->links[(size_t)a * shape->n_gpus + (size_t)b]
                        + shape->links[(size_t)b * shape->n_gpus + (size_t)a];
    q->together +=
        hwloc_bitmap_isequal (shape->gpus[a].near, shape->gpus[b].near);
}

/* Whether a NUMA node beside all of the set has room for the task. */
static bool has_room (const struct free_node *node, const struct placing *task,
                      const int *set)
{
    size_t n = node->shape->n_numas;

    for (size_t j = 0; j < n; j++) {
        bool beside = node->cores[j] >= task->needs->cores
                      && node->memory_bytes[j] >= task->needs->memory_bytes;

        for (int i = 0; beside && i < task->needs->gpus; i++)
            beside = node->beside[(size_t)set[i] * n + j];
        if (beside)
            return true;
    }
    return false;
}

static void add_set (const struct free_node *node, const struct placing *task,
                     const int *set, struct quality *q)
{
    for (int i = 0; i < task->needs->gpus; i++) {
        for (int j = i + 1; j < task->needs->gpus; j++)
            add_pair (node, set[i], set[j], q);
    }
    q->roomy += has_room (node, task, set);
}

/* --- all choices --- */

struct choosing {
    struct free_node *node;
    struct placing *tasks; /* those of several GPUs */
    size_t n;
    struct quality best;
    bool any;
    int *sets; /* of the choice so far, n rows of PLACE_EXACT_GPUS */
};

/* Choose the GPUs from 'i' on of task 't', none below 'from'. */
static void choose (struct choosing *c, size_t t, int i, int from,
                    struct quality q)
{
    int *set = &c->sets[t * PLACE_EXACT_GPUS];

    if (t == c->n) {
        if (c->any && !better (&q, &c->best))
            return;
        c->best = q;
        c->any = true;
        for (t = 0; t < c->n; t++)
            memcpy (c->tasks[t].gpus, &c->sets[t * PLACE_EXACT_GPUS],
                    (size_t)c->tasks[t].needs->gpus * sizeof (int));
        return;
    }
    if (i == c->tasks[t].needs->gpus) {
        /* tasks of one group are alike: the order of their sets says nothing */
        if (t > 0 && c->tasks[t - 1].group == c->tasks[t].group
            && set[0] < set[-PLACE_EXACT_GPUS])
            return;
        add_set (c->node, &c->tasks[t], set, &q);
        choose (c, t + 1, 0, 0, q);
        return;
    }
    for (int gpu = from; gpu < (int)c->node->shape->n_gpus; gpu++) {
        if (c->node->gpu_units[gpu] < GPU_UNITS)
            continue;
        c->node->gpu_units[gpu] -= GPU_UNITS;
        set[i] = gpu;
        choose (c, t, i + 1, gpu + 1, q);
        c->node->gpu_units[gpu] += GPU_UNITS;
    }
}

static void choose_all (struct free_node *node, struct placing *tasks, size_t n)
{
    struct choosing c = { .node = node, .tasks = tasks, .n = n };

    c.sets = xcalloc (n, PLACE_EXACT_GPUS * sizeof (*c.sets));
    choose (&c, 0, 0, 0, (struct quality){ 0 });
    free (c.sets);
}

/* --- many devices: task by task, from each device the best neighbours --- */

/* Fill 'set', whose first is chosen, with the best neighbours. */
static bool grow_set (const struct free_node *node, const struct placing *task,
                      int *set)
{
    for (int i = 1; i < task->needs->gpus; i++) {
        struct quality best = { .bandwidth = -1 };

        set[i] = -1;
        for (int gpu = 0; gpu < (int)node->shape->n_gpus; gpu++) {
            struct quality q = { 0 };
            bool free = node->gpu_units[gpu] == GPU_UNITS;

            for (int k = 0; free && k < i; k++) {
                free = set[k] != gpu;
                add_pair (node, set[k], gpu, &q);
            }
            if (free && better (&q, &best)) {
                best = q;
                set[i] = gpu;
            }
        }
        if (set[i] < 0)
            return false;
    }
    return true;
}

static void choose_greedily (struct free_node *node, struct placing *task)
{
    _cleanup_free_ int *set =
        xcalloc ((size_t)task->needs->gpus, sizeof (*set));
    struct quality best = { .bandwidth = -1 };

    for (int gpu = 0; gpu < (int)node->shape->n_gpus; gpu++) {
        struct quality q = { 0 };

        set[0] = gpu;
        if (node->gpu_units[gpu] < GPU_UNITS || !grow_set (node, task, set))
            continue;
        add_set (node, task, set, &q);
        if (better (&q, &best)) {
            best = q;
            memcpy (task->gpus, set, (size_t)task->needs->gpus * sizeof (*set));
        }
    }
}

static void take (struct free_node *node, const struct placing *task)
{
    for (int i = 0; i < task->needs->gpus; i++)
        node->gpu_units[task->gpus[i]] -= GPU_UNITS;
}

void place_gpu_sets (struct free_node *node, struct placing *tasks, size_t n)
{
    size_t several = 0;

    while (several < n && tasks[several].needs->gpus > 1)
        several++;
    if (node->total_gpus <= PLACE_EXACT_GPUS)
        choose_all (node, tasks, several);
    for (size_t t = 0; t < several; t++) {
        if (node->total_gpus > PLACE_EXACT_GPUS)
            choose_greedily (node, &tasks[t]);
        take (node, &tasks[t]);
    }
}
