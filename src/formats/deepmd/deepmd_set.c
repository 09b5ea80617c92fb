/* SPDX-License-Identifier: BSD-3-Clause */
/* deepmd_set.c - the arrays of one set of a DeePMD system, row by row */
#include "base/base.h"

#include "base/file.h"
#include "formats/deepmd/deepmd_set.h"
#include "formats/lines.h"
#include "formats/npy/npy_rows.h"

/* One array, as npy or as text. */
struct table {
    char *path;
    size_t width; /* of a row; 0: any */
    bool is_there;
    struct npy_rows *npy;
    struct lines lines;
    double *values;
    size_t alloc;
    const double *row; /* the one at hand */
};

struct deepmd_set {
    struct table tables[DEEPMD_ARRAYS];
};

const char *deepmd_array_name (enum deepmd_array array)
{
    static const char *const names[DEEPMD_ARRAYS] = {
        [DEEPMD_COORD] = "coord",   [DEEPMD_BOX] = "box",
        [DEEPMD_ENERGY] = "energy", [DEEPMD_FORCE] = "force",
        [DEEPMD_VIRIAL] = "virial", [DEEPMD_REAL_TYPES] = "real_atom_types",
        [DEEPMD_FPARAM] = "fparam", [DEEPMD_APARAM] = "aparam",
    };

    return names[array];
}

static size_t width_of (enum deepmd_array array, size_t n_atoms)
{
    switch (array) {
    case DEEPMD_COORD:
    case DEEPMD_FORCE:
        return 3 * n_atoms;
    case DEEPMD_ENERGY:
        return 1;
    case DEEPMD_REAL_TYPES:
        return n_atoms;
    case DEEPMD_BOX:
    case DEEPMD_VIRIAL:
        return 9;
    default:
        return 0;
    }
}

/* --- one array --- */

static int open_npy (struct table *table, struct error *err)
{
    size_t width;

    table->npy = npy_rows_open (table->path, err);
    if (!table->npy)
        return -1;
    width = npy_rows_width (table->npy);
    if (npy_rows_count (table->npy) > 0 && table->width > 0
        && width != table->width)
        return error_set (err, "%s: rows of %zu numbers; expected %zu",
                          table->path, width, table->width);
    table->width = width;
    return 0;
}

static int table_open (struct table *table, bool is_raw, struct error *err)
{
    int rc = file_look (table->path, err);

    if (rc <= 0)
        return rc;
    if (file_refuse_pipe (table->path, err) < 0)
        return -1;
    table->is_there = true;
    return is_raw ? lines_open (&table->lines, table->path, 0, err)
                  : open_npy (table, err);
}

static void table_close (struct table *table)
{
    npy_rows_close (table->npy);
    lines_close (&table->lines);
    free (table->values);
    free (table->path);
}

/* Take the numbers of the line at hand; false at something else. */
static bool take_numbers (struct table *table, size_t *n)
{
    struct lines *lines = &table->lines;

    for (*n = 0; !lines_at_end (lines); ++*n) {
        if (table->width > 0 && *n == table->width)
            return false;
        table->values = grow_array (table->values, *n, &table->alloc,
                                    sizeof (*table->values));
        if (!lines_take_number (lines, &table->values[*n]))
            return false;
    }
    return true;
}

static int next_line (struct table *table, struct error *err)
{
    size_t n = 0;
    int rc;

    do
        rc = lines_next (&table->lines, err);
    while (rc == 1 && lines_at_end (&table->lines));
    if (rc != 1)
        return rc;
    if (lines_check_end (&table->lines, err) < 0)
        return -1;
    if (!take_numbers (table, &n) || (table->width > 0 && n != table->width))
        return table->width > 0
                   ? lines_error (&table->lines, err, "expected %zu numbers",
                                  table->width)
                   : lines_error (&table->lines, err, "expected numbers");
    table->width = n;
    table->row = table->values;
    return 1;
}

/* 1, 0 at the end, or -1. */
static int table_next (struct table *table, struct error *err)
{
    int rc;

    if (!table->npy)
        return next_line (table, err);
    rc = npy_rows_next (table->npy, &table->row, err);
    if (rc == 0 && npy_rows_truncated (table->npy))
        return error_set (err, "%s: the file is shorter than it says",
                          table->path);
    return rc;
}

/* --- all of them --- */

static int open_tables (struct deepmd_set *set, const char *dir, bool is_raw,
                        size_t n_atoms, struct error *err)
{
    for (int i = 0; i < DEEPMD_ARRAYS; i++) {
        struct table *table = &set->tables[i];

        table->path = xasprintf ("%s/%s.%s", dir, deepmd_array_name (i),
                                 is_raw ? "raw" : "npy");
        table->width = width_of (i, n_atoms);
        if (table_open (table, is_raw, err) < 0)
            return -1;
    }
    return 0;
}

static int check_tables (const struct deepmd_set *set, bool periodic,
                         struct error *err)
{
    const struct table *tables = set->tables;

    if (!tables[DEEPMD_COORD].is_there)
        return error_set (err, "there is no '%s'", tables[DEEPMD_COORD].path);
    if (periodic && !tables[DEEPMD_BOX].is_there)
        return error_set (err,
                          "there is no '%s'; put it there, or an empty file "
                          "'nopbc' beside type.raw",
                          tables[DEEPMD_BOX].path);
    return 0;
}

struct deepmd_set *deepmd_set_open (const char *dir, bool is_raw,
                                    size_t n_atoms, bool periodic,
                                    struct error *err)
{
    struct deepmd_set *set = xcalloc (1, sizeof (*set));

    for (int i = 0; i < DEEPMD_ARRAYS; i++)
        set->tables[i].lines = (struct lines)LINES_INIT;
    if (open_tables (set, dir, is_raw, n_atoms, err) == 0
        && check_tables (set, periodic, err) == 0)
        return set;
    deepmd_set_close (set);
    return NULL;
}

void deepmd_set_close (struct deepmd_set *set)
{
    for (int i = 0; set && i < DEEPMD_ARRAYS; i++)
        table_close (&set->tables[i]);
    free (set);
}

int deepmd_set_next (struct deepmd_set *set, struct error *err)
{
    const struct table *coord = &set->tables[DEEPMD_COORD];
    int more = table_next (&set->tables[DEEPMD_COORD], err);

    for (int i = DEEPMD_COORD + 1; more >= 0 && i < DEEPMD_ARRAYS; i++) {
        struct table *table = &set->tables[i];
        int rc = table->is_there ? table_next (table, err) : more;

        if (rc < 0)
            return -1;
        if (rc != more)
            return error_set (err, "%s has %s frames than %s", table->path,
                              rc > more ? "more" : "fewer", coord->path);
    }
    return more;
}

const double *deepmd_set_row (const struct deepmd_set *set,
                              enum deepmd_array array, size_t *width)
{
    const struct table *table = &set->tables[array];

    if (!table->is_there)
        return NULL;
    if (width)
        *width = table->width;
    return table->row;
}

const char *deepmd_set_name (const struct deepmd_set *set)
{
    return set->tables[DEEPMD_COORD].path;
}

static bool is_array (const char *name, size_t len)
{
    for (int i = 0; i < DEEPMD_ARRAYS; i++) {
        if (strlen (deepmd_array_name (i)) == len
            && memcmp (deepmd_array_name (i), name, len) == 0)
            return true;
    }
    return false;
}

void deepmd_set_others (const char *dir, bool is_raw, struct strvec *names)
{
    _cleanup_ (strvec_release) struct strvec files = STRVEC_INIT;

    file_list_dir (dir, &files, NULL);
    for (size_t i = 0; i < files.n; i++) {
        const char *dot = strrchr (files.v[i], '.');

        if (dot && strcmp (dot, is_raw ? ".raw" : ".npy") == 0
            && !is_array (files.v[i], (size_t)(dot - files.v[i]))
            && strcmp (files.v[i], "type.raw") != 0
            && strcmp (files.v[i], "type_map.raw") != 0)
            strvec_push (names, files.v[i]);
    }
}
