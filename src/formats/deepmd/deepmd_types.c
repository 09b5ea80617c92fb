/* SPDX-License-Identifier: BSD-3-Clause */
/* deepmd_types.c - what the atoms of a DeePMD set are */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "formats/deepmd/deepmd_types.h"
#include "formats/lines.h"

enum { TEXT_MAX_BYTES = 1 << 28 };

/* DIR/name when DIR/set/coord.npy is 'path'.  Caller frees. */
static char *beside_set (const char *path, const char *name)
{
    return xasprintf ("%.*s../%s", (int)(path_base (path) - path), path, name);
}

/* One whole number after the other, in lines of any length. */
static int read_types (struct deepmd_types *types, const char *path,
                       const char *coord_path, size_t n_atoms,
                       struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    struct lines lines = LINES_INIT;
    size_t n = 0;
    int rc = file_read (path, TEXT_MAX_BYTES, &text, err);

    types->types = xcalloc (n_atoms + 1, sizeof (*types->types));
    lines_of_text (&lines, text.buf, text.len, path, 1);
    while (rc == 0 && lines_next (&lines, NULL) == 1) {
        while (rc == 0 && !lines_at_end (&lines)) {
            int64_t type = 0;

            if (!lines_take_integer (&lines, &type) || type < 0)
                rc = lines_error (&lines, err,
                                  "expected types of atoms, from 0 on");
            else if (n < n_atoms)
                types->types[n] = (double)type + 1;
            n += rc == 0;
        }
    }
    if (rc == 0 && n != n_atoms)
        rc = error_set (err, "%s: types of %zu atoms, but %s has %zu", path, n,
                        coord_path, n_atoms);
    lines_close (&lines);
    strbuf_release (&text);
    return rc;
}

/* The names of the types, when there are any. */
static int read_symbols (struct deepmd_types *types, const char *path,
                         size_t n_atoms, struct error *err)
{
    struct lines lines = LINES_INIT;
    struct strvec names = STRVEC_INIT;
    const char *word;
    size_t len;
    int rc = file_look (path, err);

    if (rc <= 0)
        return rc;
    if (lines_open (&lines, path, 0, err) < 0)
        return -1;
    while ((rc = lines_next (&lines, err)) == 1) {
        while (lines_take_word (&lines, &word, &len))
            strvec_pushf (&names, "%.*s", (int)len, word);
    }
    lines_close (&lines);
    if (names.n > 0)
        types->symbols = xcalloc (n_atoms + 1, SYMBOL_SIZE);
    for (size_t i = 0; rc == 0 && i < n_atoms; i++) {
        size_t type = (size_t)types->types[i] - 1;

        if (type >= names.n)
            rc = error_set (err, "%s: no name of type %zu", path, type);
        else if (symbol_set (types->symbols[i], names.v[type],
                             strlen (names.v[type])))
            rc = error_set (err, "%s: '%s' is no name of an element", path,
                            names.v[type]);
    }
    strvec_release (&names);
    return rc;
}

int deepmd_types_read (struct deepmd_types *types, const char *coord_path,
                       size_t n_atoms, bool *periodic, struct error *err)
{
    char *types_path = beside_set (coord_path, "type.raw");
    char *names_path = beside_set (coord_path, "type_map.raw");
    char *nopbc_path = beside_set (coord_path, "nopbc");
    int rc = read_types (types, types_path, coord_path, n_atoms, err);

    if (rc == 0)
        rc = read_symbols (types, names_path, n_atoms, err);
    if (rc == 0 && (rc = file_look (nopbc_path, err)) >= 0) {
        *periodic = rc == 0;
        rc = 0;
    }
    free (types_path);
    free (names_path);
    free (nopbc_path);
    return rc;
}

void deepmd_types_release (struct deepmd_types *types)
{
    free (types->types);
    free (types->symbols);
    *types = (struct deepmd_types){ NULL, NULL };
}
