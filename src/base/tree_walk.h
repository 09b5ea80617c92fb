/* SPDX-License-Identifier: BSD-3-Clause */
/* tree_walk.h - every file below a path, for those who act on whole trees */
#ifndef BASE_TREE_WALK_H
#define BASE_TREE_WALK_H

#include <fts.h>

struct error;

/* What to do with one entry.  entry->fts_info is FTS_D (a directory, before
 * what is in it), FTS_DP (the same, afterwards), FTS_F, FTS_SL or FTS_SLNONE
 * (links), or FTS_DEFAULT (a special file); entry->fts_path starts with the
 * path walked.  Not 0: stop, and the walk returns -1 with 'err' as left here.
 */
typedef int tree_visit (FTSENT *entry, void *arg, struct error *err);

/* Visit 'path' and everything below it; links below are not followed, 'path'
 * itself is when 'follow' is FTS_COMFOLLOW (0: not).  0, or -1 with 'err' (and
 * errno) also for what cannot be read.
 */
int tree_walk (const char *path,
               int follow,
               tree_visit *visit,
               void *arg,
               struct error *err);

#endif /* !BASE_TREE_WALK_H */
