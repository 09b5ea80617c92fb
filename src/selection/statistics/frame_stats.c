/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_stats.c - what one pass over all frames finds out */
#include "base/base.h"

#include "base/json.h"
#include "selection/rules/rules_levels.h"
#include "selection/statistics/frame_stats.h"
#include "selection/statistics/adaptive_levels.h"

static void group_stats_init (struct group_stats *found,
                              const struct rules *rules, size_t n_groups)
{
    found->n_groups = n_groups;
    found->n_samples = n_groups * rules->n_bins;
    found->population = xcalloc (found->n_samples, sizeof (*found->population));
    found->samples = xcalloc (found->n_samples, sizeof (*found->samples));
    found->ranges =
        xcalloc (rules->adaptive ? n_groups : 0, sizeof (*found->ranges));
    found->largest = xcalloc (n_groups, sizeof (*found->largest));
    found->eligible = xcalloc (n_groups, sizeof (*found->eligible));
}

static void group_stats_release (struct group_stats *found)
{
    for (size_t i = 0; i < found->n_samples; i++)
        top_k_release (&found->samples[i]);
    for (size_t i = 0; i < found->n_groups; i++) {
        for (int q = 0; q < DEVIATION_QUANTITIES; q++)
            top_k_release (&found->largest[i][q]);
    }
    free (found->population);
    free (found->samples);
    free (found->ranges);
    free (found->largest);
    free (found->eligible);
}

/* Empty, for the pass of 'stats'; the first group is number 'first' there. */
static void group_stats_reset (struct group_stats *found,
                               const struct frame_stats *stats, size_t first)
{
    memset (found->population, 0,
            found->n_samples * sizeof (*found->population));
    memset (found->eligible, 0, found->n_groups * sizeof (*found->eligible));
    if (stats->pass == PASS_RANGES)
        memset (found->ranges, 0, found->n_groups * sizeof (*found->ranges));
    for (size_t i = 0; i < found->n_samples; i++)
        top_k_reset (&found->samples[i], stats->pool_size);
    for (size_t i = 0; i < found->n_groups; i++) {
        for (int q = 0; q < DEVIATION_QUANTITIES; q++)
            top_k_reset (&found->largest[i][q],
                         (size_t)stats->lower[first + i][q].in_bin);
    }
}

void frame_stats_init (struct frame_stats *stats, const struct rules *rules)
{
    size_t n_groups = rules_n_groups (rules);

    *stats = (struct frame_stats){ .rules = rules };
    group_stats_init (&stats->found, rules, n_groups);
    stats->histograms = xcalloc (rules->n_systems, sizeof (*stats->histograms));
    stats->criteria = xcalloc (rules->n_systems, sizeof (*stats->criteria));
    if (rules->n_systems > 0)
        memcpy (stats->criteria, rules->criteria,
                rules->n_systems * sizeof (*stats->criteria));
    stats->lower = xcalloc (n_groups, sizeof (*stats->lower));
    for (size_t i = 0; i < n_groups; i++) {
        for (int q = 0; q < DEVIATION_QUANTITIES; q++)
            stats->lower[i][q].value = INFINITY;
    }
}

void frame_stats_release (struct frame_stats *stats)
{
    group_stats_release (&stats->found);
    free (stats->histograms);
    free (stats->criteria);
    free (stats->bounds);
    free (stats->scores);
    free (stats->lower);
    *stats = (struct frame_stats){ 0 };
}

void frame_stats_start (struct frame_stats *stats, enum frame_stats_pass pass,
                        size_t pool_size)
{
    stats->pass = pass;
    stats->pool_size = pool_size;
    memset (stats->histograms, 0,
            stats->rules->n_systems * sizeof (*stats->histograms));
    if (pass == PASS_SCORES)
        memset (stats->scores, 0,
                stats->rules->n_systems * (stats->n_bounds + 1)
                    * sizeof (*stats->scores));
    group_stats_reset (&stats->found, stats, 0);
}

void frame_stats_set_bounds (struct frame_stats *stats, const double *bounds,
                             size_t n)
{
    stats->bounds =
        xreallocarray (stats->bounds, n + 1, sizeof (*stats->bounds));
    if (n > 0)
        memcpy (stats->bounds, bounds, n * sizeof (*bounds));
    stats->n_bounds = n;
    stats->scores =
        xreallocarray (stats->scores, stats->rules->n_systems * (n + 1) + 1,
                       sizeof (*stats->scores));
}

/* --- one file --- */

struct frame_stats_part *frame_stats_part_new (const struct frame_stats *stats)
{
    struct frame_stats_part *part = xcalloc (1, sizeof (*part));

    group_stats_init (&part->found, stats->rules, 1);
    part->scores = xcalloc (stats->n_bounds + 1, sizeof (*part->scores));
    return part;
}

void frame_stats_part_free (struct frame_stats_part *part)
{
    if (!part)
        return;
    group_stats_release (&part->found);
    free (part->scores);
    free (part);
}

void frame_stats_part_reset (const struct frame_stats *stats,
                             struct frame_stats_part *part, size_t system)
{
    part->system = system;
    part->histogram = (struct histogram)HISTOGRAM_INIT;
    if (stats->pass == PASS_SCORES)
        memset (part->scores, 0,
                (stats->n_bounds + 1) * sizeof (*part->scores));
    if (part->listener)
        part->listener->start (system, part->listener->arg);
    group_stats_reset (&part->found, stats, rules_group (stats->rules, system));
}

/* The bin of a candidate in n_bins of equal width between the levels; a
 * candidate by another quantity may be outside.
 */
static size_t bin_of (const struct levels *levels, size_t n_bins, double value)
{
    double width = levels->high - levels->low, place;

    if (n_bins == 1 || !(width > 0) || !(value > levels->low))
        return 0;
    place = (value - levels->low) / width * (double)n_bins;
    return place < (double)n_bins ? (size_t)place : n_bins - 1;
}

/* Count a candidate, and offer it to the part's samples.  When much has been
 * seen, hardly any key is small enough to get into a sample of the statistics.
 */
static void add_candidate (const struct frame_stats *stats,
                           struct frame_stats_part *part,
                           const struct levels *levels, struct sampled *frame)
{
    const struct rules *rules = stats->rules;
    size_t bin = bin_of (levels, rules->n_bins, frame->deviation);
    const struct top_k *samples =
        stats->found.samples
        + rules_group (rules, part->system) * rules->n_bins;

    frame->key = rules->pick == PICK_MAX
                     ? sampled_largest_key (frame)
                     : sampled_random_key (rules->seed, frame);
    part->found.population[bin]++;
    if (frame->key <= top_k_limit (&samples[bin]))
        top_k_offer (&part->found.samples[bin], frame, 1);
}

/* A frame, or an atom, of this class. */
static void add_one (const struct frame_stats *stats,
                     struct frame_stats_part *part, const struct levels *levels,
                     enum frame_class class, struct sampled *frame)
{
    histogram_add (&part->histogram, class, frame->deviation);
    if (part->listener)
        part->listener->frame (class, frame, part->listener->arg);
    if (class == FRAME_CANDIDATE)
        add_candidate (stats, part, levels, frame);
}

static void add_classes (const struct frame_stats *stats,
                         struct frame_stats_part *part, struct sampled frame,
                         const struct deviation_rows *rows,
                         const uint64_t *places)
{
    const struct criteria *criteria = &stats->criteria[part->system];
    int main_quantity = criteria_main (criteria);
    const double *value = rows->value[main_quantity];
    struct levels levels =
        frame_stats_levels (stats, part->system, main_quantity);
    unsigned char class[DEVIATION_ROWS_MAX];

    if (stats->rules->adaptive)
        adaptive_levels_classify (stats, part->system, frame, rows, class);
    else
        classify_rows (criteria, rows, class);
    for (size_t i = 0; i < rows->n; i++) {
        frame.step = rows->step[i];
        frame.place = places ? places[i] : SAMPLED_NOWHERE;
        frame.deviation = value[i];
        add_one (stats, part, &levels, (enum frame_class) class[i], &frame);
    }
}

static void add_atoms (const struct frame_stats *stats,
                       struct frame_stats_part *part, struct sampled frame,
                       const struct deviation_rows *rows,
                       const uint64_t *places)
{
    const struct levels *levels =
        &stats->criteria[part->system].levels[DEVIATION_FORCE];

    frame.step = rows->step[0];
    frame.place = places ? places[0] : SAMPLED_NOWHERE;
    for (size_t i = 0; i < rows->n_atoms; i++) {
        frame.atom = (int64_t)i + 1;
        frame.deviation = rows->atoms[i];
        add_one (stats, part, levels, classify_value (levels, rows->atoms[i]),
                 &frame);
    }
}

/* How many bounds are not above the score. */
static size_t range_of_score (const struct frame_stats *stats, double score)
{
    size_t low = 0, high = stats->n_bounds;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (stats->bounds[middle] <= score)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_scores (const struct frame_stats *stats,
                        struct frame_stats_part *part,
                        const struct deviation_rows *rows)
{
    const double *score = rows->value[DEVIATION_FORCE];

    for (size_t i = 0; i < rows->n; i++) {
        if (isfinite (score[i]))
            score_range_add (&part->scores[range_of_score (stats, score[i])], 1,
                             score[i]);
    }
}

void frame_stats_add (const struct frame_stats *stats,
                      struct frame_stats_part *part, int64_t task,
                      int64_t part_of_task, const struct deviation_rows *rows,
                      const uint64_t *places)
{
    struct sampled frame = { .task = task, .part = part_of_task };

    if (stats->rules->clusters.any)
        add_atoms (stats, part, frame, rows, places);
    else if (stats->pass == PASS_CLASSES)
        add_classes (stats, part, frame, rows, places);
    else if (stats->pass == PASS_SCORES)
        add_scores (stats, part, rows);
    else
        adaptive_levels_add (stats, part, frame, rows);
}

static void merge_sample (struct top_k *sample, const struct top_k *part)
{
    top_k_offer (sample, part->frames, part->n);
}

void frame_stats_merge (struct frame_stats *stats,
                        const struct frame_stats_part *part)
{
    size_t group = rules_group (stats->rules, part->system);
    size_t first = group * part->found.n_samples;
    const struct group_stats *from = &part->found;
    struct group_stats *to = &stats->found;

    histogram_merge (&stats->histograms[part->system], &part->histogram);
    for (size_t i = 0; stats->pass == PASS_SCORES && i <= stats->n_bounds; i++)
        score_range_add (
            &stats->scores[part->system * (stats->n_bounds + 1) + i],
            part->scores[i].frames, part->scores[i].largest);
    for (size_t i = 0; i < from->n_samples; i++) {
        to->population[first + i] += from->population[i];
        merge_sample (&to->samples[first + i], &from->samples[i]);
    }
    to->eligible[group] += from->eligible[0];
    for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
        for (size_t i = 0; stats->pass == PASS_RANGES && i < RANGE_BINS; i++)
            to->ranges[group][q][i] += from->ranges[0][q][i];
        merge_sample (&to->largest[group][q], &from->largest[0][q]);
    }
}

/* --- what came out --- */

struct levels frame_stats_levels (const struct frame_stats *stats,
                                  size_t system, int quantity)
{
    const struct rules *rules = stats->rules;
    struct levels levels = stats->criteria[system].levels[quantity];

    if (rules->adaptive)
        levels.low =
            fmin (stats->lower[rules_group (rules, system)][quantity].value,
                  levels.high);
    return levels;
}

struct json *frame_stats_levels_json (const struct frame_stats *stats,
                                      size_t system)
{
    const struct criteria *criteria = &stats->criteria[system];
    struct json *all = json_object ();

    for (int q = 0; q < DEVIATION_DISTANCE; q++) {
        struct levels levels = frame_stats_levels (stats, system, q);
        struct json *pair = json_array ();

        json_push (pair, json_real (levels.low));
        json_push (pair, json_real (levels.high));
        if (criteria->has[q])
            json_set (all, rules_quantity_names[q], pair);
        else
            json_unref (pair);
    }
    return all;
}

struct json *frame_stats_all_levels_json (const struct frame_stats *stats,
                                          const struct strvec *names)
{
    struct json *all = json_object ();

    for (size_t i = 0; i < names->n; i++)
        json_set (all, names->v[i], frame_stats_levels_json (stats, i));
    return all;
}

void frame_stats_group_frames (const struct frame_stats *stats, size_t group,
                               uint64_t frames[FRAME_CLASSES])
{
    memset (frames, 0, FRAME_CLASSES * sizeof (*frames));
    for (size_t i = 0; i < stats->rules->n_systems; i++) {
        for (int c = 0; c < FRAME_CLASSES; c++) {
            if (rules_group (stats->rules, i) == group)
                frames[c] += stats->histograms[i].frames[c];
        }
    }
}
