/* SPDX-License-Identifier: BSD-3-Clause */
/* step_dedup.h - every step of a file once, the last time that it comes
 *
 * A step comes again when a run was restarted from before its end, and when
 * Monte Carlo moves make an engine ask its models several times per step.
 * Steps that only go up are passed on as they come.  When one goes back, what
 * was passed on may have been wrong: step_dedup_end says so, and how far back
 * the steps went.  Then the part is reset and the file read again: from that
 * step on, rows are kept until the end of the section before they are passed
 * on. Memory is a few numbers for each of those, and nothing otherwise.
 */
#ifndef SELECTION_STEP_DEDUP_H
#define SELECTION_STEP_DEDUP_H

#include "formats/deviations/deviation_file.h"

struct frame_stats;
struct frame_stats_part;

struct step_dedup_row {
    int64_t step;
    uint64_t place;
    uint64_t order; /* in the file */
    double value[DEVIATION_QUANTITIES];
    double *atoms; /* when the rules ask for clusters */
    size_t n_atoms;
};

struct step_dedup {
    const struct frame_stats *stats;
    struct frame_stats_part *part;
    int64_t task;
    int64_t part_of_task;

    int64_t keep_from; /* rows of these steps are kept; INT64_MAX: none */
    bool went_back;
    int64_t lowest; /* step that it went back to */
    int64_t first;  /* step, and the last: when n_frames > 0 and the file */
    int64_t last;   /* has one section */
    uint64_t n_frames;
    uint64_t repeated;

    int64_t section;
    uint64_t skip_left; /* frames of the section that do not count */
    bool has_held;
    struct step_dedup_row held; /* the next row may be of the same step */
    double *held_atoms;
    struct step_dedup_row *kept;
    size_t n_kept;
    size_t kept_alloc;
    struct deviation_rows *out;
    uint64_t *places;
};

/* Start a file whose rows go to 'part' (both lent).  'keep_from' is INT64_MAX
 * the first time, and dedup->lowest of that the second time.  Frames before
 * rules->skip_steps, and the first rules->skip_frames, do not count.
 */
void step_dedup_start (struct step_dedup *dedup,
                       const struct frame_stats *stats,
                       struct frame_stats_part *part, int64_t task,
                       int64_t part_of_task, int64_t keep_from);

/* The next rows of the file, which may change them; places[i] is where frame i
 * is, NULL: nowhere.
 */
void step_dedup_add (struct step_dedup *dedup, struct deviation_rows *rows,
                     const uint64_t *places);

/* The file has ended.  False: read it again. */
bool step_dedup_end (struct step_dedup *dedup);

/* Legal on zeros and twice; step_dedup_start needs none before it. */
void step_dedup_release (struct step_dedup *dedup);

#endif /* !SELECTION_STEP_DEDUP_H */
