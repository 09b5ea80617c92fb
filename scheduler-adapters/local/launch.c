/* SPDX-License-Identifier: BSD-3-Clause */
/* launch.c - a supervisor that outlives whoever starts it */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/file.h"
#include "base/strvec.h"
#include "local/launch.h"
#include "local/spool.h"

enum { REPORT_FD = 4 };

static void reset_signals (void)
{
    sigset_t none;

    sigemptyset (&none);
    for (int s = 1; s < NSIG; s++)
        signal (s, SIG_DFL);
    sigprocmask (SIG_SETMASK, &none, NULL);
}

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

/* In the grandchild: only what it needs, in known places.  The report pipe
 * closes at exec, or carries errno when there is none.
 */
static void become_supervisor (const char *program,
                               char *const *env,
                               const char *dir,
                               int out,
                               int lock,
                               int report)
{
    char *const argv[] = { (char *)program, "local-supervisor", (char *)dir,
                           NULL };
    int null = open ("/dev/null", O_RDONLY);
    int saved;

    /* First out of the way of 0 - 4, then into place. */
    null = fcntl (null, F_DUPFD, 16);
    out = fcntl (out, F_DUPFD, 16);
    lock = fcntl (lock, F_DUPFD, 16);
    report = fcntl (report, F_DUPFD, 16);
    dup2 (null, 0);
    dup2 (out, 1);
    dup2 (out, 2);
    dup2 (lock, LOCK_FD);
    dup2 (report, REPORT_FD);
    fcntl (REPORT_FD, F_SETFD, FD_CLOEXEC);
    close_range (REPORT_FD + 1, ~0U, 0);
    reset_signals ();
    if (chdir ("/") == 0)
        execve (program, argv, env);
    saved = errno;
    if (write (REPORT_FD, &saved, sizeof (saved)) < 0)
        _exit (126);
    _exit (127);
}

/* 0, or the errno with which exec failed. */
static int read_report (int fd)
{
    int failure = 0;
    ssize_t n;

    do
        n = read (fd, &failure, sizeof (failure));
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof (failure) ? failure : 0;
}

int supervisor_launch (const struct spool_job *job,
                       int lock_fd,
                       struct error *err)
{
    char *output = path_join (job->dir, "output");
    int out = file_open (output, O_WRONLY | O_CREAT | O_APPEND, 0600);
    int report[2] = { -1, -1 };
    struct strvec env = STRVEC_INIT;
    pid_t pid;
    int rc = -1;

    unmarked_environment (&env);
    if (out < 0 || pipe2 (report, O_CLOEXEC) < 0 || (pid = fork ()) < 0) {
        error_errno (err, "%s: cannot start a supervisor", job->dir);
        goto done;
    }
    if (pid == 0) {
        setsid ();
        if (fork () == 0)
            become_supervisor (job->program, env.v, job->dir, out, lock_fd,
                               report[1]);
        _exit (0);
    }
    while (waitpid (pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    close (report[1]);
    report[1] = -1;
    errno = read_report (report[0]);
    rc = errno == 0 ? 0 : error_errno (err, "cannot start %s", job->program);
done:
    for (int i = 0; i < 2; i++) {
        if (report[i] >= 0)
            close (report[i]);
    }
    if (out >= 0)
        close (out);
    close (lock_fd);
    strvec_release (&env);
    free (output);
    return rc;
}
