/* SPDX-License-Identifier: BSD-3-Clause */
/* survey_candidates.c - the part of a survey that draws from its candidates
 *
 * When much has been seen, hardly any key is small enough to get into a draw:
 * what is done for each candidate is to find its key and compare it.
 */
#include "config.h"

#include "selection/survey.h"
#include "selection/survey_candidates.h"

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

/* The survey's draws from the bins of the part's system. */
static const struct draw *draws_of (const struct survey *survey,
                                    const struct survey_part *part)
{
    return survey->draws
           + rules_group (survey->rules, part->system) * part->n_bins;
}

void survey_candidate_add (const struct survey *survey,
                           struct survey_part *part,
                           const struct levels *levels,
                           struct drawn *frame)
{
    const struct rules *rules = survey->rules;
    size_t bin = bin_of (levels, part->n_bins, frame->deviation);

    frame->key = rules->pick == PICK_MAX
                     ? drawn_largest_key (frame)
                     : drawn_random_key (rules->seed, frame);
    part->population[bin]++;
    if (frame->key <= draw_limit (&draws_of (survey, part)[bin]))
        draw_offer (&part->draws[bin], frame, 1);
}

/* --- many --- */

struct candidates {
    size_t n;
    uint16_t row[DEVIATION_ROWS_MAX];
    uint32_t bin[DEVIATION_ROWS_MAX];
    uint64_t key[DEVIATION_ROWS_MAX];
};

/* Without a branch, which nobody could guess. */
static void find_rows (const unsigned char *class,
                       size_t n_rows,
                       struct candidates *found)
{
    size_t n = 0;

    for (size_t i = 0; i < n_rows; i++) {
        found->row[n] = (uint16_t)i;
        n += class[i] == FRAME_CANDIDATE;
    }
    found->n = n;
}

static void find_keys (const struct rules *rules,
                       const struct drawn *frame,
                       const int64_t *step,
                       const double *value,
                       struct candidates *found)
{
    int64_t steps[DEVIATION_ROWS_MAX];

    if (rules->pick != PICK_MAX) {
        for (size_t i = 0; i < found->n; i++)
            steps[i] = step[found->row[i]];
        drawn_random_keys (rules->seed, frame, steps, found->n, found->key);
        return;
    }
    for (size_t i = 0; i < found->n; i++) {
        const struct drawn one = { .deviation = value[found->row[i]] };

        found->key[i] = drawn_largest_key (&one);
    }
}

/* Also counts them. */
static void find_bins (struct survey_part *part,
                       const struct levels *levels,
                       const double *value,
                       struct candidates *found)
{
    if (part->n_bins == 1)
        part->population[0] += found->n;
    for (size_t i = 0; part->n_bins > 1 && i < found->n; i++) {
        found->bin[i] =
            (uint32_t)bin_of (levels, part->n_bins, value[found->row[i]]);
        part->population[found->bin[i]]++;
    }
}

/* Leave those that might get into a draw. */
static void drop_refused (const struct draw *draws,
                          size_t n_bins,
                          struct candidates *found)
{
    uint64_t limit = draw_limit (&draws[0]);
    size_t n = 0;

    for (size_t i = 0; i < found->n; i++) {
        uint32_t bin = n_bins > 1 ? found->bin[i] : 0;

        if (n_bins > 1)
            limit = draw_limit (&draws[bin]);
        if (found->key[i] > limit)
            continue;
        found->row[n] = found->row[i];
        found->key[n] = found->key[i];
        found->bin[n++] = bin;
    }
    found->n = n;
}

void survey_candidates_add (const struct survey *survey,
                            struct survey_part *part,
                            const struct levels *levels,
                            const struct drawn *frame,
                            const struct deviation_rows *rows,
                            const unsigned char *class,
                            const double *value,
                            const uint64_t *places)
{
    struct drawn one = *frame;
    struct candidates found;

    find_rows (class, rows->n, &found);
    find_keys (survey->rules, frame, rows->step, value, &found);
    find_bins (part, levels, value, &found);
    drop_refused (draws_of (survey, part), part->n_bins, &found);
    for (size_t i = 0; i < found.n; i++) {
        size_t row = found.row[i];

        one.step = rows->step[row];
        one.deviation = value[row];
        one.place = places ? places[row] : DRAWN_NOWHERE;
        one.key = found.key[i];
        draw_offer (&part->draws[found.bin[i]], &one, 1);
    }
}
