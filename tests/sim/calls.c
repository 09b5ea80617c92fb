/* SPDX-License-Identifier: BSD-3-Clause */
/* calls.c - the system calls of the simulated program, answered by the world
 *
 * The linker leads every call of the program's own code to the function
 * __wrap_<call> here (--wrap, see tests/local.mk).  Each call takes a moment,
 * in which others may go on, and is a point where the process may be killed,
 * stopped, interrupted or told that the disk failed.
 */
#include "base/base.h"

#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/tree_walk.h"
#include "calls.h"
#include "disk.h"
#include "faults.h"
#include "nodes.h"
#include "world.h"

/* A call takes up to so long: a file server's answer. */
static const double call_most_s = 2e-3;
static const double first_second = 1.7e9; /* of this world, since 1970 */

/* A killed process that asks so often does not come to its end. */
enum { REFUSED_MAX = 100000 };

static struct world *here (void)
{
    return world_of_calls ();
}

static int my_host (void)
{
    return here ()->current ? here ()->current->host : NOBODY;
}

static int refuse (struct process *p)
{
    if (++p->refused > REFUSED_MAX) {
        fprintf (stderr, "%s: was killed, but does not end\n", p->what);
        abort ();
    }
    errno = EIO;
    return -1;
}

/* The process asks the system for something: -1 when it is no more. */
static int enter (void)
{
    struct world *world = here ();
    struct process *p = world->current;

    if (!p)
        return 0; /* an onlooker */
    if (p->dead)
        return refuse (p);
    world->calls++;
    if (p->crash_in > 0 && --p->crash_in == 0) {
        p->dead = true;
        return refuse (p);
    }
    if (p->stop_in > 0 && --p->stop_in == 0) {
        p->stopped_s = world->now_s;
        world_pause (world, p->stop_s);
        p->resumed_s = world->now_s;
    }
    world_pause (world, call_most_s * faults_draw (world->faults)
                            + (p->host < LOGINS ? world->call_s : 0));
    return p->dead ? refuse (p) : 0;
}

static bool strikes (enum fault fault)
{
    return here ()->current && faults_strike (here ()->faults, fault);
}

/* As enter, for calls that may fail: with EINTR too where 'interruptible'. */
static int enter_disk (bool interruptible)
{
    static const int errors[] = { EIO, ENOSPC, EDQUOT, ESTALE, EMFILE };

    if (enter () < 0)
        return -1;
    if (interruptible && strikes (FAULT_INTERRUPTED)) {
        errno = EINTR;
        return -1;
    }
    if (strikes (FAULT_DISK_ERROR)) {
        here ()->current->errors++;
        errno = errors[faults_pick (here ()->faults, ARRAY_SIZE (errors))];
        return -1;
    }
    return 0;
}

static int answer (int error)
{
    if (error == 0)
        return 0;
    errno = error;
    return -1;
}

/* What /proc tells depends on the host. */
static const char *local_path (const char *path, char local[256])
{
    if (strncmp (path, "/proc/", 6) != 0)
        return path;
    snprintf (local, 256, "/hosts/%d%s", my_host (), path);
    return local;
}

/* --- files --- */

int __wrap_open (const char *path, int flags, ...)
{
    char local[256];
    mode_t mode = 0;
    int fd = -1;
    va_list ap;

    va_start (ap, flags);
    if (flags & O_CREAT)
        mode = va_arg (ap, mode_t);
    va_end (ap);
    if (enter_disk (true) < 0)
        return -1;
    return answer (disk_open (here ()->disk, my_host (),
                              local_path (path, local), flags, mode, &fd))
                   < 0
               ? -1
               : fd;
}

static struct open_file *file_of (int fd)
{
    struct open_file *file = disk_file (here ()->disk, fd);

    if (!file)
        errno = EBADF;
    return file;
}

/* A descriptor goes whatever the call says; a dead process has lost them. */
int __wrap_close (int fd)
{
    int rc = enter ();

    if (!file_of (fd))
        return -1;
    disk_close (here ()->disk, fd);
    return rc;
}

ssize_t __wrap_pread (int fd, void *out, size_t len, off_t offset)
{
    struct open_file *file;

    if (enter_disk (true) < 0 || !(file = file_of (fd)))
        return -1;
    return (ssize_t)disk_read (here ()->disk, file, (size_t)offset, out, len);
}

ssize_t __wrap_read (int fd, void *out, size_t len)
{
    struct open_file *file;
    size_t n;

    if (enter_disk (true) < 0 || !(file = file_of (fd)))
        return -1;
    n = disk_read (here ()->disk, file, file->offset, out, len);
    file->offset += n;
    return (ssize_t)n;
}

/* Killed in the middle, the first part is there. */
ssize_t __wrap_write (int fd, const void *bytes, size_t len)
{
    struct process *p = here ()->current;
    bool was_dead = p && p->dead;
    struct open_file *file = file_of (fd);
    size_t part = (size_t)(faults_draw (here ()->faults) * (double)len);

    if (!file)
        return -1;
    if (enter_disk (true) < 0) {
        if (p->dead && !was_dead && errno == EIO)
            disk_write (here ()->disk, file, bytes, part);
        return -1;
    }
    if (strikes (FAULT_INTERRUPTED) && part > 0)
        len = part;
    disk_write (here ()->disk, file, bytes, len);
    return (ssize_t)len;
}

off_t __wrap_lseek (int fd, off_t offset, int whence)
{
    struct open_file *file = file_of (fd);
    struct stat st;

    if (!file || enter () < 0)
        return -1;
    disk_stat_file (here ()->disk, file, &st);
    file->offset = (size_t)(offset
                            + (whence == SEEK_END   ? st.st_size
                               : whence == SEEK_CUR ? (off_t)file->offset
                                                    : 0));
    return (off_t)file->offset;
}

int __wrap_fsync (int fd)
{
    if (enter_disk (true) < 0 || !file_of (fd))
        return -1;
    disk_sync (file_of (fd));
    return 0;
}

int __wrap_ftruncate (int fd, off_t len)
{
    if (enter_disk (false) < 0 || !file_of (fd))
        return -1;
    disk_truncate (file_of (fd), (size_t)len);
    return 0;
}

int __wrap_fstat (int fd, struct stat *st)
{
    if (enter () < 0 || !file_of (fd))
        return -1;
    disk_stat_file (here ()->disk, file_of (fd), st);
    return 0;
}

int __wrap_stat (const char *path, struct stat *st)
{
    char local[256];

    if (enter_disk (false) < 0)
        return -1;
    return answer (
        disk_stat (here ()->disk, my_host (), local_path (path, local), st));
}

/* There are no symbolic links here. */
int __wrap_lstat (const char *path, struct stat *st)
{
    return __wrap_stat (path, st);
}

int __wrap_access (const char *path, int mode)
{
    struct stat st;

    (void)mode;
    return __wrap_stat (path, &st);
}

char *__wrap_realpath (const char *path, char *resolved)
{
    (void)resolved;
    return xstrdup (path);
}

int __wrap_chmod (const char *path, mode_t mode)
{
    (void)mode;
    return __wrap_access (path, 0);
}

int __wrap_mkdir (const char *path, mode_t mode)
{
    if (enter_disk (false) < 0)
        return -1;
    return answer (disk_mkdir (here ()->disk, my_host (), path, mode));
}

int __wrap_rmdir (const char *path)
{
    if (enter_disk (false) < 0)
        return -1;
    return answer (disk_remove (here ()->disk, my_host (), path, true));
}

int __wrap_unlink (const char *path)
{
    if (enter_disk (false) < 0)
        return -1;
    return answer (disk_remove (here ()->disk, my_host (), path, false));
}

int __wrap_remove (const char *path)
{
    int rc = __wrap_unlink (path);

    return rc < 0 && errno == EISDIR ? __wrap_rmdir (path) : rc;
}

int __wrap_link (const char *from, const char *to)
{
    if (enter_disk (false) < 0)
        return -1;
    return answer (disk_link (here ()->disk, my_host (), from, to));
}

int __wrap_rename (const char *from, const char *to)
{
    if (enter_disk (false) < 0)
        return -1;
    return answer (disk_rename (here ()->disk, my_host (), from, to));
}

/* --- directories --- */

struct listing {
    struct strvec names;
    size_t i;
    struct dirent entry;
};

DIR *__wrap_opendir (const char *path)
{
    struct listing *listing;
    struct strvec names = STRVEC_INIT;

    if (enter_disk (false) < 0
        || answer (disk_list (here ()->disk, my_host (), path, &names)) < 0)
        return NULL;
    listing = xcalloc (1, sizeof (*listing));
    listing->names = names;
    return (DIR *)listing;
}

struct dirent *__wrap_readdir (DIR *dir)
{
    struct listing *listing = (struct listing *)dir;

    if (listing->i == listing->names.n)
        return NULL;
    snprintf (listing->entry.d_name, sizeof (listing->entry.d_name), "%s",
              listing->names.v[listing->i++]);
    return &listing->entry;
}

int __wrap_closedir (DIR *dir)
{
    struct listing *listing = (struct listing *)dir;

    strvec_release (&listing->names);
    free (listing);
    return 0;
}

static void *glob_opendir (const char *path)
{
    return __wrap_opendir (path);
}

static struct dirent *glob_readdir (void *dir)
{
    return __wrap_readdir (dir);
}

static void glob_closedir (void *dir)
{
    __wrap_closedir (dir);
}

int __wrap_glob (const char *pattern, int flags,
                 int (*failed) (const char *path, int number), glob_t *out)
{
    out->gl_opendir = glob_opendir;
    out->gl_readdir = glob_readdir;
    out->gl_closedir = glob_closedir;
    out->gl_stat = __wrap_stat;
    out->gl_lstat = __wrap_lstat;
    return __real_glob (pattern, flags | GLOB_ALTDIRFUNC, failed, out);
}

/* In place of the real walk: what is in a directory between TREE_DIR and
 * TREE_DIR_END.
 */
static int walk (const char *path, int level, tree_visit *visit, void *arg,
                 struct error *err)
{
    struct stat st;
    struct tree_entry entry = { TREE_FILE, path, AT_FDCWD, path, level, &st };
    struct strvec names = STRVEC_INIT;
    int rc;

    if (__wrap_stat (path, &st) < 0)
        return error_errno (err, "cannot read '%s'", path);
    if (S_ISDIR (st.st_mode))
        entry.kind = TREE_DIR;
    rc = visit (&entry, arg, err) ? -1 : 0;
    if (!S_ISDIR (st.st_mode))
        return rc;
    if (rc == 0
        && (enter_disk (false) < 0
            || answer (disk_list (here ()->disk, my_host (), path, &names))
                   < 0))
        rc = error_errno (err, "cannot read '%s'", path);
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        char *below = xasprintf ("%s/%s", path, names.v[i]);

        rc = walk (below, level + 1, visit, arg, err);
        free (below);
    }
    entry.kind = TREE_DIR_END;
    if (rc == 0 && visit (&entry, arg, err))
        rc = -1;
    strvec_release (&names);
    return rc;
}

int __wrap_tree_walk (const char *path, bool follow, tree_visit *visit,
                      void *arg, const struct heartbeat *heartbeat,
                      struct error *err)
{
    (void)follow;
    (void)heartbeat;
    return walk (path, 0, visit, arg, err);
}

/* The path that 'path' leads to from an open directory; walk () gives whole
 * paths with its entries.  Caller frees; NULL with errno.
 */
static char *path_from (int dir_fd, const char *path)
{
    struct strbuf text = STRBUF_INIT;
    const struct open_file *dir;

    if (dir_fd < FIRST_FD || path[0] == '/')
        return xstrdup (path);
    if (!(dir = file_of (dir_fd))
        || answer (disk_path (here ()->disk, dir, path, &text)) < 0) {
        strbuf_release (&text);
        return NULL;
    }
    return strbuf_detach (&text);
}

int __wrap_openat (int dir_fd, const char *path, int flags, ...)
{
    char *full = path_from (dir_fd, path);
    int fd = full ? __wrap_open (full, flags) : -1;

    free (full);
    return fd;
}

int __wrap_mkdirat (int dir_fd, const char *path, mode_t mode)
{
    char *full;
    int rc = -1;

    if (enter_disk (false) < 0)
        return -1;
    full = path_from (dir_fd, path);
    if (full)
        rc = answer (disk_mkdir (here ()->disk, my_host (), full, mode));
    free (full);
    return rc;
}

/* Where the directories are is looked up when nothing can come between. */
int __wrap_renameat (int from_fd, const char *from, int to_fd, const char *to)
{
    char *from_path, *to_path;
    int rc = -1;

    if (enter_disk (false) < 0)
        return -1;
    from_path = path_from (from_fd, from);
    to_path = from_path ? path_from (to_fd, to) : NULL;
    if (to_path)
        rc = answer (
            disk_rename (here ()->disk, my_host (), from_path, to_path));
    free (from_path);
    free (to_path);
    return rc;
}

int __wrap_unlinkat (int dir_fd, const char *path, int flags)
{
    const struct open_file *dir;

    if (dir_fd >= FIRST_FD) {
        if (enter_disk (false) < 0 || !(dir = file_of (dir_fd)))
            return -1;
        return answer (disk_remove_from (here ()->disk, my_host (), dir, path));
    }
    return flags & AT_REMOVEDIR ? __wrap_rmdir (path) : __wrap_unlink (path);
}

int __wrap_fchmodat (int dir_fd, const char *path, mode_t mode, int flags)
{
    (void)dir_fd;
    (void)flags;
    return __wrap_chmod (path, mode);
}

/* Not every file system can reserve room or tell how much there is. */
int __wrap_fallocate (int fd, int mode, off_t offset, off_t len)
{
    (void)fd;
    (void)mode;
    (void)offset;
    (void)len;
    errno = EOPNOTSUPP;
    return -1;
}

int __wrap_statvfs (const char *path, struct statvfs *fs)
{
    (void)path;
    (void)fs;
    errno = ENOSYS;
    return -1;
}

/* --- streams: read only --- */

static ssize_t stream_read (void *cookie, char *out, size_t len)
{
    struct strbuf *text = cookie;
    size_t n = len < text->len ? len : text->len;

    if (n == 0)
        return 0;
    memcpy (out, text->buf, n);
    memmove (text->buf, text->buf + n, text->len - n);
    text->len -= n;
    return (ssize_t)n;
}

static int stream_close (void *cookie)
{
    strbuf_release (cookie);
    free (cookie);
    return 0;
}

FILE *__wrap_fopen (const char *path, const char *mode)
{
    static const cookie_io_functions_t functions = { .read = stream_read,
                                                     .close = stream_close };
    struct strbuf *text;
    struct stat st;

    if (__wrap_stat (path, &st) < 0)
        return NULL;
    text = xcalloc (1, sizeof (*text));
    strbuf_init (text);
    disk_get (here ()->disk, path, text);
    return fopencookie (text, mode, functions);
}

/* --- time and chance --- */

int __wrap_clock_gettime (clockid_t id, struct timespec *now)
{
    struct process *p = here ()->current;
    double s = here ()->now_s;

    if (p) {
        const struct host *host = &here ()->hosts[p->host];

        if (p->dead) {
            refuse (p);
            s += 10 * (double)p->refused; /* all waiting ends */
        }
        s += id == CLOCK_REALTIME ? host->skew_s : 1000 - host->booted_s;
    }
    if (id == CLOCK_REALTIME)
        s += first_second;
    now->tv_sec = (time_t)s;
    now->tv_nsec = (long)((s - (double)now->tv_sec) * 1e9);
    return 0;
}

int __wrap_nanosleep (const struct timespec *nap, struct timespec *left)
{
    (void)left;
    if (enter () == 0)
        world_pause (here (),
                     (double)nap->tv_sec + 1e-9 * (double)nap->tv_nsec);
    return 0;
}

ssize_t __wrap_getrandom (void *out, size_t len, unsigned int flags)
{
    unsigned char *bytes = out;

    (void)flags;
    for (size_t i = 0; i < len; i++)
        bytes[i] = (unsigned char)faults_pick (here ()->faults, 256);
    return (ssize_t)len;
}

int __wrap_gethostname (char *name, size_t len)
{
    snprintf (name, len, "host%d", my_host ());
    return 0;
}
