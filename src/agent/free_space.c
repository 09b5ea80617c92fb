/* SPDX-License-Identifier: BSD-3-Clause */
/* free_space.c - is there room left on a file system? */
#include "config.h"

#include <errno.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "agent/free_space.h"
#include "base/error.h"

/* A program that fails for want of room leaves at most a few blocks. */
enum { FULL_BYTES = 1 << 16 };

bool room_is_left (const char *dir, struct error *err)
{
    struct statvfs fs;
    unsigned long long blocks, inodes;

    if (statvfs (dir, &fs) < 0)
        return true; /* nobody knows */
    blocks = geteuid () == 0 ? fs.f_bfree : fs.f_bavail;
    inodes = geteuid () == 0 ? fs.f_ffree : fs.f_favail;
    errno = ENOSPC;
    if (fs.f_blocks > 0 && blocks * fs.f_frsize < FULL_BYTES) {
        error_errno (err, "the file system of '%s' is full", dir);
        return false;
    }
    if (fs.f_files > 0 && inodes == 0) {
        error_errno (err, "the file system of '%s' has no inodes left", dir);
        return false;
    }
    return true;
}
