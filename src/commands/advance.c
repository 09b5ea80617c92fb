/* SPDX-License-Identifier: BSD-3-Clause */
/* advance.c - one idempotent step of a campaign, safe from cron; submit, which
 * makes one, too
 */
#include "base/base.h"

#include "base/json.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/reuse_option.h"
#include "engine/drive/chain.h"
#include "engine/drive/driver.h"
#include "engine/drive/requests.h"
#include "report/notice_view.h"
#include "report/scheduler_view.h"
#include "report/status_view.h"

/* As the driver: a step, and another one as long as more was asked meanwhile,
 * for whoever found us driving went away.  'chain': NULL, or whether jobs are
 * to drive from now on.  'quiet': that another drives is not said.
 */
static enum exit_status step_campaign (struct campaign *campaign,
                                       const bool *chain, bool quiet,
                                       struct step *step)
{
    struct engine *engine = &campaign->engine;
    struct error err = ERROR_INIT;
    enum exit_status status;

    engine->stop = stopping_flag ();
    if (wake_message_leave (campaign->engine.dir, &err) < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    do {
        if ((status = campaign_drive (campaign, quiet)) != STATUS_DONE)
            return status;
        if ((chain && chain_turn (engine, *chain, &err) < 0)
            || driver_step (engine, step, &err) < 0)
            return campaign_gave_up (campaign, &err);
        engine_give_lease (engine);
    } while (requests_waiting (campaign->engine.dir) > 0 && !*engine->stop);
    return STATUS_DONE;
}

/* Where the campaign stands, and who goes on, or when to call again. */
static void print_line (const struct campaign *campaign,
                        const struct step *step)
{
    const struct state *state = &campaign->engine.state;
    _cleanup_ (strbuf_release) struct strbuf chain = STRBUF_INIT;

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
}

static void print_step (const struct campaign *campaign,
                        const struct step *step)
{
    _cleanup_json_ struct json *v = campaign_standing (campaign);

    json_set (v, "next_s", json_real (step->next_s));
    json_set (v, "actions", json_int (step->actions));
    if (step->unreachable) {
        _cleanup_ (strbuf_release) struct strbuf why = STRBUF_INIT;

        campaign_unreachable_text (campaign, step, &why);
        json_set (v, "error", json_string (why.buf));
    }
    print_json (v);
}

/* A scheduler that cannot be used any more, or can again, and a notice that
 * failed: once, not at each call.  'to': where to.
 */
static void print_change (const struct json *event, void *to)
{
    const char *kind = json_get_string (event, "ev");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (strcmp (kind, "outage") == 0)
        scheduler_outage_text (json_get_string (event, "profile"), event,
                               &text);
    else if (strcmp (kind, "answers") == 0)
        scheduler_answers_text (event, &text);
    notice_failed_text (event, &text);
    if (text.len > 0)
        fprintf (to, "%s\n", text.buf);
}

static enum exit_status make_step (const struct invocation *invocation,
                                   struct campaign *campaign, const bool *chain)
{
    const struct state *state = &campaign->engine.state;
    const enum campaign_status before = state->status;
    const bool quiet = invocation_option (invocation, "quiet") != NULL;
    const bool json = invocation_option (invocation, "json") != NULL;
    struct step step = { 0 };
    enum exit_status status;

    if (quiet) {
        campaign->engine.on_event = print_change;
        campaign->engine.on_event_arg = json ? stderr : stdout;
    }
    status = step_campaign (campaign, chain, quiet, &step);
    if (status != STATUS_DONE)
        return status;
    edited_files_driven (&campaign->files);
    if (quiet && state->status == before)
        ; /* nothing that a person must know */
    else if (json)
        print_step (campaign, &step);
    else
        print_line (campaign, &step);
    if (step.unreachable && quiet && !step.unread.text[0])
        return STATUS_UNREACHABLE; /* told when it began */
    if (step.unreachable)
        return campaign_unreachable (campaign, &step);
    return state->status == CAMPAIGN_FAILED || state->auto_paused
               ? STATUS_FAILED
               : STATUS_DONE;
}

static enum exit_status advance (const struct invocation *invocation,
                                 struct campaign *campaign)
{
    return make_step (invocation, campaign, NULL);
}

static enum exit_status submit (const struct invocation *invocation,
                                struct campaign *campaign)
{
    bool chain = invocation_option (invocation, "chain") != NULL;
    struct error err = ERROR_INIT;

    if (chain && chain_possible (&campaign->engine, &err) < 0)
        return complain (STATUS_INVALID, "%s", err.text);
    return make_step (invocation, campaign, &chain);
}

static const struct command_option advance_options[] = {
    { "json", NULL, "print {\"state\", \"iteration\", \"next_s\", ...}" },
    { "quiet", NULL, "print only that it paused, failed, ended or goes on" },
    REUSE_FROM_OPTION,
    { 0 },
};

const struct command advance_command = {
    .name = "advance",
    .summary = "take one idempotent step, for cron; say when to call again",
    .options = advance_options,
    .needs_all_results = true,
    .imports_data = true,
    .drives = true,
    .run_in = advance,
};

static const struct command_option submit_options[] = {
    { "chain", NULL,
      "let jobs drive the campaign from now on, so that no command has to" },
    { "json", NULL, "print {\"state\", \"iteration\", \"next_s\", ...}" },
    REUSE_FROM_OPTION,
    { 0 },
};

const struct command submit_command = {
    .name = "submit",
    .summary = "submit what can be submitted, and return; jobs or cron go on",
    .options = submit_options,
    .needs_all_results = true,
    .imports_data = true,
    .drives = true,
    .run_in = submit,
};
