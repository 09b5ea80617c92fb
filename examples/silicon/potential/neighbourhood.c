/* SPDX-License-Identifier: BSD-3-Clause */
/* neighbourhood.c - one atom's neighbours within the cutoff */
#include <stdlib.h>
#include <string.h>

#include "neighbourhood.h"

void neighbourhood_release (struct neighbourhood *around)
{
    free (around->bonds);
    *around = (struct neighbourhood)NEIGHBOURHOOD_INIT;
}

static int neighbourhood_grow (struct neighbourhood *around)
{
    size_t capacity = around->capacity ? 2 * around->capacity : 64;
    struct bond *bonds = reallocarray (around->bonds, capacity, sizeof *bonds);

    if (!bonds)
        return -1;
    around->bonds = bonds;
    around->capacity = capacity;
    return 0;
}

int neighbourhood_add (struct neighbourhood *around, size_t atom,
                       const double vector[3])
{
    struct bond *bond;

    if (around->count == around->capacity && neighbourhood_grow (around) < 0)
        return -1;
    bond = &around->bonds[around->count++];
    bond->atom = atom;
    memcpy (bond->vector, vector, sizeof bond->vector);
    return 0;
}
