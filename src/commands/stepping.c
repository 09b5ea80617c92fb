/* SPDX-License-Identifier: BSD-3-Clause */
/* stepping.c - one step of a campaign: what `advance` and `submit` share */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/invocation.h"
#include "commands/stepping.h"
#include "commands/stopping.h"
#include "engine/drive/driver.h"
#include "engine/drive/requests.h"
#include "engine/drive/chain.h"
#include "report/chain_view.h"
#include "report/status_view.h"

enum exit_status step_campaign (struct campaign *campaign,
                                const bool *chain,
                                struct step *step)
{
    struct engine *engine = &campaign->engine;
    struct error err = ERROR_INIT;
    enum exit_status status;

    engine->stop = stopping_flag ();
    if (wake_message_leave (campaign->plan->dir, &err) < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    do {
        if ((status = campaign_drive (campaign)) != STATUS_DONE)
            return status;
        if ((chain && chain_turn (engine, *chain, &err) < 0)
            || driver_step (engine, step, &err) < 0)
            return campaign_gave_up (campaign, &err);
        engine_give_lease (engine);
    } while (requests_waiting (campaign->plan->dir) > 0 && !*engine->stop);
    return STATUS_DONE;
}

void step_print (const struct campaign *campaign, const struct step *step)
{
    const struct state *state = &campaign->engine.state;
    struct strbuf chain = STRBUF_INIT;

    printf ("%s: %s", campaign->plan->name, status_word (state, true));
    if (state->why)
        printf (" (%s)", state->why);
    if (state_iteration (state) >= 0)
        printf (", iteration %d", state_iteration (state));
    chain_text (state, &chain);
    if (chain.len > 0)
        printf ("; %s", chain.buf);
    else if (step->next_s > 0)
        printf ("; call `fanfold advance` in %.0f s", ceil (step->next_s));
    putchar ('\n');
    strbuf_release (&chain);
}

enum exit_status step_status (const struct campaign *campaign,
                              const struct step *step)
{
    const struct state *state = &campaign->engine.state;

    if (step->unreachable)
        return complain (STATUS_UNREACHABLE, "%s", step->unreachable_why.text);
    return state->phase == CAMPAIGN_FAILED || state->auto_paused ? STATUS_FAILED
                                                                 : STATUS_DONE;
}
