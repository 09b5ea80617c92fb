/* SPDX-License-Identifier: BSD-3-Clause */
/* tree_walk.h - every file below a path, for those who act on whole trees
 *
 * Not fts(3): that one passes over what a directory could not be read of as if
 * it were not there.
 */
#ifndef BASE_TREE_WALK_H
#define BASE_TREE_WALK_H

struct heartbeat;
struct stat;

enum tree_kind {
    TREE_DIR,     /* before what is in it */
    TREE_DIR_END, /* afterwards */
    TREE_FILE,
    TREE_LINK,
    TREE_SPECIAL, /* a pipe, a socket, a device */
};

struct tree_entry {
    enum tree_kind kind;
    const char *path; /* begins with the path walked; it may be too long for
                         the kernel, for which there are: */
    int dir_fd;
    const char *name; /* seen from there */
    int level;        /* 0: the path walked */
    const struct stat *st;
};

/* What to do with one entry.  Not 0: stop, and the walk returns -1 with 'err'
 * as left here.
 */
typedef int tree_visit (const struct tree_entry *entry, void *arg,
                        struct error *err);

/* Visit 'path' and everything below it, in no order, however deep it is; links
 * below are not followed, 'path' itself is if 'follow'.  0, or -1 with 'err'
 * (and errno) also for what cannot be read.  Beats at every entry.
 */
int tree_walk (const char *path, bool follow, tree_visit *visit, void *arg,
               const struct heartbeat *heartbeat, struct error *err);

/* The same of a path (followed) below which others change things: what
 * vanishes is passed over; an error only where the walk cannot go on.
 */
int tree_walk_changing (const char *path, tree_visit *visit, void *arg,
                        struct error *err);

#endif /* !BASE_TREE_WALK_H */
