/* SPDX-License-Identifier: BSD-3-Clause */
/* file_writer.c - a file written piece by piece that is whole or absent */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_writer.h"
#include "base/hash.h"

enum { BLOCK_BYTES = 1 << 16, TOKEN_BYTES = 15 };

/* "DIR/" of "DIR/NAME", or "". */
static char *directory_of (const char *path)
{
    return xstrndup (path, (size_t)(path_base (path) - path));
}

int file_writer_open (struct file_writer *writer,
                      const char *path,
                      struct error *err)
{
    char token[TOKEN_BYTES + 1];
    char *dir = directory_of (path);
    char *temporary;

    random_token (token, TOKEN_BYTES);
    temporary = xasprintf ("%s" FILE_TEMPORARY "%s", dir, token);
    free (dir);
    writer->fd = file_open (temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (writer->fd < 0) {
        free (temporary);
        return error_errno (err, "cannot create a file beside '%s'", path);
    }
    writer->path = xstrdup (path);
    writer->temporary = temporary;
    return 0;
}

static int write_pending (struct file_writer *writer, struct error *err)
{
    if (file_write_all (writer->fd, writer->pending.buf, writer->pending.len,
                        err)
        < 0)
        return error_prefix (err, "'%s'", writer->path);
    strbuf_reset (&writer->pending);
    return 0;
}

int file_writer_add (struct file_writer *writer,
                     const void *bytes,
                     size_t len,
                     struct error *err)
{
    strbuf_add (&writer->pending, bytes, len);
    return writer->pending.len < BLOCK_BYTES ? 0 : write_pending (writer, err);
}

/* Network file systems report some failures at close only. */
static int close_writer (struct file_writer *writer, struct error *err)
{
    int fd = writer->fd;

    writer->fd = -1;
    if (close (fd) < 0 && errno != EINTR)
        return error_errno (err, "cannot write '%s'", writer->path);
    return 0;
}

int file_writer_commit (struct file_writer *writer, struct error *err)
{
    char *dir;
    int rc;

    if (write_pending (writer, err) < 0
        || file_sync (writer->fd, writer->path, err) < 0
        || close_writer (writer, err) < 0)
        return -1;
    if (rename (writer->temporary, writer->path) < 0)
        return error_errno (err, "cannot replace '%s'", writer->path);
    free (writer->temporary);
    writer->temporary = NULL;
    dir = directory_of (writer->path);
    rc = file_sync_dir (dir[0] ? dir : ".", err);
    free (dir);
    return rc;
}

void file_writer_release (struct file_writer *writer)
{
    int saved = errno;

    if (writer->fd >= 0)
        close (writer->fd);
    if (writer->temporary)
        unlink (writer->temporary);
    errno = saved;
    free (writer->temporary);
    free (writer->path);
    strbuf_release (&writer->pending);
    *writer = (struct file_writer)FILE_WRITER_INIT;
}
