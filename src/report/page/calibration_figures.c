/* SPDX-License-Identifier: BSD-3-Clause */
/* calibration_figures.c - levels by error: what labels of random frames told */
#include "base/base.h"

#include "base/json.h"
#include "campaign/plan.h"
#include "engine/history/engine.h"
#include "report/page/figure.h"
#include "report/page/page.h"
#include "report/page/report_facts.h"

static const char output[] = "calibration";

static double number_of (const struct json *c, const char *name)
{
    const struct json *v = json_get (c, name);

    return json_is_number (v) ? json_as_double (v) : NAN;
}

/* --- error against deviation --- */

static void add_points (struct figure *figure, const struct json *c)
{
    const struct json *scores = json_get (c, "scores");
    const struct json *errors = json_get (c, "errors");
    double target = number_of (c, "force"), low = number_of (c, "low");
    _cleanup_free_ char *mark = xasprintf ("low %.4g", low);
    size_t series[2];

    series[0] = figure_add_series (figure, "right", COLOUR_GOOD);
    series[1] = figure_add_series (figure, "wrong", COLOUR_BAD);
    for (size_t i = 0; i < json_count (scores); i++) {
        const struct json *error = json_at (errors, i);

        if (json_is_number (error))
            figure_add (figure, series[json_as_double (error) > target],
                        json_as_double (json_at (scores, i)),
                        json_as_double (error));
    }
    if (!isnan (low))
        figure_add_mark (figure, low, mark);
}

static void add_errors (const char *stage, int iteration, const struct json *c,
                        struct section *section)
{
    _cleanup_free_ char *id = xasprintf ("calibration-%s", stage);
    _cleanup_free_ char *title =
        xasprintf ("Errors of frames drawn at random, stage %s, iteration %d",
                   stage, iteration);
    _cleanup_free_ char *description = xasprintf (
        "Of %.0f frames, %.0f of which have no result; wrong is an error above "
        "%g.",
        number_of (c, "n"), number_of (c, "failed"), number_of (c, "force"));
    struct figure *figure =
        figure_create (FIGURE_POINTS, id, title, description);

    figure_name_axes (figure, "force deviation (eV/\xc3\x85)",
                      "error against the label (eV/\xc3\x85)");
    add_points (figure, c);
    section_add_figure (section, figure);
}

/* --- coverage by iteration --- */

static double interval_end (const struct json *c, size_t end)
{
    const struct json *v = json_at (json_get (c, "interval"), end);

    return json_is_number (v) && number_of (c, "judged") > 0
               ? json_as_double (v)
               : NAN;
}

static void add_coverage (const struct report_facts *facts, size_t k,
                          struct section *section)
{
    static const char *const names[] = { "right", "at least", "at most",
                                         "asked for" };
    static const enum figure_colour colours[] = { COLOUR_GOOD, COLOUR_GREY,
                                                  COLOUR_GREY, COLOUR_BLUE };
    const char *stage = facts->engine->plan->stages[k].name;
    _cleanup_free_ char *id = xasprintf ("coverage-%s", stage);
    _cleanup_free_ char *title =
        xasprintf ("How many accurate frames are right, stage %s", stage);
    struct figure *figure = figure_create (
        FIGURE_LINES, id, title,
        "Of labelled frames that the level by all other labels calls accurate, "
        "with the 90 % interval.");

    figure_name_axes (figure, "iteration", "fraction");
    figure->x.is_whole = true;
    for (size_t s = 0; s < ARRAY_SIZE (names); s++) {
        figure_add_series (figure, names[s], colours[s]);
        for (int i = 0; i < facts->n_iterations; i++) {
            const struct json *c = report_output_map (facts, i, k, output);
            const double values[] = { number_of (c, "right")
                                          / number_of (c, "judged"),
                                      interval_end (c, 0), interval_end (c, 1),
                                      number_of (c, "coverage") };

            figure_add (figure, s, i, values[s]);
        }
    }
    section_add_figure (section, figure);
}

void report_calibration (const struct report_facts *facts, size_t k,
                         struct section *section)
{
    int at = report_newest_map (facts, k, output);

    if (at < 0)
        return;
    add_errors (facts->engine->plan->stages[k].name, at,
                report_output_map (facts, at, k, output), section);
    add_coverage (facts, k, section);
}
