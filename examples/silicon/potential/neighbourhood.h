/* SPDX-License-Identifier: BSD-3-Clause */
/* neighbourhood.h - one atom's neighbours within the cutoff */
#ifndef NEIGHBOURHOOD_H
#define NEIGHBOURHOOD_H

#include <stddef.h>

#define DESCRIPTOR_MAX_RADIAL2 16
#define DESCRIPTOR_MAX_RADIAL3 8
#define DESCRIPTOR_MAX_RANK 4
#define DESCRIPTOR_MAX_COMPONENTS 35 /* x^a y^b z^c with a + b + c <= 4 */

/* Arrays over components end in zeros up to here: with an even, constant
 * length compilers make vector instructions of loops over them at -O2.
 */
#define DESCRIPTOR_PADDED_COMPONENTS 36

/* What the descriptor works out for a bond once and needs twice. */
struct bond_terms {
    double length;
    double direction[3];
    double radial[DESCRIPTOR_MAX_RADIAL2];
    double radial_slope[DESCRIPTOR_MAX_RADIAL2];   /* by the length */
    double monomial[DESCRIPTOR_PADDED_COMPONENTS]; /* of the direction */
};

/* The neighbour 'atom' at 'vector' from the atom in the middle. */
struct bond {
    size_t atom;
    double vector[3];        /* A */
    double gradient[3];      /* of the middle atom's energy by it, eV/A */
    struct bond_terms terms; /* the descriptor's own */
};

/* Reused from atom to atom, so that nothing is allocated in the inner loop. */
struct neighbourhood {
    struct bond *bonds;
    size_t count;
    size_t capacity;
};

#define NEIGHBOURHOOD_INIT                                                     \
    {                                                                          \
        NULL, 0, 0                                                             \
    }

void neighbourhood_release (struct neighbourhood *around);

/* Add a bond; gradient and terms are left to the descriptor.  0, or -1 when
 * memory ran out.
 */
int neighbourhood_add (struct neighbourhood *around, size_t atom,
                       const double vector[3]);

#endif /* !NEIGHBOURHOOD_H */
