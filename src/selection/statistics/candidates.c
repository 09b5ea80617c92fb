/* SPDX-License-Identifier: BSD-3-Clause */
/* candidates.c - the part of the statistics that samples from its candidates
 *
 * When much has been seen, hardly any key is small enough to get into a sample:
 * what is done for each candidate is to find its key and compare it.
 */
#include "config.h"

#include "selection/statistics/frame_stats.h"
#include "selection/statistics/candidates.h"

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

/* The statistics' samples from the bins of the part's system. */
static const struct top_k *samples_of (const struct frame_stats *stats,
                                       const struct frame_stats_part *part)
{
    return stats->samples
           + rules_group (stats->rules, part->system) * part->n_bins;
}

void candidate_add (const struct frame_stats *stats,
                    struct frame_stats_part *part,
                    const struct levels *levels,
                    struct sampled *frame)
{
    const struct rules *rules = stats->rules;
    size_t bin = bin_of (levels, part->n_bins, frame->deviation);

    frame->key = rules->pick == PICK_MAX
                     ? sampled_largest_key (frame)
                     : sampled_random_key (rules->seed, frame);
    part->population[bin]++;
    if (frame->key <= top_k_limit (&samples_of (stats, part)[bin]))
        top_k_offer (&part->samples[bin], frame, 1);
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
                       const struct sampled *frame,
                       const int64_t *step,
                       const double *value,
                       struct candidates *found)
{
    int64_t steps[DEVIATION_ROWS_MAX];

    if (rules->pick != PICK_MAX) {
        for (size_t i = 0; i < found->n; i++)
            steps[i] = step[found->row[i]];
        sampled_random_keys (rules->seed, frame, steps, found->n, found->key);
        return;
    }
    for (size_t i = 0; i < found->n; i++) {
        const struct sampled one = { .deviation = value[found->row[i]] };

        found->key[i] = sampled_largest_key (&one);
    }
}

/* Also counts them. */
static void find_bins (struct frame_stats_part *part,
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

/* Leave those that might get into a sample. */
static void drop_refused (const struct top_k *samples,
                          size_t n_bins,
                          struct candidates *found)
{
    uint64_t limit = top_k_limit (&samples[0]);
    size_t n = 0;

    for (size_t i = 0; i < found->n; i++) {
        uint32_t bin = n_bins > 1 ? found->bin[i] : 0;

        if (n_bins > 1)
            limit = top_k_limit (&samples[bin]);
        if (found->key[i] > limit)
            continue;
        found->row[n] = found->row[i];
        found->key[n] = found->key[i];
        found->bin[n++] = bin;
    }
    found->n = n;
}

void candidates_add (const struct frame_stats *stats,
                     struct frame_stats_part *part,
                     const struct levels *levels,
                     const struct sampled *frame,
                     const struct deviation_rows *rows,
                     const unsigned char *class,
                     const double *value,
                     const uint64_t *places)
{
    struct sampled one = *frame;
    struct candidates found;

    find_rows (class, rows->n, &found);
    find_keys (stats->rules, frame, rows->step, value, &found);
    find_bins (part, levels, value, &found);
    drop_refused (samples_of (stats, part), part->n_bins, &found);
    for (size_t i = 0; i < found.n; i++) {
        size_t row = found.row[i];

        one.step = rows->step[row];
        one.deviation = value[row];
        one.place = places ? places[row] : SAMPLED_NOWHERE;
        one.key = found.key[i];
        top_k_offer (&part->samples[found.bin[i]], &one, 1);
    }
}
