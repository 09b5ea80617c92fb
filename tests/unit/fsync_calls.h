/* SPDX-License-Identifier: BSD-3-Clause */
/* fsync_calls.h - in place of the C library's fsync: what lasts, what fails
 *
 *     fsync_watch ("dir/name");
 *     ... what is to make the file durable ...
 *     assert_true (fsync_watched.name_lasts);
 *     assert_int_equal (fsync_watched.times, 1);
 *
 * A name lasts once its directory was synced while the name was in it.
 */
#ifndef TESTS_FSYNC_CALLS_H
#define TESTS_FSYNC_CALLS_H

#include <libgen.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
    char path[4096]; /* "": none */
    bool name_lasts; /* its directory was synced with the name in it */
    int times;       /* the file itself was synced, under that name */
    bool fails;      /* syncing the file itself: EIO */
    bool name_fails; /* syncing its directory with the name in it: EIO */
} fsync_watched;

__attribute__ ((unused)) static void fsync_watch (const char *path)
{
    snprintf (fsync_watched.path, sizeof (fsync_watched.path), "%s", path);
    fsync_watched.name_lasts = false;
    fsync_watched.times = 0;
}

static bool is_same_file (const struct stat *st, const char *path)
{
    struct stat other;

    return stat (path, &other) == 0 && other.st_ino == st->st_ino
           && other.st_dev == st->st_dev;
}

int fsync (int fd)
{
    struct stat st;
    struct stat named;
    char parent[sizeof (fsync_watched.path)];

    if (fstat (fd, &st) < 0)
        return -1;
    snprintf (parent, sizeof (parent), "%s", fsync_watched.path);
    if (is_same_file (&st, fsync_watched.path)) {
        fsync_watched.times++;
        if (fsync_watched.fails) {
            errno = EIO;
            return -1;
        }
    }
    if (S_ISDIR (st.st_mode) && lstat (fsync_watched.path, &named) == 0
        && is_same_file (&st, dirname (parent))) {
        if (fsync_watched.name_fails) {
            errno = EIO;
            return -1;
        }
        fsync_watched.name_lasts = true;
    }
    return (int)syscall (SYS_fsync, fd);
}

#endif /* !TESTS_FSYNC_CALLS_H */
