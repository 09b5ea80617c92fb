/* SPDX-License-Identifier: BSD-3-Clause */
/* adaptive_levels.h - the part of the statistics that finds adaptive lower
 * levels
 *
 * For frame_stats.c, which keeps what these functions work on.
 */
#ifndef SELECTION_ADAPTIVE_LEVELS_H
#define SELECTION_ADAPTIVE_LEVELS_H

#include "selection/statistics/frame_stats.h"

/* Add rows to a part, in PASS_RANGES or PASS_LARGEST; 'frame' says of which
 * task.
 */
void adaptive_levels_add (const struct frame_stats *stats,
                          struct frame_stats_part *part, struct sampled frame,
                          const struct deviation_rows *rows);

/* The classes of rows once the lower levels are known. */
void adaptive_levels_classify (const struct frame_stats *stats, size_t system,
                               struct sampled frame,
                               const struct deviation_rows *rows,
                               unsigned char *class);

#endif /* !SELECTION_ADAPTIVE_LEVELS_H */
