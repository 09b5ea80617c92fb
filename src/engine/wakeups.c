/* SPDX-License-Identifier: BSD-3-Clause */
/* wakeups.c - the jobs that wake a chained campaign, and the plan */
#include "config.h"

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

/* That of the driver, and the next one. */
int64_t wakeups_leave (int64_t submit)
{
    int64_t left = submit - 2 * WAKEUP_ELEMENTS;

    if (submit == 0)
        return 0;
    return left > 0 ? left : 1;
}
