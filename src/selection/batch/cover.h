/* SPDX-License-Identifier: BSD-3-Clause */
/* cover.h - a batch that differs: what stands for all candidates
 *
 * A candidate is covered by the largest similarity it has to a row that is
 * labelled or picked: exp (-d^2 / m), m being the median of the squared
 * distances of some pairs; or with a radius 1 up to there, and 0 beyond.  The
 * value of a candidate is what all candidates are covered by more when it is
 * picked.  Picked one by one they cover at least 1 - 1/e of what the best batch
 * covers (G. L. Nemhauser et al., Math. Program. 14, 265 (1978)).
 *
 * Values never rise, so only those that may be the largest are computed again
 * (M. Minoux, 1978).  That needs exact sums: they are whole numbers.
 */
#ifndef SELECTION_COVER_H
#define SELECTION_COVER_H

/* All pairs are compared; and sums stay below 2^53. */
enum { COVER_CANDIDATES_MOST = 20000 };

struct cover {
    const float *rows; /* n of 'width' numbers, lent: all candidates */
    size_t n;
    size_t width;
    size_t begin, end; /* ours: whose values are looked for */
    double radius;     /* the square of it; 0: none */
    double median;
    uint64_t *covered; /* of each, in units of 2^-38 */
    uint64_t *bounds;  /* of ours: the value is at most that, */
    uint64_t *rounds;  /* and was that after so many picks, from 1 */
    uint64_t round;
};

/* n is at most COVER_CANDIDATES_MOST; 'radius' is 0 for none. */
void cover_init (struct cover *cover, const float *rows, size_t n, size_t width,
                 size_t begin, size_t end, double radius);
void cover_release (struct cover *cover);

/* A labelled row; of candidates [begin, end) alone, those of others are theirs
 * to tell.
 */
void cover_meet (struct cover *cover, const float *row);

/* The largest value of ours, and the first that has it; 0: none is worth it. */
uint64_t cover_best (struct cover *cover, size_t *best);

/* Candidate 'i' of all is picked, by whomever. */
void cover_take (struct cover *cover, size_t i);

#endif /* !SELECTION_COVER_H */
