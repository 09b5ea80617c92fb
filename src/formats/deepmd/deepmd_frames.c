/* SPDX-License-Identifier: BSD-3-Clause */
/* deepmd_frames.c - the structures of a DeePMD set */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "formats/deepmd/deepmd_frames.h"
#include "formats/frame.h"
#include "formats/lammps/lammps_dump.h"
#include "formats/lammps/lammps_dump_reader.h"
#include "formats/lines.h"
#include "formats/npy/npy_rows.h"

enum { TEXT_MAX_BYTES = 1 << 28 };

struct deepmd_frames {
    char *name; /* of coord.npy */
    struct npy_rows *coordinates;
    struct npy_rows *boxes; /* NULL: not periodic */
    size_t n_atoms;
    size_t *types;         /* of each atom, from 0 */
    struct strvec symbols; /* of each type; may be empty */
};

/* DIR/name when DIR/set/coord.npy is 'path'.  Caller frees. */
static char *beside_set (const char *path, const char *name)
{
    return xasprintf ("%.*s../%s", (int)(path_base (path) - path), path, name);
}

static char *beside (const char *path, const char *name)
{
    return xasprintf ("%.*s%s", (int)(path_base (path) - path), path, name);
}

/* One whole number after the other, in lines of any length. */
static int read_types (struct deepmd_frames *frames,
                       const char *path,
                       struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    struct lines lines = LINES_INIT;
    size_t n = 0;
    int rc = file_read (path, TEXT_MAX_BYTES, &text, err);

    frames->types = xcalloc (frames->n_atoms + 1, sizeof (*frames->types));
    lines_of_text (&lines, text.buf, text.len, path, 1);
    while (rc == 0 && lines_next (&lines, NULL) == 1) {
        while (rc == 0 && !lines_at_end (&lines)) {
            int64_t type = 0;

            if (!lines_take_integer (&lines, &type) || type < 0)
                rc = lines_error (&lines, err,
                                  "expected types of atoms, from 0 on");
            else if (n < frames->n_atoms)
                frames->types[n] = (size_t)type;
            n += rc == 0;
        }
    }
    if (rc == 0 && n != frames->n_atoms)
        rc = error_set (err, "%s: types of %zu atoms, but %s has %zu", path, n,
                        frames->name, frames->n_atoms);
    lines_close (&lines);
    strbuf_release (&text);
    return rc;
}

/* The names of the types, when there are any. */
static int read_symbols (struct deepmd_frames *frames,
                         const char *path,
                         struct error *err)
{
    struct lines lines = LINES_INIT;
    const char *word;
    size_t len;
    int rc = file_look (path, err);

    if (rc <= 0)
        return rc;
    if (lines_open (&lines, path, 0, err) < 0)
        return -1;
    while ((rc = lines_next (&lines, err)) == 1) {
        while (lines_take_word (&lines, &word, &len))
            strvec_pushf (&frames->symbols, "%.*s", (int)len, word);
    }
    lines_close (&lines);
    for (size_t i = 0; rc == 0 && i < frames->n_atoms; i++) {
        if (frames->types[i] >= frames->symbols.n)
            rc = error_set (err, "%s: no name of type %zu", path,
                            frames->types[i]);
    }
    return rc;
}

static int open_boxes (struct deepmd_frames *frames, struct error *err)
{
    char *nopbc = beside_set (frames->name, "nopbc");
    char *path = beside (frames->name, "box.npy");
    int rc = file_look (nopbc, err);

    if (rc == 0) {
        frames->boxes = npy_rows_open (path, err);
        if (!frames->boxes)
            rc = -1;
        else if (npy_rows_count (frames->boxes)
                     != npy_rows_count (frames->coordinates)
                 || (npy_rows_width (frames->boxes) != 9
                     && npy_rows_count (frames->boxes) > 0))
            rc = error_set (err, "%s: expected 9 numbers for each frame of %s",
                            path, frames->name);
    }
    free (nopbc);
    free (path);
    return rc < 0 ? -1 : 0;
}

static int open_all (struct deepmd_frames *frames, struct error *err)
{
    char *types = beside_set (frames->name, "type.raw");
    char *symbols = beside_set (frames->name, "type_map.raw");
    int rc = -1;

    frames->coordinates = npy_rows_open (frames->name, err);
    if (frames->coordinates) {
        frames->n_atoms = npy_rows_width (frames->coordinates) / 3;
        if (read_types (frames, types, err) == 0
            && read_symbols (frames, symbols, err) == 0
            && open_boxes (frames, err) == 0)
            rc = 0;
    }
    free (types);
    free (symbols);
    return rc;
}

struct deepmd_frames *deepmd_frames_open (const char *path, struct error *err)
{
    struct deepmd_frames *frames = xcalloc (1, sizeof (*frames));

    frames->name = xstrdup (path);
    strvec_init (&frames->symbols);
    if (open_all (frames, err) == 0)
        return frames;
    deepmd_frames_close (frames);
    errno = EINVAL; /* what is missing is not what was asked for */
    return NULL;
}

void deepmd_frames_close (struct deepmd_frames *frames)
{
    if (!frames)
        return;
    npy_rows_close (frames->coordinates);
    npy_rows_close (frames->boxes);
    strvec_release (&frames->symbols);
    free (frames->types);
    free (frames->name);
    free (frames);
}

/* Columns element or type, x, y and z. */
static int set_atoms (const struct deepmd_frames *frames,
                      const double *coordinates,
                      struct dump_frame *frame,
                      struct error *err)
{
    bool named = frames->symbols.n > 0;
    const char *heading = named ? "element x y z" : "type x y z";

    frame->n_atoms = frames->n_atoms;
    dump_frame_set_columns (frame, heading, strlen (heading));
    if (dump_frame_resize (frame, named, err) < 0)
        return -1;
    for (size_t i = 0; i < frames->n_atoms; i++) {
        size_t type = frames->types[i];
        const char *symbol = named ? frames->symbols.v[type] : NULL;

        frame->values[4 * i] = named ? NAN : (double)(type + 1);
        memcpy (frame->values + 4 * i + 1, coordinates + 3 * i,
                3 * sizeof (double));
        if (named && symbol_set (frame->elements[i], symbol, strlen (symbol)))
            return error_set (err, "%s: type_map.raw names an element '%s'",
                              frames->name, symbol);
    }
    return 0;
}

int deepmd_frames_read (struct deepmd_frames *frames,
                        uint64_t number,
                        struct dump_frame *frame,
                        struct error *err)
{
    const double *coordinates, *box;
    int rc;

    if (npy_rows_go_to (frames->coordinates, number, err) < 0
        || (frames->boxes && npy_rows_go_to (frames->boxes, number, err) < 0))
        return -1;
    rc = npy_rows_next (frames->coordinates, &coordinates, err);
    if (rc == 1 && set_atoms (frames, coordinates, frame, err) < 0)
        rc = -1;
    memset (frame->cell, 0, sizeof (frame->cell));
    memset (frame->origin, 0, sizeof (frame->origin));
    if (rc == 1 && frames->boxes) {
        rc = npy_rows_next (frames->boxes, &box, err);
        if (rc == 1)
            memcpy (frame->cell, box, sizeof (frame->cell));
    }
    for (int i = 0; i < 3; i++)
        frame->periodic[i] = frames->boxes != NULL;
    frame->step = (int64_t)number;
    frame->offset = number;
    return rc;
}
