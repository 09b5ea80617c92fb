/* SPDX-License-Identifier: BSD-3-Clause */
/* worker.c - a process of a slot that runs one task after the other */
#include "base/base.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/worker.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/spawn.h"
#include "handover/worker_message.h"

enum { READ_BYTES = 4096, READS_AT_ONCE = 64 };

/* --- its process --- */

/* Nothing here ever waits; what comes is announced, and that it is closed. */
static int announce (int fd)
{
    return fcntl (fd, F_SETOWN, getpid ()) < 0
                   || fcntl (fd, F_SETFL, O_NONBLOCK | O_ASYNC) < 0
               ? -1
               : 0;
}

static int say_hello (struct worker *worker, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf line = STRBUF_INIT;

    worker_hello_line (PACKAGE_NAME " " PACKAGE_VERSION, &line);
    return worker_tell (worker, &line, err);
}

pid_t worker_start (struct worker *worker, const struct spawn *spec,
                    struct error *err)
{
    int to[2] = { -1, -1 }, from[2] = { -1, -1 };
    struct spawn whole = *spec;

    if (spawn_pipe (to) < 0 || spawn_pipe (from) < 0 || announce (to[1]) < 0
        || announce (from[0]) < 0) {
        error_errno (err, "no pipe can be had");
        goto failed;
    }
    whole.in_fd = to[0];
    whole.out_fd = from[1];
    if ((worker->pid = spawn (&whole, err)) < 0) {
        worker->pid = 0;
        goto failed;
    }
    close (to[0]);
    close (from[1]);
    worker->to_fd = to[1];
    worker->from_fd = from[0];
    /* One that has ended already is reaped like any other. */
    (void)say_hello (worker, NULL);
    return worker->pid;
failed:
    for (int i = 0; i < 2; i++) {
        file_close (to[i]);
        file_close (from[i]);
    }
    return -1;
}

void worker_forget (struct worker *worker)
{
    file_close (worker->to_fd);
    file_close (worker->from_fd);
    free (worker->program);
    strbuf_release (&worker->begun);
    *worker = (struct worker)WORKER_INIT;
}

/* Has it exited, soon?  It is left to be reaped. */
static bool has_exited (pid_t pid, double until_s)
{
    double wait_s = 0.001;

    for (;;) {
        siginfo_t info = { .si_pid = 0 };

        if (waitid (P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0
            || info.si_pid == pid)
            return true;
        if (clock_mono_s () >= until_s)
            return false;
        clock_sleep (wait_s, NULL);
        wait_s = fmin (2 * wait_s, 0.05);
    }
}

void worker_end (struct worker *worker, double grace_s)
{
    if (worker->pid > 0) {
        file_close (worker->to_fd);
        file_close (worker->from_fd);
        worker->to_fd = worker->from_fd = -1;
        kill (-worker->pid, SIGTERM);
        (void)has_exited (worker->pid, clock_mono_s () + grace_s);
        kill (-worker->pid, SIGKILL);
        TEMP_FAILURE_RETRY (waitpid (worker->pid, NULL, 0));
    }
    worker_forget (worker);
}

/* --- what is said --- */

/* So short a write to a pipe is whole or not at all (pipe(7)). */
int worker_tell (struct worker *worker, const struct strbuf *line,
                 struct error *err)
{
    ssize_t n;

    if (line->len > PIPE_BUF)
        return error_set (err, "the line for it is too long");
    n = TEMP_FAILURE_RETRY (write (worker->to_fd, line->buf, line->len));
    if (n == (ssize_t)line->len)
        return 0;
    return errno == EAGAIN
               ? error_set (err, "it does not read its standard input")
               : error_errno (err, "its standard input cannot be written");
}

/* What is unread of a pipe is known at either end of it.  One byte may be the
 * newline of a line that was read.
 */
bool worker_left_line (const struct worker *worker)
{
    struct pollfd input = { .fd = worker->to_fd };
    int unread = 0;

    return worker->to_fd >= 0 && poll (&input, 1, 0) == 1
           && (input.revents & POLLERR)
           && ioctl (worker->to_fd, FIONREAD, &unread) == 0 && unread > 1;
}

/* Read a part of what it wrote; false: there is nothing now, or no more. */
static bool read_some (struct worker *worker, bool *end)
{
    char bytes[READ_BYTES];
    ssize_t n =
        TEMP_FAILURE_RETRY (read (worker->from_fd, bytes, sizeof (bytes)));

    *end = n == 0 || (n < 0 && errno != EAGAIN);
    if (n > 0)
        strbuf_add (&worker->begun, bytes, (size_t)n);
    return n > 0;
}

bool worker_drain (struct worker *worker)
{
    bool end = false;

    for (int i = 0; i < READS_AT_ONCE && worker->from_fd >= 0; i++) {
        strbuf_reset (&worker->begun);
        if (read_some (worker, &end))
            continue;
        if (end) {
            file_close (worker->from_fd);
            worker->from_fd = -1;
        }
        return false;
    }
    return worker->from_fd >= 0;
}

/* Take the first 'len' bytes away, and the newline behind them. */
static void drop_line (struct strbuf *begun, size_t len)
{
    memmove (begun->buf, begun->buf + len + 1, begun->len - len - 1);
    strbuf_truncate (begun, begun->len - len - 1);
}

enum heard worker_hear (struct worker *worker, struct worker_message *message,
                        struct error *err)
{
    const char *newline;
    size_t len, looked = 0;
    bool end = false;
    int rc;

    while (!(newline = memchr (worker->begun.buf + looked, '\n',
                               worker->begun.len - looked))) {
        looked = worker->begun.len;
        if (looked > WORKER_LINE_MAX)
            break;
        if (!read_some (worker, &end))
            return end ? HEARD_END : HEARD_NOTHING;
    }
    len = newline ? (size_t)(newline - worker->begun.buf) : SIZE_MAX;
    if (len >= WORKER_LINE_MAX) {
        error_set (err, "it wrote a line of more than %d bytes",
                   WORKER_LINE_MAX);
        return HEARD_NOISE;
    }
    rc = worker_message_parse (worker->begun.buf, len, message, err);
    drop_line (&worker->begun, len);
    return rc < 0 ? HEARD_NOISE : HEARD_MESSAGE;
}
