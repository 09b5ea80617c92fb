/* SPDX-License-Identifier: BSD-3-Clause */
/* committee_stats.c - a trajectory and its committee's forces into the
 * statistics */
#include "config.h"

#include "base/error.h"
#include "formats/deviations/deviation_file.h"
#include "selection/deviations/committee_stats.h"
#include "selection/statistics/step_dedup.h"
#include "selection/statistics/frame_stats.h"

/* One time through; steps of which some come again are kept from 'keep_from'
 * on.
 */
static int read_once (const struct frame_stats *stats,
                      const struct committee_source *source,
                      struct step_dedup *dedup,
                      struct frame_stats_part *part,
                      int64_t keep_from,
                      struct committee_losses *losses,
                      struct error *err)
{
    struct committee *committee;
    uint64_t places[DEVIATION_ROWS_MAX];
    struct deviation_rows rows;
    int rc;

    *losses = (struct committee_losses){ 0 };
    committee = committee_open (&source->files, losses, err);
    if (!committee)
        return -1;
    frame_stats_part_reset (stats, part, source->system);
    step_dedup_start (dedup, stats, part, source->task, source->part,
                      keep_from);
    while ((rc = committee_next (committee, &rows, places, err)) == 1)
        step_dedup_add (dedup, &rows, places);
    step_dedup_end (dedup);
    dedup->went_back |= source->files.piece && committee_went_back (committee);
    committee_close (committee, losses);
    return rc;
}

int committee_stats (const struct frame_stats *stats,
                     const struct committee_source *source,
                     struct step_dedup *dedup,
                     struct frame_stats_part *part,
                     struct committee_losses *losses,
                     struct error *err)
{
    int rc = read_once (stats, source, dedup, part, INT64_MAX, losses, err);

    if (rc == 0 && dedup->went_back && !source->files.piece)
        rc = read_once (stats, source, dedup, part, dedup->lowest, losses, err);
    return rc;
}
