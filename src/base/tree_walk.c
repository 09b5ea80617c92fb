/* SPDX-License-Identifier: BSD-3-Clause */
/* tree_walk.c - every file below a path
 *
 * One directory is open at a time, so that a tree may be deeper than there are
 * descriptors; the way back up is checked.
 */
#include "base/base.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/heartbeat.h"
#include "base/tree_walk.h"

/* A directory on the way from the top to where the walk is. */
struct level {
    struct strvec names; /* of what is in it */
    size_t next;         /* the name to visit next */
    struct stat st;
    size_t path_len; /* of the walk's path when this is the last of it */
    char *name;      /* seen from the level above */
};

struct walk {
    tree_visit *visit;
    void *arg;
    const struct heartbeat *heartbeat;
    struct level *levels;
    size_t n, alloc;
    int fd;        /* of the last level; AT_FDCWD above the first */
    bool changing; /* what vanishes is passed over */
    struct strbuf path;
};

static enum tree_kind kind_of (const struct stat *st)
{
    switch (st->st_mode & S_IFMT) {
    case S_IFDIR:
        return TREE_DIR;
    case S_IFREG:
        return TREE_FILE;
    case S_IFLNK:
        return TREE_LINK;
    default:
        return TREE_SPECIAL;
    }
}

static int visit (struct walk *walk, enum tree_kind kind, const char *name,
                  const struct stat *st, struct error *err)
{
    const struct tree_entry entry = { kind, walk->path.buf, walk->fd,
                                      name, (int)walk->n,   st };

    heartbeat_send (walk->heartbeat);
    return walk->visit (&entry, walk->arg, err) ? -1 : 0;
}

static void close_fd (int fd)
{
    int saved = errno;

    if (fd >= 0)
        close (fd);
    errno = saved;
}

/* All names in the directory open at 'fd'. */
static int read_names (int fd, struct strvec *names)
{
    int copy = fcntl (fd, F_DUPFD_CLOEXEC, 0);
    DIR *dir = copy < 0 ? NULL : fdopendir (copy);
    struct dirent *entry;
    int saved;

    if (!dir) {
        close_fd (copy);
        return -1;
    }
    while ((errno = 0, entry = readdir (dir))) {
        if (strcmp (entry->d_name, ".") != 0
            && strcmp (entry->d_name, "..") != 0)
            strvec_push (names, entry->d_name);
    }
    saved = errno;
    closedir (dir);
    errno = saved;
    return saved ? -1 : 0;
}

/* Go into the directory 'name' of the last level. */
static int go_down (struct walk *walk, const char *name, const struct stat *st,
                    int flags, struct error *err)
{
    int fd = file_open_at (walk->fd, name, O_RDONLY | O_DIRECTORY | flags, 0);
    struct level *level;

    walk->levels =
        grow_array (walk->levels, walk->n, &walk->alloc, sizeof (*level));
    level = &walk->levels[walk->n];
    *level = (struct level){ .names = STRVEC_INIT,
                             .st = *st,
                             .path_len = walk->path.len };
    if (fd < 0 || read_names (fd, &level->names) < 0) {
        error_errno (err, "cannot read '%s'", walk->path.buf);
        strvec_release (&level->names);
        close_fd (fd);
        return -1;
    }
    level->name = xstrdup (name);
    close_fd (walk->fd);
    walk->fd = fd;
    walk->n++;
    return 0;
}

/* Open the directory above the last level: the one we came from. */
static int open_above (const struct walk *walk, struct error *err)
{
    const struct stat *before;
    struct stat st;
    int fd;

    if (walk->n == 1)
        return AT_FDCWD;
    before = &walk->levels[walk->n - 2].st;
    fd = file_open_at (walk->fd, "..", O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0 || fstat (fd, &st) < 0) {
        error_errno (err, "cannot return from '%s'", walk->path.buf);
        close_fd (fd);
        return -1;
    }
    if (st.st_dev == before->st_dev && st.st_ino == before->st_ino)
        return fd;
    close_fd (fd);
    return error_set (err, "'%s' was moved while it was read", walk->path.buf);
}

static void drop_level (struct walk *walk)
{
    struct level *level = &walk->levels[--walk->n];

    strvec_release (&level->names);
    free (level->name);
}

/* Everything in the last level was visited. */
static int go_up (struct walk *walk, struct error *err)
{
    struct level level = walk->levels[walk->n - 1];
    int fd = open_above (walk, err);
    int rc;

    if (fd == -1)
        return -1;
    close_fd (walk->fd);
    walk->fd = fd;
    walk->n--;
    rc = visit (walk, TREE_DIR_END, level.name, &level.st, err);
    walk->n++;
    drop_level (walk);
    return rc;
}

/* Below the top, by errno. */
static bool has_vanished (const struct walk *walk)
{
    return walk->changing && walk->n > 0
           && (errno == ENOENT || errno == ENOTDIR);
}

/* 'name' is in the last level, and is the last of the path. */
static int look_at (struct walk *walk, const char *name, bool follow,
                    struct error *err)
{
    struct stat st;

    if (fstatat (walk->fd, name, &st, follow ? 0 : AT_SYMLINK_NOFOLLOW) < 0)
        return has_vanished (walk)
                   ? 0
                   : error_errno (err, "cannot read '%s'", walk->path.buf);
    if (visit (walk, kind_of (&st), name, &st, err) < 0)
        return -1;
    if (!S_ISDIR (st.st_mode)
        || go_down (walk, name, &st, follow ? 0 : O_NOFOLLOW, err) == 0)
        return 0;
    return has_vanished (walk) ? 0 : -1;
}

/* The next entry of the last level, or the way up. */
static int advance (struct walk *walk, struct error *err)
{
    struct level *level = &walk->levels[walk->n - 1];
    const char *name;

    strbuf_truncate (&walk->path, level->path_len);
    if (level->next == level->names.n)
        return go_up (walk, err);
    name = level->names.v[level->next++];
    if (walk->path.len > 0 && walk->path.buf[walk->path.len - 1] != '/')
        strbuf_add_char (&walk->path, '/');
    strbuf_add_str (&walk->path, name);
    return look_at (walk, name, false, err);
}

static int do_walk (struct walk *walk, const char *path, bool follow,
                    struct error *err)
{
    int rc, saved;

    strbuf_add_str (&walk->path, path);
    rc = look_at (walk, path, follow, err);
    while (rc == 0 && walk->n > 0)
        rc = advance (walk, err);
    saved = errno;
    while (walk->n > 0)
        drop_level (walk);
    close_fd (walk->fd);
    free (walk->levels);
    strbuf_release (&walk->path);
    errno = saved;
    return rc;
}

int tree_walk (const char *path, bool follow, tree_visit *visit_each, void *arg,
               const struct heartbeat *heartbeat, struct error *err)
{
    struct walk walk = { .visit = visit_each,
                         .arg = arg,
                         .heartbeat = heartbeat,
                         .fd = AT_FDCWD,
                         .path = STRBUF_INIT };

    return do_walk (&walk, path, follow, err);
}

int tree_walk_changing (const char *path, tree_visit *visit_each, void *arg,
                        struct error *err)
{
    struct walk walk = { .visit = visit_each,
                         .arg = arg,
                         .fd = AT_FDCWD,
                         .changing = true,
                         .path = STRBUF_INIT };

    return do_walk (&walk, path, true, err);
}
