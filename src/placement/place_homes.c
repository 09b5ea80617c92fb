/* SPDX-License-Identifier: BSD-3-Clause */
/* place_homes.c - which NUMA node has a task, and which single GPU it gets */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "placement/place_board.h"

/* After so many steps the search ends.  Its first choice is that of first fit,
 * with which many tasks make do.
 */
enum { STEPS_MOST = 200000 };

struct homing {
    struct board *board;
    struct placing *tasks;
    size_t n;
    long steps;
    long steps_most;
    bool found;
    int best;  /* tasks that cross, of the best choice */
    int *home; /* of the best choice, by task */
    int *gpu;
    bool *gpu_node; /* by NUMA node: a granted GPU is beside it */
};

static void homing_keep (struct homing *h, int crossing)
{
    h->found = true;
    h->best = crossing;
    for (size_t t = 0; t < h->n; t++) {
        h->home[t] = h->tasks[t].home;
        if (h->tasks[t].needs->gpus == 1)
            h->gpu[t] = h->tasks[t].gpus[0];
    }
}

static bool has_room (const struct board *board,
                      const struct place_group *needs, size_t numa)
{
    return board->shape->numas[numa].cores > 0
           && board->cores[numa] >= needs->cores
           && board->memory_bytes[numa] >= needs->memory_bytes;
}

static bool is_beside (const struct board *board, int gpu, size_t numa)
{
    return board->beside[(size_t)gpu * board->shape->n_numas + numa];
}

/* Whether two devices are as good as each other for what is to come. */
static bool alike (const struct board *board, int a, int b)
{
    size_t n = board->shape->n_numas;

    return board->gpu_units[a] == board->gpu_units[b]
           && memcmp (&board->beside[(size_t)a * n],
                      &board->beside[(size_t)b * n], n * sizeof (bool))
                  == 0;
}

/* The next device after 'gpu' that a task of one, or of a share of one, can
 * have beside 'numa' (-1: anywhere), and which is not like one before it.
 */
static int next_gpu (const struct board *board, const struct placing *task,
                     int numa, int gpu)
{
    while (++gpu < (int)board->shape->n_gpus) {
        bool tried = board->gpu_units[gpu] < units_of (task->needs)
                     || (numa >= 0 && !is_beside (board, gpu, (size_t)numa));

        for (int other = 0; !tried && other < gpu; other++)
            tried = alike (board, gpu, other);
        if (!tried)
            return gpu;
    }
    return -1;
}

static void homing_step (struct homing *h, size_t t, int crossing);

/* Give the task its home (-1: none) and go on with the next. */
static void settle (struct homing *h, size_t t, int home, int crossing)
{
    const struct place_group *needs = h->tasks[t].needs;
    struct board *board = h->board;

    h->tasks[t].home = home;
    if (home >= 0) {
        board->cores[home] -= needs->cores;
        board->memory_bytes[home] -= needs->memory_bytes;
    }
    homing_step (h, t + 1, crossing + (home < 0));
    if (home >= 0) {
        board->cores[home] += needs->cores;
        board->memory_bytes[home] += needs->memory_bytes;
    }
}

/* How many of the tasks from 't' on cross at least: no node has room for more
 * tasks than for those of the fewest cores.
 */
static int cross_at_least (const struct homing *h, size_t t)
{
    const struct board *board = h->board;
    int fewest = 0, room = 0;

    for (size_t i = t; i < h->n; i++) {
        if (fewest == 0 || h->tasks[i].needs->cores < fewest)
            fewest = h->tasks[i].needs->cores;
    }
    for (size_t j = 0; fewest > 0 && j < board->shape->n_numas; j++)
        room += board->cores[j] / fewest;
    return (int)(h->n - t) > room ? (int)(h->n - t) - room : 0;
}

/* Whether a choice with so many tasks that cross would be worth a step. */
static bool go_on (const struct homing *h, int crossing)
{
    return crossing < h->best
           && h->steps < (h->found ? h->steps_most : STEPS_MOST);
}

static void try_home (struct homing *h, size_t t, int home, int crossing)
{
    struct placing *task = &h->tasks[t];
    struct board *board = h->board;

    if (task->needs->gpus > 1) {
        for (int i = 0; home >= 0 && i < task->needs->gpus; i++) {
            if (!is_beside (board, task->gpus[i], (size_t)home))
                return;
        }
    }
    if (task->needs->gpus != 1) {
        settle (h, t, home, crossing);
        return;
    }
    for (int gpu = next_gpu (board, task, home, -1);
         gpu >= 0 && go_on (h, crossing + (home < 0));
         gpu = next_gpu (board, task, home, gpu)) {
        board->gpu_units[gpu] -= units_of (task->needs);
        task->gpus[0] = gpu;
        settle (h, t, home, crossing);
        board->gpu_units[gpu] += units_of (task->needs);
    }
}

/* Whether a node without GPUs is like one before it. */
static bool is_repeated (const struct homing *h, size_t numa)
{
    const struct board *board = h->board;

    for (size_t j = 0; !h->gpu_node[numa] && j < numa; j++) {
        if (!h->gpu_node[j] && board->cores[j] == board->cores[numa]
            && board->memory_bytes[j] == board->memory_bytes[numa])
            return true;
    }
    return false;
}

/* The node to try next.  Nodes are in the order of their numbers, for tasks
 * without GPUs those beside no GPU first; with BIND_SPREAD in the order of
 * their free cores.  -1: there is none.
 */
static int next_home (const struct homing *h, const struct place_group *needs,
                      const bool *tried)
{
    const struct board *board = h->board;
    bool spread = board->rules->bind == BIND_SPREAD;
    int best = -1;

    for (size_t j = 0; j < board->shape->n_numas; j++) {
        bool apart = best >= 0 && needs->gpus == 0
                     && h->gpu_node[best] != h->gpu_node[j];

        if (tried[j] || !has_room (board, needs, j))
            continue;
        if (best < 0 || (apart && h->gpu_node[best])
            || (!apart && spread && board->cores[j] > board->cores[best]))
            best = (int)j;
    }
    return best;
}

static void homing_step (struct homing *h, size_t t, int crossing)
{
    bool *tried;
    int home;

    h->steps++;
    if (t == h->n) {
        homing_keep (h, crossing);
        return;
    }
    if (!go_on (h, crossing + cross_at_least (h, t)))
        return;
    tried = xcalloc (h->board->shape->n_numas, sizeof (*tried));
    while (go_on (h, crossing)
           && (home = next_home (h, h->tasks[t].needs, tried)) >= 0) {
        tried[home] = true;
        if (!is_repeated (h, (size_t)home))
            try_home (h, t, home, crossing);
    }
    free (tried);
    if (go_on (h, crossing + 1))
        try_home (h, t, -1, crossing);
}

static void mark_gpu_nodes (struct homing *h)
{
    for (size_t j = 0; j < h->board->shape->n_numas; j++) {
        for (size_t i = 0; i < h->board->shape->n_gpus; i++)
            h->gpu_node[j] = h->gpu_node[j] || is_beside (h->board, (int)i, j);
    }
}

int place_homes (struct board *board, struct placing *tasks, size_t n,
                 int at_most)
{
    struct homing h = { .board = board, .tasks = tasks, .n = n };

    h.best = at_most;
    h.steps_most = n <= PLACE_EXACT ? STEPS_MOST : 0;
    h.home = xcalloc (n, sizeof (*h.home));
    h.gpu = xcalloc (n, sizeof (*h.gpu));
    h.gpu_node = xcalloc (board->shape->n_numas, sizeof (*h.gpu_node));
    mark_gpu_nodes (&h);
    homing_step (&h, 0, 0);
    for (size_t t = 0; h.found && t < n; t++) {
        tasks[t].home = h.home[t];
        if (tasks[t].needs->gpus == 1)
            tasks[t].gpus[0] = h.gpu[t];
    }
    free (h.gpu_node);
    free (h.gpu);
    free (h.home);
    return h.found ? h.best : -1;
}
