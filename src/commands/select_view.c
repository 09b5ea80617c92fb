/* SPDX-License-Identifier: BSD-3-Clause */
/* select_view.c - what a selection came to, as a table or as JSON, on stdout */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "commands/select_view.h"
#include "selection/survey.h"

static double percent (uint64_t part, uint64_t whole)
{
    return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

static void print_levels (const struct levels *levels)
{
    if (levels->low < levels->high || levels->low > 0)
        printf ("  %7.4g %7.4g\n", levels->low, levels->high);
    else
        printf ("  %7s %7.4g\n", "", levels->high);
}

/* One line of the table; 'levels' NULL for the sum. */
static void print_row (const char *name,
                       const struct tally *tally,
                       uint64_t selected,
                       const struct levels *levels)
{
    uint64_t all = tally_frames (tally);

    printf ("%-12s %10llu", name, (unsigned long long)all);
    for (int c = 0; c < FRAME_CLASSES; c++)
        printf (" %9.2f%%", percent (tally->frames[c], all));
    printf (" %9llu", (unsigned long long)selected);
    if (levels)
        print_levels (levels);
    else
        putchar ('\n');
}

/* Is exploring at an end, by the rules? */
static bool judge_convergence (const struct select_view *view,
                               const struct tally *sum,
                               struct strbuf *why)
{
    uint64_t all = tally_frames (sum);
    double accurate =
        all > 0 ? (double)sum->frames[FRAME_ACCURATE] / (double)all : 0;
    struct json *levels = survey_all_levels_json (view->survey, view->systems);
    bool converged = convergence_reached (&view->survey->rules->convergence,
                                          accurate, levels, view->earlier, why);

    json_unref (levels);
    return converged;
}

static bool tests_convergence (const struct select_view *view)
{
    const struct convergence *tests = &view->survey->rules->convergence;

    return tests->tests_accurate || tests->tests_drift;
}

static void print_convergence (const struct select_view *view,
                               const struct tally *sum)
{
    struct strbuf why = STRBUF_INIT;
    bool converged = judge_convergence (view, sum, &why);

    if (tests_convergence (view))
        printf ("%sconverged: %s\n", converged ? "" : "not ", why.buf);
    strbuf_release (&why);
}

void select_view_print (const struct select_view *view)
{
    const struct survey *survey = view->survey;
    struct tally sum = TALLY_INIT;
    uint64_t selected = 0;

    printf ("%-12s %10s %10s %10s %10s %10s %9s  %7s %7s\n", "system", "frames",
            "accurate", "candidate", "failed", "invalid", "selected", "low",
            "high");
    for (size_t i = 0; i < view->systems->n; i++) {
        struct levels levels = survey_levels (
            survey, i, criteria_main (&survey->rules->criteria[i]));

        print_row (view->systems->v[i], &survey->tallies[i], view->selected[i],
                   &levels);
        tally_merge (&sum, &survey->tallies[i]);
        selected += view->selected[i];
    }
    if (view->systems->n > 1)
        print_row ("together", &sum, selected, NULL);
    printf ("%zu files", view->n_files);
    if (view->repeated_steps > 0)
        printf (", %llu steps came again",
                (unsigned long long)view->repeated_steps);
    if (view->cut_rows > 0)
        printf (", %llu lines are no rows", (unsigned long long)view->cut_rows);
    if (tally_valid (&sum) > 0)
        printf ("; deviations to %.4g, median %.3g", sum.max_deviation,
                tally_median (&sum));
    putchar ('\n');
    print_convergence (view, &sum);
    for (size_t i = 0; i < json_count (view->left_out); i++)
        printf ("%s: not looked at, structures are not read\n",
                json_as_string (json_at (view->left_out, i)));
}

static struct json *system_numbers (const struct select_view *view, size_t i)
{
    static const char *const classes[] = { "accurate", "candidates", "failed",
                                           "invalid" };
    const struct survey *survey = view->survey;
    const struct tally *tally = &survey->tallies[i];
    struct levels levels =
        survey_levels (survey, i, criteria_main (&survey->rules->criteria[i]));
    struct json *one = json_object ();

    json_set (one, "frames", json_int ((int64_t)tally_frames (tally)));
    for (int c = 0; c < FRAME_CLASSES; c++)
        json_set (one, classes[c], json_int ((int64_t)tally->frames[c]));
    json_set (one, "selected", json_int ((int64_t)view->selected[i]));
    json_set (one, "low", json_real (levels.low));
    json_set (one, "high", json_real (levels.high));
    return one;
}

static void set_convergence (const struct select_view *view, struct json *all)
{
    struct strbuf why = STRBUF_INIT;
    struct tally sum = TALLY_INIT;
    bool converged;

    for (size_t i = 0; i < view->systems->n; i++)
        tally_merge (&sum, &view->survey->tallies[i]);
    converged = judge_convergence (view, &sum, &why);
    json_set (all, "converged", json_bool (converged));
    json_set (all, "convergence", json_string (why.buf));
    strbuf_release (&why);
}

void select_view_json (const struct select_view *view)
{
    struct json *all = json_object (), *systems = json_object ();
    struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < view->systems->n; i++)
        json_set (systems, view->systems->v[i], system_numbers (view, i));
    set_convergence (view, all);
    json_set (all, "left_out", json_deep_copy (view->left_out));
    json_set (all, "files", json_int ((int64_t)view->n_files));
    json_set (all, "cut_rows", json_int ((int64_t)view->cut_rows));
    json_set (all, "repeated_steps", json_int ((int64_t)view->repeated_steps));
    json_set (all, "systems", systems);
    json_dump (all, JSON_PRETTY, &text);
    fputs (text.buf, stdout);
    strbuf_release (&text);
    json_unref (all);
}
