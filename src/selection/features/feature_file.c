/* SPDX-License-Identifier: BSD-3-Clause */
/* feature_file.c - the features of frames, out of a NumPy array */
#include "base/base.h"

#include "formats/npy/npy.h"
#include "formats/npy/npy_rows.h"
#include "selection/features/feature_file.h"
#include "selection/features/scaling.h"

const char *const feature_pools[] = {
    [POOL_NONE] = "none",
    [POOL_MEAN] = "mean",
    [POOL_MAX] = "max",
    [POOL_SUM] = "sum",
    NULL,
};

const char *const feature_scales[] = {
    [SCALE_NONE] = "none",
    [SCALE_STANDARD] = "standard",
    [SCALE_WHITEN] = "whiten",
    NULL,
};

struct feature_file {
    char *path;
    struct npy_rows *rows;
    enum feature_pool pool;
    uint64_t at; /* the next row */
    size_t width;
    bool flat; /* rows are atoms, of all frames */
    double *pooled;
};

void feature_file_close (struct feature_file *file)
{
    if (!file)
        return;
    npy_rows_close (file->rows);
    free (file->pooled);
    free (file->path);
    free (file);
}

void feature_file_release (struct feature_file **file)
{
    feature_file_close (*file);
    *file = NULL;
}

static int check_shape (struct feature_file *file, struct error *err)
{
    const struct npy_header *header = npy_rows_header (file->rows);
    int n_dims = header->n_dims;
    uint64_t width = n_dims > 0 ? header->shape[n_dims - 1] : 0;

    if (n_dims == 3 && file->pool == POOL_NONE)
        return error_set (err,
                          "%s: features of atoms, [frames, atoms, d]; write "
                          "pool: mean, max or sum beside it",
                          file->path);
    if (n_dims != 2 && n_dims != 3)
        return error_set (err,
                          "%s: an array of %d extents; features are [frames, "
                          "d], or of atoms [frames, atoms, d] or [atoms, d]",
                          file->path, n_dims);
    if (width < 1 || width > FEATURES_MAX)
        return error_set (err,
                          "%s: rows of %llu features; there may be 1 to %d",
                          file->path, (unsigned long long)width, FEATURES_MAX);
    file->width = (size_t)width;
    file->flat = n_dims == 2 && file->pool != POOL_NONE;
    return 0;
}

struct feature_file *feature_file_open (const char *path,
                                        enum feature_pool pool,
                                        struct error *err)
{
    struct feature_file *file = xcalloc (1, sizeof (*file));

    file->path = xstrdup (path);
    file->pool = pool;
    file->rows = npy_rows_open (path, err);
    if (file->rows && check_shape (file, err) == 0) {
        file->pooled = xcalloc (file->width, sizeof (*file->pooled));
        return file;
    }
    feature_file_close (file);
    return NULL;
}

size_t feature_file_width (const struct feature_file *file)
{
    return file->width;
}

int64_t feature_file_frames (const struct feature_file *file, struct error *err)
{
    if (file->flat)
        return error_set (err,
                          "%s: which of its atoms are of which frame is not "
                          "known; save them as [frames, atoms, d], or pooled, "
                          "as [frames, 1, d]",
                          file->path);
    return (int64_t)npy_rows_count (file->rows);
}

int feature_file_check (const struct feature_file *file, uint64_t n_frames,
                        uint64_t n_atoms, struct error *err)
{
    uint64_t found = npy_rows_count (file->rows);

    if (found == (file->flat ? n_atoms : n_frames))
        return 0;
    return error_set (err,
                      "%s: %llu rows, but the trajectory has %llu %s; save a "
                      "row for each, in its order",
                      file->path, (unsigned long long)found,
                      (unsigned long long)(file->flat ? n_atoms : n_frames),
                      file->flat ? "atoms in all its frames" : "frames");
}

/* Row 'at' as it stands. */
static int read_row (struct feature_file *file, uint64_t at,
                     const double **values, struct error *err)
{
    int rc = at == file->at ? 0 : npy_rows_go_to (file->rows, at, err);

    if (rc == 0)
        rc = npy_rows_next (file->rows, values, err);
    file->at = at + 1;
    if (rc == 0)
        error_set (err, "%s: row %llu is not there: the file is cut",
                   file->path, (unsigned long long)at);
    return rc == 1 ? 0 : -1;
}

static int check_finite (const struct feature_file *file, uint64_t at,
                         const double *values, size_t n, struct error *err)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite (values[i]))
            return error_set (err,
                              "%s: row %llu (from 0): feature %zu is not a "
                              "finite number",
                              file->path, (unsigned long long)at,
                              i % file->width);
    }
    return 0;
}

static void pool_atoms (struct feature_file *file, const double *atoms,
                        size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < file->width; k++) {
            double value = atoms[i * file->width + k];

            if (file->pool == POOL_MAX)
                file->pooled[k] = fmax (file->pooled[k], value);
            else
                file->pooled[k] += value;
        }
    }
}

static int read_atoms (struct feature_file *file, uint64_t at, uint64_t n_rows,
                       struct error *err)
{
    size_t in_row = npy_rows_width (file->rows);
    const double *values;

    for (size_t k = 0; k < file->width; k++)
        file->pooled[k] = file->pool == POOL_MAX ? -INFINITY : 0;
    for (uint64_t i = 0; i < n_rows; i++) {
        if (read_row (file, at + i, &values, err) < 0
            || check_finite (file, at + i, values, in_row, err) < 0)
            return -1;
        pool_atoms (file, values, in_row / file->width);
    }
    for (size_t k = 0; file->pool == POOL_MEAN && k < file->width; k++)
        file->pooled[k] /= (double)(n_rows * (in_row / file->width));
    return check_finite (file, at, file->pooled, file->width, err);
}

int feature_file_read (struct feature_file *file,
                       const struct feature_place *place, const double **row,
                       struct error *err)
{
    if (file->pool == POOL_NONE) {
        if (read_row (file, place->frame, row, err) < 0)
            return -1;
        return check_finite (file, place->frame, *row, file->width, err);
    }
    *row = file->pooled;
    return file->flat ? read_atoms (file, place->atom, place->n_atoms, err)
                      : read_atoms (file, place->frame, 1, err);
}
