/* SPDX-License-Identifier: BSD-3-Clause */
/* result.c - the typed outputs of a stage */
#include "config.h"

#include <stdio.h>

#include "base/error.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "engine/history/outputs_store.h"
#include "space/layout.h"

static enum exit_status result (const struct invocation *invocation,
                                struct campaign *campaign)
{
    const char *output = invocation->n_args > 1 ? invocation->args[1] : NULL;
    struct error err = ERROR_INIT;
    const struct stage_state *state;
    const struct json *value;
    const struct stage *stage;
    struct stage_place place;
    enum exit_status status =
        campaign_find_stage (invocation, campaign, &stage, &place, NULL);

    if (status != STATUS_DONE)
        return status;
    state = state_stage (&campaign->engine.state, place.iteration, place.stage);
    if (!state || state->phase != STAGE_DONE)
        return complain (
            STATUS_FAILED, "stage '%s' is %s in iteration %d", place.stage,
            stage_phase_name (state ? state->phase : STAGE_WAITING),
            place.iteration);
    value = outputs_store_get (campaign->engine.outputs, &place, &err);
    if (!value)
        return complain (STATUS_FAILED, "%s", err.text);
    if (output && !(value = json_get (value, output)))
        return complain (STATUS_USAGE, "stage '%s' has no output '%s'",
                         place.stage, output);
    if (json_kind (value) == JSON_KIND_STRING)
        puts (json_as_string (value));
    else
        print_json (value);
    return STATUS_DONE;
}

static const struct command_option options[] = {
    { "iteration", "N", "look at this iteration (default: the current one)" },
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
