/* SPDX-License-Identifier: BSD-3-Clause */
/* rules_quota.c - how many frames of a group are wanted */
#include "config.h"

#include "selection/rules/rules.h"

size_t rules_n_groups (const struct rules *rules)
{
    return rules->per_system ? rules->n_systems : 1;
}

size_t rules_group (const struct rules *rules, size_t system)
{
    return rules->per_system ? system : 0;
}

/* DP-GEN: r < S: all of it; S <= r < T: falls linearly; r >= T: none.  Its
 * frames are those that have a class: invalid ones would have stopped it.
 */
size_t rules_quota (const struct rules *rules,
                    const uint64_t frames[FRAME_CLASSES])
{
    uint64_t accurate = frames[FRAME_ACCURATE], all;
    double r;

    all = accurate + frames[FRAME_CANDIDATE] + frames[FRAME_FAILED];
    if (all == 0)
        return 0;
    r = (double)accurate / (double)all;
    if (r < rules->soft)
        return rules->quota;
    if (r >= rules->hard)
        return 0;
    return (size_t)((double)rules->quota * (r - rules->hard)
                    / (rules->soft - rules->hard));
}

uint64_t rules_top (const struct rules *rules, int q, uint64_t n)
{
    uint64_t top = (uint64_t)(rules->top[q].fraction * (double)n);

    if (top < rules->top[q].count)
        top = rules->top[q].count;
    return top < n ? top : n;
}
