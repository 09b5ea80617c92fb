/* SPDX-License-Identifier: BSD-3-Clause */
/* vector_npy.c - positions or forces out of NumPy arrays, as in DeePMD sets */
#include "base/base.h"

#include "base/file.h"
#include "formats/deepmd/deepmd_types.h"
#include "formats/npy/npy_rows.h"
#include "formats/vector_source.h"

/* Arrays of which row i belongs to frame i. */
enum { VECTORS, ENERGIES, VIRIALS, BOXES, ARRAYS };

struct npy_source {
    struct vector_reader reader;
    struct npy_rows *arrays[ARRAYS]; /* NULL: not asked for, or no boxes */
    struct deepmd_types types;       /* when the structure is */
    uint64_t row;                    /* the next one */
};

static void close_source (struct vector_reader *reader)
{
    _cleanup_free_ struct npy_source *source = (struct npy_source *)reader;

    for (int i = 0; i < ARRAYS; i++)
        npy_rows_close (source->arrays[i]);
    deepmd_types_release (&source->types);
}

/* What an array beside the vectors holds. */
static const struct companion {
    const char *name;
    size_t width;
} companions[ARRAYS] = {
    [ENERGIES] = { "energy.npy", 1 },
    [VIRIALS] = { "virial.npy", 9 },
    [BOXES] = { "box.npy", 9 },
};

static int open_beside (struct npy_source *source, const char *path, int array,
                        struct error *err)
{
    const struct companion *companion = &companions[array];
    _cleanup_free_ char *beside = xasprintf (
        "%.*s%s", (int)(path_base (path) - path), path, companion->name);
    uint64_t n = npy_rows_count (source->arrays[VECTORS]);
    struct npy_rows *rows = npy_rows_open (beside, err);
    int rc = 0;

    source->arrays[array] = rows;
    if (!rows) {
        rc =
            array == BOXES
                ? -1
                : error_prefix (err, "there are levels for what %s should hold",
                                companion->name);
        if (err && error_is_absence (err))
            err->number = EINVAL; /* the file that was asked for is there */
    } else if (npy_rows_count (rows) != n
               || (n > 0 && npy_rows_width (rows) != companion->width)) {
        rc = error_set (err,
                        "%s: %llu rows of %zu numbers; expected %llu of %zu, "
                        "as %s has so many frames",
                        beside, (unsigned long long)npy_rows_count (rows),
                        npy_rows_width (rows), (unsigned long long)n,
                        companion->width, path_base (path));
    }
    return rc;
}

static int open_structure (struct npy_source *source, const char *path,
                           struct error *err)
{
    size_t n_atoms = npy_rows_width (source->arrays[VECTORS]) / 3;
    bool periodic;

    if (deepmd_types_read (&source->types, path, n_atoms, &periodic, err) == 0
        && (!periodic || open_beside (source, path, BOXES, err) == 0))
        return 0;
    if (err && error_is_absence (err))
        err->number = EINVAL; /* what is missing is not what was asked for */
    return -1;
}

static int open_arrays (struct npy_source *source, const char *path,
                        const struct vector_options *options, struct error *err)
{
    source->arrays[VECTORS] = npy_rows_open (path, err);
    if (!source->arrays[VECTORS])
        return -1;
    if (npy_rows_width (source->arrays[VECTORS]) % 3 != 0)
        return error_set (err,
                          "%s: rows of %zu numbers; expected three an atom",
                          path, npy_rows_width (source->arrays[VECTORS]));
    if ((options->energy && open_beside (source, path, ENERGIES, err) < 0)
        || (options->virial && open_beside (source, path, VIRIALS, err) < 0)
        || (options->structure && open_structure (source, path, err) < 0))
        return -1;
    return 0;
}

static struct vector_reader *open_source (const char *path,
                                          const struct vector_options *options,
                                          struct error *err)
{
    struct npy_source *source = xcalloc (1, sizeof (*source));

    if (open_arrays (source, path, options, err) == 0)
        return &source->reader;
    close_source (&source->reader);
    return NULL;
}

/* The next row of every array; what is not there becomes zeros. */
static int next (struct vector_reader *reader, struct vector_frame *frame,
                 struct error *err)
{
    struct npy_source *source = (struct npy_source *)reader;
    double *const to[ARRAYS] = { [ENERGIES] = &frame->energy,
                                 [VIRIALS] = frame->virial,
                                 [BOXES] = frame->cell };
    const double *values;

    memset (frame->cell, 0, sizeof (frame->cell));
    for (int i = 0; i < ARRAYS; i++) {
        struct npy_rows *rows = source->arrays[i];
        int rc = rows ? npy_rows_next (rows, &values, err) : 1;

        if (rc != 1) {
            reader->truncated |= npy_rows_truncated (rows);
            return rc;
        }
        if (i == VECTORS)
            frame->vectors = values;
        else if (rows)
            memcpy (to[i], values, companions[i].width * sizeof (double));
    }
    frame->has_step = false;
    frame->step = (int64_t)source->row;
    frame->place = source->row++;
    frame->n_atoms = npy_rows_width (source->arrays[VECTORS]) / 3;
    frame->ids = frame->forces = NULL;
    frame->units = NULL;
    for (int i = 0; i < 3; i++)
        frame->periodic[i] = source->arrays[BOXES] != NULL;
    frame->types = source->types.types;
    frame->symbols = (const char (*)[SYMBOL_SIZE])source->types.symbols;
    return 1;
}

static int go_to (struct vector_reader *reader, uint64_t place,
                  struct error *err)
{
    struct npy_source *source = (struct npy_source *)reader;

    source->row = place;
    for (int i = 0; i < ARRAYS; i++) {
        if (source->arrays[i]
            && npy_rows_go_to (source->arrays[i], place, err) < 0)
            return -1;
    }
    return 0;
}

const struct vector_source vector_npy = {
    open_source, close_source, next, go_to, NULL,
};
