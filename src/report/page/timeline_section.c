/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline_section.c - when tasks ran on which nodes and slots */
#include "base/base.h"

#include "base/clock.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/history/engine.h"
#include "report/page/figure.h"
#include "report/page/page.h"
#include "report/page/report_facts.h"
#include "report/page/timeline.h"

enum { SHADES = 4, EVENTS_MOST = 300 };

/* --- figures --- */

struct time_unit {
    double most_s, s;
    const char *name;
};

static const struct time_unit *unit_of (const struct timeline *timeline)
{
    static const struct time_unit units[] = { { 300, 1, "seconds" },
                                              { 5 * 3600, 60, "minutes" },
                                              { 100 * 3600, 3600, "hours" },
                                              { INFINITY, 86400, "days" } };
    size_t i = 0;

    while (timeline->to_s - timeline->from_s > units[i].most_s)
        i++;
    return &units[i];
}

static double shown (const struct timeline *timeline, int bin)
{
    return bin * timeline_bin_s (timeline) / unit_of (timeline)->s;
}

static int shade (double share)
{
    int shade = (int)ceil (fmin (share, 1) * SHADES);

    return share > 0 && shade == 0 ? 1 : shade;
}

static double share_of (const struct timeline *timeline, size_t row, int b)
{
    const struct timeline_bin *bin =
        &timeline->bins[row * TIMELINE_BINS + (size_t)b];

    return bin->busy_s
           / (timeline_bin_s (timeline) * fmax (timeline->slots[row], 1));
}

/* Bins that look alike are one cell. */
static void add_cells (const struct timeline *timeline, size_t row,
                       struct figure *figure)
{
    for (int b = 0, end; b < TIMELINE_BINS; b = end) {
        const struct timeline_bin *bin =
            &timeline->bins[row * TIMELINE_BINS + (size_t)b];
        int now = shade (share_of (timeline, row, b));

        for (end = b + 1;
             end < TIMELINE_BINS && bin[end - b].stage == bin->stage
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
    for (int b = 0; b < TIMELINE_BINS; b++) {
        const struct timeline_bin *bin =
            &timeline->bins[row * TIMELINE_BINS + (size_t)b];
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
    return xasprintf ("%s since %s", unit_of (timeline)->name, when);
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

    for (size_t i = 0; i < timeline->rows.n * TIMELINE_BINS; i++)
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
    for (int b = 0; b <= TIMELINE_BINS; b += TIMELINE_SPAN)
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
    for (int b = 0; b < TIMELINE_BINS; b += TIMELINE_SPAN) {
        double failed = 0, retried = 0;

        for (size_t r = 0; r < timeline->rows.n; r++) {
            for (int e = 0; e < TIMELINE_SPAN; e++) {
                failed +=
                    timeline->bins[r * TIMELINE_BINS + (size_t)(b + e)].failed;
                retried +=
                    timeline->bins[r * TIMELINE_BINS + (size_t)(b + e)].retried;
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
    double span_s = TIMELINE_SPAN * timeline_bin_s (timeline);
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
        for (size_t b = 0; b < TIMELINE_SPANS; b++)
            figure_add (figure, k, 0,
                        timeline->running_s[k * TIMELINE_SPANS + b] / span_s);
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
    struct timeline timeline;

    if (timeline_read (facts, &timeline)) {
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
    timeline_release (&timeline);
}
