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

struct committee_rules;
struct likeness;
struct deviation_rows;
struct rules;

/* Bytes [begin, end) of all 'bytes' of the files stand for frames: pieces that
 * follow each other have each frame once.
 */
struct committee_piece {
    uint64_t begin;
    uint64_t end;
    uint64_t bytes;
    uint64_t trajectory_bytes; /* of the trajectory alone */
};

/* Who is told the forces of every valid frame: forces[k] are the 3 * n_atoms
 * components of model k, lent.
 */
struct committee_listener {
    void (*frame) (int64_t step, const double *const *forces, size_t n_models,
                   size_t n_atoms, void *arg);
    void *arg;
};

/* What is read; everything is lent. */
struct committee_files {
    const struct rules *rules; /* quantities, steps to skip, atoms or frames */
    const struct committee_rules *making;
    const char *trajectory;
    const char *const *forces; /* n_models of them */
    size_t n_models;
    const struct committee_piece *piece; /* NULL: all of it */
    struct likeness *likeness; /* that every frame is added to, or NULL */
    const struct committee_listener *listener; /* or NULL */
};

struct committee;

/* Can frames be read from the middle on?  All files must be divided in the same
 * way (vector_division).
 */
bool committee_is_divisible (const char *trajectory, const char *const *forces,
                             size_t n_models);

/* Open the files ('files' must stay).  Those that are not there are counted
 * (frame_stats.h; by who has the first piece); without a trajectory there are
 * no frames.  NULL when one cannot be read for another reason.  Caller closes.
 */
struct committee *committee_open (const struct committee_files *files,
                                  uint64_t *counts, struct error *err);

/* After the last rows: did the steps of a file not rise, so that the pieces may
 * not hold what belongs together?
 */
bool committee_went_back (const struct committee *committee);

/* Close; files that end within a frame are counted.  NULL is legal. */
void committee_close (struct committee *committee, uint64_t *counts);

/* The next rows, and the offset of each frame in the trajectory: 1, 0 at the
 * end, or -1 when a file is malformed.
 */
int committee_next (struct committee *committee, struct deviation_rows *rows,
                    uint64_t *places, struct error *err);

#endif /* !SELECTION_COMMITTEE_H */
