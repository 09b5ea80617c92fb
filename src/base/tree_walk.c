/* SPDX-License-Identifier: BSD-3-Clause */
/* tree_walk.c - every file below a path */
#include "config.h"

#include <errno.h>
#include <stddef.h>

#include "base/error.h"
#include "base/tree_walk.h"

static int visit_entry (FTSENT *entry,
                        tree_visit *visit,
                        void *arg,
                        struct error *err)
{
    switch (entry->fts_info) {
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        errno = entry->fts_errno;
        return error_errno (err, "cannot read '%s'", entry->fts_path);
    default:
        return visit (entry, arg, err) ? -1 : 0;
    }
}

int tree_walk (const char *path,
               int follow,
               tree_visit *visit,
               void *arg,
               struct error *err)
{
    char *paths[] = { (char *)path, NULL }; /* fts_open copies it */
    FTS *tree = fts_open (paths, FTS_PHYSICAL | FTS_NOCHDIR | follow, NULL);
    FTSENT *entry;
    int rc = 0, saved;

    if (!tree)
        return error_errno (err, "cannot read '%s'", path);
    while (rc == 0 && (errno = 0, entry = fts_read (tree)))
        rc = visit_entry (entry, visit, arg, err);
    if (rc == 0 && errno != 0)
        rc = error_errno (err, "cannot read '%s'", path);
    saved = errno;
    fts_close (tree);
    errno = saved;
    return rc;
}
