/* SPDX-License-Identifier: BSD-3-Clause */
/* scratch_file.c - a file that one task reads, and none after a crash */
#include "base/base.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "handover/scratch_file.h"

int scratch_file_write (const char *path, mode_t mode,
                        const struct strbuf *text, struct error *err)
{
    int fd = -1, rc = -1;

    /* A try before may have left one. */
    if (unlink (path) == 0 || errno == ENOENT)
        fd = file_open (path, O_WRONLY | O_CREAT | O_EXCL, mode);
    if (fd < 0)
        return error_errno (err, "cannot create '%s'", path);
    if ((rc = file_write_all (fd, text->buf, text->len, err)) < 0)
        error_prefix (err, "cannot write '%s'", path);
    if (close (fd) < 0 && errno != EINTR && rc == 0)
        rc = error_errno (err, "cannot write '%s'", path);
    return rc;
}
