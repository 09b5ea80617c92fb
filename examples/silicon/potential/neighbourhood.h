/* SPDX-License-Identifier: BSD-3-Clause */
/* neighbourhood.h - one atom's neighbours within the cutoff */
#ifndef NEIGHBOURHOOD_H
#define NEIGHBOURHOOD_H

#include <stddef.h>

/* The neighbour 'atom' at 'vector' from the atom in the middle. */
struct bond {
    size_t atom;
    double vector[3];   /* A */
    double gradient[3]; /* of the middle atom's energy by 'vector', eV/A */
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

/* Add a bond; its gradient is left for the descriptor.  0, or -1 when memory
 * ran out.
 */
int neighbourhood_add (struct neighbourhood *around,
                       size_t atom,
                       const double vector[3]);

#endif /* !NEIGHBOURHOOD_H */
