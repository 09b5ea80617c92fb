/* SPDX-License-Identifier: BSD-3-Clause */
/* counts.h - numbers of things that went wrong without being an error */
#ifndef REDUCE_COUNTS_H
#define REDUCE_COUNTS_H

enum {
    COUNT_LOST,                /* frames expected and not there */
    COUNT_ABSENT_TRAJECTORIES, /* files that do not exist */
    COUNT_ABSENT_FORCES,
    COUNT_ABSENT_DEVIATIONS,
    COUNT_CUT_FILES,      /* dumps that end within a frame */
    COUNT_CUT_ROWS,       /* lines of deviations that are no rows */
    COUNT_REPEATED_STEPS, /* frames not counted, their step came again */
    SCAN_COUNTS,
};

#endif /* !REDUCE_COUNTS_H */
