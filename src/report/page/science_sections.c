/* SPDX-License-Identifier: BSD-3-Clause */
/* science_sections.c - what a campaign found, iteration by iteration */
#include "base/base.h"

#include "arrays/outcome.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/history/engine.h"
#include "engine/history/state.h"
#include "report/page/figure.h"
#include "report/page/page.h"
#include "report/page/report_facts.h"
#include "report/science_view.h"
#include "signature/operator.h"

enum {
    SYSTEMS_SHOWN = 12, /* histograms */
    MODELS_SHOWN = FIGURE_COLOURS,
};

static const struct stage *stage_of (const struct report_facts *facts, size_t k)
{
    return &facts->engine->plan->stages[k];
}

/* NAN: there is none. */
static double number_of (const struct json *outputs, const char *name)
{
    const struct json *v = json_get (outputs, name);

    return json_is_number (v) ? json_as_double (v) : NAN;
}

/* --- selection --- */

static void add_classes (const struct report_facts *facts, size_t k,
                         struct section *section)
{
    static const char *const names[] = { "accurate", "candidate", "failed" };
    static const enum figure_colour colours[] = { COLOUR_GOOD, COLOUR_CANDIDATE,
                                                  COLOUR_BAD };
    const char *stage = stage_of (facts, k)->name;
    _cleanup_free_ char *id = xasprintf ("classes-%s", stage);
    _cleanup_free_ char *title =
        xasprintf ("Accurate, candidate and failed frames of stage %s", stage);
    struct figure *figure = figure_by_iteration (
        id, title,
        "Fractions of all frames of the iteration, by the trust levels.",
        "fraction of frames", facts->n_iterations);

    for (size_t c = 0; c < ARRAY_SIZE (names); c++) {
        size_t series = figure_add_series (figure, names[c], colours[c]);

        for (int i = 0; i < facts->n_iterations; i++)
            figure_add (figure, series, i,
                        number_of (report_outputs (facts, i, k), names[c]));
    }
    section_add_figure (section, figure);
}

static void add_medians (const struct report_facts *facts, size_t k,
                         struct section *section)
{
    static const char *const names[] = { "deviation_median", "max_deviation" };
    const char *stage = stage_of (facts, k)->name;
    _cleanup_free_ char *id = xasprintf ("deviations-%s", stage);
    _cleanup_free_ char *title =
        xasprintf ("Deviations of stage %s by iteration", stage);
    struct figure *figure = figure_create (
        FIGURE_LINES, id, title, "Median and largest, over the valid frames.");

    figure_name_axes (figure, "iteration", "force deviation (eV/\xc3\x85)");
    figure->x.is_whole = true;
    figure->y.is_log = true;
    for (size_t c = 0; c < ARRAY_SIZE (names); c++) {
        size_t series = figure_add_series (figure, c ? "largest" : "median",
                                           c ? COLOUR_BAD : COLOUR_BLUE);

        for (int i = 0; i < facts->n_iterations; i++)
            figure_add (figure, series, i,
                        number_of (report_outputs (facts, i, k), names[c]));
    }
    section_add_figure (section, figure);
}

/* What the stage drew, and what it passed over. */
static void add_counts (const struct report_facts *facts, size_t k,
                        struct section *section)
{
    static const char *const names[] = {
        "total",         "candidates",    "selected", "lost",
        "missing_tasks", "without_frame", "bad_box",  "too_close",
        "no_vacuum",     "duplicates",
    };
    struct strvec cells = STRVEC_INIT;
    _cleanup_free_ char *title =
        xasprintf ("Frames of stage %s", stage_of (facts, k)->name);

    strvec_push (&cells, "iteration");
    for (size_t c = 0; c < ARRAY_SIZE (names); c++)
        strvec_push (&cells, names[c]);
    for (int i = 0; i < facts->n_iterations; i++) {
        const struct json *outputs = report_outputs (facts, i, k);

        if (!outputs)
            continue;
        strvec_pushf (&cells, "%d", i);
        for (size_t c = 0; c < ARRAY_SIZE (names); c++) {
            if (json_is_number (json_get (outputs, names[c])))
                strvec_pushf (&cells, "%.0f", number_of (outputs, names[c]));
            else
                strvec_push (&cells, "");
        }
    }
    section_add_table (section, title, ARRAY_SIZE (names) + 1, &cells);
    strvec_release (&cells);
}

/* Bins of fractions of one are compared in place of counts. */
static void add_histogram_series (struct figure *figure,
                                  const struct json *system)
{
    const struct json *histogram = json_get (system, "histogram");
    const struct json *edges = json_get (histogram, "edges");
    const struct json *frames = json_get (histogram, "frames");
    size_t series = figure_add_series (figure, "frames", COLOUR_BLUE);

    for (size_t i = 0; i < json_count (edges); i++)
        figure_add_edge (figure, json_as_double (json_at (edges, i)));
    for (size_t i = 0; i < json_count (frames); i++)
        figure_add (figure, series, 0, json_as_double (json_at (frames, i)));
}

static void add_level_marks (struct figure *figure, const struct json *system)
{
    const struct json *levels = json_get (json_get (system, "levels"), "force");
    static const char *const names[] = { "low", "high" };

    for (size_t i = 0; i < json_count (levels) && i < ARRAY_SIZE (names); i++) {
        double level = json_as_double (json_at (levels, i)); /* null: 0 */
        _cleanup_free_ char *text = xasprintf ("%s %.4g", names[i], level);

        if (level > 0)
            figure_add_mark (figure, level, text);
    }
}

static void add_histogram (const char *stage, int iteration, const char *name,
                           size_t number, const struct json *system,
                           struct section *section)
{
    _cleanup_free_ char *id = xasprintf ("histogram-%s-%zu", stage, number);
    _cleanup_free_ char *title =
        xasprintf ("Deviations of system %s, iteration %d", name, iteration);
    struct figure *figure = figure_create (
        FIGURE_BARS, id, title,
        "Frames by their largest deviation of forces; the lines are the trust "
        "levels that were used.");

    figure_name_axes (figure, "force deviation (eV/\xc3\x85)", "frames");
    figure->x.is_log = true;
    add_histogram_series (figure, system);
    add_level_marks (figure, system);
    section_add_figure (section, figure);
}

static void add_histograms (const struct report_facts *facts, size_t k,
                            struct section *section)
{
    const struct json *systems = NULL;
    int at = facts->n_iterations;
    size_t n = 0;

    while (at > 0 && !systems)
        systems = json_get (report_outputs (facts, --at, k), "systems");
    JSON_FOREACH (systems, it) {
        if (n < SYSTEMS_SHOWN)
            add_histogram (stage_of (facts, k)->name, at, json_iter_key (it), n,
                           json_iter_value (it), section);
        n++;
    }
    if (n > SYSTEMS_SHOWN)
        section_note (section,
                      "Histograms of the first %d of %zu systems are shown; "
                      "`fanfold result %s systems` has all.",
                      (int)SYSTEMS_SHOWN, n, stage_of (facts, k)->name);
}

void report_selection (const struct report_facts *facts, struct page *page)
{
    struct section *section =
        page_add (page, "selection", "Exploration and selection");
    bool any = false;

    for (size_t k = 0; k < facts->n_stages; k++) {
        if (!stage_classifies_frames (stage_of (facts, k)))
            continue;
        any = true;
        add_classes (facts, k, section);
        add_medians (facts, k, section);
        report_calibration (facts, k, section);
        report_health (facts, k, section);
        add_histograms (facts, k, section);
        add_counts (facts, k, section);
    }
    if (!any)
        section_note (section,
                      "No stage has the outputs accurate, candidate and "
                      "failed.");
}

/* --- errors of models --- */

/* A root mean square or mean absolute error, or a loss, by its name. */
static bool is_error_name (const char *name)
{
    return strstr (name, "rmse") || strcmp (name, "loss") == 0
           || strcmp (name, "mae") == 0 || strncmp (name, "mae_", 4) == 0
           || (strlen (name) > 4
               && strcmp (name + strlen (name) - 4, "_mae") == 0);
}

static void add_members (const struct report_facts *facts, size_t k,
                         const char *output, size_t n, struct figure *figure)
{
    for (size_t m = 0; m < n; m++) {
        _cleanup_free_ char *name = xasprintf ("task %zu", m);
        size_t series = figure_add_series (figure, name, figure_colour_of (m));

        for (int i = 0; i < facts->n_iterations; i++) {
            const struct json *list =
                json_get (report_outputs (facts, i, k), output);
            const struct json *v =
                json_kind (list) == JSON_KIND_ARRAY ? json_at (list, m) : list;

            figure_add (figure, series, i,
                        json_is_number (v) ? json_as_double (v) : NAN);
        }
    }
}

static void add_spreads (const struct report_facts *facts, size_t k,
                         const char *output, struct figure *figure)
{
    static const char *const names[] = { "least", "median", "most" };

    for (size_t c = 0; c < ARRAY_SIZE (names); c++) {
        size_t series =
            figure_add_series (figure, names[c], figure_colour_of (c));

        for (int i = 0; i < facts->n_iterations; i++) {
            struct json *spread = report_spread (facts, i, k, output);

            figure_add (figure, series, i, number_of (spread, names[c]));
            json_unref (spread);
        }
    }
}

/* How many tasks gave the number, at most. */
static size_t members_of (const struct report_facts *facts, size_t k)
{
    const char *name = stage_of (facts, k)->name;
    size_t n = 0;

    for (int i = 0; i < facts->n_iterations; i++) {
        const struct stage_state *s =
            state_stage (&facts->engine->state, i, name);

        if (s && (size_t)s->n_tasks > n)
            n = (size_t)s->n_tasks;
    }
    return n;
}

static void add_error (const struct report_facts *facts, size_t k,
                       const char *output, struct section *section)
{
    const char *stage = stage_of (facts, k)->name;
    _cleanup_free_ char *id = xasprintf ("error-%s-%s", stage, output);
    _cleanup_free_ char *title = xasprintf ("%s of stage %s", output, stage);
    struct figure *figure = figure_create (
        FIGURE_LINES, id, title,
        "At the end of each iteration's training, as the stage tells it.");
    size_t members = members_of (facts, k);

    figure_name_axes (figure, "iteration", output);
    figure->x.is_whole = true;
    if (members <= MODELS_SHOWN)
        add_members (facts, k, output, members, figure);
    else
        add_spreads (facts, k, output, figure);
    section_add_figure (section, figure);
}

static void add_errors_of (const struct report_facts *facts, size_t k,
                           const struct port *ports, struct section *section)
{
    for (; ports && ports->name; ports++) {
        if (is_error_name (ports->name))
            add_error (facts, k, ports->name, section);
    }
}

void report_errors (const struct report_facts *facts, struct section *section)
{
    for (size_t k = 0; k < facts->n_stages; k++) {
        add_errors_of (facts, k, stage_of (facts, k)->op->outputs, section);
        add_errors_of (facts, k, stage_of (facts, k)->op->collected, section);
    }
}

/* --- labels --- */

static enum figure_colour outcome_colour (int outcome)
{
    static const enum figure_colour others[] = { COLOUR_PINK, COLOUR_SKY,
                                                 COLOUR_YELLOW, COLOUR_BLUE,
                                                 COLOUR_CANDIDATE };

    return outcome == OUTCOME_OK     ? COLOUR_GOOD
           : outcome == OUTCOME_NONE ? COLOUR_GREY
           : outcome == OUTCOME_FAILED
               ? COLOUR_BAD
               : others[(size_t)outcome % ARRAY_SIZE (others)];
}

/* A series for each outcome that any task had. */
static void add_outcomes (const struct report_facts *facts, size_t k,
                          struct section *section)
{
    const char *stage = stage_of (facts, k)->name;
    _cleanup_free_ char *id = xasprintf ("outcomes-%s", stage);
    _cleanup_free_ char *title = xasprintf ("Tasks of stage %s", stage);
    struct figure *figure =
        figure_by_iteration (id, title, "How they ended, after all tries.",
                             "tasks", facts->n_iterations);

    figure->y.is_whole = true;
    for (int o = 0; o < OUTCOME_COUNT; o++) {
        int32_t any = 0;

        for (int i = 0; i < facts->n_iterations; i++) {
            const struct stage_state *s =
                state_stage (&facts->engine->state, i, stage);

            any += s ? s->by_outcome[o] : 0;
        }
        if (any == 0)
            continue;
        figure_add_series (figure, outcome_name ((enum outcome)o),
                           outcome_colour (o));
        for (int i = 0; i < facts->n_iterations; i++) {
            const struct stage_state *s =
                state_stage (&facts->engine->state, i, stage);

            figure_add (figure, figure->n_series - 1, i,
                        s ? (double)s->by_outcome[o] : NAN);
        }
    }
    section_add_figure (section, figure);
}

void report_labels (const struct report_facts *facts, struct page *page)
{
    struct section *section = page_add (page, "labels", "Success of labels");
    bool any = false;

    for (size_t k = 0; k < facts->n_stages; k++) {
        if (!stage_publishes (stage_of (facts, k)))
            continue;
        any = true;
        add_outcomes (facts, k, section);
    }
    if (!any)
        section_note (section, "No stage makes training data.");
}
