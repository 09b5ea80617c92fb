/* SPDX-License-Identifier: BSD-3-Clause */
/* pseudo_element.h - of which element a pseudopotential, or a set of orbitals,
 * is: by the header of UPF (version 1 and 2), the first line of GTH, the line
 * "Element" of ABACUS's orbitals
 */
#ifndef FORMATS_PSEUDO_ELEMENT_H
#define FORMATS_PSEUDO_ELEMENT_H

#include "formats/frame.h"

/* False: the file does not say it, or cannot be read. */
bool pseudo_element (const char *path, char symbol[SYMBOL_SIZE]);

/* The functional that the header of a UPF names, as people call it: "LDA",
 * "PBE", "PBEsol" or "BLYP"; NULL: it names none of these.
 */
const char *pseudo_functional (const char *path);

/* Does the header of a UPF say that charge is augmented (ultrasoft, PAW)? */
bool pseudo_is_augmented (const char *path);

/* The cutoff of wave functions that the header of a UPF suggests, in Ry; 0: it
 * suggests none.
 */
double pseudo_cutoff (const char *path);

#endif /* !FORMATS_PSEUDO_ELEMENT_H */
