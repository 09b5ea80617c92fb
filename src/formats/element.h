/* SPDX-License-Identifier: BSD-3-Clause */
/* element.h - what is known of an element by its symbol
 *
 * All are 0 for what is no element, or where nothing is known.
 */
#ifndef FORMATS_ELEMENT_H
#define FORMATS_ELEMENT_H

/* Standard atomic weight in g/mol (IUPAC 2021, abridged to five digits; the
 * mass number of the longest-lived isotope where there is no standard one).
 */
double element_mass (const char *symbol);

/* Half the length of a single bond, in angstrom (B. Cordero et al., Dalton
 * Trans. 2008, 2832), up to Cm.
 */
double covalent_radius (const char *symbol);

/* How close its atoms may come to others, in angstrom: DPGEN2's filter
 * `distance`, which has core radii as plane-wave codes have them.
 */
double safe_radius (const char *symbol);

/* Of lists that end with NULL; NULL is an empty one.  Metals are what is one
 * under usual conditions.
 */
bool elements_are_metals (const char *const *symbols);
bool elements_have_metal (const char *const *symbols);

/* The first that is Cr, Mn, Fe, Co or Ni, or NULL. */
const char *elements_magnetic (const char *const *symbols);

/* The symbol of an atomic number; NULL where there is none. */
const char *element_symbol (int64_t number);

#endif /* !FORMATS_ELEMENT_H */
