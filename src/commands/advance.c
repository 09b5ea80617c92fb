/* SPDX-License-Identifier: BSD-3-Clause */
/* advance.c - one idempotent step, safe from cron */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command_table.h"
#include "commands/invocation.h"
#include "commands/stopping.h"
#include "engine/driver.h"
#include "engine/requests.h"
#include "report/chain_view.h"
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
        json_set (v, "trouble", json_string (step->trouble.text));
    json_dump (v, JSON_PRETTY, &text);
    fputs (text.buf, stdout);
    strbuf_release (&text);
    json_unref (v);
}

static void print_text (const struct campaign *campaign,
                        const struct step *step)
{
    const struct state *state = &campaign->engine.state;
    struct strbuf text = STRBUF_INIT;

    printf ("%s: %s", campaign->plan->name, status_word (state, true));
    if (state->why)
        printf (" (%s)", state->why);
    if (state_iteration (state) >= 0)
        printf (", iteration %d", state_iteration (state));
    chain_text (state, &text);
    if (text.len > 0)
        printf ("; %s", text.buf);
    else if (step->next_s > 0)
        printf ("; call again in %.0f s", ceil (step->next_s));
    putchar ('\n');
    strbuf_release (&text);
}

static enum exit_status end_status (const struct campaign *campaign,
                                    const struct step *step)
{
    if (step->unreachable)
        return complain (STATUS_UNREACHABLE, "%s", step->trouble.text);
    if (campaign->engine.state.phase == CAMPAIGN_FAILED
        || campaign->engine.state.held_up)
        return STATUS_FAILED;
    return STATUS_DONE;
}

/* A step; and another one as long as somebody asked meanwhile, for whoever
 * found us driving went away.
 */
static enum exit_status drive (struct campaign *campaign, struct step *step)
{
    struct error err = ERROR_INIT;
    enum exit_status status;

    do {
        if ((status = campaign_drive (campaign)) != STATUS_DONE)
            return status;
        if (driver_step (&campaign->engine, step, &err) < 0)
            return campaign_gave_up (campaign, &err);
        engine_give_lease (&campaign->engine);
    } while (requests_waiting (campaign->plan->dir) > 0
             && !*campaign->engine.stop);
    return STATUS_DONE;
}

static enum exit_status advance (const struct invocation *invocation)
{
    struct campaign campaign;
    struct step step = { 0 };
    struct error err = ERROR_INIT;
    enum exit_status status = campaign_open (invocation, &campaign);

    if (status != STATUS_DONE)
        return status;
    campaign.engine.stop = stopping_flag ();
    if (wake_leave (campaign.plan->dir, &err) < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    else
        status = drive (&campaign, &step);
    if (status == STATUS_DONE) {
        if (invocation_option (invocation, "json"))
            print_json (&campaign, &step);
        else
            print_text (&campaign, &step);
        status = end_status (&campaign, &step);
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
