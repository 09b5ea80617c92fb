/* SPDX-License-Identifier: BSD-3-Clause */
/* committee.h - rows of deviations out of a trajectory and a committee's forces
 *
 * The trajectory and the files of forces are read side by side.  Frames are the
 * same when their steps are, or their numbers where one of the files has no
 * steps.  A frame that is missing from a file, whose atoms are others there, or
 * that holds anything not finite, is invalid: its deviations are NaN.  Memory
 * is one frame of each file.
 */
#ifndef REDUCE_COMMITTEE_H
#define REDUCE_COMMITTEE_H

#include <stdint.h>

#include "reduce/counts.h"

struct deviation_rows;
struct error;
struct plan;
struct trajectory;

struct committee;

/* Open the dumps of 'trajectory' (lent).  Files that are not there are counted
 * in 'counts'; without a trajectory there are no frames.  NULL when one cannot
 * be read for another reason.  Caller closes.
 */
struct committee *committee_open (const struct plan *plan,
                                  const struct trajectory *trajectory,
                                  uint64_t counts[SCAN_COUNTS],
                                  struct error *err);

/* Close; dumps that end within a frame are counted.  NULL is legal. */
void committee_close (struct committee *committee,
                      uint64_t counts[SCAN_COUNTS]);

/* The next rows, and the offset of each frame in the trajectory: 1, 0 at the
 * end, or -1 when a file is malformed.
 */
int committee_next (struct committee *committee,
                    struct deviation_rows *rows,
                    uint64_t *places,
                    struct error *err);

#endif /* !REDUCE_COMMITTEE_H */
