/* SPDX-License-Identifier: BSD-3-Clause */
/* place_count.c - how many tasks of each group a node has room for
 *
 * A knapsack of three resources in which every task counts one.  Beyond
 * PLACE_EXACT tasks groups are sorted by the part of the node that a task uses,
 * weighted, the least first, for a grid of weights; the best result stands. (By
 * linear programming duality some weights order groups as the optimum does;
 * what is lost is less than a task for each resource.  First fit decreasing is
 * one of the orders tried.)
 */
#include "base/base.h"

#include "placement/free_node.h"

struct counting {
    const struct free_node *node;
    const struct place_group *groups;
    size_t n;
    int *counts;
    int best;                                    /* tasks */
    bool (*each) (const int *counts, void *arg); /* NULL: find 'best' */
    void *arg;
};

/* Whether shares with these numbers of tasks fit 'devices' devices: the
 * largest left goes first, onto each device that is filled differently.
 */
static bool shares_fit (const struct place_group *groups, size_t n, int *counts,
                        int *units, int devices, bool first_only)
{
    size_t g = n;

    for (size_t i = 0; i < n; i++) {
        if (groups[i].gpu_share > 1 && counts[i] > 0
            && (g == n || groups[i].gpu_share < groups[g].gpu_share))
            g = i;
    }
    if (g == n)
        return true;
    for (int d = 0; d < devices; d++) {
        bool tried = false, fits;

        for (int e = 0; e < d; e++)
            tried = tried || units[e] == units[d];
        if (tried || units[d] < units_of (&groups[g]))
            continue;
        units[d] -= units_of (&groups[g]);
        counts[g]--;
        fits = shares_fit (groups, n, counts, units, devices, first_only);
        counts[g]++;
        units[d] += units_of (&groups[g]);
        if (fits || first_only)
            return fits;
    }
    return false;
}

static bool gpus_fit (const struct counting *c)
{
    int whole = 0, sharing = 0, devices;
    _cleanup_free_ int *units = NULL;
    _cleanup_free_ int *left = NULL;
    bool fits;

    for (size_t g = 0; g < c->n; g++) {
        if (c->groups[g].gpu_share > 1)
            sharing += c->counts[g];
        else
            whole += c->counts[g] * c->groups[g].gpus;
    }
    devices = c->node->total_gpus - whole;
    if (devices < 0 || sharing == 0)
        return devices >= 0;
    if (devices > sharing)
        devices = sharing;
    units = xcalloc ((size_t)devices + 1, sizeof (*units));
    left = xcalloc (c->n, sizeof (*left));
    for (int d = 0; d < devices; d++)
        units[d] = GPU_UNITS;
    memcpy (left, c->counts, c->n * sizeof (*left));
    fits = shares_fit (c->groups, c->n, left, units, devices,
                       sharing > PLACE_EXACT);
    return fits;
}

static bool fits (const struct counting *c)
{
    int64_t cores = 0, memory_bytes = 0;

    for (size_t g = 0; g < c->n; g++) {
        cores += (int64_t)c->counts[g] * c->groups[g].cores;
        memory_bytes += c->counts[g] * c->groups[g].memory_bytes;
    }
    return cores <= c->node->total_cores
           && memory_bytes <= c->node->total_memory_bytes && gpus_fit (c);
}

/* How many tasks of a group there can be when it has the node alone. */
static int alone (const struct free_node *node, const struct place_group *group)
{
    int64_t n = node->total_cores / group->cores;

    if (group->gpus > 0) {
        int64_t by_gpus =
            (int64_t)node->total_gpus * tasks_on_gpu (group) / group->gpus;

        n = by_gpus < n ? by_gpus : n;
    }
    if (group->memory_bytes > 0
        && node->total_memory_bytes / group->memory_bytes < n)
        n = node->total_memory_bytes / group->memory_bytes;
    return group->tasks > 0 && group->tasks < n ? group->tasks : (int)n;
}

/* The most of a group that fits beside what is counted. */
static void fill_group (struct counting *c, size_t g, int most)
{
    int low = 0, high = most;

    while (low < high) {
        c->counts[g] = low + (high - low + 1) / 2;
        if (fits (c))
            low = c->counts[g];
        else
            high = c->counts[g] - 1;
    }
    c->counts[g] = low;
}

/* Tell of a choice, with what else fits of the groups without a number: those
 * that want GPUs first, which others can do without.
 */
static bool tell_choice (struct counting *c)
{
    _cleanup_free_ int *chosen = xcalloc (c->n, sizeof (*chosen));
    bool go_on;

    memcpy (chosen, c->counts, c->n * sizeof (*chosen));
    for (int pass = 0; pass < 2; pass++) {
        for (size_t g = 0; g < c->n; g++) {
            if (c->groups[g].tasks == 0
                && (c->groups[g].gpus > 0) == (pass == 0))
                fill_group (c, g, alone (c->node, &c->groups[g]));
        }
    }
    go_on = c->each (c->counts, c->arg);
    memcpy (c->counts, chosen, c->n * sizeof (*chosen));
    return go_on;
}

/* Every choice for the groups from 'g' on; 'total' tasks are chosen, at most
 * 'more' can follow.  False: 'each' has seen enough.
 */
static bool enumerate (struct counting *c, const int *most, size_t g, int total,
                       int more)
{
    bool go_on = true;

    if (total + more < c->best || (!c->each && total + more == c->best))
        return true;
    if (g == c->n) {
        if (!c->each)
            c->best = total;
        else
            go_on = tell_choice (c);
        return go_on;
    }
    for (int x = most[g]; go_on && x >= 0; x--) {
        c->counts[g] = x;
        if (fits (c))
            go_on = enumerate (c, most, g + 1, total + x, more - most[g]);
    }
    c->counts[g] = 0;
    return go_on;
}

/* As many as fit of each group in this order. */
static int fill (struct counting *c, const int *most, const size_t *order)
{
    int total = 0;

    memset (c->counts, 0, c->n * sizeof (*c->counts));
    for (size_t i = 0; i < c->n; i++) {
        fill_group (c, order[i], most[order[i]]);
        total += c->counts[order[i]];
    }
    return total;
}

/* The part of the node that a task uses, weighted. */
static double weigh (const struct free_node *node,
                     const struct place_group *group, const int *weights)
{
    double part = weights[0] * (double)group->cores / node->total_cores;

    if (node->total_gpus > 0)
        part += (double)weights[1] * group->gpus
                / (tasks_on_gpu (group) * node->total_gpus);
    if (node->total_memory_bytes > 0)
        part += weights[2] * (double)group->memory_bytes
                / (double)node->total_memory_bytes;
    return part;
}

/* Insertion sort: groups are few. */
static void sort_groups (const struct counting *c, const int *weights,
                         bool largest_first, size_t *order)
{
    for (size_t i = 0; i < c->n; i++) {
        double w = weigh (c->node, &c->groups[i], weights);
        size_t at = i;

        for (; at > 0; at--) {
            double other = weigh (c->node, &c->groups[order[at - 1]], weights);

            if (largest_first ? other >= w : other <= w)
                break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

static void count_by_weights (struct counting *c, const int *most)
{
    static const int grid[] = { 0, 1, 2, 5, 10 };
    _cleanup_free_ size_t *order = xcalloc (c->n, sizeof (*order));
    _cleanup_free_ int *best = xcalloc (c->n, sizeof (*best));

    for (size_t i = 0; i < 125 + 1; i++) {
        /* the last is first fit decreasing */
        int weights[3] = { grid[i / 25 % 5], grid[i / 5 % 5], grid[i % 5] };
        int all[3] = { 1, 1, 1 };
        int total;

        sort_groups (c, i < 125 ? weights : all, i == 125, order);
        total = fill (c, most, order);
        if (total > c->best || i == 0) {
            c->best = total;
            memcpy (best, c->counts, c->n * sizeof (*best));
        }
    }
    memcpy (c->counts, best, c->n * sizeof (*best));
    tell_choice (c);
}

void place_count (const struct free_node *node,
                  const struct place_group *groups, size_t n,
                  bool (*each) (const int *counts, void *arg), void *arg)
{
    struct counting c = { .node = node, .groups = groups, .n = n };
    _cleanup_free_ int *most = xcalloc (n, sizeof (*most));
    int64_t all = 0;

    c.counts = xcalloc (n, sizeof (*c.counts));
    for (size_t g = 0; g < n; g++) {
        most[g] = groups[g].tasks > 0 ? alone (node, &groups[g]) : 0;
        all += most[g];
    }
    if (all > PLACE_EXACT) {
        c.each = each;
        c.arg = arg;
        count_by_weights (&c, most);
    } else {
        c.best = -1;
        enumerate (&c, most, 0, 0, (int)all);
        memset (c.counts, 0, n * sizeof (*c.counts));
        c.each = each;
        c.arg = arg;
        enumerate (&c, most, 0, 0, (int)all);
    }
    free (c.counts);
}
