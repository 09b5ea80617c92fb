/* SPDX-License-Identifier: BSD-3-Clause */
/* detached.c - a program that outlives its starter */
#include "base/base.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/spawn.h"
#include "detached.h"

enum { KEPT_FD = 3 };

/* In the child: have the program as a child of ours, with only what it needs in
 * known places, and leave it to itself.  Our exit status is the errno with
 * which that failed.
 */
static void start_and_exit (const char *const *argv, char *const *env,
                            bool session, int out, int kept)
{
    int null = open ("/dev/null", O_RDONLY);
    pid_t pid;

    if (session)
        setsid ();
    else
        setpgid (0, 0);
    /* First out of the way of 0 - 3, then into place. */
    null = fcntl (null, F_DUPFD, 16);
    out = fcntl (out, F_DUPFD, 16);
    kept = kept < 0 ? kept : fcntl (kept, F_DUPFD, 16);
    dup2 (null, 0);
    dup2 (out, 1);
    dup2 (out, 2);
    if (kept >= 0)
        dup2 (kept, KEPT_FD);
    child_close_from (kept >= 0 ? KEPT_FD + 1 : KEPT_FD);
    child_reset_signals ();
    if (chdir ("/") < 0)
        _exit (errno);
    _exit (posix_spawnp (&pid, argv[0], NULL, NULL, (char *const *)argv, env));
}

int detached_start (const char *const *argv, char *const *env, bool session,
                    int out, int kept, struct error *err)
{
    pid_t pid = fork ();
    int status = 0;

    if (pid == 0)
        start_and_exit (argv, env, session, out, kept);
    if (pid < 0)
        return error_errno (err, "cannot start %s", argv[0]);
    while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
        continue;
    /* Killed, it may have started one: who looks sees whether it did. */
    errno = WIFEXITED (status) ? WEXITSTATUS (status) : 0;
    return errno == 0 ? 0 : error_errno (err, "cannot start %s", argv[0]);
}
