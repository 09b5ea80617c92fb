/* SPDX-License-Identifier: BSD-3-Clause */
/* forecast.c - what the rest of a campaign may take, by playing it */
#include "base/base.h"

#include "base/binomial.h"
#include "base/hash.h"
#include "base/random_stream.h"
#include "base/sort.h"
#include "engine/history/size_counts.h"
#include "report/forecast.h"

bool forecast_knows (const struct forecast_stage *stage)
{
    return stage->now == FORECAST_OVER
           || ((stage->n_counts > 0 || stage->now == FORECAST_RUNS)
               && (stage->assumed_s > 0
                   || size_counts_tasks (stage->times) > 0));
}

/* --- draws --- */

static int64_t draw_count (const struct forecast_stage *stage,
                           struct random_stream *random)
{
    return stage->n_counts == 0
               ? 0
               : stage->counts[(size_t)(random_uniform (random)
                                        * (double)stage->n_counts)];
}

/* Within its class any time is as likely. */
static double draw_time (const struct forecast_stage *stage, int64_t tasks,
                         struct random_stream *random)
{
    const struct size_counts *times = stage->times;
    int64_t at;
    size_t i = 0;
    double least, most;

    if (stage->assumed_s > 0)
        return stage->assumed_s;
    at = (int64_t)(random_uniform (random) * (double)tasks);
    while (i + 1 < times->n && at >= times->v[i].tasks)
        at -= times->v[i++].tasks;
    least = size_of_number (times->v[i].number - 1);
    most = size_of_number (times->v[i].number);
    return least + random_uniform (random) * (most - least);
}

/* --- tasks on slots --- */

/* The ends of what runs, the soonest first: a heap. */
static void sink (double *ends, size_t n)
{
    size_t i = 0;

    for (;;) {
        size_t child = 2 * i + 1;
        double swapped = ends[i];

        if (child + 1 < n && ends[child + 1] < ends[child])
            child++;
        if (child >= n || ends[i] <= ends[child])
            return;
        ends[i] = ends[child];
        ends[child] = swapped;
        i = child;
    }
}

/* 'tasks' on the slots; how long until the last ends.  *used_s: their times;
 * *failed: how many of them failed.
 */
static double play_tasks (const struct forecast_stage *stage, int64_t tasks,
                          struct random_stream *random, double *used_s,
                          int64_t *failed)
{
    const int64_t seen =
        stage->assumed_s > 0 ? 0 : size_counts_tasks (stage->times);
    size_t slots =
        (size_t)(tasks < stage->at_a_time ? tasks : stage->at_a_time);
    _cleanup_free_ double *ends = xcalloc (slots + 1, sizeof (*ends));
    double last = 0;

    *failed = 0;
    for (int64_t i = 0; i < tasks; i++) {
        double s = draw_time (stage, seen, random);

        ends[0] += s;
        last = fmax (last, ends[0]);
        sink (ends, slots);
        *used_s += s;
        *failed +=
            stage->failing > 0 && random_uniform (random) < stage->failing;
    }
    return last;
}

/* All tries of one iteration. */
static double play_stage (const struct forecast_stage *stage, bool current,
                          struct random_stream *random, double *node_hours)
{
    int64_t tasks = !current || stage->now == FORECAST_TO_COME
                        ? draw_count (stage, random)
                    : stage->now == FORECAST_RUNS ? stage->left
                                                  : 0;
    double s = 0, used_s = 0;

    for (int i = 0; i < stage->tries && tasks > 0; i++)
        s += play_tasks (stage, tasks, random, &used_s, &tasks);
    *node_hours = used_s * stage->node_share / 3600;
    return s;
}

/* --- one play --- */

/* Time and node-hours of a stage, or of all. */
struct sum {
    double s, node_hours;
};

/* One iteration: the longest way through its stages. */
static double play_iteration (const struct forecast_stage *stages, size_t n,
                              bool current, struct random_stream *random,
                              double *ends, struct sum *sums)
{
    double last = 0;

    for (size_t i = 0; i < n; i++) {
        double node_hours;
        double s = play_stage (&stages[i], current, random, &node_hours);

        ends[i] = 0;
        for (size_t k = 0; k < stages[i].n_after; k++)
            ends[i] = fmax (ends[i], ends[stages[i].after[k]]);
        ends[i] += s;
        last = fmax (last, ends[i]);
        sums[i].s += s;
        sums[i].node_hours += node_hours;
        sums[n].node_hours += node_hours;
    }
    return last;
}

static struct forecast_range range_of (double *values, int n)
{
    sort_doubles (values, (size_t)n);
    return (struct forecast_range){ values[(int)ceil (0.1 * n) - 1],
                                    values[(int)ceil (0.9 * n) - 1] };
}

/* Of the (n + 1) sums of each play. */
static void summarize (const struct sum *sums, size_t n, int plays,
                       struct forecast *of_stages, struct forecast *all)
{
    _cleanup_free_ double *values = xcalloc ((size_t)plays, sizeof (*values));

    for (size_t i = 0; i <= n; i++) {
        struct forecast *to = i < n ? &of_stages[i] : all;

        for (int p = 0; p < plays; p++)
            values[p] = sums[(size_t)p * (n + 1) + i].s;
        to->s = range_of (values, plays);
        for (int p = 0; p < plays; p++)
            values[p] = sums[(size_t)p * (n + 1) + i].node_hours;
        to->node_hours = range_of (values, plays);
    }
}

void forecast_play (const struct forecast_stage *stages, size_t n,
                    int64_t iterations, int plays, uint64_t seed,
                    struct forecast *of_stages, struct forecast *all)
{
    _cleanup_free_ struct sum *sums =
        xcalloc ((size_t)plays * (n + 1), sizeof (*sums));
    _cleanup_free_ double *ends = xcalloc (n + 1, sizeof (*ends));

    for (int p = 0; p < plays; p++) {
        const uint64_t play[2] = { seed, (uint64_t)p };
        struct random_stream random = { hash_words (0, play, 2), 0 };
        struct sum *of_play = &sums[(size_t)p * (n + 1)];

        for (int64_t i = 0; i < iterations; i++)
            of_play[n].s +=
                play_iteration (stages, n, i == 0, &random, ends, of_play);
    }
    summarize (sums, n, plays, of_stages, all);
}

/* --- queues --- */

double forecast_wait_bound (const double *waits, size_t n)
{
    const double p = 0.9, confidence = 0.9;
    size_t low = 1, high = n + 1; /* n + 1: there is none */

    while (low < high) {
        size_t k = low + (high - low) / 2;

        if (binomial_tail (n, p, k - 1) >= confidence)
            high = k;
        else
            low = k + 1;
    }
    return low <= n ? waits[low - 1] : -1;
}
