/* SPDX-License-Identifier: BSD-3-Clause */
/* campaign.c - the campaign a command is about */
#include "base/base.h"

#include "adapter.h"
#include "base/json.h"
#include "base/file.h"
#include "base/problems.h"
#include "campaign/compile.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/data_import.h"
#include "commands/reuse_option.h"
#include "engine/drive/driver.h"
#include "engine/history/home.h"
#include "engine/observe/observe.h"
#include "engine/observe/scheduler_access.h"
#include "operators/table.h"
#include "report/notice_view.h"
#include "report/path_change.h"
#include "report/scheduler_view.h"
#include "report/status_view.h"
#include "space/lease.h"

/* What every command looks at in each file of frames; check reads them all. */
enum { ATOMS_LOOKED_AT = 10000 };

struct plan *campaign_plan (const struct invocation *invocation,
                            bool site_alone, struct json *recorded,
                            const struct heartbeat *heartbeat,
                            struct problems *problems)
{
    _cleanup_ (strvec_release) struct strvec schedulers = STRVEC_INIT;
    struct compile_options options = {
        .dir = invocation->dir,
        .site_file = invocation->site,
        .builtin = builtin_operators (),
        .this_host = true,
        .notices = invocation->command == &check_command,
        .program = invocation->program,
        .atoms =
            invocation->command == &check_command ? INT64_MAX : ATOMS_LOOKED_AT,
        .site_alone = site_alone,
        .heartbeat = heartbeat,
        .recorded = recorded
    };
    struct plan *plan;

    for (size_t i = 0; scheduler_adapter_at (i); i++)
        strvec_push (&schedulers, scheduler_adapter_at (i)->name);
    options.schedulers = (const char *const *)schedulers.v;
    plan = campaign_compile (&options, problems);
    return plan;
}

void campaign_print_problems (const struct problems *problems)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    problems_format (problems, &text);
    fputs (text.buf, stderr);
}

struct plan *campaign_plan_or_complain (const struct invocation *invocation,
                                        bool site_alone)
{
    _cleanup_ (problems_release) struct problems problems = PROBLEMS_INIT;
    struct plan *plan =
        campaign_plan (invocation, site_alone, NULL, NULL, &problems);

    if (!plan)
        campaign_print_problems (&problems);
    return plan;
}

void campaign_warn_of_event (const struct json *event, void *arg)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    (void)arg;
    path_change_text (event, &text);
    notice_failed_text (event, &text);
    if (text.len > 0)
        complain (STATUS_DONE, "warning: %s", text.buf);
}

/* Jobs of the directory that this one was copied from are left alone; who only
 * looks is told.
 */
static enum exit_status check_home (const struct invocation *invocation,
                                    const struct engine *engine)
{
    const struct command *command = invocation->command;
    struct error err = ERROR_INIT;

    if (command == &adopt_command || home_check (engine, &err) == 0)
        return STATUS_DONE;
    return command->drives ? complain (STATUS_FAILED, "%s", err.text)
                           : complain (STATUS_DONE, "warning: %s", err.text);
}

struct json *campaign_standing (const struct campaign *campaign)
{
    const struct state *state = &campaign->engine.state;
    struct json *v = json_object ();

    json_set (v, "state", json_string (status_word (state, true)));
    if (state->why)
        json_set (v, "why", json_string (state->why));
    json_set (v, "iteration", json_int (state_iteration (state)));
    return v;
}

int campaign_peek (const struct campaign *campaign, struct lease_holder *holder,
                   struct error *err)
{
    if (!home_is_elsewhere (&campaign->engine))
        return lease_peek (campaign->engine.dir, holder, err);
    memset (holder, 0, sizeof (*holder));
    return 0;
}

enum exit_status campaign_open (const struct invocation *invocation,
                                struct campaign *campaign)
{
    _cleanup_free_ char *dir = path_absolute (invocation->dir);
    enum exit_status status = STATUS_DONE;
    struct engine *engine = &campaign->engine;
    struct plan *plan = NULL;
    struct error err = ERROR_INIT;

    memset (campaign, 0, sizeof (*campaign));
    edited_files_open (&campaign->files, invocation);
    if (engine_open (engine, dir, invocation->program, &err) < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    else if ((status = check_home (invocation, engine)) != STATUS_DONE)
        ; /* it was said */
    else if (!(plan = edited_files_plan (&campaign->files, engine)))
        status = STATUS_INVALID;
    else if (invocation->command->imports_data
             && data_import (plan, NULL, &err) < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    if (status == STATUS_DONE) {
        engine->source =
            (struct plan_source){ edited_files_reread, edited_files_recompile,
                                  edited_files_held, &campaign->files };
        engine_take_over_plan (engine, plan);
        engine_keep_prepared (engine);
        engine->on_event = campaign_warn_of_event;
        campaign->plan = engine->plan;
    } else {
        plan_destroy (plan);
        campaign_close (campaign);
    }
    return status;
}

void campaign_close (struct campaign *campaign)
{
    engine_close (&campaign->engine);
    edited_files_close (&campaign->files);
    memset (campaign, 0, sizeof (*campaign));
}

/* Is there a scheduler that can do nothing for this process? */
static enum exit_status need_usable_schedulers (struct campaign *campaign)
{
    const struct plan *plan = campaign->plan;

    for (size_t i = 0; i < plan->n_stages; i++) {
        const struct profile *profile = plan->stages[i].profile;
        struct scheduler scheduler;
        struct error err = ERROR_INIT;
        const struct scheduler_adapter *adapter =
            engine_scheduler (&campaign->engine, profile, &scheduler);

        if (adapter->usable && adapter->usable (&scheduler, &err) != ANSWER_OK)
            return complain (STATUS_UNREACHABLE, "profile '%s': %s",
                             profile->name, err.text);
    }
    return STATUS_DONE;
}

enum exit_status campaign_drive (struct campaign *campaign, bool quiet)
{
    struct error err = ERROR_INIT;
    enum exit_status status;
    int rc;

    if (campaign->plan->n_stages == 0)
        return complain (STATUS_FAILED,
                         "the campaign has no stages that could run, only "
                         "functions; call one: `fanfold call %s`",
                         campaign->plan->functions[0].name);
    status = need_usable_schedulers (campaign);
    if (status != STATUS_DONE)
        return status;
    rc = engine_take_lease (&campaign->engine, &err);
    if (rc == 0)
        return reuse_option_take (campaign->files.invocation,
                                  &campaign->engine);
    if (rc > 0 && quiet)
        return STATUS_BUSY;
    return complain (rc > 0 ? STATUS_BUSY : STATUS_FAILED, "%s", err.text);
}

enum exit_status campaign_gave_up (const struct campaign *campaign,
                                   const struct error *err)
{
    const struct state *state = &campaign->engine.state;

    if (state->auto_paused && state->why)
        return complain (STATUS_FAILED, "%s: paused: %s (and: %s)",
                         campaign->plan->name, state->why, err->text);
    return complain (STATUS_FAILED, "%s", err->text);
}

void campaign_unreachable_text (const struct campaign *campaign,
                                const struct step *step, struct strbuf *out)
{
    if (step->unread.text[0])
        strbuf_add_str (out, step->unread.text);
    else
        scheduler_outages_text (&campaign->engine.state, out);
}

enum exit_status campaign_unreachable (const struct campaign *campaign,
                                       const struct step *step)
{
    _cleanup_ (strbuf_release) struct strbuf why = STRBUF_INIT;

    campaign_unreachable_text (campaign, step, &why);
    complain (STATUS_UNREACHABLE, "%s", why.buf);
    return STATUS_UNREACHABLE;
}

enum exit_status campaign_stage_logs (struct campaign *campaign,
                                      const char *stage, int iteration,
                                      struct observations *observations,
                                      const struct attempt_logs **logs)
{
    struct engine *engine = &campaign->engine;
    const struct stage_state *state =
        state_stage (&engine->state, iteration, stage);
    const struct observed_attempt *seen;
    struct error err = ERROR_INIT;

    *logs = NULL;
    if (iteration != state_iteration (&engine->state) || !state
        || !stage_open_attempt (state))
        return STATUS_DONE;
    if (observe_logs (engine, observations, &err) < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    seen = observations_find (observations, stage);
    *logs = seen ? seen->logs : NULL;
    return STATUS_DONE;
}
