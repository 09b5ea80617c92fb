/* SPDX-License-Identifier: BSD-3-Clause */
/* feature_file.h - the features of frames, out of a NumPy array
 *
 *   [frames, d]          a row for each frame
 *   [frames, atoms, d]   with a pool: those of the atoms become the frame's
 *   [atoms, d]           with a pool: the atoms of all frames, one after the
 *                        other; only for a file whose frames are known
 *
 * Pooled are the mean, the largest or the sum of each feature over the atoms.
 */
#ifndef SELECTION_FEATURE_FILE_H
#define SELECTION_FEATURE_FILE_H

enum feature_pool { POOL_NONE, POOL_MEAN, POOL_MAX, POOL_SUM };

/* The words for it, and those for enum feature_scale; NULL-terminated. */
extern const char *const feature_pools[];
extern const char *const feature_scales[];

/* Where the features of a frame are. */
struct feature_place {
    uint64_t frame;   /* its number in the file, from 0 */
    uint64_t atom;    /* atoms of the frames before it */
    uint64_t n_atoms; /* of itself */
};

struct feature_file;

/* NULL with an absence (base/error.h) when there is no such file. */
struct feature_file *feature_file_open (const char *path,
                                        enum feature_pool pool,
                                        struct error *err);
void feature_file_close (struct feature_file *file); /* NULL is legal */
void feature_file_release (struct feature_file **file);

/* Numbers of a row: d. */
size_t feature_file_width (const struct feature_file *file);

/* How many frames it is of; -1 with 'err' when it holds atoms of frames that
 * it does not tell.
 */
int64_t feature_file_frames (const struct feature_file *file,
                             struct error *err);

/* Does it fit a trajectory of so many frames, with so many atoms in all? */
int feature_file_check (const struct feature_file *file, uint64_t n_frames,
                        uint64_t n_atoms, struct error *err);

/* The features of a frame, lent until the next call.  -1: they are not there,
 * or one of them is not finite; the message names file and row.
 */
int feature_file_read (struct feature_file *file,
                       const struct feature_place *place, const double **row,
                       struct error *err);

#endif /* !SELECTION_FEATURE_FILE_H */
