/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_frame.h - a frame of a LAMMPS dump: its box, columns and rows */
#ifndef FORMATS_DUMP_FRAME_H
#define FORMATS_DUMP_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/strvec.h"
#include "formats/frame.h"

struct error;

struct dump_frame {
    int64_t step;
    uint64_t offset; /* where in the file it starts, for dump_reader_open_at */
    size_t n_atoms;
    double origin[3];
    double cell[9]; /* rows a, b, c, angstrom */
    bool periodic[3];
    struct strvec columns; /* names after "ITEM: ATOMS" */
    struct strbuf heading; /* that they were read from */
    /* n_atoms x columns.n, sorted by id; the one text column that is
     * understood, `element`, reads as NaN here and stands in 'elements'
     */
    double *values;
    char (*elements)[SYMBOL_SIZE]; /* NULL without an `element` column */
    size_t values_alloc;           /* doubles */
    size_t elements_alloc;         /* bytes */
};

#define DUMP_FRAME_INIT                                                        \
    {                                                                          \
        .columns = STRVEC_INIT, .heading = STRBUF_INIT                         \
    }
void dump_frame_release (struct dump_frame *frame);

/* Index of column 'name', or -1. */
int dump_frame_column (const struct dump_frame *frame, const char *name);

/* Set the cell from the rows xlo xhi xy, ylo yhi xz, zlo zhi yz, the bounds
 * being those of the bounding box.
 */
void dump_frame_set_box (struct dump_frame *frame, const double rows[3][3]);

/* Set the names of the columns from a heading like "id type x y z". */
void dump_frame_set_columns (struct dump_frame *frame,
                             const char *heading,
                             size_t len);

/* Reserve memory for the values (and elements) of frame->n_atoms, which came
 * from input: may fail.
 */
int dump_frame_resize (struct dump_frame *frame,
                       bool with_elements,
                       struct error *err);

/* Put the rows into the order of their ids, if they have any.  -1 when an id
 * is no number or occurs twice.
 */
int dump_frame_sort (struct dump_frame *frame, struct error *err);

#endif /* !FORMATS_DUMP_FRAME_H */
