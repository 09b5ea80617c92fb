/* SPDX-License-Identifier: BSD-3-Clause */
/* status_text.c - where a campaign stands, as people read it */
#include "base/base.h"

#include "base/json.h"
#include "base/units.h"
#include "engine/history/state.h"
#include "engine/history/version_lines.h"
#include "report/notice_view.h"
#include "report/reuse_view.h"
#include "report/scheduler_view.h"
#include "report/science_view.h"
#include "report/status_view.h"
#include "report/table.h"
#include "report/usage_view.h"

enum { CHECKPOINTS_SHOWN = 3, REPORTS_SHOWN = 3, ITERATIONS_SHOWN = 20 };

/* --- who drives on --- */

static void add_dependency_job (const struct json *dependency_job,
                                struct strbuf *out)
{
    const struct json *after = json_get (dependency_job, "after");
    const struct json *at_s = json_get (dependency_job, "at_s");

    strbuf_addf (out, "job %s drives on",
                 json_get_string (dependency_job, "job"));
    if (!json_is_null (after))
        strbuf_addf (out, " when job %s has ended", json_as_string (after));
    else if (!json_is_null (at_s)) {
        strbuf_add_str (out, " at ");
        time_text (json_as_double (at_s), out);
    }
}

static void chain_json_text (const struct json *chain, struct strbuf *out)
{
    bool first = true;

    for (size_t i = 0; i < json_count (chain); i++) {
        const struct json *dependency_job = json_at (chain, i);

        if (json_is_null (json_get (dependency_job, "job")))
            continue;
        if (!first)
            strbuf_add_str (out, ", ");
        add_dependency_job (dependency_job, out);
        first = false;
    }
    if (first)
        strbuf_add_str (out, "no job will drive on; call `fanfold submit "
                             "--chain` again");
}

void chain_text (const struct state *state, struct strbuf *out)
{
    _cleanup_json_ struct json *chain = NULL;

    if (!state->chained || state->status != CAMPAIGN_RUNNING)
        return;
    chain = chain_json (state);
    chain_json_text (chain, out);
}

void checkpoint_text (const struct json *checkpoint, struct strbuf *out)
{
    int64_t files = json_get_int (checkpoint, "files");

    strbuf_addf (out, "try %lld (%s",
                 (long long)json_get_int (checkpoint, "try"),
                 json_get_string (checkpoint, "name"));
    if (files > 1)
        strbuf_addf (out, " and %lld more", (long long)files - 1);
    strbuf_add_str (out, ", ");
    format_bytes (json_get_int (checkpoint, "bytes"), out);
    strbuf_add_char (out, ')');
}

/* A value of the history: four significant digits, "-" for null. */
static void value_text (const struct json *value, struct strbuf *out)
{
    switch (json_kind (value)) {
    case JSON_KIND_NULL:
        strbuf_add_str (out, "-");
        break;
    case JSON_KIND_REAL:
        strbuf_addf (out, "%.4g", json_as_double (value));
        break;
    case JSON_KIND_STRING:
        strbuf_add_str (out, json_as_string (value));
        break;
    default:
        json_dump (value, JSON_COMPACT, out);
    }
}

static void add_cell (struct strvec *cells, struct strbuf *text)
{
    strvec_push (cells, text->buf);
    strbuf_reset (text);
}

/* All that was used, and what of it was lost to tries that failed. */
static void add_hours_cells (const struct json *used, struct strbuf *text,
                             struct strvec *cells)
{
    node_hours_text (used, text);
    add_cell (cells, text);
    node_hours_text (json_get (used, "lost"), text);
    add_cell (cells, text);
}

static bool is_ours (const char *key)
{
    return strcmp (key, "wall_s") == 0 || strcmp (key, "used") == 0;
}

/* The values that any row has, in the order in which they came up: an edit may
 * add some.
 */
static void history_columns (const struct json *history, struct strvec *names)
{
    for (size_t i = 0; i < json_count (history); i++) {
        JSON_FOREACH (json_at (history, i), it) {
            const char *name = json_iter_key (it);

            if (!is_ours (name) && !strvec_contains (names, name))
                strvec_push (names, name);
        }
    }
}

/* The latest iterations; what we add comes last. */
static void history_text (const struct json *history, struct strbuf *out)
{
    size_t n = json_count (history);
    size_t first_shown = n > ITERATIONS_SHOWN + 1 ? n - ITERATIONS_SHOWN : 0;
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec cells = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (first_shown > 0)
        strbuf_addf (out, "(the first %zu iterations: --json)\n", first_shown);
    history_columns (history, &names);
    for (size_t i = 0; i < names.n; i++)
        strvec_push (&cells, names.v[i]);
    strvec_push (&cells, "wall");
    strvec_push (&cells, "node-hours");
    strvec_push (&cells, "lost");
    for (size_t i = first_shown; i < n; i++) {
        const struct json *row = json_at (history, i);

        for (size_t k = 0; k < names.n; k++) {
            value_text (json_get (row, names.v[k]), &text);
            add_cell (&cells, &text);
        }
        format_duration (json_get_double (row, "wall_s"), &text);
        add_cell (&cells, &text);
        add_hours_cells (json_get (row, "used"), &text, &cells);
    }
    if (n > 0)
        table_text (&cells, names.n + 3, out);
}

static void count_text (const char *name, const struct json *count,
                        struct strbuf *text)
{
    if (json_as_int (count) > 0)
        strbuf_addf (text, "%s%lld %s", text->len > 0 ? ", " : "",
                     (long long)json_as_int (count), name);
}

/* What is over, what runs, what waits; then what did not go well. */
static void counts_text (const struct json *tasks, struct strbuf *text)
{
    static const char *const first[] = { "ok", "running", "pending" };

    for (size_t i = 0; i < ARRAY_SIZE (first); i++)
        count_text (first[i], json_get (tasks, first[i]), text);
    JSON_FOREACH (tasks, it) {
        const char *name = json_iter_key (it);
        bool told = false;

        for (size_t i = 0; i < ARRAY_SIZE (first); i++)
            told = told || strcmp (name, first[i]) == 0;
        if (!told)
            count_text (name, json_iter_value (it), text);
    }
}

static void add_duration_cell (const struct json *duration_s,
                               struct strbuf *text, struct strvec *cells)
{
    if (!json_is_null (duration_s))
        format_duration (json_as_double (duration_s), text);
    add_cell (cells, text);
}

static void stages_text (const struct json *stages, struct strbuf *out)
{
    _cleanup_ (strvec_release) struct strvec cells = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    strvec_split (&cells, "stage state tasks mean wall node-hours lost", " ");
    for (size_t i = 0; i < json_count (stages); i++) {
        const struct json *s = json_at (stages, i);

        strvec_push (&cells, json_get_string (s, "name"));
        strvec_push (&cells, json_get_string (s, "state"));
        counts_text (json_get (s, "tasks"), &text);
        reused_count_text (json_get_int (s, "reused_tasks"), &text);
        add_cell (&cells, &text);
        add_duration_cell (json_get (s, "task_s"), &text, &cells);
        add_duration_cell (json_get (s, "wall_s"), &text, &cells);
        add_hours_cells (json_get (s, "used"), &text, &cells);
    }
    table_text (&cells, 7, out);
}

/* What tasks go on from: the first few. */
static void checkpoints_text (const struct json *stage, struct strbuf *out)
{
    const struct json *list = json_get (stage, "checkpoints");
    size_t n = json_count (list);

    for (size_t i = 0; i < n && i < CHECKPOINTS_SHOWN; i++) {
        const struct json *v = json_at (list, i);

        strbuf_addf (out, "%s: task %lld continues from a checkpoint of ",
                     json_get_string (stage, "name"),
                     (long long)json_get_int (v, "task"));
        checkpoint_text (v, out);
        strbuf_add_char (out, '\n');
    }
    if (n > CHECKPOINTS_SHOWN)
        strbuf_addf (out, "%s: and %zu tasks more\n",
                     json_get_string (stage, "name"), n - CHECKPOINTS_SHOWN);
}

/* Sentences are not put into the table: they are longer than a line. */
static void why_text (const struct json *stage, struct strbuf *out)
{
    const char *name = json_get_string (stage, "name");
    const char *why = json_get_string (stage, "why");
    const char *unsteady = json_get_string (stage, "unsteady");

    if (*why) {
        strbuf_addf (out, "%s: %s", name, why);
        if (json_get (stage, "since_s")) {
            strbuf_add_str (out, "; since ");
            time_text (json_get_double (stage, "since_s"), out);
        }
        strbuf_add_char (out, '\n');
    } else if (*unsteady)
        strbuf_addf (out, "%s: unsteady: %s" UNSTEADY_MEANS "\n", name,
                     unsteady);
}

static void versions_text (const struct json *stage, struct strbuf *out)
{
    if (!json_get (stage, "versions"))
        return;
    strbuf_addf (out, "%s: its tasks ran by different versions of the code: ",
                 json_get_string (stage, "name"));
    version_lines_text (json_get (stage, "versions"), out);
    strbuf_add_char (out, '\n');
}

/* Which tasks failed, and what they said last. */
static void failures_text (const struct json *stage, struct strbuf *out)
{
    const struct json *list = json_get (stage, "failures");

    for (size_t i = 0; i < json_count (list); i++) {
        const struct json *v = json_at (list, i);
        const char *said = json_get_string (v, "said");

        strbuf_addf (out, "%s: task %lld (%s)%s%s\n",
                     json_get_string (stage, "name"),
                     (long long)json_get_int (v, "task"),
                     json_get_string (v, "outcome"), *said ? ": " : "", said);
    }
}

static void retired_text (const struct json *stage, struct strbuf *out)
{
    const struct json *list = json_get (stage, "retired");

    for (size_t i = 0; i < json_count (list); i++)
        strbuf_addf (out, "%s: %s\n", json_get_string (stage, "name"),
                     json_as_string (json_at (list, i)));
}

/* What tasks report: the first few, and from which program. */
static void reports_text (const struct json *stage, struct strbuf *out)
{
    const struct json *list = json_get (stage, "reports");
    size_t n = json_count (list);

    for (size_t i = 0; i < n && i < REPORTS_SHOWN; i++) {
        const struct json *v = json_at (list, i);

        strbuf_addf (
            out, "%s: task %lld, %s: ", json_get_string (stage, "name"),
            (long long)json_get_int (v, "task"), json_get_string (v, "name"));
        json_dump (json_get (v, "report"), JSON_COMPACT, out);
        strbuf_add_char (out, '\n');
    }
    if (n > REPORTS_SHOWN)
        strbuf_addf (out, "%s: and %zu tasks more that report\n",
                     json_get_string (stage, "name"), n - REPORTS_SHOWN);
}

bool reason_names_command (const char *why)
{
    return why && strstr (why, "`fanfold ");
}

/* More iterations do not help where it has converged, and a stricter rule does
 * not where there are no more.
 */
static void done_text (const struct json *view, struct strbuf *out)
{
    const char *changed = json_as_string (json_get (view, "changed"));
    const char *phase = json_get (view, "phase") ? "add a phase, " : "";

    if (*changed)
        strbuf_addf (
            out,
            "campaign.yaml says something else of '%s' than what was "
            "done; `fanfold redo %s` does it again, and what follows\n",
            changed, changed);
    else if (json_as_bool (json_get (view, "converged")))
        strbuf_addf (
            out,
            "to go on %stighten `stop:`, then `fanfold run`; or change "
            "a stage (levels, systems), then `fanfold redo STAGE`\n",
            phase);
    else
        strbuf_addf (
            out, "to go on %sraise `iterations:`, then `fanfold run`\n", phase);
}

/* What a person can do where the campaign stands still. */
static void remedy_text (const struct json *view, struct strbuf *out)
{
    const struct json *stages = json_get (view, "stages");
    const char *state = json_get_string (view, "state");
    size_t i = 0;

    while (i < json_count (stages)
           && strcmp (json_get_string (json_at (stages, i), "state"), "failed"))
        i++;
    if (reason_names_command (json_get_string (view, "why")))
        return;
    if (strcmp (state, "failed") == 0 && i < json_count (stages))
        strbuf_addf (out,
                     "`fanfold log %s --failed` shows why; fix it, then run "
                     "`fanfold retry`\n",
                     json_get_string (json_at (stages, i), "name"));
    else if (strcmp (state, "failed") == 0)
        strbuf_add_str (out, "fix it, then run `fanfold retry`\n");
    else if (strcmp (state, "paused") == 0)
        strbuf_add_str (out, "`fanfold resume` goes on\n");
    else if (strcmp (state, "done") == 0)
        done_text (view, out);
}

static void driver_text (const struct json *view, struct strbuf *out)
{
    const struct json *driver = json_get (view, "driver");
    const char *state = json_get_string (view, "state");

    if (!json_is_null (driver))
        strbuf_addf (out, "driven by pid %lld on %s\n",
                     (long long)json_get_int (driver, "pid"),
                     json_get_string (driver, "host"));
    else if (strcmp (state, "waiting") == 0
             && !json_is_null (json_get (view, "chain"))) {
        strbuf_add_str (out, "chained: ");
        chain_json_text (json_get (view, "chain"), out);
        strbuf_add_char (out, '\n');
    } else if (strcmp (state, "not begun") == 0)
        strbuf_add_str (out, "`fanfold run` begins it, `fanfold plan` shows "
                             "what that does\n");
    else if (strcmp (state, "waiting") == 0)
        strbuf_add_str (out, "no driver runs: `fanfold run`, or `fanfold "
                             "advance` from cron\n");
}

static void schedulers_text (const struct json *list, struct strbuf *out)
{
    for (size_t i = 0; i < json_count (list); i++) {
        const struct json *v = json_at (list, i);

        scheduler_outage_text (json_get_string (v, "profile"), v, out);
        strbuf_add_char (out, '\n');
    }
}

static void science_text (const struct json *science, struct strbuf *out)
{
    for (size_t i = 0; i < json_count (science); i++)
        strbuf_addf (out, "%s\n", json_as_string (json_at (science, i)));
}

void status_text (const struct json *view, struct strbuf *out)
{
    const char *why = json_get_string (view, "why");
    const struct json *ended = json_get (view, "ended");

    strbuf_addf (out, "%s: %s%s%s%s\n", json_get_string (view, "campaign"),
                 json_is_null (ended)
                     ? json_get_string (view, "state")
                     : science_ending_word (json_as_string (ended)),
                 *why ? " (" : "", why, *why ? ")" : "");
    science_text (json_get (view, "science"), out);
    quiet_text (json_get (view, "quiet"), out);
    driver_text (view, out);
    notices_text (json_get (view, "notices"), out);
    remedy_text (view, out);
    schedulers_text (json_get (view, "schedulers"), out);
    usage_text (json_get (view, "used"), out);
    if (json_count (json_get (view, "history")) > 0) {
        strbuf_add_char (out, '\n');
        history_text (json_get (view, "history"), out);
    }
    if (json_count (json_get (view, "stages")) > 0) {
        strbuf_addf (out, "\niteration %lld",
                     (long long)json_get_int (view, "iteration"));
        if (json_get (view, "phase"))
            strbuf_addf (out, ", phase %s", json_get_string (view, "phase"));
        strbuf_add_char (out, '\n');
        stages_text (json_get (view, "stages"), out);
    }
    for (size_t i = 0; i < json_count (json_get (view, "stages")); i++) {
        why_text (json_at (json_get (view, "stages"), i), out);
        versions_text (json_at (json_get (view, "stages"), i), out);
        failures_text (json_at (json_get (view, "stages"), i), out);
        retired_text (json_at (json_get (view, "stages"), i), out);
        checkpoints_text (json_at (json_get (view, "stages"), i), out);
        reports_text (json_at (json_get (view, "stages"), i), out);
    }
}
