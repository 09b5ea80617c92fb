/* SPDX-License-Identifier: BSD-3-Clause */
/* survey.c - what one pass over all frames finds out */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/strvec.h"
#include "selection/survey.h"
#include "selection/survey_candidates.h"
#include "selection/survey_tops.h"

static void init_draws (struct draw *draws, size_t n, size_t quota)
{
    for (size_t i = 0; i < n; i++)
        draw_init (&draws[i], quota);
}

static void release_draws (struct draw *draws, size_t n)
{
    for (size_t i = 0; i < n; i++)
        draw_release (&draws[i]);
}

/* Empty, and from now on for 'quota' frames. */
static void reset_draws (struct draw *draws, size_t n, size_t quota)
{
    for (size_t i = 0; i < n; i++) {
        draw_reset (&draws[i]);
        draws[i].quota = quota;
    }
}

void survey_init (struct survey *survey, const struct rules *rules)
{
    size_t n_groups = rules_n_groups (rules);
    size_t n_draws = n_groups * rules->n_bins;

    *survey = (struct survey){ .rules = rules, .n_groups = n_groups };
    survey->tallies = xcalloc (rules->n_systems, sizeof (*survey->tallies));
    survey->population = xcalloc (n_draws, sizeof (*survey->population));
    survey->draws = xcalloc (n_draws, sizeof (*survey->draws));
    init_draws (survey->draws, n_draws, 0);
    survey->pools = xcalloc (n_groups, sizeof (*survey->pools));
    if (rules->adaptive)
        survey_tops_init (survey);
}

void survey_release (struct survey *survey)
{
    if (!survey->rules)
        return;
    release_draws (survey->draws, survey->n_groups * survey->rules->n_bins);
    survey_tops_release (survey);
    free (survey->tallies);
    free (survey->population);
    free (survey->draws);
    free (survey->pools);
    *survey = (struct survey){ 0 };
}

void survey_start (struct survey *survey, enum survey_pass pass, size_t hold)
{
    size_t n_draws = survey->n_groups * survey->rules->n_bins;

    survey->pass = pass;
    survey->hold = hold;
    memset (survey->tallies, 0,
            survey->rules->n_systems * sizeof (*survey->tallies));
    memset (survey->population, 0, n_draws * sizeof (*survey->population));
    reset_draws (survey->draws, n_draws, hold);
    if (pass == SURVEY_RANGES)
        survey_tops_start (survey);
}

/* --- one file --- */

struct survey_part *survey_part_new (const struct survey *survey)
{
    size_t n_bins = survey->rules->n_bins;
    struct survey_part *part = xcalloc (1, sizeof (*part));

    part->n_bins = n_bins;
    part->population = xcalloc (n_bins, sizeof (*part->population));
    part->draws = xcalloc (n_bins, sizeof (*part->draws));
    init_draws (part->draws, n_bins, 0);
    init_draws (part->tops, DEVIATION_QUANTITIES, 0);
    for (int q = 0; survey->rules->adaptive && q < DEVIATION_QUANTITIES; q++)
        part->ranges[q] = xcalloc (RANGE_BINS, sizeof (*part->ranges[q]));
    return part;
}

void survey_part_free (struct survey_part *part)
{
    if (!part)
        return;
    release_draws (part->draws, part->n_bins);
    release_draws (part->tops, DEVIATION_QUANTITIES);
    for (int q = 0; q < DEVIATION_QUANTITIES; q++)
        free (part->ranges[q]);
    free (part->draws);
    free (part->population);
    free (part);
}

void survey_part_reset (const struct survey *survey,
                        struct survey_part *part,
                        size_t system)
{
    part->system = system;
    tally_reset (&part->tally);
    if (part->listener)
        part->listener->start (system, part->listener->arg);
    memset (part->population, 0, part->n_bins * sizeof (*part->population));
    reset_draws (part->draws, part->n_bins, survey->hold);
    if (survey->pass != SURVEY_CLASSES)
        survey_tops_reset (survey, part);
}

static void add_classes (const struct survey *survey,
                         struct survey_part *part,
                         struct drawn frame,
                         const struct deviation_rows *rows,
                         const uint64_t *places)
{
    const struct criteria *criteria = &survey->rules->criteria[part->system];
    int main_quantity = criteria_main (criteria);
    const double *value = rows->value[main_quantity];
    struct levels levels = survey_levels (survey, part->system, main_quantity);
    unsigned char class[DEVIATION_ROWS_MAX];

    if (survey->rules->adaptive)
        survey_tops_classify (survey, part->system, frame, rows, class);
    else
        classify_rows (criteria, rows, class);
    tally_add_rows (&part->tally, class, value, rows->n);
    for (size_t i = 0; part->listener && i < rows->n; i++) {
        frame.step = rows->step[i];
        part->listener->frame ((enum frame_class) class[i], &frame,
                               part -> listener -> arg);
    }
    frame.step = 0;
    survey_candidates_add (survey, part, &levels, &frame, rows, class, value,
                           places);
}

static void add_atoms (const struct survey *survey,
                       struct survey_part *part,
                       struct drawn frame,
                       const struct deviation_rows *rows,
                       const uint64_t *places)
{
    const struct levels *levels =
        &survey->rules->criteria[part->system].levels[DEVIATION_FORCE];

    frame.step = rows->step[0];
    frame.place = places ? places[0] : DRAWN_NOWHERE;
    for (size_t i = 0; i < rows->n_atoms; i++) {
        enum frame_class class = classify_value (levels, rows->atoms[i]);

        tally_add (&part->tally, class, rows->atoms[i]);
        frame.atom = (int64_t)i + 1;
        frame.deviation = rows->atoms[i];
        if (part->listener)
            part->listener->frame (class, &frame, part->listener->arg);
        if (class == FRAME_CANDIDATE)
            survey_candidate_add (survey, part, levels, &frame);
    }
}

void survey_add (const struct survey *survey,
                 struct survey_part *part,
                 int64_t task,
                 int64_t part_of_task,
                 const struct deviation_rows *rows,
                 const uint64_t *places)
{
    struct drawn frame = { .task = task, .part = part_of_task };

    if (survey->rules->clusters.any)
        add_atoms (survey, part, frame, rows, places);
    else if (survey->pass == SURVEY_CLASSES)
        add_classes (survey, part, frame, rows, places);
    else
        survey_tops_add (survey, part, frame, rows);
}

void survey_merge (struct survey *survey, const struct survey_part *part)
{
    const struct rules *rules = survey->rules;
    size_t group = rules_group (rules, part->system);

    tally_merge (&survey->tallies[part->system], &part->tally);
    for (size_t i = 0; i < rules->n_bins; i++) {
        size_t at = group * rules->n_bins + i;

        survey->population[at] += part->population[i];
        draw_offer (&survey->draws[at], part->draws[i].frames,
                    part->draws[i].n);
    }
    if (survey->pass != SURVEY_CLASSES)
        survey_tops_merge (survey, part);
}

/* --- what came out --- */

struct levels survey_levels (const struct survey *survey,
                             size_t system,
                             int quantity)
{
    const struct rules *rules = survey->rules;
    struct levels levels = rules->criteria[system].levels[quantity];
    size_t group = rules_group (rules, system);
    double low;

    if (rules->adaptive) {
        low = survey->lower[group * DEVIATION_QUANTITIES + quantity].value;
        levels.low = low < levels.high ? low : levels.high;
    }
    return levels;
}

struct json *survey_levels_json (const struct survey *survey, size_t system)
{
    static const char *const names[] = { "force", "virial", "energy" };
    const struct criteria *criteria = &survey->rules->criteria[system];
    struct json *all = json_object ();

    for (int q = 0; q < DEVIATION_DISTANCE; q++) {
        struct levels levels = survey_levels (survey, system, q);
        struct json *pair = json_array ();

        json_push (pair, json_real (levels.low));
        json_push (pair, json_real (levels.high));
        if (criteria->has[q])
            json_set (all, names[q], pair);
        else
            json_unref (pair);
    }
    return all;
}

struct json *survey_all_levels_json (const struct survey *survey,
                                     const struct strvec *names)
{
    struct json *all = json_object ();

    for (size_t i = 0; i < names->n; i++)
        json_set (all, names->v[i], survey_levels_json (survey, i));
    return all;
}

void survey_group_frames (const struct survey *survey,
                          size_t group,
                          uint64_t frames[FRAME_CLASSES])
{
    memset (frames, 0, FRAME_CLASSES * sizeof (*frames));
    for (size_t i = 0; i < survey->rules->n_systems; i++) {
        for (int c = 0; c < FRAME_CLASSES; c++) {
            if (rules_group (survey->rules, i) == group)
                frames[c] += survey->tallies[i].frames[c];
        }
    }
}
