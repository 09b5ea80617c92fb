/* SPDX-License-Identifier: BSD-3-Clause */
/* file_system.h - what kind of file system a directory is on */
#ifndef BASE_FILE_SYSTEM_H
#define BASE_FILE_SYSTEM_H

enum file_system_reach {
    REACH_UNKNOWN,
    REACH_LOCAL,  /* a disk or the memory of one host */
    REACH_SHARED, /* served to many hosts: NFS, Lustre, GPFS, ... */
};

struct file_system {
    char type[24]; /* "nfs", "ext4"; "0x1234" for one without a name here */
    enum file_system_reach reach;
    uint64_t free_bytes; /* for this user */
    uint64_t size_bytes;
    uint64_t free_inodes;
    uint64_t inodes; /* 0: it does not count them */
};

int file_system_look (const char *path, struct file_system *fs,
                      struct error *err);

/* The name and reach of statfs's f_type (pure). */
const char *file_system_name (unsigned long type,
                              enum file_system_reach *reach);

#endif /* !BASE_FILE_SYSTEM_H */
