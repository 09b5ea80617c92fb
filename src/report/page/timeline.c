/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline.c - rows of nodes and slots, and what ran in each bin of them */
#include "base/base.h"

#include "base/json.h"
#include "engine/act/tries_summary.h"
#include "report/page/report_facts.h"
#include "report/page/timeline.h"

static void each_tries (struct timeline *timeline, size_t stage,
                        void (*take) (struct timeline *, size_t,
                                      const struct json *))
{
    for (int i = 0; i < timeline->facts->n_iterations; i++) {
        const struct json *tries = report_tries (timeline->facts, i, stage);

        if (tries)
            take (timeline, stage, tries);
    }
}

static void each_stage (struct timeline *timeline,
                        void (*take) (struct timeline *, size_t,
                                      const struct json *))
{
    for (size_t k = 0; k < timeline->facts->n_stages; k++)
        each_tries (timeline, k, take);
}

/* --- rows --- */

static void note_extent (struct timeline *timeline, size_t stage,
                         const struct json *tries)
{
    (void)stage;
    timeline->from_s =
        fmin (timeline->from_s, json_get_double (tries, "from_s"));
    timeline->to_s = fmax (timeline->to_s, json_get_double (tries, "to_s"));
}

/* "n1/0" of a slot, "n1" of a node. */
static char *row_name (const struct timeline *timeline, const struct json *row)
{
    char *name = xstrdup (json_get_string (row, "name"));
    char *slash = strrchr (name, '/');

    if (timeline->depth > 0 && slash)
        *slash = '\0';
    if (timeline->depth > 1) {
        free (name);
        name = xstrdup ("all nodes");
    }
    return name;
}

static size_t row_of (const struct timeline *timeline, const struct json *row)
{
    _cleanup_free_ char *name = row_name (timeline, row);
    size_t at = words_index (timeline->rows.v, timeline->rows.n, name);

    return at;
}

static void name_rows (struct timeline *timeline, size_t stage,
                       const struct json *tries)
{
    const struct json *rows = json_get (tries, "rows");

    (void)stage;
    for (size_t i = 0; i < json_count (rows); i++) {
        _cleanup_free_ char *name = row_name (timeline, json_at (rows, i));

        if (!strvec_contains (&timeline->rows, name))
            strvec_push (&timeline->rows, name);
    }
}

/* A row has as many slots as any stage had there. */
static void count_slots (struct timeline *timeline, size_t stage,
                         const struct json *tries)
{
    const struct json *rows = json_get (tries, "rows");
    _cleanup_free_ double *slots =
        xcalloc (timeline->rows.n + 1, sizeof (*slots));

    (void)stage;
    for (size_t i = 0; i < json_count (rows); i++)
        slots[row_of (timeline, json_at (rows, i))] +=
            json_get_double (json_at (rows, i), "slots");
    for (size_t i = 0; i < timeline->rows.n; i++)
        timeline->slots[i] = fmax (timeline->slots[i], slots[i]);
}

static void find_rows (struct timeline *timeline)
{
    for (timeline->depth = 0;; timeline->depth++) {
        each_stage (timeline, name_rows);
        if (timeline->rows.n <= TRIES_ROWS_MOST || timeline->depth == 2)
            break;
        strvec_release (&timeline->rows);
    }
    strvec_sort (&timeline->rows);
    timeline->slots = xcalloc (timeline->rows.n + 1, sizeof (double));
    timeline->bins = xcalloc (timeline->rows.n * TIMELINE_BINS + 1,
                              sizeof (struct timeline_bin));
    timeline->running_s = xcalloc (
        timeline->facts->n_stages * TIMELINE_SPANS + 1, sizeof (double));
    each_stage (timeline, count_slots);
}

/* --- bins --- */

double timeline_bin_s (const struct timeline *timeline)
{
    return (timeline->to_s - timeline->from_s) / TIMELINE_BINS;
}

static int bin_at (const struct timeline *timeline, double s)
{
    double bin = floor ((s - timeline->from_s) / timeline_bin_s (timeline));

    return bin < 0 ? 0 : bin >= TIMELINE_BINS ? TIMELINE_BINS - 1 : (int)bin;
}

/* Spread 'busy_s' over the bins between two times. */
static void add_busy (struct timeline *timeline, size_t row, double from_s,
                      double to_s, double busy_s)
{
    int last = bin_at (timeline, to_s);

    for (int b = bin_at (timeline, from_s); b <= last; b++) {
        double begin = timeline->from_s + b * timeline_bin_s (timeline);
        double end = begin + timeline_bin_s (timeline);
        double part =
            (fmin (end, to_s) - fmax (begin, from_s)) / (to_s - from_s);

        timeline->bins[row * TIMELINE_BINS + (size_t)b].stage_s +=
            busy_s * fmax (0, part);
    }
}

static void add_events (struct timeline *timeline, size_t row,
                        const struct json *counts, double from_s, double each_s,
                        bool retries)
{
    for (size_t i = 0; i + 1 < json_count (counts); i += 2) {
        double s =
            from_s + (json_as_double (json_at (counts, i)) + 0.5) * each_s;
        double n = json_as_double (json_at (counts, i + 1));
        struct timeline_bin *bin =
            &timeline->bins[row * TIMELINE_BINS + (size_t)bin_at (timeline, s)];

        if (retries)
            bin->retried += n;
        else
            bin->failed += n;
    }
}

static void add_row (struct timeline *timeline, const struct json *tries,
                     const struct json *row)
{
    double from_s = json_get_double (tries, "from_s");
    double to_s = json_get_double (tries, "to_s");
    const char *busy = json_get_string (row, "busy");
    size_t n = strlen (busy), at = row_of (timeline, row);
    double each_s = (to_s - from_s) / (double)(n > 0 ? n : 1);

    for (size_t b = 0; b < n; b++) {
        double begin = from_s + (double)b * each_s;

        if (busy[b] > '0' && busy[b] <= '9')
            add_busy (timeline, at, begin, begin + each_s,
                      (busy[b] - '0') / 9.0 * each_s
                          * json_get_double (row, "slots"));
    }
    add_events (timeline, at, json_get (row, "failed"), from_s, each_s, false);
    add_events (timeline, at, json_get (row, "retried"), from_s, each_s, true);
}

static void add_tries (struct timeline *timeline, size_t stage,
                       const struct json *tries)
{
    const struct json *rows = json_get (tries, "rows");

    (void)stage;
    for (size_t i = 0; i < json_count (rows); i++)
        add_row (timeline, tries, json_at (rows, i));
}

/* All iterations of the stage are added: does it have most of a bin? */
static void settle_stage (struct timeline *timeline, size_t stage)
{
    double *running_s = &timeline->running_s[stage * TIMELINE_SPANS];

    for (size_t i = 0; i < timeline->rows.n * TIMELINE_BINS; i++) {
        struct timeline_bin *bin = &timeline->bins[i];

        running_s[i % TIMELINE_SPANS] += bin->stage_s;
        bin->busy_s += bin->stage_s;
        if (bin->stage_s > bin->most_s) {
            bin->most_s = bin->stage_s;
            bin->stage = stage;
        }
        bin->stage_s = 0;
    }
}

/* --- all of it --- */

bool timeline_read (const struct report_facts *facts, struct timeline *timeline)
{
    *timeline = (struct timeline){ .facts = facts,
                                   .from_s = INFINITY,
                                   .to_s = -INFINITY };
    strvec_init (&timeline->rows);
    each_stage (timeline, note_extent);
    if (!(timeline->from_s < timeline->to_s))
        return false;
    find_rows (timeline);
    for (size_t k = 0; k < facts->n_stages; k++) {
        each_tries (timeline, k, add_tries);
        settle_stage (timeline, k);
    }
    return true;
}

void timeline_release (struct timeline *timeline)
{
    free (timeline->bins);
    free (timeline->running_s);
    free (timeline->slots);
    strvec_release (&timeline->rows);
}
