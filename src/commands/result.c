/* SPDX-License-Identifier: BSD-3-Clause */
/* result.c - the typed outputs of a stage */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "base/units.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
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
static bool may_come (const struct state *state,
                      const struct stage_place *place)
{
    const struct stage_state *stage =
        state_stage (state, place->iteration, place->stage);

    if (stage && stage->status != STAGE_WAITING
        && stage->status != STAGE_PREPARED)
        return false;
    return state->status == CAMPAIGN_RUNNING
           && place->iteration >= state_iteration (state);
}

/* An output that there never will be is not waited for. */
static enum exit_status check_output (const struct operator_spec *op,
                                      const char *output)
{
    struct strvec names = STRVEC_INIT;
    enum exit_status status = STATUS_DONE;
    struct type type;

    operator_output_names (op, &names);
    if (output && !operator_output_type (op, output, &type))
        status = complain_unknown ("output", output, &names);
    strvec_release (&names);
    return status;
}

/* Until the stage is done, or never will be. */
static enum exit_status wait_for (struct campaign *campaign,
                                  const struct stage_place *place,
                                  double timeout_s)
{
    const volatile int *stop = stopping_flag ();
    const double end_s = clock_mono_s () + timeout_s;
    double wait_s = soonest_s;
    struct error err = ERROR_INIT;

    while (may_come (&campaign->engine.state, place)) {
        if (clock_mono_s () >= end_s)
            return complain (STATUS_UNREACHABLE,
                             "stage '%s' of iteration %d has no result yet",
                             place->stage, place->iteration);
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
static void warn_if_nobody_drives (const struct campaign *campaign,
                                   const struct stage_place *place)
{
    struct lease_holder holder = { .held = true };

    if (may_come (&campaign->engine.state, place)
        && !campaign->engine.state.chained
        && lease_peek (campaign->engine.dir, &holder, NULL) == 0
        && !holder.held)
        complain (STATUS_DONE,
                  "nobody drives the campaign now; it goes on when somebody "
                  "runs `fanfold run`, or cron `fanfold advance`");
}

/* Who waits may ask for an iteration that has not begun. */
static enum exit_status find_and_wait (const struct invocation *invocation,
                                       struct campaign *campaign,
                                       struct stage_place *place)
{
    const char *number = invocation_option (invocation, "iteration");
    const char *timeout = invocation_option (invocation, "timeout");
    const char *output = invocation->n_args > 1 ? invocation->args[1] : NULL;
    int index = campaign_stage (campaign->plan, invocation->args[0]);
    double timeout_s = INFINITY;
    const struct stage *stage;
    enum exit_status status;

    if (index < 0)
        return STATUS_USAGE;
    if (timeout && parse_duration (timeout, &timeout_s) < 0)
        return complain (STATUS_USAGE,
                         "--timeout: '%s'; write a duration, such as 30s or 2h",
                         timeout);
    stage = &campaign->plan->stages[index];
    place->stage = stage->name;
    place->iteration = number ? parse_number ("--iteration", number)
                              : state_iteration (&campaign->engine.state);
    if (number && place->iteration < 0)
        return STATUS_USAGE;
    if (place->iteration < 0)
        place->iteration = 0;
    if (may_come (&campaign->engine.state, place)
        && (status = check_output (stage->op, output)) != STATUS_DONE)
        return status;
    warn_if_nobody_drives (campaign, place);
    return wait_for (campaign, place, timeout_s);
}

/* --- the result --- */

static enum exit_status no_result (const struct campaign *campaign,
                                   const struct stage_place *place)
{
    const struct state *state = &campaign->engine.state;
    const struct stage_state *stage =
        state_stage (state, place->iteration, place->stage);
    const char *why = stage ? stage->why : state->why;

    return complain (
        STATUS_FAILED, "stage '%s' is %s in iteration %d%s%s%s%s", place->stage,
        stage_status_name (stage ? stage->status : STAGE_WAITING),
        place->iteration,
        state->status == CAMPAIGN_RUNNING ? "" : ", and the campaign ",
        state->status == CAMPAIGN_RUNNING
            ? ""
            : campaign_status_name (state->status),
        why ? ": " : "", why ? why : "");
}

static enum exit_status no_output (const struct json *outputs, const char *name)
{
    struct strvec names = STRVEC_INIT;

    JSON_FOREACH (outputs, it)
        strvec_push (&names, json_iter_key (it));
    complain_unknown ("output", name, &names);
    strvec_release (&names);
    return STATUS_USAGE;
}

/* What of the result is there no more; 'output' NULL: of all of it. */
static bool tell_removed (const struct stage_state *state,
                          const struct stage_place *place, const char *output)
{
    bool told = false;

    JSON_FOREACH (state->removed, it) {
        struct strbuf text = STRBUF_INIT;

        if (output && strcmp (output, json_iter_key (it)) != 0)
            continue;
        removal_text (json_iter_value (it), &text);
        complain (STATUS_FAILED,
                  "'%s' of stage '%s' was %s; `fanfold redo %s --iteration %d` "
                  "makes it again",
                  json_iter_key (it), state->name, text.buf, state->name,
                  place->iteration);
        strbuf_release (&text);
        told = true;
    }
    return told;
}

static enum exit_status print_result (const struct invocation *invocation,
                                      struct campaign *campaign,
                                      const struct stage_place *place)
{
    const char *output = invocation->n_args > 1 ? invocation->args[1] : NULL;
    const struct stage_state *state =
        state_stage (&campaign->engine.state, place->iteration, place->stage);
    struct error err = ERROR_INIT;
    const struct json *outputs, *value;
    struct stage_place at;

    if (!state || state->status != STAGE_DONE)
        return no_result (campaign, place);
    at = state_place (&campaign->engine.state, place->iteration, place->stage,
                      "");
    outputs = outputs_store_get (campaign->engine.outputs, &at, &err);
    if (!outputs)
        return complain (STATUS_FAILED, "%s", err.text);
    if (!(value = output ? json_get (outputs, output) : outputs))
        return no_output (outputs, output);
    if (tell_removed (state, place, output) && output)
        return STATUS_FAILED;
    if (json_kind (value) == JSON_KIND_STRING)
        puts (json_as_string (value));
    else
        print_json (value);
    return STATUS_DONE;
}

static enum exit_status result (const struct invocation *invocation,
                                struct campaign *campaign)
{
    bool wait = invocation_option (invocation, "wait") != NULL;
    enum exit_status status = STATUS_DONE;
    const struct stage *stage;
    struct stage_place place;

    if (!wait && invocation_option (invocation, "timeout"))
        return complain (STATUS_USAGE, "--timeout is for --wait");
    if (wait)
        status = find_and_wait (invocation, campaign, &place);
    else
        status =
            campaign_find_stage (invocation, campaign, &stage, &place, NULL);
    if (status == STATUS_DONE && !wait)
        place.stage = stage->name;
    return status == STATUS_DONE ? print_result (invocation, campaign, &place)
                                 : status;
}

static const struct command_option options[] = {
    { "iteration", "N", "look at this iteration (default: the current one)" },
    { "wait", NULL,
      "wait until there is a result (exit 0) or there will be none without a "
      "person (exit 1)" },
    { "timeout", "DURATION", "wait no longer than this, then exit 5" },
    { 0 },
};

const struct command result_command = {
    .name = "result",
    .arguments = "STAGE [OUTPUT]",
    .summary = "print the typed outputs of a stage, as JSON",
    .min_args = 1,
    .max_args = 2,
    .options = options,
    .run_in = result,
};
