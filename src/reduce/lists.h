/* SPDX-License-Identifier: BSD-3-Clause */
/* lists.h - all frames by class, in files like DP-GEN's
 *
 *   candidate.shuffled.SSS.out  rest_accurate.shuffled.SSS.out
 *   rest_failed.shuffled.SSS.out
 *
 * with SSS the number of the system and a line "TASK-DIRECTORY STEP" for each
 * frame, or "TASK-DIRECTORY STEP ATOM" for each atom (from 0).  Unlike DP-GEN's
 * they are in the order of tasks and steps; invalid frames are in the list of
 * the failed.
 *
 * Each rank writes what it reads to files of its own; these are put together.
 * Memory is some MiB.
 */
#ifndef REDUCE_LISTS_H
#define REDUCE_LISTS_H

#include "selection/statistics/frame_stats.h"

struct selection_input;

enum { LISTS = 3 }; /* accurate, candidate, failed */

struct lists {
    const struct selection_input *input;
    const char *dir;
    int rank;
    struct frame_stats_listener listener; /* for the rank's frame_stats_part */
    size_t system;                        /* that the files are of */
    int fds[LISTS];                       /* negative: not open */
    struct strbuf text[LISTS];            /* not written yet */
    uint64_t written[LISTS];              /* bytes in the file */
    uint64_t kept[LISTS];                 /* bytes that are kept for good */
    struct error *err;                    /* of the first failure, lent */
    int rc;
};

/* Write to 'dir' (lent), which is there. */
void lists_init (struct lists *lists, const struct selection_input *input,
                 const char *dir, int rank, struct error *err);

/* What was listed since the last file is right.  -1: it cannot be written. */
int lists_keep (struct lists *lists);

/* Write everything and close; -1 when that failed, now or before. */
int lists_close (struct lists *lists);

/* Put the files of all ranks in 'from' together in 'to', a directory that is
 * there; three for each system.
 */
int lists_merge (const struct selection_input *input, const char *from,
                 int n_ranks, const char *to, struct error *err);

#endif /* !REDUCE_LISTS_H */
