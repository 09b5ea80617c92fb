/* SPDX-License-Identifier: BSD-3-Clause */
/* wake.c - what a job runs that wakes a chained campaign
 *
 * What it prints goes to the log in .fanfold/chain/.
 */
#include "base/base.h"

#include <time.h>
#include <unistd.h>

#include "adapter.h"
#include "base/clock.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "engine/drive/job_time.h"
#include "engine/drive/dependency_driver.h"
#include "engine/observe/scheduler_access.h"
#include "report/status_view.h"

static void print_state (const struct campaign *campaign,
                         const struct driving_job *job)
{
    const struct state *state = &campaign->engine.state;
    time_t now = time (NULL);
    struct tm tm;
    char when[32] = "";

    if (localtime_r (&now, &tm))
        strftime (when, sizeof (when), "%Y-%m-%dT%H:%M:%S%z", &tm);
    printf ("%s job %s element %" PRId64 ": %s: %s", when, job->id,
            job->element, campaign->plan->name, status_word (state, false));
    if (state->why)
        printf (" (%s)", state->why);
    if (state_iteration (state) >= 0)
        printf (", iteration %d", state_iteration (state));
    putchar ('\n');
}

static enum exit_status drive (struct campaign *campaign,
                               const struct driving_job *job)
{
    struct error err = ERROR_INIT;
    int rc;

    campaign->engine.stop = stopping_flag ();
    campaign->engine.stop_at_s = job_time_end_s (&campaign->engine);
    rc = drive_as_job (&campaign->engine, job, &err);
    print_state (campaign, job);
    if (rc < 0)
        return campaign_gave_up (campaign, &err);
    if (rc > 0)
        return complain (STATUS_INTERRUPTED,
                         "stopped before all was done; another job goes on");
    return STATUS_DONE;
}

/* It would not be called again: a file system that is late or away may come
 * back. */
static enum exit_status open_campaign (const struct invocation *invocation,
                                       struct campaign *campaign)
{
    enum { TRIES = 7, PAUSE_S = 10 };
    enum exit_status status = campaign_open (invocation, campaign);

    for (int i = 1; status == STATUS_FAILED && i < TRIES && !*stopping_flag ();
         i++) {
        clock_sleep (PAUSE_S, stopping_flag ());
        status = campaign_open (invocation, campaign);
    }
    return status;
}

/* Find programs of the plan's schedulers that are not on PATH. */
static bool find_missing (struct campaign *campaign, struct strbuf *missing)
{
    const struct plan *plan = campaign->plan;
    struct scheduler scheduler;

    strbuf_reset (missing);
    for (size_t i = 0; missing->len == 0 && i < plan->n_stages; i++)
        scheduler_missing_programs (engine_scheduler (&campaign->engine,
                                                      plan->stages[i].profile,
                                                      &scheduler)
                                        ->programs,
                                    missing);
    return missing->len > 0;
}

/* A driver without its scheduler's commands can do nothing but hold the lease.
 * A file system that is late may bring them.
 */
static enum exit_status wait_for_programs (struct campaign *campaign)
{
    enum { TRIES = 12, PAUSE_S = 10 };
    _cleanup_ (strbuf_release) struct strbuf missing = STRBUF_INIT;
    enum exit_status status = STATUS_DONE;
    char host[128] = "";

    gethostname (host, sizeof (host) - 1);
    for (int i = 0; status == STATUS_DONE && find_missing (campaign, &missing);
         i++) {
        if (i == 0)
            complain (STATUS_UNREACHABLE,
                      "not on PATH on %s: %s; waiting for %d s", host,
                      missing.buf, TRIES * PAUSE_S);
        if (i == TRIES || *stopping_flag ())
            status = complain (
                STATUS_UNREACHABLE,
                "this job cannot drive the campaign: not on PATH on %s: %s; "
                "put their directory on PATH there with `setup` of the profile "
                "or in the login files (`fanfold doctor --probe` looks for "
                "them), then run `fanfold submit --chain`",
                host, missing.buf);
        else
            clock_sleep (PAUSE_S, stopping_flag ());
    }
    return status;
}

static enum exit_status wake (const struct invocation *invocation)
{
    const char *element = invocation_option (invocation, "element");
    const char *id = invocation_option (invocation, "job-id");
    struct driving_job job = { .id = id,
                               .token = invocation->args[0],
                               .stage = invocation->args[1] };
    struct campaign campaign;
    enum exit_status status;

    if (!element || !id)
        return complain (STATUS_USAGE, "wake: --element and --job-id are "
                                       "missing; jobs start this command");
    if ((job.element = parse_number ("--element", element)) < 0)
        return STATUS_USAGE;
    if ((status = open_campaign (invocation, &campaign)) != STATUS_DONE)
        return status;
    if ((status = wait_for_programs (&campaign)) == STATUS_DONE)
        status = drive (&campaign, &job);
    campaign_close (&campaign);
    return status;
}

static const struct command_option options[] = {
    { "element", "N", "be this element of the job" },
    { "job-id", "ID", "be this job, as the scheduler spells it" },
    { 0 },
};

const struct command wake_command = {
    .name = "wake",
    .arguments = "TOKEN STAGE",
    .summary = "drive a chained campaign from its job",
    .hidden = true,
    .drives = true,
    .imports_data = true,
    .min_args = 2,
    .max_args = 2,
    .options = options,
    .run = wake,
};
