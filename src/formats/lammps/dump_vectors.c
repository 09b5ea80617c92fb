/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_vectors.c - what is asked for out of the rows of LAMMPS text dumps */
#include "config.h"

#include <stdbool.h>

#include "base/error.h"
#include "formats/lammps/dump_rows.h"
#include "formats/lammps/lammps_dump.h"

/* A column, if it is there, and where it goes; among those before it, by place
 * in the row.
 */
static void want (struct dump_rows *rows,
                  int column,
                  double *out,
                  size_t stride)
{
    size_t i = rows->n_wanted;

    if (column < 0)
        return;
    for (; i > 0 && rows->column[i - 1] > (size_t)column; i--) {
        rows->column[i] = rows->column[i - 1];
        rows->out[i] = rows->out[i - 1];
        rows->stride[i] = rows->stride[i - 1];
    }
    rows->column[i] = (size_t)column;
    rows->out[i] = out;
    rows->stride[i] = stride;
    rows->n_wanted++;
}

/* Take a word of row 'row' off the line; NULL, or what was expected. */
static const char *take_column (struct dump_reader *dump,
                                const struct dump_rows *rows,
                                size_t row,
                                size_t column,
                                size_t *wanted)
{
    size_t k = *wanted, len;
    const char *word;
    double *out;

    if (k < rows->n_wanted && rows->column[k] == column) {
        out = rows->out[k] + row * rows->stride[k];
        *wanted = k + 1;
        return lines_take_number (&dump->lines, out) ? NULL : "a number";
    }
    if (!lines_take_word (&dump->lines, &word, &len))
        return "a word";
    if (dump->frame.at.symbol == (int)column
        && symbol_set (dump->frame.symbols[row], word, len) < 0)
        return "an element";
    return NULL;
}

/* The line at hand as a row, word by word. */
static int read_row (struct dump_reader *dump,
                     const struct dump_rows *rows,
                     size_t row,
                     struct error *err)
{
    size_t wanted = 0;

    for (size_t i = 0; i < rows->n_columns; i++) {
        const char *expected = take_column (dump, rows, row, i, &wanted);

        if (expected)
            return lines_error (&dump->lines, err,
                                "expected %s in column %zu (%s)", expected,
                                i + 1, dump->frame.columns.v[i]);
    }
    if (!lines_at_end (&dump->lines))
        return lines_error (&dump->lines, err,
                            "expected %zu columns, found more",
                            rows->n_columns);
    return 0;
}

/* Rows from 'row' on that are in memory, fast: returns the number of the first
 * that is not, or has another form.
 */
static size_t read_in_memory (struct dump_reader *dump,
                              const struct dump_rows *rows,
                              size_t row)
{
    struct lines_memory memory = lines_in_memory (&dump->lines);
    const char *after;
    size_t to = dump_rows_read (rows, row, dump->frame.n_atoms, memory.begin,
                                memory.at, memory.stop, &after);

    lines_skip (&dump->lines, after, to - row);
    return to;
}

int dump_read_rows (struct dump_reader *dump, struct error *err)
{
    struct dump_frame *frame = &dump->frame;
    struct dump_rows rows = { .n_columns = frame->columns.n };
    size_t row = 0;

    want (&rows, frame->at.id, frame->ids, 1);
    want (&rows, frame->at.type, frame->types, 1);
    for (size_t i = 0; i < 3; i++)
        want (&rows, frame->at.vector[i], frame->vectors + i, 3);
    while (row < frame->n_atoms) {
        int rc;

        if (frame->at.symbol < 0)
            row = read_in_memory (dump, &rows, row);
        if (row == frame->n_atoms)
            break;
        rc = dump_need_line (dump, err);
        if (rc == 1 && read_row (dump, &rows, row++, err) < 0)
            rc = -1;
        if (rc != 1)
            return rc;
    }
    return 1;
}
