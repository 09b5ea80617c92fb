/* SPDX-License-Identifier: BSD-3-Clause */
/* digest_cache.h - digests of files that were read before, to read them once
 *
 * A file whose device, inode, size, and times of change (mtime, ctime) are as
 * they were has the contents it had.  That is taken as so only of files that
 * had not changed for DIGEST_CACHE_AGE_S when they were read: a change right
 * after the reading may have the same times, where these are coarse, where
 * clocks of hosts differ, or where the file is mapped by a program, whose
 * changes get their time when they are written to the disk (30 s later at
 * most).
 */
#ifndef BASE_DIGEST_CACHE_H
#define BASE_DIGEST_CACHE_H

#include "base/digest.h"

struct stat;

enum { DIGEST_CACHE_AGE_S = 60, DIGEST_CACHE_FILES_MAX = 100000 };

struct digest_cache {
    double now_s;       /* time of day before anything is read */
    struct json *known; /* {PATH: "STAMP SHA256"}, as it was read */
    struct json *used;  /* of these what was asked for, and what is new */
    bool changed;
};

/* 'file': what was written before.  When it is not there, or is no such file,
 * nothing is known.
 */
void digest_cache_init (struct digest_cache *cache, const char *file,
                        double now_s);
void digest_cache_release (struct digest_cache *cache);

/* What is known of the file at 'path', which is open and has 'st'. */
bool digest_cache_find (struct digest_cache *cache, const char *path,
                        const struct stat *st, char hex[DIGEST_HEX_SIZE]);

/* Its digest, which was made between 'before' and 'after'. */
void digest_cache_add (struct digest_cache *cache, const char *path,
                       const struct stat *before, const struct stat *after,
                       const char *hex);

/* Write the file, whole, if anything is new: at most DIGEST_CACHE_FILES_MAX
 * files, those first that were used.
 */
int digest_cache_write (struct digest_cache *cache, const char *file,
                        struct error *err);

#endif /* !BASE_DIGEST_CACHE_H */
