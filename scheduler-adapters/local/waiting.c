/* SPDX-License-Identifier: BSD-3-Clause */
/* waiting.c - when a job that waits for its time, or for another job, may start
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/strvec.h"
#include "local/restart.h"
#include "local/spool.h"
#include "local/waiting.h"

/* How often to look whether another job has ended. */
static const double look_s = 0.2;

/* A clock may be set meanwhile. */
static const double longest_s = 60;

static double until_begin_s (const struct spool_job *job)
{
    double left_s = job->begin_s - clock_wall_s ();

    if (left_s <= 0)
        return 0;
    return left_s < longest_s ? left_s : longest_s;
}

/* One that is gone has ended; one that cannot be read may yet run. */
static double until_ended_s (const char *spool, const char *id)
{
    char *dir = spool_job_dir (spool, id, NULL);
    struct spool_job before;
    double wait_s = look_s;
    int rc = dir ? spool_read (dir, &before, NULL) : 1;

    if (rc > 0)
        wait_s = 0;
    if (rc == 0) {
        if (spool_job_over (&before))
            wait_s = 0;
        else if (before.released)
            supervisor_restart (&before, NULL);
        spool_job_release (&before);
    }
    free (dir);
    return wait_s;
}

double waiting_left_s (const char *spool, const struct spool_job *job)
{
    double wait_s = until_begin_s (job);

    if (wait_s == 0 && *job->after)
        wait_s = until_ended_s (spool, job->after);
    return wait_s;
}

void waiting_notify (const char *spool, const char *token)
{
    struct strvec names = STRVEC_INIT;

    file_list_dir (spool, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        char *dir = spool_job_dir (spool, names.v[i], NULL);
        struct spool_job job;

        if (dir && spool_read (dir, &job, NULL) == 0) {
            if (strcmp (job.after, token) == 0 && job.released
                && !spool_job_over (&job))
                supervisor_restart (&job, NULL);
            spool_job_release (&job);
        }
        free (dir);
    }
    strvec_release (&names);
}
