/* SPDX-License-Identifier: BSD-3-Clause */
/* deepmd_frames.c - frames out of DeePMD-kit's directories */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/heartbeat.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "formats/deepmd/deepmd_frames.h"
#include "formats/deepmd/deepmd_types.h"
#include "formats/frame.h"
#include "formats/lines.h"
#include "formats/npy/npy_rows.h"

enum {
    LEVELS_MAX = 16, /* of directories above a system */
    TYPES_MAX = 1000000,
};

/* Tables of which row i belongs to frame i. */
enum { COORD, BOX, ENERGY, FORCE, VIRIAL, REAL_TYPES, TABLES };

static const char *const table_names[TABLES] = {
    [COORD] = "coord", [BOX] = "box",       [ENERGY] = "energy",
    [FORCE] = "force", [VIRIAL] = "virial", [REAL_TYPES] = "real_atom_types",
};

/* One of them, as npy or as text. */
struct table {
    char *path;
    size_t width;
    bool is_there;
    struct npy_rows *npy;
    struct lines lines;
    double *values;
    const double *row; /* the one at hand */
};

/* Those of one set, or of the raw form. */
struct set {
    struct table tables[TABLES];
    size_t n_frames;
};

struct reading {
    char *const *elements;
    size_t n_elements;
    int (*each) (const struct frame *frame, void *arg, struct error *err);
    void *arg;
    const struct heartbeat *heartbeat;
    struct deepmd_types types;
};

/* --- tables --- */

static size_t width_of (int table, size_t n_atoms)
{
    switch (table) {
    case COORD:
    case FORCE:
        return 3 * n_atoms;
    case ENERGY:
        return 1;
    case REAL_TYPES:
        return n_atoms;
    default:
        return 9;
    }
}

static int check_width (const struct table *table, struct error *err)
{
    size_t width = npy_rows_width (table->npy);

    if (npy_rows_count (table->npy) == 0 || width == table->width)
        return 0;
    return error_set (err, "%s: rows of %zu numbers; expected %zu", table->path,
                      width, table->width);
}

static int table_open (struct table *table, bool is_raw, struct error *err)
{
    int rc = file_look (table->path, err);

    if (rc <= 0)
        return rc;
    table->is_there = true;
    if (is_raw) {
        table->values = xcalloc (table->width + 1, sizeof (*table->values));
        table->row = table->values;
        return lines_open (&table->lines, table->path, 0, err);
    }
    table->npy = npy_rows_open (table->path, err);
    return table->npy ? check_width (table, err) : -1;
}

static void table_close (struct table *table)
{
    npy_rows_close (table->npy);
    lines_close (&table->lines);
    free (table->values);
    free (table->path);
}

static int next_line (struct table *table, struct error *err)
{
    int rc;

    do
        rc = lines_next (&table->lines, err);
    while (rc == 1 && lines_at_end (&table->lines));
    if (rc == 1
        && !lines_take_numbers (&table->lines, table->values, table->width))
        return lines_error (&table->lines, err, "expected %zu numbers",
                            table->width);
    return rc;
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

/* --- sets --- */

static int set_open (struct set *set, const struct reading *r, const char *dir,
                     bool is_raw, struct error *err)
{
    for (int i = 0; i < TABLES; i++) {
        struct table *table = &set->tables[i];

        table->path =
            xasprintf ("%s/%s.%s", dir, table_names[i], is_raw ? "raw" : "npy");
        table->width = width_of (i, r->types.n_atoms);
        table->lines = (struct lines)LINES_INIT;
        if (table_open (table, is_raw, err) < 0)
            return -1;
    }
    if (!set->tables[COORD].is_there)
        return error_set (err, "there is no '%s'", set->tables[COORD].path);
    if (r->types.periodic && !set->tables[BOX].is_there)
        return error_set (err,
                          "there is no '%s'; put it there, or an empty file "
                          "'nopbc' beside type.raw",
                          set->tables[BOX].path);
    return 0;
}

/* The next row of every table: 1, 0 at the end of all, or -1. */
static int set_next (struct set *set, struct error *err)
{
    const struct table *coord = &set->tables[COORD];
    int more = table_next (&set->tables[COORD], err);

    for (int i = COORD + 1; more >= 0 && i < TABLES; i++) {
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

/* --- frames --- */

/* What type 'type' (from 0) is called; NULL with 'err'. */
static const char *name_of (const struct reading *r, size_t type,
                            struct error *err)
{
    const struct strvec *names = &r->types.names;

    if (names->n == 0 && type < r->n_elements)
        return r->elements[type];
    if (type < names->n)
        return names->v[type];
    error_set (err, "no element is of type %zu; add type_map.raw", type);
    return NULL;
}

static int set_atom (const struct reading *r, const struct set *set,
                     size_t atom, double type, struct frame *frame, size_t to,
                     struct error *err)
{
    const double *positions = set->tables[COORD].row + 3 * atom;
    const char *name;

    if (type > TYPES_MAX)
        return error_set (err, "type %g of an atom", type);
    if (!(name = name_of (r, (size_t)type, err)))
        return -1;
    if (symbol_set (frame->symbols[to], name, strlen (name)) < 0)
        return error_set (err, "'%s' is no name of an element", name);
    memcpy (frame->positions + 3 * to, positions, 3 * sizeof (*positions));
    if (frame->forces)
        memcpy (frame->forces + 3 * to, set->tables[FORCE].row + 3 * atom,
                3 * sizeof (*positions));
    return 0;
}

/* The types of the frame's atoms, from 0; below 0: no atom. */
static double type_of (const struct reading *r, const struct set *set,
                       size_t atom)
{
    const struct table *real = &set->tables[REAL_TYPES];

    return real->is_there ? real->row[atom] : r->types.types[atom] - 1;
}

static int set_atoms (const struct reading *r, const struct set *set,
                      struct frame *frame, struct error *err)
{
    size_t n = 0;

    for (size_t i = 0; i < r->types.n_atoms; i++)
        n += type_of (r, set, i) >= 0;
    if (frame_resize (frame, n, set->tables[FORCE].is_there, err) < 0)
        return -1;
    n = 0;
    for (size_t i = 0; i < r->types.n_atoms; i++) {
        double type = type_of (r, set, i);

        if (type >= 0 && set_atom (r, set, i, type, frame, n++, err) < 0)
            return -1;
    }
    return 0;
}

static int give_frame (const struct reading *r, struct set *set,
                       struct error *err)
{
    struct frame frame = FRAME_INIT;
    const struct table *tables = set->tables;
    int rc;

    heartbeat_send (r->heartbeat);
    if (set_atoms (r, set, &frame, err) < 0) {
        frame_release (&frame);
        return error_prefix (err, "%s: frame %zu", tables[COORD].path,
                             set->n_frames);
    }
    for (int i = 0; i < 3; i++)
        frame.periodic[i] = r->types.periodic;
    if (tables[BOX].is_there)
        memcpy (frame.cell, tables[BOX].row, sizeof (frame.cell));
    frame.has_energy = tables[ENERGY].is_there;
    frame.has_virial = tables[VIRIAL].is_there;
    if (frame.has_energy)
        frame.energy = tables[ENERGY].row[0];
    if (frame.has_virial)
        memcpy (frame.virial, tables[VIRIAL].row, sizeof (frame.virial));
    rc = r->each (&frame, r->arg, err);
    set->n_frames++;
    frame_release (&frame);
    return rc;
}

static int read_set (const struct reading *r, const char *dir, bool is_raw,
                     struct error *err)
{
    struct set set = { 0 };
    int rc = set_open (&set, r, dir, is_raw, err), more;

    while (rc == 0 && (more = set_next (&set, err)) != 0)
        rc = more < 0 ? -1 : give_frame (r, &set, err);
    for (int i = 0; i < TABLES; i++)
        table_close (&set.tables[i]);
    return rc;
}

/* --- systems --- */

/* All its sets; without any the raw form.  DP-GEN leaves both. */
static int read_sets (const struct reading *r, const char *dir,
                      struct error *err)
{
    struct strvec names = STRVEC_INIT;
    int rc = file_list_dir (dir, &names, err);
    size_t n_sets = 0;

    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        char *set = path_join (dir, names.v[i]);

        if (strncmp (names.v[i], "set.", 4) == 0 && ++n_sets > 0)
            rc = read_set (r, set, false, err);
        free (set);
    }
    strvec_release (&names);
    return rc == 0 && n_sets == 0 ? read_set (r, dir, true, err) : rc;
}

static int read_system (struct reading *r, const char *dir, struct error *err)
{
    int rc = deepmd_types_read_system (&r->types, dir, err);

    if (rc == 0)
        rc = read_sets (r, dir, err);
    deepmd_types_release (&r->types);
    return rc;
}

static bool is_dir (const char *path)
{
    struct stat st;

    return stat (path, &st) == 0 && S_ISDIR (st.st_mode);
}

static bool has_below (const char *dir, int level)
{
    struct strvec names = STRVEC_INIT;
    char *types = path_join (dir, "type.raw");
    bool has = file_exists (types);

    if (!has && level < LEVELS_MAX)
        file_list_dir (dir, &names, NULL);
    for (size_t i = 0; !has && i < names.n; i++) {
        char *path = path_join (dir, names.v[i]);

        has = is_dir (path) && has_below (path, level + 1);
        free (path);
    }
    strvec_release (&names);
    free (types);
    return has;
}

bool deepmd_has_system (const char *dir)
{
    return has_below (dir, 0);
}

/* How many systems there are in 'dir', itself included, now read; -1. */
static int read_below (struct reading *r, const char *dir, int level,
                       struct error *err)
{
    struct strvec names = STRVEC_INIT;
    char *types = path_join (dir, "type.raw");
    int n = 0, rc = 0;

    if (file_exists (types))
        n = read_system (r, dir, err) < 0 ? -1 : 1;
    else if (level < LEVELS_MAX)
        n = file_list_dir (dir, &names, err);
    for (size_t i = 0; n >= 0 && i < names.n; i++) {
        char *path = path_join (dir, names.v[i]);

        rc = is_dir (path) ? read_below (r, path, level + 1, err) : 0;
        n = rc < 0 ? -1 : n + rc;
        free (path);
    }
    strvec_release (&names);
    free (types);
    return n;
}

int deepmd_frames_read (
    const char *dir, char *const *elements, size_t n_elements,
    int (*each) (const struct frame *frame, void *arg, struct error *err),
    void *arg, const struct heartbeat *heartbeat, struct error *err)
{
    struct reading r = { .elements = elements,
                         .n_elements = n_elements,
                         .each = each,
                         .arg = arg,
                         .heartbeat = heartbeat };
    int n = read_below (&r, dir, 0, err);

    if (n == 0)
        return error_set (err,
                          "'%s' has no type.raw, nor has a directory in it; "
                          "name an extended XYZ file or DeePMD data",
                          dir);
    return n < 0 ? -1 : 0;
}
