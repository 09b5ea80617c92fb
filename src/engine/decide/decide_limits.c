/* SPDX-License-Identifier: BSD-3-Clause */
/* decide_limits.c - what the submit limits leave room for (pure)
 *
 * Schedulers count every element of an array against them.
 * What does not fit waits for a later round; a refused submission would pause
 * the campaign.  A throttle is one array's own, so that several arrays share
 * what may run.
 */
#include "base/base.h"

#include "campaign/plan.h"
#include "engine/decide/deciding.h"
#include "engine/history/state.h"
#include "engine/decide/dependency_jobs.h"

static bool bundle_has_ended (const struct stage_state *state,
                              const struct observed_attempt *seen,
                              const struct task_range *bundle)
{
    for (int32_t t = -1; (t = task_range_next (bundle, t)) >= 0;) {
        if (state->tasks[t].outcome == OUTCOME_NONE
            && seen->logs->tasks[t].outcome == OUTCOME_NONE)
            return false;
    }
    return true;
}

/* One that the scheduler has forgotten may live while its tasks have no
 * outcome.
 */
static int64_t count_released (const struct stage_state *state,
                               const struct observed_attempt *seen,
                               const struct observed_submission *submission)
{
    int64_t n = 0;

    for (int64_t e = 0; e < submission->n_elements; e++) {
        enum element_state now = submission->elements[e].state;

        n += now == ELEMENT_UNKNOWN
                 ? !bundle_has_ended (state, seen, &submission->bundles[e])
                 : now != ELEMENT_ENDED;
    }
    return n;
}

/* Elements of a stage's open attempt that the scheduler may count. */
static int64_t count_stage (const struct deciding *d,
                            const struct stage_state *state,
                            const struct attempt *attempt)
{
    const struct observed_attempt *seen =
        observations_find (d->observations, state->name);
    int64_t n = 0;

    for (size_t i = 0; i < attempt->n_submissions; i++) {
        const struct submission *s = &attempt->submissions[i];

        if (s->status == SUBMISSION_ENDED || s->status == SUBMISSION_ABSENT)
            continue;
        if (s->status == SUBMISSION_RELEASED && seen && i < seen->n_submissions
            && seen->submissions[i].polled)
            n += count_released (state, seen, &seen->submissions[i]);
        else
            n += s->elements;
    }
    return n;
}

/* What this round submits of a stage already. */
static int64_t count_round (const struct deciding *d, int stage,
                            const struct attempt *attempt)
{
    int64_t n = 0;

    for (size_t i = 0; i < d->actions->n; i++) {
        const struct action *action = &d->actions->v[i];

        if (action->kind == ACT_SUBMIT && action->stage == stage)
            n += attempt->packing.per_chunk;
    }
    return n;
}

struct throttle decide_throttle (const struct deciding *d, int stage)
{
    struct array_limits limits = d->plan->stages[stage].profile->limits;
    const struct attempt *attempt = stage_open_attempt (
        state_stage (d->state, d->iteration, d->plan->stages[stage].name));

    limits.submit = tighter_limit (limits.submit, attempt->site_submit);
    return packing_throttle (attempt->packing.chunks,
                             attempt->packing.per_chunk, &limits);
}

/* May one more array of the attempt run beside those there are? */
static bool throttle_allows (const struct deciding *d, int stage,
                             const struct attempt *attempt)
{
    int64_t most = decide_throttle (d, stage).arrays;
    int64_t n = 0;

    for (size_t i = 0; i < attempt->n_submissions; i++)
        n += attempt->submissions[i].status != SUBMISSION_ENDED
             && attempt->submissions[i].status != SUBMISSION_ABSENT;
    for (size_t i = 0; i < d->actions->n; i++)
        n += d->actions->v[i].kind == ACT_SUBMIT
             && d->actions->v[i].stage == stage;
    return most == 0 || n < most;
}

/* Dependency jobs of a scheduler or ('profile') a profile: those there are, and
 * those that this round makes.
 */
static int64_t count_dependency_jobs (const struct deciding *d,
                                      const char *scheduler,
                                      const struct profile *profile)
{
    int64_t n = 0;

    for (size_t i = 0; i < d->state->n_dependency_jobs; i++) {
        const struct profile *its =
            dependency_job_profile (d->plan, &d->state->dependency_jobs[i]);

        if (profile ? its == profile : strcmp (its->scheduler, scheduler) == 0)
            n += d->state->dependency_jobs[i].job.elements;
    }
    for (size_t i = 0; i < d->actions->n; i++) {
        const struct action *action = &d->actions->v[i];
        const struct profile *its =
            action->stage >= 0 ? d->plan->stages[action->stage].profile : NULL;

        if ((action->kind == ACT_WAKE
             || (action->kind == ACT_SUBMIT && d->state->chained))
            && (profile ? its == profile
                        : strcmp (its->scheduler, scheduler) == 0))
            n += DEPENDENCY_JOB_ELEMENTS;
    }
    return n;
}

/* Without anything of ours there one array always may. */
static bool fits (int64_t used, int64_t dependency_jobs, int64_t more,
                  int64_t limit)
{
    return limit == 0 || used == 0 || used + dependency_jobs + more <= limit;
}

bool decide_limits (const struct deciding *d, int stage)
{
    const struct profile *profile = d->plan->stages[stage].profile;
    const struct attempt *ours = stage_open_attempt (
        state_stage (d->state, d->iteration, d->plan->stages[stage].name));
    int64_t of_profile = 0;
    int64_t of_scheduler = 0;
    int64_t more = ours->packing.per_chunk;

    if (!throttle_allows (d, stage, ours))
        return false;
    if (profile->limits.submit == 0 && ours->site_submit == 0)
        return true;
    for (size_t i = 0; i < d->plan->n_stages; i++) {
        const struct profile *other = d->plan->stages[i].profile;
        const struct stage_state *state =
            state_stage (d->state, d->iteration, d->plan->stages[i].name);
        const struct attempt *attempt =
            state ? stage_open_attempt (state) : NULL;
        int64_t n;

        if (!attempt || strcmp (other->scheduler, profile->scheduler) != 0)
            continue;
        n = count_stage (d, state, attempt) + count_round (d, (int)i, attempt);
        of_scheduler += n;
        of_profile += other == profile ? n : 0;
    }
    if (d->state->chained)
        more += DEPENDENCY_JOB_ELEMENTS;
    return fits (of_profile, count_dependency_jobs (d, NULL, profile), more,
                 profile->limits.submit)
           && fits (of_scheduler,
                    count_dependency_jobs (d, profile->scheduler, NULL), more,
                    ours->site_submit);
}
