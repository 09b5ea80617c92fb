/* SPDX-License-Identifier: BSD-3-Clause */
/* step_files.h - a trajectory whose frames are files: "traj_*.lammpstrj", with
 * the step in place of the star
 */
#ifndef SELECTION_STEP_FILES_H
#define SELECTION_STEP_FILES_H

/* The file of a step; of a path without a star, the path.  Caller frees. */
char *step_file_path (const char *path, int64_t step);

/* Which steps have a file, rising: the same wherever a directory lists its
 * files.  A directory that is not there has none.  Caller frees *steps.
 */
int step_files_list (const char *path, int64_t **steps, size_t *n,
                     struct error *err);

#endif /* !SELECTION_STEP_FILES_H */
