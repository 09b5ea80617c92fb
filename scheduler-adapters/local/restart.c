/* SPDX-License-Identifier: BSD-3-Clause */
/* restart.c - a new supervisor where one has died */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/process.h"
#include "local/launch.h"
#include "local/restart.h"
#include "local/spool.h"

void kill_orphan_processes (const struct spool_job *job, int64_t element)
{
    char *tag = spool_element_tag (job, element);

    for (int i = 0; i < 100 && process_kill_tagged (tag, SIGKILL) > 0; i++)
        clock_sleep (0.01, NULL);
    free (tag);
}

int supervisor_end_orphans (struct spool_job *job, struct error *err)
{
    for (int64_t e = 0; e < job->elements; e++) {
        bool cancelled = job->cancelled || job->element_cancelled[e];
        bool started = job->status[e].state == ELEMENT_RUNNING;

        if (started)
            kill_orphan_processes (job, e);
        if (job->status[e].state == ELEMENT_ENDED || (!started && !cancelled))
            continue;
        if (spool_log_end (job, e,
                           cancelled ? OUTCOME_CANCELLED : OUTCOME_NODE_FAILURE,
                           err)
            < 0)
            return -1;
    }
    return 0;
}

enum answer supervisor_restart (struct spool_job *job, struct error *err)
{
    int lock = spool_lock (job->dir);
    char *dir;
    int rc;

    if (lock < 0 && errno == EWOULDBLOCK)
        return ANSWER_OK;
    if (lock < 0) {
        error_errno (err, "cannot lock '%s'", job->dir);
        return ANSWER_TRY_LATER;
    }
    /* What we read may be older than the lock: read again under it. */
    dir = xstrdup (job->dir);
    spool_job_release (job);
    rc = spool_read (dir, job, err);
    if (rc > 0)
        error_set (err, "'%s' is gone", dir);
    free (dir);
    if (rc != 0 || supervisor_end_orphans (job, err) < 0) {
        close (lock);
        return ANSWER_TRY_LATER;
    }
    if (!job->released || spool_job_over (job)) {
        close (lock);
        return ANSWER_OK;
    }
    return supervisor_launch (job, lock, err) < 0 ? ANSWER_BROKEN : ANSWER_OK;
}
