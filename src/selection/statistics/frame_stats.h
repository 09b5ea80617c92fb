/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_stats.h - what one pass over all frames finds out
 *
 * A pass adds the rows of one file after another to a part, and merges the part
 * into the statistics when the file is known to be sound (or resets it).
 * Statistics of parts of the files merge into the statistics of all of them, to
 * the bit and in any order: there are only whole numbers, maxima, and samples
 * in them.  Memory does not grow with the frames.
 *
 * Adaptive levels take three passes.  PASS_RANGES counts how the deviations
 * of the frames that are not above a high level are distributed, which tells
 * the bin that the lower level is in; PASS_LARGEST samples the largest of that
 * bin, which tells the level and who of equals is in; PASS_CLASSES is the
 * only pass otherwise.
 *
 * Levels by error take PASS_SCORES before that, which counts the valid frames
 * between bounds of the deviation of the force.
 */
#ifndef SELECTION_FRAME_STATS_H
#define SELECTION_FRAME_STATS_H

#include "formats/deviations/deviation_file.h"
#include "selection/calibration/calibration.h"
#include "selection/sampling/top_k.h"
#include "selection/rules/rules.h"
#include "selection/statistics/histogram.h"

/* Numbers of things that went wrong without being an error. */
enum {
    COUNT_LOST,                /* frames expected and not there */
    COUNT_ABSENT_TRAJECTORIES, /* files that do not exist */
    COUNT_ABSENT_FORCES,
    COUNT_ABSENT_DEVIATIONS,
    COUNT_CUT_FILES,      /* that end within a frame */
    COUNT_CUT_ROWS,       /* lines of deviations that are no rows */
    COUNT_REPEATED_STEPS, /* frames not counted, their step came again */
    SCAN_COUNTS,
};

enum frame_stats_pass { PASS_RANGES, PASS_LARGEST, PASS_SCORES, PASS_CLASSES };

/* Bins of PASS_RANGES: 1024 to the octave from 2^-20 to 2^12. */
enum { RANGE_BINS = 32 * 1024 };

/* The smallest candidate of a group by one quantity. */
struct lower_level {
    double value; /* of the level; INFINITY: nothing is a candidate by this */
    uint64_t wanted;     /* how many of the largest are */
    size_t bin;          /* of 'value', */
    uint64_t in_bin;     /* and how many of the wanted are in it */
    struct sampled last; /* of equals, this one is the last who is in */
};

/* Who is told the class of every frame: start is called when a part is
 * reset (what came since is void), frame for each frame of PASS_CLASSES.
 */
struct frame_stats_listener {
    void (*start) (size_t system, void *arg);
    void (*frame) (enum frame_class class, const struct sampled *frame,
                   void *arg);
    void *arg;
};

/* What is found of n_groups groups of systems: what is said below is there for
 * each of them, one behind the other.
 */
struct group_stats {
    size_t n_groups;
    size_t n_samples;      /* of all groups: rules->n_bins each */
    uint64_t *population;  /* candidates of each bin, */
    struct top_k *samples; /* and those drawn from it */
    uint64_t (*ranges)[DEVIATION_QUANTITIES][RANGE_BINS]; /* if adaptive */
    struct top_k (*largest)[DEVIATION_QUANTITIES];
    uint64_t *eligible; /* frames not above a high level */
};

/* What the rows of one file add up to. */
struct frame_stats_part {
    size_t system;
    struct histogram histogram;
    struct group_stats found;                    /* one group: the system's */
    struct score_range *scores;                  /* of PASS_SCORES */
    const struct frame_stats_listener *listener; /* NULL: none */
};

struct frame_stats {
    const struct rules *rules;
    enum frame_stats_pass pass;
    size_t pool_size;             /* frames that each sample may hold */
    struct criteria *criteria;    /* of each system: the rules', or found */
    struct histogram *histograms; /* of each system */
    double *bounds;               /* of scores, upwards; n_bounds of them, */
    size_t n_bounds;
    struct score_range *scores; /* with n_bounds + 1 ranges for each system */
    struct group_stats found;   /* all groups of the rules, */
    struct lower_level (*lower)[DEVIATION_QUANTITIES]; /* of each group */
};

/* Set up for 'rules' (lent, must stay). */
void frame_stats_init (struct frame_stats *stats, const struct rules *rules);
void frame_stats_release (struct frame_stats *stats);

/* Forget what was found, but not the lower levels, and start a pass.
 * 'pool_size' is how many frames each sample of PASS_CLASSES may hold.
 */
void frame_stats_start (struct frame_stats *stats, enum frame_stats_pass pass,
                        size_t pool_size);

/* Scores are counted in the ranges that n different bounds (upwards, copied)
 * are between; parts are to be made afterwards.
 */
void frame_stats_set_bounds (struct frame_stats *stats, const double *bounds,
                             size_t n);

/* A part for the statistics' passes.  Caller frees with frame_stats_part_free.
 */
struct frame_stats_part *frame_stats_part_new (const struct frame_stats *stats);
void frame_stats_part_free (struct frame_stats_part *part); /* NULL is legal */

/* Empty it; the next rows are of 'system'. */
void frame_stats_part_reset (const struct frame_stats *stats,
                             struct frame_stats_part *part, size_t system);

/* Add rows of 'task'; places[i] is where frame i is, NULL: nowhere.  When the
 * rules ask for clusters it is one row, whose atoms are added.
 */
void frame_stats_add (const struct frame_stats *stats,
                      struct frame_stats_part *part, int64_t task,
                      int64_t part_of_task, const struct deviation_rows *rows,
                      const uint64_t *places);

void frame_stats_merge (struct frame_stats *stats,
                        const struct frame_stats_part *part);

/* Between the passes, when all parts of all ranks are in: find the bin of each
 * lower level; find the level.
 */
void frame_stats_find_bins (struct frame_stats *stats);
void frame_stats_find_levels (struct frame_stats *stats);

/* The low and high level by which frames of 'system' were judged. */
struct levels frame_stats_levels (const struct frame_stats *stats,
                                  size_t system, int quantity);

/* The same of all quantities that have levels, {"force": [low, high], ..}, and
 * of all systems, {NAME: that}; 'names' are theirs.  Caller unrefs.
 */
struct json *frame_stats_levels_json (const struct frame_stats *stats,
                                      size_t system);
struct json *frame_stats_all_levels_json (const struct frame_stats *stats,
                                          const struct strvec *names);

/* Frames of each class in a group. */
void frame_stats_group_frames (const struct frame_stats *stats, size_t group,
                               uint64_t frames[FRAME_CLASSES]);

#endif /* !SELECTION_FRAME_STATS_H */
