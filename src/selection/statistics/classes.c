/* SPDX-License-Identifier: BSD-3-Clause */
/* classes.c - is a frame known well, worth a label, or beyond use? */
#include "base/base.h"

#include "selection/statistics/classes.h"

bool levels_valid (const struct levels *levels)
{
    return levels->low >= 0 && levels->low <= levels->high
           && isfinite (levels->high);
}

enum deviation_quantity criteria_main (const struct criteria *criteria)
{
    enum deviation_quantity q = DEVIATION_FORCE;

    while (q < DEVIATION_ENERGY && !criteria->has[q])
        q++;
    return q;
}

enum frame_class classify_value (const struct levels *levels, double value)
{
    if (!(value > -INFINITY)) /* or NaN */
        return FRAME_INVALID;
    if (value < levels->low)
        return FRAME_ACCURATE;
    return value < levels->high ? FRAME_CANDIDATE : FRAME_FAILED;
}

enum frame_class classify_frame (const struct criteria *criteria,
                                 const double value[DEVIATION_QUANTITIES])
{
    bool found[FRAME_CLASSES] = { false }, beyond_use = false;
    double distance = value[DEVIATION_DISTANCE];

    for (int q = 0; q < DEVIATION_DISTANCE; q++) {
        if (!criteria->has[q])
            continue;
        found[classify_value (&criteria->levels[q], value[q])] = true;
        beyond_use |= value[q] == INFINITY;
    }
    if (criteria->has[DEVIATION_DISTANCE]) {
        found[FRAME_INVALID] |= !isfinite (distance);
        beyond_use |= distance <= criteria->levels[DEVIATION_DISTANCE].high;
    }
    if (found[FRAME_INVALID])
        return FRAME_INVALID;
    if (beyond_use)
        return FRAME_FAILED;
    if (criteria->semantics == SEMANTICS_DPGEN && found[FRAME_CANDIDATE])
        return FRAME_CANDIDATE;
    if (found[FRAME_FAILED])
        return FRAME_FAILED;
    return found[FRAME_CANDIDATE] ? FRAME_CANDIDATE : FRAME_ACCURATE;
}

void classify_rows (const struct criteria *criteria,
                    const struct deviation_rows *rows, unsigned char *class)
{
    int n_quantities = 0;

    for (int q = 0; q < DEVIATION_QUANTITIES; q++)
        n_quantities += criteria->has[q];
    if (n_quantities == 1 && !criteria->has[DEVIATION_DISTANCE]) {
        enum deviation_quantity q = criteria_main (criteria);

        for (size_t i = 0; i < rows->n; i++)
            class[i] = (unsigned char)classify_value (&criteria->levels[q],
                                                      rows->value[q][i]);
        return;
    }
    for (size_t i = 0; i < rows->n; i++) {
        double value[DEVIATION_QUANTITIES];

        for (int q = 0; q < DEVIATION_QUANTITIES; q++)
            value[q] = criteria->has[q] ? rows->value[q][i] : 0;
        class[i] = (unsigned char)classify_frame (criteria, value);
    }
}
