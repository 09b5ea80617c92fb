/* SPDX-License-Identifier: BSD-3-Clause */
/* committee.h - rows of deviations out of a trajectory and a committee's forces
 *
 * The trajectory and the files of forces are read side by side.  Frames are the
 * same when their steps are, or their numbers where one of the files has no
 * steps.  A frame that is missing from a file, whose atoms are others there, or
 * that holds anything not finite, is invalid: its deviations are NaN.  Memory
 * is one frame of each file.
 */
#ifndef SELECTION_COMMITTEE_H
#define SELECTION_COMMITTEE_H

#include <stddef.h>
#include <stdint.h>

struct committee_rules;
struct deviation_rows;
struct error;
struct rules;

/* What is read; everything is lent. */
struct committee_files {
    const struct rules *rules; /* quantities, steps to skip, atoms or frames */
    const struct committee_rules *making;
    const char *trajectory;
    const char *const *forces; /* n_models of them */
    size_t n_models;
};

/* What went wrong without being an error. */
struct committee_losses {
    uint64_t absent_trajectories; /* files that do not exist */
    uint64_t absent_forces;
    uint64_t cut_files; /* that end within a frame */
};

struct committee;

/* Open the files ('files' must stay).  Those that are not there are counted in
 * 'losses'; without a trajectory there are no frames.  NULL when one cannot be
 * read for another reason.  Caller closes.
 */
struct committee *committee_open (const struct committee_files *files,
                                  struct committee_losses *losses,
                                  struct error *err);

/* Close; files that end within a frame are counted.  NULL is legal. */
void committee_close (struct committee *committee,
                      struct committee_losses *losses);

/* The next rows, and the offset of each frame in the trajectory: 1, 0 at the
 * end, or -1 when a file is malformed.
 */
int committee_next (struct committee *committee,
                    struct deviation_rows *rows,
                    uint64_t *places,
                    struct error *err);

#endif /* !SELECTION_COMMITTEE_H */
