/* SPDX-License-Identifier: BSD-3-Clause */
/* file.h - files that are whole or absent
 *
 * Everything another process may read is written to a temporary name in the
 * same directory, fsynced, renamed, and the directory fsynced.  All functions
 * retry EINTR and short writes, and name the path in their errors (except
 * file_write_all, which does not know it).
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <sys/types.h>

struct heartbeat;

/* How names begin that are not to be read: being written, or left by a program
 * who was killed.
 */
#define FILE_TEMPORARY ".tmp-"

/* Replace (or create) 'path' atomically, mode 0666 less umask. */
int file_write_atomic (const char *path, const void *bytes, size_t len,
                       struct error *err);

/* The same, of what is not to be changed: mode 0444 less umask. */
int file_write_sealed (const char *path, const void *bytes, size_t len,
                       struct error *err);

/* The same as file_write_atomic, written piece by piece: it goes to a temporary
 * name beside the file, which file_writer_commit puts in the file's place.
 */
struct file_writer {
    char *path;      /* NULL: not open */
    char *temporary; /* NULL: committed */
    struct strbuf pending;
    int fd;
};

#define FILE_WRITER_INIT                                                       \
    {                                                                          \
        .pending = STRBUF_INIT, .fd = -1                                       \
    }

int file_writer_open (struct file_writer *writer, const char *path,
                      struct error *err);
int file_writer_add (struct file_writer *writer, const void *bytes, size_t len,
                     struct error *err);
int file_writer_commit (struct file_writer *writer, struct error *err);

/* In any case: what was not committed is removed. */
void file_writer_release (struct file_writer *writer);

/* Create 'path' with O_EXCL, write, fsync, fsync the directory.  Returns 0, or
 * 1 when it already exists (err untouched), or -1.
 */
int file_create (const char *path, const void *bytes, size_t len,
                 struct error *err);

/* Create 'path', which must not be there, read-only.  Not synced; on failure
 * there may be a part of it.
 */
int file_create_sealed (const char *path, const void *bytes, size_t len,
                        struct error *err);

/* Append the contents to 'out'.  More than 'max_bytes' is an error, and so is
 * a pipe.  When the file does not exist: -1 with errno ENOENT.
 */
int file_read (const char *path, size_t max_bytes, struct strbuf *out,
               struct error *err);

/* As file_read, from byte 'offset' on (nothing when the file is shorter). */
int file_read_from (const char *path, uint64_t offset, size_t max_bytes,
                    struct strbuf *out, struct error *err);

/* Append exactly the 'len' bytes from 'offset' on; a file that ends before is
 * an error.
 */
int file_read_range (const char *path, uint64_t offset, size_t len,
                     struct strbuf *out, struct error *err);

/* write() until all is written. */
int file_write_all (int fd, const void *bytes, size_t len, struct error *err);
int file_sync (int fd, const char *path, struct error *err);
int file_sync_dir (const char *path, struct error *err);
/* The directory that 'path' is in. */
int file_sync_parent (const char *path, struct error *err);

/* fsync these files and directories.  The kernel begins to write all of them
 * before the first is waited for: so a file system commits few times.
 */
int file_sync_all (const struct strvec *paths,
                   const struct heartbeat *heartbeat, struct error *err);

/* Sync the directories that 'below' is in, up to and with 'top', which is one
 * of them.
 */
int file_sync_way (const char *below, const char *top, struct error *err);

/* Sync all of the file system that the directory 'path' is in. */
int file_sync_system (const char *path, struct error *err);

/* fsync every file and directory below 'path', and take the files' write
 * permissions away; directories keep theirs, so that all can be removed.
 */
int file_seal_tree (const char *path, const struct heartbeat *heartbeat,
                    struct error *err);

/* Open what another program may have put there, for reading.  A pipe is
 * refused: it may never be written to, and whoever waits for that waits for
 * ever.
 */
int file_open_to_read (const char *path, struct error *err);

/* open() that retries EINTR; O_CLOEXEC is added, and O_NOFOLLOW where it writes
 * or creates: a link is ELOOP then.
 */
int file_open (const char *path, int flags, mode_t mode);
int file_open_at (int dir_fd, const char *path, int flags, mode_t mode);

/* close() that keeps errno, for paths that already failed; none below 0. */
void file_close (int fd);

/* A local that is closed where its block ends (base/cleanup.h). */
#define _cleanup_fd_ _cleanup_ (file_close_at)

static inline void file_close_at (int *fd)
{
    file_close (*fd);
}

/* Is anything at 'path' (links are followed)?  1, 0, or -1 when that cannot be
 * known.
 */
int file_look (const char *path, struct error *err);

/* 0 when 'path' is a file or directory, or nothing; -1 when it is a pipe or a
 * device: its bytes come once, and perhaps never.
 */
int file_refuse_pipe (const char *path, struct error *err);

/* The same where a wrong no does no harm: -1 counts as no. */
bool file_exists (const char *path);

/* mkdir -p: 0 also when it is there; mode 0777 less umask. */
int file_make_dirs (const char *path, struct error *err);

/* mkdir -p for the directory 'path' is in. */
int file_make_parent (const char *path, struct error *err);

/* The same for what is to outlast a crash of the machine: the name of each
 * directory that is made is brought to the disk.
 */
int file_make_lasting_dirs (const char *path, struct error *err);
int file_make_lasting_parent (const char *path, struct error *err);

/* After link() from the private name 'path' failed: was it made all the same?
 * Over NFS the answer may be lost, and the repeated request finds the new name
 * there.  Keeps errno.
 */
bool file_was_linked (const char *path);

/* Rename and fsync both directories. */
int file_rename (const char *from, const char *to, struct error *err);

/* Put the directory 'from' in the place of 'to', which may exist; then there
 * is a moment without 'to'.  Where 'from' is gone, with the directory it was
 * in, 'to' is left as it is.
 */
int file_replace_tree (const char *from, const char *to,
                       const struct heartbeat *heartbeat, struct error *err);

/* The same for who does not come back to 'from' after a kill: 'to' is there at
 * every moment, the former one, then the new one, where the file system can
 * exchange two names (NFS cannot).  What was at 'to' may be left at 'from'.
 */
int file_swap_tree (const char *from, const char *to,
                    const struct heartbeat *heartbeat, struct error *err);

/* rm -rf; follows no links, makes unwritable directories writable first;
 * absent is 0.
 */
int file_remove_tree (const char *path, const struct heartbeat *heartbeat,
                      struct error *err);

/* The same of what another process may rename at any time: it is renamed to
 * PATH.removed first, so no process renames a tree that is half removed.
 */
int file_discard_tree (const char *path, const struct heartbeat *heartbeat,
                       struct error *err);

/* The same of all that are called PREFIX and a number up to 'last' in directory
 * 'dir', which need not be there.
 */
int file_discard_numbered (const char *dir, const char *prefix, int64_t last,
                           const struct heartbeat *heartbeat,
                           struct error *err);

/* Append the names in directory 'path', sorted, without . and .. and ".tmp-*";
 * an absent directory is an error with errno ENOENT.
 */
int file_list_dir (const char *path, struct strvec *names, struct error *err);

/* Remove from directory 'path' the temporary files that a program that was
 * killed left: those at least 'age_s' older than the last change of the
 * directory (so that no two hosts' clocks are compared), or with 0 all of them:
 * one that was written to after it was made is newer than the directory.  What
 * cannot be removed stays.
 */
void file_remove_temporaries (const char *path, double age_s);

/* What the link at 'path' points to.  Caller frees; NULL with 'err'. */
char *file_read_link (const char *path, struct error *err);

/* Total bytes of the file or of the files below the directory. */
int file_tree_bytes (const char *path, uint64_t *bytes, struct error *err);

/* "a/b" from "a" and "b" ("b" when it is absolute, or 'dir' is "." or ""). */
char *path_join (const char *dir, const char *name);

/* Absolute path without . and .. (textually; the file need not exist). */
char *path_absolute (const char *path);

/* Does a path stay below whatever directory it is joined to, by its text: is it
 * relative, without . and .., and not empty?
 */
bool path_is_inside (const char *path);

/* Is 'path', by its text, 'above' itself or something below it? */
bool path_is_at_or_below (const char *path, const char *above);

/* The part after the last '/' (borrowed from 'path'). */
const char *path_base (const char *path);

#endif /* !BASE_FILE_H */
