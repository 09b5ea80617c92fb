/* SPDX-License-Identifier: BSD-3-Clause */
/* pass.h - one pass of all ranks over all files
 *
 * Collective.
 */
#ifndef REDUCE_PASS_H
#define REDUCE_PASS_H

#include "selection/statistics/frame_stats.h"
#include "reduce/share.h"

struct likeness;
struct lists;
struct selection_input;
struct frame_stats;

/* Who reads what: rank 0 looks, so that all agree. */
struct layout {
    /* Of each file; UINT64_MAX: it need not be known before it is read.  The
     * first pass tells those that come after it.
     */
    uint64_t *bytes;
    uint64_t *trajectory_bytes; /* where that is several files, of the first */
    double *rms;     /* force of those that this rank reads, or NULL */
    uint64_t *found; /* frames of each: each pass finds them anew; or NULL */
    struct share_cut *cuts;
    struct likeness *likeness; /* of the members: each pass finds it anew */
};

void layout_find (const struct selection_input *input, struct layout *layout);
void layout_release (struct layout *layout);

/* From now on whole files for each rank. */
void layout_keep_files_whole (const struct selection_input *input,
                              struct layout *layout);

/* Read everything once into the statistics, which have been started; and into
 * the rank's lists unless NULL, for which files have to be whole.  'counts' are
 * those of all ranks.  -1 on all ranks when a file is malformed.
 */
int pass_read (const struct selection_input *input, const struct layout *layout,
               struct frame_stats *stats, struct lists *lists,
               uint64_t counts[SCAN_COUNTS], struct error *err);

#endif /* !REDUCE_PASS_H */
