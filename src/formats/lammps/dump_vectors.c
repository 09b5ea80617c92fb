/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_vectors.c - a vector of each atom out of LAMMPS text dumps */
#include "config.h"

#include <stdbool.h>

#include "base/error.h"
#include "formats/atom_vectors.h"
#include "formats/lammps/dump_rows.h"
#include "formats/lammps/lammps_dump.h"
#include "formats/lammps/lammps_dump_reader.h"

/* A column and where it goes, among those before it, by place in the row. */
static void want (struct dump_rows *rows,
                  size_t column,
                  bool whole,
                  double *out,
                  size_t stride)
{
    size_t i = rows->n_wanted++;

    for (; i > 0 && rows->column[i - 1] > column; i--) {
        rows->column[i] = rows->column[i - 1];
        rows->whole[i] = rows->whole[i - 1];
        rows->out[i] = rows->out[i - 1];
        rows->stride[i] = rows->stride[i - 1];
    }
    rows->column[i] = column;
    rows->whole[i] = whole;
    rows->out[i] = out;
    rows->stride[i] = stride;
}

/* Find the columns of the vector, and of the id if there is one. */
static int find_columns (const struct dump_reader *reader,
                         const struct dump_frame *frame,
                         const char *const names[3],
                         struct atom_vectors *atoms,
                         struct dump_rows *rows,
                         struct error *err)
{
    int id = dump_frame_column (frame, "id");

    *rows = (struct dump_rows){ .n_columns = frame->columns.n };
    atoms->has_ids = id >= 0;
    if (atoms->has_ids)
        want (rows, (size_t)id, true, atoms->ids, 1);
    for (size_t i = 0; i < 3; i++) {
        int column = dump_frame_column (frame, names[i]);

        if (column < 0)
            return lines_error (&reader->lines, err,
                                "no column '%s'; dump the columns %s %s %s",
                                names[i], names[0], names[1], names[2]);
        want (rows, (size_t)column, false, atoms->vectors + i, 3);
    }
    return 0;
}

/* The line at hand as a row, word by word. */
static int read_row (struct lines *lines,
                     const struct dump_frame *frame,
                     const struct dump_rows *rows,
                     size_t row,
                     struct error *err)
{
    size_t wanted = 0, len;
    const char *word;

    for (size_t i = 0; i < rows->n_columns; i++) {
        bool is_wanted = wanted < rows->n_wanted && rows->column[wanted] == i;
        bool ok;

        if (is_wanted)
            ok = lines_take_number (lines, rows->out[wanted]
                                               + row * rows->stride[wanted]);
        else
            ok = lines_take_word (lines, &word, &len);
        if (!ok)
            return lines_error (lines, err, "expected %s in column %zu (%s)",
                                is_wanted ? "a number" : "a word", i + 1,
                                frame->columns.v[i]);
        wanted += is_wanted;
    }
    if (!lines_at_end (lines))
        return lines_error (lines, err, "expected %zu columns, found more",
                            rows->n_columns);
    return 0;
}

/* All rows of the frame: 1, 0 when the file was cut, or -1. */
static int read_rows (struct dump_reader *reader,
                      const struct dump_frame *frame,
                      const struct dump_rows *rows,
                      struct error *err)
{
    struct lines *lines = &reader->lines;
    size_t row = 0;

    while (row < frame->n_atoms) {
        struct lines_memory memory = lines_in_memory (lines);
        const char *after;
        size_t to = dump_rows_read (rows, row, frame->n_atoms, memory.begin,
                                    memory.at, memory.stop, &after);
        int rc;

        lines_skip (lines, after, to - row);
        row = to;
        if (row == frame->n_atoms)
            break;
        rc = dump_need_line (reader, err);
        if (rc == 1 && read_row (lines, frame, rows, row++, err) < 0)
            rc = -1;
        if (rc != 1)
            return rc;
    }
    return 1;
}

/* Room for the frame's rows: 1, 0 when the file cannot hold that many (a column
 * takes a digit and a space), or -1.
 */
static int make_room (struct dump_reader *reader,
                      const struct dump_frame *frame,
                      struct atom_vectors *atoms,
                      struct error *err)
{
    size_t least = 2 * frame->columns.n;

    if (frame->n_atoms > lines_bytes_left (&reader->lines) / least) {
        reader->truncated = true;
        return 0;
    }
    return atom_vectors_resize (atoms, frame->n_atoms, err) < 0 ? -1 : 1;
}

int dump_reader_next_vectors (struct dump_reader *reader,
                              const char *const names[3],
                              struct dump_frame *frame,
                              struct atom_vectors *atoms,
                              struct error *err)
{
    struct dump_rows rows;
    int rc = dump_read_head (reader, frame, err);

    if (rc == 1)
        rc = make_room (reader, frame, atoms, err);
    if (rc == 1 && find_columns (reader, frame, names, atoms, &rows, err) < 0)
        rc = -1;
    if (rc == 1)
        rc = read_rows (reader, frame, &rows, err);
    if (rc == 1 && atom_vectors_sort (atoms, err) < 0) {
        error_prefix (err, "step %lld", (long long)frame->step);
        rc = lines_prefix (&reader->lines, err);
    }
    return rc;
}
