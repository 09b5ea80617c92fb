/* SPDX-License-Identifier: BSD-3-Clause */
/* status.c - where the campaign stands */
#include "base/base.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "calls/functions_view.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/named_stages.h"
#include "commands/status_watch.h"
#include "commands/task_record.h"
#include "engine/observe/observe.h"
#include "report/status_view.h"
#include "report/task_watch.h"
#include "space/layout.h"
#include "space/lease.h"

/* A directory that a request's results were moved to. */
static struct json *replaced_json (int number, const struct json *event)
{
    _cleanup_ (strbuf_release) struct strbuf dir = STRBUF_INIT;
    char when[CLOCK_ISO_SIZE];
    struct json *v = json_object ();

    layout_replaced_dir (number, &dir);
    clock_iso_here (json_get_double (event, "now_s"), when);
    json_set (v, "directory", json_string (dir.buf));
    json_set (v, "when", json_string (when));
    json_set (v, "request", json_string (json_get_string (event, "kind")));
    json_set (v, "of",
              json_get (event, "stage")
                  ? json_string (json_get_string (event, "stage"))
                  : json_null ());
    json_set (v, "back_to_iteration", json_int (json_get_int (event, "to")));
    return v;
}

/* A request that replaced results: an element of 'list' for each directory. */
static int list_replacement (const struct json *event, void *list,
                             struct error *err)
{
    const struct json *number = json_get (event, "number");
    const struct json *supersedes = json_get (event, "supersedes");
    size_t moves = json_count (json_get (event, "moves"));
    struct json *v;

    (void)err;
    if (!number || strcmp (json_get_string (event, "ev"), "request") != 0)
        return 0;
    for (size_t i = 0; i < json_count (supersedes); i++) {
        const struct json *one = json_at (supersedes, i);

        v = replaced_json ((int)json_get_int (one, "generation"), event);
        json_set (v, "stage", json_string (json_get_string (one, "stage")));
        json_set (v, "iteration", json_int (json_get_int (one, "iteration")));
        json_push (list, v);
    }
    if (moves > 0) {
        v = replaced_json ((int)json_as_int (number), event);
        json_set (v, "directories", json_int ((int64_t)moves));
        json_push (list, v);
    }
    return 0;
}

static void replaced_text (const struct json *one, struct strbuf *out)
{
    const char *of = json_get_string (one, "of");

    strbuf_addf (out, "%s  %s  %s %s, back to iteration %lld: ",
                 json_get_string (one, "directory"),
                 json_get_string (one, "when"),
                 json_get_string (one, "request"), *of ? of : "(all stages)",
                 (long long)json_get_int (one, "back_to_iteration"));
    if (json_get (one, "stage"))
        strbuf_addf (out, "%s, iteration %lld\n",
                     json_get_string (one, "stage"),
                     (long long)json_get_int (one, "iteration"));
    else
        strbuf_addf (out, "%lld directories\n",
                     (long long)json_get_int (one, "directories"));
}

static enum exit_status list_replaced (const struct invocation *invocation,
                                       const struct campaign *campaign)
{
    struct journal_position position = { 0 };
    struct error err = ERROR_INIT;
    _cleanup_json_ struct json *v = json_object ();
    struct json *list = json_array ();
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    json_set (v, "replaced", list);
    if (journal_read (campaign->engine.dir, &position, list_replacement, list,
                      &err)
        < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    for (size_t i = 0; i < json_count (list); i++)
        replaced_text (json_at (list, i), &text);
    print_reply (invocation, v, text.buf);
    return STATUS_DONE;
}

/* What the agent logged of its end: how, and the last line of its output. */
static void tell_failure (const struct campaign *campaign, const char *stage,
                          int iteration, struct json *failure)
{
    _cleanup_ (task_record_release) struct task_record record =
        TASK_RECORD_INIT;
    const char *message;

    if (task_record_find (&campaign->engine, iteration, stage,
                          (int)json_get_int (failure, "task"), 0, &record, NULL)
            == 0
        && record.end) {
        message = json_get_string (record.end, "message");
        json_set (failure, "said", json_string (message));
    }
}

static void tell_failures (const struct campaign *campaign,
                           const struct json *view)
{
    const struct json *stages = json_get (view, "stages");

    for (size_t i = 0; i < json_count (stages); i++) {
        const struct json *stage = json_at (stages, i);
        const struct json *failures = json_get (stage, "failures");
        const char *name = json_get_string (stage, "name");
        const int iteration = (int)json_get_int (stage, "iteration");

        for (size_t f = 0; f < json_count (failures); f++)
            tell_failure (campaign, name, iteration, json_at (failures, f));
    }
}

/* Which versions of their code the tasks of a stage ran, where they differ. */
static void tell_versions (const struct campaign *campaign,
                           const struct json *view)
{
    const struct json *stages = json_get (view, "stages");

    for (size_t i = 0; i < json_count (stages); i++) {
        struct json *stage = json_at (stages, i);
        _cleanup_json_ struct json *witness = NULL;

        witness = engine_stage_file (
            &campaign->engine, (int)json_get_int (stage, "iteration"),
            json_get_string (stage, "name"), LAYOUT_WITNESS);
        if (json_count (json_get (witness, "versions")) > 1)
            json_set (stage, "versions",
                      json_ref (json_get (witness, "versions")));
    }
}

/* Of a campaign that is a call, and of the calls of its functions. */
static enum exit_status tell_calls (const struct campaign *campaign,
                                    struct json *view)
{
    const struct plan *plan = engine_newest_plan (&campaign->engine);
    const struct then_state *then = &campaign->engine.state.then;
    struct error err = ERROR_INIT;
    struct json *calls = calls_json (plan, campaign->engine.program, &err), *v;

    if (plan->call && plan->call->then) {
        v = json_object ();
        json_set (v, "state", json_string (then_status_name (then->status)));
        json_set (v, "why", json_string (then->why));
        json_set (view, "then", v);
    }
    if (!calls)
        return complain (STATUS_FAILED, "%s", err.text);
    json_set (view, "functions", calls);
    return STATUS_DONE;
}

static void then_text (const struct json *then, struct strbuf *out)
{
    const char *why = json_get_string (then, "why");

    if (then)
        strbuf_addf (out, "then: %s%s%s\n", json_get_string (then, "state"),
                     why[0] ? ": " : "", why);
}

/* Was nothing named, or this stage? */
static bool is_named (const struct named_stages *named, const char *stage)
{
    return named->n == 0
           || (named->family ? stage_is_of (stage, named->name)
                             : strcmp (stage, named->name) == 0);
}

/* --- keys --- */

static void push_key (struct json *keys, const char *stage, int iteration,
                      int task, const char *state)
{
    _cleanup_ (strbuf_release) struct strbuf key = STRBUF_INIT;
    struct json *v = json_object ();

    task_key_text (stage, iteration, task, &key);
    json_set (v, "key", json_string (key.buf));
    json_set (v, "state", json_string (state));
    json_push (keys, v);
}

/* The key of a stage that has begun, and those of its tasks. */
static void push_keys (const struct campaign *campaign,
                       const struct stage *stage, int iteration,
                       const struct observations *observations,
                       struct json *keys)
{
    const struct state *state = &campaign->engine.state;
    const struct stage_state *s = state_stage (state, iteration, stage->name);
    const struct observed_attempt *seen =
        iteration == state_iteration (state)
            ? observations_find (observations, stage->name)
            : NULL;

    if (!s)
        return;
    push_key (keys, stage->name, iteration, -1, stage_status_name (s->status));
    for (int32_t i = 0; i < s->n_tasks; i++)
        push_key (keys, stage->name, iteration, i,
                  outcome_name (task_outcome (s, seen ? seen->logs : NULL, i)));
}

static void print_keys (const struct json *keys)
{
    for (size_t i = 0; i < json_count (keys); i++) {
        const struct json *v = json_at (keys, i);

        printf ("%s  %s\n", json_get_string (v, "key"),
                json_get_string (v, "state"));
    }
}

static enum exit_status list_keys (const struct invocation *invocation,
                                   struct campaign *campaign,
                                   const struct named_stages *named)
{
    struct observations observations = { 0 };
    struct error err = ERROR_INIT;
    _cleanup_json_ struct json *keys = NULL;
    int iteration;
    enum exit_status status = named_iteration (campaign, named, &iteration);

    if (status != STATUS_DONE)
        return status;
    if (observe_logs (&campaign->engine, &observations, &err) < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    keys = json_array ();
    for (size_t i = 0; i < campaign->plan->n_stages; i++) {
        const struct stage *stage = &campaign->plan->stages[i];

        if (is_named (named, stage->name))
            push_keys (campaign, stage, iteration, &observations, keys);
    }
    if (invocation_option (invocation, "json"))
        print_json (keys);
    else
        print_keys (keys);
    observations_release (&observations);
    return STATUS_DONE;
}

/* --- where it stands --- */

/* Only the stages that were named. */
static void keep_named (struct json *view, const struct named_stages *named)
{
    struct json *stages = json_array ();
    const struct json *all = json_get (view, "stages");

    for (size_t i = 0; i < json_count (all); i++) {
        if (is_named (named, json_get_string (json_at (all, i), "name")))
            json_push (stages, json_ref (json_at (all, i)));
    }
    json_set (view, "stages", stages);
}

static enum exit_status show_status (const struct invocation *invocation,
                                     struct campaign *campaign,
                                     const struct named_stages *named)
{
    _cleanup_ (observations_release) struct observations observations = { 0 };
    struct lease_holder holder = { 0 };
    enum exit_status result = STATUS_DONE;
    struct error err = ERROR_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_json_ struct json *view = NULL;

    if (campaign_peek (campaign, &holder, &err) < 0
        || observe_logs (&campaign->engine, &observations, &err) < 0)
        result = complain (STATUS_FAILED, "%s", err.text);
    else
        view = status_json (&campaign->engine, &observations, &holder);
    if (view) {
        keep_named (view, named);
        tell_failures (campaign, view);
        tell_versions (campaign, view);
        if (tell_calls (campaign, view) != STATUS_DONE)
            result = STATUS_FAILED;
    }
    if (view && invocation_option (invocation, "json")) {
        print_json (view);
    } else if (view) {
        if (campaign->plan->n_stages > 0)
            status_text (view, &text);
        else
            strbuf_addf (&text,
                         "%s: has functions and no stages; `fanfold plan` "
                         "shows how they are called\n",
                         campaign->plan->name);
        calls_text (json_get (view, "functions"), &text);
        then_text (json_get (view, "then"), &text);
        fputs (text.buf, stdout);
    }
    return result;
}

/* Where there is no screen first how it stands now. */
static enum exit_status watch (const struct invocation *invocation,
                               struct campaign *campaign,
                               const struct named_stages *all)
{
    enum exit_status result = STATUS_DONE;

    if (invocation->n_options > 1 || invocation->n_args > 0)
        return complain (STATUS_USAGE,
                         "--watch shows the whole campaign, for people: it "
                         "goes with no other option and no stage");
    if (!isatty (STDOUT_FILENO) || campaign->plan->n_stages == 0)
        result = show_status (invocation, campaign, all);
    fflush (stdout);
    return result == STATUS_DONE && campaign->plan->n_stages > 0
               ? status_watch (campaign)
               : result;
}

static enum exit_status check_named (const struct campaign *campaign,
                                     const struct named_stages *named)
{
    if (named->task >= 0)
        return complain (STATUS_USAGE,
                         "status is of stages; of a task `fanfold explain` "
                         "tells how it stands");
    if (named->iteration >= 0
        && named->iteration != state_iteration (&campaign->engine.state))
        return complain (STATUS_USAGE,
                         "status is of the current iteration; of others "
                         "`fanfold explain` tells, and `fanfold status --keys` "
                         "with a key");
    return STATUS_DONE;
}

static enum exit_status status (const struct invocation *invocation,
                                struct campaign *campaign)
{
    _cleanup_ (named_stages_release) struct named_stages named =
        NAMED_STAGES_INIT;
    enum exit_status result = STATUS_DONE;

    if (invocation_option (invocation, "replaced"))
        return list_replaced (invocation, campaign);
    if (invocation_option (invocation, "watch"))
        return watch (invocation, campaign, &named);
    if (invocation->n_args > 0)
        result = named_stages_find (invocation, campaign->plan,
                                    invocation->args[0], NULL, &named);
    if (result == STATUS_DONE && invocation_option (invocation, "keys"))
        result = list_keys (invocation, campaign, &named);
    else if (result == STATUS_DONE
             && (result = check_named (campaign, &named)) == STATUS_DONE)
        result = show_status (invocation, campaign, &named);
    return result;
}

static const struct command_option options[] = {
    { "json", NULL,
      "print {\"campaign\", \"state\", \"iteration\", "
      "\"stages\", \"history\", ...}" },
    { "keys", NULL, "list the keys of stages and tasks, and how each stands" },
    { "watch", NULL,
      "show it as it changes, until `q` is pressed: one screen, or, where that "
      "is no terminal, a line for each event until the campaign is done, "
      "failed or paused" },
    { "replaced", NULL, "list what was replaced (see redo), and where it is" },
    { 0 },
};

const struct command status_command = {
    .name = "status",
    .arguments = "[STAGE]",
    .summary = "show where the campaign stands, and who drives it",
    .max_args = 1,
    .pages = true,
    .goes_on = "watch",
    .options = options,
    .run_in = status,
};
