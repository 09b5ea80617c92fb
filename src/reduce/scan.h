/* SPDX-License-Identifier: BSD-3-Clause */
/* scan.h - one pass through a trajectory and its committee's forces
 *
 * The trajectory and the force dumps are read side by side.  A frame whose
 * step is missing from a force file, whose atoms are others there, or that
 * holds anything not finite, is invalid.  Of frames with the same step the
 * last counts.  Memory is one frame of each file and a few numbers a frame.
 */
#ifndef REDUCE_SCAN_H
#define REDUCE_SCAN_H

#include <stdint.h>

#include "selection/tally.h"

struct draw;
struct error;
struct plan;
struct trajectory;

/* Numbers of things that went wrong without being an error. */
enum {
    COUNT_LOST,                /* frames expected and not there */
    COUNT_ABSENT_TRAJECTORIES, /* files that do not exist */
    COUNT_ABSENT_FORCES,
    COUNT_CUT_FILES,      /* dumps that end within a frame */
    COUNT_REPEATED_STEPS, /* frames not counted, their step came again */
    SCAN_COUNTS,
};

struct scan_result {
    struct tally tally;
    uint64_t counts[SCAN_COUNTS];
};

#define SCAN_RESULT_INIT { .tally = TALLY_INIT }

/* Add the frames of 'trajectory' to 'result' and offer its candidates to
 * 'draw', with the offset of the frame as its place.  -1: a file is malformed
 * (or unreadable for another reason than not being there); what was added is
 * then unspecified.
 */
int scan_trajectory (const struct plan *plan,
                     const struct trajectory *trajectory,
                     struct scan_result *result,
                     struct draw *draw,
                     struct error *err);

#endif /* !REDUCE_SCAN_H */
