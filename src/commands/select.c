/* SPDX-License-Identifier: BSD-3-Clause */
/* select.c - what would be selected: other levels, other rules, on data that is
 * there
 */
#include "base/base.h"

#include "base/json.h"
#include "commands/command.h"
#include "commands/what_if.h"
#include "reduce/result.h"
#include "report/health_view.h"
#include "report/table.h"

static void add_row (const char *name, const double counts[4], double selected,
                     const struct json *levels, struct strvec *cells)
{
    double all = counts[0] + counts[1] + counts[2] + counts[3];
    double low = json_as_double (json_at (levels, 0));
    double high = json_as_double (json_at (levels, 1));

    strvec_push (cells, name);
    strvec_pushf (cells, "%.0f", all);
    for (int i = 0; i < 4; i++)
        strvec_pushf (cells, "%.2f%%", all > 0 ? 100 * counts[i] / all : 0);
    strvec_pushf (cells, "%.0f", selected);
    if (levels && (low < high || low > 0))
        strvec_pushf (cells, "%.4g", low);
    else
        strvec_push (cells, "");
    if (levels)
        strvec_pushf (cells, "%.4g", high);
    else
        strvec_push (cells, "");
}

static void print_systems (const struct json *systems)
{
    static const char *const heads[] = { "system",    "frames", "accurate",
                                         "candidate", "failed", "invalid",
                                         "selected",  "low",    "high",
                                         NULL };
    static const char *const classes[] = { "accurate", "candidates", "failed",
                                           "invalid" };
    double sums[4] = { 0 }, selected = 0;
    _cleanup_ (strvec_release) struct strvec cells = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    strvec_push_all (&cells, (char *const *)heads);
    JSON_FOREACH (systems, it) {
        const struct json *one = json_iter_value (it);
        /* The first quantity that has levels is what is counted by. */
        void *levels = json_iter (json_get (one, "levels"));
        double counts[4];

        for (int i = 0; i < 4; i++)
            sums[i] += counts[i] = json_get_double (one, classes[i]);
        selected += json_get_double (one, "selected");
        add_row (json_iter_key (it), counts, json_get_double (one, "selected"),
                 levels ? json_iter_value (levels) : NULL, &cells);
    }
    if (json_count (systems) > 1)
        add_row ("together", sums, selected, NULL, &cells);
    table_text (&cells, ARRAY_SIZE (heads) - 1, &text);
    fputs (text.buf, stdout);
}

/* Print those of the counts that are not 0, after what stands before. */
static void print_counts (const struct json *params,
                          const char *const (*texts)[2], size_t n,
                          const char *before)
{
    for (size_t i = 0; i < n; i++) {
        double count = json_get_double (params, texts[i][0]);

        if (count > 0) {
            printf ("%s%.0f %s", before, count, texts[i][1]);
            before = ", ";
        }
    }
}

static void print_health (const struct json *health)
{
    const struct json *worst = json_get (health, "worst");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (!health)
        return;
    health_counts_text (health, "", &text);
    strbuf_add_char (&text, '\n');
    for (size_t i = 0; i < json_count (worst); i++) {
        const struct json *one = json_at (worst, i);

        strbuf_addf (&text, "task %lld, %s",
                     (long long)json_get_int (one, "task"),
                     json_get_string (one, "system"));
        if (json_count (json_get (one, "conditions")) > 0)
            strbuf_add_str (&text, ", ");
        health_conditions (json_get (one, "conditions"), &text);
        strbuf_add_str (&text, ": ");
        health_finding_text (one, &text);
        strbuf_add_char (&text, '\n');
    }
    fputs (text.buf, stdout);
}

static void print_table (const struct json *params, bool tests_convergence)
{
    static const char *const of_files[][2] = {
        { "repeated_steps", "steps came again" },
        { "cut_rows", "lines are no rows" },
        { "cut_files", "end within a frame" },
        { "absent_files", "are not there" },
    };
    static const char *const of_frames[][2] = {
        { "without_frame", "without a frame" },
        { "bad_box", "with a bad box" },
        { "too_close", "with atoms too close" },
        { "no_vacuum", "without vacuum" },
        { "duplicates", "with a label already" },
    };
    const struct json *left_out = json_get (params, "left_out");
    double passed_over = 0;

    print_systems (json_get (params, "systems"));
    printf ("%.0f files", json_get_double (params, "files"));
    print_counts (params, of_files, ARRAY_SIZE (of_files), ", ");
    if (json_get (params, "max_deviation"))
        printf ("; deviations to %.4g, median %.3g",
                json_get_double (params, "max_deviation"),
                json_get_double (params, "deviation_median"));
    putchar ('\n');
    for (size_t i = 0; i < ARRAY_SIZE (of_frames); i++)
        passed_over += json_get_double (params, of_frames[i][0]);
    if (passed_over > 0) {
        print_counts (params, of_frames, ARRAY_SIZE (of_frames),
                      "passed over: ");
        putchar ('\n');
    }
    print_health (json_get (params, "health"));
    if (tests_convergence)
        printf ("%sconverged: %s\n",
                json_as_bool (json_get (params, "converged")) ? "" : "not ",
                json_get_string (params, "convergence"));
    for (size_t i = 0; i < json_count (left_out); i++) {
        const struct json *one = json_at (left_out, i);

        printf ("%s: not looked at, %s\n", json_get_string (one, "rule"),
                json_get_string (one, "why"));
    }
}

static void show (const struct what_if *what_if, bool as_json)
{
    const struct convergence *tests = &what_if->input.rules.convergence;
    _cleanup_json_ struct json *params =
        result_params (&what_if->input, &what_if->stats, &what_if->selection);

    json_set (params, "files",
              json_int ((int64_t)what_if->input.n_trajectories));
    json_set (params, "left_out", json_ref (what_if->left_out));
    if (as_json)
        print_json (params);
    else
        print_table (params, tests->accurate > 0 || tests->drift > 0);
}

static enum exit_status run_select (const struct invocation *invocation)
{
    _cleanup_ (what_if_release) struct what_if what_if = WHAT_IF_INIT;
    _cleanup_json_ struct json *task = NULL;
    enum exit_status status = select_source_find (invocation, &task);

    if (status == STATUS_DONE)
        status = what_if_run (invocation, task, &what_if);
    if (status == STATUS_DONE)
        show (&what_if, invocation_option (invocation, "json") != NULL);
    return status;
}

static const struct command_option options[] = {
    WHAT_IF_SET,
    { "rules", "FILE",
      "read inputs, as a stage's `with:` has them, from YAML or JSON" },
    { "stage", "NAME", "begin with the inputs of this stage of the campaign" },
    { "iteration", "N",
      "look at this iteration of the stage (default: the newest)" },
    { "json", NULL, "print the numbers as JSON" },
    { 0 },
};

const struct command select_command = {
    .name = "select",
    .arguments = "[PATH...]",
    .summary = "show what other levels would select; write nothing",
    .max_args = 1000000,
    .options = options,
    .run = run_select,
};
