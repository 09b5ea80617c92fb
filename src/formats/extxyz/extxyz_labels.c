/* SPDX-License-Identifier: BSD-3-Clause */
/* extxyz_labels.c - what programs call energies, forces and stresses */
#include "base/base.h"

#include <strings.h>

#include "formats/extxyz/extxyz_labels.h"

/* The best come first; virials and stresses say the same, so they are one list.
 */
static const struct {
    const char *name;
    enum extxyz_label label;
    bool ours;
} names[] = {
    { "REF_energy", EXTXYZ_ENERGY, false },
    { "dft_energy", EXTXYZ_ENERGY, false },
    { "energy", EXTXYZ_ENERGY, true },
    { "free_energy", EXTXYZ_ENERGY, false },
    { "REF_forces", EXTXYZ_FORCES, false },
    { "REF_force", EXTXYZ_FORCES, false },
    { "dft_forces", EXTXYZ_FORCES, false },
    { "dft_force", EXTXYZ_FORCES, false },
    { "forces", EXTXYZ_FORCES, true },
    { "force", EXTXYZ_FORCES, true },
    { "REF_virials", EXTXYZ_VIRIAL, false },
    { "REF_virial", EXTXYZ_VIRIAL, false },
    { "REF_stress", EXTXYZ_STRESS, false },
    { "dft_virial", EXTXYZ_VIRIAL, false },
    { "dft_virials", EXTXYZ_VIRIAL, false },
    { "dft_stress", EXTXYZ_STRESS, false },
    { "virial", EXTXYZ_VIRIAL, true },
    { "virials", EXTXYZ_VIRIAL, false },
    { "stress", EXTXYZ_STRESS, true },
};

/* Of a key that the user names: above all that are known. */
enum { KEY_RANK = ARRAY_SIZE (names) + 1 };

static bool is_name (const char *known, const char *name, size_t len)
{
    return strlen (known) == len && strncasecmp (known, name, len) == 0;
}

int extxyz_label_rank (const struct extxyz_labels *labels,
                       enum extxyz_label label, const char *name, size_t len)
{
    const char *key = labels ? labels->key[label] : NULL;

    if (key && strlen (key) == len && memcmp (key, name, len) == 0) {
        if (labels->found)
            labels->found[label] = true;
        return KEY_RANK;
    }
    if (key)
        return 0;
    for (size_t i = 0; i < ARRAY_SIZE (names); i++) {
        if (names[i].label != label || !is_name (names[i].name, name, len))
            continue;
        if ((labels && labels->of_anybody)
            || (names[i].ours && memcmp (names[i].name, name, len) == 0))
            return (int)(ARRAY_SIZE (names) - i);
    }
    return 0;
}

bool extxyz_is_label (const char *name, size_t len)
{
    for (size_t i = 0; i < ARRAY_SIZE (names); i++) {
        if (is_name (names[i].name, name, len))
            return true;
    }
    return false;
}

const char *extxyz_label_name (enum extxyz_label label)
{
    static const char *const words[EXTXYZ_LABELS] = {
        [EXTXYZ_ENERGY] = "energy",
        [EXTXYZ_FORCES] = "forces",
        [EXTXYZ_VIRIAL] = "virial",
        [EXTXYZ_STRESS] = "stress",
    };

    return words[label];
}
