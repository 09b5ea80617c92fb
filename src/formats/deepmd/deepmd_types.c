/* SPDX-License-Identifier: BSD-3-Clause */
/* deepmd_types.c - what the atoms of a DeePMD system are */
#include "base/base.h"

#include "base/file.h"
#include "formats/deepmd/deepmd_types.h"
#include "formats/lines.h"

enum { TEXT_MAX_BYTES = 1 << 28 };

/* One whole number after the other, in lines of any length. */
static int read_types (struct deepmd_types *types, const char *path,
                       struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct lines lines = LINES_INIT;
    size_t alloc = 0;
    int rc = file_read (path, TEXT_MAX_BYTES, &text, err);

    lines_of_text (&lines, text.buf, text.len, path, 1);
    while (rc == 0 && lines_next (&lines, NULL) == 1) {
        rc = lines_check_end (&lines, err);
        while (rc == 0 && !lines_at_end (&lines)) {
            int64_t type = 0;

            if (!lines_take_integer (&lines, &type) || type < 0) {
                rc = lines_error (&lines, err,
                                  "expected types of atoms, from 0 on");
                continue;
            }
            types->types = grow_array (types->types, types->n_atoms, &alloc,
                                       sizeof (*types->types));
            types->types[types->n_atoms++] = (double)type + 1;
        }
    }
    if (rc == 0 && types->n_atoms == 0)
        rc = error_set (err, "%s: there are no types of atoms in it", path);
    lines_close (&lines);
    return rc;
}

static int read_names (struct deepmd_types *types, const char *path,
                       struct error *err)
{
    struct lines lines = LINES_INIT;
    const char *word;
    size_t len;
    int rc = file_look (path, err);

    if (rc <= 0)
        return rc;
    if (file_refuse_pipe (path, err) < 0)
        return -1;
    if (lines_open (&lines, path, 0, err) < 0)
        return -1;
    while ((rc = lines_next (&lines, err)) == 1) {
        if ((rc = lines_check_end (&lines, err)) < 0)
            break;
        while (lines_take_word (&lines, &word, &len))
            strvec_pushf (&types->names, "%.*s", (int)len, word);
    }
    lines_close (&lines);
    return rc;
}

/* The names of the atoms, when types have any. */
static int name_atoms (struct deepmd_types *types, const char *path,
                       struct error *err)
{
    const struct strvec *names = &types->names;

    if (names->n > 0)
        types->symbols = xcalloc (types->n_atoms + 1, SYMBOL_SIZE);
    for (size_t i = 0; names->n > 0 && i < types->n_atoms; i++) {
        size_t type = (size_t)types->types[i] - 1;

        if (type >= names->n)
            return error_set (err, "%s: no name of type %zu", path, type);
        if (symbol_set (types->symbols[i], names->v[type],
                        strlen (names->v[type])))
            return error_set (err, "%s: '%s' is no name of an element", path,
                              names->v[type]);
    }
    return 0;
}

int deepmd_types_read_system (struct deepmd_types *types, const char *dir,
                              struct error *err)
{
    _cleanup_free_ char *types_path = path_join (dir, "type.raw");
    _cleanup_free_ char *names_path = path_join (dir, "type_map.raw");
    _cleanup_free_ char *nopbc_path = path_join (dir, "nopbc");
    int rc = read_types (types, types_path, err);

    if (rc == 0)
        rc = read_names (types, names_path, err);
    if (rc == 0)
        rc = name_atoms (types, names_path, err);
    if (rc == 0 && (rc = file_look (nopbc_path, err)) >= 0) {
        types->periodic = rc == 0;
        rc = 0;
    }
    return rc;
}

int deepmd_types_read (struct deepmd_types *types, const char *coord_path,
                       size_t n_atoms, bool *periodic, struct error *err)
{
    _cleanup_free_ char *dir = xasprintf (
        "%.*s..", (int)(path_base (coord_path) - coord_path), coord_path);
    int rc = deepmd_types_read_system (types, dir, err);

    if (rc == 0 && types->n_atoms != n_atoms)
        rc = error_set (err, "%s/type.raw: types of %zu atoms, but %s has %zu",
                        dir, types->n_atoms, coord_path, n_atoms);
    *periodic = types->periodic;
    return rc;
}

void deepmd_types_release (struct deepmd_types *types)
{
    free (types->types);
    free (types->symbols);
    strvec_release (&types->names);
    *types = (struct deepmd_types){ 0 };
}
