/* SPDX-License-Identifier: BSD-3-Clause */
/* result.c - the typed outputs of a stage */
#include "base/base.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/units.h"
#include "calls/call_space.h"
#include "campaign/plan.h"
#include "commands/call_drive.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/named_stages.h"
#include "commands/result_print.h"
#include "engine/history/outputs_store.h"
#include "engine/history/removal.h"
#include "signature/operator.h"
#include "space/layout.h"
#include "space/lease.h"

static const double soonest_s = 0.05;
static const double latest_s = 2;

/* --- to wait --- */

/* Can the stage's result still come without a person's doing?  Not where the
 * stage ended otherwise, nor where the campaign stands still or went past it.
 */
static bool may_come (const struct state *state, const char *name,
                      int iteration)
{
    const struct stage_state *stage = state_stage (state, iteration, name);

    if (stage && stage->status != STAGE_WAITING
        && stage->status != STAGE_PREPARED)
        return false;
    return state->status == CAMPAIGN_RUNNING
           && iteration >= state_iteration (state);
}

/* An output that there never will be is not waited for. */
static enum exit_status check_output (const struct operator_spec *op,
                                      const char *output)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    enum exit_status status = STATUS_DONE;
    struct type type;

    operator_output_names (op, &names);
    if (output && !operator_output_type (op, output, &type))
        status = complain_unknown ("output", output, &names);
    return status;
}

/* Until the stage is done, or never will be. */
static enum exit_status wait_for (struct campaign *campaign, const char *stage,
                                  int iteration, double timeout_s)
{
    const volatile int *stop = stopping_flag ();
    const double end_s = clock_mono_s () + timeout_s;
    double wait_s = soonest_s;
    struct error err = ERROR_INIT;

    while (may_come (&campaign->engine.state, stage, iteration)) {
        if (clock_mono_s () >= end_s)
            return complain (STATUS_UNREACHABLE,
                             "stage '%s' of iteration %d has no result yet",
                             stage, iteration);
        clock_sleep (fmin (wait_s, end_s - clock_mono_s ()), stop);
        if (*stop)
            return complain (STATUS_INTERRUPTED,
                             "no longer waiting; the campaign goes on");
        wait_s = fmin (wait_s * 1.5, latest_s);
        if (engine_look (&campaign->engine, &err) < 0)
            return complain (STATUS_FAILED, "%s", err.text);
    }
    return STATUS_DONE;
}

/* Said once: cron may well come in a minute. */
static void warn_if_nobody_drives (const struct campaign *campaign)
{
    struct lease_holder holder = { .held = true };

    if (!campaign->engine.state.chained
        && campaign_peek (campaign, &holder, NULL) == 0 && !holder.held)
        complain (STATUS_DONE,
                  "no driver runs; the campaign goes on when `fanfold run` "
                  "or, from cron, `fanfold advance` is called");
}

static enum exit_status read_timeout (const struct invocation *invocation,
                                      double *timeout_s)
{
    const char *text = invocation_option (invocation, "timeout");

    if (text && parse_duration (text, timeout_s) < 0)
        return complain (STATUS_USAGE,
                         "--timeout: '%s'; write a duration, such as 30s or 2h",
                         text);
    return STATUS_DONE;
}

/* What is asked for. */
struct asked {
    struct named_stages named;
    const char *output; /* NULL: all */
    int iteration;
};

/* Does the result need this stage's?  Of steps those that make outputs. */
static bool is_source (const struct asked *asked, const struct stage *stage)
{
    return !asked->named.family
           || words_contain (asked->named.family->makers, stage->name);
}

/* Who waits may ask for an iteration that has not begun. */
static enum exit_status wait_for_all (const struct invocation *invocation,
                                      struct campaign *campaign,
                                      struct asked *asked)
{
    const struct named_stages *named = &asked->named;
    double timeout_s = INFINITY, end_s;
    enum exit_status status = read_timeout (invocation, &timeout_s);
    bool warned = false;

    if (status != STATUS_DONE)
        return status;
    end_s = clock_mono_s () + timeout_s;
    asked->iteration = named->iteration >= 0
                           ? named->iteration
                           : state_iteration (&campaign->engine.state);
    if (asked->iteration < 0)
        asked->iteration = 0;
    for (size_t i = 0; status == STATUS_DONE && i < named->n; i++) {
        const struct stage *stage = named->v[i];

        if (!is_source (asked, stage)
            || !may_come (&campaign->engine.state, stage->name,
                          asked->iteration))
            continue;
        status = check_output (named->family ? named->family->op : stage->op,
                               asked->output);
        if (status == STATUS_DONE && !warned)
            warn_if_nobody_drives (campaign);
        warned = true;
        if (status == STATUS_DONE)
            status = wait_for (campaign, stage->name, asked->iteration,
                               end_s - clock_mono_s ());
    }
    return status;
}

/* --- the result --- */

static enum exit_status no_result (const struct state *state, const char *name,
                                   int iteration)
{
    const struct stage_state *stage = state_stage (state, iteration, name);
    const char *why = stage ? stage->why : state->why;

    return complain (
        STATUS_FAILED, "stage '%s' is %s in iteration %d%s%s%s%s", name,
        stage_status_name (stage ? stage->status : STAGE_WAITING), iteration,
        state->status == CAMPAIGN_RUNNING ? "" : ", and the campaign ",
        state->status == CAMPAIGN_RUNNING
            ? ""
            : campaign_status_name (state->status),
        why ? ": " : "", why ? why : "");
}

/* What of the result is there no more; 'output' NULL: of all of it. */
static bool tell_removed (const struct stage_state *state, int iteration,
                          const char *output)
{
    bool told = false;

    JSON_FOREACH (state->removed, it) {
        struct strbuf text = STRBUF_INIT;

        if (removal_is_of_raw (json_iter_value (it))
            || (output && strcmp (output, json_iter_key (it)) != 0))
            continue;
        removal_text (json_iter_value (it), &text);
        complain (STATUS_FAILED,
                  "'%s' of stage '%s' was %s; `fanfold redo %s --iteration %d` "
                  "makes it again",
                  json_iter_key (it), state->name, text.buf, state->name,
                  iteration);
        strbuf_release (&text);
        told = true;
    }
    return told;
}

/* Of a stage that is done; NULL after complaining. */
static const struct json *read_outputs (struct campaign *campaign,
                                        const char *stage, int iteration)
{
    struct error err = ERROR_INIT;
    const struct json *outputs =
        outputs_store_get (campaign->engine.outputs, iteration, stage, &err);

    if (!outputs)
        complain (STATUS_FAILED, "%s", err.text);
    return outputs;
}

/* Of what has an item for each task, that of one. */
static struct json *of_task (const struct operator_spec *op,
                             const struct json *outputs, int task)
{
    struct json *of_one = json_object ();

    for (const struct port *port = op->outputs;
         operator_fans_out (op) && port && port->name; port++) {
        const struct json *all = json_get (outputs, port->name);

        if ((size_t)task < json_count (all))
            json_set (of_one, port->name,
                      json_ref (json_at (all, (size_t)task)));
    }
    return of_one;
}

/* The outputs of one stage, or of the one task of it that was named. */
static struct json *stage_result (struct campaign *campaign,
                                  const struct asked *asked)
{
    const struct stage *stage = asked->named.v[0];
    const struct stage_state *state =
        state_stage (&campaign->engine.state, asked->iteration, stage->name);
    const struct json *outputs =
        read_outputs (campaign, stage->name, asked->iteration);

    if (!outputs)
        return NULL;
    if (tell_removed (state, asked->iteration, asked->output) && asked->output)
        return NULL;
    if (asked->named.task < 0)
        return json_deep_copy (outputs);
    if (asked->named.task < state->n_tasks)
        return of_task (stage->op, outputs, asked->named.task);
    complain (STATUS_FAILED, "stage '%s' has %d tasks in iteration %d",
              stage->name, state->n_tasks, asked->iteration);
    return NULL;
}

/* An output that a step made; 1; 0 after telling that it was removed; -1. */
static int add_output (struct campaign *campaign, const struct asked *asked,
                       const struct family_output *output, struct json *result)
{
    const struct stage_state *state =
        state_stage (&campaign->engine.state, asked->iteration, output->stage);
    const struct json *outputs =
        read_outputs (campaign, output->stage, asked->iteration);

    if (!outputs)
        return -1;
    json_set (result, output->name,
              json_ref (json_get (outputs, output->output)));
    if (asked->output && strcmp (asked->output, output->name) != 0)
        return 1;
    return tell_removed (state, asked->iteration, output->output) ? 0 : 1;
}

/* `count` and `proceed` of the steps together. */
static int add_ends (struct campaign *campaign, const struct asked *asked,
                     struct json *result)
{
    const char *const *maker = asked->named.family->makers;
    int64_t count = INT64_MAX;
    bool proceed = true;

    for (; *maker; maker++) {
        const struct json *outputs =
            read_outputs (campaign, *maker, asked->iteration);

        if (!outputs)
            return -1;
        if (json_get_int (outputs, "count") < count)
            count = json_get_int (outputs, "count");
        proceed = proceed && json_as_bool (json_get (outputs, "proceed"));
    }
    json_set (result, "count", json_int (count));
    json_set (result, "proceed", json_bool (proceed));
    return 0;
}

/* What steps made, under the names that the operator gives it. */
static struct json *family_result (struct campaign *campaign,
                                   const struct asked *asked)
{
    const struct family_output *output = asked->named.family->outputs;
    struct json *result = json_object ();
    int rc = 1;

    for (; rc >= 0 && output->name; output++) {
        rc = add_output (campaign, asked, output, result);
        if (rc == 0 && asked->output)
            rc = -1;
    }
    if (rc >= 0 && add_ends (campaign, asked, result) == 0)
        return result;
    json_unref (result);
    return NULL;
}

static enum exit_status print_result (struct campaign *campaign,
                                      const struct asked *asked, bool typed)
{
    const struct state *state = &campaign->engine.state;
    const struct family *family = asked->named.family;
    enum exit_status status = STATUS_FAILED;
    _cleanup_json_ struct json *result = NULL;

    for (size_t i = 0; i < asked->named.n; i++) {
        const char *name = asked->named.v[i]->name;
        const struct stage_state *stage =
            state_stage (state, asked->iteration, name);

        if (is_source (asked, asked->named.v[i])
            && (!stage || stage->status != STAGE_DONE))
            return no_result (state, name, asked->iteration);
    }
    result = family ? family_result (campaign, asked)
                    : stage_result (campaign, asked);
    if (result)
        status = result_print (family ? family->op : asked->named.v[0]->op,
                               result, asked->output, typed);
    return status;
}

static enum exit_status result_of_stage (const struct invocation *invocation,
                                         struct campaign *campaign)
{
    bool wait = invocation_option (invocation, "wait") != NULL;
    struct asked asked = { .named = NAMED_STAGES_INIT,
                           .output = invocation->n_args > 1
                                         ? invocation->args[1]
                                         : NULL };
    enum exit_status status;

    status = named_stages_find (invocation, campaign->plan, invocation->args[0],
                                NULL, &asked.named);
    if (status == STATUS_DONE && wait)
        status = wait_for_all (invocation, campaign, &asked);
    else if (status == STATUS_DONE)
        status = named_iteration (campaign, &asked.named, &asked.iteration);
    if (status == STATUS_DONE)
        status = print_result (campaign, &asked,
                               invocation_option (invocation, "json") != NULL);
    named_stages_release (&asked.named);
    return status;
}

/* --- of a call --- */

/* Which calls there are is seen in the directory: campaign.yaml may be broken
 * by now, or have the function no more.
 */
static enum exit_status find_call (const struct invocation *invocation,
                                   struct call_place *place)
{
    struct error err = ERROR_INIT;
    int newest = -1;

    place->number =
        parse_number ("--call", invocation_option (invocation, "call"));
    if (place->number < 0)
        return STATUS_USAGE;
    if (!layout_stage_name_ok (place->function))
        return complain (STATUS_USAGE, "'%s' is no name of a function",
                         place->function);
    if (calls_newest (invocation->dir, place->function, &newest, &err) < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    if (newest < 0)
        return complain (STATUS_USAGE,
                         "'%s' was never called here; `fanfold call %s` does",
                         place->function, place->function);
    if (place->number > newest)
        return complain (STATUS_USAGE,
                         "there is no call %d of '%s'; the newest is %d",
                         place->number, place->function, newest);
    return STATUS_DONE;
}

static enum exit_status result_of_call (const struct invocation *invocation)
{
    const char *output = invocation->n_args > 1 ? invocation->args[1] : NULL;
    bool wait = invocation_option (invocation, "wait") != NULL;
    bool json = invocation_option (invocation, "json") != NULL;
    struct call_place place = { invocation, invocation->args[0], -1 };
    double timeout_s = INFINITY;
    enum exit_status status = find_call (invocation, &place);

    if (status == STATUS_DONE && invocation_option (invocation, "iteration"))
        return complain (STATUS_USAGE, "a call has one iteration; leave "
                                       "--iteration out");
    if (status == STATUS_DONE)
        status = read_timeout (invocation, &timeout_s);
    if (status == STATUS_DONE)
        status = call_drive (&place, wait ? CALL_END : CALL_STEP, timeout_s);
    return status == STATUS_DONE ? call_print_result (&place, output, json)
                                 : status;
}

static enum exit_status result (const struct invocation *invocation)
{
    struct campaign campaign;
    enum exit_status status;

    if (!invocation_option (invocation, "wait")
        && invocation_option (invocation, "timeout"))
        return complain (STATUS_USAGE, "--timeout is for --wait");
    if (invocation_option (invocation, "call"))
        return result_of_call (invocation);
    status = campaign_open (invocation, &campaign);
    if (status == STATUS_DONE) {
        status = result_of_stage (invocation, &campaign);
        campaign_close (&campaign);
    }
    return status;
}

static const struct command_option options[] = {
    { "iteration", "N", "look at this iteration (default: the current one)" },
    { "call", "N",
      "print what this call of the function STAGE made; drive what is left of "
      "it" },
    { "wait", NULL,
      "wait until there is a result (exit 0) or there will be none without a "
      "person (exit 1)" },
    { "json", NULL,
      "print {\"outputs\": {NAME: value}, \"types\": {NAME: type}}" },
    { "timeout", "DURATION", "wait no longer than this, then exit 5" },
    { 0 },
};

const struct command result_command = {
    .name = "result",
    .arguments = "STAGE [OUTPUT]",
    .summary = "print the typed outputs of a stage, as JSON",
    .min_args = 1,
    .max_args = 2,
    .pages = true,
    .options = options,
    .prints_bytes = true,
    .run = result,
};
