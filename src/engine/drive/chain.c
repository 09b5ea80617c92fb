/* SPDX-License-Identifier: BSD-3-Clause */
/* chain.c - may jobs drive the campaign, and are they to? */
#include "base/base.h"

#include "adapter.h"
#include "arrays/packing.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/decide/dependency_jobs.h"
#include "engine/drive/chain.h"
#include "engine/history/engine.h"
#include "engine/history/events.h"
#include "engine/observe/scheduler_access.h"

/* May one element be submitted beside dependency jobs?  What the site says
 * counts when it says something, and where those are under the same limit.
 */
static int limits_allow (const struct profile *profile,
                         const struct scheduler *scheduler, struct error *err)
{
    const struct wake_settings *wake = &profile->wake;
    struct scheduler_limits site = { 0 };
    int64_t submit = profile->limits.submit;

    if (!wake->queue && !wake->account && !wake->qos
        && scheduler->adapter->limits (scheduler, &site, NULL) == ANSWER_OK)
        submit = tighter_limit (submit, site.submit);
    if (submit == 0 || submit > DEPENDENCY_JOBS_MOST)
        return 0;
    return error_set (
        err,
        "profile '%s': %" PRId64 " elements may be submitted at a time%s; a "
        "campaign whose jobs drive it needs %d, of which %d are "
        "dependency jobs; call `fanfold advance` from cron instead",
        profile->name, submit,
        submit == profile->limits.submit ? " (`limits: submit:`)" : "",
        DEPENDENCY_JOBS_MOST + 1, DEPENDENCY_JOBS_MOST);
}

int chain_possible (struct engine *engine, struct error *err)
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
        if (limits_allow (profile, &scheduler, err) < 0)
            return -1;
    }
    return 0;
}

int chain_turn (struct engine *engine, bool on, struct error *err)
{
    struct json *event;

    if (engine->state.chained == on)
        return 0;
    event = event_new ("chain", engine_now_s (engine));
    json_set (event, "on", json_bool (on));
    return engine_record (engine, event, err);
}
