/* SPDX-License-Identifier: BSD-3-Clause */
/* explain_events.c - what happened to a stage, as the journal has it */
#include "base/base.h"

#include "arrays/task_range.h"
#include "base/json.h"
#include "base/units.h"
#include "campaign/config_changes.h"
#include "campaign/plan.h"
#include "commands/explain_record.h"
#include "engine/history/engine.h"
#include "engine/history/journal.h"
#include "report/request_view.h"
#include "report/scheduler_view.h"
#include "space/layout.h"

struct telling {
    const struct stage *stage;
    const char *former; /* what it was called when it was prepared */
    int iteration;
    int task;             /* -1: the stage as a whole */
    struct strvec tokens; /* of its submissions */
    int current;          /* the iteration, at the event that is told */
    bool open;            /* the stage was prepared, and has not ended */
    struct json *records;
};

/* Add a record of the event, which is lent. */
PRINTF_LIKE (4, 5)
static struct json *tell (const struct telling *telling,
                          const struct json *event, const char *detail,
                          const char *what, ...)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct json *v = json_object ();
    va_list ap;

    va_start (ap, what);
    strbuf_vaddf (&text, what, ap);
    va_end (ap);
    json_set (v, "at_s", json_real (json_get_double (event, "now_s")));
    json_set (v, "event", json_ref (json_get (event, "ev")));
    json_set (v, "what", json_string (text.buf));
    if (*detail)
        json_set (v, "detail", json_string (detail));
    json_push (telling->records, v);
    return v;
}

static bool range_holds (const struct json *text, int task)
{
    _cleanup_ (task_range_release) struct task_range range = TASK_RANGE_INIT;

    return task_range_parse (json_as_string (text), &range, NULL) == 0
           && task_range_contains (&range, task);
}

/* One task's outcome out of a `results` event. */
static void tell_result (const struct telling *telling,
                         const struct json *event)
{
    char key[16];
    const struct json *why;

    snprintf (key, sizeof (key), "%d", telling->task);
    why = json_get (json_get (event, "why"), key);
    if (!why)
        why = json_get (json_get (event, "remarks"), key);
    JSON_FOREACH (json_get (event, "outcomes"), it) {
        if (range_holds (json_iter_value (it), telling->task))
            tell (telling, event, json_as_string (why), "ended %s",
                  json_iter_key (it));
    }
}

/* "ok 0-3, failed 4" of {NAME: RANGE} */
static void ranges_text (const struct json *ranges, struct strbuf *out)
{
    JSON_FOREACH (ranges, it) {
        strbuf_addf (out, "%s%s %s", out->len > 0 ? ", " : "",
                     json_iter_key (it), json_as_string (json_iter_value (it)));
    }
}

/* All tasks of a `results` event. */
static void tell_results (const struct telling *telling,
                          const struct json *event)
{
    static const char *const keys[] = { "outcomes", "why", "remarks",
                                        "retired" };
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct json *v;

    ranges_text (json_get (event, "outcomes"), &text);
    v = tell (telling, event, text.buf, "tasks ended");
    for (size_t i = 0; i < ARRAY_SIZE (keys); i++)
        json_set_from (v, keys[i], event);
}

/* What tasks of the attempt got of what is `auto`. */
static void describe_auto (const struct json *task, struct strbuf *out)
{
    if (json_as_bool (json_get (task, "memory_auto"))
        && json_get_int (task, "memory_bytes") > 0) {
        strbuf_add_str (out, "memory ");
        format_bytes (json_get_int (task, "memory_bytes"), out);
    }
    if (json_as_bool (json_get (task, "walltime_auto"))
        && json_get_double (task, "walltime_s") > 0) {
        strbuf_addf (out, "%swalltime ", out->len > 0 ? ", " : "");
        format_duration (json_get_double (task, "walltime_s"), out);
    }
    if (out->len > 0)
        strbuf_add_str (out, " each");
}

static void tell_attempt (const struct telling *telling,
                          const struct json *event)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    describe_auto (json_get (event, "task"), &text);
    if (telling->task < 0
        || range_holds (json_get (event, "tasks"), telling->task))
        tell (telling, event, text.buf, "attempt %lld of tasks %s",
              (long long)json_get_int (event, "attempt"),
              json_get_string (event, "tasks"));
}

static void tell_prepared (struct telling *telling, const struct json *event)
{
    struct json *v =
        tell (telling, event, "", "inputs bound and cut into tasks%s%s",
              json_get (event, "ok") ? "; results were there of " : "",
              json_get_string (event, "ok"));

    if (telling->task < 0)
        json_set_from (v, "reused", event);
    telling->open = true;
}

static void tell_ended (struct telling *telling, const struct json *event)
{
    tell (telling, event, json_get_string (event, "why"), "%s",
          json_get_string (event, "phase"));
    telling->open = false;
}

/* {OUTPUT: KEEP}, {OUTPUT: BYTES} */
static void tell_removal (const struct telling *telling,
                          const struct json *event, const char *kind)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    JSON_FOREACH (json_get (event, "outputs"), it) {
        const struct json *v = json_iter_value (it);

        strbuf_addf (&text, "%s%s", text.len > 0 ? ", " : "",
                     json_iter_key (it));
        if (json_kind (v) == JSON_KIND_STRING) {
            strbuf_addf (&text, " (keep: %s)", json_as_string (v));
        } else {
            strbuf_add_char (&text, ' ');
            format_bytes (json_as_int (v), &text);
        }
    }
    tell (telling, event, text.buf, "outputs %s", kind);
}

static void tell_of_stage (struct telling *telling, const struct json *event)
{
    const char *kind = json_get_string (event, "ev");

    if (strcmp (kind, "attempt") == 0)
        tell_attempt (telling, event);
    else if (strcmp (kind, "results") == 0 && telling->task >= 0)
        tell_result (telling, event);
    else if (strcmp (kind, "results") == 0)
        tell_results (telling, event);
    else if (strcmp (kind, "skip") == 0)
        tell (telling, event, json_get_string (event, "why"), "skipped");
    else if (strcmp (kind, "unfit") == 0)
        tell (telling, event, json_get_string (event, "why"), "failed");
    else if (strcmp (kind, "prepared") == 0)
        tell_prepared (telling, event);
    else if (strcmp (kind, "stage") == 0)
        tell_ended (telling, event);
    else if (strcmp (kind, "removing") == 0 || strcmp (kind, "removed") == 0)
        tell_removal (telling, event, kind);
    else if (strcmp (kind, "intent") == 0)
        strvec_push (&telling->tokens, json_get_string (event, "token"));
}

/* What kept its jobs waiting; of another profile nothing. */
static void tell_of_scheduler (const struct telling *telling,
                               const struct json *event)
{
    const char *profile = json_get_string (event, "profile");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (!telling->open || strcmp (profile, telling->stage->profile->name) != 0)
        return;
    if (strcmp (json_get_string (event, "ev"), "outage") == 0)
        scheduler_outage_text (profile, event, &text);
    else
        scheduler_answers_text (event, &text);
    tell (telling, event, "", "%s", text.buf);
}

static void tell_of_token (const struct telling *telling,
                           const struct json *event)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct json *v;

    JSON_FOREACH (json_get (event, "not_begun"), it) {
        if (telling->task < 0)
            strbuf_addf (
                &text, "%s%s %s",
                text.len > 0 ? ", " : "tasks not begun: ", json_iter_key (it),
                json_as_string (json_iter_value (it)));
        else if (range_holds (json_iter_value (it), telling->task))
            strbuf_addf (&text, "task not begun: %s", json_iter_key (it));
    }
    v = tell (telling, event,
              text.len > 0 ? text.buf : json_get_string (event, "why"),
              "job '%s' %s%s%s", json_get_string (event, "token"),
              json_get_string (event, "ev"),
              json_get (event, "id") ? " as " : "",
              json_get_string (event, "id"));
    if (telling->task < 0)
        json_set_from (v, "not_begun", event);
}

/* One that names the stage, or does anything to it. */
static void tell_request (struct telling *telling, const struct json *event)
{
    const char *stage = telling->stage->name;
    const char *asked =
        json_get_string (event, json_get (event, "asked") ? "asked" : "kind");
    int now = (int)json_get_int (event, "iteration");
    int to = json_get (event, "to") ? (int)json_get_int (event, "to") : now;
    struct strbuf text = STRBUF_INIT;

    request_text (event, stage, &text);
    if (text.len > 0)
        strbuf_truncate (&text, text.len - 1); /* its newline */
    if (telling->iteration > to && telling->iteration <= now)
        tell (telling, event, "",
              "the iteration was undone: %s, back to iteration %d", asked, to);
    else if (telling->iteration == to && text.len > 0)
        tell (telling, event, text.buf, "%s was asked for", asked);
    else if (telling->iteration == to && json_get (event, "stage")
             && stage_is_of (stage, json_get_string (event, "stage")))
        tell (telling, event,
              strcmp (json_get_string (event, "kind"), "refused") == 0
                  ? json_get_string (event, "why")
                  : "",
              "%s was asked for", asked);
    strbuf_release (&text);
    if (json_get (event, "to"))
        telling->current = to;
}

/* Is it of the stage's definition, or of its operator's? */
static bool is_of_stage (const struct stage *stage, const char *key)
{
    _cleanup_ (strbuf_release) struct strbuf ours = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf operators = STRBUF_INIT;
    bool is;

    strbuf_addf (&ours, "stages.%s.", stage->name);
    strbuf_addf (&operators, "operators.%s.", stage->op->name);
    is = strncmp (key, ours.buf, ours.len) == 0
         || strncmp (key, operators.buf, operators.len) == 0;
    return is;
}

static void tell_config (const struct telling *telling,
                         const struct json *event)
{
    const struct json *changes = json_get (event, "changes");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (json_get_int (event, "iteration") > telling->iteration)
        return;
    for (size_t i = 0; i < json_count (changes); i++) {
        const struct json *change = json_at (changes, i);

        if (!is_of_stage (telling->stage, json_get_string (change, "key")))
            continue;
        strbuf_add_str (&text, text.len > 0 ? ", " : "");
        config_change_text (change, SIZE_MAX, &text);
    }
    if (text.len > 0)
        tell (telling, event, text.buf, "taken on");
}

static bool is_of_it (const struct telling *telling, const struct json *event)
{
    const char *name = json_get_string (event, "stage");

    return strcmp (name, telling->stage->name) == 0
           || strcmp (name, telling->former) == 0;
}

static int tell_event (const struct json *event, void *arg, struct error *err)
{
    struct telling *telling = arg;
    const struct json *token = json_get (event, "token");
    const char *kind = json_get_string (event, "ev");

    (void)err;
    if (strcmp (kind, "iteration") == 0)
        telling->current = (int)json_get_int (event, "iteration");
    if (strcmp (kind, "config") == 0)
        tell_config (telling, event);
    else if (strcmp (kind, "request") == 0)
        tell_request (telling, event);
    else if (is_of_it (telling, event)
             && json_get_int (event, "iteration") == telling->iteration)
        tell_of_stage (telling, event);
    else if (token
             && strvec_contains (&telling->tokens, json_as_string (token)))
        tell_of_token (telling, event);
    else if (strcmp (kind, "outage") == 0 || strcmp (kind, "answers") == 0)
        tell_of_scheduler (telling, event);
    else if (telling->current == telling->iteration
             && (strcmp (kind, "paused") == 0 || strcmp (kind, "recovered") == 0
                 || strcmp (kind, "finished") == 0))
        tell (telling, event, json_get_string (event, "why"), "%s", kind);
    return 0;
}

struct json *explain_events (const struct engine *engine,
                             const struct stage *stage, int iteration, int task,
                             struct error *err)
{
    struct journal_position position = { 0 };
    struct telling telling = { .stage = stage,
                               .former = state_dir_name (
                                   &engine->state, iteration, stage->name),
                               .iteration = iteration,
                               .task = task,
                               .tokens = STRVEC_INIT,
                               .records = json_array () };

    if (journal_read (engine->dir, &position, tell_event, &telling, err) < 0) {
        json_unref (telling.records);
        telling.records = NULL;
    }
    strvec_release (&telling.tokens);
    return telling.records;
}
