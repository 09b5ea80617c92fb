/* SPDX-License-Identifier: BSD-3-Clause */
/* select_view.c - what a selection came to, as a table or as JSON, on stdout */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "commands/select_view.h"
#include "reduce/counts.h"
#include "reduce/inspect.h"
#include "reduce/passes.h"
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

/* What else the numbers of --json are, and what is said of them. */
struct finding {
    const char *name;
    const char *text;
    uint64_t n;
};
enum { FINDINGS = 9 };

static void find_all (const struct select_view *view,
                      struct finding findings[FINDINGS])
{
    const uint64_t *counts = view->selection->counts;
    const uint64_t *verdicts = view->selection->verdicts;
    const struct finding all[FINDINGS] = {
        { "repeated_steps", "steps came again", counts[COUNT_REPEATED_STEPS] },
        { "cut_rows", "lines are no rows", counts[COUNT_CUT_ROWS] },
        { "cut_files", "end within a frame", counts[COUNT_CUT_FILES] },
        { "absent_files", "are not there",
          counts[COUNT_ABSENT_TRAJECTORIES] + counts[COUNT_ABSENT_FORCES]
              + counts[COUNT_ABSENT_DEVIATIONS] },
        { "without_frame", "without a frame", verdicts[VERDICT_NO_FRAME] },
        { "bad_box", "with a bad box", verdicts[VERDICT_BAD_BOX] },
        { "too_close", "with atoms too close", verdicts[VERDICT_TOO_CLOSE] },
        { "no_vacuum", "without vacuum", verdicts[VERDICT_NO_VACUUM] },
        { "duplicates", "with a label already", verdicts[VERDICT_DUPLICATE] },
    };

    memcpy (findings, all, sizeof (all));
}

/* Files, and what was found in them; then candidates that were passed over. */
static void print_findings (const struct select_view *view,
                            const struct tally *sum)
{
    enum { OF_FILES = 4 };
    struct finding findings[FINDINGS];
    const char *before = "passed over: ";

    find_all (view, findings);
    printf ("%zu files", view->n_files);
    for (int i = 0; i < OF_FILES; i++) {
        if (findings[i].n > 0)
            printf (", %llu %s", (unsigned long long)findings[i].n,
                    findings[i].text);
    }
    if (tally_valid (sum) > 0)
        printf ("; deviations to %.4g, median %.3g", sum->max_deviation,
                tally_median (sum));
    putchar ('\n');
    for (int i = OF_FILES; i < FINDINGS; i++) {
        if (findings[i].n == 0)
            continue;
        printf ("%s%llu %s", before, (unsigned long long)findings[i].n,
                findings[i].text);
        before = ", ";
    }
    if (before[0] == ',')
        putchar ('\n');
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
    print_findings (view, &sum);
    print_convergence (view, &sum);
    for (size_t i = 0; i < json_count (view->left_out); i++) {
        const struct json *one = json_at (view->left_out, i);

        printf ("%s: not looked at, %s\n",
                json_as_string (json_get (one, "rule")),
                json_as_string (json_get (one, "why")));
    }
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
    struct finding findings[FINDINGS];
    struct strbuf text = STRBUF_INIT;

    find_all (view, findings);
    for (size_t i = 0; i < view->systems->n; i++)
        json_set (systems, view->systems->v[i], system_numbers (view, i));
    set_convergence (view, all);
    json_set (all, "left_out", json_deep_copy (view->left_out));
    json_set (all, "files", json_int ((int64_t)view->n_files));
    for (int i = 0; i < FINDINGS; i++)
        json_set (all, findings[i].name, json_int ((int64_t)findings[i].n));
    json_set (all, "systems", systems);
    json_dump (all, JSON_PRETTY, &text);
    fputs (text.buf, stdout);
    strbuf_release (&text);
    json_unref (all);
}
