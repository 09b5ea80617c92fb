/* SPDX-License-Identifier: BSD-3-Clause */
/* report_learning.c - learning curves and parity of models */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "commands/report_sections.h"
#include "engine/history/engine.h"
#include "formats/deepmd/lcurve.h"
#include "formats/lines.h"
#include "report/page/figure.h"
#include "report/page/page.h"
#include "report/page/report_facts.h"
#include "signature/operator.h"

enum {
    CURVES_SHOWN = FIGURE_COLOURS,
    PARITY_BINS = 80,
};

/* Larger files are not read for a report. */
static const uint64_t file_most_bytes = UINT64_C (64) << 20;

/* The newest iteration in which stage k has made 'output'; *value is lent. */
static int newest_with (const struct report_facts *facts, size_t k,
                        const char *output, const struct json **value)
{
    int at = facts->n_iterations - 1;

    *value = NULL;
    for (; at >= 0; at--) {
        const struct json *outputs = report_outputs (facts, at, k);

        *value = json_get (outputs, output);
        if (!json_is_null (*value))
            return at;
    }
    return -1;
}

/* The file of task m, of a list or of one; NULL: it has none, or one that is
 * too large.  Caller frees.
 */
static char *file_of (const struct report_facts *facts,
                      const struct json *value, size_t m)
{
    const struct json *v =
        json_kind (value) == JSON_KIND_ARRAY ? json_at (value, m) : value;
    char *path = json_kind (v) == JSON_KIND_STRING
                     ? path_join (facts->engine->dir, json_as_string (v))
                     : NULL;
    uint64_t bytes;

    if (path
        && (file_tree_bytes (path, &bytes, NULL) < 0
            || bytes > file_most_bytes))
        free (steal (&path));
    return path;
}

static size_t files_of (const struct json *value)
{
    return json_kind (value) == JSON_KIND_ARRAY ? json_count (value) : 1;
}

/* --- learning curves --- */

/* One column of one file. */
struct curve {
    const char *column, *other; /* which may have another name */
    double *x, *y;
    size_t n, alloc;
};

static void take_row (const struct strvec *columns, const double *row,
                      void *arg)
{
    struct curve *curve = arg;
    size_t at = words_index (columns->v, columns->n, curve->column);
    size_t alloc = curve->alloc;

    if (at == columns->n)
        at = words_index (columns->v, columns->n, curve->other);
    if (at == columns->n)
        return;
    curve->x = grow_array (curve->x, curve->n, &alloc, sizeof (double));
    curve->y = grow_array (curve->y, curve->n, &curve->alloc, sizeof (double));
    curve->x[curve->n] = row[0];
    curve->y[curve->n++] = row[at];
}

/* Every so many, and the last one. */
static void add_curve (struct figure *figure, const struct curve *curve,
                       size_t model)
{
    _cleanup_free_ char *name = xasprintf ("task %zu", model);
    size_t every = curve->n / REPORT_CURVE_POINTS + 1;
    size_t series;

    if (curve->n == 0)
        return;
    series = figure_add_series (figure, name, figure_colour_of (model));
    for (size_t i = 0; i < curve->n; i++) {
        if (i % every == 0 || i + 1 == curve->n)
            figure_add (figure, series, curve->x[i], curve->y[i]);
    }
}

static void add_curves (const struct report_facts *facts, size_t k,
                        const char *column, const char *label,
                        struct section *section)
{
    const char *stage = facts->engine->plan->stages[k].name;
    const struct json *value;
    int at = newest_with (facts, k, "lcurve", &value);
    _cleanup_free_ char *other = xasprintf ("%s_trn", column);
    _cleanup_free_ char *id = xasprintf ("lcurve-%s-%s", stage, column);
    _cleanup_free_ char *title = xasprintf (
        "Learning curves of stage %s, iteration %d: %s", stage, at, column);
    struct figure *figure;

    if (at < 0)
        return;
    figure = figure_create (FIGURE_LINES, id, title, "A line for each model.");
    figure_name_axes (figure, "step", label);
    figure->y.is_log = true;
    for (size_t m = 0; m < files_of (value) && m < CURVES_SHOWN; m++) {
        struct curve curve = { .column = column, .other = other };
        _cleanup_free_ char *path = file_of (facts, value, m);

        if (path)
            lcurve_each_row (path, take_row, &curve, NULL);
        add_curve (figure, &curve, m);
        free (curve.x);
        free (curve.y);
    }
    section_add_figure (section, figure);
}

void report_learning (const struct report_facts *facts, struct page *page)
{
    static const struct {
        const char *column, *label;
    } columns[] = { { "rmse_f", "rmse_f (eV/\xc3\x85)" },
                    { "rmse_f_val", "rmse_f_val (eV/\xc3\x85)" },
                    { "rmse_e", "rmse_e (eV/atom)" } };
    struct section *section =
        page_add (page, "learning", "Errors and learning curves of models");

    report_errors (facts, section);
    for (size_t k = 0; k < facts->n_stages; k++) {
        for (size_t c = 0; c < ARRAY_SIZE (columns); c++)
            add_curves (facts, k, columns[c].column, columns[c].label, section);
    }
    if (section->n_figures == 0)
        section_note (section, "No stage has an output with rmse or mae in its "
                               "name, a loss, or lcurve.");
}

/* --- parity --- */

struct pairs {
    double (*v)[2];
    size_t n, alloc;
};

static void read_pairs (const char *path, struct pairs *pairs)
{
    struct lines lines = LINES_INIT;
    double pair[2];

    if (lines_open (&lines, path, 0, NULL) < 0)
        return;
    while (lines_next (&lines, NULL) == 1) {
        if (lines_take_prefix (&lines, "#")
            || !lines_take_numbers (&lines, pair, 2) || !isfinite (pair[0])
            || !isfinite (pair[1]))
            continue;
        pairs->v =
            grow_array (pairs->v, pairs->n, &pairs->alloc, sizeof (*pairs->v));
        memcpy (pairs->v[pairs->n++], pair, sizeof (pair));
    }
    lines_close (&lines);
}

static double rmse_of (const struct pairs *pairs)
{
    double sum = 0;

    for (size_t i = 0; i < pairs->n; i++)
        sum += pow (pairs->v[i][1] - pairs->v[i][0], 2);
    return pairs->n > 0 ? sqrt (sum / (double)pairs->n) : NAN;
}

/* How many lie in each square of a grid over all of them. */
static void add_pairs (const struct pairs *pairs, struct figure *figure)
{
    _cleanup_free_ double *counts =
        xcalloc (PARITY_BINS * PARITY_BINS, sizeof (double));
    double low = INFINITY, high = -INFINITY, width;

    for (size_t i = 0; i < pairs->n; i++) {
        low = fmin (low, fmin (pairs->v[i][0], pairs->v[i][1]));
        high = fmax (high, fmax (pairs->v[i][0], pairs->v[i][1]));
    }
    width = high > low ? (high - low) / PARITY_BINS : 1;
    for (size_t i = 0; i < pairs->n; i++) {
        size_t x =
            (size_t)fmin ((pairs->v[i][0] - low) / width, PARITY_BINS - 1);
        size_t y =
            (size_t)fmin ((pairs->v[i][1] - low) / width, PARITY_BINS - 1);

        counts[x * PARITY_BINS + y]++;
    }
    for (size_t i = 0; i < PARITY_BINS * PARITY_BINS; i++) {
        if (counts[i] > 0)
            figure_add_weighted (
                figure, 0, low + ((double)(i / PARITY_BINS) + 0.5) * width,
                low + ((double)(i % PARITY_BINS) + 0.5) * width, counts[i]);
    }
}

static void add_parity (const struct report_facts *facts, size_t k,
                        struct section *section)
{
    const char *stage = facts->engine->plan->stages[k].name;
    const struct json *value;
    int at = newest_with (facts, k, "parity", &value);
    struct pairs pairs = { .v = NULL };
    _cleanup_free_ char *id = xasprintf ("parity-%s", stage);
    _cleanup_free_ char *title =
        xasprintf ("Force parity of stage %s, iteration %d", stage, at);
    _cleanup_free_ char *description = NULL;
    struct figure *figure;

    for (size_t m = 0; at >= 0 && m < files_of (value); m++) {
        _cleanup_free_ char *path = file_of (facts, value, m);

        if (path)
            read_pairs (path, &pairs);
    }
    description = xasprintf ("%zu components of forces of all tasks, RMSE %.4g "
                             "eV/\xc3\x85; the stronger, the more of them.",
                             pairs.n, rmse_of (&pairs));
    figure = figure_create (FIGURE_POINTS, id, title, description);
    figure_name_axes (figure, "reference (eV/\xc3\x85)",
                      "prediction (eV/\xc3\x85)");
    figure->is_diagonal = true;
    figure_add_series (figure, "components", COLOUR_BLUE);
    add_pairs (&pairs, figure);
    section_add_figure (section, figure);
    free (pairs.v);
}

void report_parity (const struct report_facts *facts, struct page *page)
{
    struct section *section =
        page_add (page, "parity", "Force parity against held-out frames");

    for (size_t k = 0; k < facts->n_stages; k++)
        add_parity (facts, k, section);
    if (section->n_figures == 0)
        section_note (section,
                      "No stage has made an output 'parity': a file with a "
                      "line for each component of a force, reference and "
                      "prediction in eV/\xc3\x85.");
}
