/* SPDX-License-Identifier: BSD-3-Clause */
/* passes.h - all ranks' passes over all files
 *
 * Collective.
 */
#ifndef REDUCE_PASSES_H
#define REDUCE_PASSES_H

#include "selection/statistics/frame_stats.h"
#include "reduce/inspect.h"
#include "selection/sampling/top_k.h"

#include "reduce/found_health.h"
#include "reduce/found_levels.h"

struct selection_input;
struct frame_stats;

/* A candidate that was looked at and passed over. */
struct refused {
    struct sampled frame;
    enum verdict why;
};

/* What came of it; valid on rank 0. */
struct selection {
    struct sampled *frames; /* selected, in their order, with places */
    size_t n;
    struct refused *refused; /* in the same order */
    size_t n_refused;
    uint64_t counts[SCAN_COUNTS];
    uint64_t verdicts[VERDICTS]; /* of the candidates that were looked at */
    uint64_t n_candidates;
    struct found_levels levels;    /* by error */
    struct found_health health;    /* of trajectories */
    struct json *dropped_features; /* {GROUP: [numbers]}, or NULL */
    bool input_failed; /* what is wrong are the features of a batch, or files
                          that only health reads */
};

#define SELECTION_INIT                                                         \
    {                                                                          \
        .health = FOUND_HEALTH_INIT                                            \
    }

void selection_release (struct selection *selection);

/* Read everything, as often as it takes, and select.  The statistics have been
 * set up for input->rules.  input->lists_dir, if there is one, is written.  -1
 * on all ranks when a file is malformed.
 */
int select_frames (const struct selection_input *input,
                   struct frame_stats *stats, struct selection *selection,
                   struct error *err);

#endif /* !REDUCE_PASSES_H */
