/* SPDX-License-Identifier: BSD-3-Clause */
/* likeness.h - are members of a committee one model by different names?
 *
 * Models that were trained apart differ by far more than rounding.  Where two
 * give the same forces to the last bit in every frame, or all deviations are
 * rounding, something gave one model to both, and their deviation says nothing.
 */
#ifndef SELECTION_LIKENESS_H
#define SELECTION_LIKENESS_H

/* Deviations below this, in eV/A or eV/atom, are rounding. */
#define LIKENESS_ROUNDING 1e-10

/* Forces of atoms at rest, in eV/A, tell nothing. */
#define LIKENESS_AT_REST 1e-6

/* Words that those of other ranks are added to: of each pair of members whether
 * they differed, then whether there was a frame with forces.
 */
struct likeness {
    size_t n_models;
    uint64_t *words;
    size_t n_words;
};

void likeness_init (struct likeness *likeness, size_t n_models);
void likeness_release (struct likeness *likeness);

/* Forget all frames. */
void likeness_reset (struct likeness *likeness);

/* Look at what every model says of one frame, n finite numbers each. */
void likeness_add (struct likeness *likeness, const double *const *forces,
                   size_t n);

/* Was there a frame whose atoms were not at rest? */
bool likeness_saw_forces (const struct likeness *likeness);

/* The first two members that never differed; false: there are none, or no frame
 * with forces was seen.
 */
bool likeness_find (const struct likeness *likeness, size_t *a, size_t *b);

#endif /* !SELECTION_LIKENESS_H */
