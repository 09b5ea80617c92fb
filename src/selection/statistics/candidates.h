/* SPDX-License-Identifier: BSD-3-Clause */
/* candidates.h - the part of the statistics that samples from its candidates */
#ifndef SELECTION_CANDIDATES_H
#define SELECTION_CANDIDATES_H

#include <stdint.h>

struct deviation_rows;
struct sampled;
struct levels;
struct frame_stats;
struct frame_stats_part;

/* Count the candidates among the rows, and offer them to the part's samples.
 * class[i] is that of row i, value[i] what it is drawn by, with 'levels';
 * places as in frame_stats_add.  'frame' is what they have in common.
 */
void candidates_add (const struct frame_stats *stats,
                     struct frame_stats_part *part,
                     const struct levels *levels,
                     const struct sampled *frame,
                     const struct deviation_rows *rows,
                     const unsigned char *class,
                     const double *value,
                     const uint64_t *places);

/* The same of one candidate; its key is filled in. */
void candidate_add (const struct frame_stats *stats,
                    struct frame_stats_part *part,
                    const struct levels *levels,
                    struct sampled *frame);

#endif /* !SELECTION_CANDIDATES_H */
