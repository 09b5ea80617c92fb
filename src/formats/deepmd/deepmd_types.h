/* SPDX-License-Identifier: BSD-3-Clause */
/* deepmd_types.h - type.raw, type_map.raw and nopbc of a DeePMD system: what
 * its atoms are
 */
#ifndef FORMATS_DEEPMD_TYPES_H
#define FORMATS_DEEPMD_TYPES_H

#include "formats/frame.h"

struct deepmd_types {
    size_t n_atoms;
    double *types;                /* of each atom, from 1 */
    char (*symbols)[SYMBOL_SIZE]; /* of each; NULL: types have no names */
    struct strvec names;          /* of the types; may be empty */
    bool periodic;
};

/* Read those of the system in 'dir'.  -1 with 'err', which names the file that
 * is missing or does not fit.
 */
int deepmd_types_read_system (struct deepmd_types *types, const char *dir,
                              struct error *err);

/* Read those of the system whose set has 'coord_path', of so many atoms;
 * *periodic is false where there is 'nopbc'.
 */
int deepmd_types_read (struct deepmd_types *types, const char *coord_path,
                       size_t n_atoms, bool *periodic, struct error *err);
void deepmd_types_release (struct deepmd_types *types); /* legal on zeros */

#endif /* !FORMATS_DEEPMD_TYPES_H */
