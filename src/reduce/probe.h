/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.h - frames that were drawn to find levels, and their labels
 *
 * model_devi.probe left each frame with "task=3 step=40 deviation=0.31
 * drawn_from=5000".  A label is of every frame that is the same to
 * PROBE_TOLERANCE_A (selection/geometry/duplicate.h), whatever became of its
 * other keys.  Memory is the frames.
 */
#ifndef REDUCE_PROBE_H
#define REDUCE_PROBE_H

#include "formats/frame.h"

struct sampled;
struct selection_input;

#define PROBE_TOLERANCE_A 1e-3

struct probed {
    int64_t task;
    int64_t step;
    double score;       /* when it was drawn */
    double error;       /* INFINITY: it has no label */
    uint64_t found;     /* 1: it is among the frames that are judged, */
    double found_score; /* with this score */
    struct frame frame; /* its forces are the label's, NULL: none */
};

struct probe {
    struct probed *frames; /* by task and step */
    size_t n;
    size_t alloc;
    uint64_t drawn_from; /* so many valid frames */
};

#define PROBE_INIT                                                             \
    {                                                                          \
        0                                                                      \
    }

/* Read the frames and labels that the input names; where nothing was drawn, or
 * its labelling was skipped, there are none.  -1 when a frame does not
 * tell where it comes from, or a label is of none; release it in any case.
 */
int probe_read (const struct selection_input *input, struct probe *probe,
                struct error *err);
void probe_release (struct probe *probe);

/* Collective: read where they come from again, and find the error and the score
 * of each.  -1 on all ranks when a file is malformed, or a frame has another
 * score than when it was drawn.
 */
int probe_judge (const struct selection_input *input, struct probe *probe,
                 struct error *err);

/* Is it one of them? */
bool probe_has (const struct probe *probe, const struct sampled *frame);

#endif /* !REDUCE_PROBE_H */
