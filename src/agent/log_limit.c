/* SPDX-License-Identifier: BSD-3-Clause */
/* log_limit.c - keep a log that others append to from growing without bound */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/log_limit.h"
#include "base/clock.h"
#include "base/file.h"

static const double shortest_wait_s = 0.02;
static const double longest_wait_s = 2;

/* Notes are equally long, so that one can be written over another. */
enum { CHUNK_BYTES = 1 << 16, LINE_MAX_BYTES = 4096, NOTE_BYTES = 80 };

/* pread() and pwrite() of the same bytes; how many, -1. */
static ssize_t move (int fd, off_t from, off_t to, size_t bytes)
{
    char chunk[CHUNK_BYTES];
    ssize_t n, done = 0;

    if (bytes > sizeof (chunk))
        bytes = sizeof (chunk);
    do
        n = pread (fd, chunk, bytes, from);
    while (n < 0 && errno == EINTR);
    while (done < n) {
        ssize_t written =
            pwrite (fd, chunk + done, (size_t)(n - done), to + done);

        if (written < 0 && errno != EINTR)
            return -1;
        done += written > 0 ? written : 0;
    }
    return n;
}

/* The first start of a line from 'at' on, if there is one soon. */
static off_t line_start (int fd, off_t at)
{
    char text[LINE_MAX_BYTES];
    ssize_t n = pread (fd, text, sizeof (text), at);
    const char *end = n > 0 ? memchr (text, '\n', (size_t)n) : NULL;

    return end ? at + (end - text) + 1 : at;
}

static void write_note (int fd, off_t at, int64_t left_out)
{
    char note[NOTE_BYTES + 1];
    int n = snprintf (note, sizeof (note),
                      "\n=== %" PRId64
                      " bytes were left out here (limits: log) ===",
                      left_out);

    memset (note + n, ' ', (size_t)(NOTE_BYTES - 1 - n));
    note[NOTE_BYTES - 1] = '\n';
    /* Without it the log is only less clear. */
    if (pwrite (fd, note, NOTE_BYTES, at) < 0)
        return;
}

/* Leave [0, head), a note, and what is from 'tail' on; 'old_note' bytes in
 * between are a note themselves.  How long it is then.
 */
static off_t cut (struct log_limit *log, int fd, off_t old_note, off_t tail,
                  off_t size)
{
    off_t to = log->head + NOTE_BYTES;
    off_t from = tail;
    struct stat st;
    ssize_t n;

    while (from < size
           && (n = move (fd, from, to, (size_t)(size - from))) > 0) {
        from += n;
        to += n;
    }
    if (from < size || fstat (fd, &st) < 0 || ftruncate (fd, to) < 0)
        return size; /* the next look tries again */
    log->left_out_bytes += tail - log->head - old_note + (st.st_size - size);
    write_note (fd, log->head, log->left_out_bytes);
    return to;
}

/* Cut what is open at 'fd' for appending, by way of another description. */
static off_t cut_appending (struct log_limit *log, int appending, int64_t limit,
                            off_t size)
{
    char path[64];
    off_t old_note = log->head > 0 ? NOTE_BYTES : 0;
    int fd;

    snprintf (path, sizeof (path), "/proc/self/fd/%d", appending);
    fd = open (path, O_RDWR | O_CLOEXEC); /* a link of the kernel's: followed */
    if (fd < 0)
        return size;
    if (log->head == 0)
        log->head = line_start (fd, limit / 2);
    size = cut (log, fd, old_note, line_start (fd, size - limit / 4), size);
    close (fd);
    return size;
}

/* How long the log is now, having been cut if need be. */
static off_t look (struct log_limit *log, int fd, int64_t limit)
{
    struct stat st;

    if (fstat (fd, &st) < 0)
        return log->size;
    if (st.st_size <= log->head) /* the task cut it itself */
        log->head = 0;
    if (limit < LOG_LIMIT_LEAST_BYTES)
        limit = LOG_LIMIT_LEAST_BYTES;
    return st.st_size <= limit ? st.st_size
                               : cut_appending (log, fd, limit, st.st_size);
}

double log_limit_look (struct log_limit *log, int fd, int64_t limit)
{
    double now_s = clock_mono_s ();
    double grown, passed_s;
    off_t before = log->size;

    if (limit == 0)
        return INFINITY;
    log->size = look (log, fd, limit);
    grown = (double)(log->size - before);
    passed_s = now_s - log->looked_s;
    log->wait_s = fmin (2 * log->wait_s, longest_wait_s);
    /* At this rate a quarter of the limit takes so long. */
    if (grown > 0)
        log->wait_s =
            fmin (log->wait_s, (double)limit / 4 / (grown / passed_s));
    log->wait_s = fmax (log->wait_s, shortest_wait_s);
    log->looked_s = now_s;
    return now_s + log->wait_s;
}

void log_limit_finish (struct log_limit *log, int fd, int64_t limit)
{
    if (limit > 0)
        look (log, fd, limit);
}
