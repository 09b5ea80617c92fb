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
#include "report/table.h"
#include "report/usage_view.h"
#include "space/lease.h"

enum { CHECKPOINTS_SHOWN = 3, REPORTS_SHOWN = 3, ITERATIONS_SHOWN = 20 };

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

    if (!state->chained || state->status != CAMPAIGN_RUNNING)
        return;
    chain = chain_json (state);
    chain_json_text (chain, out);
    json_unref (chain);
}

const char *status_word (const struct state *state, bool driven)
{
    if (state->n_iterations == 0 && state->status == CAMPAIGN_RUNNING
        && !driven)
        return "not begun";
    if (state->status == CAMPAIGN_RUNNING && !driven)
        return "waiting";
    return campaign_status_name (state->status);
}

/* What runs of a stage's open attempt. */
struct running {
    int32_t tasks;
    struct time_spans spans; /* of the agents that run them, until now */
};

/* Started and not ended, on an element of which something is queued or running
 * still; one that was killed has no end.
 */
static void add_running (const struct stage_state *stage,
                         const struct observed_attempt *seen,
                         const struct observed_submission *submission,
                         double now_s, struct running *running)
{
    for (int64_t e = 0; e < submission->n_elements; e++) {
        const struct task_range *bundle = &submission->bundles[e];
        int32_t n = 0;

        for (int32_t t = -1; (t = task_range_next (bundle, t)) >= 0;)
            n += stage->tasks[t].outcome == OUTCOME_NONE
                 && seen->logs->tasks[t].outcome == OUTCOME_NONE
                 && seen->logs->tasks[t].started;
        running->tasks += n;
        if (n > 0 && submission->read[e].claimed_s > 0)
            time_spans_add (&running->spans, submission->read[e].claimed_s,
                            now_s);
    }
}

static struct running find_running (const struct stage_state *stage,
                                    const struct observed_attempt *seen,
                                    double now_s)
{
    const struct attempt *attempt = stage_open_attempt (stage);
    struct running running = { 0 };

    for (size_t i = 0; seen && attempt && i < seen->n_submissions; i++) {
        const struct submission *s = &attempt->submissions[i];

        if (s->status == SUBMISSION_RELEASED && s->over_s <= 0)
            add_running (stage, seen, &seen->submissions[i], now_s, &running);
    }
    return running;
}

/* How a task stands, the logs' newest words included. */
static enum outcome task_outcome (const struct stage_state *stage,
                                  const struct observed_attempt *seen,
                                  int32_t task)
{
    enum outcome outcome = (enum outcome)stage->tasks[task].outcome;

    return outcome == OUTCOME_NONE && seen
               ? (enum outcome)seen->logs->tasks[task].outcome
               : outcome;
}

static struct json *task_counts (const struct stage_state *stage,
                                 const struct observed_attempt *seen,
                                 int32_t running)
{
    int32_t n[OUTCOME_COUNT] = { 0 };
    struct json *v = json_object ();

    for (int32_t i = 0; i < stage->n_tasks; i++)
        n[task_outcome (stage, seen, i)]++;
    n[OUTCOME_NONE] -= running;
    for (int o = 0; o < OUTCOME_COUNT; o++) {
        if (n[o] > 0 || o == OUTCOME_OK)
            json_set (v, outcome_name ((enum outcome)o), json_int (n[o]));
    }
    if (running > 0)
        json_set (v, "running", json_int (running));
    return v;
}

/* The first few that did not end well. */
static struct json *failures_view (const struct stage_state *stage,
                                   const struct observed_attempt *seen)
{
    struct json *list = json_array ();

    for (int32_t i = 0;
         i < stage->n_tasks && json_count (list) < STATUS_FAILURES_SHOWN; i++) {
        enum outcome outcome = task_outcome (stage, seen, i);
        struct json *v;

        if (outcome == OUTCOME_NONE || outcome == OUTCOME_OK)
            continue;
        v = json_object ();
        json_set (v, "task", json_int (i));
        json_set (v, "outcome", json_string (outcome_name (outcome)));
        json_push (list, v);
    }
    return list;
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

        if (s->note && s->status == SUBMISSION_RELEASED)
            return note_json (s);
    }
    return json_string (state->why);
}

const struct json *status_checkpoint (const struct stage_state *stage,
                                      int32_t task)
{
    const struct json *v;
    char key[16];

    if (stage->status != STAGE_PREPARED || !stage->checkpoints
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
    enum stage_status status = state ? state->status : STAGE_WAITING;
    const struct observed_attempt *seen =
        observations_find (observations, stage->name);
    struct running running;
    struct time_spans ran;

    json_set (v, "iteration", json_int (iteration));
    json_set (v, "name", json_string (stage->name));
    json_set (v, "operator", json_string (stage->op->name));
    json_set (v, "state", json_string (stage_status_name (status)));
    json_set (v, "why", state ? stage_why (state) : json_null ());
    if (!state) {
        json_set (v, "tasks", json_object ());
        return v;
    }
    running = find_running (state, seen, observations->now_s);
    ran = state->usage.ran;
    time_spans_add_all (&ran, &running.spans);
    json_set (v, "tasks", task_counts (state, seen, running.tasks));
    json_set (v, "count", json_int (state->n_tasks));
    json_set (v, "attempts", json_int ((int64_t)state->n_attempts));
    json_set (v, "wall_s",
              ran.n > 0 ? json_real (time_spans_total_s (&ran)) : NULL);
    json_set (v, "used", usage_json (&state->usage));
    json_set (v, "failures", failures_view (state, seen));
    json_set (v, "checkpoints", checkpoints_view (state));
    json_set (v, "reports",
              running_reports (engine, stage, iteration, state, seen));
    json_set (v, "retired", retired_view (state));
    return v;
}

static struct json *history_view (const struct state *state)
{
    struct json *list = json_array ();

    for (size_t i = 0; i < state->n_iterations; i++) {
        const struct iteration_state *it = &state->iterations[i];
        struct usage usage = { .ran = { 0 } };
        struct json *v;

        if (!it->closed)
            continue;
        usage_of_iteration (it, &usage);
        v = json_object ();
        json_set (v, "iteration", json_int ((int64_t)i));
        if (it->phase)
            json_set (v, "phase", json_string (it->phase));
        json_set (v, "wall_s", json_real (time_spans_total_s (&usage.ran)));
        json_set (v, "used", usage_json (&usage));
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
    struct usage usage = { .ran = { 0 } };

    usage_of_campaign (state, &usage);
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
    json_set (v, "used", usage_json (&usage));
    json_set (v, "stages", stages);
    json_set (v, "history", history_view (state));
    return v;
}

/* --- for people --- */

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

/* Values are shown in the order of the first row, of the latest iterations;
 * what we add comes last.
 */
static void history_text (const struct json *history, struct strbuf *out)
{
    const struct json *first = json_at (history, 0);
    size_t n = json_count (history);
    size_t first_shown = n > ITERATIONS_SHOWN + 1 ? n - ITERATIONS_SHOWN : 0;
    struct strvec cells = STRVEC_INIT;
    struct strbuf text = STRBUF_INIT;

    if (first_shown > 0)
        strbuf_addf (out, "(the first %zu iterations: --json)\n", first_shown);
    JSON_FOREACH (first, it) {
        if (!is_ours (json_iter_key (it)))
            strvec_push (&cells, json_iter_key (it));
    }
    strvec_push (&cells, "wall");
    strvec_push (&cells, "node-hours");
    strvec_push (&cells, "lost");
    for (size_t i = first_shown; i < json_count (history); i++) {
        const struct json *row = json_at (history, i);

        JSON_FOREACH (first, it) {
            if (is_ours (json_iter_key (it)))
                continue;
            value_text (json_get (row, json_iter_key (it)), &text);
            add_cell (&cells, &text);
        }
        format_duration (json_get_double (row, "wall_s"), &text);
        add_cell (&cells, &text);
        add_hours_cells (json_get (row, "used"), &text, &cells);
    }
    if (json_count (history) > 0)
        table_text (&cells, json_count (first) + 1, out);
    strbuf_release (&text);
    strvec_release (&cells);
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

static void stages_text (const struct json *stages, struct strbuf *out)
{
    struct strvec cells = STRVEC_INIT;
    struct strbuf text = STRBUF_INIT;

    strvec_split (&cells, "stage state tasks wall node-hours lost", " ");
    for (size_t i = 0; i < json_count (stages); i++) {
        const struct json *s = json_at (stages, i);

        strvec_push (&cells, json_get_string (s, "name"));
        strvec_push (&cells, json_get_string (s, "state"));
        counts_text (json_get (s, "tasks"), &text);
        add_cell (&cells, &text);
        if (!json_is_null (json_get (s, "wall_s")))
            format_duration (json_get_double (s, "wall_s"), &text);
        add_cell (&cells, &text);
        add_hours_cells (json_get (s, "used"), &text, &cells);
    }
    table_text (&cells, 6, out);
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

/* Sentences are not put into the table: they are longer than a line. */
static void why_text (const struct json *stage, struct strbuf *out)
{
    const char *why = json_get_string (stage, "why");

    if (*why)
        strbuf_addf (out, "%s: %s\n", json_get_string (stage, "name"), why);
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
        failures_text (json_at (json_get (view, "stages"), i), out);
        retired_text (json_at (json_get (view, "stages"), i), out);
        checkpoints_text (json_at (json_get (view, "stages"), i), out);
        reports_text (json_at (json_get (view, "stages"), i), out);
    }
}
