/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.c - our end of a pipe that a program prints into */
#include "base/base.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "group/stream.h"

static void take_bytes (struct stream *stream, const char *bytes, size_t n)
{
    _cleanup_ (strbuf_release) struct strbuf out = STRBUF_INIT;
    size_t room = stream->text_max - stream->text.len;

    if (stream->log_fd < 0) {
        strbuf_add (&stream->text, bytes, n < room ? n : room);
        return;
    }
    lines_feed (&stream->lines, bytes, n, &out);
    (void)file_write_all (stream->log_fd, out.buf, out.len, NULL);
}

static void close_it (struct stream *stream)
{
    _cleanup_ (strbuf_release) struct strbuf out = STRBUF_INIT;

    if (stream->watch.fd < 0)
        return;
    watch_end (stream->epoll_fd, &stream->watch);
    close (stream->watch.fd);
    stream->watch.fd = -1;
    if (stream->log_fd >= 0) {
        lines_finish (&stream->lines, &out);
        (void)file_write_all (stream->log_fd, out.buf, out.len, NULL);
    }
}

/* One piece of what is there; false: no more, now or ever. */
static bool read_piece (struct stream *stream)
{
    char bytes[16384];
    ssize_t n;

    if (stream->watch.fd < 0)
        return false;
    n = TEMP_FAILURE_RETRY (read (stream->watch.fd, bytes, sizeof (bytes)));
    if (n > 0)
        take_bytes (stream, bytes, (size_t)n);
    else if (n == 0 || errno != EAGAIN)
        close_it (stream);
    return n > 0;
}

static void on_ready (void *arg)
{
    (void)read_piece (arg);
}

/* Others may hold it open and print on, so not for ever. */
void stream_drain (struct stream *stream)
{
    for (int i = 0; i < 64 && read_piece (stream); i++)
        continue;
}

/* A pipe whose ends are above 2, so that moving them to 0-2 loses none. */
static int open_pipe (int ends[2], struct error *err)
{
    int made[2];

    if (pipe2 (made, O_CLOEXEC) < 0)
        return error_errno (err, "cannot open a pipe");
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl (made[i], F_DUPFD_CLOEXEC, 3);
        close (made[i]);
    }
    if (ends[0] >= 0 && ends[1] >= 0
        && fcntl (ends[0], F_SETFL, O_NONBLOCK) == 0)
        return 0;
    error_errno (err, "cannot open a pipe");
    file_close (ends[0]);
    file_close (ends[1]);
    return -1;
}

struct stream *stream_open (int epoll_fd, const char *name, int log_fd,
                            size_t text_max, int *writer, struct error *err)
{
    struct stream *stream;
    int ends[2] = { -1, -1 };

    if (open_pipe (ends, err) < 0)
        return NULL;
    stream = xcalloc (1, sizeof (*stream));
    *stream = (struct stream){ .watch = { ends[0], on_ready, stream },
                               .epoll_fd = epoll_fd,
                               .log_fd = log_fd,
                               .text = STRBUF_INIT,
                               .text_max = text_max };
    lines_init (&stream->lines, name);
    if (watch_begin (epoll_fd, &stream->watch, err) < 0) {
        close (ends[0]);
        close (ends[1]);
        stream->watch.fd = -1;
        stream_destroy (stream);
        return NULL;
    }
    *writer = ends[1];
    return stream;
}

void stream_destroy (struct stream *stream)
{
    if (!stream)
        return;
    close_it (stream);
    lines_release (&stream->lines);
    strbuf_release (&stream->text);
    free (stream);
}
