/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_stats.c - what one pass over all frames finds out */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/strvec.h"
#include "selection/rules/rules_levels.h"
#include "selection/statistics/frame_stats.h"
#include "selection/statistics/adaptive_levels.h"

static void release_samples (struct top_k *samples, size_t n)
{
    for (size_t i = 0; i < n; i++)
        top_k_release (&samples[i]);
}

/* Empty, and from now on for 'quota' frames. */
static void reset_samples (struct top_k *samples, size_t n, size_t quota)
{
    for (size_t i = 0; i < n; i++) {
        top_k_reset (&samples[i]);
        samples[i].quota = quota;
    }
}

void frame_stats_init (struct frame_stats *stats, const struct rules *rules)
{
    size_t n_groups = rules_n_groups (rules);
    size_t n_samples = n_groups * rules->n_bins;

    *stats = (struct frame_stats){ .rules = rules, .n_groups = n_groups };
    stats->histograms = xcalloc (rules->n_systems, sizeof (*stats->histograms));
    stats->population = xcalloc (n_samples, sizeof (*stats->population));
    stats->samples = xcalloc (n_samples, sizeof (*stats->samples));
    stats->eligible = xcalloc (n_groups, sizeof (*stats->eligible));
    if (rules->adaptive)
        adaptive_levels_init (stats);
}

void frame_stats_release (struct frame_stats *stats)
{
    if (!stats->rules)
        return;
    release_samples (stats->samples, stats->n_groups * stats->rules->n_bins);
    adaptive_levels_release (stats);
    free (stats->histograms);
    free (stats->population);
    free (stats->samples);
    free (stats->eligible);
    *stats = (struct frame_stats){ 0 };
}

void frame_stats_start (struct frame_stats *stats, enum frame_stats_pass pass,
                        size_t pool_size)
{
    size_t n_samples = stats->n_groups * stats->rules->n_bins;

    stats->pass = pass;
    stats->pool_size = pool_size;
    memset (stats->histograms, 0,
            stats->rules->n_systems * sizeof (*stats->histograms));
    memset (stats->population, 0, n_samples * sizeof (*stats->population));
    reset_samples (stats->samples, n_samples, pool_size);
    if (pass == PASS_RANGES)
        adaptive_levels_start (stats);
}

/* --- one file --- */

struct frame_stats_part *frame_stats_part_new (const struct frame_stats *stats)
{
    size_t n_bins = stats->rules->n_bins;
    struct frame_stats_part *part = xcalloc (1, sizeof (*part));

    part->n_bins = n_bins;
    part->population = xcalloc (n_bins, sizeof (*part->population));
    part->samples = xcalloc (n_bins, sizeof (*part->samples));
    for (int q = 0; stats->rules->adaptive && q < DEVIATION_QUANTITIES; q++)
        part->ranges[q] = xcalloc (RANGE_BINS, sizeof (*part->ranges[q]));
    return part;
}

void frame_stats_part_free (struct frame_stats_part *part)
{
    if (!part)
        return;
    release_samples (part->samples, part->n_bins);
    release_samples (part->largest, DEVIATION_QUANTITIES);
    for (int q = 0; q < DEVIATION_QUANTITIES; q++)
        free (part->ranges[q]);
    free (part->samples);
    free (part->population);
    free (part);
}

void frame_stats_part_reset (const struct frame_stats *stats,
                             struct frame_stats_part *part, size_t system)
{
    part->system = system;
    part->histogram = (struct histogram)HISTOGRAM_INIT;
    if (part->listener)
        part->listener->start (system, part->listener->arg);
    memset (part->population, 0, part->n_bins * sizeof (*part->population));
    reset_samples (part->samples, part->n_bins, stats->pool_size);
    if (stats->pass != PASS_CLASSES)
        adaptive_levels_reset (stats, part);
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
    size_t bin = bin_of (levels, part->n_bins, frame->deviation);
    const struct top_k *samples =
        stats->samples + rules_group (rules, part->system) * part->n_bins;

    frame->key = rules->pick == PICK_MAX
                     ? sampled_largest_key (frame)
                     : sampled_random_key (rules->seed, frame);
    part->population[bin]++;
    if (frame->key <= top_k_limit (&samples[bin]))
        top_k_offer (&part->samples[bin], frame, 1);
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
    const struct criteria *criteria = &stats->rules->criteria[part->system];
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
        &stats->rules->criteria[part->system].levels[DEVIATION_FORCE];

    frame.step = rows->step[0];
    frame.place = places ? places[0] : SAMPLED_NOWHERE;
    for (size_t i = 0; i < rows->n_atoms; i++) {
        frame.atom = (int64_t)i + 1;
        frame.deviation = rows->atoms[i];
        add_one (stats, part, levels, classify_value (levels, rows->atoms[i]),
                 &frame);
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
    else
        adaptive_levels_add (stats, part, frame, rows);
}

void frame_stats_merge (struct frame_stats *stats,
                        const struct frame_stats_part *part)
{
    const struct rules *rules = stats->rules;
    size_t group = rules_group (rules, part->system);

    histogram_merge (&stats->histograms[part->system], &part->histogram);
    for (size_t i = 0; i < rules->n_bins; i++) {
        size_t at = group * rules->n_bins + i;

        stats->population[at] += part->population[i];
        top_k_offer (&stats->samples[at], part->samples[i].frames,
                     part->samples[i].n);
    }
    if (stats->pass != PASS_CLASSES)
        adaptive_levels_merge (stats, part);
}

/* --- what came out --- */

struct levels frame_stats_levels (const struct frame_stats *stats,
                                  size_t system, int quantity)
{
    const struct rules *rules = stats->rules;
    struct levels levels = rules->criteria[system].levels[quantity];
    size_t group = rules_group (rules, system);
    double low;

    if (rules->adaptive) {
        low = stats->lower[group * DEVIATION_QUANTITIES + quantity].value;
        levels.low = low < levels.high ? low : levels.high;
    }
    return levels;
}

struct json *frame_stats_levels_json (const struct frame_stats *stats,
                                      size_t system)
{
    const struct criteria *criteria = &stats->rules->criteria[system];
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
