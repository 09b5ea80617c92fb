/* SPDX-License-Identifier: BSD-3-Clause */
/* lines.c - the lines of a text or a file, and the words of a line */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "formats/lines.h"
#include "formats/number.h"

/* Large enough that system calls do not count, small enough for the cache of
 * one core when several files are read side by side.
 */
static const size_t block_bytes = 256 * 1024;

void lines_of_text (struct lines *lines,
                    const char *text,
                    size_t len,
                    const char *name,
                    size_t first)
{
    *lines = (struct lines){
        .at = text,
        .end = text,
        .next = text,
        .stop = text + len,
        .number = first - 1,
        .name = xstrdup (name),
        .fd = -1,
        .file_bytes = len,
    };
}

int lines_open (struct lines *lines,
                const char *path,
                uint64_t offset,
                struct error *err)
{
    struct stat st;
    int fd = file_open (path, O_RDONLY, 0);

    if (fd < 0)
        return error_errno (err, "cannot open '%s'", path);
    if (fstat (fd, &st) < 0
        || (offset > 0 && lseek (fd, (off_t)offset, SEEK_SET) < 0)) {
        error_errno (err, "cannot read '%s'", path);
        close (fd);
        return -1;
    }
    *lines = (struct lines){
        .fd = fd,
        .name = xstrdup (path),
        .offset = offset,
        .block = xmalloc (block_bytes),
        .block_bytes = block_bytes,
        .file_bytes = S_ISREG (st.st_mode) ? (uint64_t)st.st_size : UINT64_MAX,
    };
    lines->next = lines->stop = lines->at = lines->end = lines->block;
    return 0;
}

void lines_close (struct lines *lines)
{
    if (lines->fd >= 0)
        close (lines->fd);
    free (lines->block);
    free (lines->name);
    *lines = (struct lines)LINES_INIT;
}

int lines_error (const struct lines *lines,
                 struct error *err,
                 const char *fmt,
                 ...)
{
    char what[512];
    va_list ap;

    va_start (ap, fmt);
    vsnprintf (what, sizeof (what), fmt, ap);
    va_end (ap);
    return error_set (err, "%s:%zu: %s", lines->name, lines->number, what);
}

/* Bring what is not handed out to the front of the block and read more behind
 * it.  1, 0 at the end of the file, or -1.
 */
static int read_more (struct lines *lines, struct error *err)
{
    size_t kept = (size_t)(lines->stop - lines->next);
    ssize_t n;

    if (lines->fd < 0)
        return 0;
    if (kept >= LINES_MAX_BYTES) {
        lines->number++;
        return lines_error (lines, err, "the line is longer than %d bytes",
                            LINES_MAX_BYTES);
    }
    memmove (lines->block, lines->next, kept);
    if (kept == lines->block_bytes) {
        lines->block_bytes *= 2;
        lines->block = xrealloc (lines->block, lines->block_bytes);
    }
    lines->next = lines->block;
    lines->stop = lines->block + kept;
    do
        n = read (lines->fd, lines->block + kept, lines->block_bytes - kept);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return error_errno (err, "cannot read '%s'", lines->name);
    lines->stop += n;
    return n > 0;
}

/* Hand out 'len' bytes and, when it is complete, the line break after them. */
static int take_line (struct lines *lines, size_t len, bool complete)
{
    lines->at = lines->next;
    lines->end = lines->next + len;
    lines->complete = complete;
    lines->start = lines->offset;
    lines->next = lines->end + complete;
    lines->offset += len + complete;
    lines->number++;
    if (lines->end > lines->at && lines->end[-1] == '\r')
        lines->end--;
    return 1;
}

int lines_next (struct lines *lines, struct error *err)
{
    size_t searched = 0;
    int rc;

    for (;;) {
        size_t len = (size_t)(lines->stop - lines->next);
        const char *found = NULL;

        if (len > searched)
            found = memchr (lines->next + searched, '\n', len - searched);
        if (found)
            return take_line (lines, (size_t)(found - lines->next), true);
        searched = len;
        rc = read_more (lines, err);
        if (rc < 0)
            return -1;
        if (rc == 0 && len > 0)
            return take_line (lines, len, false);
        if (rc == 0) {
            lines->at = lines->end = lines->next;
            lines->start = lines->offset;
            return 0;
        }
    }
}

uint64_t lines_bytes_left (const struct lines *lines)
{
    return lines->file_bytes > lines->offset ? lines->file_bytes - lines->offset
                                             : 0;
}

static bool is_space (char c)
{
    return c == ' ' || c == '\t';
}

static void skip_spaces (struct lines *lines)
{
    while (lines->at < lines->end && is_space (*lines->at))
        lines->at++;
}

bool lines_take_word (struct lines *lines, const char **word, size_t *len)
{
    skip_spaces (lines);
    *word = lines->at;
    while (lines->at < lines->end && !is_space (*lines->at))
        lines->at++;
    *len = (size_t)(lines->at - *word);
    return *len > 0;
}

/* The number that was read up to 'after' must have been a whole word. */
static bool take_up_to (struct lines *lines, const char *after)
{
    if (!after || (after < lines->end && !is_space (*after)))
        return false;
    lines->at = after;
    return true;
}

bool lines_take_number (struct lines *lines, double *value)
{
    skip_spaces (lines);
    return take_up_to (lines, number_read (lines->at, lines->end, value));
}

bool lines_take_integer (struct lines *lines, int64_t *value)
{
    skip_spaces (lines);
    return take_up_to (lines, integer_read (lines->at, lines->end, value));
}

bool lines_take_numbers (struct lines *lines, double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!lines_take_number (lines, &values[i]))
            return false;
    }
    return lines_at_end (lines);
}

bool lines_at_end (struct lines *lines)
{
    skip_spaces (lines);
    return lines->at == lines->end;
}

bool lines_take_prefix (struct lines *lines, const char *prefix)
{
    size_t len = strlen (prefix);

    if ((size_t)(lines->end - lines->at) < len
        || memcmp (lines->at, prefix, len) != 0)
        return false;
    lines->at += len;
    return true;
}
