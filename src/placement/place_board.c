/* SPDX-License-Identifier: BSD-3-Clause */
/* place_board.c - what of a node can be given to tasks */
#include "config.h"

#include <hwloc.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "placement/place_board.h"

/* Whether the system keeps this core, 'before' of which were granted before. */
static bool is_reserved (const struct board *board, size_t core, int before)
{
    const struct node_core *all = board->shape->cores;

    if (!board->rules->reserve_one_per_l3)
        return before < board->rules->reserved_cores;
    for (size_t i = 0; i < core; i++) {
        if (all[i].l3 == all[core].l3
            && hwloc_bitmap_intersects (board->reserved, all[i].threads))
            return false;
    }
    return true;
}

static void add_cores (struct board *board,
                       const struct hwloc_bitmap_s *granted)
{
    const struct node_shape *shape = board->shape;
    int before = 0;

    for (size_t i = 0; i < shape->n_cores; i++) {
        struct hwloc_bitmap_s *threads =
            hwloc_bitmap_dup (shape->cores[i].threads);

        if (granted)
            hwloc_bitmap_and (threads, threads, granted);
        if (hwloc_bitmap_iszero (threads)) {
            hwloc_bitmap_free (threads);
        } else if (is_reserved (board, i, before++)) {
            hwloc_bitmap_or (board->reserved, board->reserved, threads);
            hwloc_bitmap_free (threads);
        } else {
            if (board->rules->one_thread)
                hwloc_bitmap_singlify (threads);
            board->core[i] = threads;
            board->cores[shape->cores[i].numa]++;
            board->total_cores++;
        }
    }
}

static void add_memory (struct board *board)
{
    const struct node_shape *shape = board->shape;
    bool known = shape->memory_bytes > 0;

    board->total_memory_bytes = known ? shape->memory_bytes : INT64_MAX;
    for (size_t j = 0; j < shape->n_numas; j++) {
        if (!known)
            board->memory_bytes[j] = INT64_MAX;
        else if (shape->numas[j].cores > 0)
            board->memory_bytes[j] = shape->numas[j].memory_bytes;
    }
}

static void add_gpu (struct board *board, size_t gpu)
{
    const struct node_shape *shape = board->shape;

    board->gpu_units[gpu] = GPU_UNITS;
    board->total_gpus++;
    for (size_t i = 0; i < shape->n_cores; i++) {
        if (hwloc_bitmap_intersects (shape->gpus[gpu].near,
                                     shape->cores[i].threads))
            board->beside[gpu * shape->n_numas + (size_t)shape->cores[i].numa] =
                true;
    }
}

void board_init (struct board *board, const struct node_shape *shape,
                 const struct granted *granted, const struct place_rules *rules)
{
    *board = (struct board){ .shape = shape, .rules = rules };
    board->core = xcalloc (shape->n_cores, sizeof (*board->core));
    board->reserved = hwloc_bitmap_alloc ();
    board->cores = xcalloc (shape->n_numas, sizeof (*board->cores));
    board->memory_bytes =
        xcalloc (shape->n_numas, sizeof (*board->memory_bytes));
    board->gpu_units = xcalloc (shape->n_gpus, sizeof (*board->gpu_units));
    board->beside =
        xcalloc (shape->n_gpus * shape->n_numas, sizeof (*board->beside));
    add_cores (board, granted->cpus);
    add_memory (board);
    for (size_t i = 0; i < granted->n_gpus; i++)
        add_gpu (board, (size_t)granted->gpus[i]);
}

void board_release (struct board *board)
{
    for (size_t i = 0; i < board->shape->n_cores; i++)
        hwloc_bitmap_free (board->core[i]);
    free (board->core);
    hwloc_bitmap_free (board->reserved);
    free (board->cores);
    free (board->memory_bytes);
    free (board->gpu_units);
    free (board->beside);
}
