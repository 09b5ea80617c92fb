/* SPDX-License-Identifier: BSD-3-Clause */
/* place_numas.c - which NUMA node has a task, and which single GPU it gets */
#include "base/base.h"

#include "placement/free_node.h"

/* After so many steps the search ends, and the best choice so far stands (2 of
 * 12,500 random mixes of test_place_random come to it).  Its first choice is
 * that of first fit, with which many tasks make do.
 */
enum { STEPS_MOST = 200000 };

struct numa_search {
    struct free_node *node;
    struct placing *tasks;
    size_t n;
    long steps;
    long steps_most;
    bool found;
    int best;  /* tasks that cross, of the best choice */
    int *numa; /* of the best choice, by task */
    int *gpu;
    bool *beside_gpu; /* by NUMA node: a granted GPU is beside it */
};

static void search_keep (struct numa_search *s, int crossing)
{
    s->found = true;
    s->best = crossing;
    for (size_t t = 0; t < s->n; t++) {
        s->numa[t] = s->tasks[t].numa;
        if (s->tasks[t].needs->gpus == 1)
            s->gpu[t] = s->tasks[t].gpus[0];
    }
}

static bool has_room (const struct free_node *node,
                      const struct place_group *needs, size_t numa)
{
    return node->shape->numas[numa].cores > 0
           && node->cores[numa] >= needs->cores
           && node->memory_bytes[numa] >= needs->memory_bytes;
}

static bool is_beside (const struct free_node *node, int gpu, size_t numa)
{
    return node->beside[(size_t)gpu * node->shape->n_numas + numa];
}

/* Whether two devices are as good as each other for what is to come. */
static bool alike (const struct free_node *node, int a, int b)
{
    size_t n = node->shape->n_numas;

    return node->gpu_units[a] == node->gpu_units[b]
           && memcmp (&node->beside[(size_t)a * n],
                      &node->beside[(size_t)b * n], n * sizeof (bool))
                  == 0;
}

/* The next device after 'gpu' that a task of one, or of a share of one, can
 * have beside 'numa' (-1: anywhere), and which is not like one before it.
 */
static int next_gpu (const struct free_node *node, const struct placing *task,
                     int numa, int gpu)
{
    while (++gpu < (int)node->shape->n_gpus) {
        bool tried = node->gpu_units[gpu] < units_of (task->needs)
                     || (numa >= 0 && !is_beside (node, gpu, (size_t)numa));

        for (int other = 0; !tried && other < gpu; other++)
            tried = alike (node, gpu, other);
        if (!tried)
            return gpu;
    }
    return -1;
}

static void search_step (struct numa_search *s, size_t t, int crossing);

/* Give the task its numa (-1: none) and go on with the next. */
static void assign_numa (struct numa_search *s, size_t t, int numa,
                         int crossing)
{
    const struct place_group *needs = s->tasks[t].needs;
    struct free_node *node = s->node;

    s->tasks[t].numa = numa;
    if (numa >= 0) {
        node->cores[numa] -= needs->cores;
        node->memory_bytes[numa] -= needs->memory_bytes;
    }
    search_step (s, t + 1, crossing + (numa < 0));
    if (numa >= 0) {
        node->cores[numa] += needs->cores;
        node->memory_bytes[numa] += needs->memory_bytes;
    }
}

/* How many of the tasks from 't' on cross at least: no node has room for more
 * tasks than for those of the fewest cores.
 */
static int cross_at_least (const struct numa_search *s, size_t t)
{
    const struct free_node *node = s->node;
    int fewest = 0, room = 0;

    for (size_t i = t; i < s->n; i++) {
        if (fewest == 0 || s->tasks[i].needs->cores < fewest)
            fewest = s->tasks[i].needs->cores;
    }
    for (size_t j = 0; fewest > 0 && j < node->shape->n_numas; j++)
        room += node->cores[j] / fewest;
    return (int)(s->n - t) > room ? (int)(s->n - t) - room : 0;
}

/* Whether a choice with so many tasks that cross would be worth a step. */
static bool go_on (const struct numa_search *s, int crossing)
{
    return crossing < s->best
           && s->steps < (s->found ? s->steps_most : STEPS_MOST);
}

static void try_numa (struct numa_search *s, size_t t, int numa, int crossing)
{
    struct placing *task = &s->tasks[t];
    struct free_node *node = s->node;

    if (task->needs->gpus > 1) {
        for (int i = 0; numa >= 0 && i < task->needs->gpus; i++) {
            if (!is_beside (node, task->gpus[i], (size_t)numa))
                return;
        }
    }
    if (task->needs->gpus != 1) {
        assign_numa (s, t, numa, crossing);
        return;
    }
    for (int gpu = next_gpu (node, task, numa, -1);
         gpu >= 0 && go_on (s, crossing + (numa < 0));
         gpu = next_gpu (node, task, numa, gpu)) {
        node->gpu_units[gpu] -= units_of (task->needs);
        task->gpus[0] = gpu;
        assign_numa (s, t, numa, crossing);
        node->gpu_units[gpu] += units_of (task->needs);
    }
}

/* Whether a node without GPUs is like one before it. */
static bool is_repeated (const struct numa_search *s, size_t numa)
{
    const struct free_node *node = s->node;

    for (size_t j = 0; !s->beside_gpu[numa] && j < numa; j++) {
        if (!s->beside_gpu[j] && node->cores[j] == node->cores[numa]
            && node->memory_bytes[j] == node->memory_bytes[numa])
            return true;
    }
    return false;
}

/* The node to try next.  Nodes are in the order of their numbers, for tasks
 * without GPUs those beside no GPU first; with BIND_SPREAD in the order of
 * their free cores.  -1: there is none.
 */
static int next_numa (const struct numa_search *s,
                      const struct place_group *needs, const bool *tried)
{
    const struct free_node *node = s->node;
    bool spread = node->rules->bind == BIND_SPREAD;
    int best = -1;

    for (size_t j = 0; j < node->shape->n_numas; j++) {
        bool apart = best >= 0 && needs->gpus == 0
                     && s->beside_gpu[best] != s->beside_gpu[j];

        if (tried[j] || !has_room (node, needs, j))
            continue;
        if (best < 0 || (apart && s->beside_gpu[best])
            || (!apart && spread && node->cores[j] > node->cores[best]))
            best = (int)j;
    }
    return best;
}

static void search_step (struct numa_search *s, size_t t, int crossing)
{
    bool *tried;
    int numa;

    s->steps++;
    if (t == s->n) {
        search_keep (s, crossing);
        return;
    }
    if (!go_on (s, crossing + cross_at_least (s, t)))
        return;
    tried = xcalloc (s->node->shape->n_numas, sizeof (*tried));
    while (go_on (s, crossing)
           && (numa = next_numa (s, s->tasks[t].needs, tried)) >= 0) {
        tried[numa] = true;
        if (!is_repeated (s, (size_t)numa))
            try_numa (s, t, numa, crossing);
    }
    free (tried);
    if (go_on (s, crossing + 1))
        try_numa (s, t, -1, crossing);
}

/* Where no task here needs GPUs nothing is to be kept for them. */
static void mark_beside_gpus (struct numa_search *s)
{
    bool wanted = false;

    for (size_t t = 0; t < s->n; t++)
        wanted = wanted || s->tasks[t].needs->gpus > 0;
    if (!wanted)
        return;
    for (size_t j = 0; j < s->node->shape->n_numas; j++) {
        for (size_t i = 0; i < s->node->shape->n_gpus; i++)
            s->beside_gpu[j] =
                s->beside_gpu[j] || is_beside (s->node, (int)i, j);
    }
}

int place_numas (struct free_node *node, struct placing *tasks, size_t n,
                 int at_most)
{
    struct numa_search s = { .node = node, .tasks = tasks, .n = n };

    s.best = at_most;
    s.steps_most = n <= PLACE_EXACT ? STEPS_MOST : 0;
    s.numa = xcalloc (n, sizeof (*s.numa));
    s.gpu = xcalloc (n, sizeof (*s.gpu));
    s.beside_gpu = xcalloc (node->shape->n_numas, sizeof (*s.beside_gpu));
    mark_beside_gpus (&s);
    search_step (&s, 0, 0);
    for (size_t t = 0; s.found && t < n; t++) {
        tasks[t].numa = s.numa[t];
        if (tasks[t].needs->gpus == 1)
            tasks[t].gpus[0] = s.gpu[t];
    }
    free (s.beside_gpu);
    free (s.gpu);
    free (s.numa);
    return s.found ? s.best : -1;
}

/* --- devices first, where NUMA nodes in their order lead nowhere --- */

/* Give a device to each task from 't' on that takes one, or a share of one.
 * Tasks are in the order in which they were counted, which fit.
 */
static bool choose_gpus (struct free_node *node, struct placing *tasks,
                         size_t n, size_t t)
{
    int units;

    while (t < n && tasks[t].needs->gpus != 1)
        t++;
    if (t == n)
        return true;
    units = units_of (tasks[t].needs);
    for (int gpu = 0; gpu < (int)node->shape->n_gpus; gpu++) {
        bool tried = node->gpu_units[gpu] < units, chosen;

        for (int other = 0; !tried && other < gpu; other++)
            tried = node->gpu_units[other] == node->gpu_units[gpu];
        if (tried)
            continue;
        tasks[t].gpus[0] = gpu;
        node->gpu_units[gpu] -= units;
        chosen = choose_gpus (node, tasks, n, t + 1);
        node->gpu_units[gpu] += units;
        if (chosen)
            return true;
    }
    return false;
}

/* A NUMA node beside all devices of the task with room for it, or -1. */
static int numa_beside (const struct free_node *node,
                        const struct placing *task)
{
    for (size_t j = 0; j < node->shape->n_numas; j++) {
        bool beside = has_room (node, task->needs, j);

        for (int i = 0; beside && i < task->needs->gpus; i++)
            beside = is_beside (node, task->gpus[i], j);
        if (beside)
            return (int)j;
    }
    return -1;
}

int place_numas_by_gpu (struct free_node *node, struct placing *tasks, size_t n)
{
    int crossing = 0;

    if (!choose_gpus (node, tasks, n, 0))
        return -1;
    for (size_t t = 0; t < n; t++) {
        int numa = tasks[t].numa = numa_beside (node, &tasks[t]);

        crossing += numa < 0;
        if (numa >= 0) {
            node->cores[numa] -= tasks[t].needs->cores;
            node->memory_bytes[numa] -= tasks[t].needs->memory_bytes;
        }
    }
    for (size_t t = 0; t < n; t++) {
        if (tasks[t].numa >= 0) {
            node->cores[tasks[t].numa] += tasks[t].needs->cores;
            node->memory_bytes[tasks[t].numa] += tasks[t].needs->memory_bytes;
        }
    }
    return crossing;
}
