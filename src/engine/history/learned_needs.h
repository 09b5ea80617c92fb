/* SPDX-License-Identifier: BSD-3-Clause */
/* learned_needs.h - what `auto` in a stage's `task:` stands for (pure)
 *
 * Counted are tasks that were ok in iterations before; within an iteration it
 * is the same for all attempts, so that what retries add is added to one size.
 */
#ifndef ENGINE_LEARNED_NEEDS_H
#define ENGINE_LEARNED_NEEDS_H

#include "engine/history/size_counts.h"
#include "signature/resources.h"

struct stage;
struct state;

struct learned_needs {
    struct resources needs;    /* the stage's, with what was learned */
    int64_t tasks[SIZE_KINDS]; /* from so many; 0: as stated */
};

/* Of a stage in 'iteration'.  Of the latest iterations so many are counted that
 * they have 20 tasks, or all.  What 95 % of these needed and a margin (a
 * quarter more memory, half as much again for the walltime), not less than 64
 * MiB and a minute, and not more than the profile's nodes and limits have.
 */
struct learned_needs learned_needs (const struct stage *stage,
                                    const struct state *state, int iteration);

#endif /* !ENGINE_LEARNED_NEEDS_H */
