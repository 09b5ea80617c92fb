/* SPDX-License-Identifier: BSD-3-Clause */
/* adaptive_levels.c - the part of the statistics that finds adaptive lower
 * levels
 *
 * Frames are ordered by (value, task, part, step), as DP-GEN sorts them, and
 * the last 'wanted' are candidates.  In samples, where small places win among
 * equal keys, places are stored with the other sign.
 */
#include "base/base.h"

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

static bool has_quantity (const struct frame_stats *stats, size_t system, int q)
{
    return q != DEVIATION_DISTANCE && stats->rules->criteria[system].has[q];
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
        part->found.ranges[0][q][bin]++;
    } else if (bin == stats->lower[group][q].bin) {
        negate (&frame);
        frame.key = sampled_largest_key (&frame);
        top_k_offer (&part->found.largest[0][q], &frame, 1);
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
        part->found.eligible[0]++;
        frame.step = rows->step[i];
        for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
            frame.deviation = rows->value[q][i];
            if (has_quantity (stats, part->system, q))
                add_value (stats, part, q, frame);
        }
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
    const struct group_stats *found = &stats->found;

    for (size_t group = 0; group < found->n_groups; group++) {
        for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
            struct lower_level *lower = &stats->lower[group][q];

            lower->wanted = rules_top (stats->rules, q, found->eligible[group]);
            find_bin (lower, found->ranges[group][q]);
        }
    }
}

/* The one that lost against all others in a sample is the smallest candidate.
 */
void frame_stats_find_levels (struct frame_stats *stats)
{
    for (size_t group = 0; group < stats->found.n_groups; group++) {
        for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
            const struct top_k *largest = &stats->found.largest[group][q];
            struct lower_level *lower = &stats->lower[group][q];

            lower->value = INFINITY;
            if (lower->wanted == 0 || largest->n == 0)
                continue;
            lower->last = largest->frames[0];
            lower->value = lower->last.deviation;
        }
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
                && is_top (&stats->lower[group][q], &frame, rows->value[q][i]))
                class[i] = FRAME_CANDIDATE;
        }
    }
}
