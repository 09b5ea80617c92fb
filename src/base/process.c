/* SPDX-License-Identifier: BSD-3-Clause */
/* process.c - run a program and wait for it */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/process.h"

static const double default_grace_s = 2;

/* How long pipes may stay open after the program's end: what it wrote through
 * another process may still be on its way.
 */
static const double linger_s = 0.2;

/* How often to look when the kernel cannot tell us (before Linux 5.3). */
static const double blind_poll_s = 0.02;

void process_result_release (struct process_result *result)
{
    strbuf_release (&result->out);
    strbuf_release (&result->err);
}

/* --- the child: only what is safe between fork and exec --- */

/* What failed before the program was there; CHILD_READY: exec. */
struct child_failure {
    enum child_step step;
    int error_number;
};

enum child_step child_set_up (const struct child_setup *setup)
{
    int in;

    setpgid (0, 0);
    prctl (PR_SET_PDEATHSIG, setup->death_signal);
    if (getppid () != setup->parent)
        _exit (127); /* it died before it was asked for */
    if (setup->cwd && chdir (setup->cwd) < 0)
        return CHILD_CWD;
    in = open (setup->stdin_path, O_RDONLY);
    if (in < 0 || dup2 (in, 0) < 0)
        return CHILD_STDIN;
    if (dup2 (setup->out_fd, 1) < 0 || dup2 (setup->err_fd, 2) < 0)
        return CHILD_OUTPUT;
    return CHILD_READY;
}

/* The ends of the pipes the child gets; all are above 2. */
struct child_ends {
    int out;
    int err;
    int report; /* a struct child_failure goes here; exec closes it */
};

/* Close everything above 'last'. */
static void close_above (int last)
{
    long limit;

    if (syscall (SYS_close_range, last + 1, ~0U, 0) == 0)
        return;
    limit = sysconf (_SC_OPEN_MAX); /* before Linux 5.9 */
    for (int fd = last + 1; fd < limit; fd++)
        close (fd);
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

static _Noreturn void child_fail (int report, enum child_step step)
{
    const struct child_failure failure = { step, errno };
    ssize_t n = write (report, &failure, sizeof (failure));

    _exit (n == (ssize_t)sizeof (failure) ? 127 : 126);
}

/* Signals are blocked until here: none of our handlers runs in the child. */
static _Noreturn void child_main (const struct process_spec *spec,
                                  const char *program,
                                  pid_t parent,
                                  struct child_ends ends)
{
    const struct child_setup setup = {
        .parent = parent,
        .death_signal = SIGTERM,
        .cwd = spec->cwd,
        .stdin_path = spec->stdin_path ? spec->stdin_path : "/dev/null",
        .out_fd = ends.out,
        .err_fd = ends.err,
    };
    enum child_step step = child_set_up (&setup);

    if (step != CHILD_READY)
        child_fail (ends.report, step);
    if (ends.report != 3) {
        dup3 (ends.report, 3, O_CLOEXEC);
        ends.report = 3;
    }
    close_above (3);
    child_reset_signals ();
    execve (program, (char *const *)spec->argv,
            spec->env ? spec->env : environ);
    child_fail (ends.report, CHILD_READY);
}

/* --- the parent --- */

struct stream {
    int fd; /* -1: closed */
    struct strbuf *into;
    size_t bytes_max;
};

enum { OUT, ERR, REPORT, STREAMS };

/* How far the group has been pushed to end. */
enum push { PUSH_NONE, PUSH_TERM, PUSH_KILL, PUSH_GIVE_UP };

struct run {
    const struct process_spec *spec;
    struct process_result *result;
    pid_t pid; /* also the group; not reaped, so not reused, before the end */
    int pidfd; /* -1: the kernel has none */
    struct stream streams[STREAMS];
    struct strbuf report;
    bool ended;
    enum push push;
    double push_at_s; /* when the next push is due; INFINITY: never */
    double grace_s;
    double beat_at_s;
};

/* A pipe whose ends are above 2, so that moving them to 0-2 loses none. */
static int open_pipe (int ends[2])
{
    if (pipe2 (ends, O_CLOEXEC) < 0)
        return -1;
    for (int i = 0; i < 2; i++) {
        int moved = ends[i];

        if (moved > 2)
            continue;
        moved = fcntl (ends[i], F_DUPFD_CLOEXEC, 3);
        if (moved < 0) {
            close (ends[0]);
            close (ends[1]);
            return -1;
        }
        close (ends[i]);
        ends[i] = moved;
    }
    return 0;
}

static void close_stream (struct stream *stream)
{
    if (stream->fd >= 0)
        close (stream->fd);
    stream->fd = -1;
}

/* Open the pipes: our ends into run->streams, the child's into 'writers'. */
static int open_streams (struct run *run, int writers[STREAMS])
{
    struct strbuf *into[STREAMS] = { &run->result->out, &run->result->err,
                                     &run->report };

    for (int i = 0; i < STREAMS; i++) {
        run->streams[i] = (struct stream){ -1, into[i], 4096 };
        writers[i] = -1;
    }
    for (int i = 0; i < STREAMS; i++) {
        int ends[2];

        if (i != REPORT && run->spec->output_fd >= 0)
            continue;
        if (i != REPORT)
            run->streams[i].bytes_max = run->spec->capture_bytes;
        if (open_pipe (ends) < 0)
            return -1;
        run->streams[i].fd = ends[0];
        writers[i] = ends[1];
    }
    return 0;
}

static pid_t fork_child (const struct process_spec *spec,
                         const char *program,
                         const int writers[STREAMS])
{
    struct child_ends ends = { writers[OUT], writers[ERR], writers[REPORT] };
    sigset_t all, before;
    pid_t parent = getpid ();
    pid_t pid;

    if (spec->output_fd >= 0)
        ends.out = ends.err = spec->output_fd;
    sigfillset (&all);
    sigprocmask (SIG_SETMASK, &all, &before);
    pid = fork ();
    if (pid == 0)
        child_main (spec, program, parent, ends);
    if (pid > 0)
        setpgid (pid, pid); /* whoever is first: it must be done to kill it */
    sigprocmask (SIG_SETMASK, &before, NULL);
    return pid;
}

/* Start the program.  0, or -1 with errno. */
static int start (struct run *run, const char *program)
{
    int writers[STREAMS], saved;
    struct sigaction on_child;

    /* Whoever started us may have ignored SIGCHLD, and we inherited it: then
     * the kernel would throw exit statuses away.
     */
    if (sigaction (SIGCHLD, NULL, &on_child) == 0
        && on_child.sa_handler == SIG_IGN)
        signal (SIGCHLD, SIG_DFL);
    run->pid = open_streams (run, writers) < 0
                   ? -1
                   : fork_child (run->spec, program, writers);
    saved = errno;
    for (int i = 0; i < STREAMS; i++) {
        if (writers[i] >= 0)
            close (writers[i]);
        if (run->pid < 0)
            close_stream (&run->streams[i]);
    }
    errno = saved;
    if (run->pid < 0)
        return -1;
    run->pidfd = (int)syscall (SYS_pidfd_open, run->pid, 0);
    return 0;
}

static void read_stream (struct stream *stream)
{
    char chunk[16384];
    ssize_t n = read (stream->fd, chunk, sizeof (chunk));
    size_t room = stream->bytes_max - stream->into->len;

    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n <= 0)
        close_stream (stream);
    else
        strbuf_add (stream->into, chunk, (size_t)n < room ? (size_t)n : room);
}

static bool streams_open (const struct run *run)
{
    for (int i = 0; i < STREAMS; i++) {
        if (run->streams[i].fd >= 0)
            return true;
    }
    return false;
}

/* Notice the end without reaping: the group's number stays ours. */
static void look_for_end (struct run *run, double now_s)
{
    siginfo_t info = { .si_pid = 0 };

    if (run->ended)
        return;
    if (waitid (P_PID, (id_t)run->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0
        || info.si_pid == 0)
        return;
    run->ended = true;
    if (run->push == PUSH_NONE && now_s + linger_s < run->push_at_s)
        run->push_at_s = now_s + linger_s;
}

/* Do what is due at 'now_s' to a group that should have ended. */
static void push_if_due (struct run *run, double now_s)
{
    if (now_s < run->push_at_s)
        return;
    switch (run->push) {
    case PUSH_NONE:
        run->result->timed_out = !run->ended;
        kill (-run->pid, SIGTERM);
        run->push = PUSH_TERM;
        break;
    case PUSH_TERM:
        kill (-run->pid, SIGKILL);
        run->push = PUSH_KILL;
        break;
    case PUSH_KILL: /* it sleeps in the kernel, or others hold the pipes */
    case PUSH_GIVE_UP:
        run->push = PUSH_GIVE_UP;
        break;
    }
    run->push_at_s = now_s + run->grace_s;
}

static void beat_if_due (struct run *run, double now_s)
{
    if (now_s < run->beat_at_s)
        return;
    run->spec->beat (run->spec->beat_arg);
    run->beat_at_s = clock_mono_s () + 1;
}

/* Sleep until something can be read, the program ends, or a time has come. */
static void wait_for_news (struct run *run, double now_s)
{
    struct pollfd fds[STREAMS + 1];
    double until_s = fmin (run->push_at_s, run->beat_at_s);

    for (int i = 0; i < STREAMS; i++)
        fds[i] = (struct pollfd){ .fd = run->streams[i].fd, .events = POLLIN };
    fds[STREAMS] =
        (struct pollfd){ .fd = run->ended ? -1 : run->pidfd, .events = POLLIN };
    if (run->pidfd < 0 && !run->ended)
        until_s = fmin (until_s, now_s + blind_poll_s);
    /* An hour at most: int milliseconds would overflow, and it is harmless. */
    until_s = fmin (until_s, now_s + 3600);
    if (poll (fds, STREAMS + 1, (int)ceil (fmax (until_s - now_s, 0) * 1e3))
        <= 0)
        return;
    for (int i = 0; i < STREAMS; i++) {
        if (fds[i].fd >= 0 && fds[i].revents)
            read_stream (&run->streams[i]);
    }
}

static void attend (struct run *run)
{
    for (;;) {
        double now_s = clock_mono_s ();

        look_for_end (run, now_s);
        if (run->ended && !streams_open (run))
            break;
        push_if_due (run, now_s);
        if (run->push == PUSH_GIVE_UP)
            break;
        beat_if_due (run, now_s);
        wait_for_news (run, now_s);
    }
    for (int i = 0; i < STREAMS; i++)
        close_stream (&run->streams[i]);
}

/* Reap the program and say how it ended. */
static void reap (struct run *run)
{
    struct process_result *result = run->result;
    int status = 0;

    /* Whoever was told to end and does not hold our pipes ends with it. */
    if (run->push == PUSH_TERM)
        kill (-run->pid, SIGKILL);
    if (run->ended) {
        while (waitpid (run->pid, &status, 0) < 0 && errno == EINTR)
            continue;
    } else {
        status = SIGKILL; /* given up; it ends when the kernel lets it */
    }
    result->signal = WIFSIGNALED (status) ? WTERMSIG (status) : 0;
    result->exit_code = WIFEXITED (status) ? WEXITSTATUS (status) : -1;
    if (run->pidfd >= 0)
        close (run->pidfd);
}

/* -1 with 'err' when the child reported that there is no program. */
static int check_started (const struct run *run, struct error *err)
{
    const struct process_spec *spec = run->spec;
    struct child_failure failure;

    if (run->report.len < sizeof (failure))
        return 0;
    memcpy (&failure, run->report.buf, sizeof (failure));
    errno = failure.error_number;
    switch (failure.step) {
    case CHILD_CWD:
        return error_errno (err, "cannot run '%s': cannot enter '%s'",
                            spec->argv[0], spec->cwd);
    case CHILD_STDIN:
        return error_errno (err, "cannot run '%s': cannot open '%s'",
                            spec->argv[0],
                            spec->stdin_path ? spec->stdin_path : "/dev/null");
    case CHILD_OUTPUT:
    case CHILD_READY:
        break;
    }
    return error_errno (err, "cannot run '%s'", spec->argv[0]);
}

static const char *path_of (const struct process_spec *spec)
{
    for (size_t i = 0; spec->env && spec->env[i]; i++) {
        if (strncmp (spec->env[i], "PATH=", 5) == 0)
            return spec->env[i] + 5;
    }
    return NULL;
}

/* What to exec: a name with a '/' as it is (seen from 'cwd', where we may not
 * be), any other name from PATH.
 */
static char *find_program (const struct process_spec *spec, struct error *err)
{
    const char *name = spec->argv[0];
    char *program = strchr (name, '/') ? xstrdup (name)
                                       : process_which (name, path_of (spec));

    if (!program)
        error_set (err, "cannot run '%s': no such program on PATH", name);
    return program;
}

int process_run (const struct process_spec *spec,
                 struct process_result *result,
                 struct error *err)
{
    double start_s = clock_mono_s ();
    struct run run = {
        .spec = spec,
        .result = result,
        .report = STRBUF_INIT,
        .push_at_s =
            spec->deadline_s > 0 ? start_s + spec->deadline_s : INFINITY,
        .grace_s = spec->grace_s > 0 ? spec->grace_s : default_grace_s,
        .beat_at_s = spec->beat ? start_s + 1 : INFINITY,
    };
    char *program;
    int rc = -1;

    process_result_release (result);
    *result = (struct process_result)PROCESS_RESULT_INIT;
    if (!(program = find_program (spec, err)))
        return -1;
    if (start (&run, program) < 0) {
        error_errno (err, "cannot run '%s'", spec->argv[0]);
        goto done;
    }
    attend (&run);
    reap (&run);
    result->wall_s = clock_mono_s () - start_s;
    rc = check_started (&run, err);
    result->started = rc == 0;
done:
    strbuf_release (&run.report);
    free (program);
    return rc;
}

bool process_succeeded (const struct process_result *result)
{
    return result->started && !result->timed_out && result->signal == 0
           && result->exit_code == 0;
}

void process_describe (const struct process_result *result, struct strbuf *out)
{
    if (!result->started)
        strbuf_add_str (out, "could not be started");
    else if (result->timed_out)
        strbuf_addf (out, "ran out of time after %.3g s", result->wall_s);
    else if (result->signal)
        strbuf_addf (out, "was killed by signal %d (%s)", result->signal,
                     strsignal (result->signal));
    else
        strbuf_addf (out, "exited with status %d", result->exit_code);
}
