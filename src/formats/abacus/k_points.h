/* SPDX-License-Identifier: BSD-3-Clause */
/* k_points.h - does an INPUT of ABACUS choose its k-points itself?
 *
 * `kspacing` above 0 does, and `gamma_only`, so that no file KPT is read.
 */
#ifndef FORMATS_ABACUS_K_POINTS_H
#define FORMATS_ABACUS_K_POINTS_H

struct abacus_k_points {
    bool spacing, gamma;
};

/* Note one line of an INPUT: its key, in letters of any case, and the first
 * word behind it.
 */
void abacus_k_points_note (const char *key, const char *value,
                           struct abacus_k_points *k_points);

#endif /* !FORMATS_ABACUS_K_POINTS_H */
