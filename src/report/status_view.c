/* SPDX-License-Identifier: BSD-3-Clause */
/* status_view.c - where a campaign stands, as JSON */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays/outcome.h"
#include "base/alloc.h"
#include "base/compiler.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "base/units.h"
#include "campaign/plan.h"
#include "engine/history/engine.h"
#include "engine/history/state.h"
#include "engine/observe/observe.h"
#include "engine/observe/running_reports.h"
#include "report/scheduler_view.h"
#include "report/status_view.h"
#include "space/lease.h"

enum { CHECKPOINTS_SHOWN = 3, REPORTS_SHOWN = 3 };

/* "chain" of the view. */
static struct json *chain_json (const struct state *state)
{
    struct json *list;

    if (!state->chained)
        return json_null ();
    list = json_array ();
    for (size_t i = 0; i < state->n_dependency_jobs; i++) {
        const struct dependency_job *w = &state->dependency_jobs[i];
        const struct submission *after =
            w->after[0] ? state_submission (state, w->after) : NULL;
        struct json *v = json_object ();

        json_set (v, "job", json_string (w->job.id));
        json_set (v, "after", json_string (after ? after->id : NULL));
        json_set (v, "at_s", w->after[0] ? json_null () : json_real (w->at_s));
        json_push (list, v);
    }
    return list;
}

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
    struct json *chain;

    if (!state->chained || state->phase != CAMPAIGN_RUNNING)
        return;
    chain = chain_json (state);
    chain_json_text (chain, out);
    json_unref (chain);
}

const char *status_word (const struct state *state, bool driven)
{
    if (state->n_iterations == 0 && state->phase == CAMPAIGN_RUNNING && !driven)
        return "not begun";
    if (state->phase == CAMPAIGN_RUNNING && !driven)
        return "waiting";
    return campaign_phase_name (state->phase);
}

/* Tasks by outcome, the logs' newest words included. */
static struct json *task_counts (const struct stage_state *stage,
                                 const struct observed_attempt *seen)
{
    int32_t n[OUTCOME_COUNT] = { 0 };
    int32_t running = 0;
    struct json *v = json_object ();

    for (int32_t i = 0; i < stage->n_tasks; i++) {
        int outcome = stage->tasks[i].outcome;

        if (outcome == OUTCOME_NONE && seen) {
            outcome = (int)seen->logs->tasks[i].outcome;
            running += outcome == OUTCOME_NONE && seen->logs->tasks[i].started;
        }
        n[outcome]++;
    }
    n[OUTCOME_NONE] -= running;
    for (int o = 0; o < OUTCOME_COUNT; o++) {
        if (n[o] > 0 || o == OUTCOME_OK)
            json_set (v, outcome_name ((enum outcome)o), json_int (n[o]));
    }
    if (running > 0)
        json_set (v, "running", json_int (running));
    return v;
}

static struct json *note_json (const struct submission *s)
{
    struct strbuf text = STRBUF_INIT;
    struct json *v;

    strbuf_add_str (&text, s->note);
    if (s->noted_s > 0) { /* older journals have no time */
        strbuf_add_str (&text, "; since ");
        time_text (s->noted_s, &text);
    }
    v = json_string (text.buf);
    strbuf_release (&text);
    return v;
}

/* Why it stands as it does: its own reason, else what the scheduler says of a
 * job that is there.
 */
static struct json *stage_why (const struct stage_state *state)
{
    const struct attempt *attempt = stage_open_attempt (state);

    for (size_t i = 0; !state->why && attempt && i < attempt->n_submissions;
         i++) {
        const struct submission *s = &attempt->submissions[i];

        if (s->note && s->phase == SUBMISSION_RELEASED)
            return note_json (s);
    }
    return json_string (state->why);
}

const struct json *status_checkpoint (const struct stage_state *stage,
                                      int32_t task)
{
    const struct json *v;
    char key[16];

    if (stage->phase != STAGE_PREPARED || !stage->checkpoints
        || stage->tasks[task].outcome == OUTCOME_OK)
        return NULL;
    snprintf (key, sizeof (key), "%d", task);
    v = json_get (stage->checkpoints, key);
    return json_get (v, "sha256") ? v : NULL;
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

static struct json *checkpoints_view (const struct stage_state *stage)
{
    static const char *const keys[] = { "try", "name", "files", "bytes" };
    struct json *list = json_array ();

    JSON_FOREACH (stage->checkpoints, it) {
        int task = atoi (json_iter_key (it));
        const struct json *known =
            task < stage->n_tasks ? status_checkpoint (stage, task) : NULL;
        struct json *v;

        if (!known)
            continue;
        v = json_object ();
        json_set (v, "task", json_int (task));
        for (size_t i = 0; i < ARRAY_SIZE (keys); i++)
            json_set (v, keys[i], json_ref (json_get (known, keys[i])));
        json_push (list, v);
    }
    return list;
}

/* [SENTENCE] */
static struct json *retired_view (const struct stage_state *state)
{
    struct json *list = json_array ();

    JSON_FOREACH (state->retired, it)
        json_push (list, json_string (json_iter_key (it)));
    return list;
}

static struct json *stage_view (const struct engine *engine,
                                const struct stage *stage, int iteration,
                                const struct observations *observations)
{
    const struct stage_state *state =
        state_stage (&engine->state, iteration, stage->name);
    struct json *v = json_object ();
    enum stage_phase phase = state ? state->phase : STAGE_WAITING;
    double until_s;

    json_set (v, "iteration", json_int (iteration));
    json_set (v, "name", json_string (stage->name));
    json_set (v, "operator", json_string (stage->op->name));
    json_set (v, "state", json_string (stage_phase_name (phase)));
    json_set (v, "why", state ? stage_why (state) : json_null ());
    if (!state) {
        json_set (v, "tasks", json_object ());
        return v;
    }
    json_set (
        v, "tasks",
        task_counts (state, observations_find (observations, stage->name)));
    json_set (v, "count", json_int (state->n_tasks));
    json_set (v, "attempts", json_int ((int64_t)state->n_attempts));
    until_s = state->ended_s > 0 ? state->ended_s : observations->now_s;
    json_set (v, "wall_s",
              state->began_s > 0 ? json_real (until_s - state->began_s) : NULL);
    json_set (v, "checkpoints", checkpoints_view (state));
    json_set (v, "reports",
              running_reports (engine, stage, iteration, state,
                               observations_find (observations, stage->name)));
    json_set (v, "retired", retired_view (state));
    return v;
}

static struct json *history_view (const struct state *state)
{
    struct json *list = json_array ();

    for (size_t i = 0; i < state->n_iterations; i++) {
        const struct iteration_state *it = &state->iterations[i];
        struct json *v;

        if (!it->closed)
            continue;
        v = json_object ();
        json_set (v, "iteration", json_int ((int64_t)i));
        if (it->phase)
            json_set (v, "phase", json_string (it->phase));
        json_set (v, "wall_s", json_real (it->ended_s - it->began_s));
        JSON_FOREACH (it->history, h) {
            json_set (v, json_iter_key (h), json_ref (json_iter_value (h)));
        }
        json_push (list, v);
    }
    return list;
}

static struct json *driver_view (const struct lease_holder *holder)
{
    struct json *v;

    if (!holder->held)
        return json_null ();
    v = json_object ();
    json_set (v, "host", json_string (holder->host));
    json_set (v, "pid", json_int (holder->pid));
    return v;
}

struct json *status_json (const struct engine *engine,
                          const struct observations *observations,
                          const struct lease_holder *holder)
{
    const struct plan *plan = engine->plan;
    const struct state *state = &engine->state;
    int iteration = state_iteration (state);
    struct json *v = json_object ();
    struct json *stages = json_array ();

    for (size_t i = 0; iteration >= 0 && i < plan->n_stages; i++)
        json_push (stages, stage_view (engine, &plan->stages[i], iteration,
                                       observations));
    json_set (v, "campaign", json_string (plan->name));
    json_set (v, "dir", json_string (plan->dir));
    json_set (v, "state", json_string (status_word (state, holder->held)));
    json_set (v, "why", json_string (state->why));
    json_set (v, "converged", json_bool (state->converged));
    json_set (v, "iteration",
              iteration < 0 ? json_null () : json_int (iteration));
    if (iteration >= 0 && state->iterations[iteration].phase)
        json_set (v, "phase", json_string (state->iterations[iteration].phase));
    json_set (v, "driver", driver_view (holder));
    json_set (v, "chain", chain_json (state));
    json_set (v, "schedulers", scheduler_outages_json (state));
    json_set (v, "stages", stages);
    json_set (v, "history", history_view (state));
    return v;
}

/* --- for people --- */

/* Columns on the screen: UTF-8 continuation bytes take none. */
static size_t shown_width (const char *s)
{
    size_t width = 0;

    for (; *s; s++)
        width += ((unsigned char)*s & 0xc0) != 0x80;
    return width;
}

static bool is_number (const char *s)
{
    s += *s == '-';
    return (*s >= '0' && *s <= '9') || *s == '.';
}

static void format_row (char *const *cells, const size_t *widths,
                        size_t columns, struct strbuf *out)
{
    for (size_t c = 0; c < columns; c++) {
        int pad = (int)(widths[c] - shown_width (cells[c]));
        int before = is_number (cells[c]) ? pad : 0;

        strbuf_addf (out, "%*s%s%*s", before, "", cells[c], pad - before + 2,
                     "");
    }
    while (out->len > 0 && out->buf[out->len - 1] == ' ')
        strbuf_truncate (out, out->len - 1);
    strbuf_add_char (out, '\n');
}

/* Append rows of 'columns' cells (row by row in 'cells'), two blanks between
 * columns, none at line ends; numbers are aligned to the right.
 */
static void add_table (const struct strvec *cells, size_t columns,
                       struct strbuf *out)
{
    size_t *widths = xcalloc (columns, sizeof (*widths));

    for (size_t i = 0; i < cells->n; i++) {
        size_t width = shown_width (cells->v[i]);

        if (width > widths[i % columns])
            widths[i % columns] = width;
    }
    for (size_t i = 0; i + columns <= cells->n; i += columns)
        format_row (cells->v + i, widths, columns, out);
    free (widths);
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

/* Values are shown in the order of the first row; wall_s comes last. */
static void history_text (const struct json *history, struct strbuf *out)
{
    const struct json *first = json_at (history, 0);
    struct strvec cells = STRVEC_INIT;
    struct strbuf text = STRBUF_INIT;

    JSON_FOREACH (first, it) {
        if (strcmp (json_iter_key (it), "wall_s") != 0)
            strvec_push (&cells, json_iter_key (it));
    }
    strvec_push (&cells, "wall");
    for (size_t i = 0; i < json_count (history); i++) {
        const struct json *row = json_at (history, i);

        JSON_FOREACH (first, it) {
            if (strcmp (json_iter_key (it), "wall_s") == 0)
                continue;
            value_text (json_get (row, json_iter_key (it)), &text);
            add_cell (&cells, &text);
        }
        format_duration (json_get_double (row, "wall_s"), &text);
        add_cell (&cells, &text);
    }
    if (json_count (history) > 0)
        add_table (&cells, json_count (first), out);
    strbuf_release (&text);
    strvec_release (&cells);
}

static void counts_text (const struct json *tasks, struct strbuf *text)
{
    JSON_FOREACH (tasks, it) {
        if (json_as_int (json_iter_value (it)) > 0)
            strbuf_addf (text, "%s%lld %s", text->len > 0 ? ", " : "",
                         (long long)json_as_int (json_iter_value (it)),
                         json_iter_key (it));
    }
}

static void stages_text (const struct json *stages, struct strbuf *out)
{
    struct strvec cells = STRVEC_INIT;
    struct strbuf text = STRBUF_INIT;

    strvec_split (&cells, "stage state tasks wall", " ");
    strvec_push (&cells, "");
    for (size_t i = 0; i < json_count (stages); i++) {
        const struct json *s = json_at (stages, i);

        strvec_push (&cells, json_get_string (s, "name"));
        strvec_push (&cells, json_get_string (s, "state"));
        counts_text (json_get (s, "tasks"), &text);
        add_cell (&cells, &text);
        if (!json_is_null (json_get (s, "wall_s")))
            format_duration (json_get_double (s, "wall_s"), &text);
        add_cell (&cells, &text);
        strvec_push (&cells, json_get_string (s, "why"));
    }
    add_table (&cells, 5, out);
    strbuf_release (&text);
    strvec_release (&cells);
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
        strbuf_add_str (out, "nobody is driving: `fanfold run`, or `fanfold "
                             "advance` from cron\n");
    else if (strcmp (state, "done") == 0)
        strbuf_add_str (out, "to go on raise `iterations:` or tighten `stop:`, "
                             "then `fanfold run`\n");
}

static void schedulers_text (const struct json *list, struct strbuf *out)
{
    for (size_t i = 0; i < json_count (list); i++) {
        const struct json *v = json_at (list, i);

        scheduler_outage_text (json_get_string (v, "profile"), v, out);
        strbuf_add_char (out, '\n');
    }
}

void status_text (const struct json *view, struct strbuf *out)
{
    const char *why = json_get_string (view, "why");

    strbuf_addf (out, "%s: %s%s%s%s\n", json_get_string (view, "campaign"),
                 json_get_string (view, "state"), *why ? " (" : "", why,
                 *why ? ")" : "");
    driver_text (view, out);
    schedulers_text (json_get (view, "schedulers"), out);
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
        retired_text (json_at (json_get (view, "stages"), i), out);
        checkpoints_text (json_at (json_get (view, "stages"), i), out);
        reports_text (json_at (json_get (view, "stages"), i), out);
    }
}
