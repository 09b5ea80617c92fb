/* SPDX-License-Identifier: BSD-3-Clause */
/* disk.h - a file system in memory, shared by several hosts
 *
 * As over NFS: a name that one host makes or removes may be seen later by the
 * others (unless they change the same directory, which makes them look again),
 * and so may what is written before it is synced or closed (whoever opens the
 * file afterwards sees it); what a host has not synced is lost when it goes
 * down, and everything that must be atomic
 * (create exclusively, link, rename) is.  Functions return 0 or an errno; a
 * 'host' of NOBODY sees everything at once.
 */
#ifndef TESTS_SIM_DISK_H
#define TESTS_SIM_DISK_H

#include <sys/stat.h>
#include <sys/types.h>

#include "world.h"

struct inode;
struct open_file;
struct process;

struct disk {
    struct world *world;
    struct inode *root;
    struct inode *inodes; /* all there are */
    ino_t last_number;
    struct open_file **files; /* by descriptor; NULL: free */
    size_t n_files, files_alloc;
    /* How late what was just created or written shows elsewhere; NULL: not. */
    double (*late_s) (void *arg);
    /* 'from' became 'to'; NULL: of no interest. */
    void (*renamed) (const char *from, const char *to, void *arg);
    void (*opened) (const char *path, void *arg); /* or NULL */
    void *arg;
};

enum { FIRST_FD = 1 << 20 };

struct open_file {
    struct inode *inode;
    const struct process *owner;
    int host;
    size_t offset;
    bool append;
    bool writable;
};

void disk_init (struct disk *disk, struct world *world);
void disk_release (struct disk *disk);

/* Flags are those of open(2). */
int disk_open (struct disk *disk, int host, const char *path, int flags,
               mode_t mode, int *fd);
struct open_file *disk_file (const struct disk *disk, int fd); /* or NULL */
void disk_close (struct disk *disk, int fd);
void disk_close_all (struct disk *disk, const struct process *owner);

size_t disk_read (const struct disk *disk, const struct open_file *file,
                  size_t offset, void *out, size_t len);
void disk_write (struct disk *disk, struct open_file *file, const void *bytes,
                 size_t len);
void disk_sync (const struct open_file *file);
void disk_truncate (const struct open_file *file, size_t len);
void disk_stat_file (const struct disk *disk, const struct open_file *file,
                     struct stat *st);

int disk_stat (const struct disk *disk, int host, const char *path,
               struct stat *st);
/* Append the path of 'name' in an open directory, wherever that is now. */
int disk_path (const struct disk *disk, const struct open_file *dir,
               const char *name, struct strbuf *path);
int disk_mkdir (struct disk *disk, int host, const char *path, mode_t mode);
int disk_remove (struct disk *disk, int host, const char *path, bool dir);
/* A file, from a directory that is open, wherever that is now. */
int disk_remove_from (struct disk *disk, int host,
                      const struct open_file *parent, const char *name);
int disk_link (struct disk *disk, int host, const char *from, const char *to);
int disk_rename (struct disk *disk, int host, const char *from, const char *to);
int disk_list (const struct disk *disk, int host, const char *path,
               struct strvec *names);

/* What 'host' wrote and did not sync is gone, or a part of it. */
void disk_lose_unsynced (struct disk *disk, int host);

/* For onlookers: a whole file (directories above are made); 0 or an errno. */
int disk_put (struct disk *disk, const char *path, const char *text);
int disk_put_bytes (struct disk *disk, const char *path, const char *bytes,
                    size_t len);
int disk_get (const struct disk *disk, const char *path, struct strbuf *out);

/* All that is at 'path', for everybody at once. */
void disk_remove_tree (struct disk *disk, const char *path);

bool disk_is_file (const struct disk *disk, const char *path);

/* Is all of a file synced? */
bool disk_is_durable (const struct disk *disk, const char *path);

/* Call 'each' for every regular file below 'path', in the order of names. */
void disk_each_file (const struct disk *disk, const char *path,
                     void (*each) (const char *path, void *arg), void *arg);

/* Call 'each' for every name below 'path' that 'maker' (0: anybody) made and
 * whose directory was not synced since: it may be gone when the disk's host
 * crashes.
 */
void disk_each_fleeting (const struct disk *disk, const char *path, int maker,
                         void (*each) (const char *path, void *arg), void *arg);

#endif /* !TESTS_SIM_DISK_H */
