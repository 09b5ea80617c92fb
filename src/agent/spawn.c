/* SPDX-License-Identifier: BSD-3-Clause */
/* spawn.c - start a task's command at about the cost of posix_spawn */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/spawn.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/process.h"
#include "placement/slots.h"

enum { CLOSE_ON_EXEC = 4 }; /* CLOSE_RANGE_CLOEXEC, which glibc has late */

/* Filled in by the child, which shares our memory until it execs: volatile,
 * since the compiler sees nobody who would read it.
 */
struct failure {
    const char *what;
    int error_number;
};

static _Noreturn void child_fail (volatile struct failure *failure,
                                  const char *what)
{
    failure->error_number = errno;
    failure->what = what;
    _exit (127);
}

/* In the child of vfork: system calls only, and nothing of the parent's is
 * changed but 'failure'.
 */
static _Noreturn void child_main (const struct spawn *spec,
                                  const char *program,
                                  pid_t parent,
                                  volatile struct failure *failure)
{
    const struct child_setup setup = { .parent = parent,
                                       .death_signal = SIGKILL,
                                       .cwd = spec->dir,
                                       .stdin_path = "/dev/null",
                                       .out_fd = spec->output_fd,
                                       .err_fd = spec->output_fd };
    enum child_step step = child_set_up (&setup);

    if (step == CHILD_CWD)
        child_fail (failure, "cannot enter the task's directory");
    if (step != CHILD_READY)
        child_fail (failure, "cannot set up its files");
    if (slot_bind (spec->slot) < 0)
        child_fail (failure, "cannot bind it to its cores");
    /* Ours are marked already; this is for what we inherited. */
    syscall (SYS_close_range, 3, ~0U, CLOSE_ON_EXEC);
    child_reset_signals ();
    execve (program, (char *const *)spec->argv, spec->env);
    child_fail (failure, "");
}

static pid_t vfork_child (const struct spawn *spec,
                          const char *program,
                          pid_t parent,
                          volatile struct failure *failure)
{
    pid_t pid = vfork ();

    if (pid == 0)
        child_main (spec, program, parent, failure);
    return pid;
}

static const char *path_of (char *const *env)
{
    for (; *env; env++) {
        if (strncmp (*env, "PATH=", 5) == 0)
            return *env + 5;
    }
    return NULL;
}

static char *find_program (const struct spawn *spec, struct error *err)
{
    const char *name = spec->argv[0];
    char *program = strchr (name, '/')
                        ? xstrdup (name)
                        : process_which (name, path_of (spec->env));

    if (!program)
        error_set (err, "no such program on PATH");
    return program;
}

pid_t spawn (const struct spawn *spec, struct error *err)
{
    volatile struct failure failure = { NULL, 0 };
    char *program = find_program (spec, err);
    sigset_t all, before;
    pid_t pid;

    if (!program)
        return -1;
    sigfillset (&all);
    sigprocmask (SIG_SETMASK, &all, &before);
    pid = vfork_child (spec, program, getpid (), &failure);
    sigprocmask (SIG_SETMASK, &before, NULL);
    free (program);
    if (pid < 0)
        return error_errno (err, "no process can be had");
    if (failure.error_number == 0)
        return pid;
    /* It never became the program; its status is of no interest. */
    while (waitpid (pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    errno = failure.error_number;
    if (failure.what[0])
        return error_errno (err, "%s", failure.what);
    error_set (err, "%s", strerror (failure.error_number));
    if (err)
        err->number = failure.error_number;
    return -1;
}
