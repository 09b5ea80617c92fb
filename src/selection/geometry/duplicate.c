/* SPDX-License-Identifier: BSD-3-Clause */
/* duplicate.c - is a structure one that has a label already? */
#include "base/base.h"

#include "base/hash.h"
#include "formats/frame.h"
#include "selection/geometry/duplicate.h"
#include "selection/geometry/geometry.h"

uint64_t duplicate_key (const struct frame *frame)
{
    uint64_t key = frame->n_atoms;

    for (size_t i = 0; i < frame->n_atoms; i++)
        key = hash_bytes (key, frame->symbols[i], strlen (frame->symbols[i]));
    return key;
}

static bool same_elements (const struct frame *a, const struct frame *b)
{
    if (a->n_atoms != b->n_atoms)
        return false;
    for (size_t i = 0; i < a->n_atoms; i++) {
        if (strcmp (a->symbols[i], b->symbols[i]) != 0)
            return false;
    }
    return true;
}

/* NaN is like nothing. */
static bool same_cells (const struct frame *a, const struct frame *b,
                        double tolerance)
{
    for (int i = 0; i < 9; i++) {
        if (!(fabs (a->cell[i] - b->cell[i]) <= tolerance))
            return false;
    }
    return true;
}

/* How far atom i of b is from that of a, both seen from their first atoms. */
static double shift_of (const struct frame *a, const struct frame *b, size_t i,
                        const double inverse[9])
{
    double apart[3], squared = 0;

    for (size_t j = 0; j < 3; j++)
        apart[j] = (b->positions[3 * i + j] - b->positions[j])
                   - (a->positions[3 * i + j] - a->positions[j]);
    for (size_t axis = 0; inverse && axis < 3; axis++) {
        const double *normal = inverse + 3 * axis, *vector = a->cell + 3 * axis;
        double cells =
            normal[0] * apart[0] + normal[1] * apart[1] + normal[2] * apart[2];

        for (size_t j = 0; a->periodic[axis] && j < 3; j++)
            apart[j] -= floor (cells + 0.5) * vector[j];
    }
    for (size_t j = 0; j < 3; j++)
        squared += apart[j] * apart[j];
    return sqrt (squared);
}

bool duplicate_same (const struct frame *a, const struct frame *b,
                     double tolerance)
{
    double inverse[9], heights[3];
    bool has_volume;

    if (!same_elements (a, b) || !same_cells (a, b, tolerance))
        return false;
    has_volume = geometry_invert_cell (a->cell, inverse, heights);
    for (size_t i = 1; i < a->n_atoms; i++) {
        if (!(shift_of (a, b, i, has_volume ? inverse : NULL) <= tolerance))
            return false;
    }
    return true;
}
