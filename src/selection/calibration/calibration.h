/* SPDX-License-Identifier: BSD-3-Clause */
/* calibration.h - up to which score are frames accurate, by labels of some
 *
 * Labelled are n frames drawn evenly at random from all of them.  One is wrong
 * if its error is above the target, or its label failed.  With V(s) the wrong
 * ones of score <= s, F(s) the fraction of the frames without a label that have
 * score <= s, and q = 1 - coverage,
 *
 *     low = the largest s with (1 + V(s)) / (n + 1) <= q F(s)
 *
 * Of the unlabelled frames with score <= low, which are called accurate, a
 * share of at most q is wrong, on average over draws; for any score, any n, and
 * frames as correlated as they are, since the draw is random (conformal
 * selection: Y. Jin and E. Candes, arXiv 2210.01408).
 *
 * With a confidence P the share of wrong among all frames with score <= low is
 * at most q in a fraction P of the draws.  Of 101 quantiles of all scores, from
 * below, the first with enough labels to pass if none were wrong, and those
 * that follow it, as long as
 *
 *     P(Binomial (m, q) <= V(s)) <= 1 - P,    m labelled of score <= s
 *
 * and low is the last (fixed-sequence testing).  The sequence does not depend
 * on which frames were drawn, which is why it is not one of labelled scores.
 *
 * s is always a score that occurs, and frames of equal score are on the same
 * side.  Comparisons have a slack of 1e-12, in favour of a level.  Scores and
 * errors may be of any unit.  Each function takes time like n log n of all
 * frames.
 */
#ifndef SELECTION_CALIBRATION_H
#define SELECTION_CALIBRATION_H

#include "formats/score_table.h"

/* What is promised. */
struct calibration_promise {
    double coverage;   /* in (0, 1) */
    double confidence; /* in (0, 1); 0: on average */
};

enum { CALIBRATION_QUANTILES = 101 };

/* Frames up to a score that occurs. */
struct score_point {
    double score;
    uint64_t frames;
    uint64_t labelled;
    uint64_t wrong; /* of these */
};

struct calibration {
    struct calibration_promise promise;
    struct scored_frame *labelled; /* upwards */
    uint64_t n_labelled;
    uint64_t n_frames;
    struct score_point *points; /* of different scores, upwards */
    size_t n_points;
    size_t quantiles[CALIBRATION_QUANTILES]; /* as points */
    double target;
};

/* Set up for 'frames', which are sorted, and a target >= 0. */
void calibration_init (struct calibration *c,
                       const struct calibration_promise *promise, double target,
                       struct scored_frame *frames, size_t n);
void calibration_release (struct calibration *c);

/* Frames from one score on and below the next, of which only these are known.
 */
struct score_range {
    uint64_t frames; /* 0: there are none, and no largest */
    double largest;
};

/* Add frames of which 'largest' is the largest score. */
void score_range_add (struct score_range *range, uint64_t frames,
                      double largest);

/* The same where not every score is at hand: n labelled frames, which are
 * sorted, and all frames, these among them, in n_ranges upwards.
 *
 * On average a range begins at each score with a label, where V(s) rises: the
 * largest s of each range is the only one that can be the largest of all that
 * pass.  With a confidence the ranges must not depend on which frames have a
 * label, and s is the largest of the range that a quantile is in; leaving one
 * out is good to a range then.
 */
void calibration_init_ranges (struct calibration *c,
                              const struct calibration_promise *promise,
                              double target, struct scored_frame *labelled,
                              size_t n, const struct score_range *ranges,
                              size_t n_ranges);

/* Frames with score <= level->score are accurate; NULL: none are. */
const struct score_point *calibration_level (const struct calibration *c);

/* The least number of labels with which any s could pass, if of all labels the
 * same share is of score <= s, and wrong; more than there are if no s passes
 * now.  0: no number.
 *
 * On average that is (1 + v n) / (n + 1) <= q F(s) with the share v.  With a
 * confidence, shares are turned into whole numbers that are not too good (wrong
 * ones up, others down), and what would need more than 10,000 wrong ones counts
 * as no number.
 */
uint64_t calibration_labels_needed (const struct calibration *c);

/* The least target for which these labels give a level; NAN: there is none.
 * Another target is set meanwhile.
 */
double calibration_least_target (struct calibration *c);

/* How many labelled frames the level by all others calls accurate, and how many
 * of those are right: what coverage was achieved, on labels without a part in
 * the level.
 */
struct left_out {
    uint64_t accurate;
    uint64_t right;
    uint64_t failed; /* of the others, the label */
};
struct left_out calibration_leave_one_out (const struct calibration *c);

/* The least labelled score from which on more than half of the frames have an
 * error above 'failed' or no label, by isotonic regression on the score (pool
 * adjacent violators: R. Barlow et al., Statistical inference under order
 * restrictions, 1972); NAN: there is none.  An estimate, without a promise.
 */
double calibration_high (const struct calibration *c, double failed);

#endif /* !SELECTION_CALIBRATION_H */
