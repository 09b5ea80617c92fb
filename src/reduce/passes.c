/* SPDX-License-Identifier: BSD-3-Clause */
/* passes.c - all ranks' passes over all files */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "reduce/exchange.h"
#include "reduce/lists.h"
#include "reduce/pass.h"
#include "reduce/passes.h"
#include "reduce/plan_file.h"
#include "reduce/result.h"
#include "selection/choose.h"
#include "selection/fingerprint.h"
#include "selection/survey.h"

static const int64_t no_failure = INT64_MAX;

/* How often more candidates are drawn because too many were refused: in the end
 * 1024 times as many as in the beginning.
 */
enum { TRIES = 6 };

static int find_lower_levels (const struct plan *plan,
                              const struct layout *layout,
                              struct survey *survey,
                              struct error *err)
{
    uint64_t counts[SCAN_COUNTS];

    survey_start (survey, SURVEY_RANGES, 0);
    if (pass_read (plan, layout, survey, NULL, counts, err) < 0)
        return -1;
    survey_find_bins (survey);
    survey_start (survey, SURVEY_TOPS, 0);
    if (pass_read (plan, layout, survey, NULL, counts, err) < 0)
        return -1;
    survey_find_levels (survey);
    exchange_levels (survey);
    return 0;
}

/* --- looking at the structures of what was drawn --- */

struct held {
    struct drawn *frames;
    struct inspected *inspected;
    double *fingerprints; /* 'size' numbers each */
    size_t size;
    size_t n;
};

static void held_release (struct held *held)
{
    free (held->frames);
    free (held->inspected);
    free (held->fingerprints);
    *held = (struct held){ 0 };
}

/* All frames of the draws of rank 0, on all ranks, by place. */
static void gather_held (const struct survey *survey, struct held *held)
{
    size_t n_draws = survey->n_groups * survey->rules->n_bins, at = 0;
    uint64_t n = 0;

    for (size_t i = 0; i < n_draws; i++)
        n += survey->draws[i].n;
    exchange_share (&n, 1);
    held->n = n;
    held->frames = xcalloc (n, sizeof (*held->frames));
    held->inspected = xcalloc (n, sizeof (*held->inspected));
    for (size_t i = 0; exchange_rank () == 0 && i < n_draws; i++) {
        const struct draw *draw = &survey->draws[i];

        for (size_t j = 0; j < draw->n; j++)
            held->frames[at++] = draw->frames[j];
    }
    drawn_sort (held->frames, exchange_rank () == 0 ? n : 0);
    exchange_share ((uint64_t *)held->frames,
                    n * sizeof (*held->frames) / sizeof (uint64_t));
}

static int inspect_held (const struct plan *plan,
                         struct held *held,
                         struct error *err)
{
    int64_t failure = no_failure;
    size_t at = 0;

    held->size = inspect_fingerprint_size (plan);
    held->fingerprints =
        xcalloc (held->n * held->size, sizeof (*held->fingerprints));
    if (inspect_frames (plan, held->frames, held->n, exchange_rank (),
                        exchange_ranks (), held->inspected, held->fingerprints,
                        &at, err)
        < 0)
        failure = (int64_t)at;
    if (exchange_failure (failure, err) < 0)
        return -1;
    exchange_sum ((uint64_t *)held->inspected,
                  held->n * sizeof (*held->inspected) / sizeof (uint64_t));
    exchange_sum ((uint64_t *)held->fingerprints, held->n * held->size);
    return 0;
}

/* What is known of a frame, which is among those held. */
static const struct inspected *find_held (const struct held *held,
                                          const struct drawn *frame)
{
    const struct drawn *found =
        bsearch (frame, held->frames, held->n, sizeof (*frame), drawn_compare);

    return &held->inspected[found - held->frames];
}

static bool is_usable (const struct drawn *frame, void *arg)
{
    const struct held *held = arg;

    return find_held (held, frame)->verdict == VERDICT_USABLE;
}

static int compare_keys (const void *a, const void *b)
{
    const struct drawn *x = a, *y = b;

    return drawn_wins (y, x) - drawn_wins (x, y);
}

/* Of the pool of one group, [frames, frames + n), keep the quota that differs
 * most, in front; the first is the one with the best key.
 */
static size_t thin_group (const struct held *held,
                          struct drawn *frames,
                          size_t n,
                          size_t quota)
{
    double *points = xcalloc (n * held->size, sizeof (*points));
    struct drawn *pool = xcalloc (n, sizeof (*pool));
    size_t *chosen = xcalloc (n, sizeof (*chosen));

    memcpy (pool, frames, n * sizeof (*pool));
    if (n > 1)
        qsort (pool, n, sizeof (*pool), compare_keys);
    for (size_t i = 0; i < n; i++)
        memcpy (points + i * held->size,
                held->fingerprints
                    + (size_t)(find_held (held, &pool[i]) - held->inspected)
                          * held->size,
                held->size * sizeof (*points));
    n = farthest_points (points, n, held->size, quota, chosen);
    for (size_t i = 0; i < n; i++)
        frames[i] = pool[chosen[i]];
    free (chosen);
    free (pool);
    free (points);
    return n;
}

/* Bring the frames of a group to the front of 'frames'. */
static size_t gather_group (const struct plan *plan,
                            struct drawn *frames,
                            size_t n,
                            size_t group)
{
    size_t found = 0;

    for (size_t i = 0; i < n; i++) {
        size_t system = plan_trajectory (plan, &frames[i])->system;
        struct drawn kept = frames[i];

        if (rules_group (&plan->rules, system) != group)
            continue;
        frames[i] = frames[found];
        frames[found++] = kept;
    }
    return found;
}

/* From pools to quotas. */
static void thin_out (const struct plan *plan,
                      const struct survey *survey,
                      const struct held *held,
                      struct selection *selection)
{
    size_t kept = 0, done = 0;

    for (size_t group = 0; group < survey->n_groups; group++) {
        struct drawn *pool = selection->frames + done;
        size_t n = gather_group (plan, pool, selection->n - done, group), left;
        uint64_t frames[FRAME_CLASSES];

        survey_group_frames (survey, group, frames);
        left = thin_group (held, pool, n, rules_quota (&plan->rules, frames));
        memmove (selection->frames + kept, pool, left * sizeof (*pool));
        kept += left;
        done += n;
    }
    selection->n = kept;
    drawn_sort (selection->frames, kept);
}

static void note_refused (const struct held *held, struct selection *selection)
{
    size_t n = 0;

    selection->refused = xcalloc (held->n, sizeof (*selection->refused));
    for (size_t i = 0; i < held->n; i++) {
        if (held->inspected[i].verdict != VERDICT_USABLE)
            selection->refused[n++] =
                (struct refused){ held->frames[i],
                                  (enum verdict)held->inspected[i].verdict };
    }
    selection->n_refused = n;
}

static void note_selection (const struct held *held,
                            struct selection *selection)
{
    for (size_t i = 0; i < selection->n; i++)
        selection->frames[i].place =
            find_held (held, &selection->frames[i])->place;
    memset (selection->verdicts, 0, sizeof (selection->verdicts));
    for (size_t i = 0; i < held->n; i++)
        selection->verdicts[held->inspected[i].verdict]++;
    note_refused (held, selection);
}

/* One try with draws of 'hold' frames: 1 when that was enough, 0, or -1. */
static int try_hold (const struct plan *plan,
                     const struct layout *layout,
                     struct survey *survey,
                     size_t hold,
                     bool last,
                     struct selection *selection,
                     struct error *err)
{
    struct held held = { 0 };
    uint64_t enough = 0;
    int rc;

    survey_start (survey, SURVEY_CLASSES, hold);
    if (pass_read (plan, layout, survey, NULL, selection->counts, err) < 0)
        return -1;
    gather_held (survey, &held);
    rc = inspect_held (plan, &held, err);
    if (rc == 0 && exchange_rank () == 0) {
        enough = choose_frames (survey, is_usable, &held, last,
                                &selection->frames, &selection->n);
        if (enough && plan->rules.pick == PICK_DIVERSE)
            thin_out (plan, survey, &held, selection);
        if (enough)
            note_selection (&held, selection);
    }
    exchange_share (&enough, rc == 0);
    held_release (&held);
    return rc < 0 ? -1 : (int)enough;
}

static bool may_refuse (const struct plan *plan)
{
    if (plan->rules.filters.any || plan->rules.duplicates > 0)
        return true;
    for (size_t i = 0; i < plan->n_trajectories; i++) {
        if (plan->trajectories[i].deviations && plan->trajectories[i].path)
            return true;
    }
    return false;
}

void selection_release (struct selection *selection)
{
    free (selection->frames);
    free (selection->refused);
    *selection = (struct selection)SELECTION_INIT;
}

/* --- lists --- */

/* Rank 0 makes a directory, whose path all get; beside the numbers, where
 * nobody takes it for a result.
 */
static int make_parts_dir (const struct plan *plan,
                           struct strbuf *dir,
                           struct error *err)
{
    int64_t failure = no_failure;
    char *made;

    if (exchange_rank () == 0) {
        made = result_temporary (plan->params_path);
        strbuf_add_str (dir, made);
        free (made);
        if (file_make_dirs (dir->buf, err) < 0)
            failure = 0;
    }
    if (exchange_failure (failure, err) < 0)
        return -1;
    exchange_share_text (dir);
    return 0;
}

/* Every rank lists the frames of its files, with the levels that were found. */
static int list_parts (const struct plan *plan,
                       struct layout *layout,
                       const struct survey *survey,
                       const char *dir,
                       struct error *err)
{
    int64_t failure = no_failure;
    uint64_t counts[SCAN_COUNTS];
    struct survey again;
    struct lists lists;
    int rc;

    layout_keep_files_whole (plan, layout);
    survey_init (&again, &plan->rules);
    if (plan->rules.adaptive)
        memcpy (again.lower, survey->lower,
                survey->n_groups * DEVIATION_QUANTITIES
                    * sizeof (*again.lower));
    survey_start (&again, SURVEY_CLASSES, 0);
    lists_init (&lists, plan, dir, exchange_rank (), err);
    rc = pass_read (plan, layout, &again, &lists, counts, err);
    if (lists_close (&lists) < 0 && rc == 0)
        failure = exchange_rank ();
    survey_release (&again);
    return rc < 0 ? -1 : exchange_failure (failure, err);
}

static int merge_parts (const struct plan *plan,
                        const char *parts,
                        struct error *err)
{
    char *whole = result_temporary (plan->lists_dir);
    int rc = file_make_dirs (whole, err);

    if (rc == 0)
        rc = lists_merge (plan, parts, exchange_ranks (), whole, err);
    if (rc == 0 && (rc = file_rename (whole, plan->lists_dir, err)) < 0)
        error_prefix (err, "lists must be absent or empty");
    if (rc < 0)
        file_remove_tree (whole, NULL);
    free (whole);
    return rc;
}

static int write_lists (const struct plan *plan,
                        struct layout *layout,
                        const struct survey *survey,
                        struct error *err)
{
    struct strbuf parts = STRBUF_INIT;
    int64_t failure = no_failure;
    int rc = make_parts_dir (plan, &parts, err);

    if (rc == 0) {
        rc = list_parts (plan, layout, survey, parts.buf, err);
        if (rc == 0 && exchange_rank () == 0
            && merge_parts (plan, parts.buf, err) < 0)
            failure = 0;
        if (rc == 0)
            rc = exchange_failure (failure, err);
        if (exchange_rank () == 0)
            file_remove_tree (parts.buf, NULL);
    }
    strbuf_release (&parts);
    return rc;
}

int select_frames (const struct plan *plan,
                   struct survey *survey,
                   struct selection *selection,
                   struct error *err)
{
    size_t hold = choose_hold (survey, may_refuse (plan));
    struct layout layout;
    int rc = 0;

    layout_find (plan, &layout);
    if (plan->rules.adaptive)
        rc = find_lower_levels (plan, &layout, survey, err);
    for (int i = 1; rc == 0; i++, hold *= 4)
        rc = try_hold (plan, &layout, survey, hold, i == TRIES, selection, err);
    if (rc == 1 && plan->lists_dir
        && write_lists (plan, &layout, survey, err) < 0)
        rc = -1;
    layout_release (&layout);
    return rc < 0 ? -1 : 0;
}
