/* SPDX-License-Identifier: BSD-3-Clause */
/* advance.c - one idempotent step, safe from cron */
#include "config.h"

#include <stdio.h>

#include "base/json.h"
#include "base/strbuf.h"
#include "commands/campaign.h"
#include "commands/command_table.h"
#include "commands/invocation.h"
#include "commands/stepping.h"
#include "engine/drive/driver.h"
#include "report/status_view.h"

static void print_json (const struct campaign *campaign,
                        const struct step *step)
{
    struct json *v = json_object ();
    struct strbuf text = STRBUF_INIT;
    const struct state *state = &campaign->engine.state;

    json_set (v, "state", json_string (status_word (state, true)));
    if (state->why)
        json_set (v, "why", json_string (state->why));
    json_set (v, "iteration", json_int (state_iteration (state)));
    json_set (v, "next_s", json_real (step->next_s));
    json_set (v, "actions", json_int (step->actions));
    if (step->unreachable)
        json_set (v, "error", json_string (step->unreachable_why.text));
    json_dump (v, JSON_PRETTY, &text);
    fputs (text.buf, stdout);
    strbuf_release (&text);
    json_unref (v);
}

static enum exit_status advance (const struct invocation *invocation)
{
    struct campaign campaign;
    struct step step = { 0 };
    enum exit_status status = campaign_open (invocation, &campaign);

    if (status != STATUS_DONE)
        return status;
    status = step_campaign (&campaign, NULL, &step);
    if (status == STATUS_DONE) {
        if (invocation_option (invocation, "json"))
            print_json (&campaign, &step);
        else
            step_print (&campaign, &step);
        status = step_status (&campaign, &step);
    }
    campaign_close (&campaign);
    return status;
}

static const struct command_option options[] = {
    { "json", NULL, "print {\"state\", \"iteration\", \"next_s\", ...}" },
    { 0 },
};

const struct command advance_command = {
    .name = "advance",
    .arguments = "",
    .summary = "one idempotent step, for cron; says when to call again",
    .options = options,
    .run = advance,
};
