/* SPDX-License-Identifier: BSD-3-Clause */
/* adaptive_levels.c - the part of the statistics that finds adaptive lower
 * levels
 *
 * Frames are ordered by (value, task, part, step), as DP-GEN sorts them, and
 * the last 'wanted' are candidates.  In samples, where small places win among
 * equal keys, places are stored with the other sign.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "selection/statistics/frame_stats.h"
#include "selection/statistics/adaptive_levels.h"

static const int bin_shift = 42;
static const uint64_t first_bin = (uint64_t)(1023 - 20) << 10;

/* Bins are the exponent of a double and ten bits of its fraction. */
static size_t range_of (double value)
{
    uint64_t bits;

    memcpy (&bits, &value, sizeof (bits));
    bits >>= bin_shift;
    if (!(value > 0) || bits < first_bin)
        return 0;
    bits -= first_bin;
    return bits < RANGE_BINS ? bits : RANGE_BINS - 1;
}

static struct lower_level *lower_of (const struct frame_stats *stats,
                                     size_t group, int q)
{
    return &stats->lower[group * DEVIATION_QUANTITIES + (size_t)q];
}

static bool has_quantity (const struct frame_stats *stats, size_t system, int q)
{
    return q != DEVIATION_DISTANCE && stats->rules->criteria[system].has[q];
}

void adaptive_levels_init (struct frame_stats *stats)
{
    size_t n = stats->n_groups * DEVIATION_QUANTITIES;

    stats->ranges = xcalloc (n * RANGE_BINS, sizeof (*stats->ranges));
    stats->largest = xcalloc (n, sizeof (*stats->largest));
    stats->lower = xcalloc (n, sizeof (*stats->lower));
    for (size_t i = 0; i < n; i++)
        stats->lower[i].value = INFINITY;
}

void adaptive_levels_release (struct frame_stats *stats)
{
    size_t n = stats->n_groups * DEVIATION_QUANTITIES;

    for (size_t i = 0; stats->largest && i < n; i++)
        top_k_release (&stats->largest[i]);
    free (stats->ranges);
    free (stats->largest);
    free (stats->lower);
}

void adaptive_levels_start (struct frame_stats *stats)
{
    size_t n = stats->n_groups * DEVIATION_QUANTITIES;

    memset (stats->ranges, 0, n * RANGE_BINS * sizeof (*stats->ranges));
    memset (stats->eligible, 0, stats->n_groups * sizeof (*stats->eligible));
}

void adaptive_levels_reset (const struct frame_stats *stats,
                            struct frame_stats_part *part)
{
    size_t group = rules_group (stats->rules, part->system);

    part->eligible = 0;
    for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
        top_k_reset (&part->largest[q]);
        part->largest[q].quota = (size_t)lower_of (stats, group, q)->in_bin;
        if (stats->pass == PASS_RANGES)
            memset (part->ranges[q], 0, RANGE_BINS * sizeof (uint64_t));
    }
}

/* Is row i a frame without a class yet: valid and not above a high level (nor
 * as close as must not be)?
 */
static enum frame_class judge (const struct criteria *criteria,
                               const struct deviation_rows *rows, size_t i)
{
    const struct levels *levels = criteria->levels;
    bool failed = false;

    for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
        double value = rows->value[q][i];

        if (!criteria->has[q])
            continue;
        if (!(value > -INFINITY)
            || (q == DEVIATION_DISTANCE && !isfinite (value)))
            return FRAME_INVALID;
        failed |= q == DEVIATION_DISTANCE ? value <= levels[q].high
                                          : value > levels[q].high;
    }
    return failed ? FRAME_FAILED : FRAME_ACCURATE;
}

static void negate (struct sampled *frame)
{
    frame->task = -frame->task;
    frame->part = -frame->part;
    frame->step = -frame->step;
}

static void add_value (const struct frame_stats *stats,
                       struct frame_stats_part *part, int q,
                       struct sampled frame)
{
    size_t group = rules_group (stats->rules, part->system);
    size_t bin = range_of (frame.deviation);

    if (stats->pass == PASS_RANGES) {
        part->ranges[q][bin]++;
    } else if (bin == lower_of (stats, group, q)->bin) {
        negate (&frame);
        frame.key = sampled_largest_key (&frame);
        top_k_offer (&part->largest[q], &frame, 1);
    }
}

void adaptive_levels_add (const struct frame_stats *stats,
                          struct frame_stats_part *part, struct sampled frame,
                          const struct deviation_rows *rows)
{
    const struct criteria *criteria = &stats->rules->criteria[part->system];

    for (size_t i = 0; i < rows->n; i++) {
        if (judge (criteria, rows, i) != FRAME_ACCURATE)
            continue;
        part->eligible++;
        frame.step = rows->step[i];
        for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
            frame.deviation = rows->value[q][i];
            if (has_quantity (stats, part->system, q))
                add_value (stats, part, q, frame);
        }
    }
}

void adaptive_levels_merge (struct frame_stats *stats,
                            const struct frame_stats_part *part)
{
    size_t group = rules_group (stats->rules, part->system);
    size_t first = group * DEVIATION_QUANTITIES;

    if (stats->pass == PASS_RANGES)
        stats->eligible[group] += part->eligible;
    for (size_t q = 0; q < DEVIATION_QUANTITIES; q++) {
        uint64_t *ranges = stats->ranges + (first + q) * RANGE_BINS;

        for (size_t i = 0; stats->pass == PASS_RANGES && i < RANGE_BINS; i++)
            ranges[i] += part->ranges[q][i];
        top_k_offer (&stats->largest[first + q], part->largest[q].frames,
                     part->largest[q].n);
    }
}

static void find_bin (struct lower_level *lower, const uint64_t *ranges)
{
    uint64_t above = 0;
    size_t bin = RANGE_BINS;

    while (bin > 0 && above < lower->wanted)
        above += ranges[--bin];
    lower->bin = bin;
    lower->in_bin =
        lower->wanted > 0 ? lower->wanted - (above - ranges[bin]) : 0;
}

void frame_stats_find_bins (struct frame_stats *stats)
{
    for (size_t group = 0; group < stats->n_groups; group++) {
        for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
            size_t i = group * DEVIATION_QUANTITIES + (size_t)q;

            stats->lower[i].wanted =
                rules_top (stats->rules, q, stats->eligible[group]);
            find_bin (&stats->lower[i], stats->ranges + i * RANGE_BINS);
            top_k_reset (&stats->largest[i]);
            stats->largest[i].quota = (size_t)stats->lower[i].in_bin;
        }
    }
}

/* The one that lost against all others in a sample is the smallest candidate.
 */
void frame_stats_find_levels (struct frame_stats *stats)
{
    for (size_t i = 0; i < stats->n_groups * DEVIATION_QUANTITIES; i++) {
        struct lower_level *lower = &stats->lower[i];

        lower->value = INFINITY;
        if (lower->wanted == 0 || stats->largest[i].n == 0)
            continue;
        lower->last = stats->largest[i].frames[0];
        lower->value = lower->last.deviation;
    }
}

static bool is_top (const struct lower_level *lower,
                    const struct sampled *frame, double value)
{
    struct sampled place = *frame;

    if (value != lower->value)
        return value > lower->value;
    negate (&place);
    place.key = lower->last.key;
    return !sampled_wins (&lower->last, &place);
}

void adaptive_levels_classify (const struct frame_stats *stats, size_t system,
                               struct sampled frame,
                               const struct deviation_rows *rows,
                               unsigned char *class)
{
    size_t group = rules_group (stats->rules, system);

    for (size_t i = 0; i < rows->n; i++) {
        class[i] =
            (unsigned char)judge (&stats->rules->criteria[system], rows, i);
        frame.step = rows->step[i];
        for (int q = 0; class[i] == FRAME_ACCURATE && q < DEVIATION_QUANTITIES;
             q++) {
            if (has_quantity (stats, system, q)
                && is_top (lower_of (stats, group, q), &frame,
                           rows->value[q][i]))
                class[i] = FRAME_CANDIDATE;
        }
    }
}
