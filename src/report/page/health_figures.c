/* SPDX-License-Identifier: BSD-3-Clause */
/* health_figures.c - which trajectories were sound, that frames are selected
 * from
 */
#include "base/base.h"

#include "base/json.h"
#include "campaign/plan.h"
#include "engine/history/engine.h"
#include "report/health_view.h"
#include "report/page/figure.h"
#include "report/page/page.h"
#include "report/page/report_facts.h"

static const char output[] = "health";

static void add_shares (const struct report_facts *facts, size_t k,
                        struct section *section)
{
    static const char *const names[] = { "healthy", "ended_early", "broken",
                                         "too_close" };
    static const char *const titles[] = { "sound", "ended early", "broken",
                                          "atoms too close" };
    static const enum figure_colour colours[] = { COLOUR_GOOD, COLOUR_CANDIDATE,
                                                  COLOUR_PINK, COLOUR_BAD };
    const char *stage = facts->engine->plan->stages[k].name;
    _cleanup_free_ char *id = xasprintf ("health-%s", stage);
    _cleanup_free_ char *title =
        xasprintf ("Trajectories that stage %s selects from", stage);
    struct figure *figure = figure_create (
        FIGURE_LINES, id, title,
        "A trajectory may have ended early and have atoms that are too close.");

    figure_name_axes (figure, "iteration", "fraction of trajectories");
    figure->x.is_whole = true;
    for (size_t s = 0; s < ARRAY_SIZE (names); s++) {
        figure_add_series (figure, titles[s], colours[s]);
        for (int i = 0; i < facts->n_iterations; i++) {
            const struct json *health = report_output_map (facts, i, k, output);
            double n = json_get_double (health, "trajectories");

            figure_add (figure, s, i,
                        n > 0 ? json_get_double (health, names[s]) / n : NAN);
        }
    }
    section_add_figure (section, figure);
}

static void add_groups (const char *stage, int iteration,
                        const struct json *health, struct section *section)
{
    static const char *const heads[] = { "system",          "conditions",
                                         "trajectories",    "sound",
                                         "ended early",     "broken",
                                         "atoms too close", NULL };
    static const char *const names[] = { "trajectories", "healthy",
                                         "ended_early", "broken", "too_close" };
    const struct json *groups = json_get (health, "groups");
    long long more = json_get_int (health, "more_groups");
    _cleanup_ (strvec_release) struct strvec cells = STRVEC_INIT;
    _cleanup_free_ char *title =
        xasprintf ("Trajectories by system and conditions, stage %s, "
                   "iteration %d",
                   stage, iteration);

    strvec_push_all (&cells, (char *const *)heads);
    for (size_t i = 0; i < json_count (groups); i++) {
        const struct json *group = json_at (groups, i);
        _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

        health_conditions (json_get (group, "conditions"), &text);
        strvec_push (&cells, json_get_string (group, "system"));
        strvec_push (&cells, text.len > 0 ? text.buf : "");
        for (size_t c = 0; c < ARRAY_SIZE (names); c++)
            strvec_pushf (&cells, "%lld",
                          (long long)json_get_int (group, names[c]));
    }
    section_add_table (section, title, ARRAY_SIZE (heads) - 1, &cells);
    if (more > 0)
        section_note (section,
                      "Those with most trajectories that are not sound are "
                      "shown, and %lld others are not.",
                      more);
}

static void add_worst (const char *stage, int iteration,
                       const struct json *health, struct section *section)
{
    static const char *const heads[] = { "task", "system", "conditions",
                                         "what is wrong", NULL };
    const struct json *worst = json_get (health, "worst");
    _cleanup_ (strvec_release) struct strvec cells = STRVEC_INIT;
    _cleanup_free_ char *title = xasprintf (
        "The worst trajectories, stage %s, iteration %d", stage, iteration);

    strvec_push_all (&cells, (char *const *)heads);
    for (size_t i = 0; i < json_count (worst); i++) {
        const struct json *one = json_at (worst, i);
        _cleanup_ (strbuf_release) struct strbuf conditions = STRBUF_INIT;
        _cleanup_ (strbuf_release) struct strbuf what = STRBUF_INIT;

        health_conditions (json_get (one, "conditions"), &conditions);
        health_finding_text (one, &what);
        strvec_pushf (&cells, "%lld", (long long)json_get_int (one, "task"));
        strvec_push (&cells, json_get_string (one, "system"));
        strvec_push (&cells, conditions.len > 0 ? conditions.buf : "");
        strvec_push (&cells, what.buf);
    }
    if (json_count (worst) > 0)
        section_add_table (section, title, ARRAY_SIZE (heads) - 1, &cells);
}

void report_health (const struct report_facts *facts, size_t k,
                    struct section *section)
{
    const char *stage = facts->engine->plan->stages[k].name;
    int at = report_newest_map (facts, k, output);
    const struct json *health;

    if (at < 0)
        return;
    health = report_output_map (facts, at, k, output);
    add_shares (facts, k, section);
    add_groups (stage, at, health, section);
    add_worst (stage, at, health, section);
}
