/* SPDX-License-Identifier: BSD-3-Clause */
/* feature_places.h - which rows of features are those of drawn frames
 *
 * Files of features have a row for each frame, or atom, of the trajectory, in
 * its order: so it is read from its start, counting.
 */
#ifndef REDUCE_FEATURE_PLACES_H
#define REDUCE_FEATURE_PLACES_H

#include "selection/features/feature_file.h"

struct selection_input;
struct trajectory;

/* Set found[i] for the frame that starts at starts[i] in the trajectory's file,
 * and forces[i] to the root mean square of the forces on its atoms in eV/A
 * (NULL: not wanted); *all is what follows the last frame.  -1: the file cannot
 * be read, has no such frame, or no forces.
 */
int feature_places_find (const struct selection_input *input,
                         const struct trajectory *trajectory,
                         const uint64_t *starts, size_t n,
                         struct feature_place *found, double *forces,
                         struct feature_place *all, struct error *err);

#endif /* !REDUCE_FEATURE_PLACES_H */
