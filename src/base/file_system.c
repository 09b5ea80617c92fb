/* SPDX-License-Identifier: BSD-3-Clause */
/* file_system.c - what kind of file system a directory is on */
#include "base/base.h"

#include <sys/statfs.h>
#include <unistd.h>

#include "base/file_system.h"

/* statfs(2), and the sources of those that are not part of Linux. */
static const struct {
    unsigned long type;
    const char *name;
    enum file_system_reach reach;
} known[] = {
    { 0x6969, "nfs", REACH_SHARED },
    { 0x0bd00bd0, "lustre", REACH_SHARED },
    { 0x47504653, "gpfs", REACH_SHARED },
    { 0x19830326, "beegfs", REACH_SHARED },
    { 0x00c36400, "ceph", REACH_SHARED },
    { 0xaad7aaea, "panfs", REACH_SHARED },
    { 0x5346414f, "afs", REACH_SHARED },
    { 0xff534d42, "cifs", REACH_SHARED },
    { 0xfe534d42, "smb2", REACH_SHARED },
    { 0x01161970, "gfs2", REACH_SHARED },
    { 0x7461636f, "ocfs2", REACH_SHARED },
    { 0x20030528, "pvfs2", REACH_SHARED },
    { 0x01021997, "9p", REACH_SHARED },
    { 0xef53, "ext4", REACH_LOCAL },
    { 0x58465342, "xfs", REACH_LOCAL },
    { 0x9123683e, "btrfs", REACH_LOCAL },
    { 0x2fc12fc1, "zfs", REACH_LOCAL },
    { 0xf2f52010, "f2fs", REACH_LOCAL },
    { 0x52654973, "reiserfs", REACH_LOCAL },
    { 0x3153464a, "jfs", REACH_LOCAL },
    { 0x01021994, "tmpfs", REACH_LOCAL },
    { 0x858458f6, "ramfs", REACH_LOCAL },
    { 0x65735546, "fuse", REACH_UNKNOWN },
    { 0x794c7630, "overlay", REACH_UNKNOWN },
};

const char *file_system_name (unsigned long type, enum file_system_reach *reach)
{
    for (size_t i = 0; i < ARRAY_SIZE (known); i++) {
        if (known[i].type == type) {
            *reach = known[i].reach;
            return known[i].name;
        }
    }
    *reach = REACH_UNKNOWN;
    return NULL;
}

int file_system_look (const char *path, struct file_system *fs,
                      struct error *err)
{
    struct statfs buf;
    struct file_system seen = { 0 };
    unsigned long type;
    const char *name;

    if (statfs (path, &buf) < 0)
        return error_errno (err, "cannot look at the file system of '%s'",
                            path);
    /* f_type is signed on some architectures; magic numbers have 32 bits. */
    type = (unsigned long)buf.f_type & 0xffffffffUL;
    name = file_system_name (type, &seen.reach);
    if (name)
        snprintf (seen.type, sizeof (seen.type), "%s", name);
    else
        snprintf (seen.type, sizeof (seen.type), "0x%lx", type);
    seen.free_bytes = (uint64_t)(geteuid () == 0 ? buf.f_bfree : buf.f_bavail)
                      * (uint64_t)buf.f_bsize;
    seen.size_bytes = (uint64_t)buf.f_blocks * (uint64_t)buf.f_bsize;
    seen.free_inodes = buf.f_ffree;
    seen.inodes = buf.f_files;
    *fs = seen;
    return 0;
}
