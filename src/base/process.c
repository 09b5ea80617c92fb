/* SPDX-License-Identifier: BSD-3-Clause */
/* process.c - run a program and wait for it */
#include "base/base.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "base/spawn.h"

static const double default_grace_s = 2;

/* How long pipes may stay open after the program's end: what it wrote through
 * another process may still be on its way.
 */
static const double linger_s = 0.2;

/* How often to look when the kernel cannot tell us (before Linux 5.3). */
static const double blind_poll_s = 0.02;

int process_open_standard (void)
{
    int fd;

    do
        fd = open ("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd < 0)
        return -1;
    close (fd);
    return 0;
}

void process_result_release (struct process_result *result)
{
    strbuf_release (&result->out);
    strbuf_release (&result->err);
}

enum { OUT, ERR, STREAMS };

/* How far the group has been pushed to end.  What does not end then sleeps in
 * the kernel, or others hold the pipes.
 */
enum push { PUSH_NONE, PUSH_TERM, PUSH_KILL, PUSH_GIVE_UP };

struct run {
    const struct process_spec *spec;
    struct process_result *result;
    pid_t pid; /* also the group; not reaped, so not reused, before the end */
    int pidfd; /* -1: the kernel has none */
    int streams[STREAMS]; /* our ends; -1: closed */
    bool ended;
    enum push push;
    double push_at_s; /* when the next push is due; INFINITY: never */
    double grace_s;
    double beat_at_s;
};

static void close_stream (int *stream)
{
    file_close (*stream);
    *stream = -1;
}

/* Open the pipes: our ends into run->streams, the child's into 'writers'. */
static int open_streams (struct run *run, int writers[STREAMS])
{
    for (int i = 0; i < STREAMS; i++)
        run->streams[i] = writers[i] = -1;
    for (int i = 0; i < STREAMS && run->spec->output_fd < 0; i++) {
        int ends[2];

        if (spawn_pipe (ends) < 0)
            return -1;
        run->streams[i] = ends[0];
        writers[i] = ends[1];
    }
    return 0;
}

/* Start the program. */
static int start (struct run *run, struct error *err)
{
    const struct process_spec *spec = run->spec;
    int writers[STREAMS];
    struct spawn child = { .argv = spec->argv,
                           .env = spec->env,
                           .dir = spec->cwd,
                           .stdin_path = spec->stdin_path,
                           .out_fd = spec->output_fd,
                           .err_fd = spec->output_fd,
                           .death_signal = SIGTERM };
    struct sigaction on_child;

    /* Whoever started us may have ignored SIGCHLD, and we inherited it: then
     * the kernel would throw exit statuses away.
     */
    if (sigaction (SIGCHLD, NULL, &on_child) == 0
        && on_child.sa_handler == SIG_IGN)
        signal (SIGCHLD, SIG_DFL);
    run->pid = -1;
    if (open_streams (run, writers) < 0)
        error_errno (err, "cannot open a pipe");
    else {
        if (spec->output_fd < 0) {
            child.out_fd = writers[OUT];
            child.err_fd = writers[ERR];
        }
        run->pid = spawn (&child, err);
    }
    for (int i = 0; i < STREAMS; i++) {
        file_close (writers[i]);
        if (run->pid < 0)
            close_stream (&run->streams[i]);
    }
    if (run->pid < 0)
        return error_prefix (err, "cannot run '%s'", spec->argv[0]);
    run->pidfd = (int)syscall (SYS_pidfd_open, run->pid, 0);
    return 0;
}

static void read_stream (struct run *run, int i)
{
    struct strbuf *into = i == OUT ? &run->result->out : &run->result->err;
    size_t room = run->spec->capture_bytes - into->len;
    char chunk[16384];
    ssize_t n = read (run->streams[i], chunk, sizeof (chunk));

    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n <= 0)
        close_stream (&run->streams[i]);
    else
        strbuf_add (into, chunk, (size_t)n < room ? (size_t)n : room);
}

static bool streams_open (const struct run *run)
{
    return run->streams[OUT] >= 0 || run->streams[ERR] >= 0;
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
    const volatile int *stop = run->spec->stop;

    if (stop && *stop && !run->ended && run->push == PUSH_NONE
        && now_s < run->push_at_s) {
        run->result->stopped = true;
        run->push_at_s = now_s;
    }
    if (now_s < run->push_at_s)
        return;
    run->push++;
    if (run->push == PUSH_TERM)
        run->result->timed_out = !run->ended && !run->result->stopped;
    if (run->push < PUSH_GIVE_UP)
        kill (-run->pid, run->push == PUSH_TERM ? SIGTERM : SIGKILL);
    run->push_at_s = now_s + run->grace_s;
}

static void beat_if_due (struct run *run, double now_s)
{
    if (now_s < run->beat_at_s)
        return;
    heartbeat_send (&run->spec->heartbeat);
    run->beat_at_s = clock_mono_s () + 1;
}

/* Sleep until something can be read, the program ends, or a time has come. */
static void wait_for_news (struct run *run, double now_s)
{
    struct pollfd fds[STREAMS + 1];
    double until_s = fmin (run->push_at_s, run->beat_at_s);

    for (int i = 0; i < STREAMS; i++)
        fds[i] = (struct pollfd){ .fd = run->streams[i], .events = POLLIN };
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
            read_stream (run, i);
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
        TEMP_FAILURE_RETRY (waitpid (run->pid, &status, 0));
    } else {
        status = SIGKILL; /* given up; it ends when the kernel lets it */
    }
    result->signal = WIFSIGNALED (status) ? WTERMSIG (status) : 0;
    result->exit_code = WIFEXITED (status) ? WEXITSTATUS (status) : -1;
    if (run->pidfd >= 0)
        close (run->pidfd);
}

int process_run (const struct process_spec *spec, struct process_result *result,
                 struct error *err)
{
    double start_s = clock_mono_s ();
    struct run run = {
        .spec = spec,
        .result = result,
        .push_at_s =
            spec->deadline_s > 0 ? start_s + spec->deadline_s : INFINITY,
        .grace_s = spec->grace_s > 0 ? spec->grace_s : default_grace_s,
        .beat_at_s =
            spec->heartbeat.beat || spec->stop ? start_s + 1 : INFINITY,
    };

    process_result_release (result);
    *result = (struct process_result)PROCESS_RESULT_INIT;
    if (start (&run, err) < 0)
        return -1;
    attend (&run);
    reap (&run);
    result->wall_s = clock_mono_s () - start_s;
    result->started = true;
    return 0;
}

bool process_succeeded (const struct process_result *result)
{
    return result->started && !result->timed_out && !result->stopped
           && result->signal == 0 && result->exit_code == 0;
}

void process_describe (const struct process_result *result, struct strbuf *out)
{
    if (!result->started)
        strbuf_add_str (out, "could not be started");
    else if (result->timed_out)
        strbuf_addf (out, "ran out of time after %.3g s", result->wall_s);
    else if (result->stopped)
        strbuf_add_str (out, "was ended with who had started it");
    else if (result->signal)
        strbuf_addf (out, "was killed by signal %d (%s)", result->signal,
                     strsignal (result->signal));
    else
        strbuf_addf (out, "exited with status %d", result->exit_code);
}

/* --- programs on PATH and processes in /proc --- */

/* The kernel's bound on arguments and environment is a quarter of the stack
 * limit; none gets near this.
 */
static const size_t environment_bytes_max = (size_t)64 << 20;

static bool is_program (const char *path)
{
    struct stat st;

    return stat (path, &st) == 0 && S_ISREG (st.st_mode)
           && access (path, X_OK) == 0;
}

char *process_which (const char *program, const char *path)
{
    if (!path)
        path = getenv ("PATH");
    if (!path)
        path = "/usr/local/bin:/usr/bin:/bin";
    if (strchr (program, '/'))
        return is_program (program) ? path_absolute (program) : NULL;
    for (;;) {
        size_t len = strcspn (path, ":"); /* 0: the current directory */
        char *dir = xstrndup (path, len);
        char *joined = path_join (dir, program);
        char *full = path_absolute (joined);
        bool found = program[0] != '\0' && is_program (full);

        free (joined);
        free (dir);
        if (found)
            return full;
        free (full);
        if (path[len] == '\0')
            return NULL;
        path += len + 1;
    }
}

char *process_self (void)
{
    char *path = file_read_link ("/proc/self/exe", NULL);

    return path ? path : xstrdup ("/proc/self/exe");
}

/* How often an empty environment is looked at. */
enum { EXEC_LOOKS = 5 };

/* Whether the NUL-separated list of 'environment' has the entry 'tag'. */
static bool has_entry (const struct strbuf *environment, const char *tag)
{
    size_t at = 0;

    while (at < environment->len) {
        const char *entry = environment->buf + at;

        if (strcmp (entry, tag) == 0)
            return true;
        at += strlen (entry) + 1;
    }
    return false;
}

/* Kernel threads and zombies run no program. */
static bool runs_program (pid_t pid)
{
    _cleanup_free_ char *path = xasprintf ("/proc/%d/exe", (int)pid);
    char target[1];

    return readlink (path, target, sizeof (target)) > 0;
}

/* In the middle of execve a process has no environment for a moment: look
 * again before believing that.
 */
static int read_environment (pid_t pid, const char *path,
                             struct strbuf *environment)
{
    for (int i = 0; i < EXEC_LOOKS; i++) {
        if (file_read (path, environment_bytes_max, environment, NULL) < 0)
            return -1;
        if (environment->len > 0 || !runs_program (pid))
            break;
        clock_sleep (0.001, NULL);
    }
    return 0;
}

bool process_is_tagged (pid_t pid, const char *tag)
{
    _cleanup_ (strbuf_release) struct strbuf environment = STRBUF_INIT;
    _cleanup_free_ char *path = xasprintf ("/proc/%d/environ", (int)pid);
    struct stat st;
    bool tagged;

    /* For root, environments of other users can be read as well. */
    tagged = stat (path, &st) == 0 && st.st_uid == geteuid ()
             && read_environment (pid, path, &environment) == 0
             && has_entry (&environment, tag);
    return tagged;
}

int process_kill_tagged (const char *tag, int signal)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int n = 0;

    file_list_dir ("/proc", &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        pid_t pid = (pid_t)atoi (names.v[i]); /* 0 for "self" and such */

        if (pid > 0 && pid != getpid () && process_is_tagged (pid, tag)
            && kill (pid, signal) == 0)
            n++;
    }
    return n;
}

/* Field 22 of /proc/PID/stat (proc(5)).  The second is the program's name in
 * parentheses and may contain anything, so counting starts after the last ')'.
 */
static unsigned long long parse_start_ticks (const char *stat_line)
{
    const char *p = strrchr (stat_line, ')');

    if (!p || p[1] != ' ' || strchr ("ZXx", p[2]))
        return 0;
    for (int field = 2; field < 22; field++) {
        p = strchr (p + 1, ' ');
        if (!p)
            return 0;
    }
    return strtoull (p + 1, NULL, 10);
}

/* /proc may show each user only their own processes (hidepid). */
unsigned long long process_start_ticks (pid_t pid)
{
    _cleanup_ (strbuf_release) struct strbuf line = STRBUF_INIT;
    _cleanup_free_ char *path = xasprintf ("/proc/%d/stat", (int)pid);
    unsigned long long ticks = 0;

    if (pid > 0 && file_read (path, 1 << 16, &line, NULL) == 0)
        ticks = parse_start_ticks (line.buf);
    else if (pid > 0 && (kill (pid, 0) == 0 || errno != ESRCH))
        ticks = PROCESS_HIDDEN;
    return ticks;
}
