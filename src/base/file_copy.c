/* SPDX-License-Identifier: BSD-3-Clause */
/* file_copy.c - the bytes of a file once more */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_copy.h"
#include "base/heartbeat.h"
#include "base/tree_walk.h"

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

/* --- trees --- */

struct copying {
    size_t root_len;
    const char *to;
    const struct heartbeat *heartbeat;
};

/* Is 'target', as seen from so many directories below the root, in it? */
static bool stays_inside (const char *target, int depth)
{
    if (target[0] == '/')
        return false;
    while (*target) {
        size_t len = strcspn (target, "/");

        if (len == 2 && strncmp (target, "..", 2) == 0)
            depth--;
        else if (len > 1 || (len == 1 && target[0] != '.'))
            depth++;
        if (depth < 0)
            return false;
        target += len;
        target += strspn (target, "/");
    }
    return true;
}

static int copy_link (const struct tree_entry *entry, const char *to,
                      const struct heartbeat *heartbeat, struct error *err)
{
    char *target = file_read_link (entry->path, err), *real = NULL;
    struct stat st;
    int rc = -1;

    if (!target)
        return -1;
    real = realpath (entry->path, NULL);
    if (stays_inside (target, entry->level - 1) || !real)
        rc = symlink (target, to) == 0
                 ? 0
                 : error_errno (err, "cannot make the link '%s'", to);
    else if (stat (real, &st) == 0 && S_ISREG (st.st_mode))
        rc = file_copy (real, to, st.st_mode, heartbeat, err);
    else
        error_set (err,
                   "'%s' leads to '%s', which is outside and no file; it "
                   "cannot be copied",
                   entry->path, real);
    free (real);
    free (target);
    return rc;
}

static int copy_entry (const struct tree_entry *entry, void *arg,
                       struct error *err)
{
    const struct copying *copying = arg;
    const char *relative = entry->path + copying->root_len;
    char *to = xasprintf ("%s%s", copying->to, relative);
    int rc = 0;

    if (entry->kind == TREE_DIR && mkdir (to, 0777) < 0)
        rc = error_errno (err, "cannot make the directory '%s'", to);
    else if (entry->kind == TREE_FILE)
        rc = file_copy (entry->path, to, entry->st->st_mode, copying->heartbeat,
                        err);
    else if (entry->kind == TREE_LINK)
        rc = copy_link (entry, to, copying->heartbeat, err);
    else if (entry->kind == TREE_SPECIAL)
        rc = error_set (err, "'%s' is neither file, directory nor link",
                        entry->path);
    free (to);
    return rc;
}

int file_copy_tree (const char *from, const char *to,
                    const struct heartbeat *heartbeat, struct error *err)
{
    char *real = realpath (from, NULL);
    struct copying copying = { .to = to, .heartbeat = heartbeat };
    int rc;

    if (!real)
        return error_errno (err, "cannot look at '%s'", from);
    copying.root_len = strlen (real);
    rc = tree_walk (real, true, copy_entry, &copying, heartbeat, err);
    free (real);
    return rc;
}
