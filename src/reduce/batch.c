/* SPDX-License-Identifier: BSD-3-Clause */
/* batch.c - of the pool of each group, a batch of frames that differ */
#include "base/base.h"

#include "base/json.h"
#include "reduce/batch.h"
#include "reduce/batch_pick.h"
#include "reduce/batch_rows.h"
#include "reduce/candidate_pool.h"
#include "reduce/exchange.h"
#include "reduce/passes.h"
#include "reduce/selection_input.h"
#include "selection/statistics/frame_stats.h"

/* Candidates of the pool, by number. */
struct numbers {
    size_t *v;
    size_t n;
};

static void numbers_release (struct numbers *numbers)
{
    free (numbers->v);
    *numbers = (struct numbers){ 0 };
}

/* How a batch is picked, by rules->pick. */
static int (*const ways[]) (struct batch_rows *batch, size_t quota,
                            size_t *picked, size_t *n, struct error *err) = {
    [PICK_FPS] = batch_pick_farthest,
    [PICK_COVER] = batch_pick_cover,
    [PICK_DOPTIMAL] = batch_pick_d_optimal,
};

/* The features that were dropped, by their numbers.  Caller unrefs. */
static struct json *dropped_of (const struct scaling *scaling)
{
    struct json *dropped = json_array ();

    for (size_t i = 0, k = 0; i < scaling->n_features; i++) {
        if (k < scaling->width && scaling->kept[k] == i)
            k++;
        else
            json_push (dropped, json_int ((int64_t)i));
    }
    return dropped;
}

static void note_dropped (const struct batch_rows *batch, size_t group,
                          struct selection *selection)
{
    const struct selection_input *input = batch->input;

    if (!input->rules.batch.features)
        return;
    if (!selection->dropped_features)
        selection->dropped_features = json_object ();
    json_set (selection->dropped_features,
              input->rules.quota_per ? input->systems.v[group] : "all",
              dropped_of (&batch->scaling));
}

/* Append the batch of one group, or nothing where that is too few. */
static int pick_group (const struct selection_input *input,
                       const struct candidate_pool *pool,
                       const struct numbers *members, size_t group,
                       size_t quota, struct numbers *picked,
                       struct selection *selection, struct error *err)
{
    _cleanup_ (batch_rows_release) struct batch_rows batch = BATCH_ROWS_INIT;
    size_t *own = picked->v + picked->n, n = 0;
    int rc;

    if (members->n == 0 || quota == 0)
        return 0;
    batch.input = input;
    batch.pool = pool;
    batch.members = members->v;
    batch.n = members->n;
    rc = batch_rows_load (&batch, err);
    if (rc == 0)
        rc = ways[input->rules.pick](&batch, quota, own, &n, err);
    if (rc < 0)
        return -1;
    note_dropped (&batch, group, selection);
    for (size_t i = 0; i < n; i++)
        own[i] = members->v[own[i]];
    picked->n += n < input->rules.minimum ? 0 : n;
    return 0;
}

/* Those of 'chosen' that are of the group. */
static void members_of (const struct selection_input *input,
                        const struct candidate_pool *pool,
                        const struct numbers *chosen, size_t group,
                        struct numbers *members)
{
    members->n = 0;
    for (size_t i = 0; i < chosen->n; i++) {
        const struct trajectory *trajectory =
            input_trajectory (input, pool->frames[chosen->v[i]].task);

        if (rules_group (&input->rules, trajectory->system) == group)
            members->v[members->n++] = chosen->v[i];
    }
}

/* All ranks know what rank 0 has chosen. */
static void share_chosen (const struct candidate_pool *pool,
                          const struct selection *selection,
                          struct numbers *chosen)
{
    uint64_t n = selection->n;
    _cleanup_free_ uint64_t *words = NULL;

    exchange_share (&n, 1);
    words = xcalloc (n, sizeof (*words));
    for (size_t i = 0; exchange_rank () == 0 && i < n; i++) {
        const struct sampled *found =
            bsearch (&selection->frames[i], pool->frames, pool->n,
                     sizeof (*found), sampled_compare);

        words[i] = (uint64_t)(found - pool->frames);
    }
    exchange_share (words, n);
    chosen->v = xcalloc (n, sizeof (*chosen->v));
    chosen->n = n;
    for (size_t i = 0; i < n; i++)
        chosen->v[i] = (size_t)words[i];
}

static void leave_picked (const struct candidate_pool *pool,
                          const struct numbers *picked,
                          struct selection *selection)
{
    for (size_t i = 0; i < picked->n; i++)
        selection->frames[i] = pool->frames[picked->v[i]];
    selection->n = picked->n;
    sampled_sort (selection->frames, selection->n);
}

int batch_select (const struct selection_input *input,
                  const struct frame_stats *stats,
                  const struct candidate_pool *pool,
                  struct selection *selection, struct error *err)
{
    _cleanup_ (numbers_release) struct numbers chosen = { 0 };
    _cleanup_ (numbers_release) struct numbers members = { 0 };
    _cleanup_ (numbers_release) struct numbers picked = { 0 };
    int rc = 0;

    share_chosen (pool, selection, &chosen);
    if (chosen.n > INT_MAX)
        return error_set (err,
                          "pick: pool: %zu candidates, and %d can be looked "
                          "at; write a number for pool, or a smaller one",
                          chosen.n, INT_MAX);
    members.v = xcalloc (chosen.n, sizeof (*members.v));
    picked.v = xcalloc (chosen.n, sizeof (*picked.v));
    for (size_t group = 0; rc == 0 && group < stats->found.n_groups; group++) {
        uint64_t frames[FRAME_CLASSES];

        frame_stats_group_frames (stats, group, frames);
        members_of (input, pool, &chosen, group, &members);
        rc = pick_group (input, pool, &members, group,
                         rules_quota (&input->rules, frames), &picked,
                         selection, err);
    }
    if (rc == 0 && exchange_rank () == 0)
        leave_picked (pool, &picked, selection);
    return rc;
}
