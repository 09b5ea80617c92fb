/* SPDX-License-Identifier: BSD-3-Clause */
/* passes.c - all ranks' passes over all files */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "reduce/batch.h"
#include "reduce/candidate_pool.h"
#include "reduce/exchange.h"
#include "reduce/lists.h"
#include "reduce/pass.h"
#include "reduce/passes.h"
#include "reduce/probe.h"
#include "reduce/selection_input.h"
#include "reduce/result.h"
#include "selection/sampling/choose.h"
#include "selection/deviations/likeness.h"
#include "selection/geometry/fingerprint.h"
#include "selection/statistics/frame_stats.h"

/* How often more candidates are drawn because too many were refused: in the end
 * 1024 times as many as in the beginning.
 */
enum { TRIES = 6 };

static int find_lower_levels (const struct selection_input *input,
                              const struct layout *layout,
                              struct frame_stats *stats, struct error *err)
{
    uint64_t counts[SCAN_COUNTS];

    frame_stats_start (stats, PASS_RANGES, 0);
    if (pass_read (input, layout, stats, NULL, counts, err) < 0)
        return -1;
    frame_stats_find_bins (stats);
    frame_stats_start (stats, PASS_LARGEST, 0);
    if (pass_read (input, layout, stats, NULL, counts, err) < 0)
        return -1;
    frame_stats_find_levels (stats);
    exchange_levels (stats);
    return 0;
}

/* --- looking at the structures of what was drawn --- */

static void candidate_pool_release (struct candidate_pool *pool)
{
    free (pool->frames);
    free (pool->inspected);
    free (pool->fingerprints);
    *pool = (struct candidate_pool){ 0 };
}

/* All frames of the samples of rank 0, on all ranks, by place. */
static void gather_pool (const struct frame_stats *stats,
                         struct candidate_pool *pool)
{
    size_t n_samples = stats->found.n_samples, at = 0;
    uint64_t n = 0;

    for (size_t i = 0; i < n_samples; i++)
        n += stats->found.samples[i].n;
    exchange_share (&n, 1);
    pool->n = n;
    pool->frames = xcalloc (n, sizeof (*pool->frames));
    pool->inspected = xcalloc (n, sizeof (*pool->inspected));
    for (size_t i = 0; exchange_rank () == 0 && i < n_samples; i++) {
        const struct top_k *sample = &stats->found.samples[i];

        for (size_t j = 0; j < sample->n; j++)
            pool->frames[at++] = sample->frames[j];
    }
    sampled_sort (pool->frames, exchange_rank () == 0 ? n : 0);
    exchange_share ((uint64_t *)pool->frames,
                    n * sizeof (*pool->frames) / sizeof (uint64_t));
}

static int inspect_pool (const struct selection_input *input,
                         struct candidate_pool *pool, struct error *err)
{
    int64_t failure = INT64_MAX; /* none */
    size_t at = 0;

    pool->size = inspect_fingerprint_size (input);
    pool->fingerprints =
        xcalloc (pool->n * pool->size, sizeof (*pool->fingerprints));
    if (inspect_frames (input, pool->frames, pool->n, exchange_rank (),
                        exchange_ranks (), pool->inspected, pool->fingerprints,
                        &at, err)
        < 0)
        failure = (int64_t)at;
    if (exchange_failure (failure, err) < 0)
        return -1;
    exchange_sum ((uint64_t *)pool->inspected,
                  pool->n * sizeof (*pool->inspected) / sizeof (uint64_t));
    exchange_sum ((uint64_t *)pool->fingerprints, pool->n * pool->size);
    return 0;
}

/* What was drawn to find levels is labelled. */
static void refuse_probed (const struct probe *probe,
                           struct candidate_pool *pool)
{
    for (size_t i = 0; i < pool->n; i++) {
        if (probe_has (probe, &pool->frames[i]))
            pool->inspected[i].verdict = VERDICT_DUPLICATE;
    }
}

/* What is known of a frame, which is among those pool. */
static const struct inspected *find_in_pool (const struct candidate_pool *pool,
                                             const struct sampled *frame)
{
    const struct sampled *found = bsearch (frame, pool->frames, pool->n,
                                           sizeof (*frame), sampled_compare);

    return &pool->inspected[found - pool->frames];
}

static bool is_usable (const struct sampled *frame, void *arg)
{
    const struct candidate_pool *pool = arg;

    return find_in_pool (pool, frame)->verdict == VERDICT_USABLE;
}

/* Of the pool of one group, [frames, frames + n), keep the quota that differs
 * most, in front; the first is the one with the best key.
 */
static size_t thin_group (const struct candidate_pool *pool,
                          struct sampled *frames, size_t n, size_t quota)
{
    _cleanup_free_ double *points = xcalloc (n * pool->size, sizeof (*points));
    _cleanup_free_ struct sampled *ranked = xcalloc (n, sizeof (*ranked));
    _cleanup_free_ size_t *chosen = xcalloc (n, sizeof (*chosen));

    memcpy (ranked, frames, n * sizeof (*ranked));
    top_k_rank (&(struct top_k){ .frames = ranked, .n = n });
    for (size_t i = 0; i < n; i++)
        memcpy (
            points + i * pool->size,
            pool->fingerprints
                + (size_t)(find_in_pool (pool, &ranked[i]) - pool->inspected)
                      * pool->size,
            pool->size * sizeof (*points));
    n = farthest_points (points, n, pool->size, quota, chosen);
    for (size_t i = 0; i < n; i++)
        frames[i] = ranked[chosen[i]];
    return n;
}

/* Bring the frames of a group to the front of 'frames'. */
static size_t gather_group (const struct selection_input *input,
                            struct sampled *frames, size_t n, size_t group)
{
    size_t found = 0;

    for (size_t i = 0; i < n; i++) {
        size_t system = input_trajectory (input, frames[i].task)->system;
        struct sampled kept = frames[i];

        if (rules_group (&input->rules, system) != group)
            continue;
        frames[i] = frames[found];
        frames[found++] = kept;
    }
    return found;
}

/* From pools to quotas. */
static void thin_out (const struct selection_input *input,
                      const struct frame_stats *stats,
                      const struct candidate_pool *pool,
                      struct selection *selection)
{
    size_t kept = 0, done = 0;

    for (size_t group = 0; group < stats->found.n_groups; group++) {
        struct sampled *in_group = selection->frames + done;
        size_t n = gather_group (input, in_group, selection->n - done, group),
               left;
        uint64_t frames[FRAME_CLASSES];

        frame_stats_group_frames (stats, group, frames);
        left =
            thin_group (pool, in_group, n, rules_quota (&input->rules, frames));
        memmove (selection->frames + kept, in_group, left * sizeof (*in_group));
        kept += left;
        done += n;
    }
    selection->n = kept;
    sampled_sort (selection->frames, kept);
}

static void note_refused (const struct candidate_pool *pool,
                          struct selection *selection)
{
    size_t n = 0;

    selection->refused = xcalloc (pool->n, sizeof (*selection->refused));
    for (size_t i = 0; i < pool->n; i++) {
        if (pool->inspected[i].verdict != VERDICT_USABLE)
            selection->refused[n++] =
                (struct refused){ pool->frames[i],
                                  (enum verdict)pool->inspected[i].verdict };
    }
    selection->n_refused = n;
}

static void note_selection (const struct candidate_pool *pool,
                            struct selection *selection)
{
    for (size_t i = 0; i < selection->n; i++)
        selection->frames[i].place =
            find_in_pool (pool, &selection->frames[i])->place;
    memset (selection->verdicts, 0, sizeof (selection->verdicts));
    for (size_t i = 0; i < pool->n; i++)
        selection->verdicts[pool->inspected[i].verdict]++;
    note_refused (pool, selection);
}

/* --- a committee that says nothing --- */

#define IDENTICAL_CAUSES                                                       \
    ": a trainer without {seed}, pair_style and pair_coeff without "           \
    "{potential}, or one file twice?  Fix that, then run `fanfold redo "       \
    "STAGE` for where it is; or write identical_members: allow"

/* Are all deviations rounding?  The start of a trajectory may be a crystal,
 * whose atoms are at rest for every model.
 */
static bool none_deviates (const struct selection_input *input,
                           const struct layout *layout,
                           const struct frame_stats *stats)
{
    uint64_t valid = 0,
             starts = input->rules.skip_steps > 0 ? 0 : input->n_trajectories;
    double largest = 0;

    for (size_t i = 0; i < stats->rules->n_systems; i++) {
        valid += histogram_valid (&stats->histograms[i]);
        largest = fmax (largest, stats->histograms[i].max_deviation);
    }
    return largest < LIKENESS_ROUNDING
           && (input->n_models > 0 ? likeness_saw_forces (layout->likeness)
                                   : valid > starts);
}

static int check_members (const struct selection_input *input,
                          const struct layout *layout,
                          const struct frame_stats *stats, struct error *err)
{
    size_t a, b;

    if (input->identical_allowed)
        return 0;
    if (likeness_find (layout->likeness, &a, &b))
        return error_set (err,
                          "members %zu and %zu of the committee gave the same "
                          "forces, to the last bit, in every frame"
                          "" IDENTICAL_CAUSES,
                          a, b);
    if (none_deviates (input, layout, stats))
        return error_set (err, "all deviations are zero: the members of the "
                               "committee are one model" IDENTICAL_CAUSES);
    return 0;
}

static uint64_t count_candidates (const struct frame_stats *stats)
{
    uint64_t n = 0;

    for (size_t i = 0; i < stats->found.n_samples; i++)
        n += stats->found.population[i];
    return n;
}

/* Of what rank 0 has chosen, a batch. */
static int thin_to_batch (const struct selection_input *input,
                          const struct frame_stats *stats,
                          const struct candidate_pool *pool,
                          struct selection *selection, struct error *err)
{
    int rc = batch_select (input, stats, pool, selection, err);

    selection->input_failed = rc < 0;
    return rc;
}

/* One try with samples of 'pool_size' frames: 1 when that was enough, 0, or -1.
 */
static int try_pool (const struct selection_input *input,
                     const struct layout *layout, const struct probe *probe,
                     struct frame_stats *stats, size_t pool_size, bool last,
                     struct selection *selection, struct error *err)
{
    _cleanup_ (candidate_pool_release) struct candidate_pool pool = { 0 };
    uint64_t enough = 0;
    int rc;

    frame_stats_start (stats, PASS_CLASSES, pool_size);
    if (pass_read (input, layout, stats, NULL, selection->counts, err) < 0
        || check_members (input, layout, stats, err) < 0)
        return -1;
    selection->n_candidates = count_candidates (stats);
    gather_pool (stats, &pool);
    rc = inspect_pool (input, &pool, err);
    if (rc == 0)
        refuse_probed (probe, &pool);
    if (rc == 0 && exchange_rank () == 0) {
        enough = choose_frames (stats, is_usable, &pool, last,
                                &selection->frames, &selection->n);
        if (enough && input->rules.pick == PICK_DIVERSE)
            thin_out (input, stats, &pool, selection);
    }
    exchange_share (&enough, rc == 0);
    if (rc == 0 && enough && rules_is_batch (&input->rules))
        rc = thin_to_batch (input, stats, &pool, selection, err);
    if (rc == 0 && enough && exchange_rank () == 0)
        note_selection (&pool, selection);
    return rc < 0 ? -1 : (int)enough;
}

static bool may_refuse (const struct selection_input *input)
{
    if (input->rules.filters.any || input->rules.duplicates > 0
        || input->rules.error.any)
        return true;
    for (size_t i = 0; i < input->n_trajectories; i++) {
        if (input->trajectories[i].deviations && input->trajectories[i].path)
            return true;
    }
    return false;
}

void selection_release (struct selection *selection)
{
    free (selection->frames);
    free (selection->refused);
    found_levels_release (&selection->levels);
    found_health_release (&selection->health);
    json_unref (selection->dropped_features);
    *selection = (struct selection)SELECTION_INIT;
}

/* --- lists --- */

/* Rank 0 makes a directory, whose path all get; beside the numbers, where
 * it is not taken for a result.
 */
static int make_parts_dir (const struct selection_input *input,
                           struct strbuf *dir, struct error *err)
{
    char *made;
    int rc = 0;

    if (exchange_rank () == 0) {
        made = result_temporary (input->params_path);
        strbuf_add_str (dir, made);
        free (made);
        rc = file_make_dirs (dir->buf, err);
    }
    if (exchange_rc (rc, err) < 0)
        return -1;
    exchange_share_text (dir);
    return 0;
}

/* Every rank lists the frames of its files, with the levels that were found. */
static int list_parts (const struct selection_input *input,
                       struct layout *layout, const struct frame_stats *stats,
                       const char *dir, struct error *err)
{
    uint64_t counts[SCAN_COUNTS];
    struct frame_stats again;
    struct lists lists;
    int rc, closed;

    layout_keep_files_whole (input, layout);
    frame_stats_init (&again, &input->rules);
    memcpy (again.lower, stats->lower,
            stats->found.n_groups * sizeof (*again.lower));
    memcpy (again.criteria, stats->criteria,
            input->rules.n_systems * sizeof (*again.criteria));
    frame_stats_start (&again, PASS_CLASSES, 0);
    lists_init (&lists, input, dir, exchange_rank (), err);
    rc = pass_read (input, layout, &again, &lists, counts, err);
    closed = lists_close (&lists);
    frame_stats_release (&again);
    return rc < 0 ? -1 : exchange_rc (closed, err);
}

static int merge_parts (const struct selection_input *input, const char *parts,
                        struct error *err)
{
    _cleanup_free_ char *whole = result_temporary (input->lists_dir);
    int rc = file_make_dirs (whole, err);

    if (rc == 0)
        rc = lists_merge (input, parts, exchange_ranks (), whole, err);
    if (rc == 0 && (rc = file_rename (whole, input->lists_dir, err)) < 0)
        error_prefix (err, "lists must be absent or empty");
    if (rc < 0)
        file_remove_tree (whole, NULL, NULL);
    return rc;
}

static int write_lists (const struct selection_input *input,
                        struct layout *layout, const struct frame_stats *stats,
                        struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf parts = STRBUF_INIT;
    int rc = make_parts_dir (input, &parts, err);

    if (rc == 0) {
        rc = list_parts (input, layout, stats, parts.buf, err);
        if (rc == 0 && exchange_rank () == 0)
            rc = merge_parts (input, parts.buf, err);
        rc = exchange_rc (rc, err);
        if (exchange_rank () == 0)
            file_remove_tree (parts.buf, NULL, NULL);
    }
    return rc;
}

/* --- the exploration --- */

static int judge_trajectories (const struct selection_input *input,
                               const struct layout *layout,
                               struct selection *selection, struct error *err)
{
    int rc = found_health_find (input, layout, &selection->health, err);

    selection->input_failed |= rc < 0;
    return rc;
}

int select_frames (const struct selection_input *input,
                   struct frame_stats *stats, struct selection *selection,
                   struct error *err)
{
    size_t pool_size = choose_pool_size (stats, may_refuse (input));
    _cleanup_ (probe_release) struct probe probe = PROBE_INIT;
    struct layout layout;
    int rc = 0;

    layout_find (input, &layout);
    if (input->rules.error.any) {
        rc = exchange_rc (probe_read (input, &probe, err), err);
        if (rc == 0)
            rc = found_levels_find (input, &layout, &probe, stats,
                                    &selection->levels, err);
    }
    if (input->rules.adaptive)
        rc = find_lower_levels (input, &layout, stats, err);
    for (int i = 1; rc == 0; i++, pool_size *= 4)
        rc = try_pool (input, &layout, &probe, stats, pool_size, i == TRIES,
                       selection, err);
    if (rc == 1 && input->health.any
        && judge_trajectories (input, &layout, selection, err) < 0)
        rc = -1;
    if (rc == 1 && input->lists_dir
        && write_lists (input, &layout, stats, err) < 0)
        rc = -1;
    layout_release (&layout);
    return rc < 0 ? -1 : 0;
}
