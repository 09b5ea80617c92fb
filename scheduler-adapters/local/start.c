/* SPDX-License-Identifier: BSD-3-Clause */
/* start.c - a supervisor that outlives its starter, and a new one where it died
 */
#include "base/base.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "detached.h"
#include "element_run.h"
#include "local/local.h"
#include "spool.h"

/* How often to look whether another job has ended. */
static const double look_s = 0.2;

/* How long to wait at most for a time to come: a clock may be set meanwhile. */
static const double longest_s = 60;

/* --- start --- */

/* Start `PROGRAM local-supervisor DIR` in a session of its own, with no
 * descriptors but /dev/null, its output file and the job's lock, which passes
 * to it (and is closed here): it is alive as long as that lock is held.
 */
static int launch (const struct spool_job *job, int lock, struct error *err)
{
    _cleanup_free_ char *output = path_join (job->dir, "output");
    int out = file_open (output, O_WRONLY | O_CREAT | O_APPEND, 0600);
    const char *const argv[] = { job->program, "local-supervisor", job->dir,
                                 NULL };
    _cleanup_ (strvec_release) struct strvec env = STRVEC_INIT;
    int rc = -1;

    unmarked_environment (&env);
    if (out < 0)
        error_errno (err, "%s: cannot start a supervisor", job->dir);
    else
        rc = detached_start (argv, env.v, true, out, lock, err);
    file_close (out);
    close (lock);
    return rc;
}

/* --- where one died --- */

int supervisor_end_orphans (struct spool_job *job, struct error *err)
{
    for (int64_t e = 0; e < job->elements; e++) {
        bool started = job->status[e].state == ELEMENT_RUNNING;

        if (started)
            kill_orphan_processes (job, e);
        if (job->status[e].state == ELEMENT_ENDED
            || (!started && !job->cancelled[e]))
            continue;
        if (spool_log (job, e,
                       job->cancelled[e] ? OUTCOME_CANCELLED
                                         : OUTCOME_NODE_FAILURE,
                       err)
            < 0)
            return -1;
    }
    return 0;
}

/* Take the lock where no supervisor lives, and end what a dead one left.  0;
 * 1: one lives; -1 with 'err'.
 */
static int take_over (struct spool_job *job, int *lock, struct error *err)
{
    _cleanup_free_ char *dir = xstrdup (job->dir);
    _cleanup_free_ char *path = path_join (dir, "lock");
    int rc = -1;

    *lock = spool_flock (path, LOCK_EX | LOCK_NB);
    if (*lock < 0 && errno == EWOULDBLOCK) {
        rc = 1;
    } else if (*lock < 0) {
        error_errno (err, "cannot lock '%s'", dir);
    } else {
        /* What we read may be older than the lock: read again under it. */
        spool_job_release (job);
        rc = spool_read (dir, job, err);
        if (rc > 0)
            rc = error_set (err, "'%s' is gone", dir);
        if (rc == 0)
            rc = supervisor_end_orphans (job, err);
        if (rc < 0)
            close (*lock);
    }
    return rc;
}

enum answer supervisor_restart (struct spool_job *job, struct error *err)
{
    struct error why = ERROR_INIT;
    int lock;
    int rc = take_over (job, &lock, err);

    if (rc != 0)
        return rc > 0 ? ANSWER_OK : ANSWER_TRY_LATER;
    if (!job->released || spool_job_over (job)) {
        close (lock);
        return ANSWER_OK;
    }
    if (launch (job, lock, &why) == 0)
        return ANSWER_OK;
    error_copy (err, &why);
    return error_may_pass (&why) ? ANSWER_TRY_LATER : ANSWER_BROKEN;
}

int supervisor_remove_job (const char *spool, struct spool_job *job,
                           bool unfinished_too, struct error *err)
{
    int lock;
    int rc = take_over (job, &lock, err);

    if (rc > 0)
        return error_set (err, "%s: is still running", job->dir);
    if (rc < 0)
        return -1;
    if (!unfinished_too && !spool_job_over (job)) {
        rc = error_set (err, "%s: has not ended", job->dir);
    } else {
        spool_keep_output (job);
        rc = spool_remove (spool, job->token, err);
    }
    close (lock);
    return rc;
}

/* --- jobs that wait --- */

/* One that is gone has ended; one that cannot be read may yet run. */
static double until_ended_s (const char *spool, const char *id)
{
    _cleanup_free_ char *dir = spool_job_dir (spool, id, NULL);
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
    return wait_s;
}

double waiting_left_s (const char *spool, const struct spool_job *job)
{
    double left_s = job->begin_s - clock_wall_s ();

    if (left_s > 0)
        return left_s < longest_s ? left_s : longest_s;
    return job->after ? until_ended_s (spool, job->after) : 0;
}

void waiting_notify (const char *spool, const char *token)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    file_list_dir (spool, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        _cleanup_free_ char *dir = spool_job_dir (spool, names.v[i], NULL);
        struct spool_job job;

        if (dir && spool_read (dir, &job, NULL) == 0) {
            if (job.after && strcmp (job.after, token) == 0 && job.released
                && !spool_job_over (&job))
                supervisor_restart (&job, NULL);
            spool_job_release (&job);
        }
    }
}
