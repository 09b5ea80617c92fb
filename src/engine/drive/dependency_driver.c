/* SPDX-License-Identifier: BSD-3-Clause */
/* dependency_driver.c - the driver that is a job */
#include "base/base.h"

#include "base/clock.h"
#include "campaign/plan.h"
#include "engine/drive/driver.h"
#include "engine/history/engine.h"
#include "engine/observe/scheduler_access.h"
#include "engine/drive/requests.h"
#include "engine/drive/dependency_driver.h"

/* It waits so long in its job for what comes soon (a result that is on its way
 * through the file system, a reply) before it leaves that to another job.
 */
static const double patience_s = 120;

/* How often to look whether whoever drives is done. */
static const double busy_s = 2;

/* After a failure; a file system may come back. */
static const double failed_s = 10;
enum { FAILURES_MAX = 10 };

struct job_driver {
    struct engine *engine;
    const struct driving_job *job;
    bool known;             /* the journal named it, here */
    double patient_until_s; /* mono */
    int failures;
};

/* Does anybody count on us?  Another job with our token is not us. */
static bool is_needed (struct job_driver *w)
{
    const struct dependency_job *dependency_job =
        state_dependency_job (&w->engine->state, w->job->token);

    if (!dependency_job)
        return false;
    w->known = true;
    return !dependency_job->job.id
           || strcmp (dependency_job->job.id, w->job->id) == 0;
}

/* With the lease: drive, unless nothing waits for us.  Seconds until to look
 * again; 0: we are not needed; -1 with 'err'.
 */
static double drive (struct job_driver *w, struct error *err)
{
    struct step step = { 0 };

    if (!is_needed (w))
        return 0;
    w->engine->patience_s = fmax (w->patient_until_s - clock_mono_s (), 0);
    if (driver_step (w->engine, &step, err) < 0)
        return -1;
    if (!is_needed (w))
        return 0;
    return step.next_s > 0 ? step.next_s : busy_s;
}

/* Another drives.  The journal may be seen late here: only who was in it
 * and is not any more is not needed.
 */
static double watch (struct job_driver *w)
{
    bool known = w->known;

    if (engine_look (w->engine, NULL) == 0 && !is_needed (w) && known)
        return 0;
    return busy_s;
}

/* The same as drive(), whoever drives. */
static double take_turn (struct job_driver *w, bool *driven, struct error *err)
{
    int rc = engine_take_lease (w->engine, err);
    double wait_s;

    *driven = rc == 0;
    if (rc != 0)
        return rc > 0 ? watch (w) : -1;
    wait_s = drive (w, err);
    engine_give_lease (w->engine);
    return wait_s;
}

/* The elements that were to take over.  One that starts all the same, because
 * we were killed here, finds that it is not needed and does the rest.
 */
static void cancel_others (const struct job_driver *w)
{
    int stage = plan_stage_find (w->engine->plan, w->job->stage);
    const struct profile *profile =
        w->engine->plan->stages[stage >= 0 ? stage : 0].profile;
    const struct job_key job = { w->job->id, w->job->token };
    struct scheduler scheduler;
    const struct scheduler_adapter *adapter =
        engine_scheduler (w->engine, profile, &scheduler);

    if (adapter->forget)
        adapter->forget (&scheduler, w->job->id, NULL);
    for (int64_t e = w->job->element + 1; e < DEPENDENCY_JOB_ELEMENTS; e++)
        adapter->cancel (&scheduler, &job, e, NULL);
}

static void wait_for (struct job_driver *w, double s, bool driven)
{
    if (driven)
        driver_wait (w->engine, s);
    else
        clock_sleep (s, (const int *)w->engine->stop);
}

int drive_as_job (struct engine *engine, const struct driving_job *job,
                  struct error *err)
{
    struct job_driver w = { .engine = engine,
                            .job = job,
                            .patient_until_s = clock_mono_s () + patience_s };

    engine->driving_job = job->token;
    wake_message_leave (engine->dir, NULL); /* it only saves time */
    while (!driver_is_to_stop (engine)) {
        bool driven;
        double wait_s = take_turn (&w, &driven, err);

        if (wait_s == 0) {
            cancel_others (&w);
            return 0;
        }
        if (wait_s < 0 && ++w.failures == FAILURES_MAX)
            return -1;
        wait_for (&w, wait_s < 0 ? failed_s : wait_s, driven && wait_s > 0);
    }
    return 1;
}
