/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline_section.c - when tasks ran on which nodes and slots */
#include "base/base.h"

#include "base/clock.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/act/tries_summary.h"
#include "engine/history/engine.h"
#include "report/page/figure.h"
#include "report/page/page.h"
#include "report/page/report_facts.h"

enum {
    BINS = 600,
    EACH = 4, /* of them are one in figures over time */
    SHADES = 4,
    EVENTS_MOST = 300,
};

/* What ran in one bin of a row. */
struct bin {
    double busy_s;  /* of all its slots and stages */
    double stage_s; /* of the stage that is added */
    double most_s;  /* of the stage that had most of it, */
    size_t stage;   /* and its number */
    double failed, retried;
};

struct timeline {
    const struct report_facts *facts;
    double from_s, to_s;
    struct strvec rows;
    double *slots; /* by row */
    int depth;     /* rows are slots, 1: nodes, 2: all together */
    struct bin *bins;
    double *running_s; /* by stage, then by EACH bins of all rows */
    double unit_s;     /* of the axis */
    const char *unit;
};

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
    timeline->bins = xcalloc (timeline->rows.n * BINS + 1, sizeof (struct bin));
    timeline->running_s = xcalloc (
        timeline->facts->n_stages * (BINS / EACH) + 1, sizeof (double));
    each_stage (timeline, count_slots);
}

/* --- bins --- */

static double bin_s (const struct timeline *timeline)
{
    return (timeline->to_s - timeline->from_s) / BINS;
}

static int bin_at (const struct timeline *timeline, double s)
{
    double bin = floor ((s - timeline->from_s) / bin_s (timeline));

    return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : (int)bin;
}

/* Spread 'busy_s' over the bins between two times. */
static void add_busy (struct timeline *timeline, size_t row, double from_s,
                      double to_s, double busy_s)
{
    int last = bin_at (timeline, to_s);

    for (int b = bin_at (timeline, from_s); b <= last; b++) {
        double begin = timeline->from_s + b * bin_s (timeline);
        double end = begin + bin_s (timeline);
        double part =
            (fmin (end, to_s) - fmax (begin, from_s)) / (to_s - from_s);

        timeline->bins[row * BINS + (size_t)b].stage_s +=
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
        struct bin *bin =
            &timeline->bins[row * BINS + (size_t)bin_at (timeline, s)];

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
    double *running_s = &timeline->running_s[stage * (BINS / EACH)];

    for (size_t i = 0; i < timeline->rows.n * BINS; i++) {
        struct bin *bin = &timeline->bins[i];

        running_s[i % BINS / EACH] += bin->stage_s;
        bin->busy_s += bin->stage_s;
        if (bin->stage_s > bin->most_s) {
            bin->most_s = bin->stage_s;
            bin->stage = stage;
        }
        bin->stage_s = 0;
    }
}

/* --- figures --- */

static void choose_unit (struct timeline *timeline)
{
    static const struct {
        double most_s, unit_s;
        const char *name;
    } units[] = { { 300, 1, "seconds" },
                  { 5 * 3600, 60, "minutes" },
                  { 100 * 3600, 3600, "hours" },
                  { INFINITY, 86400, "days" } };
    size_t i = 0;

    while (timeline->to_s - timeline->from_s > units[i].most_s)
        i++;
    timeline->unit_s = units[i].unit_s;
    timeline->unit = units[i].name;
}

static double shown (const struct timeline *timeline, int bin)
{
    return bin * bin_s (timeline) / timeline->unit_s;
}

static int shade (double share)
{
    int shade = (int)ceil (fmin (share, 1) * SHADES);

    return share > 0 && shade == 0 ? 1 : shade;
}

static double share_of (const struct timeline *timeline, size_t row, int b)
{
    const struct bin *bin = &timeline->bins[row * BINS + (size_t)b];

    return bin->busy_s / (bin_s (timeline) * fmax (timeline->slots[row], 1));
}

/* Bins that look alike are one cell. */
static void add_cells (const struct timeline *timeline, size_t row,
                       struct figure *figure)
{
    for (int b = 0, end; b < BINS; b = end) {
        const struct bin *bin = &timeline->bins[row * BINS + (size_t)b];
        int now = shade (share_of (timeline, row, b));

        for (end = b + 1; end < BINS && bin[end - b].stage == bin->stage
                          && shade (share_of (timeline, row, end)) == now;
             end++)
            continue;
        if (now > 0)
            figure_add_cell (figure, &(struct figure_cell){
                                         row, shown (timeline, b),
                                         shown (timeline, end), bin->stage,
                                         (double)now / SHADES });
    }
}

static void add_row_events (const struct timeline *timeline, size_t row,
                            struct figure *figure)
{
    for (int b = 0; b < BINS; b++) {
        const struct bin *bin = &timeline->bins[row * BINS + (size_t)b];
        struct figure_event event = {
            .row = row, .x = shown (timeline, b) + shown (timeline, 1) / 2
        };

        for (int retry = 0; retry < 2; retry++) {
            event.n = retry ? bin->retried : bin->failed;
            event.is_retry = retry;
            if (event.n > 0)
                figure_add_event (figure, &event);
        }
    }
}

static char *axis_of (const struct timeline *timeline)
{
    char when[CLOCK_ISO_SIZE];

    clock_iso_here (timeline->from_s, when);
    return xasprintf ("%s since %s", timeline->unit, when);
}

static void add_stages (const struct report_facts *facts, struct figure *figure)
{
    for (size_t k = 0; k < facts->n_stages; k++)
        figure_add_series (figure, facts->engine->plan->stages[k].name,
                           figure_colour_of (k));
}

/* Of how many bins of rows something is to be marked. */
static int count_events (const struct timeline *timeline)
{
    int n = 0;

    for (size_t i = 0; i < timeline->rows.n * BINS; i++)
        n += (timeline->bins[i].failed > 0) + (timeline->bins[i].retried > 0);
    return n;
}

static const char *what_rows_are (const struct timeline *timeline)
{
    bool slots = timeline->depth == 0;

    for (size_t i = 0; i < timeline->rows.n; i++)
        slots = slots && timeline->slots[i] <= 1;
    return timeline->depth > 1 ? "all nodes together"
           : slots             ? "slots of nodes"
                               : "nodes, or groups of them";
}

static void draw_rows (const struct timeline *timeline, struct section *section)
{
    bool marks = count_events (timeline) <= EVENTS_MOST;
    _cleanup_free_ char *axis = axis_of (timeline);
    _cleanup_free_ char *description = xasprintf (
        "Rows are %s; the colour is the stage that had most of the time, the "
        "stronger the more of the slots were busy.%s",
        what_rows_are (timeline),
        marks ? "" : "  Failures are too many to mark: see below.");
    struct figure *figure = figure_create (
        FIGURE_CELLS, "timeline", "Tasks on nodes and slots", description);

    figure->is_wide = true;
    figure_name_axes (figure, axis, "");
    strvec_push_all (&figure->rows, timeline->rows.v);
    add_stages (timeline->facts, figure);
    for (size_t i = 0; i < timeline->rows.n; i++) {
        add_cells (timeline, i, figure);
        if (marks)
            add_row_events (timeline, i, figure);
    }
    section_add_figure (section, figure);
}

/* A figure over time with bins that are wide enough to be seen. */
static struct figure *figure_over_time (const struct timeline *timeline,
                                        const char *id, const char *title,
                                        const char *description, const char *y)
{
    _cleanup_free_ char *axis = axis_of (timeline);
    struct figure *figure = figure_create (FIGURE_BARS, id, title, description);

    figure->is_wide = true;
    figure_name_axes (figure, axis, y);
    for (int b = 0; b <= BINS; b += EACH)
        figure_add_edge (figure, shown (timeline, b));
    return figure;
}

/* How many tries failed, or were repeated, in each span of time. */
static void draw_failures (const struct timeline *timeline,
                           struct section *section)
{
    struct figure *figure = figure_over_time (
        timeline, "failures", "Tries that failed, and that were repeated",
        "Number in each span of time.", "tries");

    if (count_events (timeline) == 0) {
        figure_destroy (figure);
        return;
    }
    figure->y.is_whole = true;
    figure_add_series (figure, "failed", COLOUR_BAD);
    figure_add_series (figure, "repeated", COLOUR_SKY);
    for (int b = 0; b < BINS; b += EACH) {
        double failed = 0, retried = 0;

        for (size_t r = 0; r < timeline->rows.n; r++) {
            for (int e = 0; e < EACH; e++) {
                failed += timeline->bins[r * BINS + (size_t)(b + e)].failed;
                retried += timeline->bins[r * BINS + (size_t)(b + e)].retried;
            }
        }
        figure_add (figure, 0, 0, failed);
        figure_add (figure, 1, 0, retried);
    }
    section_add_figure (section, figure);
}

static void draw_running (const struct timeline *timeline,
                          struct section *section)
{
    double span_s = EACH * bin_s (timeline);
    _cleanup_free_ char *description = NULL;
    struct figure *figure;
    double slots = 0;

    for (size_t i = 0; i < timeline->rows.n; i++)
        slots += timeline->slots[i];
    description =
        xasprintf ("Mean number in each span of time; %.0f slots were "
                   "used at some time.",
                   slots);
    figure = figure_over_time (timeline, "running", "Tasks that run at a time",
                               description, "tasks");
    add_stages (timeline->facts, figure);
    for (size_t k = 0; k < timeline->facts->n_stages; k++) {
        for (size_t b = 0; b < BINS / EACH; b++)
            figure_add (figure, k, 0,
                        timeline->running_s[k * (BINS / EACH) + b] / span_s);
    }
    section_add_figure (section, figure);
}

/* --- stages --- */

struct work {
    double tries, retries, failures, busy_s, slot_s;
};

static struct work work_of (const struct report_facts *facts, size_t stage)
{
    struct work w = { 0 };

    for (int i = 0; i < facts->n_iterations; i++) {
        const struct json *t = report_tries (facts, i, stage);

        w.tries += json_get_double (t, "tries");
        w.retries += json_get_double (t, "retries");
        w.failures += json_get_double (t, "failures");
        w.busy_s += json_get_double (t, "busy_s");
        w.slot_s +=
            json_get_double (t, "slots")
            * (json_get_double (t, "to_s") - json_get_double (t, "from_s"));
    }
    return w;
}

static void add_work (const struct report_facts *facts, struct section *section)
{
    static const char *const heads[] = { "stage",      "tries",
                                         "retries",    "failed tries",
                                         "slot-hours", "slots busy, %" };
    struct strvec cells = STRVEC_INIT;

    for (size_t i = 0; i < ARRAY_SIZE (heads); i++)
        strvec_push (&cells, heads[i]);
    for (size_t k = 0; k < facts->n_stages; k++) {
        struct work w = work_of (facts, k);

        if (!(w.tries > 0))
            continue;
        strvec_push (&cells, facts->engine->plan->stages[k].name);
        strvec_pushf (&cells, "%.0f", w.tries);
        strvec_pushf (&cells, "%.0f", w.retries);
        strvec_pushf (&cells, "%.0f", w.failures);
        section_push_number (&cells, w.busy_s / 3600);
        strvec_pushf (&cells, "%.0f",
                      w.slot_s > 0 ? 100 * w.busy_s / w.slot_s : 0);
    }
    section_add_table (section, "Tries of tasks, and use of the slots they had",
                       ARRAY_SIZE (heads), &cells);
    strvec_release (&cells);
}

void report_timeline (const struct report_facts *facts, struct page *page)
{
    struct section *section = page_add (page, "timeline", "Timeline");
    struct timeline timeline = { .facts = facts,
                                 .from_s = INFINITY,
                                 .to_s = -INFINITY };

    strvec_init (&timeline.rows);
    each_stage (&timeline, note_extent);
    if (timeline.from_s < timeline.to_s) {
        choose_unit (&timeline);
        find_rows (&timeline);
        for (size_t k = 0; k < facts->n_stages; k++) {
            each_tries (&timeline, k, add_tries);
            settle_stage (&timeline, k);
        }
        draw_rows (&timeline, section);
        draw_failures (&timeline, section);
        draw_running (&timeline, section);
        add_work (facts, section);
    } else {
        section_note (section, "No task has run yet.");
    }
    if (!usage_is_empty (&facts->engine->state.replaced_usage))
        section_note (section, "What was replaced since is not shown.");
    if (facts->n_unread > 0)
        section_note (section,
                      "Tries of %d stages are not shown: they ended before "
                      "there were summaries, and have too many tasks to read "
                      "for a report.",
                      facts->n_unread);
    free (timeline.bins);
    free (timeline.running_s);
    free (timeline.slots);
    strvec_release (&timeline.rows);
}
