/* SPDX-License-Identifier: BSD-3-Clause */
/* learned_needs.c - what `auto` in a stage's `task:` stands for (pure) */
#include "base/base.h"

#include "campaign/plan.h"
#include "engine/history/learned_needs.h"
#include "engine/history/state.h"

enum { TASKS_ENOUGH = 20, MIB = 1 << 20 };

static const double part_enough = 0.95;

static const struct margin {
    double factor, least, unit;
} margins[] = {
    [SIZE_MEMORY] = { 1.25, 64.0 * MIB, MIB },
    [SIZE_WALLTIME] = { 1.5, 60, 1 },
};

/* The size for a stage, counted on the agent's node; 0: not known. */
static double learned_size (const struct stage *stage,
                            const struct state *state, int iteration,
                            enum size_kind kind, int64_t *tasks)
{
    const struct margin *margin = &margins[kind];
    struct size_counts counts = { 0 };
    double size;

    for (int i = iteration - 1;
         i >= 0 && size_counts_tasks (&counts) < TASKS_ENOUGH; i--) {
        const struct stage_state *earlier = state_stage (state, i, stage->name);

        if (earlier)
            size_counts_add_all (&counts, &earlier->sizes.of[kind]);
    }
    size = size_counts_enough_for (&counts, part_enough);
    *tasks = size_counts_tasks (&counts);
    size_counts_release (&counts);
    if (size <= 0)
        return 0;
    size = ceil (size * margin->factor / margin->unit) * margin->unit;
    return fmax (size, margin->least);
}

static double at_most (double size, double most)
{
    return most > 0 ? fmin (size, most) : size;
}

struct learned_needs learned_needs (const struct stage *stage,
                                    const struct state *state, int iteration)
{
    struct learned_needs learned = { .needs = stage->needs };
    struct resources *needs = &learned.needs;
    double size;

    if (needs->memory_auto
        && (size = learned_size (stage, state, iteration, SIZE_MEMORY,
                                 &learned.tasks[SIZE_MEMORY]))
               > 0)
        needs->memory_bytes =
            (int64_t)at_most (size, (double)stage->profile->node.memory_bytes)
            * (needs->nodes > 1 ? needs->nodes : 1);
    if (needs->walltime_auto
        && (size = learned_size (stage, state, iteration, SIZE_WALLTIME,
                                 &learned.tasks[SIZE_WALLTIME]))
               > 0)
        needs->walltime_s = at_most (size, stage->profile->limits.walltime_s);
    return learned;
}
