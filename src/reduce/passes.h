/* SPDX-License-Identifier: BSD-3-Clause */
/* passes.h - all ranks' passes over all files
 *
 * Collective.
 */
#ifndef REDUCE_PASSES_H
#define REDUCE_PASSES_H

#include <stddef.h>
#include <stdint.h>

#include "reduce/counts.h"
#include "reduce/inspect.h"
#include "selection/draw.h"

struct error;
struct plan;
struct survey;

/* A candidate that was looked at and passed over. */
struct refused {
    struct drawn frame;
    enum verdict why;
};

/* What came of it; valid on rank 0. */
struct selection {
    struct drawn *frames; /* selected, in their order, with places */
    size_t n;
    struct refused *refused; /* in the same order */
    size_t n_refused;
    uint64_t counts[SCAN_COUNTS];
    uint64_t verdicts[VERDICTS]; /* of the candidates that were looked at */
};

#define SELECTION_INIT                                                         \
    {                                                                          \
        0                                                                      \
    }

void selection_release (struct selection *selection);

/* Read everything, as often as it takes, and select.  The survey has been set
 * up for plan->rules.  plan->lists_dir, if there is one, is written.  -1 on all
 * ranks when a file is malformed.
 */
int select_frames (const struct plan *plan,
                   struct survey *survey,
                   struct selection *selection,
                   struct error *err);

#endif /* !REDUCE_PASSES_H */
