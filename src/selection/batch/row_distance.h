/* SPDX-License-Identifier: BSD-3-Clause */
/* row_distance.h - how far two rows of features are apart */
#ifndef SELECTION_ROW_DISTANCE_H
#define SELECTION_ROW_DISTANCE_H

/* The square of the distance.  Four sums, always added in the same order: the
 * same number wherever a row is.
 */
static inline double row_distance (const float *a, const float *b, size_t width)
{
    double sums[4] = { 0, 0, 0, 0 };
    size_t i = 0;

    for (; i + 4 <= width; i += 4) {
        for (size_t k = 0; k < 4; k++) {
            double off = (double)a[i + k] - (double)b[i + k];

            sums[k] += off * off;
        }
    }
    for (; i < width; i++) {
        double off = (double)a[i] - (double)b[i];

        sums[i % 4] += off * off;
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

#endif /* !SELECTION_ROW_DISTANCE_H */
