/* SPDX-License-Identifier: BSD-3-Clause */
/* survey_tops.c - the part of a survey that finds adaptive lower levels
 *
 * Frames are ordered by (value, task, part, step), as DP-GEN sorts them, and
 * the last 'wanted' are candidates.  In draws, where small places win among
 * equal keys, places are stored with the other sign.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "selection/survey.h"
#include "selection/survey_tops.h"

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

static struct lower_level *lower_of (const struct survey *survey,
                                     size_t group,
                                     int q)
{
    return &survey->lower[group * DEVIATION_QUANTITIES + (size_t)q];
}

static bool has_quantity (const struct survey *survey, size_t system, int q)
{
    return q != DEVIATION_DISTANCE && survey->rules->criteria[system].has[q];
}

void survey_tops_init (struct survey *survey)
{
    size_t n = survey->n_groups * DEVIATION_QUANTITIES;

    survey->ranges = xcalloc (n * RANGE_BINS, sizeof (*survey->ranges));
    survey->tops = xcalloc (n, sizeof (*survey->tops));
    survey->lower = xcalloc (n, sizeof (*survey->lower));
    for (size_t i = 0; i < n; i++) {
        draw_init (&survey->tops[i], 0);
        survey->lower[i].value = INFINITY;
    }
}

void survey_tops_release (struct survey *survey)
{
    size_t n = survey->n_groups * DEVIATION_QUANTITIES;

    for (size_t i = 0; survey->tops && i < n; i++)
        draw_release (&survey->tops[i]);
    free (survey->ranges);
    free (survey->tops);
    free (survey->lower);
}

void survey_tops_start (struct survey *survey)
{
    size_t n = survey->n_groups * DEVIATION_QUANTITIES;

    memset (survey->ranges, 0, n * RANGE_BINS * sizeof (*survey->ranges));
    memset (survey->pools, 0, survey->n_groups * sizeof (*survey->pools));
}

void survey_tops_reset (const struct survey *survey, struct survey_part *part)
{
    size_t group = rules_group (survey->rules, part->system);

    part->pool = 0;
    for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
        draw_reset (&part->tops[q]);
        part->tops[q].quota = (size_t)lower_of (survey, group, q)->in_bin;
        if (survey->pass == SURVEY_RANGES)
            memset (part->ranges[q], 0, RANGE_BINS * sizeof (uint64_t));
    }
}

/* Is row i a frame without a class yet: finite and not above a high level (nor
 * as close as must not be)?
 */
static enum frame_class judge (const struct criteria *criteria,
                               const struct deviation_rows *rows,
                               size_t i)
{
    const struct levels *levels = criteria->levels;
    bool failed = false;

    for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
        double value = rows->value[q][i];

        if (!criteria->has[q])
            continue;
        if (!isfinite (value))
            return FRAME_INVALID;
        failed |= q == DEVIATION_DISTANCE ? value <= levels[q].high
                                          : value > levels[q].high;
    }
    return failed ? FRAME_FAILED : FRAME_ACCURATE;
}

static void negate (struct drawn *frame)
{
    frame->task = -frame->task;
    frame->part = -frame->part;
    frame->step = -frame->step;
}

static void add_value (const struct survey *survey,
                       struct survey_part *part,
                       int q,
                       struct drawn frame)
{
    size_t group = rules_group (survey->rules, part->system);
    size_t bin = range_of (frame.deviation);

    if (survey->pass == SURVEY_RANGES) {
        part->ranges[q][bin]++;
    } else if (bin == lower_of (survey, group, q)->bin) {
        negate (&frame);
        frame.key = drawn_largest_key (&frame);
        draw_offer (&part->tops[q], &frame, 1);
    }
}

void survey_tops_add (const struct survey *survey,
                      struct survey_part *part,
                      struct drawn frame,
                      const struct deviation_rows *rows)
{
    const struct criteria *criteria = &survey->rules->criteria[part->system];

    for (size_t i = 0; i < rows->n; i++) {
        if (judge (criteria, rows, i) != FRAME_ACCURATE)
            continue;
        part->pool++;
        frame.step = rows->step[i];
        for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
            frame.deviation = rows->value[q][i];
            if (has_quantity (survey, part->system, q))
                add_value (survey, part, q, frame);
        }
    }
}

void survey_tops_merge (struct survey *survey, const struct survey_part *part)
{
    size_t group = rules_group (survey->rules, part->system);
    size_t first = group * DEVIATION_QUANTITIES;

    if (survey->pass == SURVEY_RANGES)
        survey->pools[group] += part->pool;
    for (size_t q = 0; q < DEVIATION_QUANTITIES; q++) {
        uint64_t *ranges = survey->ranges + (first + q) * RANGE_BINS;

        for (size_t i = 0; survey->pass == SURVEY_RANGES && i < RANGE_BINS; i++)
            ranges[i] += part->ranges[q][i];
        draw_offer (&survey->tops[first + q], part->tops[q].frames,
                    part->tops[q].n);
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

void survey_find_bins (struct survey *survey)
{
    for (size_t group = 0; group < survey->n_groups; group++) {
        for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
            size_t i = group * DEVIATION_QUANTITIES + (size_t)q;

            survey->lower[i].wanted =
                rules_top (survey->rules, q, survey->pools[group]);
            find_bin (&survey->lower[i], survey->ranges + i * RANGE_BINS);
            draw_reset (&survey->tops[i]);
            survey->tops[i].quota = (size_t)survey->lower[i].in_bin;
        }
    }
}

/* The one that lost against all others in a draw is the smallest candidate. */
void survey_find_levels (struct survey *survey)
{
    for (size_t i = 0; i < survey->n_groups * DEVIATION_QUANTITIES; i++) {
        struct lower_level *lower = &survey->lower[i];

        lower->value = INFINITY;
        if (lower->wanted == 0 || survey->tops[i].n == 0)
            continue;
        lower->last = survey->tops[i].frames[0];
        lower->value = lower->last.deviation;
    }
}

static bool is_top (const struct lower_level *lower,
                    const struct drawn *frame,
                    double value)
{
    struct drawn place = *frame;

    if (value != lower->value)
        return value > lower->value;
    negate (&place);
    place.key = lower->last.key;
    return !drawn_wins (&lower->last, &place);
}

void survey_tops_classify (const struct survey *survey,
                           size_t system,
                           struct drawn frame,
                           const struct deviation_rows *rows,
                           unsigned char *class)
{
    size_t group = rules_group (survey->rules, system);

    for (size_t i = 0; i < rows->n; i++) {
        class[i] =
            (unsigned char)judge (&survey->rules->criteria[system], rows, i);
        frame.step = rows->step[i];
        for (int q = 0; class[i] == FRAME_ACCURATE && q < DEVIATION_QUANTITIES;
             q++) {
            if (has_quantity (survey, system, q)
                && is_top (lower_of (survey, group, q), &frame,
                           rows->value[q][i]))
                class[i] = FRAME_CANDIDATE;
        }
    }
}
