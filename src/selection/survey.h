/* SPDX-License-Identifier: BSD-3-Clause */
/* survey.h - what one pass over all frames finds out
 *
 * A pass adds the rows of one file after another to a part, and merges the part
 * into the survey when the file is known to be sound (or resets it).  Surveys
 * of parts of the files merge into the survey of all of them, to the bit and in
 * any order: there are only whole numbers, maxima, and draws in them.  Memory
 * does not grow with the frames.
 *
 * Adaptive levels take three passes.  SURVEY_RANGES counts how the deviations
 * of the frames that are not above a high level are distributed, which tells
 * the bin that the lower level is in; SURVEY_TOPS draws the largest of that
 * bin, which tells the level and who of equals is in; SURVEY_CLASSES is the
 * only pass otherwise.
 */
#ifndef SELECTION_SURVEY_H
#define SELECTION_SURVEY_H

#include <stddef.h>
#include <stdint.h>

#include "formats/deviation_file.h"
#include "selection/draw.h"
#include "selection/rules.h"
#include "selection/tally.h"

struct json;
struct strvec;

enum survey_pass { SURVEY_RANGES, SURVEY_TOPS, SURVEY_CLASSES };

/* Bins of SURVEY_RANGES: 1024 to the octave from 2^-20 to 2^12. */
enum { RANGE_BINS = 32 * 1024 };

/* The smallest candidate of a group by one quantity. */
struct lower_level {
    double value; /* of the level; INFINITY: nothing is a candidate by this */
    uint64_t wanted;   /* how many of the largest are */
    size_t bin;        /* of 'value', */
    uint64_t in_bin;   /* and how many of the wanted are in it */
    struct drawn last; /* of equals, this one is the last who is in */
};

/* Who wants to know the class of every frame: start is called when a part is
 * reset (what came since is void), frame for each frame of SURVEY_CLASSES.
 */
struct survey_listener {
    void (*start) (size_t system, void *arg);
    void (*frame) (enum frame_class class,
                   const struct drawn *frame,
                   void *arg);
    void *arg;
};

/* What the rows of one file add up to. */
struct survey_part {
    size_t system;
    size_t n_bins;
    struct tally tally;
    uint64_t *population; /* candidates in each bin of the rules */
    struct draw *draws;   /* and those drawn from it */
    uint64_t *ranges[DEVIATION_QUANTITIES]; /* RANGE_BINS each */
    struct draw tops[DEVIATION_QUANTITIES];
    uint64_t pool; /* frames not above a high level */
    const struct survey_listener *listener; /* NULL: nobody */
};

struct survey {
    const struct rules *rules;
    enum survey_pass pass;
    size_t hold;               /* frames that each draw may hold */
    struct tally *tallies;     /* of each system */
    size_t n_groups;           /* the following is for each group */
    uint64_t *population;      /* rules->n_bins each */
    struct draw *draws;        /* rules->n_bins each */
    uint64_t *ranges;          /* DEVIATION_QUANTITIES * RANGE_BINS each */
    struct draw *tops;         /* DEVIATION_QUANTITIES each */
    uint64_t *pools;           /* frames not above a high level */
    struct lower_level *lower; /* DEVIATION_QUANTITIES each */
};

/* Set up for 'rules' (lent, must stay). */
void survey_init (struct survey *survey, const struct rules *rules);
void survey_release (struct survey *survey);

/* Forget what was found, but not the lower levels, and start a pass.  'hold' is
 * how many frames each draw of SURVEY_CLASSES may hold.
 */
void survey_start (struct survey *survey, enum survey_pass pass, size_t hold);

/* A part for the survey's passes.  Caller frees with survey_part_free. */
struct survey_part *survey_part_new (const struct survey *survey);
void survey_part_free (struct survey_part *part); /* NULL is legal */

/* Empty it; the next rows are of 'system'. */
void survey_part_reset (const struct survey *survey,
                        struct survey_part *part,
                        size_t system);

/* Add rows of 'task'; places[i] is where frame i is, NULL: nowhere.  When the
 * rules ask for clusters it is one row, whose atoms are added.
 */
void survey_add (const struct survey *survey,
                 struct survey_part *part,
                 int64_t task,
                 int64_t part_of_task,
                 const struct deviation_rows *rows,
                 const uint64_t *places);

void survey_merge (struct survey *survey, const struct survey_part *part);

/* Between the passes, when all parts of all ranks are in: find the bin of each
 * lower level; find the level.
 */
void survey_find_bins (struct survey *survey);
void survey_find_levels (struct survey *survey);

/* The low and high level by which frames of 'system' were judged. */
struct levels survey_levels (const struct survey *survey,
                             size_t system,
                             int quantity);

/* The same of all quantities that have levels, {"force": [low, high], ..}, and
 * of all systems, {NAME: that}; 'names' are theirs.  Caller unrefs.
 */
struct json *survey_levels_json (const struct survey *survey, size_t system);
struct json *survey_all_levels_json (const struct survey *survey,
                                     const struct strvec *names);

/* Frames of each class in a group. */
void survey_group_frames (const struct survey *survey,
                          size_t group,
                          uint64_t frames[FRAME_CLASSES]);

#endif /* !SELECTION_SURVEY_H */
