/* SPDX-License-Identifier: BSD-3-Clause */
/* result.c - the typed outputs of a stage */
#include "config.h"

#include <stdio.h>

#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command_table.h"
#include "commands/invocation.h"
#include "engine/history/outputs_store.h"
#include "space/layout.h"

static void print_value (const struct json *value)
{
    struct strbuf text = STRBUF_INIT;

    if (json_kind (value) == JSON_KIND_STRING)
        strbuf_addf (&text, "%s\n", json_as_string (value));
    else
        json_dump (value, JSON_PRETTY, &text);
    fputs (text.buf, stdout);
    strbuf_release (&text);
}

static enum exit_status print_outputs (struct campaign *campaign,
                                       const struct stage *stage,
                                       int iteration,
                                       const char *output)
{
    struct stage_place place = { stage->name, stage->op->code, iteration };
    const struct stage_state *state =
        state_stage (&campaign->engine.state, iteration, stage->name);
    struct error err = ERROR_INIT;
    const struct json *outputs;
    const struct json *value;

    if (!state || state->phase != STAGE_DONE)
        return complain (
            STATUS_FAILED, "stage '%s' is %s in iteration %d", stage->name,
            stage_phase_name (state ? state->phase : STAGE_WAITING), iteration);
    if (!(outputs = outputs_store_get (campaign->engine.outputs, &place, &err)))
        return complain (STATUS_FAILED, "%s", err.text);
    value = output ? json_get (outputs, output) : outputs;
    if (!value)
        return complain (STATUS_USAGE, "stage '%s' has no output '%s'",
                         stage->name, output);
    print_value (value);
    return STATUS_DONE;
}

static enum exit_status result (const struct invocation *invocation)
{
    struct campaign campaign;
    enum exit_status status = campaign_open (invocation, &campaign);
    int stage;
    int iteration = 0;

    if (status != STATUS_DONE)
        return status;
    stage = campaign_stage (campaign.plan, invocation->args[0]);
    if (stage < 0)
        status = STATUS_USAGE;
    else
        status = campaign_iteration (&campaign, invocation, &iteration);
    if (status == STATUS_DONE)
        status =
            print_outputs (&campaign, &campaign.plan->stages[stage], iteration,
                           invocation->n_args > 1 ? invocation->args[1] : NULL);
    campaign_close (&campaign);
    return status;
}

static const struct command_option options[] = {
    { "iteration", "N", "of this iteration (default: the current one)" },
    { 0 },
};

const struct command result_command = {
    .name = "result",
    .arguments = "STAGE [OUTPUT]",
    .summary = "typed outputs of a stage, as JSON",
    .min_args = 1,
    .max_args = 2,
    .options = options,
    .run = result,
};
