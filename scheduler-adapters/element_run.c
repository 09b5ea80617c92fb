/* SPDX-License-Identifier: BSD-3-Clause */
/* element_run.c - an element as a process of this host */
#include "base/base.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/point.h"
#include "base/process.h"
#include "base/spawn.h"
#include "element_run.h"
#include "spool.h"

/* An agent told to end gets this long to end its tasks. */
#define GRACE_S 15.0

void unmarked_environment (struct strvec *env)
{
    static const char *const marks[] = { "FANFOLD_ARRAY_INDEX=",
                                         "FANFOLD_JOB_ID=", "FANFOLD_ELEMENT=",
                                         "FANFOLD_TASK=", "FANFOLD_TAG=" };

    for (char **e = environ; *e; e++) {
        bool marked = false;

        for (size_t i = 0; i < ARRAY_SIZE (marks); i++)
            marked = marked || strncmp (*e, marks[i], strlen (marks[i])) == 0;
        if (!marked)
            strvec_push (env, *e);
    }
}

static void element_environment (const struct spool_job *job, int64_t element,
                                 const struct strvec *more, struct strvec *env)
{
    _cleanup_free_ char *tag = spool_element_tag (job, element);

    unmarked_environment (env);
    for (size_t i = 0; more && i < more->n; i++)
        strvec_push (env, more->v[i]);
    strvec_pushf (env, "FANFOLD_ARRAY_INDEX=%" PRId64, element);
    strvec_pushf (env, "FANFOLD_JOB_ID=%s", job->token);
    strvec_push (env, tag);
}

/* The agent ends with whoever runs it.  Cores that we may not use any more are
 * no reason not to run.
 */
static pid_t spawn_agent (const struct element_run *run, const char *script,
                          bool login_shell, char *const *env, struct error *err)
{
    const char *const argv[] = { "/bin/bash", login_shell ? "-l" : script,
                                 login_shell ? script : NULL, NULL };
    struct spawn agent = { .argv = argv,
                           .env = env,
                           .out_fd = 1,
                           .err_fd = 2,
                           .death_signal = SIGTERM,
                           .cpus = &run->cores.cpus,
                           .cpus_bytes = sizeof (run->cores.cpus) };
    pid_t pid = run->cores.n > 0 ? spawn (&agent, NULL) : -1;

    agent.cpus = NULL;
    return pid > 0 ? pid : spawn (&agent, err);
}

void element_run_give (struct element_run *run)
{
    cores_give (&run->cores);
    gpus_give (&run->gpus);
}

int element_run_start (struct element_run *run, const struct spool_job *job,
                       const struct strvec *more, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec env = STRVEC_INIT;
    _cleanup_free_ char *script = path_join (job->dir, "script");

    element_environment (job, run->element, more, &env);
    run->pid = spawn_agent (run, script, job->login_shell, env.v, err);
    if (run->pid < 0) {
        run->pid = 0;
        element_run_give (run);
        error_prefix (err, "cannot start element %" PRId64, run->element);
    } else if (job->walltime_s > 0) {
        run->deadline_s = clock_mono_s () + job->walltime_s;
    }
    return run->pid > 0 ? 0 : -1;
}

void element_run_end (struct element_run *run, enum outcome cause)
{
    if (run->cause != OUTCOME_NONE)
        return;
    run->cause = cause;
    if (run->pid == 0)
        return;
    run->kill_s = clock_mono_s () + point_seconds ("grace", GRACE_S);
    kill (run->pid, SIGTERM);
}

double element_run_keep_time (struct element_run *run)
{
    double now_s = clock_mono_s ();

    if (run->deadline_s > 0 && now_s >= run->deadline_s)
        element_run_end (run, OUTCOME_TIMEOUT);
    if (run->kill_s > 0 && now_s >= run->kill_s) {
        kill (-run->pid, SIGKILL);
        run->kill_s = now_s + GRACE_S;
    }
    return run->kill_s > 0 ? run->kill_s : run->deadline_s;
}

void element_run_reaped (struct element_run *run)
{
    run->pid = 0;
    run->deadline_s = run->kill_s = 0;
}

void kill_orphan_processes (const struct spool_job *job, int64_t element)
{
    _cleanup_free_ char *tag = spool_element_tag (job, element);

    for (int i = 0; i < 100 && process_kill_tagged (tag, SIGKILL) > 0; i++)
        clock_sleep (0.01, NULL);
}

enum outcome element_run_finish (struct element_run *run,
                                 const struct spool_job *job, int status)
{
    kill_orphan_processes (job, run->element); /* before its end shows */
    element_run_give (run);
    run->pid = 0;
    if (run->cause != OUTCOME_NONE)
        return run->cause;
    return WIFEXITED (status) && WEXITSTATUS (status) == 0 ? OUTCOME_OK
                                                           : OUTCOME_FAILED;
}

int wait_signal (const sigset_t *set, double until_s)
{
    double left_s = until_s - clock_mono_s ();
    struct timespec timeout;

    if (until_s == 0)
        return sigwaitinfo (set, NULL);
    if (left_s < 0)
        left_s = 0;
    timeout.tv_sec = (time_t)left_s;
    timeout.tv_nsec = (long)((left_s - (double)timeout.tv_sec) * 1e9);
    return sigtimedwait (set, NULL, &timeout);
}
