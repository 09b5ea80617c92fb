/* SPDX-License-Identifier: BSD-3-Clause */
/* extxyz_labels.h - what programs call energies, forces and stresses in
 * extended XYZ
 *
 *   Fanfold, ASE, NEP   energy, forces or force, virial, stress, in any case;
 *                       ASE also free_energy
 *   MACE                REF_energy, REF_forces, REF_virials, REF_stress
 *                       (mace/tools/default_keys.py)
 *   GAP                 dft_energy, dft_force, dft_virial (as in the examples
 *                       of gap_fit, where names are the user's)
 *
 * Virials are in eV, positive under compression, with all of them; stresses in
 * eV/A^3, negative under compression.
 */
#ifndef FORMATS_EXTXYZ_LABELS_H
#define FORMATS_EXTXYZ_LABELS_H

enum extxyz_label {
    EXTXYZ_ENERGY,
    EXTXYZ_FORCES, /* a column */
    EXTXYZ_VIRIAL,
    EXTXYZ_STRESS,
    EXTXYZ_LABELS,
};

/* Which names are labels.  Zeros: those that Fanfold writes; all other keys are
 * kept as they stand.
 */
struct extxyz_labels {
    bool of_anybody;                /* the best name of the table above */
    const char *key[EXTXYZ_LABELS]; /* or this one alone; NULL: not said */
    bool *found; /* EXTXYZ_LABELS of them: set where a key was seen; or NULL */
};

#define EXTXYZ_LABELS_OF_ANYBODY                                               \
    {                                                                          \
        .of_anybody = true                                                     \
    }

/* How well a name says that something is the label: 0 not at all, and of two
 * names the larger counts: a key that the user said, then a reference (REF_,
 * dft_), then what may be any calculator's.  Ranks of virials and of stresses
 * may be compared.  'labels' may be NULL, as zeros.
 */
int extxyz_label_rank (const struct extxyz_labels *labels,
                       enum extxyz_label label, const char *name, size_t len);

/* Has any program a label by that name? */
bool extxyz_is_label (const char *name, size_t len);

/* "energy", "forces" ... */
const char *extxyz_label_name (enum extxyz_label label);

#endif /* !FORMATS_EXTXYZ_LABELS_H */
