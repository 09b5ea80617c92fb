/* SPDX-License-Identifier: BSD-3-Clause */
/* mps_supervisor.c - the process that keeps an MPS daemon */
#include "base/base.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/mps_supervisor.h"
#include "agent/orphan_processes.h"
#include "base/file.h"
#include "base/process.h"
#include "base/spawn.h"

/* The control program answers at once, or not at all. */
static const double start_deadline_s = 30;
static const double answer_deadline_s = 5;
static const double quit_deadline_s = 15;

static int run_control (const struct strvec *env, const char *option,
                        const char *stdin_path, double deadline_s,
                        struct process_result *result, struct error *err)
{
    const char *argv[] = { MPS_CONTROL, option, NULL };
    const struct process_spec spec = { .argv = argv,
                                       .env = env->v,
                                       .stdin_path = stdin_path,
                                       .output_fd = -1,
                                       .capture_bytes = 1 << 16,
                                       .deadline_s = deadline_s };
    _cleanup_ (strbuf_release) struct strbuf how = STRBUF_INIT;
    int rc = process_run (&spec, result, err);

    if (rc == 0 && !process_succeeded (result)) {
        process_describe (result, &how);
        rc =
            error_set (err, "'" MPS_CONTROL "' %s: %.200s", how.buf,
                       result->err.len > 0 ? result->err.buf : result->out.buf);
    }
    return rc;
}

static int ask (const char *dir, const struct strvec *env, const char *commands,
                double deadline_s, struct strvec *lines, struct error *err)
{
    _cleanup_ (process_result_release) struct process_result result =
        PROCESS_RESULT_INIT;
    _cleanup_free_ char *path =
        xasprintf ("%s/commands-%d", dir, (int)getpid ());
    int rc = file_write_atomic (path, commands, strlen (commands), err);

    if (rc == 0)
        rc = run_control (env, NULL, path, deadline_s, &result, err);
    if (rc == 0 && lines)
        strvec_split (lines, result.out.buf, "\n");
    return rc;
}

int mps_control (const char *dir, const struct strvec *env,
                 const char *commands, struct strvec *lines, struct error *err)
{
    return ask (dir, env, commands, answer_deadline_s, lines, err);
}

/* --- the supervisor --- */

/* One byte: the daemon is there.  More: why it is not. */
static void tell_start (int done, const struct error *why)
{
    const char *text = why ? why->text : "+";

    TEMP_FAILURE_RETRY (write (done, text, strlen (text)));
}

/* Its descendants are ours, whatever they did: none stays. */
static _Noreturn void supervise (const char *dir, const struct strvec *env,
                                 int pipe, int done)
{
    struct process_result result = PROCESS_RESULT_INIT;
    struct error err = ERROR_INIT;
    char byte;

    setsid ();
    prctl (PR_SET_CHILD_SUBREAPER, 1);
    prctl (PR_SET_NAME, "fanfold-mps");
    if (run_control (env, "-d", NULL, start_deadline_s, &result, &err) == 0)
        tell_start (done, NULL);
    else
        tell_start (done, &err);
    while (read (pipe, &byte, 1) > 0 || errno == EINTR)
        errno = 0;
    (void)ask (dir, env, "quit\n", quit_deadline_s, NULL, NULL);
    orphan_processes_kill_orphans ();
    file_remove_tree (dir, NULL, NULL);
    _exit (0);
}

/* A grandchild, so that the agent is not its parent. */
static int start_supervisor (const char *dir, const struct strvec *env,
                             int pipe, int done, struct error *err)
{
    pid_t pid = fork ();

    if (pid < 0)
        return error_errno (err, "no process can be had");
    if (pid == 0) {
        if (fork () != 0)
            _exit (0);
        /* The agent's end of the pipe among others, and its logs. */
        if (dup2 (pipe, 3) < 0 || dup2 (done, 4) < 0)
            _exit (1);
        child_close_from (5);
        supervise (dir, env, 3, 4);
    }
    TEMP_FAILURE_RETRY (waitpid (pid, NULL, 0));
    return 0;
}

static int read_start (int done, struct error *err)
{
    char text[512];
    ssize_t n = TEMP_FAILURE_RETRY (read (done, text, sizeof (text) - 1));

    if (n == 1)
        return 0;
    text[n > 0 ? n : 0] = '\0';
    return error_set (err, "%s", n > 1 ? text : "its supervisor died");
}

/* Ends above 4, so that moving them to 3 and 4 loses none. */
static int open_pipe (int ends[2])
{
    int made[2];

    if (pipe2 (made, O_CLOEXEC) < 0)
        return -1;
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl (made[i], F_DUPFD_CLOEXEC, 5);
        file_close (made[i]);
    }
    return ends[0] < 0 || ends[1] < 0 ? -1 : 0;
}

int mps_supervise (const char *dir, const struct strvec *env, int *pipe,
                   int *done, struct error *err)
{
    int to[2] = { -1, -1 }, from[2] = { -1, -1 };
    int rc = open_pipe (to) < 0 || open_pipe (from) < 0
                 ? error_errno (err, "cannot open a pipe")
                 : start_supervisor (dir, env, to[0], from[1], err);

    file_close (to[0]);
    file_close (from[1]);
    if (rc == 0)
        rc = read_start (from[0], err);
    *pipe = to[1];
    *done = from[0];
    return rc;
}
