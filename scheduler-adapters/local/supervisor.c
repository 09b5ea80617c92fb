/* SPDX-License-Identifier: BSD-3-Clause */
/* supervisor.c - runs the elements of one local job to their ends */
#include "base/base.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "element_run.h"
#include "local/local.h"
#include "placement/node_gpus.h"
#include "placement/node_shape.h"
#include "placement/visible_devices.h"
#include "spool.h"

/* How often to ask for cores and GPUs that others hold. */
#define ROOM_RETRY_S 0.05

struct supervisor {
    struct spool_job job;
    char *spool;
    struct element_run *runs;
    size_t n_runs, alloc;
    struct node_shape shape; /* with its GPUs, if an element has some */
    int64_t next;            /* no element before it is queued */
    bool may_start;          /* it waits for nothing but cores and GPUs */
    bool short_of_room;
};

/* --- one element --- */

static struct element_run *free_run (struct supervisor *s)
{
    for (size_t i = 0; i < s->n_runs; i++) {
        if (s->runs[i].pid == 0)
            return &s->runs[i];
    }
    s->runs = grow_array (s->runs, s->n_runs, &s->alloc, sizeof (*s->runs));
    memset (&s->runs[s->n_runs], 0, sizeof (*s->runs));
    return &s->runs[s->n_runs++];
}

/* Cores and GPUs for an element.  1: not now. */
static int reserve (const struct supervisor *s, struct element_run *run,
                    struct error *err)
{
    int rc = cores_take (s->spool, s->job.cores, &run->cores, err);

    if (rc == 0 && s->shape.n_gpus > 0)
        rc = gpus_take (s->spool, &s->shape, s->job.gpus, &run->gpus, err);
    return rc;
}

static int start_on (struct supervisor *s, struct element_run *run,
                     struct error *err)
{
    _cleanup_ (strvec_release) struct strvec env = STRVEC_INIT;
    int rc = spool_log (&s->job, run->element, OUTCOME_NONE, err);

    if (s->shape.n_gpus > 0)
        visible_devices_env (environ, &s->shape, run->gpus.devices, run->gpus.n,
                             &env);
    if (rc == 0)
        rc = element_run_start (run, &s->job, &env, err);
    return rc;
}

/* 1: there is no room for it now. */
static int start_element (struct supervisor *s, int64_t element,
                          struct error *err)
{
    struct element_run *run = free_run (s);
    int rc;

    *run = (struct element_run){ .element = element, .gpus = GPUS_INIT };
    rc = reserve (s, run, err);
    if (rc == 0)
        rc = start_on (s, run, err);
    if (rc != 0)
        element_run_give (run);
    return rc;
}

static int finish_run (struct supervisor *s, struct element_run *run,
                       int status, struct error *err)
{
    enum outcome outcome = element_run_finish (run, &s->job, status);

    return spool_log (&s->job, run->element, outcome, err);
}

/* --- all of them --- */

static int reap (struct supervisor *s, struct error *err)
{
    int status;
    pid_t pid;

    while ((pid = waitpid (-1, &status, WNOHANG)) > 0) {
        for (size_t i = 0; i < s->n_runs; i++) {
            if (s->runs[i].pid == pid
                && finish_run (s, &s->runs[i], status, err) < 0)
                return -1;
        }
    }
    return 0;
}

static int64_t count_running (const struct supervisor *s)
{
    int64_t n = 0;

    for (size_t i = 0; i < s->n_runs; i++)
        n += s->runs[i].pid > 0;
    return n;
}

/* The next element that may start, or -1. */
static int64_t next_queued (struct supervisor *s)
{
    while (s->next < s->job.elements
           && s->job.status[s->next].state != ELEMENT_QUEUED)
        s->next++;
    return s->next < s->job.elements ? s->next : -1;
}

static int start_queued (struct supervisor *s, struct error *err)
{
    int64_t element;

    s->short_of_room = false;
    while ((element = next_queued (s)) >= 0
           && (s->job.running == 0 || count_running (s) < s->job.running)) {
        int rc = start_element (s, element, err);

        if (rc < 0)
            return -1;
        if (rc > 0) {
            s->short_of_room = true;
            return 0;
        }
    }
    return 0;
}

/* Cancel what has a cancel mark. */
static int obey_marks (struct supervisor *s, struct error *err)
{
    if (spool_read_marks (&s->job, err) < 0)
        return error_prefix (err, "the job is gone");
    for (int64_t e = 0; e < s->job.elements; e++) {
        if (s->job.cancelled[e] && s->job.status[e].state == ELEMENT_QUEUED
            && spool_log (&s->job, e, OUTCOME_CANCELLED, err) < 0)
            return -1;
    }
    for (size_t i = 0; i < s->n_runs; i++) {
        struct element_run *run = &s->runs[i];

        if (run->pid > 0 && s->job.cancelled[run->element])
            element_run_end (run, OUTCOME_CANCELLED);
    }
    return 0;
}

/* The next instant at which one is to be ended or killed (mono; 0: none). */
static double keep_time (struct supervisor *s)
{
    double next_s = 0;

    for (size_t i = 0; i < s->n_runs; i++) {
        double at_s =
            s->runs[i].pid > 0 ? element_run_keep_time (&s->runs[i]) : 0;

        if (at_s > 0 && (next_s == 0 || at_s < next_s))
            next_s = at_s;
    }
    return next_s;
}

/* Start what may start; when to try again (mono; 0: when something ends). */
static int start_when_due (struct supervisor *s, double *again_s,
                           struct error *err)
{
    double wait_s = s->may_start ? 0 : waiting_left_s (s->spool, &s->job);

    *again_s = 0;
    s->may_start = wait_s == 0;
    if (!s->may_start) {
        *again_s = clock_mono_s () + wait_s;
        return 0;
    }
    if (start_queued (s, err) < 0)
        return -1;
    if (s->short_of_room)
        *again_s = clock_mono_s () + ROOM_RETRY_S;
    return 0;
}

static int supervise (struct supervisor *s, const sigset_t *set,
                      struct error *err)
{
    if (obey_marks (s, err) < 0)
        return -1;
    for (;;) {
        double until_s;
        double again_s;
        int signal;

        if (reap (s, err) < 0 || start_when_due (s, &again_s, err) < 0)
            return -1;
        if (count_running (s) == 0 && next_queued (s) < 0)
            return 0;
        until_s = keep_time (s);
        if (again_s > 0 && (until_s == 0 || again_s < until_s))
            until_s = again_s;
        signal = wait_signal (set, until_s);
        if (signal == SIGTERM && spool_mark (s->job.dir, "cancel", err) < 0)
            return -1;
        if ((signal == SIGTERM || signal == SIGUSR1) && obey_marks (s, err) < 0)
            return -1;
    }
}

static int write_identity (const struct spool_job *job, struct error *err)
{
    _cleanup_free_ char *path = path_join (job->dir, "supervisor");
    _cleanup_free_ char *text = xasprintf ("%d %llu\n", (int)getpid (),
                                           process_start_ticks (getpid ()));

    return file_write_atomic (path, text, strlen (text), err);
}

/* A job is not polled any more that is to be forgotten.  Whoever asked for that
 * while we held the lock has left it to us.
 */
static int forget_if_asked (struct supervisor *s, struct error *err)
{
    _cleanup_free_ char *mark = path_join (s->job.dir, SPOOL_FORGET);
    int rc = file_look (mark, err);

    if (rc > 0)
        rc = supervisor_remove_job (s->spool, &s->job, true, err);
    return rc;
}

int local_supervisor_run (const char *job_dir, struct error *err)
{
    struct supervisor s = { 0 };
    sigset_t set;
    int rc = -1;

    /* Children must not hold the lock: it says that we are alive. */
    fcntl (LOCK_FD, F_SETFD, FD_CLOEXEC);
    sigemptyset (&set);
    sigaddset (&set, SIGCHLD);
    sigaddset (&set, SIGTERM);
    sigaddset (&set, SIGUSR1);
    sigprocmask (SIG_BLOCK, &set, NULL);
    if (spool_read (job_dir, &s.job, err) != 0) {
        error_prefix (err, "%s", job_dir);
        goto done;
    }
    s.spool = xstrndup (job_dir, (size_t)(path_base (job_dir) - job_dir));
    if (write_identity (&s.job, err) < 0
        || (s.job.gpus > 0 && node_gpus_load (&s.shape, err) < 0)
        || supervisor_end_orphans (&s.job, err) < 0)
        goto done;
    rc = supervise (&s, &set, err);
    if (rc == 0) {
        waiting_notify (s.spool, s.job.token);
        close (LOCK_FD);
        rc = forget_if_asked (&s, err);
    }
done:
    spool_job_release (&s.job);
    node_shape_release (&s.shape);
    free (s.spool);
    free (s.runs);
    return rc;
}
