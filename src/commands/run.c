/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - drive in the foreground until done */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/foreground.h"
#include "engine/drive/driver.h"
#include "report/status_view.h"

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

static enum exit_status run (const struct invocation *invocation,
                             struct campaign *campaign)
{
    enum exit_status status = foreground_drive (campaign, stdout, 0, false);

    (void)invocation;
    if (status == STATUS_DONE)
        status = end_status (campaign);
    if (status == STATUS_DONE && campaign->files.held)
        return complain (STATUS_INVALID,
                         "that was by the definition that was taken on last; "
                         "fix what `fanfold check` tells, then run `fanfold "
                         "run`");
    return status;
}

const struct command run_command = {
    .name = "run",
    .summary = "drive in the foreground until done, with live progress",
    .needs_all_results = true,
    .imports_data = true,
    .run_in = run,
};
