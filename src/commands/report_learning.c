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

/* The file of task m, of a list or of one; NULL: it has none ('err' is empty),
 * or one that cannot be read or is too large.  Caller frees.
 */
static char *file_of (const struct report_facts *facts,
                      const struct json *value, size_t m, struct error *err)
{
    const struct json *v =
        json_kind (value) == JSON_KIND_ARRAY ? json_at (value, m) : value;
    _cleanup_free_ char *path = NULL;
    uint64_t bytes;

    err->text[0] = '\0';
    if (json_kind (v) != JSON_KIND_STRING)
        return NULL;
    path = path_join (facts->engine->dir, json_as_string (v));
    if (file_tree_bytes (path, &bytes, err) < 0)
        return NULL;
    if (bytes > file_most_bytes) {
        error_set (err, "'%s' has more than is read for a report, 64 MiB",
                   path);
        return NULL;
    }
    return steal (&path);
}

static size_t files_of (const struct json *value)
{
    return json_kind (value) == JSON_KIND_ARRAY ? json_count (value) : 1;
}

/* --- learning curves --- */

static const struct {
    const char *name, *other; /* which it may have in its place; or NULL */
    const char *label;
} curve_columns[] = {
    { "rmse_f", "rmse_f_trn", "rmse_f (eV/\xc3\x85)" },
    { "rmse_f_val", NULL, "rmse_f_val (eV/\xc3\x85)" },
    { "rmse_e", "rmse_e_trn", "rmse_e (eV/atom)" },
};

enum { CURVE_COLUMNS = ARRAY_SIZE (curve_columns) };

/* One column of one file. */
struct curve {
    double *x, *y;
    size_t n, alloc;
};

static void add_point (struct curve *curve, double x, double y)
{
    size_t alloc = curve->alloc;

    curve->x = grow_array (curve->x, curve->n, &alloc, sizeof (double));
    curve->y = grow_array (curve->y, curve->n, &curve->alloc, sizeof (double));
    curve->x[curve->n] = x;
    curve->y[curve->n++] = y;
}

static void take_row (const struct strvec *columns, const double *row,
                      void *arg)
{
    struct curve *curves = arg;

    for (size_t c = 0; c < CURVE_COLUMNS; c++) {
        size_t at = words_index (columns->v, columns->n, curve_columns[c].name);

        if (at == columns->n && curve_columns[c].other)
            at = words_index (columns->v, columns->n, curve_columns[c].other);
        if (at < columns->n)
            add_point (&curves[c], row[0], row[at]);
    }
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

static struct figure *curve_figure (const char *stage, int iteration, size_t c)
{
    const char *column = curve_columns[c].name;
    _cleanup_free_ char *id = xasprintf ("lcurve-%s-%s", stage, column);
    _cleanup_free_ char *title =
        xasprintf ("Learning curves of stage %s, iteration %d: %s", stage,
                   iteration, column);
    struct figure *figure =
        figure_create (FIGURE_LINES, id, title, "A line for each model.");

    figure_name_axes (figure, "step", curve_columns[c].label);
    figure->y.is_log = true;
    return figure;
}

/* The curves of task m, a line in each figure. */
static void add_model (const struct report_facts *facts,
                       const struct json *value, size_t m,
                       struct figure **figures, struct section *section)
{
    struct curve curves[CURVE_COLUMNS] = { { .n = 0 } };
    struct error err = ERROR_INIT;
    _cleanup_free_ char *path = file_of (facts, value, m, &err);

    if (path)
        lcurve_each_row (path, take_row, curves, &err);
    if (err.text[0])
        section_note (section, "Not shown, or not to its end: %s.", err.text);
    for (size_t c = 0; c < CURVE_COLUMNS; c++) {
        add_curve (figures[c], &curves[c], m);
        free (curves[c].x);
        free (curves[c].y);
    }
}

static void add_curves (const struct report_facts *facts, size_t k,
                        struct section *section)
{
    const char *stage = facts->engine->plan->stages[k].name;
    struct figure *figures[CURVE_COLUMNS];
    const struct json *value;
    int at = newest_with (facts, k, "lcurve", &value);

    if (at < 0)
        return;
    for (size_t c = 0; c < CURVE_COLUMNS; c++)
        figures[c] = curve_figure (stage, at, c);
    for (size_t m = 0; m < files_of (value) && m < CURVES_SHOWN; m++)
        add_model (facts, value, m, figures, section);
    for (size_t c = 0; c < CURVE_COLUMNS; c++)
        section_add_figure (section, figures[c]);
}

void report_learning (const struct report_facts *facts, struct page *page)
{
    struct section *section =
        page_add (page, "learning", "Errors and learning curves of models");

    report_errors (facts, section);
    for (size_t k = 0; k < facts->n_stages; k++)
        add_curves (facts, k, section);
    if (section->n_figures == 0)
        section_note (section, "No stage has an output with rmse or mae in its "
                               "name, a loss, or lcurve.");
}

/* --- parity --- */

struct pairs {
    double (*v)[2];
    size_t n, alloc;
};

/* Lines that are empty, or begin with #, say nothing. */
static int read_pairs (const char *path, struct pairs *pairs, struct error *err)
{
    _cleanup_ (lines_close) struct lines lines = LINES_INIT;
    double pair[2];
    int rc;

    if (lines_open (&lines, path, 0, err) < 0)
        return -1;
    while ((rc = lines_next (&lines, err)) == 1) {
        if (lines_take_prefix (&lines, "#") || lines_at_end (&lines))
            continue;
        if (!lines_take_numbers (&lines, pair, 2) || !isfinite (pair[0])
            || !isfinite (pair[1]))
            return lines_error (&lines, err,
                                "is not two numbers, reference and prediction");
        pairs->v =
            grow_array (pairs->v, pairs->n, &pairs->alloc, sizeof (*pairs->v));
        memcpy (pairs->v[pairs->n++], pair, sizeof (pair));
    }
    return rc;
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

static struct figure *parity_figure (const char *stage, int iteration,
                                     const struct pairs *pairs)
{
    _cleanup_free_ char *id = xasprintf ("parity-%s", stage);
    _cleanup_free_ char *title =
        xasprintf ("Force parity of stage %s, iteration %d", stage, iteration);
    _cleanup_free_ char *description =
        xasprintf ("%zu components of forces of all tasks, RMSE %.4g "
                   "eV/\xc3\x85; the stronger, the more of them.",
                   pairs->n, rmse_of (pairs));
    struct figure *figure =
        figure_create (FIGURE_POINTS, id, title, description);

    figure_name_axes (figure, "reference (eV/\xc3\x85)",
                      "prediction (eV/\xc3\x85)");
    figure->is_diagonal = true;
    figure_add_series (figure, "components", COLOUR_BLUE);
    add_pairs (pairs, figure);
    return figure;
}

/* An error of some of the components would look like that of all. */
static void add_parity (const struct report_facts *facts, size_t k,
                        struct section *section)
{
    const char *stage = facts->engine->plan->stages[k].name;
    const struct json *value;
    int at = newest_with (facts, k, "parity", &value);
    struct pairs pairs = { .v = NULL };
    struct error err = ERROR_INIT;

    for (size_t m = 0; at >= 0 && !err.text[0] && m < files_of (value); m++) {
        _cleanup_free_ char *path = file_of (facts, value, m, &err);

        if (path)
            (void)read_pairs (path, &pairs, &err);
    }
    if (err.text[0])
        section_note (section, "The parity of stage %s is not shown: %s.",
                      stage, err.text);
    else
        section_add_figure (section, parity_figure (stage, at, &pairs));
    free (pairs.v);
}

void report_parity (const struct report_facts *facts, struct page *page)
{
    struct section *section =
        page_add (page, "parity", "Force parity against held-out frames");

    for (size_t k = 0; k < facts->n_stages; k++)
        add_parity (facts, k, section);
    if (section->n_figures == 0 && section->notes.n == 0)
        section_note (section,
                      "No stage has made an output 'parity'. deepmd.train and "
                      "gpumd.train make it with validation: {from: "
                      "data.held_out}; a trainer of your own makes a file with "
                      "a line for each component of a force, reference and "
                      "prediction in eV/\xc3\x85.");
}
