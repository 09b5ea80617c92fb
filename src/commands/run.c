/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - drive in the foreground until done */
#include "base/base.h"

#include <unistd.h>

#include "base/json.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/foreground.h"
#include "commands/reuse_option.h"
#include "engine/drive/driver.h"
#include "report/status_view.h"
#include "space/task_key.h"

static enum exit_status end_status (const struct campaign *campaign)
{
    const struct state *state = &campaign->engine.state;
    const char *name = campaign->plan->name;

    if (*campaign->engine.stop)
        return complain (STATUS_INTERRUPTED,
                         "interrupted; what was submitted runs on, and "
                         "`fanfold run` goes on from here");
    if (driver_is_to_stop (&campaign->engine))
        return complain (STATUS_INTERRUPTED,
                         "stopped: the time of the job that this driver is "
                         "part of is nearly over; what was submitted runs on, "
                         "and `fanfold run` goes on from here: submit the job "
                         "again");
    switch (state->status) {
    case CAMPAIGN_FAILED:
        return complain (STATUS_FAILED, "%s: failed: %s%s", name,
                         state->why ? state->why : "",
                         reason_names_command (state->why)
                             ? ""
                             : "; fix it, then run `fanfold retry`");
    case CAMPAIGN_PAUSED:
        return complain (state->auto_paused ? STATUS_FAILED : STATUS_DONE,
                         state->auto_paused
                             ? "%s: paused: %s"
                             : "%s: paused: %s; `fanfold resume` "
                               "goes on",
                         name, state->why ? state->why : "");
    default:
        return STATUS_DONE;
    }
}

static void print_end (const struct campaign *campaign)
{
    _cleanup_json_ struct json *v = campaign_standing (campaign);
    const char *changed = status_changed_stage (&campaign->engine);

    if (changed)
        json_set (v, "changed", json_string (changed));
    print_json (v);
}

/* An edit of a campaign that is done is taken on, and changes nothing by
 * itself.
 */
static void tell_changed (const struct campaign *campaign)
{
    const char *stage = status_changed_stage (&campaign->engine);

    if (stage)
        printf ("campaign.yaml says something else of '%s' than what was done; "
                "`fanfold redo %s` does it again, and what follows\n",
                stage, stage);
}

static bool is_known (const struct plan *plan, const char *stage)
{
    for (size_t i = 0; i < plan->n_stages; i++) {
        if (stage_is_of (plan->stages[i].name, stage))
            return true;
    }
    return false;
}

/* The words behind --no-reuse are keys, or names of stages. */
static enum exit_status check_named (const struct invocation *invocation,
                                     const struct plan *plan)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    enum exit_status status = STATUS_DONE;

    for (size_t i = 0; i < plan->n_stages; i++)
        strvec_push (&names, plan->stages[i].name);
    for (int i = 0; status == STATUS_DONE && i < invocation->n_args; i++) {
        const char *word = invocation->args[i];
        struct task_key key;

        if (task_key_parse (word, &key) == 0)
            word = key.stage;
        if (!is_known (plan, word))
            status = complain_unknown ("stage", word, &names);
    }
    return status;
}

static enum exit_status run (const struct invocation *invocation,
                             struct campaign *campaign)
{
    const bool json = invocation_option (invocation, "json") != NULL;
    enum exit_status status = check_named (invocation, campaign->plan);

    if (status != STATUS_DONE)
        return status;
    if (invocation_option (invocation, "no-reuse"))
        campaign->engine.no_reuse = (const char *const *)invocation->args;
    status = foreground_drive (campaign, json ? stderr : stdout,
                               json ? STDERR_FILENO : STDOUT_FILENO, 0, false);
    if (status == STATUS_DONE && json)
        print_end (campaign);
    if (status == STATUS_DONE)
        status = end_status (campaign);
    if (status == STATUS_DONE && !json)
        tell_changed (campaign);
    if (status == STATUS_DONE && campaign->files.held)
        return complain (STATUS_INVALID,
                         "that was by the definition that was taken on last; "
                         "fix what `fanfold check` tells, then run `fanfold "
                         "run`");
    return status;
}

static const struct command_option options[] = {
    { "no-reuse", NULL,
      "run tasks whose results are known, too: all, or those that are named by "
      "key or stage" },
    { "json", NULL,
      "print how it ended as one JSON object, progress on stderr" },
    REUSE_FROM_OPTION,
    { 0 },
};

const struct command run_command = {
    .name = "run",
    .arguments = "[KEY ...]",
    .max_args = 1000,
    .arguments_of = "no-reuse",
    .options = options,
    .summary = "drive in the foreground until done, with live progress",
    .needs_all_results = true,
    .imports_data = true,
    .drives = true,
    .run_in = run,
};
