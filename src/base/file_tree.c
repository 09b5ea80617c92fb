/* SPDX-License-Identifier: BSD-3-Clause */
/* file_tree.c - whole trees: sync, remove, copy, measure */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/heartbeat.h"
#include "base/tree_walk.h"

static int open_to_sync (const char *path, struct error *err)
{
    int fd = file_open (path, O_RDONLY | O_NONBLOCK, 0);

    return fd < 0 ? error_errno (err, "cannot open '%s'", path) : fd;
}

int file_sync_all (const struct strvec *paths,
                   const struct heartbeat *heartbeat, struct error *err)
{
    int rc = 0, fd;

    for (size_t i = 0; paths->n > 1 && i < paths->n; i++) {
        if ((fd = open_to_sync (paths->v[i], err)) < 0)
            return -1;
        heartbeat_send (heartbeat);
        (void)sync_file_range (fd, 0, 0, SYNC_FILE_RANGE_WRITE);
        close (fd);
    }
    for (size_t i = 0; rc == 0 && i < paths->n; i++) {
        if ((fd = open_to_sync (paths->v[i], err)) < 0)
            return -1;
        heartbeat_send (heartbeat);
        rc = file_sync (fd, paths->v[i], err);
        file_close (fd);
    }
    return rc;
}

/* It is not to be written to any more.  A file with two names may be another
 * user's, too; and where modes cannot be changed they protect nothing.
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

static int seal_and_sync (const struct tree_entry *entry, void *arg,
                          struct error *err)
{
    int fd, rc;

    (void)arg;
    if (seal_entry (entry, err) < 0)
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

int file_seal_tree (const char *path, const struct heartbeat *heartbeat,
                    struct error *err)
{
    return tree_walk (path, true, seal_and_sync, NULL, heartbeat, err);
}

static int remove_entry (const struct tree_entry *entry, void *arg,
                         struct error *err)
{
    mode_t mode = entry->st->st_mode;
    int flags = entry->kind == TREE_DIR_END ? AT_REMOVEDIR : 0;
    int made_writable = 0;

    (void)arg;
    if (entry->kind == TREE_DIR) {
        /* Whether this worked shows when what is inside is removed. */
        if ((mode & S_IRWXU) != S_IRWXU)
            made_writable = fchmodat (entry->dir_fd, entry->name,
                                      (mode & 07777) | S_IRWXU, 0);
        (void)made_writable;
        return 0;
    }
    if (unlinkat (entry->dir_fd, entry->name, flags) < 0 && errno != ENOENT)
        return error_errno (err, "cannot remove '%s'", entry->path);
    return 0;
}

int file_remove_tree (const char *path, const struct heartbeat *heartbeat,
                      struct error *err)
{
    struct stat st;

    if (lstat (path, &st) < 0)
        return errno == ENOENT ? 0
                               : error_errno (err, "cannot look at '%s'", path);
    return tree_walk (path, false, remove_entry, NULL, heartbeat, err);
}

int file_discard_tree (const char *path, const struct heartbeat *heartbeat,
                       struct error *err)
{
    _cleanup_free_ char *away = xasprintf ("%s.removed", path);
    int rc = file_remove_tree (away, heartbeat, err);

    if (rc == 0 && rename (path, away) < 0 && errno != ENOENT)
        rc = error_errno (err, "cannot rename '%s'", path);
    if (rc == 0)
        rc = file_remove_tree (away, heartbeat, err);
    return rc;
}

int file_discard_numbered (const char *dir, const char *prefix, int64_t last,
                           const struct heartbeat *heartbeat, struct error *err)
{
    const size_t len = strlen (prefix);
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int rc = file_look (dir, err);

    if (rc > 0)
        rc = file_list_dir (dir, &names, err);
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        _cleanup_free_ char *path = path_join (dir, names.v[i]);

        if (strncmp (names.v[i], prefix, len) == 0
            && strtoll (names.v[i] + len, NULL, 10) <= last)
            rc = file_discard_tree (path, heartbeat, err);
    }
    return rc;
}

int file_replace_tree (const char *from, const char *to,
                       const struct heartbeat *heartbeat, struct error *err)
{
    _cleanup_free_ char *aside = xasprintf ("%s.replaced", from);
    int there = file_look (from, err);
    int rc = -1;

    if (there == 0)
        error_set (err, "'%s' is gone, '%s' stays as it is", from, to);
    if (there <= 0)
        return -1;
    if (rename (to, aside) < 0 && errno != ENOENT) {
        error_errno (err, "cannot replace '%s'", to);
        return -1;
    }
    if (file_rename (from, to, err) == 0)
        rc = file_remove_tree (aside, heartbeat, err);
    else if (rename (aside, to) < 0 && errno != ENOENT && errno != EEXIST
             && errno != ENOTEMPTY)
        error_prefix (err, "what was '%s' is now '%s'", to, aside);
    return rc;
}

int file_swap_tree (const char *from, const char *to,
                    const struct heartbeat *heartbeat, struct error *err)
{
    if (renameat2 (AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) < 0)
        return file_replace_tree (from, to, heartbeat, err);
    if (file_sync_parent (to, err) < 0 || file_sync_parent (from, err) < 0)
        return -1;
    return file_remove_tree (from, heartbeat, err);
}

static int measure_entry (const struct tree_entry *entry, void *arg,
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
