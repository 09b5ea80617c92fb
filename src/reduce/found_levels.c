/* SPDX-License-Identifier: BSD-3-Clause */
/* found_levels.c - levels by error, found with the labels of a probe */
#include "base/base.h"

#include "base/json.h"
#include "base/sort.h"
#include "reduce/found_levels.h"
#include "reduce/probe.h"
#include "reduce/selection_input.h"
#include "selection/statistics/frame_stats.h"

/* Of the ranges of scores with a confidence, which must not depend on labels:
 * so many to the octave from 2^-20 to 2^12.
 */
enum { TO_OCTAVE = 64, FIRST_OCTAVE = -20, LAST_OCTAVE = 12 };

void found_levels_release (struct found_levels *found)
{
    free (found->systems);
    free (found->labelled);
    *found = (struct found_levels)FOUND_LEVELS_INIT;
}

/* --- the frames --- */

/* Where the ranges begin.  Caller frees. */
static double *list_bounds (const struct rules *rules,
                            const struct probe *probe, size_t *n)
{
    const size_t grid = (LAST_OCTAVE - FIRST_OCTAVE) * TO_OCTAVE;
    bool by_labels = rules->error.promise.confidence == 0;
    size_t most = by_labels ? probe->n : grid, kept = 0;
    double *bounds = xcalloc (most, sizeof (*bounds));

    for (size_t i = 0; i < most; i++)
        bounds[i] = by_labels
                        ? probe->frames[i].score
                        : exp2 (FIRST_OCTAVE + (double)i / (double)TO_OCTAVE);
    sort_doubles (bounds, most);
    for (size_t i = 0; i < most; i++) {
        if (kept == 0 || bounds[i] > bounds[kept - 1])
            bounds[kept++] = bounds[i];
    }
    *n = kept;
    return bounds;
}

static int count_scores (const struct selection_input *input,
                         const struct layout *layout, const struct probe *probe,
                         struct frame_stats *stats, struct error *err)
{
    uint64_t counts[SCAN_COUNTS], valid = 0;
    size_t n;
    _cleanup_free_ double *bounds = list_bounds (stats->rules, probe, &n);

    frame_stats_set_bounds (stats, bounds, n);
    frame_stats_start (stats, PASS_SCORES, 0);
    if (pass_read (input, layout, stats, NULL, counts, err) < 0)
        return -1;
    for (size_t i = 0; i < stats->rules->n_systems * (n + 1); i++)
        valid += stats->scores[i].frames;
    if (probe->n > 0 && valid != probe->drawn_from)
        return error_set (err,
                          "probe: it was drawn from %" PRIu64
                          " frames, and here are %" PRIu64
                          "; give both stages the same trajectories and skip",
                          probe->drawn_from, valid);
    return 0;
}

/* The ranges of a system, or of all ('system' is their number).  Caller frees.
 */
static struct score_range *ranges_of (const struct frame_stats *stats,
                                      size_t system)
{
    size_t n_ranges = stats->n_bounds + 1, n_systems = stats->rules->n_systems;
    struct score_range *ranges = xcalloc (n_ranges, sizeof (*ranges));

    for (size_t i = 0; i < n_systems; i++) {
        const struct score_range *own = stats->scores + i * n_ranges;

        for (size_t j = 0; (system == n_systems || i == system) && j < n_ranges;
             j++)
            score_range_add (&ranges[j], own[j].frames, own[j].largest);
    }
    return ranges;
}

/* --- a level --- */

static void take_answer (struct calibration *c, const struct rules *rules,
                         struct found_level *found)
{
    const struct score_point *level = calibration_level (c);

    found->own = level != NULL;
    found->low = level ? level->score : NAN;
    found->high = rules->error.failed > 0
                      ? calibration_high (c, rules->error.failed)
                      : NAN;
    found->wrong_below = level ? level->wrong : 0;
    found->right = calibration_leave_one_out (c);
    found->interval =
        clopper_pearson (found->right.right, found->right.accurate, 0.9);
    found->labels_needed = calibration_labels_needed (c);
    found->least_target = calibration_least_target (c);
}

static bool is_of (const struct selection_input *input,
                   const struct probed *one, size_t system)
{
    return system == input->rules.n_systems
           || input_trajectory (input, one->task)->system == system;
}

/* Of the frames of a system, or of all. */
static void find_level (const struct selection_input *input,
                        const struct probe *probe,
                        const struct frame_stats *stats, size_t system,
                        struct found_level *found)
{
    const struct error_levels *wish = &input->rules.error;
    _cleanup_free_ struct scored_frame *labelled =
        xcalloc (probe->n, sizeof (*labelled));
    _cleanup_free_ struct score_range *ranges = ranges_of (stats, system);
    struct calibration c;

    *found = (struct found_level){ 0 };
    for (size_t i = 0; i < probe->n; i++) {
        const struct probed *one = &probe->frames[i];

        if (!is_of (input, one, system))
            continue;
        labelled[found->n++] =
            (struct scored_frame){ .score = one->score, .error = one->error };
        found->failed += isinf (one->error) ? 1 : 0;
    }
    calibration_init_ranges (&c, &wish->promise, wish->target, labelled,
                             found->n, ranges, stats->n_bounds + 1);
    take_answer (&c, &input->rules, found);
    calibration_release (&c);
}

/* --- what they are for --- */

/* Accurate is a score up to 'low', and below levels.low. */
static struct levels levels_of (const struct found_level *found)
{
    struct levels levels = { 0, INFINITY };

    if (!isnan (found->low))
        levels.low = nextafter (found->low, INFINITY);
    if (!isnan (found->high))
        levels.high = fmax (found->high, levels.low);
    return levels;
}

static bool holds (const struct found_level *found, const struct rules *rules)
{
    return found->own && found->interval.most >= rules->error.promise.coverage;
}

int found_levels_find (const struct selection_input *input,
                       const struct layout *layout, struct probe *probe,
                       struct frame_stats *stats, struct found_levels *found,
                       struct error *err)
{
    size_t n_systems = input->rules.n_systems;

    if (probe_judge (input, probe, err) < 0
        || count_scores (input, layout, probe, stats, err) < 0)
        return -1;
    found->any = true;
    found->labelled = xcalloc (probe->n, sizeof (*found->labelled));
    for (size_t i = 0; i < probe->n; i++)
        found->labelled[i] = (struct scored_frame){ probe->frames[i].score,
                                                    probe->frames[i].error };
    found->n_systems = input->rules.error.per_system ? n_systems : 0;
    found->systems = xcalloc (found->n_systems, sizeof (*found->systems));
    find_level (input, probe, stats, n_systems, &found->all);
    found->calibrated = holds (&found->all, &input->rules);
    for (size_t i = 0; i < n_systems; i++) {
        const struct found_level *used = &found->all;

        if (found->n_systems > 0) {
            find_level (input, probe, stats, i, &found->systems[i]);
            if (found->systems[i].own)
                used = &found->systems[i];
            found->calibrated &= holds (used, &input->rules);
        }
        stats->criteria[i].levels[DEVIATION_FORCE] = levels_of (used);
    }
    return 0;
}

/* --- as JSON --- */

static void set_count (struct json *v, const char *key, uint64_t count)
{
    json_set (v, key, json_int ((int64_t)count));
}

static struct json *level_json (const struct found_level *found)
{
    struct json *v = json_object (), *interval = json_array ();

    json_push (interval, json_real (found->interval.least));
    json_push (interval, json_real (found->interval.most));
    json_set (v, "low", json_real (found->low));
    json_set (v, "high", json_real (found->high));
    set_count (v, "n", found->n);
    set_count (v, "failed", found->failed);
    set_count (v, "wrong_below", found->wrong_below);
    set_count (v, "judged", found->right.accurate);
    set_count (v, "right", found->right.right);
    set_count (v, "not_computed", found->right.failed);
    json_set (v, "interval", interval);
    json_set (v, "labels_needed",
              found->labels_needed > 0
                  ? json_int ((int64_t)found->labels_needed)
                  : json_null ());
    json_set (v, "least_target", json_real (found->least_target));
    return v;
}

/* What was asked for, and the labels it is answered with. */
static void set_labels (struct json *v, const struct found_levels *found,
                        const struct error_levels *wish)
{
    struct json *scores = json_array (), *errors = json_array ();

    for (uint64_t i = 0; i < found->all.n; i++) {
        json_push (scores, json_real (found->labelled[i].score));
        json_push (errors, json_real (found->labelled[i].error));
    }
    json_set (v, "force", json_real (wish->target));
    json_set (v, "coverage", json_real (wish->promise.coverage));
    json_set (v, "scores", scores);
    json_set (v, "errors", errors);
}

struct json *found_levels_json (const struct found_levels *found,
                                const struct selection_input *input)
{
    struct json *v, *systems;

    if (!found->any)
        return NULL;
    v = level_json (&found->all);
    set_labels (v, found, &input->rules.error);
    if (found->n_systems == 0)
        return v;
    systems = json_object ();
    for (size_t i = 0; i < found->n_systems; i++) {
        struct json *one = level_json (&found->systems[i]);

        json_set (one, "own", json_bool (found->systems[i].own));
        json_set (systems, input->systems.v[i], one);
    }
    json_set (v, "systems", systems);
    return v;
}
