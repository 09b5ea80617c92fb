/* SPDX-License-Identifier: BSD-3-Clause */
/* force_check.h - do forces say how energies change from frame to frame?
 *
 * For two frames of the same atoms in the same cell whose atoms are d apart,
 *
 *   E' - E = - sum over atoms of (F + F') / 2 . d + O(d^3)
 *
 * as it is for frames of an MD that follow each other.  The ratio of what the
 * energies do and what the forces say is 1; it tells the unit and the sign.
 */
#ifndef SELECTION_FORCE_CHECK_H
#define SELECTION_FORCE_CHECK_H

struct frame;

struct force_check {
    /* The frame before; no atoms: it had no labels. */
    uint64_t key; /* of the elements, in order */
    size_t n_atoms;
    double cell[9];
    double energy;
    double *positions, *forces; /* room for 3 * atoms_alloc each */
    size_t atoms_alloc;

    double *ratios; /* one a pair */
    size_t n_pairs, alloc;
};

#define FORCE_CHECK_INIT                                                       \
    {                                                                          \
        0                                                                      \
    }

/* Compare the frame with the one that was added before.  True when the pair
 * counts: both are labelled, no atom moved by more than 0.3 A, and the energies
 * change, or should, by 0.01 eV.
 */
bool force_check_add (struct force_check *check, const struct frame *frame);
void force_check_release (struct force_check *check);

struct force_finding {
    bool contradicts;  /* false also where there are fewer than 5 pairs */
    double ratio;      /* the median; 0: energies do not change */
    const char *cause; /* what would explain it, static; NULL: not known */
};

/* Sorts the ratios. */
struct force_finding force_check_judge (struct force_check *check);

#endif /* !SELECTION_FORCE_CHECK_H */
