/* SPDX-License-Identifier: BSD-3-Clause */
/* report_data.c - how the training data grew, and what they hold */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "base/units.h"
#include "campaign/plan.h"
#include "commands/report_sections.h"
#include "engine/history/engine.h"
#include "formats/frame.h"
#include "formats/frame_reader.h"
#include "report/page/figure.h"
#include "report/page/page.h"
#include "report/page/report_facts.h"
#include "selection/dataset/dataset_stats.h"
#include "space/layout.h"

/* More than this of training data is not read for a report. */
static const uint64_t data_most_bytes = UINT64_C (64) << 20;

/* Of so many compositions each has a colour; the others have one together. */
enum { FORMULAS_SHOWN = FIGURE_COLOURS - 1 };

static char *data_path (const struct report_facts *facts, int iteration)
{
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;
    char *whole;

    layout_dataset_dir ("extxyz", iteration, &path);
    strbuf_add_str (&path, "/" LAYOUT_DATASET_FILE);
    whole = path_join (facts->engine->dir, path.buf);
    return whole;
}

static uint64_t data_bytes (const struct report_facts *facts)
{
    uint64_t all = 0;

    for (int i = 0; i < facts->n_iterations; i++) {
        _cleanup_free_ char *path = data_path (facts, i);
        uint64_t bytes = 0;

        if (file_exists (path) && file_tree_bytes (path, &bytes, NULL) == 0)
            all += bytes;
    }
    return all;
}

static int read_iteration (const struct report_facts *facts, int iteration,
                           struct dataset_stats *stats, struct error *err)
{
    static const struct frame_options options = FRAME_OPTIONS_INIT;
    _cleanup_free_ char *path = data_path (facts, iteration);
    _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
    struct frame_reader *reader;
    struct frame_mark mark = { 0 };
    int rc;

    if (!file_exists (path))
        return 0;
    if (!(reader = frame_reader_open (path, &options, err)))
        return -1;
    while ((rc = frame_reader_next (reader, &frame, err)) == 1) {
        dataset_stats_add (stats, &frame, mark);
        mark.number++;
    }
    frame_reader_close (reader);
    return rc;
}

static uint64_t frames_of (const struct dataset_stats *stats,
                           const char *formula)
{
    for (size_t i = 0; i < stats->n_compositions; i++) {
        if (strcmp (stats->compositions[i].formula, formula) == 0)
            return stats->compositions[i].n_frames;
    }
    return 0;
}

/* The first that come have a series each. */
static void name_formulas (const struct dataset_stats *stats, size_t n,
                           struct strvec *formulas)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0;
             k < stats[i].n_compositions && formulas->n < FORMULAS_SHOWN; k++) {
            if (!strvec_contains (formulas, stats[i].compositions[k].formula))
                strvec_push (formulas, stats[i].compositions[k].formula);
        }
    }
}

static uint64_t other_frames (const struct dataset_stats *stats,
                              const struct strvec *formulas)
{
    uint64_t rest = stats->n_frames;

    for (size_t f = 0; f < formulas->n; f++)
        rest -= frames_of (stats, formulas->v[f]);
    return rest;
}

static void add_others (const struct dataset_stats *stats, int n,
                        const struct strvec *formulas, struct figure *figure)
{
    uint64_t all = 0;
    size_t series;

    for (int i = 0; i < n; i++)
        all += other_frames (&stats[i], formulas);
    if (all == 0)
        return;
    series = figure_add_series (figure, "other compositions", COLOUR_GREY);
    for (int i = 0; i < n; i++)
        figure_add (figure, series, i,
                    (double)other_frames (&stats[i], formulas));
}

static void add_published (const struct dataset_stats *stats, int n,
                           struct section *section)
{
    struct figure *figure = figure_by_iteration (
        "data-published", "Frames that were published",
        "New training data of each iteration, by composition.", "frames", n);
    _cleanup_ (strvec_release) struct strvec formulas = STRVEC_INIT;

    figure->y.is_whole = true;
    name_formulas (stats, (size_t)n, &formulas);
    for (size_t f = 0; f < formulas.n; f++) {
        figure_add_series (figure, formulas.v[f], figure_colour_of (f));
        for (int i = 0; i < n; i++)
            figure_add (figure, f, i,
                        (double)frames_of (&stats[i], formulas.v[f]));
    }
    add_others (stats, n, &formulas, figure);
    section_add_figure (section, figure);
}

static void add_growth (const struct dataset_stats *stats, int n,
                        struct section *section)
{
    struct figure *figure = figure_create (
        FIGURE_LINES, "data-growth", "Training data published so far",
        "Without initial data, and what a reset kept.");
    double frames = 0;

    figure_name_axes (figure, "iteration", "frames");
    figure->x.is_whole = figure->y.is_whole = true;
    figure_add_series (figure, "frames", COLOUR_BLUE);
    for (int i = 0; i < n; i++) {
        frames += (double)stats[i].n_frames;
        figure_add (figure, 0, i, frames);
    }
    section_add_figure (section, figure);
}

static void add_ranges (const struct dataset_stats *stats, int n,
                        struct section *section)
{
    static const char *const heads[] = {
        "iteration", "frames",
        "atoms",     "energy, eV/atom: from",
        "to",        "largest force, eV/\xc3\x85"
    };
    struct strvec cells = STRVEC_INIT;

    for (size_t i = 0; i < ARRAY_SIZE (heads); i++)
        strvec_push (&cells, heads[i]);
    for (int i = 0; i < n; i++) {
        if (stats[i].n_frames == 0)
            continue;
        strvec_pushf (&cells, "%d", i);
        strvec_pushf (&cells, "%" PRIu64, stats[i].n_frames);
        strvec_pushf (&cells, "%" PRIu64, stats[i].n_atoms);
        strvec_pushf (&cells, "%.6g", stats[i].energy.low);
        strvec_pushf (&cells, "%.6g", stats[i].energy.high);
        strvec_pushf (&cells, "%.4g", stats[i].force.high);
    }
    section_add_table (section, "Published training data", ARRAY_SIZE (heads),
                       &cells);
    strvec_release (&cells);
}

/* A part of the data would look like all of them. */
static void add_data (const struct report_facts *facts, struct section *section)
{
    int n = facts->n_iterations;
    struct dataset_stats *stats = xcalloc ((size_t)n + 1, sizeof (*stats));
    struct error err = ERROR_INIT;
    int rc = 0;

    for (int i = 0; rc == 0 && i < n; i++)
        rc = read_iteration (facts, i, &stats[i], &err);
    if (rc < 0) {
        section_note (section, "The training data are not shown: %s.",
                      err.text);
    } else {
        add_published (stats, n, section);
        add_growth (stats, n, section);
        add_ranges (stats, n, section);
    }
    for (int i = 0; i < n; i++)
        dataset_stats_release (&stats[i]);
    free (stats);
}

void report_data (const struct report_facts *facts, struct page *page)
{
    struct section *section = page_add (page, "data", "Training data");
    uint64_t bytes = data_bytes (facts);

    if (bytes == 0) {
        section_note (section, "No iteration has published training data.");
        return;
    }
    if (bytes > data_most_bytes) {
        _cleanup_ (strbuf_release) struct strbuf size = STRBUF_INIT;

        format_bytes ((int64_t)bytes, &size);
        section_note (section,
                      "The training data take %s, which is more than is read "
                      "for a report; `fanfold data` tells what they hold.",
                      size.buf);
        return;
    }
    add_data (facts, section);
}
