/* SPDX-License-Identifier: BSD-3-Clause */
/* wakeups.c - the jobs that wake a chained campaign, and the plan */
#include "config.h"

#include <inttypes.h>

#include "adapter.h"
#include "arrays/packing.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/engine.h"
#include "engine/events.h"
#include "engine/state.h"
#include "engine/wakeups.h"

int wakeup_stage (const struct plan *plan, const struct wakeup *wakeup)
{
    int stage = plan_stage_find (plan, wakeup->stage);

    return stage >= 0 ? stage : 0;
}

const struct profile *wakeup_profile (const struct plan *plan,
                                      const struct wakeup *wakeup)
{
    return plan->stages[wakeup_stage (plan, wakeup)].profile;
}

/* That of the driver, and the next one. */
enum { WAKEUPS_MOST = 2 * WAKEUP_ELEMENTS };

/* Is there room for one element beside wake-ups?  What the site says counts
 * when it says something, and where wake-ups are under the same limit.
 */
static int has_room (const struct profile *profile,
                     const struct scheduler *scheduler,
                     struct error *err)
{
    const struct wake_settings *wake = &profile->wake;
    struct scheduler_limits site = { 0 };
    int64_t submit = profile->limits.submit;

    if (!wake->queue && !wake->account && !wake->qos
        && scheduler->adapter->limits (scheduler, &site, NULL) == ANSWER_OK)
        submit = tighter_limit (submit, site.submit);
    if (submit == 0 || submit > WAKEUPS_MOST)
        return 0;
    return error_set (
        err,
        "profile '%s': %" PRId64 " elements may be submitted at a time%s; a "
        "campaign whose jobs drive it needs %d, of which %d are wake-ups; call "
        "`fanfold advance` from cron instead",
        profile->name, submit,
        submit == profile->limits.submit ? " (`limits: submit:`)" : "",
        WAKEUPS_MOST + 1, WAKEUPS_MOST);
}

int wakeups_possible (struct engine *engine, struct error *err)
{
    for (size_t i = 0; i < engine->plan->n_stages; i++) {
        const struct profile *profile = engine->plan->stages[i].profile;
        struct scheduler scheduler;

        if (!engine_scheduler (engine, profile, &scheduler)->can_wait)
            return error_set (err,
                              "profile '%s': jobs of the scheduler '%s' cannot "
                              "wait for each other; call `fanfold advance` "
                              "from cron instead",
                              profile->name, profile->scheduler);
        if (has_room (profile, &scheduler, err) < 0)
            return -1;
    }
    return 0;
}

int wakeups_turn (struct engine *engine, bool on, struct error *err)
{
    struct json *event;

    if (engine->state.chained == on)
        return 0;
    event = event_new ("chain", clock_wall_s ());
    json_set (event, "on", json_bool (on));
    return engine_record (engine, event, err);
}

int64_t wakeups_leave (int64_t submit)
{
    int64_t left = submit - WAKEUPS_MOST;

    if (submit == 0)
        return 0;
    return left > 0 ? left : 1;
}
