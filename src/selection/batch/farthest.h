/* SPDX-License-Identifier: BSD-3-Clause */
/* farthest.h - a batch that differs: farthest points
 *
 * The value of a candidate is its distance to the nearest row that is labelled
 * or picked, times a weight; the one with the largest value is picked next.
 * Without weights no point is then farther from the nearest of these than twice
 * what the best batch of that size leaves (T. F. Gonzalez, Theor. Comput. Sci.
 * 38, 293 (1985)).  With g^p, g the force of a frame, it is that of
 * arXiv:2510.08906.
 *
 * Of candidates that several ranks share each holds its own; the largest value
 * of all ranks is picked, and its row is met by all.
 */
#ifndef SELECTION_FARTHEST_H
#define SELECTION_FARTHEST_H

struct farthest {
    const float *rows; /* n of 'width' numbers, lent */
    size_t n;
    size_t width;
    const double *weights; /* of each, not negative; NULL: 1; lent */
    double *nearest;       /* the square of the distance; negative: picked */
};

/* Nothing is met yet: all distances are infinite. */
void farthest_init (struct farthest *farthest, const float *rows, size_t n,
                    size_t width, const double *weights);
void farthest_release (struct farthest *farthest);

/* A row that is labelled, or was picked, here or elsewhere. */
void farthest_meet (struct farthest *farthest, const float *row);

/* The largest value, and the first candidate that has it; negative when none is
 * left.
 */
double farthest_best (const struct farthest *farthest, size_t *best);

/* Candidate i of ours is picked; its row is met by farthest_meet. */
void farthest_take (struct farthest *farthest, size_t i);

#endif /* !SELECTION_FARTHEST_H */
