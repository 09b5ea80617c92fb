/* SPDX-License-Identifier: BSD-3-Clause */
/* record_sections.c - how a campaign stands, what it used, what was edited, and
 * what it ran by
 */
#include "base/base.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/units.h"
#include "campaign/config_changes.h"
#include "campaign/plan.h"
#include "engine/history/engine.h"
#include "engine/history/state.h"
#include "engine/history/usage.h"
#include "engine/history/version_lines.h"
#include "report/page/figure.h"
#include "report/page/page.h"
#include "report/page/report_facts.h"
#include "report/request_view.h"
#include "report/science_view.h"
#include "report/usage_view.h"
#include "signature/operator.h"
#include "space/layout.h"

enum { S_PER_HOUR = 3600, CHANGE_MOST_BYTES = 200 };

static const struct stage_state *state_of (const struct report_facts *facts,
                                           int iteration, size_t stage)
{
    return state_stage (&facts->engine->state, iteration,
                        facts->engine->plan->stages[stage].name);
}

static void push_time (struct strvec *cells, double s)
{
    char when[CLOCK_ISO_SIZE] = "";

    if (s > 0)
        clock_iso_here (s, when);
    strvec_push (cells, when);
}

static void push_all (struct strvec *cells, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        strvec_push (cells, words[i]);
}

/* --- overview --- */

/* Names of `history:` that any iteration has. */
static void find_history (const struct state *state, struct strvec *names)
{
    for (size_t i = 0; i < state->n_iterations; i++) {
        JSON_FOREACH (state->iterations[i].history, it) {
            if (!strvec_contains (names, json_iter_key (it)))
                strvec_push (names, json_iter_key (it));
        }
    }
}

static void push_value (struct strvec *cells, const struct json *v)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (json_kind (v) == JSON_KIND_REAL)
        strbuf_addf (&text, "%.6g", json_as_double (v));
    else if (json_kind (v) == JSON_KIND_STRING)
        strbuf_add_str (&text, json_as_string (v));
    else if (!json_is_null (v))
        json_dump (v, JSON_COMPACT, &text);
    strvec_push (cells, text.buf);
}

static void add_iterations (const struct state *state, struct section *section)
{
    static const char *const heads[] = { "iteration", "phase", "began",
                                         "ended" };
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    struct strvec cells = STRVEC_INIT;

    find_history (state, &names);
    push_all (&cells, heads, ARRAY_SIZE (heads));
    strvec_push_all (&cells, names.v);
    for (size_t i = 0; i < state->n_iterations; i++) {
        const struct iteration_state *it = &state->iterations[i];

        strvec_pushf (&cells, "%zu", i);
        strvec_push (&cells, it->phase ? it->phase : "");
        push_time (&cells, it->began_s);
        push_time (&cells, it->ended_s);
        for (size_t k = 0; k < names.n; k++)
            push_value (&cells, json_get (it->history, names.v[k]));
    }
    section_add_table (section, "Iterations", ARRAY_SIZE (heads) + names.n,
                       &cells);
    strvec_release (&cells);
}

static void add_history_figure (const struct state *state, const char *name,
                                struct section *section)
{
    _cleanup_free_ char *id = xasprintf ("history-%s", name);
    struct figure *figure = figure_create (FIGURE_LINES, id, name,
                                           "As `history:` of the campaign "
                                           "says.");

    figure_name_axes (figure, "iteration", name);
    figure->x.is_whole = true;
    figure_add_series (figure, name, COLOUR_BLUE);
    for (size_t i = 0; i < state->n_iterations; i++) {
        const struct json *v = json_get (state->iterations[i].history, name);

        figure_add (figure, 0, (double)i,
                    json_is_number (v) ? json_as_double (v) : NAN);
    }
    section_add_figure (section, figure);
}

void report_overview (const struct report_facts *facts, struct page *page)
{
    const struct state *state = &facts->engine->state;
    struct section *section = page_add (page, "overview", "Overview");
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    if (facts->n_iterations == 0)
        section_note (section, "The campaign has not begun.");
    else
        science_lines (facts->engine, facts->n_iterations - 1, &lines);
    for (size_t i = 0; i < lines.n; i++)
        section_note (section, "Look at this: %s.", lines.v[i]);
    find_history (state, &names);
    for (size_t i = 0; i < names.n; i++)
        add_history_figure (state, names.v[i], section);
    add_iterations (state, section);
}

/* --- what was used --- */

static struct figure *hours_by_stage (const struct report_facts *facts)
{
    struct figure *figure = figure_by_iteration (
        "node-hours", "Node-hours by iteration",
        "Of all tries; what was replaced since is not in it.", "node-hours",
        facts->n_iterations);

    for (size_t k = 0; k < facts->n_stages; k++) {
        figure_add_series (figure, facts->engine->plan->stages[k].name,
                           figure_colour_of (k));
        for (int i = 0; i < facts->n_iterations; i++) {
            const struct stage_state *s = state_of (facts, i, k);

            figure_add (figure, k, i,
                        s ? (s->usage.ok.node_s + s->usage.lost.node_s)
                                / S_PER_HOUR
                          : NAN);
        }
    }
    return figure;
}

static struct usage stage_usage (const struct report_facts *facts, size_t k)
{
    struct usage usage = { .ran = { 0 } };

    for (int i = 0; i < facts->n_iterations; i++) {
        const struct stage_state *s = state_of (facts, i, k);

        if (s)
            usage_add_all (&usage, &s->usage);
    }
    return usage;
}

/* Node-hours of a stage that count, and those of tries that failed. */
static struct figure *hours_in_all (const struct report_facts *facts)
{
    struct figure *figure =
        figure_create (FIGURE_BARS, "node-hours-stages", "Node-hours per stage",
                       "Lost: of tries that did not end ok.");

    figure_name_axes (figure, "stage", "node-hours");
    figure_add_series (figure, "ok", COLOUR_GOOD);
    figure_add_series (figure, "lost", COLOUR_BAD);
    for (size_t k = 0; k < facts->n_stages; k++) {
        struct usage usage = stage_usage (facts, k);

        figure_name_bin (figure, facts->engine->plan->stages[k].name);
        figure_add (figure, 0, 0, usage.ok.node_s / S_PER_HOUR);
        figure_add (figure, 1, 0, usage.lost.node_s / S_PER_HOUR);
    }
    return figure;
}

static void push_used (struct strvec *cells, const char *name,
                       const struct usage *usage)
{
    struct used all = usage->ok;

    used_add_all (&all, &usage->lost);
    strvec_push (cells, name);
    section_push_number (cells, all.node_s / S_PER_HOUR);
    section_push_number (cells, all.core_s / S_PER_HOUR);
    section_push_number (cells, all.gpu_s / S_PER_HOUR);
    section_push_number (cells, usage->lost.node_s / S_PER_HOUR);
    section_push_number (cells, time_spans_total_s (&usage->ran) / S_PER_HOUR);
}

void report_use (const struct report_facts *facts, struct page *page)
{
    static const char *const heads[] = {
        "stage",     "node-hours",      "core-hours",
        "GPU-hours", "node-hours lost", "hours in which it ran"
    };
    const struct state *state = &facts->engine->state;
    struct section *section = page_add (page, "use", "Node-hours");
    struct usage all = { .ran = { 0 } };
    struct strvec cells = STRVEC_INIT;

    section_add_figure (section, hours_in_all (facts));
    section_add_figure (section, hours_by_stage (facts));
    push_all (&cells, heads, ARRAY_SIZE (heads));
    for (size_t k = 0; k < facts->n_stages; k++) {
        struct usage usage = stage_usage (facts, k);

        push_used (&cells, facts->engine->plan->stages[k].name, &usage);
    }
    if (!usage_is_empty (&state->replaced_usage))
        push_used (&cells, "what was replaced since", &state->replaced_usage);
    usage_of_campaign (state, &all);
    push_used (&cells, "all", &all);
    section_add_table (section, "What tasks used", ARRAY_SIZE (heads), &cells);
    strvec_release (&cells);
}

/* --- what was edited --- */

static void changes_text (const struct json *event, struct strbuf *out)
{
    const struct json *changes = json_get (event, "changes");

    for (size_t i = 0; i < json_count (changes); i++) {
        strbuf_add_str (out, i > 0 ? "; " : "");
        config_change_text (json_at (changes, i), CHANGE_MOST_BYTES, out);
    }
    if (json_count (changes) == 0)
        strbuf_add_str (out, json_get_int (event, "number") == 0
                                 ? "the definition of the iteration"
                                 : "taken on");
}

/* The lines of what a request changes, in one. */
static void request_line (const struct json *event, struct strbuf *out)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;
    const char *asked =
        json_get_string (event, json_get (event, "asked") ? "asked" : "kind");

    strbuf_add_str (out, asked);
    if (json_get (event, "stage"))
        strbuf_addf (out, " %s", json_get_string (event, "stage"));
    request_text (event, NULL, &text);
    strvec_split (&lines, text.buf, "\n");
    for (size_t i = 0; i < lines.n; i++)
        strbuf_addf (out, "%s%s", i > 0 ? "; " : ": ", lines.v[i]);
    if (json_get (event, "why"))
        strbuf_addf (out, ": %s", json_get_string (event, "why"));
}

static void event_text (const struct json *event, struct strbuf *out)
{
    const char *kind = json_get_string (event, "ev");

    if (strcmp (kind, "config") == 0)
        changes_text (event, out);
    else if (strcmp (kind, "request") == 0)
        request_line (event, out);
    else if (strcmp (kind, "campaign") == 0 || strcmp (kind, "adopted") == 0)
        strbuf_add_str (out, json_get_string (event, "path"));
    else if (json_get (event, "profile"))
        strbuf_addf (out, "profile %s%s%s", json_get_string (event, "profile"),
                     json_get (event, "why") ? ": " : "",
                     json_get_string (event, "why"));
    else
        strbuf_add_str (out, json_get_string (event, "why"));
}

/* A definition that is written down for a new iteration is no edit. */
static bool is_told (const struct json *event)
{
    return strcmp (json_get_string (event, "ev"), "config") != 0
           || json_count (json_get (event, "changes")) > 0
           || (json_get_int (event, "iteration") == 0
               && json_get_int (event, "number") == 0);
}

void report_edits (const struct report_facts *facts, struct page *page)
{
    static const char *const heads[] = { "when", "iteration", "what",
                                         "details" };
    struct section *section =
        page_add (page, "edits", "What was edited and asked for");
    struct strvec cells = STRVEC_INIT;
    int edits = 0;

    push_all (&cells, heads, ARRAY_SIZE (heads));
    for (size_t i = 0; i < json_count (facts->events); i++) {
        const struct json *event = json_at (facts->events, i);
        const char *kind = json_get_string (event, "ev");
        bool edit = json_count (json_get (event, "changes")) > 0;
        _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

        if (!is_told (event))
            continue;
        edits += edit || strcmp (kind, "request") == 0;
        push_time (&cells, json_get_double (event, "now_s"));
        if (json_get (event, "iteration"))
            strvec_pushf (&cells, "%" PRId64,
                          json_get_int (event, "iteration"));
        else
            strvec_push (&cells, "");
        strvec_push (&cells, edit ? "edit" : kind);
        event_text (event, &text);
        strvec_push (&cells, text.buf);
    }
    if (edits == 0)
        section_note (section, "Nothing was edited, and nothing asked for.");
    section_add_table (section, "Events", ARRAY_SIZE (heads), &cells);
    strvec_release (&cells);
}

/* --- provenance --- */

static void add_stage_versions (const struct report_facts *facts,
                                struct section *section)
{
    static const char *const heads[] = { "stage",
                                         "iteration",
                                         "operator",
                                         "version of the operator",
                                         "versions that its code told",
                                         "SHA-256 of outputs.json",
                                         "unsteady" };
    struct strvec cells = STRVEC_INIT;

    push_all (&cells, heads, ARRAY_SIZE (heads));
    for (size_t k = 0; k < facts->n_stages; k++) {
        const char *name = facts->engine->plan->stages[k].name;
        int at = facts->n_iterations - 1;
        const struct stage_state *s = NULL;
        struct json *manifest, *witness;
        _cleanup_ (strbuf_release) struct strbuf lines = STRBUF_INIT;

        while (at >= 0
               && !((s = state_of (facts, at, k)) && s->status == STAGE_DONE))
            at--;
        if (at < 0)
            continue;
        manifest =
            engine_stage_file (facts->engine, at, name, LAYOUT_STAGE_MANIFEST);
        witness = engine_stage_file (facts->engine, at, name, LAYOUT_WITNESS);
        version_lines_text (json_get (witness, "versions"), &lines);
        strvec_push (&cells, name);
        strvec_pushf (&cells, "%d", at);
        strvec_push (&cells, json_get_string (manifest, "operator"));
        push_value (&cells, json_get (manifest, "version"));
        strvec_push (&cells, lines.buf);
        strvec_push (&cells, s->outputs ? s->outputs : "");
        strvec_push (&cells, s->unsteady ? s->unsteady : "");
        json_unref (manifest);
        json_unref (witness);
    }
    section_add_table (section, "Stages, when they were done last",
                       ARRAY_SIZE (heads), &cells);
    strvec_release (&cells);
}

static void add_digests (const struct state *state, struct section *section)
{
    static const char *const heads[] = { "iteration",
                                         "SHA-256 of its definition",
                                         "SHA-256 of its training data" };
    struct strvec cells = STRVEC_INIT;

    push_all (&cells, heads, ARRAY_SIZE (heads));
    for (size_t i = 0; i < state->n_iterations; i++) {
        const struct iteration_state *it = &state->iterations[i];
        _cleanup_ (strbuf_release) struct strbuf data = STRBUF_INIT;

        JSON_FOREACH (it->dataset, form)
            strbuf_addf (&data, "%s%s %s", data.len > 0 ? ", " : "",
                         json_iter_key (form),
                         json_as_string (json_iter_value (form)));
        strvec_pushf (&cells, "%zu", i);
        strvec_push (&cells, it->config_sha256);
        strvec_push (&cells, data.buf);
    }
    section_add_table (section, "Digests", ARRAY_SIZE (heads), &cells);
    strvec_release (&cells);
}

static void add_config (const struct json *config, const char *key,
                        const char *title, struct section *section)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (json_is_null (json_get (config, key)))
        return;
    json_dump (json_get (config, key), JSON_PRETTY, &text);
    section_add_text (section, title, text.buf);
}

/* What the campaign goes by, as it is recorded. */
static void add_definition (const struct report_facts *facts,
                            struct section *section)
{
    const struct state *state = &facts->engine->state;
    _cleanup_ (strbuf_release) struct strbuf file = STRBUF_INIT;
    _cleanup_free_ char *path = NULL;
    struct json *config;

    if (!state->config_sha256[0])
        return;
    layout_config_file (state->config_iteration, state->config_number, &file);
    section_note (section,
                  "The definition below is %s, with all defaults; the table of "
                  "edits tells how it came to be. `fanfold explain FILE` tells "
                  "what a file was made from, `fanfold verify` compares all "
                  "digests.",
                  file.buf);
    path = engine_path (facts->engine, &file);
    config = json_read_file (path, NULL);
    add_config (config, "campaign", "The campaign as it ran", section);
    add_config (config, "site", "The site as it ran", section);
    json_unref (config);
}

void report_provenance (const struct report_facts *facts, struct page *page)
{
    const struct state *state = &facts->engine->state;
    struct section *section =
        page_add (page, "provenance", "Provenance, campaign and site");

    if (state->id)
        section_note (section, "The campaign has the id %s.", state->id);
    add_stage_versions (facts, section);
    add_digests (state, section);
    add_definition (facts, section);
}
