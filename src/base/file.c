/* SPDX-License-Identifier: BSD-3-Clause */
/* file.c - files that are whole or absent */
#include "base/base.h"

#include <dirent.h>
#include <fcntl.h>
#include <libgen.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"

enum { WRITER_BLOCK_BYTES = 1 << 16 };

static const char temporary_prefix[] = FILE_TEMPORARY;

/* The directory 'path' is in.  Caller frees. */
static char *parent_of (const char *path)
{
    _cleanup_free_ char *copy = xstrdup (path);
    char *dir = xstrdup (dirname (copy));

    return dir;
}

void file_close (int fd)
{
    int saved = errno;

    if (fd >= 0)
        close (fd);
    errno = saved;
}

/* What is written goes where its name says: a link there is a mistake,
 * or worse.
 */
static int not_through_links (int flags)
{
    bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT);

    return flags | O_CLOEXEC | (writes ? O_NOFOLLOW : 0);
}

int file_open (const char *path, int flags, mode_t mode)
{
    int fd;

    do
        fd = open (path, not_through_links (flags), mode);
    while (fd < 0 && errno == EINTR);
    return fd;
}

int file_open_at (int dir_fd, const char *path, int flags, mode_t mode)
{
    return (int)TEMP_FAILURE_RETRY (
        openat (dir_fd, path, not_through_links (flags), mode));
}

int file_write_all (int fd, const void *bytes, size_t len, struct error *err)
{
    const char *p = bytes;

    while (len > 0) {
        ssize_t n = TEMP_FAILURE_RETRY (write (fd, p, len));

        if (n < 0)
            return error_errno (err, "cannot write");
        p += n;
        len -= (size_t)n;
    }
    return 0;
}

int file_sync (int fd, const char *path, struct error *err)
{
    int rc = (int)TEMP_FAILURE_RETRY (fsync (fd));

    /* Some file systems cannot sync a directory and say so this way. */
    if (rc < 0 && errno != EINVAL && errno != ENOTSUP)
        return error_errno (err, "cannot sync '%s'", path);
    return 0;
}

int file_sync_dir (const char *path, struct error *err)
{
    int fd = file_open (path, O_RDONLY | O_DIRECTORY, 0666);
    int rc;

    if (fd < 0)
        return error_errno (err, "cannot open directory '%s'", path);
    rc = file_sync (fd, path, err);
    file_close (fd);
    return rc;
}

int file_sync_system (const char *path, struct error *err)
{
    _cleanup_fd_ int fd = file_open (path, O_RDONLY | O_DIRECTORY, 0);

    return fd < 0 || syncfs (fd) < 0
               ? error_errno (err, "cannot sync '%s'", path)
               : 0;
}

int file_sync_way (const char *below, const char *top, struct error *err)
{
    _cleanup_free_ char *dir = xstrdup (below);
    char *slash;
    int rc = 0;

    while (rc == 0 && strlen (dir) > strlen (top)
           && (slash = strrchr (dir, '/'))) {
        *slash = '\0';
        rc = file_sync_dir (dir, err);
    }
    return rc;
}

int file_sync_parent (const char *path, struct error *err)
{
    _cleanup_free_ char *dir = parent_of (path);

    return file_sync_dir (dir, err);
}

static int open_beside (struct file_writer *writer, const char *path,
                        mode_t mode, struct error *err)
{
    char *dir = parent_of (path);
    char name[sizeof (temporary_prefix) + 16];

    memcpy (name, temporary_prefix, sizeof (temporary_prefix));
    random_token (name + strlen (name), 15);
    *writer = (struct file_writer)FILE_WRITER_INIT;
    writer->path = xstrdup (path);
    writer->temporary = path_join (dir, name);
    free (dir);
    writer->fd =
        file_open (writer->temporary, O_WRONLY | O_CREAT | O_EXCL, mode);
    if (writer->fd >= 0)
        return 0;
    error_errno (err, "cannot create a file beside '%s'", path);
    free (writer->temporary);
    writer->temporary = NULL; /* it is not ours */
    return -1;
}

int file_writer_open (struct file_writer *writer, const char *path,
                      struct error *err)
{
    return open_beside (writer, path, 0666, err);
}

static int write_bytes (struct file_writer *writer, const void *bytes,
                        size_t len, struct error *err)
{
    if (file_write_all (writer->fd, bytes, len, err) < 0)
        return error_prefix (err, "'%s'", writer->path);
    return 0;
}

static int write_pending (struct file_writer *writer, struct error *err)
{
    int rc =
        write_bytes (writer, writer->pending.buf, writer->pending.len, err);

    strbuf_reset (&writer->pending);
    return rc;
}

int file_writer_add (struct file_writer *writer, const void *bytes, size_t len,
                     struct error *err)
{
    if (len < WRITER_BLOCK_BYTES) {
        strbuf_add (&writer->pending, bytes, len);
        return writer->pending.len < WRITER_BLOCK_BYTES
                   ? 0
                   : write_pending (writer, err);
    }
    if (write_pending (writer, err) < 0)
        return -1;
    return write_bytes (writer, bytes, len, err);
}

/* Network file systems report some failures at close only. */
static int sync_and_close (struct file_writer *writer, struct error *err)
{
    int fd = writer->fd;

    if (file_sync (fd, writer->path, err) < 0)
        return -1;
    writer->fd = -1;
    if (close (fd) < 0 && errno != EINTR)
        return error_errno (err, "cannot write '%s'", writer->path);
    return 0;
}

int file_writer_commit (struct file_writer *writer, struct error *err)
{
    if (write_pending (writer, err) < 0 || sync_and_close (writer, err) < 0)
        return -1;
    if (rename (writer->temporary, writer->path) < 0)
        return error_errno (err, "cannot replace '%s'", writer->path);
    free (writer->temporary);
    writer->temporary = NULL;
    return file_sync_parent (writer->path, err);
}

void file_writer_release (struct file_writer *writer)
{
    int saved = errno;

    if (writer->fd >= 0)
        close (writer->fd);
    if (writer->temporary)
        unlink (writer->temporary);
    errno = saved;
    free (writer->temporary);
    free (writer->path);
    strbuf_release (&writer->pending);
    *writer = (struct file_writer)FILE_WRITER_INIT;
}

static int write_whole (const char *path, const void *bytes, size_t len,
                        mode_t mode, struct error *err)
{
    struct file_writer writer;
    int rc = open_beside (&writer, path, mode, err);

    if (rc == 0 && (rc = file_writer_add (&writer, bytes, len, err)) == 0)
        rc = file_writer_commit (&writer, err);
    file_writer_release (&writer);
    return rc;
}

int file_write_atomic (const char *path, const void *bytes, size_t len,
                       struct error *err)
{
    return write_whole (path, bytes, len, 0666, err);
}

int file_write_sealed (const char *path, const void *bytes, size_t len,
                       struct error *err)
{
    return write_whole (path, bytes, len, 0444, err);
}

int file_create (const char *path, const void *bytes, size_t len,
                 struct error *err)
{
    struct file_writer writer = FILE_WRITER_INIT;
    int rc = -1;

    writer.fd = file_open (path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (writer.fd < 0 && errno == EEXIST)
        return 1;
    if (writer.fd < 0)
        return error_errno (err, "cannot create '%s'", path);
    writer.path = xstrdup (path);
    writer.temporary = xstrdup (path); /* until all of it is there */
    if (write_bytes (&writer, bytes, len, err) == 0
        && sync_and_close (&writer, err) == 0
        && file_sync_parent (path, err) == 0) {
        free (writer.temporary);
        writer.temporary = NULL;
        rc = 0;
    }
    file_writer_release (&writer);
    return rc;
}

int file_create_sealed (const char *path, const void *bytes, size_t len,
                        struct error *err)
{
    int fd = file_open (path, O_WRONLY | O_CREAT | O_EXCL, 0444);
    int rc = fd < 0 ? error_errno (err, "cannot create '%s'", path)
                    : file_write_all (fd, bytes, len, err);

    if (fd >= 0 && rc < 0)
        error_prefix (err, "cannot write '%s'", path);
    if (fd >= 0 && close (fd) < 0 && errno != EINTR && rc == 0)
        rc = error_errno (err, "cannot write '%s'", path);
    return rc;
}

int file_open_to_read (const char *path, struct error *err)
{
    int fd = file_open (path, O_RDONLY | O_NONBLOCK, 0666);
    struct stat st;

    if (fd < 0)
        return error_errno (err, "cannot open '%s'", path);
    if (fstat (fd, &st) < 0 || S_ISREG (st.st_mode))
        return fd;
    if (S_ISFIFO (st.st_mode)) {
        file_close (fd);
        errno = EINVAL;
        return error_set (err, "cannot read '%s': it is a pipe", path);
    }
    fcntl (fd, F_SETFL, 0); /* a device is waited for */
    return fd;
}

/* Append what the file has from 'offset' on: all of it, which must not be more
 * than 'bytes', or exactly so many.
 */
static int read_bytes (const char *path, uint64_t offset, size_t bytes,
                       bool exactly, struct strbuf *out, struct error *err)
{
    size_t start = out->len, had = 0;
    int fd = file_open_to_read (path, err), rc = fd < 0 ? -1 : 0;
    ssize_t n = 1;

    while (rc == 0 && n != 0 && !(exactly && had == bytes)) {
        size_t room;

        strbuf_reserve (out, 1 << 14);
        room = out->alloc - out->len - 1;
        if (exactly && room > bytes - had)
            room = bytes - had;
        n = TEMP_FAILURE_RETRY (
            pread (fd, out->buf + out->len, room, (off_t)(offset + had)));
        if (n < 0) {
            rc = error_errno (err, "cannot read '%s'", path);
        } else if (n == 0 && exactly) {
            rc = error_set (err, "'%s' ends before byte %" PRIu64, path,
                            offset + bytes);
        } else if ((size_t)n > bytes - had) {
            errno = EFBIG;
            rc = error_set (err, "'%s' has more than %zu bytes", path, bytes);
        } else {
            had += (size_t)n;
            strbuf_truncate (out, start + had);
        }
    }
    file_close (fd);
    if (rc < 0)
        strbuf_truncate (out, start);
    return rc;
}

int file_read_from (const char *path, uint64_t offset, size_t max_bytes,
                    struct strbuf *out, struct error *err)
{
    return read_bytes (path, offset, max_bytes, false, out, err);
}

int file_read_range (const char *path, uint64_t offset, size_t len,
                     struct strbuf *out, struct error *err)
{
    return read_bytes (path, offset, len, true, out, err);
}

int file_read (const char *path, size_t max_bytes, struct strbuf *out,
               struct error *err)
{
    return file_read_from (path, 0, max_bytes, out, err);
}

int file_look (const char *path, struct error *err)
{
    struct stat st;

    if (stat (path, &st) == 0)
        return 1;
    if (errno == ENOENT || errno == ENOTDIR)
        return 0;
    return error_errno (err, "cannot look at '%s'", path);
}

int file_refuse_pipe (const char *path, struct error *err)
{
    struct stat st;

    if (stat (path, &st) < 0 || S_ISREG (st.st_mode) || S_ISDIR (st.st_mode))
        return 0;
    return error_set (err,
                      "'%s' is a pipe or a device, which cannot be read twice; "
                      "write it to a file",
                      path);
}

bool file_exists (const char *path)
{
    return file_look (path, NULL) == 1;
}

/* 1 when it was made, 0 when it is there, -1 with the errno that tells most. */
static int make_dir (const char *path)
{
    struct stat st;
    int saved;

    if (mkdir (path, 0777) == 0)
        return 1;
    saved = errno;
    if (stat (path, &st) == 0 && S_ISDIR (st.st_mode))
        return 0;
    if (saved != EEXIST || errno == ENOENT)
        errno = saved;
    return -1;
}

/* Mostly it or the directory it is in is there. */
static int make_dirs (const char *path, bool lasting, struct error *err)
{
    int made = *path == '\0' ? 0 : make_dir (path);

    if (made < 0 && strchr (path, '/')
        && (errno == ENOENT || errno == ENOTDIR)) {
        char *dir = parent_of (path);
        int rc = make_dirs (dir, lasting, err);

        free (dir);
        if (rc < 0)
            return -1;
        made = make_dir (path);
    }
    if (made < 0)
        return error_errno (err, "cannot create directory '%s'", path);
    if (made > 0 && lasting && file_sync_parent (path, err) < 0) {
        rmdir (path); /* who finds it takes it for lasting */
        return -1;
    }
    return 0;
}

int file_make_dirs (const char *path, struct error *err)
{
    return make_dirs (path, false, err);
}

int file_make_lasting_dirs (const char *path, struct error *err)
{
    return make_dirs (path, true, err);
}

int file_make_parent (const char *path, struct error *err)
{
    _cleanup_free_ char *dir = parent_of (path);

    return make_dirs (dir, false, err);
}

int file_make_lasting_parent (const char *path, struct error *err)
{
    _cleanup_free_ char *dir = parent_of (path);

    return make_dirs (dir, true, err);
}

bool file_was_linked (const char *path)
{
    int saved = errno;
    struct stat st;
    bool linked = stat (path, &st) == 0 && st.st_nlink == 2;

    errno = saved;
    return linked;
}

/* By their paths, in one directory. */
static bool are_together (const char *one, const char *other)
{
    size_t len = (size_t)(path_base (one) - one);

    return len == (size_t)(path_base (other) - other)
           && strncmp (one, other, len) == 0;
}

int file_rename (const char *from, const char *to, struct error *err)
{
    if (rename (from, to) < 0)
        return error_errno (err, "cannot rename '%s' to '%s'", from, to);
    if (file_sync_parent (to, err) < 0)
        return -1;
    return are_together (from, to) ? 0 : file_sync_parent (from, err);
}

static DIR *open_dir (const char *path)
{
    DIR *dir;

    do
        dir = opendir (path);
    while (!dir && errno == EINTR);
    return dir;
}

int file_list_dir (const char *path, struct strvec *names, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec found = STRVEC_INIT;
    DIR *dir = open_dir (path);
    struct dirent *entry;
    int rc = 0;

    if (!dir)
        return error_errno (err, "cannot read directory '%s'", path);
    while ((errno = 0, entry = readdir (dir))) {
        const char *name = entry->d_name;

        if (strcmp (name, ".") != 0 && strcmp (name, "..") != 0
            && strncmp (name, temporary_prefix, strlen (temporary_prefix)) != 0)
            strvec_push (&found, name);
    }
    if (errno != 0)
        rc = error_errno (err, "cannot read directory '%s'", path);
    closedir (dir);
    if (rc == 0) {
        strvec_sort (&found);
        strvec_push_all (names, found.v);
    }
    return rc;
}

void file_remove_temporaries (const char *path, double age_s)
{
    DIR *dir = open_dir (path);
    struct dirent *entry;
    struct stat dir_st, st;

    if (!dir)
        return;
    if (fstat (dirfd (dir), &dir_st) < 0)
        goto done;
    while ((entry = readdir (dir))) {
        const char *name = entry->d_name;

        if (strncmp (name, temporary_prefix, strlen (temporary_prefix)) == 0
            && fstatat (dirfd (dir), name, &st, AT_SYMLINK_NOFOLLOW) == 0
            && S_ISREG (st.st_mode)
            && (age_s <= 0 || difftime (dir_st.st_mtime, st.st_mtime) >= age_s))
            unlinkat (dirfd (dir), name, 0);
    }
done:
    closedir (dir);
}

char *file_read_link (const char *path, struct error *err)
{
    char target[PATH_MAX]; /* the kernel's bound */
    ssize_t n = readlink (path, target, sizeof (target));

    if (n >= 0)
        return xstrndup (target, (size_t)n);
    error_errno (err, "cannot read link '%s'", path);
    return NULL;
}
