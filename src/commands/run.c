/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - drive in the foreground until done */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "engine/drive/driver.h"
#include "engine/drive/job_time.h"
#include "engine/drive/requests.h"
#include "engine/observe/observe.h"
#include "report/progress.h"
#include "report/status_view.h"

/* In a chained campaign: what comes sooner is waited for here. */
static const double patience_s = 120;

/* After every step: the live line, with what the logs say right now. */
static void tick (struct engine *engine, const struct step *step, void *arg)
{
    struct observations observations = { 0 };

    progress_outages (arg, &engine->state);
    progress_note_error (arg, step->unread.text);
    if (!progress_is_live (arg))
        return;
    if (observe_logs (engine, &observations, NULL) == 0)
        progress_draw (arg, engine, &observations);
    observations_release (&observations);
}

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

/* The job's time seems to be over; somebody may have given it more. */
static bool has_more_time (struct engine *engine)
{
    if (*engine->stop || !driver_is_to_stop (engine))
        return false;
    engine->stop_at_s = job_time_end_s (engine);
    return !driver_is_to_stop (engine);
}

/* Drive to the end; and again when somebody asked for something between our
 * last look and our letting go of the lock.
 */
static enum exit_status drive (struct campaign *campaign,
                               struct progress *progress)
{
    struct error err = ERROR_INIT;
    enum exit_status status;

    do {
        if ((status = campaign_drive (campaign, false)) != STATUS_DONE)
            return status;
        if (driver_run (&campaign->engine, tick, progress, &err) < 0)
            return campaign_gave_up (campaign, &err);
        engine_give_lease (&campaign->engine);
    } while (has_more_time (&campaign->engine)
             || (requests_waiting (campaign->engine.dir) > 0
                 && !driver_is_to_stop (&campaign->engine)));
    return STATUS_DONE;
}

static enum exit_status run (const struct invocation *invocation,
                             struct campaign *campaign)
{
    struct progress *progress = progress_create (&campaign->engine, stdout);
    enum exit_status status;

    (void)invocation;
    campaign->engine.stop = stopping_flag ();
    campaign->engine.stop_at_s = job_time_end_s (&campaign->engine);
    campaign->engine.patience_s = patience_s;
    campaign->engine.on_event = progress_event;
    campaign->engine.on_event_arg = progress;
    campaign->engine.on_wait = progress_wait;
    status = drive (campaign, progress);
    progress_destroy (progress,
                      status == STATUS_DONE ? &campaign->engine.state : NULL);
    if (status == STATUS_DONE) {
        edited_files_driven (&campaign->files);
        status = end_status (campaign);
    }
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
