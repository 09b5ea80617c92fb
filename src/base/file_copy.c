/* SPDX-License-Identifier: BSD-3-Clause */
/* file_copy.c - the bytes of a file once more */
#include "base/base.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_copy.h"
#include "base/hash.h"
#include "base/heartbeat.h"
#include "base/tree_walk.h"

enum { COPY_BYTES = 1 << 20 };

static int copy_bytes (int from, int to, const struct heartbeat *heartbeat,
                       struct error *err)
{
    _cleanup_free_ char *buf = xmalloc (COPY_BYTES);
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
    char *target = file_read_link (entry->path, err);
    _cleanup_free_ char *real = NULL;
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
    free (target);
    return rc;
}

static int copy_entry (const struct tree_entry *entry, void *arg,
                       struct error *err)
{
    const struct copying *copying = arg;
    const char *relative = entry->path + copying->root_len;
    _cleanup_free_ char *to = xasprintf ("%s%s", copying->to, relative);
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

/* --- other names --- */

/* Are more links of the file impossible here, whoever asks? */
static bool is_refusal (int number)
{
    return number == EXDEV || number == EMLINK || number == EPERM
           || number == EOPNOTSUPP || number == EACCES;
}

/* With the mode and the times that were recorded of it. */
static int copy_as_it_is (const char *from, const char *to,
                          const struct stat *st, struct error *err)
{
    const struct timespec times[2] = { st->st_atim, st->st_mtim };

    if (file_copy (from, to, st->st_mode, NULL, err) < 0)
        return -1;
    if (chmod (to, st->st_mode & 07777) < 0
        || utimensat (AT_FDCWD, to, times, 0) < 0)
        return error_errno (err, "cannot set mode and time of '%s'", to);
    return 0;
}

static int link_file (const char *from, const char *to, const struct stat *st,
                      struct error *err)
{
    if (link (from, to) == 0)
        return 0;
    return is_refusal (errno)
               ? copy_as_it_is (from, to, st, err)
               : error_errno (err, "cannot link '%s' to '%s'", from, to);
}

struct linking {
    size_t prefix; /* of what is walked */
    const char *to;
    enum { LINKS, COPIES, KEPT, KEPT_SHARED, COPIES_TO_WRITE } how;
};

static int link_or_copy (const struct linking *linking,
                         const struct tree_entry *entry, const char *to,
                         struct error *err)
{
    struct stat st = *entry->st;
    /* What the group is to have: that of the owner but to write. */
    mode_t group = linking->how == KEPT_SHARED ? (st.st_mode & 0500) >> 3 : 0;
    bool kept = linking->how == KEPT || linking->how == KEPT_SHARED;

    if (linking->how == LINKS
        || (kept && (st.st_mode & 0222) == 0 && (group & ~st.st_mode) == 0))
        return link_file (entry->path, to, &st, err);
    if (kept)
        st.st_mode = (st.st_mode & 0555) | group;
    else if (linking->how == COPIES_TO_WRITE)
        st.st_mode = (st.st_mode & 0777) | S_IWUSR;
    return copy_as_it_is (entry->path, to, &st, err);
}

static int link_visited (const struct tree_entry *entry, void *arg,
                         struct error *err)
{
    const struct linking *linking = arg;
    const char *below = entry->path + linking->prefix;
    _cleanup_free_ char *to =
        *below ? path_join (linking->to, below + 1) : xstrdup (linking->to);
    _cleanup_free_ char *target = NULL;
    int rc = 0;

    if (entry->kind == TREE_DIR)
        rc = file_make_dirs (to, err);
    else if (entry->kind == TREE_FILE)
        rc = link_or_copy (linking, entry, to, err);
    else if (entry->kind == TREE_SPECIAL)
        rc = error_set (err, "'%s' is neither file, directory nor link",
                        entry->path);
    else if (entry->kind == TREE_LINK
             && (!(target = file_read_link (entry->path, err))
                 || symlink (target, to) < 0))
        rc = target ? error_errno (err, "cannot create '%s'", to) : -1;
    return rc;
}

static int link_tree (const char *from, const char *to, int how,
                      struct error *err)
{
    struct linking linking = { strlen (from), to, how };

    return tree_walk (from, false, link_visited, &linking, NULL, err);
}

int file_link_tree (const char *from, const char *to, struct error *err)
{
    return link_tree (from, to, LINKS, err);
}

int file_twin_tree (const char *from, const char *to, struct error *err)
{
    return link_tree (from, to, COPIES, err);
}

int file_keep_tree (const char *from, const char *to, bool shared,
                    struct error *err)
{
    return link_tree (from, to, shared ? KEPT_SHARED : KEPT, err);
}

int file_place_tree (const char *from, const char *to, enum file_placing how,
                     struct error *err)
{
    char token[17];
    _cleanup_free_ char *dir = NULL;
    _cleanup_free_ char *beside = NULL;
    struct stat st;
    int rc;

    if (lstat (to, &st) == 0)
        errno = EEXIST;
    if (errno != ENOENT)
        return error_errno (err, "cannot make '%s'", to);
    random_token (token, sizeof (token) - 1);
    dir = xasprintf ("%.*s.", (int)(path_base (to) - to), to);
    beside = xasprintf ("%.*s" FILE_TEMPORARY "%s", (int)(path_base (to) - to),
                        to, token);
    rc = link_tree (from, beside, how == FILES_LINKED ? LINKS : COPIES_TO_WRITE,
                    err);
    if (rc == 0)
        rc = file_sync_system (dir, err);
    if (rc == 0)
        rc = file_rename (beside, to, err);
    if (rc < 0)
        (void)file_remove_tree (beside, NULL, NULL);
    return rc;
}

/* --- comparing --- */

/* As much as there is, up to COPY_BYTES; -1. */
static ssize_t read_block (int fd, char *buf)
{
    size_t len = 0;
    ssize_t n;

    do {
        n = read (fd, buf + len, COPY_BYTES - len);
        if (n < 0 && errno == EINTR)
            continue;
        len += n > 0 ? (size_t)n : 0;
    } while (n > 0 && len < COPY_BYTES);
    return n < 0 ? -1 : (ssize_t)len;
}

static int compare_open (int a, int b, struct error *err)
{
    _cleanup_free_ char *of_a = xmalloc (COPY_BYTES);
    _cleanup_free_ char *of_b = xmalloc (COPY_BYTES);
    ssize_t n, m;
    int rc = 1;

    do {
        n = read_block (a, of_a);
        m = read_block (b, of_b);
        if (n < 0 || m < 0)
            rc = error_errno (err, "cannot read");
        else if (n != m || memcmp (of_a, of_b, (size_t)n) != 0)
            rc = 0;
    } while (rc > 0 && n > 0);
    return rc;
}

int file_compare (const char *a, const char *b, struct error *err)
{
    _cleanup_fd_ int of_a = file_open (a, O_RDONLY, 0);
    _cleanup_fd_ int of_b = of_a < 0 ? -1 : file_open (b, O_RDONLY, 0);

    return of_a < 0   ? error_errno (err, "cannot open '%s'", a)
           : of_b < 0 ? error_errno (err, "cannot open '%s'", b)
                      : compare_open (of_a, of_b, err);
}
