/* SPDX-License-Identifier: BSD-3-Clause */
/* archive.c - the tree in an archive
 *
 * libarchive reads; what is written where is decided here, one directory after
 * the other from the one that is unpacked to, so that no name can lead out.
 */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/heartbeat.h"
#include "quick/archive.h"
#include "quick/archive_library.h"
#include "quick/resource_name.h"
#include "quick/tree_links.h"

enum { BLOCK_BYTES = 1 << 16 };

struct unpacking {
    struct archive_library lib;
    struct archive *archive;
    const char *path; /* of the archive */
    int dir_fd;       /* where it is unpacked to */
    size_t entries;
    int64_t bytes, bytes_most;
    const struct heartbeat *heartbeat;
};

/* "x.zip: entry 3 'a/b': what". */
static int refuse (const struct unpacking *u, const char *name,
                   const char *what, struct error *err)
{
    _cleanup_free_ char *shown = text_made_plain (xstrdup (name));

    error_set (err, "%s: entry %zu '%s': %s", path_base (u->path), u->entries,
               shown, what);
    return -1;
}

static int refuse_errno (const struct unpacking *u, const char *name,
                         struct error *err)
{
    int number = errno;

    refuse (u, name, strerror (number), err);
    if (err)
        err->number = number;
    return -1;
}

static int refuse_archive (const struct unpacking *u, struct error *err)
{
    const char *why = u->lib.archive_error_string (u->archive);

    return error_set (err, "%s: entry %zu: %s", path_base (u->path),
                      u->entries + 1, why ? why : "it cannot be read");
}

/* --- names --- */

/* The name without ./ before and / after it, in pieces; -1 when it leads out.
 */
static int split_name (const struct unpacking *u, const char *name,
                       struct strvec *parts, struct error *err)
{
    if (*name == '/')
        return refuse (u, name, "its path is absolute", err);
    for (const char *c = name; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return refuse (u, name, "its name has control characters", err);
    }
    strvec_split (parts, name, "/");
    for (size_t i = 0; i < parts->n; i++) {
        if (strcmp (parts->v[i], "..") == 0)
            return refuse (u, name, "its path leads out by ..", err);
    }
    return 0;
}

/* The directory that part n - 1 is in, which is made; a link on the way is
 * not followed.  The caller closes; -1 with 'err'.
 */
static int open_parent (const struct unpacking *u, const char *name,
                        const struct strvec *parts, struct error *err)
{
    int fd = dup (u->dir_fd);

    for (size_t i = 0; fd >= 0 && i + 1 < parts->n; i++) {
        int next;

        if (strcmp (parts->v[i], ".") == 0)
            continue;
        if (mkdirat (fd, parts->v[i], 0777) < 0 && errno != EEXIST)
            next = -1;
        else
            next = file_open_at (fd, parts->v[i],
                                 O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
        file_close (fd);
        fd = next;
    }
    if (fd < 0 && (errno == ENOTDIR || errno == ELOOP))
        refuse (u, name, "its path leads through a link or a file", err);
    else if (fd < 0)
        refuse_errno (u, name, err);
    return fd;
}

/* --- what an entry becomes --- */

static int count_bytes (struct unpacking *u, const char *name, int64_t bytes,
                        struct error *err)
{
    u->bytes += bytes;
    if (u->bytes <= u->bytes_most)
        return 0;
    return refuse (u, name,
                   "unpacked it would be far larger than any data compress; "
                   "unpack it yourself and give the directory",
                   err);
}

static int write_blocks (struct unpacking *u, const char *name, int fd,
                         struct error *err)
{
    const void *bytes;
    size_t len;
    la_int64_t offset, end = 0;
    int rc;

    while ((rc = u->lib.archive_read_data_block (u->archive, &bytes, &len,
                                                 &offset))
           == ARCHIVE_OK) {
        if (offset < end || count_bytes (u, name, offset - end, err) < 0
            || count_bytes (u, name, (int64_t)len, err) < 0)
            return offset < end ? refuse (u, name, "its data overlap", err)
                                : -1;
        if (lseek (fd, offset, SEEK_SET) < 0)
            return refuse_errno (u, name, err);
        if (file_write_all (fd, bytes, len, err) < 0)
            return error_prefix (err, "%s", name);
        end = offset + (la_int64_t)len;
        heartbeat_send (u->heartbeat);
    }
    if (rc != ARCHIVE_EOF)
        return refuse (u, name, u->lib.archive_error_string (u->archive), err);
    return 0;
}

static int make_file (struct unpacking *u, struct archive_entry *entry,
                      const char *name, int parent, const char *last,
                      struct error *err)
{
    bool executable = (u->lib.archive_entry_perm (entry) & 0111) != 0;
    int fd = file_open_at (parent, last, O_WRONLY | O_CREAT | O_EXCL,
                           executable ? 0777 : 0666);
    int rc;

    if (fd < 0 && errno == EEXIST)
        return refuse (u, name, "it is there twice", err);
    if (fd < 0)
        return refuse_errno (u, name, err);
    rc = write_blocks (u, name, fd, err);
    /* A file may end in a hole. */
    if (rc == 0 && u->lib.archive_entry_size_is_set (entry)
        && u->lib.archive_entry_size (entry) > 0) {
        struct stat st;

        if (fstat (fd, &st) < 0)
            rc = refuse_errno (u, name, err);
        else if (st.st_size < u->lib.archive_entry_size (entry)
                 && (count_bytes (
                         u, name,
                         u->lib.archive_entry_size (entry) - st.st_size, err)
                         < 0
                     || (ftruncate (fd, u->lib.archive_entry_size (entry)) < 0
                         && refuse_errno (u, name, err))))
            rc = -1;
    }
    file_close (fd);
    return rc;
}

static int make_dir (const struct unpacking *u, const char *name, int parent,
                     const char *last, struct error *err)
{
    struct stat st;

    if (mkdirat (parent, last, 0777) == 0)
        return 0;
    if (errno == EEXIST && fstatat (parent, last, &st, AT_SYMLINK_NOFOLLOW) == 0
        && S_ISDIR (st.st_mode))
        return 0;
    if (errno == EEXIST)
        return refuse (u, name, "it is there twice", err);
    return refuse_errno (u, name, err);
}

static int make_link (const struct unpacking *u, const char *name,
                      const char *target, int parent,
                      const struct strvec *parts, struct error *err)
{
    if (!target || tree_link_leads_out (parts, target))
        return refuse (u, name, "it is a link that leads out", err);
    if (symlinkat (target, parent, parts->v[parts->n - 1]) == 0)
        return 0;
    if (errno == EEXIST)
        return refuse (u, name, "it is there twice", err);
    return refuse_errno (u, name, err);
}

/* Another name of a file that was unpacked. */
static int make_hard_link (const struct unpacking *u, const char *name,
                           const char *target, int parent, const char *last,
                           struct error *err)
{
    _cleanup_ (strvec_release) struct strvec parts = STRVEC_INIT;
    struct stat st;
    _cleanup_fd_ int from = -1;
    int rc = -1;

    if (split_name (u, target, &parts, err) < 0)
        return -1;
    if (parts.n > 0 && (from = open_parent (u, name, &parts, err)) < 0)
        return -1;
    if (from < 0
        || fstatat (from, parts.v[parts.n - 1], &st, AT_SYMLINK_NOFOLLOW) < 0
        || !S_ISREG (st.st_mode))
        refuse (u, name, "it is a link to a file that is not there", err);
    else if (linkat (from, parts.v[parts.n - 1], parent, last, 0) < 0)
        refuse_errno (u, name, err);
    else
        rc = 0;
    return rc;
}

static int make_entry (struct unpacking *u, struct archive_entry *entry,
                       const char *name, const struct strvec *parts,
                       struct error *err)
{
    const char *last = parts->v[parts->n - 1];
    const char *hard = u->lib.archive_entry_hardlink_utf8 (entry);
    const char *soft = u->lib.archive_entry_symlink_utf8 (entry);
    int parent = open_parent (u, name, parts, err), rc;

    if (parent < 0)
        return -1;
    hard = hard ? hard : u->lib.archive_entry_hardlink (entry);
    soft = soft ? soft : u->lib.archive_entry_symlink (entry);
    if (hard)
        rc = make_hard_link (u, name, hard, parent, last, err);
    else if (u->lib.archive_entry_filetype (entry) == AE_IFREG)
        rc = make_file (u, entry, name, parent, last, err);
    else if (u->lib.archive_entry_filetype (entry) == AE_IFDIR)
        rc = make_dir (u, name, parent, last, err);
    else if (u->lib.archive_entry_filetype (entry) == AE_IFLNK)
        rc = make_link (u, name, soft, parent, parts, err);
    else
        rc = refuse (u, name, "it is neither file, directory nor link", err);
    file_close (parent);
    return rc;
}

static int unpack_entry (struct unpacking *u, struct archive_entry *entry,
                         struct error *err)
{
    _cleanup_ (strvec_release) struct strvec parts = STRVEC_INIT;
    const char *name = u->lib.archive_entry_pathname_utf8 (entry);
    int rc = -1;

    u->entries++;
    name = name ? name : u->lib.archive_entry_pathname (entry);
    if (!name)
        refuse (u, "?", "its name cannot be read", err);
    else if (u->lib.archive_entry_is_data_encrypted (entry)
             || u->lib.archive_entry_is_metadata_encrypted (entry))
        refuse (u, name, "it is encrypted; unpack it yourself", err);
    else if (count_bytes (u, name, ARCHIVE_ENTRY_BYTES, err) == 0
             && split_name (u, name, &parts, err) == 0)
        /* The directory itself, "./", is there. */
        rc = parts.n == 0 || strcmp (parts.v[parts.n - 1], ".") == 0
                 ? 0
                 : make_entry (u, entry, name, &parts, err);
    return rc;
}

/* --- all of them --- */

static int unpack_all (struct unpacking *u, struct error *err)
{
    struct archive_entry *entry;
    int rc;

    while ((rc = u->lib.archive_read_next_header (u->archive, &entry))
               == ARCHIVE_OK
           || rc == ARCHIVE_WARN) {
        if (unpack_entry (u, entry, err) < 0)
            return -1;
        heartbeat_send (u->heartbeat);
    }
    if (rc != ARCHIVE_EOF)
        return refuse_archive (u, err);
    if (u->entries == 0)
        return error_set (err, "%s: there is nothing in it",
                          path_base (u->path));
    return 0;
}

static int open_archive (struct unpacking *u, struct error *err)
{
    struct stat st;

    if (stat (u->path, &st) < 0)
        return error_errno (err, "cannot read '%s'", u->path);
    u->bytes_most = st.st_size * ARCHIVE_GROWTH_MOST;
    if (u->bytes_most < ARCHIVE_SMALL_BYTES)
        u->bytes_most = ARCHIVE_SMALL_BYTES;
    if (archive_library_load (&u->lib, err) < 0)
        return -1;
    u->archive = u->lib.archive_read_new ();
    if (!u->archive)
        return error_set (err, "libarchive does not begin");
    u->lib.archive_read_support_format_tar (u->archive);
    u->lib.archive_read_support_format_zip (u->archive);
    u->lib.archive_read_support_filter_gzip (u->archive);
    u->lib.archive_read_support_filter_bzip2 (u->archive);
    u->lib.archive_read_support_filter_xz (u->archive);
    u->lib.archive_read_support_filter_zstd (u->archive);
    if (u->lib.archive_read_open_filename (u->archive, u->path, BLOCK_BYTES)
        != ARCHIVE_OK)
        return error_set (err, "%s: %s", u->path,
                          u->lib.archive_error_string (u->archive));
    return 0;
}

/* Has 'to' nothing but a directory called as the archive?  Then that takes its
 * place.
 */
static int unwrap (const char *path, const char *to, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    size_t len = archive_name_length (path);
    const char *base = path_base (path);
    _cleanup_free_ char *own =
        xstrndup (base, len > 0 ? len - (size_t)(base - path) : 0);
    _cleanup_free_ char *inner = path_join (to, own);
    _cleanup_free_ char *aside = xasprintf ("%s.inner", to);
    struct stat st;
    int rc = file_list_dir (to, &names, err);

    if (rc == 0 && names.n == 1 && strcmp (names.v[0], own) == 0
        && lstat (inner, &st) == 0 && S_ISDIR (st.st_mode)
        && (rename (inner, aside) < 0 || rmdir (to) < 0
            || rename (aside, to) < 0))
        rc = error_errno (err, "cannot move '%s'", inner);
    return rc;
}

int archive_unpack (const char *path, const char *to,
                    const struct heartbeat *heartbeat, struct error *err)
{
    struct unpacking u = { .path = path, .dir_fd = -1, .heartbeat = heartbeat };
    int rc = -1;

    if (mkdir (to, 0777) < 0)
        error_errno (err, "cannot make '%s'", to);
    else if ((u.dir_fd = file_open (to, O_RDONLY | O_DIRECTORY, 0)) < 0)
        error_errno (err, "cannot open '%s'", to);
    else if (open_archive (&u, err) == 0)
        rc = unpack_all (&u, err);
    file_close (u.dir_fd);
    if (u.archive)
        u.lib.archive_read_free (u.archive);
    return rc < 0 ? -1 : unwrap (path, to, err);
}
