/* SPDX-License-Identifier: BSD-3-Clause */
/* tree_look.h - how a file or a tree looks, without reading it
 *
 * Two looks that are equal saw the same names, sizes and times of change
 * (mtime); then its contents are taken for the same.  Where they differ only
 * reading tells.
 */
#ifndef BASE_TREE_LOOK_H
#define BASE_TREE_LOOK_H

struct heartbeat;

enum { TREE_LOOK_SIZE = 17 };

struct tree_look {
    uint64_t bytes; /* of its files together */
    char hex[TREE_LOOK_SIZE];
};

/* 0; -1 with 'err'.  Files are opened, since over NFS that asks the server for
 * their sizes and times, which are else those of up to a minute ago.
 */
int tree_look (const char *path, struct tree_look *look,
               const struct heartbeat *heartbeat, struct error *err);

#endif /* !BASE_TREE_LOOK_H */
