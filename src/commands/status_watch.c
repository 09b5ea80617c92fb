/* SPDX-License-Identifier: BSD-3-Clause */
/* status_watch.c - a campaign as it changes, looked at and not touched */
#include "base/base.h"

#include <unistd.h>

#include "commands/campaign.h"
#include "commands/status_watch.h"
#include "engine/observe/observe.h"
#include "report/progress.h"
#include "space/lease.h"

/* How often it is looked at. */
#define LOOK_S 1.0

/* Fold what is new, and go by what the driver has taken on. */
static int look (struct campaign *campaign, struct error *err)
{
    struct engine *engine = &campaign->engine;
    int64_t n = engine->position.n;
    _cleanup_free_ char *before = xstrdup (engine->state.config_sha256);
    struct plan *plan = NULL;

    if (engine_look (engine, err) < 0)
        return -1;
    if (strcmp (before, engine->state.config_sha256) != 0)
        plan = edited_files_recorded (&campaign->files, engine);
    if (plan)
        engine_take_over_plan (engine, plan);
    if (engine->position.n != n)
        engine_keep_prepared (engine);
    return 0;
}

/* What cannot be read now is told once, and looked at again. */
static void show (struct campaign *campaign, struct progress *progress)
{
    struct engine *engine = &campaign->engine;
    _cleanup_ (observations_release) struct observations observations = { 0 };
    struct lease_holder holder = { 0 };
    struct error err = ERROR_INIT;

    if (look (campaign, &err) == 0
        && (!progress_is_live (progress)
            || (campaign_peek (campaign, &holder, &err) == 0
                && observe_logs (engine, &observations, &err) == 0)))
        progress_draw (progress, &observations, &holder);
    progress_outages (progress, &engine->state);
    progress_note_error (progress, err.text);
}

enum exit_status status_watch (struct campaign *campaign)
{
    struct engine *engine = &campaign->engine;
    struct progress *progress = progress_create (
        engine, stdout, STDOUT_FILENO,
        "q leaves; this only looks and changes nothing", &stderr);
    bool left;

    engine->stop = stopping_flag ();
    engine->on_read = progress_event;
    engine->on_event_arg = progress;
    show (campaign, progress);
    while (!*engine->stop
           && (progress_is_live (progress)
               || engine->state.status == CAMPAIGN_RUNNING)) {
        progress_beat (LOOK_S, progress);
        show (campaign, progress);
    }
    left = progress_is_left (progress);
    engine->on_read = NULL;
    progress_destroy (progress, &engine->state);
    return *engine->stop && !left ? STATUS_INTERRUPTED : STATUS_DONE;
}
