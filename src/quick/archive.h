/* SPDX-License-Identifier: BSD-3-Clause */
/* archive.h - the tree in an archive: tar (plain, gz, bz2, xz, zst) and zip
 *
 * Archives come from strangers.  Refused, with the number and the path of the
 * entry: a path that is absolute or has .., a link that leads out, a hard link
 * to what was not unpacked, anything below a link or twice, devices and pipes,
 * names with control characters, what is encrypted or cut off, and what grows
 * beyond all measure (ARCHIVE_GROWTH_MOST).
 */
#ifndef QUICK_ARCHIVE_H
#define QUICK_ARCHIVE_H

struct heartbeat;

/* At most so many times the archive's own bytes, where that is more than
 * ARCHIVE_SMALL_BYTES; an entry counts as ARCHIVE_ENTRY_BYTES besides.
 */
enum { ARCHIVE_GROWTH_MOST = 200, ARCHIVE_ENTRY_BYTES = 512 };
#define ARCHIVE_SMALL_BYTES (INT64_C (1) << 30)

/* Make the directory 'to' of it, which must not be there.  Of an archive that
 * has nothing but a directory of its own name (data.zip: data/...) that
 * directory's contents are taken.  Files and directories are the caller's, to
 * read and write, and to execute where the archive says so.  -1 with 'err': a
 * part of 'to' may be there.
 */
int archive_unpack (const char *path, const char *to,
                    const struct heartbeat *heartbeat, struct error *err);

#endif /* !QUICK_ARCHIVE_H */
