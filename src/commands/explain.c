/* SPDX-License-Identifier: BSD-3-Clause */
/* explain.c - tell why a stage or a task has the state it has
 *
 * Told from the journal: every event that concerned it, in order.
 */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays/task_range.h"
#include "base/clock.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "base/units.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/explain_try.h"
#include "commands/task_record.h"
#include "commands/what_if.h"
#include "engine/history/journal.h"
#include "report/group_view.h"
#include "report/request_view.h"
#include "report/status_view.h"
#include "signature/outputs.h"
#include "space/layout.h"

struct telling {
    struct stage_place place;
    int task;             /* -1: the stage as a whole */
    struct strvec tokens; /* of its submissions */
};

PRINTF_LIKE (3, 4)
static void tell (const struct json *event, const char *detail,
                  const char *what, ...)
{
    char when[CLOCK_ISO_SIZE];
    va_list ap;

    clock_iso (json_get_double (event, "now_s"), when);
    printf ("%s  ", when);
    va_start (ap, what);
    vprintf (what, ap);
    va_end (ap);
    printf ("%s%s\n", *detail ? ": " : "", detail);
}

static bool range_holds (const struct json *text, int task)
{
    struct task_range range = TASK_RANGE_INIT;
    bool holds = task_range_parse (json_as_string (text), &range, NULL) == 0
                 && task_range_contains (&range, task);

    task_range_release (&range);
    return holds;
}

/* One task's outcome out of a `results` event. */
static void tell_result (struct telling *telling, const struct json *event)
{
    char key[16];
    const struct json *why;

    snprintf (key, sizeof (key), "%d", telling->task);
    why = json_get (json_get (event, "why"), key);
    if (!why)
        why = json_get (json_get (event, "remarks"), key);
    JSON_FOREACH (json_get (event, "outcomes"), it) {
        if (range_holds (json_iter_value (it), telling->task))
            tell (event, json_as_string (why), "ended %s", json_iter_key (it));
    }
}

/* {TASK: TEXT} */
static void list_texts (const struct json *texts)
{
    JSON_FOREACH (texts, it) {
        printf ("    task %s: %s\n", json_iter_key (it),
                json_as_string (json_iter_value (it)));
    }
}

/* All tasks of a `results` event. */
static void tell_results (const struct json *event)
{
    struct strbuf text = STRBUF_INIT;

    JSON_FOREACH (json_get (event, "outcomes"), it) {
        strbuf_addf (&text, "%s%s %s", text.len > 0 ? ", " : "",
                     json_iter_key (it), json_as_string (json_iter_value (it)));
    }
    tell (event, text.buf, "tasks ended");
    list_texts (json_get (event, "why"));
    list_texts (json_get (event, "remarks"));
    JSON_FOREACH (json_get (event, "retired"), it)
        printf ("    %s\n", json_iter_key (it));
    strbuf_release (&text);
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

static void tell_attempt (struct telling *telling, const struct json *event)
{
    struct strbuf text = STRBUF_INIT;

    describe_auto (json_get (event, "task"), &text);
    if (telling->task < 0
        || range_holds (json_get (event, "tasks"), telling->task))
        tell (event, text.buf, "attempt %lld of tasks %s",
              (long long)json_get_int (event, "attempt"),
              json_get_string (event, "tasks"));
    strbuf_release (&text);
}

static void tell_of_stage (struct telling *telling, const struct json *event)
{
    const char *kind = json_get_string (event, "ev");

    if (strcmp (kind, "attempt") == 0)
        tell_attempt (telling, event);
    else if (strcmp (kind, "results") == 0 && telling->task >= 0)
        tell_result (telling, event);
    else if (strcmp (kind, "results") == 0)
        tell_results (event);
    else if (strcmp (kind, "skip") == 0)
        tell (event, json_get_string (event, "why"), "skipped");
    else if (strcmp (kind, "unfit") == 0)
        tell (event, json_get_string (event, "why"), "failed");
    else if (strcmp (kind, "prepared") == 0)
        tell (event, "", "inputs bound and cut into tasks");
    else if (strcmp (kind, "stage") == 0)
        tell (event, json_get_string (event, "why"), "%s",
              json_get_string (event, "phase"));
    else if (strcmp (kind, "intent") == 0)
        strvec_push (&telling->tokens, json_get_string (event, "token"));
}

static void tell_of_token (const struct json *event)
{
    const char *id = json_get_string (event, "id");

    tell (event, json_get_string (event, "why"), "job '%s' %s%s%s",
          json_get_string (event, "token"), json_get_string (event, "ev"),
          json_get (event, "id") ? " as " : "", id);
}

/* One that names the stage, or does anything to it. */
static void tell_request (const struct telling *telling,
                          const struct json *event)
{
    const char *stage = telling->place.stage;
    const char *asked =
        json_get_string (event, json_get (event, "asked") ? "asked" : "kind");
    int to =
        (int)json_get_int (event, json_get (event, "to") ? "to" : "iteration");
    struct strbuf text = STRBUF_INIT;

    request_text (event, stage, &text);
    if (text.len > 0)
        strbuf_truncate (&text, text.len - 1); /* its newline */
    if (telling->place.iteration > to && json_get (event, "to"))
        tell (event, "", "the iteration was undone: %s, back to iteration %d",
              asked, to);
    else if (telling->place.iteration == to && text.len > 0)
        tell (event, text.buf, "%s was asked for", asked);
    else if (telling->place.iteration == to
             && strcmp (json_get_string (event, "stage"), stage) == 0)
        tell (event,
              strcmp (json_get_string (event, "kind"), "refused") == 0
                  ? json_get_string (event, "why")
                  : "",
              "%s was asked for", asked);
    strbuf_release (&text);
}

static int tell_event (const struct json *event, void *arg, struct error *err)
{
    struct telling *telling = arg;
    const struct json *token = json_get (event, "token");
    const char *kind = json_get_string (event, "ev");

    (void)err;
    if (strcmp (kind, "request") == 0)
        tell_request (telling, event);
    else if (strcmp (json_get_string (event, "stage"), telling->place.stage)
                 == 0
             && json_get_int (event, "iteration") == telling->place.iteration)
        tell_of_stage (telling, event);
    else if (token
             && strvec_contains (&telling->tokens, json_as_string (token)))
        tell_of_token (event);
    else if (strcmp (kind, "paused") == 0 || strcmp (kind, "finished") == 0)
        tell (event, json_get_string (event, "why"), "%s", kind);
    return 0;
}

static void tell_try (const struct campaign *campaign,
                      const struct telling *telling)
{
    struct task_record record = TASK_RECORD_INIT;
    struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;

    if (task_record_find (campaign->plan->dir, &telling->place, telling->task,
                          0, &record, &err)
        < 0)
        printf ("newest try: not known, %s\n", err.text);
    explain_try (&record, &text);
    fputs (text.buf, stdout);
    strbuf_release (&text);
    task_record_release (&record);
}

/* What it was prepared with: the file may have been edited since. */
static void tell_definition (const struct stage_state *state, int iteration)
{
    struct strbuf path = STRBUF_INIT;

    if (!state || state->phase == STAGE_WAITING
        || state->phase == STAGE_SKIPPED)
        return;
    layout_config_file (iteration, state->config, &path);
    printf ("definition: %s\n", path.buf);
    strbuf_release (&path);
}

/* Where a person should look next. */
static void tell_places (const struct stage *stage,
                         const struct telling *telling)
{
    struct strbuf path = STRBUF_INIT;

    if (telling->task >= 0 && outputs_have_artifacts (stage->op->outputs)) {
        layout_task_dir (&telling->place, telling->task, &path);
        printf ("task directory: %s\n", path.buf);
        strbuf_reset (&path);
    }
    if (telling->task >= 0)
        printf ("output: fanfold log %s %d --iteration %d\n", stage->name,
                telling->task, telling->place.iteration);
    layout_run_stage (stage->name, telling->place.iteration, &path);
    printf ("run files (failed tasks' working directories): %s\n", path.buf);
    strbuf_release (&path);
}

static void tell_task (const struct stage_state *state, int32_t task)
{
    const struct json *checkpoint = status_checkpoint (state, task);
    struct strbuf text = STRBUF_INIT;

    printf ("task %d: %s, %d tries\n", task,
            outcome_name ((enum outcome)state->tasks[task].outcome),
            state->tasks[task].tries);
    if (checkpoint) {
        checkpoint_text (checkpoint, &text);
        printf ("continues from a checkpoint of %s\n", text.buf);
    }
    strbuf_release (&text);
}

static void tell_group (const struct stage *stage)
{
    struct json *view = group_view_json (stage->group);
    struct strbuf text = STRBUF_INIT;

    group_view_text (view, &text);
    fputs (text.buf, stdout);
    strbuf_release (&text);
    json_unref (view);
}

static enum exit_status tell_all (struct campaign *campaign,
                                  const struct stage *stage,
                                  struct telling *telling)
{
    struct journal_position position = { 0 };
    struct error err = ERROR_INIT;
    const struct stage_state *state = state_stage (
        &campaign->engine.state, telling->place.iteration, stage->name);

    if (telling->task >= 0 && (!state || telling->task >= state->n_tasks))
        return complain (STATUS_FAILED,
                         "stage '%s' has %d tasks in iteration %d", stage->name,
                         state ? state->n_tasks : 0, telling->place.iteration);
    printf ("%s, iteration %d: %s\n", stage->name, telling->place.iteration,
            stage_phase_name (state ? state->phase : STAGE_WAITING));
    if (telling->task >= 0)
        tell_task (state, telling->task);
    tell_definition (state, telling->place.iteration);
    tell_group (stage);
    if (journal_read (campaign->engine.dir, &position, tell_event, telling,
                      &err)
        < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    if (telling->task >= 0)
        tell_try (campaign, telling);
    tell_places (stage, telling);
    return STATUS_DONE;
}

static enum exit_status explain (const struct invocation *invocation,
                                 struct campaign *campaign)
{
    const char *frame = invocation_option (invocation, "frame");
    struct telling telling = { .task = -1, .tokens = STRVEC_INIT };
    const struct stage *stage;
    enum exit_status status = campaign_find_stage (
        invocation, campaign, &stage, &telling.place, &telling.task);

    if (status == STATUS_DONE && frame)
        status =
            explain_frame (invocation, campaign, stage, &telling.place, frame);
    else if (status == STATUS_DONE)
        status = tell_all (campaign, stage, &telling);
    strvec_release (&telling.tokens);
    return status;
}

static const struct command_option options[] = {
    { "iteration", "N", "look at this iteration (default: the current one)" },
    { "frame", "TASK:STEP",
      "tell why a stage that selects took this frame, or did not" },
    WHAT_IF_SET,
    { 0 },
};

const struct command explain_command = {
    .name = "explain",
    .arguments = "STAGE [TASK]",
    .summary = "tell why a stage or a task has the state it has",
    .min_args = 1,
    .max_args = 2,
    .options = options,
    .run_in = explain,
};
