/* SPDX-License-Identifier: BSD-3-Clause */
/* output_file.c - output-<element>.<n>: what an agent's tasks printed */
#include "base/base.h"

#include <fcntl.h>
#include <unistd.h>

#include "agent/output_file.h"
#include "base/file.h"
#include "space/layout.h"

/* What is held back is lost with the agent, and it is a cost of memory. */
enum { PENDING_MAX = 1 << 18, BLOCK_BYTES = 1 << 16 };

void output_file_init (struct output_file *output, const char *dir,
                       int64_t element, int64_t n)
{
    output->dir = xstrdup (dir);
    output->path = xasprintf ("%s/" LAYOUT_OUTPUT, dir, element, n);
}

void output_file_release (struct output_file *output)
{
    if (output->fd >= 0)
        close (output->fd);
    free (output->dir);
    free (output->path);
    strbuf_release (&output->pending);
    *output = (struct output_file)OUTPUT_FILE_INIT;
}

static int output_file_create (struct output_file *output)
{
    output->fd = file_open (output->path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    return output->fd < 0 ? -1 : file_sync_dir (output->dir, NULL);
}

static void output_file_flush (struct output_file *output)
{
    if (output->pending.len == 0 || output->broken)
        return;
    if ((output->fd < 0 && output_file_create (output) < 0)
        || file_write_all (output->fd, output->pending.buf, output->pending.len,
                           NULL)
               < 0)
        output->broken = true;
    output->dirty = true;
    strbuf_reset (&output->pending);
}

/* Read one block more; how many bytes, -1. */
static ssize_t read_block (struct output_file *output, int fd, uint64_t from)
{
    struct strbuf *pending = &output->pending;
    ssize_t n;

    strbuf_reserve (pending, BLOCK_BYTES);
    do
        n = pread (fd, pending->buf + pending->len, BLOCK_BYTES, (off_t)from);
    while (n < 0 && errno == EINTR);
    if (n > 0) {
        pending->len += (size_t)n;
        pending->buf[pending->len] = '\0';
    }
    return n;
}

int output_file_add (struct output_file *output, int fd, uint64_t *at,
                     uint64_t *bytes)
{
    uint64_t start = output->bytes;
    ssize_t n = 0;

    do {
        if (output->broken
            || (n = read_block (output, fd, output->bytes - start)) < 0)
            return -1;
        output->bytes += (uint64_t)n;
        if (output->pending.len >= PENDING_MAX)
            output_file_flush (output);
    } while (n == BLOCK_BYTES);
    *at = start;
    *bytes = output->bytes - start;
    return 0;
}

void output_file_sync (struct output_file *output)
{
    output_file_flush (output);
    if (output->dirty && output->fd >= 0
        && file_sync (output->fd, output->path, NULL) < 0)
        output->broken = true;
    output->dirty = false;
}
