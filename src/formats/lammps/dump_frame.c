/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_frame.c - a frame of a LAMMPS dump: its box, columns and rows */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "formats/lammps/dump_frame.h"
#include "formats/lammps/row_order.h"
#include "formats/lines.h"

void dump_frame_release (struct dump_frame *frame)
{
    strvec_release (&frame->columns);
    strbuf_release (&frame->heading);
    free (frame->values);
    free (frame->elements);
    *frame = (struct dump_frame)DUMP_FRAME_INIT;
}

int dump_frame_column (const struct dump_frame *frame, const char *name)
{
    for (size_t i = 0; i < frame->columns.n; i++) {
        const char *column = frame->columns.v[i];

        if (column[0] == name[0] && strcmp (column, name) == 0)
            return (int)i;
    }
    return -1;
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
    for (int i = 0; i < 3; i++) {
        frame->origin[i] = low[i];
        frame->cell[4 * i] = high[i] - low[i];
    }
    frame->cell[3] = xy;
    frame->cell[6] = xz;
    frame->cell[7] = yz;
}

void dump_frame_set_columns (struct dump_frame *frame,
                             const char *heading,
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

int dump_frame_resize (struct dump_frame *frame,
                       bool with_elements,
                       struct error *err)
{
    size_t n = frame->n_atoms, n_columns = frame->columns.n;

    if (n * n_columns > frame->values_alloc || !frame->values) {
        free (frame->values);
        frame->values_alloc = 0;
        frame->values = try_calloc (n * n_columns, sizeof (*frame->values),
                                    "rows of a dump", err);
        if (!frame->values)
            return -1;
        frame->values_alloc = n * n_columns;
    }
    if (!with_elements || n * SYMBOL_SIZE > frame->elements_alloc) {
        free (frame->elements);
        frame->elements = NULL;
        frame->elements_alloc = 0;
    }
    if (with_elements && !frame->elements) {
        frame->elements = try_calloc (n, SYMBOL_SIZE, "elements", err);
        if (!frame->elements)
            return -1;
        frame->elements_alloc = n * SYMBOL_SIZE;
    }
    return 0;
}

/* Put the rows into the order 'rows'. */
static void permute (struct dump_frame *frame, const struct numbered_row *rows)
{
    size_t n_columns = frame->columns.n, n = frame->n_atoms;
    double *values = xcalloc (n * n_columns, sizeof (*values));
    char (*elements)[SYMBOL_SIZE] = NULL;

    if (frame->elements)
        elements = xcalloc (n, SYMBOL_SIZE);
    for (size_t i = 0; i < n; i++) {
        memcpy (values + i * n_columns, frame->values + rows[i].row * n_columns,
                n_columns * sizeof (*values));
        if (elements)
            memcpy (elements[i], frame->elements[rows[i].row], SYMBOL_SIZE);
    }
    free (frame->values);
    free (frame->elements);
    frame->values = values;
    frame->values_alloc = n * n_columns;
    frame->elements = elements;
    frame->elements_alloc = elements ? n * SYMBOL_SIZE : 0;
}

static bool is_sorted (const struct dump_frame *frame, size_t id)
{
    const double *value = frame->values + id;

    for (size_t i = 1; i < frame->n_atoms; i++) {
        if (!(value[(i - 1) * frame->columns.n] < value[i * frame->columns.n]))
            return false;
    }
    return true;
}

int dump_frame_sort (struct dump_frame *frame, struct error *err)
{
    int id = dump_frame_column (frame, "id");
    struct numbered_row *rows;
    const struct numbered_row *bad;
    int rc = 0;

    if (id < 0 || is_sorted (frame, (size_t)id))
        return 0;
    rows = xcalloc (frame->n_atoms, sizeof (*rows));
    for (size_t i = 0; i < frame->n_atoms; i++) {
        rows[i].id = frame->values[i * frame->columns.n + (size_t)id];
        rows[i].row = i;
    }
    bad = row_order (rows, frame->n_atoms);
    if (bad)
        rc = error_set (err, "the atom id %.17g %s", bad->id,
                        isfinite (bad->id) ? "occurs twice" : "is no number");
    else
        permute (frame, rows);
    free (rows);
    return rc;
}
