/* SPDX-License-Identifier: BSD-3-Clause */
/* foreground.c - driving a campaign until it is done */
#include "base/base.h"

#include "commands/campaign.h"
#include "commands/foreground.h"
#include "engine/drive/driver.h"
#include "engine/drive/job_time.h"
#include "engine/drive/requests.h"
#include "engine/observe/observe.h"
#include "report/progress.h"
#include "space/lease.h"

static const char keys[] = "q leaves; what was submitted goes on, and `fanfold "
                           "run` goes on from there";

/* In a chained campaign: what comes sooner is waited for here. */
static const double patience_s = 120;

/* After every step: the screen or the live line, with what the logs say right
 * now. */
static void tick (struct engine *engine, const struct step *step, void *arg)
{
    _cleanup_ (observations_release) struct observations observations = { 0 };
    const struct lease_holder ours = { .held = true };

    progress_outages (arg, &engine->state);
    progress_note_error (arg, step->unread.text);
    if (!progress_is_live (arg))
        return;
    if (observe_logs (engine, &observations, NULL) == 0)
        progress_draw (arg, &observations, &ours);
}

/* When to come to an end; 0: never. */
static double end_s (struct engine *engine, double asked_s)
{
    double job_s = job_time_end_s (engine);

    return job_s > 0 && asked_s > 0 ? fmin (job_s, asked_s) : job_s + asked_s;
}

/* The job's time seems to be over; it may have been given more. */
static bool has_more_time (struct engine *engine, double asked_s)
{
    if (*engine->stop || !driver_is_to_stop (engine))
        return false;
    engine->stop_at_s = end_s (engine, asked_s);
    return !driver_is_to_stop (engine);
}

/* Drive to the end; and again when something was asked for between our
 * last look and our letting go of the lock.
 */
static enum exit_status drive (struct campaign *campaign,
                               struct progress *progress, double asked_s,
                               bool quiet)
{
    struct error err = ERROR_INIT;
    enum exit_status status;

    do {
        if ((status = campaign_drive (campaign, quiet)) != STATUS_DONE)
            return status;
        if (driver_run (&campaign->engine, progress ? tick : NULL, progress,
                        &err)
            < 0)
            return campaign_gave_up (campaign, &err);
        engine_give_lease (&campaign->engine);
    } while (has_more_time (&campaign->engine, asked_s)
             || (requests_waiting (campaign->engine.dir) > 0
                 && !driver_is_to_stop (&campaign->engine)));
    return STATUS_DONE;
}

enum exit_status foreground_drive (struct campaign *campaign, FILE *to, int fd,
                                   double stop_at_s, bool quiet)
{
    struct engine *engine = &campaign->engine;
    struct progress *progress =
        to ? progress_create (engine, to, fd, to == stdout ? keys : NULL,
                              &stderr)
           : NULL;
    enum exit_status status;

    engine->stop = stopping_flag ();
    engine->stop_at_s = end_s (engine, stop_at_s);
    engine->patience_s = patience_s;
    if (progress) {
        engine->on_event = progress_event;
        engine->on_event_arg = progress;
        engine->on_wait = progress_wait;
        engine->on_beat = progress_beat;
    }
    status = drive (campaign, progress, stop_at_s, quiet);
    engine->on_beat = NULL;
    if (progress)
        progress_destroy (progress,
                          status == STATUS_DONE ? &engine->state : NULL);
    engine->on_event = campaign_warn_of_event;
    engine->on_wait = NULL;
    if (status == STATUS_DONE)
        edited_files_driven (&campaign->files);
    return status;
}
