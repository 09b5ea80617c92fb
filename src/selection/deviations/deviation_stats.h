/* SPDX-License-Identifier: BSD-3-Clause */
/* deviation_stats.h - a model_devi.out, or a share of one, into the statistics
 */
#ifndef SELECTION_DEVIATION_STATS_H
#define SELECTION_DEVIATION_STATS_H

#include <stdint.h>

#include "selection/statistics/step_dedup.h"

struct deviation_reader;
struct error;

/* A file and which of its rows: those that start in [begin, end). */
struct deviation_source {
    const char *path;
    int64_t task;
    int64_t part; /* of the task: the bead; sections of the file count on */
    size_t system;
    uint64_t begin;
    uint64_t end;
    uint64_t file_bytes; /* what stands behind was written later; UINT64_MAX:
                            nothing does, as with 'end' */
    double rms_force;    /* deviations of forces are divided by it; 0: not */
};

/* A reader of what 'rules' have levels for.  Caller frees. */
struct rules;
struct deviation_reader *deviation_reader_for (const struct rules *rules);

/* Add the rows of 'source' to 'part', which is reset, through 'dedup'.  When
 * steps went back the whole of the source is read again; a share cannot be
 * (where its steps come again may be elsewhere), nor one in which the columns
 * change (the share behind it does not know): once->went_back is then left true
 * and 'part' is worth nothing.  0, or -1: the file is malformed, or absent
 * (error_is_absence).  *cut is how many lines were no rows.
 */
int deviation_stats (const struct frame_stats *stats,
                     const struct deviation_source *source,
                     struct deviation_reader *reader,
                     struct step_dedup *dedup,
                     struct frame_stats_part *part,
                     uint64_t *cut,
                     struct error *err);

/* The same, all steps being kept to the end: for a file whose shares did not
 * fit together.
 */
int deviation_stats_sorted (const struct frame_stats *stats,
                            const struct deviation_source *source,
                            struct deviation_reader *reader,
                            struct step_dedup *dedup,
                            struct frame_stats_part *part,
                            uint64_t *cut,
                            struct error *err);

#endif /* !SELECTION_DEVIATION_STATS_H */
