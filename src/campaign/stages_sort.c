/* SPDX-License-Identifier: BSD-3-Clause */
/* stages_order.c - an order in which every stage comes after what it needs */
#include "base/base.h"

#include "base/arena.h"
#include "campaign/compilation.h"

/* The stages still to be placed, and those that are. */
struct ordering {
    const struct compilation *c;
    size_t n;
    bool *placed;
    int *order; /* order[k]: which stage of the file is the k-th */
    size_t n_placed;
};

static bool waits_for (const struct ordering *o, size_t i, size_t k)
{
    return o->c->waits[i * o->n + k];
}

/* Something stage i waits for that is not placed; -1 when it can be placed. */
static int unplaced_need (const struct ordering *o, size_t i)
{
    for (size_t k = 0; k < o->n; k++) {
        if (waits_for (o, i, k) && !o->placed[k])
            return (int)k;
    }
    return -1;
}

static void place (struct ordering *o, size_t i)
{
    o->placed[i] = true;
    o->order[o->n_placed++] = (int)i;
}

/* The first of the file that can be placed; the order of the file is kept
 * where nothing speaks against it.
 */
static bool place_next (struct ordering *o)
{
    for (size_t i = 0; i < o->n; i++) {
        if (!o->placed[i] && unplaced_need (o, i) < 0) {
            place (o, i);
            return true;
        }
    }
    return false;
}

/* Every stage left waits for one that is left: following them ends in a
 * cycle.  Fill in the stages on it, the first of the file first.
 */
static size_t find_cycle (const struct ordering *o, size_t *cycle)
{
    size_t first = 0, n = 0;

    while (o->placed[first])
        first++;
    for (size_t step = 0; step < o->n; step++)
        first = (size_t)unplaced_need (o, first);
    /* now on the cycle: once around for its first */
    for (size_t step = 0, i = first; step < o->n; step++) {
        i = (size_t)unplaced_need (o, i);
        first = i < first ? i : first;
    }
    do {
        cycle[n++] = first;
        first = (size_t)unplaced_need (o, first);
    } while (first != cycle[0]);
    return n;
}

/* Name a cycle, and place its stages: what waits for them is not at fault. */
static void report_cycle (struct ordering *o)
{
    const struct plan *plan = o->c->plan;
    size_t *cycle = arena_array (o->c->reader.arena, o->n, sizeof (*cycle));
    size_t n = find_cycle (o, cycle);
    _cleanup_ (strbuf_release) struct strbuf names = STRBUF_INIT;

    for (size_t k = 0; k < n; k++) {
        strbuf_addf (&names, "'%s' needs ", plan->stages[cycle[k]].name);
        place (o, cycle[k]);
    }
    field_problem (o->c->stages->keys[cycle[0]],
                   "%s: %s'%s'; let one of them take previous.STAGE.OUTPUT",
                   n == 1 ? "a stage waits for itself"
                          : "stages wait for each other",
                   names.buf, plan->stages[cycle[0]].name);
}

/* --- the plan in that order --- */

static void renumber (struct binding *binding, const int *rank)
{
    if (binding->stage >= 0)
        binding->stage = rank[binding->stage];
    for (size_t i = 0; i < binding->n_parts; i++)
        renumber (&binding->parts[i], rank);
}

static void fill_after (const struct ordering *o, const int *rank, size_t i,
                        struct stage *stage)
{
    int *after = arena_array (o->c->reader.arena, o->n, sizeof (*after));
    size_t n = 0;

    for (size_t k = 0; k < o->n; k++) {
        if (waits_for (o, i, (size_t)o->order[k]))
            after[n++] = rank[o->order[k]];
    }
    stage->after = after;
    stage->n_after = n;
    for (size_t k = 0; k < stage->n_bindings; k++)
        renumber (&stage->bindings[k], rank);
}

static void reorder (const struct ordering *o)
{
    struct plan *plan = o->c->plan;
    struct arena *arena = o->c->reader.arena;
    struct stage *stages = arena_array (arena, o->n, sizeof (*stages));
    int *rank = arena_array (arena, o->n, sizeof (*rank));

    for (size_t k = 0; k < o->n; k++)
        rank[o->order[k]] = (int)k;
    for (size_t k = 0; k < o->n; k++) {
        size_t i = (size_t)o->order[k];

        stages[k] = plan->stages[i];
        fill_after (o, rank, i, &stages[k]);
    }
    plan->stages = stages;
}

void stages_order (struct compilation *c)
{
    struct ordering o = { .c = c, .n = c->plan->n_stages };

    o.placed = arena_array (c->reader.arena, o.n, sizeof (*o.placed));
    o.order = arena_array (c->reader.arena, o.n, sizeof (*o.order));
    while (o.n_placed < o.n) {
        if (!place_next (&o))
            report_cycle (&o);
    }
    reorder (&o);
}
