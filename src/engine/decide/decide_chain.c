/* SPDX-License-Identifier: BSD-3-Clause */
/* decide_chain.c - which jobs are to wake the campaign (pure)
 *
 * A submission is released only when a dependency job waits for its end.  One
 * is done with, and its job may end, only when whatever has to be waited for
 * has another one; until then it stays the driver, or waits to be.
 */
#include "base/base.h"

#include "campaign/plan.h"
#include "engine/decide/deciding.h"
#include "engine/history/events.h"
#include "engine/history/state.h"
#include "engine/decide/dependency_jobs.h"

/* A driver that waited in its job and saw no change comes back after this. */
static const double again_s = 300;

/* --- one dependency job --- */

/* The first stage where the plan no longer has its own. */
static int dependency_job_stage (const struct plan *plan,
                                 const struct dependency_job *dependency_job)
{
    int stage = plan_stage_find (plan, dependency_job->stage);

    return stage >= 0 ? stage : 0;
}

const struct profile *dependency_job_profile (
    const struct plan *plan, const struct dependency_job *dependency_job)
{
    return plan->stages[dependency_job_stage (plan, dependency_job)].profile;
}

static bool is_ours (const struct deciding *d, const struct dependency_job *w)
{
    const char *ours = d->observations->driving_job;

    return ours && strcmp (w->job.token, ours) == 0;
}

static const struct observed_dependency_job *observed_job (
    const struct deciding *d, const struct dependency_job *w)
{
    size_t i = (size_t)(w - d->state->dependency_jobs);

    return i < d->observations->n_dependency_jobs
               ? &d->observations->dependency_jobs[i]
               : NULL;
}

/* It will tell of nothing more than it told by starting. */
static bool has_started (const struct deciding *d,
                         const struct dependency_job *w)
{
    const struct observed_dependency_job *seen = observed_job (d, w);

    return is_ours (d, w) || (seen && seen->polled && seen->started);
}

/* It ended without having been done with: killed, or cancelled from outside. */
static bool is_lost (const struct deciding *d, const struct dependency_job *w)
{
    const struct observed_dependency_job *seen = observed_job (d, w);
    double settle_s = dependency_job_profile (d->plan, w)->settle_s;
    double age_s = d->observations->now_s - w->job.intended_s;

    if (is_ours (d, w) || !seen || !seen->polled || seen->living)
        return false;
    return seen->ended || age_s < 0 || age_s > settle_s;
}

/* It may not be counted on: the scheduler was, or is to be, told to cancel it,
 * though the answer may be lost.  Our own goes on while we run.
 */
static bool is_dismissed (const struct deciding *d,
                          const struct dependency_job *w)
{
    return w->job.cancel_asked && !is_ours (d, w);
}

static bool is_timer (const struct dependency_job *w)
{
    return w->after[0] == '\0';
}

/* Has what it waits for come?  Then it runs, or is about to. */
static bool is_due (const struct deciding *d, const struct dependency_job *w)
{
    const struct submission *s;

    if (is_timer (w))
        return w->at_s <= d->observations->now_s;
    s = state_submission (d->state, w->after);
    return !s || s->status == SUBMISSION_ENDED
           || s->status == SUBMISSION_ABSENT;
}

/* Of what is over it cannot be said, without asking, whether the job that
 * waited for it is about to start, runs or was killed: it may have started.
 */
static enum watch watch_by (const struct deciding *d,
                            const struct dependency_job *w,
                            const struct submission *s)
{
    const struct observed_dependency_job *seen = observed_job (d, w);

    if (w->job.status == SUBMISSION_INTENDED)
        return WATCH_INTENDED;
    return has_started (d, w) || (s->over_s > 0 && !(seen && seen->polled))
               ? WATCH_STARTED
               : WATCH_WAITING;
}

enum watch watch_of (const struct deciding *d, const struct submission *s)
{
    enum watch best = WATCH_NONE;

    for (size_t i = 0; i < d->state->n_dependency_jobs; i++) {
        const struct dependency_job *w = &d->state->dependency_jobs[i];
        enum watch its;

        if (strcmp (w->after, s->token) != 0 || is_dismissed (d, w))
            continue;
        if ((its = watch_by (d, w, s)) > best)
            best = its;
    }
    return best;
}

/* --- all of them --- */

static void add_job_action (const struct deciding *d, enum action_kind kind,
                            const struct dependency_job *w)
{
    struct action *action = actions_add (
        d->actions, kind, dependency_job_stage (d->plan, w), d->iteration);

    memcpy (action->token, w->job.token, sizeof (action->token));
}

/* Our own job ends by itself when it sees this. */
static void dismiss (const struct deciding *d, const struct dependency_job *w)
{
    if (is_ours (d, w))
        actions_record (
            d->actions,
            event_of_token ("ended", d->observations->now_s, w->job.token));
    else
        add_job_action (d, ACT_DISMISS, w);
}

/* It may exist.  Where what it waits for has come it runs when it comes to be
 * after all, finds that nothing waits for it, and ends: one empty answer will
 * do. But one that is not known would wait as long as the job is held that
 * it waits for, and take the place of others: in a campaign that is paused,
 * too.
 */
static void decide_possible (const struct deciding *d,
                             const struct dependency_job *w)
{
    if (!is_due (d, w) && !is_timer (w))
        decide_intended (d, dependency_job_stage (d->plan, w), &w->job);
    else if (w->job.empty_answers > 0)
        actions_record (
            d->actions,
            event_of_token ("absent", d->observations->now_s, w->job.token));
    else
        add_job_action (d, ACT_FIND, w);
}

/* A timer that is still to come. */
static bool has_timer (const struct deciding *d)
{
    for (size_t i = 0; i < d->state->n_dependency_jobs; i++) {
        const struct dependency_job *w = &d->state->dependency_jobs[i];

        if (is_timer (w) && !is_due (d, w) && !has_started (d, w)
            && !is_dismissed (d, w))
            return true;
    }
    return false;
}

/* With the profile of a stage that runs, if any does. */
static int timer_stage (const struct deciding *d)
{
    for (size_t i = 0; i < d->plan->n_stages; i++) {
        const struct stage_state *s =
            state_stage (d->state, d->iteration, d->plan->stages[i].name);

        if (s && stage_open_attempt (s))
            return (int)i;
    }
    return 0;
}

static void set_timer (const struct deciding *d)
{
    double due_s = d->actions->due_s;
    struct action *action =
        actions_add (d->actions, ACT_WAKE, timer_stage (d), d->iteration);

    action->delay_s =
        d->observations->driving_job && due_s < again_s ? again_s : due_s;
}

/* Is a driver to come back for what no job's end will tell?  This driver while
 * it is patient, else a timer, which is set where there is none.
 */
static bool is_left_to_come (const struct deciding *d)
{
    double due_s = d->actions->due_s;

    if (due_s > 0 && due_s <= d->observations->patience_s)
        return true;
    if (due_s == 0 || has_timer (d))
        return false;
    set_timer (d);
    return true;
}

/* Nothing else is to be done now: who is still needed? */
static void decide_needed (const struct deciding *d)
{
    double due_s = d->actions->due_s;

    if (is_left_to_come (d))
        return;
    for (size_t i = 0; i < d->state->n_dependency_jobs; i++) {
        const struct dependency_job *w = &d->state->dependency_jobs[i];

        if (is_due (d, w) || has_started (d, w) || (is_timer (w) && due_s == 0))
            dismiss (d, w);
    }
}

bool chain_is_wanted (const struct deciding *d)
{
    return d->state->chained && d->state->status == CAMPAIGN_RUNNING;
}

/* After these actions nothing is decided again before there is news. */
static bool is_last_round (const struct actions *actions)
{
    for (size_t i = 0; i < actions->n; i++) {
        if (action_leads_on (&actions->v[i]))
            return false;
    }
    return true;
}

void decide_chain (const struct deciding *d)
{
    bool wanted = chain_is_wanted (d);

    for (size_t i = 0; i < d->state->n_dependency_jobs; i++) {
        const struct dependency_job *w = &d->state->dependency_jobs[i];

        if (w->job.status == SUBMISSION_INTENDED)
            decide_possible (d, w);
        else if (!wanted || is_lost (d, w) || is_dismissed (d, w))
            dismiss (d, w);
    }
    if (wanted && d->actions->n == 0)
        decide_needed (d);
    else if (wanted && is_last_round (d->actions))
        is_left_to_come (d);
}
