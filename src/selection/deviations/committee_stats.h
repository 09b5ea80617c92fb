/* SPDX-License-Identifier: BSD-3-Clause */
/* committee_stats.h - a trajectory and its committee's forces into the
 * statistics */
#ifndef SELECTION_COMMITTEE_STATS_H
#define SELECTION_COMMITTEE_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "selection/deviations/committee.h"

struct error;
struct step_dedup;
struct frame_stats;
struct frame_stats_part;

/* Whose frames they are. */
struct committee_source {
    struct committee_files files;
    int64_t task;
    int64_t part;
    size_t system;
};

/* Add all frames to 'part', which is reset, through 'dedup'; when steps went
 * back the files are read again.  Of a piece only part may be here:
 * once->went_back is then left true and 'part' is worth nothing.  What was lost
 * is in *losses then.  -1: a file is malformed.
 */
int committee_stats (const struct frame_stats *stats,
                     const struct committee_source *source,
                     struct step_dedup *dedup,
                     struct frame_stats_part *part,
                     struct committee_losses *losses,
                     struct error *err);

#endif /* !SELECTION_COMMITTEE_STATS_H */
