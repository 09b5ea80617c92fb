/* SPDX-License-Identifier: BSD-3-Clause */
/* submit.c - submit what can be, and return: cron goes on, or jobs do */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command_table.h"
#include "commands/invocation.h"
#include "commands/stopping.h"
#include "engine/driver.h"
#include "engine/events.h"
#include "engine/requests.h"
#include "engine/wakeups.h"
#include "report/chain_view.h"
#include "report/status_view.h"

static int set_chain (struct engine *engine, bool on, struct error *err)
{
    struct json *event;

    if (engine->state.chained == on)
        return 0;
    event = event_new ("chain", clock_wall_s ());
    json_set (event, "on", json_bool (on));
    return engine_record (engine, event, err);
}

/* A step; and another one as long as somebody asked meanwhile. */
static enum exit_status drive (struct campaign *campaign,
                               bool chain,
                               struct step *step)
{
    struct engine *engine = &campaign->engine;
    struct error err = ERROR_INIT;
    enum exit_status status;

    if (wake_leave (campaign->plan->dir, &err) < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    do {
        if ((status = campaign_drive (campaign)) != STATUS_DONE)
            return status;
        if (set_chain (engine, chain, &err) < 0
            || driver_step (engine, step, &err) < 0)
            return campaign_gave_up (campaign, &err);
        engine_give_lease (engine);
    } while (requests_waiting (campaign->plan->dir) > 0 && !*engine->stop);
    return STATUS_DONE;
}

static void print (const struct campaign *campaign, const struct step *step)
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
        printf ("; call `fanfold advance` in %.0f s and again",
                ceil (step->next_s));
    putchar ('\n');
    strbuf_release (&text);
}

static enum exit_status end_status (const struct campaign *campaign,
                                    const struct step *step)
{
    const struct state *state = &campaign->engine.state;

    if (step->unreachable)
        return complain (STATUS_UNREACHABLE, "%s", step->trouble.text);
    return state->phase == CAMPAIGN_FAILED || state->held_up ? STATUS_FAILED
                                                             : STATUS_DONE;
}

static enum exit_status submit (const struct invocation *invocation)
{
    bool chain = invocation_option (invocation, "chain") != NULL;
    struct campaign campaign;
    struct step step = { 0 };
    struct error err = ERROR_INIT;
    enum exit_status status = campaign_open (invocation, &campaign);

    if (status != STATUS_DONE)
        return status;
    campaign.engine.stop = stopping_flag ();
    if (chain && wakeups_possible (&campaign.engine, &err) < 0)
        status = complain (STATUS_INVALID, "%s", err.text);
    else
        status = drive (&campaign, chain, &step);
    if (status == STATUS_DONE) {
        print (&campaign, &step);
        status = end_status (&campaign, &step);
    }
    campaign_close (&campaign);
    return status;
}

static const struct command_option options[] = {
    { "chain", NULL, "jobs drive the campaign from now on: nobody need" },
    { 0 },
};

const struct command submit_command = {
    .name = "submit",
    .arguments = "",
    .summary = "submit what can be, and return; jobs or cron go on",
    .options = options,
    .run = submit,
};
