/* SPDX-License-Identifier: BSD-3-Clause */
/* revive.c - a new supervisor where one has died */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "local/launch.h"
#include "local/revive.h"
#include "local/spool.h"
#include "local/supervisor.h"

enum answer supervisor_revive (struct spool_job *job, struct error *err)
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
    if (rc != 0 || supervisor_bury (job, err) < 0) {
        close (lock);
        return ANSWER_TRY_LATER;
    }
    if (!job->released || spool_job_over (job)) {
        close (lock);
        return ANSWER_OK;
    }
    return supervisor_launch (job, lock, err) < 0 ? ANSWER_BROKEN : ANSWER_OK;
}
