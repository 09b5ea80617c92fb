/* SPDX-License-Identifier: BSD-3-Clause */
/* vector_npy.c - positions or forces out of NumPy arrays, as in DeePMD sets */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "formats/npy/npy_rows.h"
#include "formats/vector_reader.h"
#include "formats/vector_source.h"

/* Arrays of which row i belongs to frame i. */
struct npy_source {
    struct npy_rows *vectors;
    struct npy_rows *energies; /* NULL: not asked for */
    struct npy_rows *virials;
    uint64_t row; /* the next one */
};

static void close_source (void *self)
{
    struct npy_source *source = self;

    npy_rows_close (source->vectors);
    npy_rows_close (source->energies);
    npy_rows_close (source->virials);
    free (source);
}

/* Open an array of so many rows of 'width'. */
static struct npy_rows *open_beside (const char *path,
                                     const char *name,
                                     size_t width,
                                     uint64_t n_rows,
                                     struct error *err)
{
    char *beside =
        xasprintf ("%.*s%s", (int)(path_base (path) - path), path, name);
    struct npy_rows *rows = npy_rows_open (beside, err);

    if (!rows) {
        error_prefix (err, "there are levels for what %s should hold", name);
        if (err && error_is_absence (err))
            err->number = EINVAL; /* the file that was asked for is there */
    } else if (npy_rows_count (rows) != n_rows
               || (n_rows > 0 && npy_rows_width (rows) != width)) {
        error_set (err,
                   "%s: %llu rows of %zu numbers; expected %llu of %zu, as %s "
                   "has so many frames",
                   beside, (unsigned long long)npy_rows_count (rows),
                   npy_rows_width (rows), (unsigned long long)n_rows, width,
                   path_base (path));
        npy_rows_close (rows);
        rows = NULL;
    }
    free (beside);
    return rows;
}

static int open_arrays (struct npy_source *source,
                        const char *path,
                        const struct vector_options *options,
                        struct error *err)
{
    uint64_t n;

    source->vectors = npy_rows_open (path, err);
    if (!source->vectors)
        return -1;
    n = npy_rows_count (source->vectors);
    if (npy_rows_width (source->vectors) % 3 != 0)
        return error_set (err,
                          "%s: rows of %zu numbers; expected three an atom",
                          path, npy_rows_width (source->vectors));
    if (options->energy)
        source->energies = open_beside (path, "energy.npy", 1, n, err);
    if (options->virial && (!options->energy || source->energies))
        source->virials = open_beside (path, "virial.npy", 9, n, err);
    if ((options->energy && !source->energies)
        || (options->virial && !source->virials))
        return -1;
    return 0;
}

static void *open_source (const char *path,
                          const struct vector_options *options,
                          struct error *err)
{
    struct npy_source *source = xcalloc (1, sizeof (*source));

    if (open_arrays (source, path, options, err) == 0)
        return source;
    close_source (source);
    return NULL;
}

/* A row of an array that may not be asked for. */
static int next_row (struct npy_rows *rows,
                     double *out,
                     size_t width,
                     struct error *err)
{
    const double *values;
    int rc = rows ? npy_rows_next (rows, &values, err) : 1;

    if (rows && rc == 1)
        memcpy (out, values, width * sizeof (*out));
    return rc;
}

static int next (void *self, struct vector_frame *frame, struct error *err)
{
    struct npy_source *source = self;
    int rc = npy_rows_next (source->vectors, &frame->vectors, err);

    if (rc == 1)
        rc = next_row (source->energies, &frame->energy, 1, err);
    if (rc == 1)
        rc = next_row (source->virials, frame->virial, 9, err);
    if (rc != 1)
        return rc;
    frame->has_step = false;
    frame->step = (int64_t)source->row;
    frame->place = source->row++;
    frame->n_atoms = npy_rows_width (source->vectors) / 3;
    frame->ids = NULL;
    return 1;
}

static bool truncated (const void *self)
{
    const struct npy_source *source = self;

    return npy_rows_truncated (source->vectors)
           || (source->energies && npy_rows_truncated (source->energies))
           || (source->virials && npy_rows_truncated (source->virials));
}

static int go_to (void *self, uint64_t place, struct error *err)
{
    struct npy_source *source = self;

    source->row = place;
    if (npy_rows_go_to (source->vectors, place, err) < 0
        || (source->energies
            && npy_rows_go_to (source->energies, place, err) < 0)
        || (source->virials
            && npy_rows_go_to (source->virials, place, err) < 0))
        return -1;
    return 0;
}

const struct vector_source vector_npy = {
    open_source, close_source, next, truncated, go_to, NULL,
};
