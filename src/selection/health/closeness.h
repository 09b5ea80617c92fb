/* SPDX-License-Identifier: BSD-3-Clause */
/* closeness.h - how close atoms come, by how close they are where there are
 * labels
 *
 * Images along periodic directions count, an atom's own, too.
 */
#ifndef SELECTION_CLOSENESS_H
#define SELECTION_CLOSENESS_H

struct closest_pairs;
struct geometry;

/* Of each two elements, by their numbers, the least distance in labelled
 * frames, a * n + b and b * n + a; INFINITY: none was found.
 */
struct closeness {
    size_t n;      /* elements */
    double *least; /* A */
    double part;   /* of these; closer atoms are too close */
    double reach;  /* A: the farthest that is too close; 0: nothing is */
};

/* The pair of a trajectory that is closest by the least distance of its
 * elements, of those that are too close.
 */
struct close_pair {
    double ratio; /* of both distances; INFINITY: there is none */
    double step;
    double pair;     /* a * n + b with a <= b */
    double distance; /* A */
};

/* Which of two is worse: negative, 0 or positive, as for qsort; equal ones are
 * the same in all numbers.
 */
int close_pair_compare (const struct close_pair *a, const struct close_pair *b);

/* None yet: INFINITY. */
#define CLOSE_PAIR_NONE                                                        \
    {                                                                          \
        INFINITY, INFINITY, INFINITY, INFINITY                                 \
    }

void closeness_init (struct closeness *closeness, size_t n_elements,
                     double part);
void closeness_release (struct closeness *closeness);

/* Take over least distances; pairs of elements that are not among 'elements'
 * are left out.
 */
void closeness_take (struct closeness *closeness,
                     const struct closest_pairs *pairs,
                     const struct strvec *elements);

/* Find how far to look, when all distances are known. */
void closeness_find_reach (struct closeness *closeness);

/* Look at a frame of 'step', whose atoms have elements of these numbers (n or
 * more: none that is known), and note its worst pair where that is worse than
 * 'worst'.  False, and nothing is noted: it is no configuration, with numbers
 * that are not finite, or a cell that is periodic and lower than
 * CLOSEST_PAIRS_HEIGHT.
 */
bool closeness_look (const struct closeness *closeness,
                     const struct geometry *geometry, const size_t *element,
                     int64_t step, struct close_pair *worst);

#endif /* !SELECTION_CLOSENESS_H */
