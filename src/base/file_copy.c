/* SPDX-License-Identifier: BSD-3-Clause */
/* file_copy.c - the bytes of a file once more */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_copy.h"
#include "base/heartbeat.h"

enum { COPY_BYTES = 1 << 20 };

static int copy_bytes (int from, int to, const struct heartbeat *heartbeat,
                       struct error *err)
{
    char *buf = xmalloc (COPY_BYTES);
    int rc = 0;
    ssize_t n;

    do {
        heartbeat_send (heartbeat);
        n = read (from, buf, COPY_BYTES);
        if (n > 0)
            rc = file_write_all (to, buf, (size_t)n, err);
        else if (n < 0 && errno != EINTR)
            rc = error_errno (err, "cannot read");
    } while (rc == 0 && n != 0);
    free (buf);
    return rc;
}

/* Whatever keeps the blocks from being shared: they are copied then. */
static int copy_open (int from, int to, const struct heartbeat *heartbeat,
                      struct error *err)
{
    if (ioctl (to, FICLONE, from) == 0)
        return 0;
    return copy_bytes (from, to, heartbeat, err);
}

int file_copy (const char *from, const char *to, mode_t mode,
               const struct heartbeat *heartbeat, struct error *err)
{
    int in = file_open (from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
    int out = in < 0 ? -1
                     : file_open (to, O_WRONLY | O_CREAT | O_EXCL,
                                  (mode & 0777) | 0600);
    int rc = in < 0    ? error_errno (err, "cannot open '%s'", from)
             : out < 0 ? error_errno (err, "cannot create '%s'", to)
                       : copy_open (in, out, heartbeat, err);

    if (rc < 0 && out >= 0)
        error_prefix (err, "cannot copy '%s' to '%s'", from, to);
    file_close (in);
    if (out >= 0 && close (out) < 0 && errno != EINTR && rc == 0)
        rc = error_errno (err, "cannot write '%s'", to);
    return rc;
}
