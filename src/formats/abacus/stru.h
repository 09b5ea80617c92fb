/* SPDX-License-Identifier: BSD-3-Clause */
/* stru.h - structures of ABACUS: the file STRU
 *
 * Blocks with a keyword each: ATOMIC_SPECIES, NUMERICAL_ORBITAL,
 * LATTICE_CONSTANT (bohr), LATTICE_VECTORS (in that), ATOMIC_POSITIONS, where
 * atoms of one species stand together (ABACUS manual, "The STRU file").
 */
#ifndef FORMATS_ABACUS_STRU_H
#define FORMATS_ABACUS_STRU_H

struct frame;

/* What a STRU says of species, {element: value} each. */
struct stru_species {
    const struct json *pseudopotentials; /* file names */
    const struct json *orbitals;         /* file names; NULL or null: none */
    const struct json *magnetization;    /* of an atom, in Bohr magnetons; NULL
                                            or null: 0 */
};

/* Append the frame, whose atoms of one element stand together.  The lattice
 * constant is an angstrom.  An error when an element has no pseudopotential, or
 * orbitals are given and it has none, or it is no element.
 */
int stru_format (const struct frame *frame, const struct stru_species *species,
                 struct strbuf *out, struct error *err);

/* Parse a structure; elements are labels of species without digits at their
 * ends.  Positions may be Direct, Cartesian, Cartesian_angstrom or
 * Cartesian_au.  'frame' must be initialised; it is replaced.
 */
int stru_parse (const char *text, size_t len, const char *name,
                struct frame *frame, struct error *err);

#endif /* !FORMATS_ABACUS_STRU_H */
