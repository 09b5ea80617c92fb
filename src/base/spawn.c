/* SPDX-License-Identifier: BSD-3-Clause */
/* spawn.c - start a program at about the cost of posix_spawn */
#include "base/base.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/process.h"
#include "base/spawn.h"

/* The kernel looks no further into the first line of a script. */
enum { INTERPRETER_MAX = 256 };

/* Filled in by the child, which shares our memory until it execs: volatile,
 * since the compiler sees no reader of it.
 */
struct failure {
    const char *what; /* NULL: it could not be executed */
    const char *name; /* of what file; NULL: of none */
    int error_number;
};

static _Noreturn void child_fail (volatile struct failure *failure,
                                  const char *what, const char *name)
{
    failure->error_number = errno;
    failure->what = what;
    failure->name = name;
    _exit (127);
}

void child_close_from (int first)
{
    long limit;

    if (syscall (SYS_close_range, first, ~0U, 0) == 0)
        return;
    limit = sysconf (_SC_OPEN_MAX); /* before Linux 5.9 */
    for (int fd = first; fd < limit; fd++)
        close (fd);
}

int spawn_pipe (int ends[2])
{
    int made[2], moved[2];

    if (pipe2 (made, O_CLOEXEC) < 0)
        return -1;
    for (int i = 0; i < 2; i++) {
        moved[i] = fcntl (made[i], F_DUPFD_CLOEXEC, 3);
        file_close (made[i]);
    }
    if (moved[0] < 0 || moved[1] < 0) {
        file_close (moved[0]);
        file_close (moved[1]);
        return -1;
    }
    memcpy (ends, moved, sizeof (moved));
    return 0;
}

void child_reset_signals (void)
{
    const struct sigaction standard = { .sa_handler = SIG_DFL };
    sigset_t none;

    for (int sig = 1; sig < NSIG; sig++)
        sigaction (sig, &standard, NULL); /* fails for KILL and STOP */
    sigemptyset (&none);
    sigprocmask (SIG_SETMASK, &none, NULL);
}

static int join_cgroup (const char *procs)
{
    int fd = open (procs, O_WRONLY | O_CLOEXEC);

    return fd < 0 || write (fd, "0", 1) != 1 ? -1 : 0;
}

/* See set_mempolicy(2); the headers of the C library do not have them. */
enum { POLICY_PREFERRED = 1, POLICY_BIND = 2, POLICY_PREFERRED_MANY = 5 };

static long set_policy (int policy, const struct spawn *spec)
{
    /* the kernel looks at one bit less than it is told of */
    return syscall (SYS_set_mempolicy, policy, spec->memory_nodes,
                    spec->memory_bits + 1);
}

static int count_nodes (const struct spawn *spec)
{
    int n = 0;

    for (size_t i = 0; i < spec->memory_bits / (8 * sizeof (long)); i++)
        n += __builtin_popcountl (spec->memory_nodes[i]);
    return n;
}

/* Preferred nodes are a wish: kernels before 5.15 know of one at most, and
 * containers may forbid the call.
 */
static int bind_memory (const struct spawn *spec)
{
    if (spec->strict_memory)
        return set_policy (POLICY_BIND, spec) < 0 ? -1 : 0;
    if (set_policy (count_nodes (spec) == 1 ? POLICY_PREFERRED
                                            : POLICY_PREFERRED_MANY,
                    spec)
            < 0
        && spec->refused)
        *(volatile bool *)spec->refused = true;
    return 0;
}

/* In the child of vfork: system calls only, and nothing of the parent's is
 * changed but 'failure' and 'spec->refused'.
 */
static _Noreturn void child_main (const struct spawn *spec, const char *program,
                                  pid_t parent,
                                  volatile struct failure *failure)
{
    const char *input = spec->stdin_path ? spec->stdin_path : "/dev/null";
    int in;

    setpgid (0, 0);
    prctl (PR_SET_PDEATHSIG, spec->death_signal);
    if (getppid () != parent)
        _exit (127); /* it died before it was asked for */
    if (spec->dir && chdir (spec->dir) < 0)
        child_fail (failure, "cannot enter", spec->dir);
    in = spec->in_fd > 0 ? spec->in_fd : open (input, O_RDONLY);
    if (in < 0 || dup2 (in, 0) < 0)
        child_fail (failure, "cannot open", input);
    if (dup2 (spec->out_fd, 1) < 0 || dup2 (spec->err_fd, 2) < 0)
        child_fail (failure, "cannot set up its output", NULL);
    if (spec->cgroup_procs && join_cgroup (spec->cgroup_procs) < 0)
        child_fail (failure, "cannot join its cgroup", spec->cgroup_procs);
    if (spec->cpus && sched_setaffinity (0, spec->cpus_bytes, spec->cpus) < 0)
        child_fail (failure, "cannot bind it to its cores", NULL);
    if (spec->memory_nodes && bind_memory (spec) < 0)
        child_fail (failure, "cannot bind its memory (memory_binding: strict)",
                    NULL);
    if (spec->keep_fd > 0
        && (spec->keep_fd == 3 ? fcntl (3, F_SETFD, 0)
                               : dup2 (spec->keep_fd, 3))
               < 0)
        child_fail (failure, "cannot hand on a descriptor", NULL);
    child_close_from (spec->keep_fd > 0 ? 4 : 3);
    child_reset_signals ();
    execve (program, (char *const *)spec->argv,
            spec->env ? spec->env : environ);
    child_fail (failure, NULL, NULL);
}

static pid_t vfork_child (const struct spawn *spec, const char *program,
                          pid_t parent, volatile struct failure *failure)
{
    pid_t pid = vfork ();

    if (pid == 0)
        child_main (spec, program, parent, failure);
    return pid;
}

/* What to exec: a name with a '/' as it is, any other name from PATH. */
static char *find_program (const struct spawn *spec, struct error *err)
{
    const char *name = spec->argv[0], *path = NULL;
    char *program;

    for (size_t i = 0; !path && spec->env && spec->env[i]; i++) {
        if (strncmp (spec->env[i], "PATH=", 5) == 0)
            path = spec->env[i] + 5;
    }
    program = strchr (name, '/') ? xstrdup (name) : process_which (name, path);
    if (!program)
        error_set (err, "no such program on PATH");
    return program;
}

/* The interpreter that the first line of a file names, "" for none; true where
 * that line ends as on Windows.
 */
static bool read_interpreter (const char *dir, const char *program,
                              char name[INTERPRETER_MAX])
{
    char line[INTERPRETER_MAX];
    char *path = path_join (dir ? dir : ".", program);
    int fd = file_open (path, O_RDONLY, 0);
    ssize_t n = fd >= 0 ? read (fd, line, sizeof (line) - 1) : -1;
    char *end, *word = line + 2;

    file_close (fd);
    free (path);
    name[0] = '\0';
    if (n < 2 || line[0] != '#' || line[1] != '!')
        return false;
    line[n] = '\0';
    line[strcspn (line, "\n")] = '\0';
    word += strspn (word, " \t");
    end = word + strcspn (word, " \t\r");
    snprintf (name, INTERPRETER_MAX, "%.*s", (int)(end - word), word);
    return strchr (word, '\r') != NULL;
}

/* The kernel says of a script whose interpreter is not there that the script is
 * not there.
 */
static void say_why (const struct spawn *spec, const char *program, int number,
                     struct error *err)
{
    char name[INTERPRETER_MAX] = "";
    bool windows =
        number == ENOENT && read_interpreter (spec->dir, program, name);

    if (windows)
        error_set (err,
                   "its first line ends with a carriage return, as on Windows; "
                   "run `dos2unix` on it");
    else if (name[0])
        error_set (err,
                   "its first line names the program '%s', which is not there; "
                   "write one that is, such as #!/usr/bin/env python3",
                   name);
    else if (number == ENOEXEC)
        error_set (err,
                   "it is no program of this system, and has no first line "
                   "that names one; write #!/bin/sh, or what runs it, in its "
                   "first line");
    else
        error_set (err, "%s", strerror (number));
}

/* What kept the child from becoming the program. */
static void refused (const struct spawn *spec, const char *program, pid_t pid,
                     const volatile struct failure *failure, struct error *err)
{
    /* It never became the program; its status is of no interest. */
    TEMP_FAILURE_RETRY (waitpid (pid, NULL, 0));
    errno = failure->error_number;
    if (failure->name)
        error_errno (err, "%s '%s'", failure->what, failure->name);
    else if (failure->what)
        error_errno (err, "%s", failure->what);
    else
        say_why (spec, program, failure->error_number, err);
    if (err)
        err->number = failure->error_number;
}

pid_t spawn (const struct spawn *spec, struct error *err)
{
    volatile struct failure failure = { NULL, NULL, 0 };
    char *program = find_program (spec, err);
    sigset_t all, before;
    pid_t pid;

    if (!program)
        return -1;
    sigfillset (&all);
    sigprocmask (SIG_SETMASK, &all, &before);
    pid = vfork_child (spec, program, getpid (), &failure);
    sigprocmask (SIG_SETMASK, &before, NULL);
    if (pid < 0)
        error_errno (err, "no process can be had");
    if (pid > 0 && failure.error_number != 0) {
        refused (spec, program, pid, &failure, err);
        pid = -1;
    }
    free (program);
    return pid;
}
