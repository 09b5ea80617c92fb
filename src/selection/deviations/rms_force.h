/* SPDX-License-Identifier: BSD-3-Clause */
/* rms_force.h - how large the forces of a trajectory are
 *
 * The root of the mean, over all atoms of all frames, of |F|^2: what DP-GEN's
 * model_devi_f_avg_relative divides deviations of forces by.
 */
#ifndef SELECTION_RMS_FORCE_H
#define SELECTION_RMS_FORCE_H

/* Of the file 'path', whose forces (eV/A) formats/vector_reader.h can read;
 * with a '*' in the name, of all files whose name has a step in its place.  NaN
 * when there is no such file, and when a force is not finite.  -1: a file
 * cannot be read, or has no forces.
 */
int rms_force (const char *path, double *rms, struct error *err);

#endif /* !SELECTION_RMS_FORCE_H */
