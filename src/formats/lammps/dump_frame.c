/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_frame.c - a frame of a LAMMPS dump, and what is read of its atoms */
#include "base/base.h"

#include "formats/lammps/dump_frame.h"
#include "formats/lammps/row_order.h"
#include "formats/lines.h"
#include "formats/vector_reader.h"

static void release_atoms (struct dump_frame *frame)
{
    free (frame->ids);
    free (frame->vectors);
    free (frame->forces);
    free (frame->types);
    free (frame->symbols);
    frame->ids = frame->vectors = frame->forces = frame->types = NULL;
    frame->symbols = NULL;
    frame->alloc = 0;
}

void dump_frame_release (struct dump_frame *frame)
{
    strvec_release (&frame->columns);
    strbuf_release (&frame->heading);
    release_atoms (frame);
    *frame = (struct dump_frame)DUMP_FRAME_INIT;
}

/* From the bounding box of a triclinic one to its own (LAMMPS manual,
 * "Triclinic simulation boxes": xlo_bound = xlo + min (0, xy, xz, xy + xz),
 * ...).
 */
void dump_frame_set_box (struct dump_frame *frame, const double row[3][3])
{
    double xy = row[0][2], xz = row[1][2], yz = row[2][2];
    double low[3], high[3];

    for (int i = 0; i < 3; i++) {
        low[i] = row[i][0];
        high[i] = row[i][1];
    }
    low[0] -= fmin (fmin (0, xy), fmin (xz, xy + xz));
    high[0] -= fmax (fmax (0, xy), fmax (xz, xy + xz));
    low[1] -= fmin (0, yz);
    high[1] -= fmax (0, yz);
    memset (frame->cell, 0, sizeof (frame->cell));
    for (int i = 0; i < 3; i++)
        frame->cell[4 * i] = high[i] - low[i];
    frame->cell[3] = xy;
    frame->cell[6] = xz;
    frame->cell[7] = yz;
}

void dump_frame_set_columns (struct dump_frame *frame, const char *heading,
                             size_t len)
{
    struct lines words = { .at = heading, .end = heading + len };
    const char *word;

    if (len == frame->heading.len && frame->columns.n > 0
        && memcmp (heading, frame->heading.buf, len) == 0)
        return;
    strbuf_reset (&frame->heading);
    strbuf_add (&frame->heading, heading, len);
    strvec_release (&frame->columns);
    while (lines_take_word (&words, &word, &len))
        strvec_pushf (&frame->columns, "%.*s", (int)len, word);
}

static int find_column (const struct dump_frame *frame, const char *name)
{
    for (size_t i = 0; i < frame->columns.n; i++) {
        const char *column = frame->columns.v[i];

        if (column[0] == name[0] && strcmp (column, name) == 0)
            return (int)i;
    }
    return -1;
}

static const char *const force_names[3] = { "fx", "fy", "fz" };

/* As `dump` calls them: wrapped, unwrapped, and fractions of either. */
static const struct {
    const char *names[3];
    bool is_scaled;
} position_names[] = {
    { { "x", "y", "z" }, false },
    { { "xu", "yu", "zu" }, false },
    { { "xs", "ys", "zs" }, true },
    { { "xsu", "ysu", "zsu" }, true },
};

/* The first of the three that is not there, or NULL. */
static const char *find_vector (const struct dump_frame *frame,
                                const char *const names[3], int at[3])
{
    const char *missing = NULL;

    for (int i = 2; i >= 0; i--) {
        at[i] = find_column (frame, names[i]);
        if (at[i] < 0)
            missing = names[i];
    }
    return missing;
}

/* Positions in any form, of structures that are read whole. */
static bool find_positions (struct dump_frame *frame)
{
    for (size_t i = 0; i < ARRAY_SIZE (position_names); i++) {
        frame->is_scaled = position_names[i].is_scaled;
        if (!find_vector (frame, position_names[i].names, frame->at.vector))
            return true;
    }
    return false;
}

static int find_columns (struct dump_frame *frame,
                         const struct vector_options *options,
                         struct error *err)
{
    const char *const *names = options->kind == VECTOR_POSITIONS
                                   ? position_names[0].names
                                   : force_names;
    const char *missing = find_vector (frame, names, frame->at.vector);

    frame->is_scaled = false;
    if (missing && options->kind == VECTOR_POSITIONS && options->structure
        && find_positions (frame))
        missing = NULL;
    if (missing)
        return error_set (err, "no column '%s'; dump the columns %s %s %s",
                          missing, names[0], names[1], names[2]);
    if (!options->with_forces
        || find_vector (frame, force_names, frame->at.force))
        frame->at.force[0] = -1;
    frame->at.id = find_column (frame, "id");
    frame->at.type = options->structure ? find_column (frame, "type") : -1;
    frame->at.symbol = options->structure ? find_column (frame, "element") : -1;
    return 0;
}

int dump_frame_prepare (struct dump_frame *frame,
                        const struct vector_options *options, struct error *err)
{
    size_t n = frame->n_atoms > 0 ? frame->n_atoms : 1;
    bool structure = options->structure;

    if (find_columns (frame, options, err) < 0)
        return -1;
    if (n <= frame->alloc)
        return 0;
    release_atoms (frame);
    if (!(frame->ids = try_calloc (n, sizeof (double), "ids of atoms", err))
        || !(frame->vectors =
                 try_calloc (n, 3 * sizeof (double), "vectors", err))
        || (options->with_forces
            && !(frame->forces =
                     try_calloc (n, 3 * sizeof (double), "forces", err)))
        || (structure
            && (!(frame->types = try_calloc (n, sizeof (double), "types", err))
                || !(frame->symbols =
                         try_calloc (n, SYMBOL_SIZE, "elements", err)))))
        return -1;
    frame->alloc = n;
    return 0;
}

static bool are_sorted (const double *ids, size_t n)
{
    bool sorted = n == 0 || (isfinite (ids[0]) && isfinite (ids[n - 1]));

    for (size_t i = 1; i < n; i++)
        sorted &= ids[i - 1] < ids[i];
    return sorted;
}

/* Bring n items of 'bytes' each into the order of 'rows'. */
static void permute (void *items, size_t bytes, const struct numbered_row *rows,
                     size_t n)
{
    _cleanup_free_ char *sorted = items ? xcalloc (n, bytes) : NULL;

    for (size_t i = 0; items && i < n; i++)
        memcpy (sorted + i * bytes, (char *)items + rows[i].row * bytes, bytes);
    if (items)
        memcpy (items, sorted, n * bytes);
}

static void make_positions (struct dump_frame *frame)
{
    const double *cell = frame->cell;

    for (size_t i = 0; i < frame->n_atoms; i++) {
        double *at = frame->vectors + 3 * i;
        const double s[3] = { at[0], at[1], at[2] };

        for (int k = 0; k < 3; k++)
            at[k] = s[0] * cell[k] + s[1] * cell[3 + k] + s[2] * cell[6 + k];
    }
}

static int sort_atoms (struct dump_frame *frame, struct error *err)
{
    size_t n = frame->n_atoms;
    _cleanup_free_ struct numbered_row *rows = NULL;
    const struct numbered_row *bad;
    int rc = 0;

    if (frame->at.id < 0 || are_sorted (frame->ids, n))
        return 0;
    rows = xcalloc (n, sizeof (*rows));
    for (size_t i = 0; i < n; i++)
        rows[i] = (struct numbered_row){ .id = frame->ids[i], .row = i };
    bad = row_order (rows, n);
    if (bad) {
        rc = error_set (err, "step %lld: the atom id %.17g %s",
                        (long long)frame->step, bad->id,
                        isfinite (bad->id) ? "occurs twice" : "is no number");
    } else {
        permute (frame->ids, sizeof (*frame->ids), rows, n);
        permute (frame->vectors, 3 * sizeof (*frame->vectors), rows, n);
        permute (frame->at.force[0] >= 0 ? frame->forces : NULL,
                 3 * sizeof (*frame->forces), rows, n);
        permute (frame->types, sizeof (*frame->types), rows, n);
        permute (frame->symbols, SYMBOL_SIZE, rows, n);
    }
    return rc;
}

int dump_frame_finish (struct dump_frame *frame, struct error *err)
{
    if (frame->is_scaled)
        make_positions (frame);
    return sort_atoms (frame, err);
}

void dump_frame_lend (const struct dump_frame *frame, struct vector_frame *lent)
{
    lent->has_step = true;
    lent->units = frame->units;
    lent->step = frame->step;
    lent->place = frame->offset;
    lent->n_atoms = frame->n_atoms;
    lent->ids = frame->at.id >= 0 ? frame->ids : NULL;
    lent->vectors = frame->vectors;
    lent->forces = frame->at.force[0] >= 0 ? frame->forces : NULL;
    memcpy (lent->cell, frame->cell, sizeof (lent->cell));
    memcpy (lent->periodic, frame->periodic, sizeof (lent->periodic));
    lent->types = frame->at.type >= 0 ? frame->types : NULL;
    lent->symbols = frame->at.symbol >= 0
                        ? (const char (*)[SYMBOL_SIZE])frame->symbols
                        : NULL;
}

int dump_check_options (const char *path, const struct vector_options *options,
                        struct error *err)
{
    if (!options->energy && !options->virial)
        return 0;
    return error_set (err,
                      "%s: there are levels for the %s, which a LAMMPS dump "
                      "does not hold; give extended XYZ or npy files",
                      path, options->virial ? "virial" : "energy");
}
