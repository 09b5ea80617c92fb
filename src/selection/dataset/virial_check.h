/* SPDX-License-Identifier: BSD-3-Clause */
/* virial_check.h - do virials say how energies change when frames are strained?
 *
 * For two frames with the same fractional coordinates, cells h and h' (rows are
 * vectors) and e = h^-1 h' - 1, whose symmetric part is the strain,
 *
 *   E' - E = - sum over k, l of (W_kl + W'_kl) / 2 * e_kl + O(e^3)
 *
 * with the virial W in eV, positive under compression (frame.h).  What the
 * energies of all pairs do is compared with what the virials say.
 */
#ifndef SELECTION_VIRIAL_CHECK_H
#define SELECTION_VIRIAL_CHECK_H

struct like_frame;

/* What virials may be mistaken for, each of either sign. */
enum virial_meaning {
    VIRIAL_TOTAL,    /* in eV: as it should be */
    VIRIAL_PER_ATOM, /* in eV */
    STRESS_EV,       /* negative under compression, as -W: eV/A^3 */
    STRESS_GPA,
    STRESS_KBAR,
    VIRIAL_HARTREE,
    VIRIAL_MEANINGS,
};

/* Sums of products over pairs: of what energies do and what they should. */
struct virial_check {
    size_t n_pairs;
    double energies; /* of dE^2 */
    double products[VIRIAL_MEANINGS];
    double squares[VIRIAL_MEANINGS];
};

#define VIRIAL_CHECK_INIT                                                      \
    {                                                                          \
        0                                                                      \
    }

/* Add a pair; not one that is strained too much (5 %), turned, without labels,
 * or whose energies neither change nor should (1e-5 eV).  True when it counts.
 */
bool virial_check_add (struct virial_check *check, const struct like_frame *a,
                       const struct like_frame *b);

enum virial_verdict {
    VIRIAL_UNKNOWN,     /* no pairs */
    VIRIAL_AGREES,      /* within 20 % */
    VIRIAL_CONTRADICTS, /* *meaning is what would agree */
    VIRIAL_UNRELATED,   /* nothing would */
};

/* 'ratio' is by how much energies change for each eV that the virials say;
 * 'negative' says that the meaning agrees with its sign turned.
 */
struct virial_finding {
    enum virial_verdict verdict;
    double ratio;
    enum virial_meaning meaning;
    bool negative;
};

struct virial_finding virial_check_judge (const struct virial_check *check);

/* "the virial of each atom in eV" */
const char *virial_meaning_text (enum virial_meaning meaning);

#endif /* !SELECTION_VIRIAL_CHECK_H */
