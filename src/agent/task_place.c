/* SPDX-License-Identifier: BSD-3-Clause */
/* task_place.c - job/<task> of the generation that an element works for */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/assignment.h"
#include "agent/task_place.h"
#include "base/file.h"

enum { NAME_SIZE = 64 };

static void name_of (int task, char name[NAME_SIZE])
{
    snprintf (name, NAME_SIZE, LAYOUT_TASK, task);
}

int task_place_put (const struct assignment *a, int task, const char *dir,
                    struct error *err)
{
    char name[NAME_SIZE];

    name_of (task, name);
    if (mkdirat (a->stage_fd, LAYOUT_JOBS, 0777) < 0 && errno != EEXIST)
        return error_errno (err, "cannot create '%s/" LAYOUT_JOBS "'",
                            a->stage_dir);
    return renameat (AT_FDCWD, dir, a->stage_fd, name) == 0
               ? 0
               : error_errno (err, "cannot rename '%s' to '%s/%s'", dir,
                              a->stage_dir, name);
}

/* Does 'name' lead to 'inode'?  1, 0: to another, -1: to nothing. */
static int leads_to (const struct assignment *a, const char *name, ino_t inode)
{
    _cleanup_free_ char *path = path_join (a->stage_dir, name);
    struct stat st;

    return stat (path, &st) < 0 ? -1 : st.st_ino == inode;
}

/* The name for 'inode', or one beside it where an older copy of the campaign
 * has that.  True when it is there already.
 */
static bool name_aside (const struct assignment *a, int task, ino_t inode,
                        char name[NAME_SIZE])
{
    int len =
        snprintf (name, NAME_SIZE, LAYOUT_DAMAGED, task, (uintmax_t)inode);
    int there;

    for (int i = 1; (there = leads_to (a, name, inode)) == 0; i++)
        snprintf (name + len, (size_t)(NAME_SIZE - len), ".%d", i);
    return there > 0;
}

/* By whoever set aside the same. */
static bool was_set_aside (int number)
{
    return number == ENOENT || number == EEXIST || number == ENOTEMPTY
           || number == ENOTDIR || number == EISDIR;
}

int task_place_set_aside (const struct assignment *a, int task, ino_t inode,
                          struct error *err)
{
    char from[NAME_SIZE], to[NAME_SIZE];
    bool way_synced = true;

    name_of (task, from);
    if (name_aside (a, task, inode, to))
        return 1;
    if (renameat (a->stage_fd, from, a->stage_fd, to) == 0)
        return task_place_sync (a, &way_synced, err);
    return was_set_aside (errno)
               ? 1
               : error_errno (err, "cannot rename '%s/%s' to '%s'",
                              a->stage_dir, from, to);
}

static int sync_dir (const struct assignment *a, const char *name,
                     struct error *err)
{
    _cleanup_fd_ int fd =
        file_open_at (a->stage_fd, name, O_RDONLY | O_DIRECTORY, 0);

    return fd < 0 ? error_errno (err, "cannot open '%s/%s'", a->stage_dir, name)
                  : file_sync (fd, name, err);
}

int task_place_sync (const struct assignment *a, bool *way_synced,
                     struct error *err)
{
    if (sync_dir (a, LAYOUT_JOBS, err) < 0
        || (!*way_synced && file_sync (a->stage_fd, a->stage_dir, err) < 0))
        return -1;
    *way_synced = true;
    return 0;
}
