/* SPDX-License-Identifier: BSD-3-Clause */
/* file_copy.h - the bytes of a file once more
 *
 * Where the file system can, the copy shares its blocks with the original until
 * either is written to (a reflink), and costs no space.
 */
#ifndef BASE_FILE_COPY_H
#define BASE_FILE_COPY_H

#include <sys/types.h>

struct heartbeat;

/* Make 'to', which must not be there, of the bytes of 'from', which is no link;
 * 'mode' less umask, and writable by its owner.  Not synced.  On failure there
 * may be a part of 'to'.
 */
int file_copy (const char *from, const char *to, mode_t mode,
               const struct heartbeat *heartbeat, struct error *err);

/* The same of a file or of a directory with all that is in it, each with the
 * rights it has and writable.  'from' may be a link.  Links in a directory that
 * stay in it are links in the copy; of others there is what they lead to, which
 * is a file.
 */
int file_copy_tree (const char *from, const char *to,
                    const struct heartbeat *heartbeat, struct error *err);

/* Make 'to', which must not be there, another name of the file 'from', or a
 * directory of other names of the files below 'from'; files that the file
 * system will not link are copied, with mode and mtime.  Links are made anew as
 * they are.  Not synced.
 */
int file_link_tree (const char *from, const char *to, struct error *err);

/* The same, but each file is copied, so that an edit in place of one does not
 * change the other.
 */
int file_twin_tree (const char *from, const char *to, struct error *err);

/* The same for who keeps the files as they are: those that nobody may write to
 * are linked, others are copied, and the copies are read-only.  'shared': with
 * the group, so what it may not read is copied, too, and it may then.
 */
int file_keep_tree (const char *from, const char *to, bool shared,
                    struct error *err);

/* The same, where no other sees a part of it, and durable: a call that fails
 * leaves nothing, one that is killed may leave a name that begins with
 * FILE_TEMPORARY beside 'to'.  What is at 'to' is not touched: -1 with EEXIST.
 */
enum file_placing {
    FILES_LINKED,  /* as file_link_tree */
    FILES_WRITABLE /* copies that their owner may write to */
};

int file_place_tree (const char *from, const char *to, enum file_placing how,
                     struct error *err);

/* Do the two files hold the same bytes?  1, 0, -1. */
int file_compare (const char *a, const char *b, struct error *err);

#endif /* !BASE_FILE_COPY_H */
