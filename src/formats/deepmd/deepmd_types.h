/* SPDX-License-Identifier: BSD-3-Clause */
/* deepmd_types.h - what the atoms of a DeePMD set are
 *
 *   DIR/type.raw, type_map.raw, nopbc   (deepmd-kit/doc/data/system.md)
 *   DIR/set.000/coord.npy
 */
#ifndef FORMATS_DEEPMD_TYPES_H
#define FORMATS_DEEPMD_TYPES_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/frame.h"

struct error;

struct deepmd_types {
    double *types;                /* of each atom, from 1 */
    char (*symbols)[SYMBOL_SIZE]; /* of each; NULL: types have no names */
};

/* Read what belongs to the n_atoms of 'coord_path'; *periodic is false where
 * there is 'nopbc'.  -1 with 'err', which names the file that is missing or
 * does not fit.
 */
int deepmd_types_read (struct deepmd_types *types, const char *coord_path,
                       size_t n_atoms, bool *periodic, struct error *err);
void deepmd_types_release (struct deepmd_types *types); /* legal on zeros */

#endif /* !FORMATS_DEEPMD_TYPES_H */
