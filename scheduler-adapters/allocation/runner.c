/* SPDX-License-Identifier: BSD-3-Clause */
/* runner.c - the process on a node: takes elements and runs them */
#include "base/base.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "allocation/runner.h"
#include "base/clock.h"
#include "base/file.h"
#include "spool.h"

/* How often to look for something to run: soon after there was something. */
static const double look_least_s = 0.1, look_most_s = 2;

/* How long to stay when there is nothing to run: collecting and preparing may
 * take a while.
 */
static const double idle_s = 60;

/* How long to go on when the file system does not answer. */
static const double patience_s = 120;

/* --- one element --- */

void run_release (struct run *run)
{
    element_run_give (&run->process);
    strvec_release (&run->members);
    spool_job_release (&run->job);
    free (run);
}

int run_start (struct runner_process *r, struct run *run, int64_t element,
               struct error *err)
{
    _cleanup_ (strvec_release) struct strvec env = STRVEC_INIT;
    int rc;

    run->process.element = element;
    if (run_environment (r, run, &env, err) < 0
        || element_run_start (&run->process, &run->job, &env, err) < 0) {
        rc = element_end (&run->job, element, OUTCOME_FAILED, NULL);
        run_release (run);
        return rc;
    }
    r->runs = grow_array (r->runs, r->n_runs, &r->alloc, sizeof (*r->runs));
    r->runs[r->n_runs++] = run;
    return 1;
}

/* --- what is free --- */

static int64_t memory_in_use (const struct runner_process *r)
{
    int64_t bytes = 0;

    for (size_t i = 0; i < r->n_runs; i++)
        bytes += r->runs[i]->job.memory_bytes;
    return bytes;
}

static bool fits_node (const struct runner_process *r,
                       const struct spool_job *job, int64_t in_use_bytes)
{
    return job->cores <= r->node.cores && job->gpus <= (int)r->node.shape.n_gpus
           && (r->node.memory_bytes == 0
               || in_use_bytes + job->memory_bytes <= r->node.memory_bytes);
}

bool runner_has_room (const struct runner_process *r,
                      const struct spool_job *job)
{
    return fits_node (r, job, memory_in_use (r));
}

static bool has_time (struct runner_process *r, const struct spool_job *job)
{
    return runner_has_time (job->walltime_s, runner_node_left_s (&r->node),
                            r->node.whole_s);
}

bool runner_could_run (struct runner_process *r, const struct spool_job *job)
{
    return fits_node (r, job, 0) && has_time (r, job);
}

bool is_excluded (const struct spool_job *job, const char *node)
{
    _cleanup_free_ char *word = xasprintf (" %s ", node);

    return job->exclude && strstr (job->exclude, word);
}

/* It is not to run here, where it can run elsewhere. */
static bool is_kept_away (const struct runner_process *r,
                          const struct spool_job *job,
                          const struct runners *runners)
{
    if (!is_excluded (job, r->node.name))
        return false;
    for (size_t i = 0; i < runners->n; i++) {
        if (runners->v[i].alive && !is_excluded (job, runners->v[i].node))
            return true;
    }
    return false;
}

/* Cores and GPUs for an element.  1: not now. */
static int reserve (const struct runner_process *r, const struct spool_job *job,
                    struct run *run, struct error *err)
{
    int rc = job->cores > 0 ? cores_take (r->node.local_spool, job->cores,
                                          &run->process.cores, err)
                            : 0;

    if (rc == 0 && job->gpus > 0)
        rc = gpus_take (r->node.local_spool, &r->node.shape, job->gpus,
                        &run->process.gpus, err);
    return rc;
}

/* --- taking --- */

/* 1: it runs here; 0: not this one; NO_PLACE: none of this job now. */
static int try_element (struct runner_process *r, const struct spool_job *job,
                        const struct elements *elements,
                        const struct runners *runners, int64_t element,
                        struct error *err)
{
    struct run *run = xcalloc (1, sizeof (*run));
    int rc;

    run->process.gpus = (struct gpus)GPUS_INIT;
    run->members = (struct strvec)STRVEC_INIT;
    rc = reserve (r, job, run, err);
    if (rc > 0)
        rc = NO_PLACE;
    if (rc == 0) /* what cannot be read must not be taken */
        rc = spool_read_job (job->dir, &run->job, err) == 0 ? 0 : -1;
    if (rc == 0)
        rc = element_take (job, elements, runners, element, r->node.id, err);
    if (rc == 0) {
        r->took = true;
        return run_start (r, run, element, err);
    }
    run_release (run);
    return rc == ELEMENT_IS_TAKEN ? 0 : rc;
}

int runner_see_others (struct runner_process *r, struct error *err)
{
    double now_s = clock_mono_s ();

    if (now_s - r->seen_s < SEEN_FOR_S)
        return 0;
    runners_release (&r->runners);
    if (runners_look (r->spool, &r->runners, err) < 0)
        return -1;
    r->seen_s = now_s;
    return 0;
}

/* Does it matter who else is there? */
static int look_at_others (struct runner_process *r,
                           const struct spool_job *job, struct error *err)
{
    return job->running == 0 && !is_excluded (job, r->node.name)
               ? 0
               : runner_see_others (r, err);
}

static int take_of_job (struct runner_process *r, const struct spool_job *job,
                        struct error *err)
{
    _cleanup_ (elements_release) struct elements elements = { 0 };
    int rc = 0;

    if (elements_read (job, &elements, err) < 0)
        return -1;
    for (int64_t e = 0; rc == 0 && e < job->elements; e++) {
        if (!element_is_waiting (job, &elements, e))
            continue;
        r->busy_s = clock_mono_s ();
        rc = look_at_others (r, job, err);
        if (rc < 0 || !runner_has_room (r, job) || !has_time (r, job)
            || is_kept_away (r, job, &r->runners))
            break;
        rc = try_element (r, job, &elements, &r->runners, e, err);
        if (rc == 1 && job->running > 0) {
            elements_release (&elements); /* places are counted anew */
            if (elements_read (job, &elements, err) < 0)
                return -1;
        }
        rc = rc == 1 ? 0 : rc;
    }
    return rc < 0 ? -1 : 0;
}

/* All jobs that may run.  Caller frees; NULL with 'err'. */
static struct spool_job *read_jobs (const struct runner_process *r, size_t *n,
                                    struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int rc = file_list_dir (r->spool, &names, err);
    struct spool_job *jobs = xcalloc (names.n + 1, sizeof (*jobs));

    *n = 0;
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        _cleanup_free_ char *dir = spool_job_dir (r->spool, names.v[i], NULL);
        int there = dir ? spool_read_job (dir, &jobs[*n], err) : 1;

        if (there == 0 && jobs[*n].released)
            ++*n;
        else if (there == 0)
            spool_job_release (&jobs[*n]);
        else if (there < 0 && file_exists (dir))
            rc = -1;
    }
    if (rc == 0)
        return jobs;
    while (*n > 0)
        spool_job_release (&jobs[--*n]);
    free (jobs);
    return NULL;
}

/* What can be taken of all jobs: the largest elements first. */
static int take (struct runner_process *r, struct error *err)
{
    size_t n;
    _cleanup_free_ struct spool_job *jobs = read_jobs (r, &n, err);
    int rc = jobs ? runner_team_step (r, jobs, n, err) : -1;

    for (size_t i = 0; rc == 0 && i < n; i++) {
        if (jobs[i].nodes < 2)
            rc = take_of_job (r, &jobs[i], err);
        if (rc < 0 && !file_exists (jobs[i].dir)) /* forgotten meanwhile */
            rc = 0;
    }
    while (jobs && n > 0)
        spool_job_release (&jobs[--n]);
    return rc < 0 ? -1 : 0;
}

/* --- running --- */

static bool is_cancelled (struct run *run)
{
    return spool_read_marks (&run->job, NULL) == 0
           && run->job.cancelled[run->process.element];
}

/* What was cancelled while it ran counts as cancelled, however it ended before
 * we looked.
 */
static int finish (struct runner_process *r, size_t i, struct error *err)
{
    struct run *run = r->runs[i];
    bool cancelled = is_cancelled (run);
    enum outcome outcome =
        element_run_finish (&run->process, &run->job, run->status);
    int rc = element_end (&run->job, run->process.element,
                          cancelled ? OUTCOME_CANCELLED : outcome, err);

    if (rc < 0 && !file_exists (run->job.dir))
        rc = 0;
    runner_team_ended (r, run);
    run_remove_host_file (r, run);
    r->runs[i] = r->runs[--r->n_runs];
    r->took = true; /* there is room: look soon */
    run_release (run);
    return rc;
}

static void reap (struct runner_process *r)
{
    int status;
    pid_t pid;

    while ((pid = waitpid (-1, &status, WNOHANG)) > 0) {
        for (size_t i = 0; i < r->n_runs; i++) {
            if (r->runs[i]->process.pid == pid) {
                r->runs[i]->status = status;
                element_run_reaped (&r->runs[i]->process);
            }
        }
    }
}

/* Note how those ended of which that is known. */
static int finish_all (struct runner_process *r, struct error *err)
{
    int rc = 0;

    for (size_t i = r->n_runs; rc >= 0 && i-- > 0;) {
        if (r->runs[i]->process.pid > 0)
            continue;
        rc = r->leaving ? 1 : runner_team_is_settled (r, r->runs[i], err);
        if (rc > 0)
            rc = finish (r, i, err);
    }
    return rc < 0 ? -1 : 0;
}

static void end_all (struct runner_process *r, enum outcome cause)
{
    r->leaving = true;
    for (size_t i = 0; i < r->n_runs; i++)
        element_run_end (&r->runs[i]->process, cause);
}

/* Cancel what runs and has a cancel mark. */
static void obey_marks (struct runner_process *r)
{
    for (size_t i = 0; i < r->n_runs; i++) {
        if (is_cancelled (r->runs[i]))
            element_run_end (&r->runs[i]->process, OUTCOME_CANCELLED);
    }
}

/* The next instant at which one is to be ended or killed. */
static double keep_time (struct runner_process *r)
{
    double next_s = INFINITY;

    for (size_t i = 0; i < r->n_runs; i++) {
        double at_s = element_run_keep_time (&r->runs[i]->process);

        if (at_s > 0)
            next_s = fmin (next_s, at_s);
    }
    return next_s;
}

/* One look at everything. */
static int look (struct runner_process *r, struct error *err)
{
    int rc = runner_node_touch (&r->node, err);

    if (rc > 0) /* we were taken for dead: others run what we had */
        end_all (r, OUTCOME_PREEMPTED);
    reap (r);
    if (rc >= 0)
        rc = runner_team_watch (r, err);
    if (rc == 0)
        rc = finish_all (r, err);
    if (rc == 0)
        obey_marks (r);
    if (runner_node_left_s (&r->node) <= 0)
        end_all (r, OUTCOME_PREEMPTED);
    if (rc == 0 && !r->leaving)
        rc = take (r, err);
    return rc;
}

static bool is_over (const struct runner_process *r)
{
    if (r->n_runs > 0)
        return false;
    return r->leaving || clock_mono_s () - r->busy_s > idle_s;
}

/* Wait for the end of something, a signal, or the next look. */
static void pause_between (struct runner_process *r)
{
    double until_s = fmin (keep_time (r), clock_mono_s () + r->look_s);
    int signal = wait_signal (&r->signals, until_s);

    if (signal == SIGTERM || signal == SIGINT || signal == SIGHUP)
        end_all (r, OUTCOME_PREEMPTED);
    r->look_s = r->took ? look_least_s : fmin (r->look_s * 1.5, look_most_s);
    r->took = false;
}

/* A file system that does not answer may be back soon. */
static int run_elements (struct runner_process *r, struct error *err)
{
    double good_s = clock_mono_s ();

    while (!is_over (r)) {
        struct error why = ERROR_INIT;

        if (look (r, &why) == 0) {
            good_s = clock_mono_s ();
        } else if (clock_mono_s () - good_s > patience_s) {
            end_all (r, OUTCOME_PREEMPTED);
            return error_copy (err, &why);
        }
        if (r->n_runs > 0)
            r->busy_s = clock_mono_s ();
        pause_between (r);
    }
    return 0;
}

/* Said so, no driver waits for us. */
static void say_ended (const struct runner_process *r)
{
    _cleanup_free_ char *mark = xasprintf ("%s.ended", r->node.path);

    file_create (mark, "", 0, NULL);
}

int allocation_runner_run (const char *set_dir, struct error *err)
{
    struct runner_process r = { .look_s = look_least_s,
                                .busy_s = clock_mono_s (),
                                .seen_s = -INFINITY };
    int rc;

    sigemptyset (&r.signals);
    sigaddset (&r.signals, SIGCHLD);
    sigaddset (&r.signals, SIGTERM);
    sigaddset (&r.signals, SIGINT);
    sigaddset (&r.signals, SIGHUP);
    sigprocmask (SIG_BLOCK, &r.signals, NULL);
    if (runner_node_open (&r.node, set_dir, err) < 0)
        return -1;
    runner_drop_step_variables ();
    r.spool = set_spool (set_dir);
    rc = spool_open (r.node.local_spool, err);
    if (rc == 0)
        rc = run_elements (&r, err);
    if (rc == 0)
        say_ended (&r);
    while (r.n_runs > 0)
        run_release (r.runs[--r.n_runs]);
    runner_leave_team (&r);
    free (r.runs);
    runners_release (&r.runners);
    free (r.spool);
    runner_node_close (&r.node);
    return rc;
}
