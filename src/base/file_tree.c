/* SPDX-License-Identifier: BSD-3-Clause */
/* file_tree.c - whole trees: sync, remove, copy, measure */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/tree_walk.h"

/* Nobody is to write to it any more.  A file with two names may be somebody
 * else's, too; and where modes cannot be changed they protect nothing.
 */
static int seal_entry (const struct tree_entry *entry, struct error *err)
{
    mode_t mode = entry->st->st_mode & 07777;

    if (entry->kind != TREE_FILE || entry->st->st_nlink > 1
        || (mode & 07222) == 0
        || fchmodat (entry->dir_fd, entry->name, mode & 0555, 0) == 0
        || errno == EPERM || errno == EOPNOTSUPP)
        return 0;
    return error_errno (err, "cannot make '%s' read-only", entry->path);
}

static int sync_entry (const struct tree_entry *entry,
                       void *arg,
                       struct error *err)
{
    const bool *seal = arg;
    int fd, rc;

    if (*seal && seal_entry (entry, err) < 0)
        return -1;
    if (entry->kind != TREE_FILE && entry->kind != TREE_DIR_END)
        return 0;
    fd = file_open_at (entry->dir_fd, entry->name, O_RDONLY, 0);
    if (fd < 0)
        return error_errno (err, "cannot open '%s'", entry->path);
    rc = file_sync (fd, entry->path, err);
    close (fd);
    return rc;
}

int file_sync_tree (const char *path,
                    const struct heartbeat *heartbeat,
                    struct error *err)
{
    bool seal = false;

    return tree_walk (path, true, sync_entry, &seal, heartbeat, err);
}

int file_seal_tree (const char *path,
                    const struct heartbeat *heartbeat,
                    struct error *err)
{
    bool seal = true;

    return tree_walk (path, true, sync_entry, &seal, heartbeat, err);
}

static int remove_entry (const struct tree_entry *entry,
                         void *arg,
                         struct error *err)
{
    mode_t mode = entry->st->st_mode;
    int flags = entry->kind == TREE_DIR_END ? AT_REMOVEDIR : 0;

    (void)arg;
    if (entry->kind == TREE_DIR) {
        /* Whether this worked shows when what is inside is removed. */
        if ((mode & S_IRWXU) != S_IRWXU)
            (void)fchmodat (entry->dir_fd, entry->name,
                            (mode & 07777) | S_IRWXU, 0);
        return 0;
    }
    if (unlinkat (entry->dir_fd, entry->name, flags) < 0 && errno != ENOENT)
        return error_errno (err, "cannot remove '%s'", entry->path);
    return 0;
}

int file_remove_tree (const char *path,
                      const struct heartbeat *heartbeat,
                      struct error *err)
{
    struct stat st;

    if (lstat (path, &st) < 0)
        return errno == ENOENT ? 0
                               : error_errno (err, "cannot look at '%s'", path);
    return tree_walk (path, false, remove_entry, NULL, heartbeat, err);
}

int file_replace_tree (const char *from,
                       const char *to,
                       const struct heartbeat *heartbeat,
                       struct error *err)
{
    char *aside = xasprintf ("%s.replaced", from);
    int there = file_look (from, err);
    int rc = -1;

    if (there == 0)
        error_set (err, "'%s' is gone, '%s' stays as it is", from, to);
    if (there <= 0)
        goto done;
    if (rename (to, aside) < 0 && errno != ENOENT) {
        error_errno (err, "cannot replace '%s'", to);
        goto done;
    }
    if (file_rename (from, to, err) == 0)
        rc = file_remove_tree (aside, heartbeat, err);
done:
    free (aside);
    return rc;
}

static int measure_entry (const struct tree_entry *entry,
                          void *arg,
                          struct error *err)
{
    uint64_t *sum = arg;

    (void)err;
    if (entry->kind == TREE_FILE)
        *sum += (uint64_t)entry->st->st_size;
    return 0;
}

int file_tree_bytes (const char *path, uint64_t *bytes, struct error *err)
{
    uint64_t sum = 0;

    if (tree_walk (path, true, measure_entry, &sum, NULL, err) < 0)
        return -1;
    *bytes = sum;
    return 0;
}

struct copy {
    size_t from_len;
    const char *to;
    bool created; /* 'to' is ours */
    dev_t to_dev;
    ino_t to_ino;
};

static int copy_bytes (int in, int out, const char *from, struct error *err)
{
    const size_t chunk_bytes = 1 << 18;
    char *chunk = xmalloc (chunk_bytes);
    int rc = 0;
    ssize_t n;

    while (rc == 0 && (n = read (in, chunk, chunk_bytes)) != 0) {
        if (n > 0)
            rc = file_write_all (out, chunk, (size_t)n, err);
        else if (errno != EINTR)
            rc = error_errno (err, "cannot read '%s'", from);
    }
    free (chunk);
    return rc;
}

static int copy_file (const char *from,
                      const char *to,
                      mode_t mode,
                      bool *created,
                      struct error *err)
{
    int in = file_open (from, O_RDONLY, 0);
    int out, rc;

    if (in < 0)
        return error_errno (err, "cannot open '%s'", from);
    out = file_open (to, O_WRONLY | O_CREAT | O_EXCL, mode & 0777);
    if (out < 0) {
        rc = error_errno (err, "cannot create '%s'", to);
        close (in);
        return rc;
    }
    *created = true;
    rc = copy_bytes (in, out, from, err);
    close (in);
    if (close (out) < 0 && rc == 0 && errno != EINTR)
        rc = error_errno (err, "cannot write");
    return rc < 0 ? error_prefix (err, "copying '%s' to '%s'", from, to) : 0;
}

/* A directory is writable while it is filled; copy_entry sets its own mode
 * afterwards.
 */
static int copy_dir (const struct tree_entry *entry,
                     const char *to,
                     struct copy *copy,
                     struct error *err)
{
    struct stat st;

    if (copy->created && entry->st->st_dev == copy->to_dev
        && entry->st->st_ino == copy->to_ino)
        return error_set (err, "cannot copy '%s' into itself", entry->path);
    if (mkdir (to, (entry->st->st_mode & 0777) | S_IRWXU) < 0)
        return error_errno (err, "cannot create directory '%s'", to);
    if (!copy->created && stat (to, &st) == 0) {
        copy->to_dev = st.st_dev;
        copy->to_ino = st.st_ino;
    }
    copy->created = true;
    return 0;
}

static int copy_link (const char *from, const char *to, struct error *err)
{
    char *target = file_read_link (from, err);
    int rc = 0;

    if (!target)
        return -1;
    if (symlink (target, to) < 0)
        rc = error_errno (err, "cannot create link '%s'", to);
    free (target);
    return rc;
}

/* After a directory: take away the permissions it only had to be filled. */
static int copy_dir_mode (mode_t mode, const char *to, struct error *err)
{
    struct stat st;

    if ((mode & S_IRWXU) == S_IRWXU)
        return 0;
    if (stat (to, &st) < 0
        || chmod (to, st.st_mode & 07777 & (mode | ~(mode_t)S_IRWXU)) < 0)
        return error_errno (err, "cannot set the mode of '%s'", to);
    return 0;
}

static int copy_entry (const struct tree_entry *entry,
                       void *arg,
                       struct error *err)
{
    struct copy *copy = arg;
    const char *from = entry->path;
    const char *below = from + copy->from_len;
    char *to = xasprintf (below[0] && below[0] != '/' ? "%s/%s" : "%s%s",
                          copy->to, below);
    int rc = 0;

    switch (entry->kind) {
    case TREE_DIR:
        rc = copy_dir (entry, to, copy, err);
        break;
    case TREE_DIR_END:
        rc = copy_dir_mode (entry->st->st_mode, to, err);
        break;
    case TREE_FILE:
        rc = copy_file (from, to, entry->st->st_mode, &copy->created, err);
        break;
    case TREE_LINK:
        rc = copy_link (from, to, err);
        break;
    default:
        rc = error_set (err, "'%s' is neither file, directory nor link", from);
    }
    free (to);
    return rc;
}

int file_copy_tree (const char *from,
                    const char *to,
                    bool sync,
                    struct error *err)
{
    struct copy copy = { .from_len = strlen (from), .to = to };
    int rc = tree_walk (from, true, copy_entry, &copy, NULL, err);

    if (rc == 0 && sync)
        rc = file_sync_tree (to, NULL, err);
    if (rc < 0 && copy.created) {
        int saved = errno;

        file_remove_tree (to, NULL, NULL);
        errno = saved;
    }
    return rc;
}
