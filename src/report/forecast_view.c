/* SPDX-License-Identifier: BSD-3-Clause */
/* forecast_view.c - what the rest of a campaign may take, as JSON */
#include "base/base.h"

#include "base/json.h"
#include "base/units.h"
#include "campaign/plan.h"
#include "engine/history/state.h"
#include "engine/observe/scheduler_access.h"
#include "report/forecast.h"
#include "report/forecast_view.h"
#include "report/plan_view.h"
#include "report/table.h"
#include "report/time_left.h"

/* --- what is assumed --- */

static bool is_stage (const struct plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->n_stages; i++) {
        if (stage_is_of (plan->stages[i].name, name))
            return true;
    }
    return false;
}

/* "train=2h*4" */
static int read_assumed (const struct plan *plan, const char *word,
                         struct json *assume, struct error *err)
{
    size_t length = strcspn (word, "=");
    _cleanup_free_ char *name = xstrndup (word, length);
    const char *value = word + length + (word[length] == '=');
    _cleanup_free_ char *time = xstrndup (value, strcspn (value, "*"));
    const char *tasks = strchr (value, '*');
    char *end = NULL;
    long long n = tasks ? strtoll (tasks + 1, &end, 10) : 0;
    struct json *v;
    double s;

    if (!is_stage (plan, name))
        return error_set (err, "there is no stage '%s'", name);
    if (parse_duration (time, &s) < 0 || s <= 0
        || (tasks && (n < 1 || n > INT32_MAX || *end)))
        return error_set (err,
                          "'%s' does not say how long a task takes; write "
                          "%s=20m, or %s=20m*40 for 40 tasks",
                          word, name, name);
    v = json_object ();
    json_set (v, "task_s", json_real (s));
    if (tasks)
        json_set (v, "tasks", json_int (n));
    json_set (assume, name, v);
    return 0;
}

struct json *forecast_assume (const struct plan *plan, const char *text,
                              struct error *err)
{
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    _cleanup_json_ struct json *assume = json_object ();

    strvec_split (&words, text, ",");
    for (size_t i = 0; i < words.n; i++) {
        if (read_assumed (plan, words.v[i], assume, err) < 0)
            return NULL;
    }
    return json_ref (assume);
}

static const struct json *assumed_of (const struct json *assume,
                                      const char *stage)
{
    JSON_FOREACH (assume, it) {
        if (stage_is_of (stage, json_iter_key (it)))
            return json_iter_value (it);
    }
    return NULL;
}

/* --- what was seen --- */

/* Of one stage, in all iterations. */
struct seen {
    struct size_counts times;
    int64_t *counts;
    size_t n_counts;
    int64_t tries, ok;             /* that ran */
    const struct attempt *attempt; /* the first of the latest; NULL: none */
};

static void see_tasks (const struct stage_state *s, struct seen *seen)
{
    for (int32_t i = 0; i < s->n_tasks; i++) {
        seen->tries += s->tasks[i].tries;
        seen->ok += s->tasks[i].tries > 0 && s->tasks[i].outcome == OUTCOME_OK;
    }
    if (s->n_attempts > 0)
        seen->attempt = &s->attempts[0]; /* of all its tasks */
    size_counts_add_all (&seen->times, &s->sizes.of[SIZE_WALLTIME]);
}

static void see (const struct state *state, const char *name, struct seen *seen)
{
    seen->counts = xcalloc (state->n_iterations + 1, sizeof (*seen->counts));
    for (int i = 0; i <= state_iteration (state); i++) {
        const struct stage_state *s = state_stage (state, i, name);

        if (!s)
            continue;
        see_tasks (s, seen);
        if (s->status == STAGE_SKIPPED || s->n_tasks > 0)
            seen->counts[seen->n_counts++] = s->n_tasks;
    }
}

static void seen_release (struct seen *seen)
{
    size_counts_release (&seen->times);
    free (seen->counts);
}

/* --- a stage to play --- */

static const struct json *view_of (const struct json *view, const char *name)
{
    const struct json *stages = json_get (view, "stages");
    size_t i = 0;

    while (i < json_count (stages)
           && strcmp (json_get_string (json_at (stages, i), "name"), name))
        i++;
    return json_at (stages, i);
}

/* What is written down, or assumed, holds for every iteration. */
static void set_count (const struct json *v, const struct json *assumed,
                       struct seen *seen)
{
    int64_t n = json_get_int (assumed, "tasks");

    if (n == 0 && !json_get (v, "only_iteration"))
        n = json_get_int (v, "tasks");
    if (n == 0)
        return;
    seen->counts[0] = n;
    seen->n_counts = 1;
}

/* How its most tasks would be packed; *share: the part of a node that one has,
 * 0: that is not known, and all run at a time.
 */
static struct packing plan_packing (const struct stage *stage,
                                    const struct scheduler_limits *site,
                                    const struct seen *seen, double task_s,
                                    double *share)
{
    const struct array_limits limits = limits_at_site (stage->profile, site);
    struct packing packing = { .slots = 1, .elements = 1 };
    struct node_capacity room;

    for (size_t i = 0; i < seen->n_counts; i++) {
        if (seen->counts[i] > packing.elements)
            packing.elements = seen->counts[i];
    }
    *share = 0;
    if (node_capacity_of (stage->profile, &stage->needs,
                          site->node_cores > 0 ? site : NULL, &room, NULL)
            < 0
        || packing_plan (packing.elements, &stage->needs, task_s, &room,
                         &limits, &packing, NULL)
               < 0)
        return packing;
    *share = (double)packing.nodes * packing.cores
             / (room.cores + room.reserved_cores) / packing.slots;
    return packing;
}

/* As it ran last, or would run. */
static void set_slots (const struct stage *stage,
                       const struct scheduler_limits *site,
                       const struct seen *seen, struct forecast_stage *to)
{
    int64_t running = stage->profile->limits.running;
    struct packing packing =
        plan_packing (stage, site, seen, to->assumed_s, &to->node_share);

    if (seen->attempt)
        packing = seen->attempt->packing;
    if (seen->attempt && seen->attempt->node_share > 0)
        to->node_share = seen->attempt->node_share;
    if (running > 0 && packing.elements > running)
        packing.elements = running;
    to->at_a_time = packing.elements * packing.slots;
    if (to->at_a_time < 1)
        to->at_a_time = 1;
}

/* How it stands in the current iteration. */
static void set_now (const struct state *state, const char *name,
                     struct forecast_stage *to)
{
    int iteration = state_iteration (state);
    const struct stage_state *s = state_stage (state, iteration, name);

    if (state->status == CAMPAIGN_DONE
        || (iteration >= 0 && state->iterations[iteration].closed))
        to->now = FORECAST_OVER;
    else if (!s || s->status == STAGE_WAITING)
        to->now = FORECAST_TO_COME;
    else if (s->status == STAGE_DONE || s->status == STAGE_SKIPPED)
        to->now = FORECAST_OVER;
    else {
        to->now = FORECAST_RUNS; /* of one that failed after a retry */
        to->left = s->n_tasks - s->by_outcome[OUTCOME_OK];
    }
}

static void set_stage (const struct stage *stage, const struct state *state,
                       const struct scheduler_limits *site,
                       const struct json *view, const struct json *assume,
                       struct seen *seen, struct forecast_stage *to)
{
    const struct json *v = view_of (view, stage->name);
    const struct json *assumed = assumed_of (assume, stage->name);

    see (state, stage->name, seen);
    set_count (v, assumed, seen);
    *to = (struct forecast_stage){
        .times = &seen->times,
        .assumed_s = json_get_double (assumed, "task_s"),
        .failing = seen->tries > seen->ok
                       ? (double)(seen->tries - seen->ok) / (double)seen->tries
                       : 0,
        .tries = stage->retry[OUTCOME_FAILED].tries,
        .counts = seen->counts,
        .n_counts = seen->n_counts,
        .after = stage->after,
        .n_after = stage->n_after,
    };
    if (to->tries < 1)
        to->tries = 1;
    set_slots (stage, site, seen, to);
    set_now (state, stage->name, to);
}

/* --- as JSON --- */

static struct json *range_json (const struct forecast_range *range, bool known)
{
    struct json *v;

    if (!known)
        return json_null ();
    v = json_array ();
    json_push (v, json_real (range->least));
    json_push (v, json_real (range->most));
    return v;
}

static struct json *stage_json (const char *name,
                                const struct forecast_stage *stage,
                                const struct forecast *forecast, bool known)
{
    struct json *v = json_object ();
    struct json *tasks = json_array ();

    for (size_t i = 0; i < stage->n_counts; i++)
        json_push (tasks, json_int (stage->counts[i]));
    json_set (v, "name", json_string (name));
    json_set (v, "tasks", tasks);
    json_set (v, "at_a_time", json_int (stage->at_a_time));
    json_set (v, "seen", json_int (size_counts_tasks (stage->times)));
    json_set (v, "assumed_s",
              stage->assumed_s > 0 ? json_real (stage->assumed_s)
                                   : json_null ());
    json_set (v, "failing", json_real (stage->failing));
    json_set (v, "time_s", range_json (&forecast->s, known));
    json_set (
        v, "node_hours",
        range_json (&forecast->node_hours, known && stage->node_share > 0));
    json_set (v, "unknown",
              forecast_knows (stage) ? json_null ()
              : stage->n_counts == 0 ? json_string ("how many tasks it has")
                                     : json_string ("how long a task takes"));
    return v;
}

/* The iterations to come, with the current one. */
static int64_t iterations_left (const struct plan *plan,
                                const struct state *state)
{
    int64_t now = state_iteration (state) < 0 ? 0 : state_iteration (state);
    int64_t left = plan_iterations (plan) - now;

    return (state->status == CAMPAIGN_DONE && state->converged) || left < 1
               ? 1
               : left;
}

struct json *forecast_json (const struct plan *plan, const struct state *state,
                            const struct plan_site *sites,
                            const struct json *view, const struct json *assume,
                            int plays)
{
    const size_t n = plan->n_stages;
    _cleanup_free_ struct forecast_stage *stages =
        xcalloc (n + 1, sizeof (*stages));
    _cleanup_free_ struct seen *seen = xcalloc (n + 1, sizeof (*seen));
    _cleanup_free_ struct forecast *of = xcalloc (n + 1, sizeof (*of));
    struct json *v = json_object (), *list = json_array ();
    bool known = true, shares = true, over = true;

    for (size_t i = 0; i < n; i++) {
        const struct stage *stage = &plan->stages[i];

        set_stage (stage, state, &sites[stage->profile - plan->profiles].limits,
                   view, assume, &seen[i], &stages[i]);
        known = known && forecast_knows (&stages[i]);
        over = over && stages[i].now == FORECAST_OVER;
        shares = shares && stages[i].node_share > 0;
    }
    if (known)
        forecast_play (stages, n, iterations_left (plan, state), plays,
                       (uint64_t)plan->seed, of, &of[n]);
    for (size_t i = 0; i < n; i++) {
        json_push (
            list, stage_json (plan->stages[i].name, &stages[i], &of[i], known));
        seen_release (&seen[i]);
    }
    json_set (v, "plays", json_int (plays));
    json_set (v, "iterations", json_int (iterations_left (plan, state) - over));
    json_set (v, "time_s", range_json (&of[n].s, known));
    json_set (v, "node_hours", range_json (&of[n].node_hours, known && shares));
    json_set (v, "stages", list);
    return v;
}

/* --- for people --- */

static void add_cell (struct strvec *cells, struct strbuf *text)
{
    strvec_push (cells, text->len > 0 ? text->buf : "-");
    strbuf_reset (text);
}

static void one_text (double hours, struct strbuf *out)
{
    strbuf_reset (out);
    if (hours >= 100)
        strbuf_addf (out, "%.0f", hours);
    else
        strbuf_addf (out, "%.3g", hours);
}

/* "1.67", "1.5 to 2", "12500 to 13000" */
static void hours_text (double least, double most, struct strbuf *out)
{
    _cleanup_ (strbuf_release) struct strbuf first = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf last = STRBUF_INIT;

    one_text (least, &first);
    one_text (most, &last);
    if (strcmp (first.buf, last.buf) != 0)
        strbuf_addf (out, "%s to ", first.buf);
    strbuf_add_str (out, last.buf);
}

static void add_ranges (const struct json *v, struct strvec *cells)
{
    const struct json *time = json_get (v, "time_s");
    const struct json *hours = json_get (v, "node_hours");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (json_count (time) == 2) {
        const struct time_range range = { true,
                                          json_as_double (json_at (time, 0)),
                                          json_as_double (json_at (time, 1)) };

        time_range_text (&range, &text);
    }
    add_cell (cells, &text);
    if (json_count (hours) == 2)
        hours_text (json_as_double (json_at (hours, 0)),
                    json_as_double (json_at (hours, 1)), &text);
    add_cell (cells, &text);
}

/* "40", "0 to 40" */
static void counts_text (const struct json *counts, struct strbuf *out)
{
    int64_t least = json_as_int (json_at (counts, 0)), most = least;

    for (size_t i = 1; i < json_count (counts); i++) {
        int64_t n = json_as_int (json_at (counts, i));

        least = n < least ? n : least;
        most = n > most ? n : most;
    }
    if (json_count (counts) > 0)
        strbuf_addf (out, "%" PRId64, least);
    if (most > least)
        strbuf_addf (out, " to %" PRId64, most);
}

static void add_row (const struct json *stage, struct strvec *cells)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    strvec_push (cells, json_get_string (stage, "name"));
    counts_text (json_get (stage, "tasks"), &text);
    add_cell (cells, &text);
    strbuf_addf (&text, "%lld", (long long)json_get_int (stage, "at_a_time"));
    add_cell (cells, &text);
    if (!json_is_null (json_get (stage, "assumed_s")))
        strbuf_add_str (&text, "assumed");
    else
        format_count (json_get_int (stage, "seen"), "task", &text);
    add_cell (cells, &text);
    add_ranges (stage, cells);
}

static void unknown_text (const struct json *stage, struct strbuf *out)
{
    const char *unknown = json_get_string (stage, "unknown");
    const char *name = json_get_string (stage, "name");

    if (*unknown)
        strbuf_addf (out,
                     "%s: %s is not known yet; write --assume %s=20m*40 for 40 "
                     "tasks of 20 minutes\n",
                     name, unknown, name);
}

void forecast_text (const struct json *forecast, struct strbuf *out)
{
    const struct json *stages = json_get (forecast, "stages");
    _cleanup_ (strvec_release) struct strvec cells = STRVEC_INIT;

    format_count (json_get_int (forecast, "iterations"), "iteration", out);
    strbuf_addf (out,
                 " to the end, without waits in queues; of %lld plays a tenth "
                 "is below each range and a tenth above\n",
                 (long long)json_get_int (forecast, "plays"));
    strvec_split (&cells, "stage tasks at-a-time by time node-hours", " ");
    for (size_t i = 0; i < json_count (stages); i++)
        add_row (json_at (stages, i), &cells);
    strvec_push (&cells, "all");
    for (int i = 0; i < 3; i++)
        strvec_push (&cells, "");
    add_ranges (forecast, &cells);
    table_text (&cells, 6, out);
    for (size_t i = 0; i < json_count (stages); i++)
        unknown_text (json_at (stages, i), out);
}
