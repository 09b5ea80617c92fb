/* SPDX-License-Identifier: BSD-3-Clause */
/* deviation_file.c - model_devi.out, row by row */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "formats/deviation_file.h"
#include "formats/deviation_header.h"
#include "formats/lines.h"
#include "formats/number.h"
#include "formats/packed_file.h"

enum { PEEK_BYTES = 4096 };

struct deviation_reader {
    bool wanted[DEVIATION_QUANTITIES];
    bool with_atoms;

    struct packed_file file;
    uint64_t end; /* rows that start here are another's */

    struct deviation_header header;
    struct strbuf header_line; /* that 'header' was read from */
    struct deviation_layout layout;
    bool has_header; /* the file at hand */
    int64_t section; /* -1 before the first line that names a system */
    bool any_row;
    uint64_t cut;
    double *values; /* of a row that is read word by word */
    size_t values_alloc;
};

struct deviation_reader *deviation_reader_new (
    const bool wanted[DEVIATION_QUANTITIES],
    bool atoms)
{
    struct deviation_reader *reader = xcalloc (1, sizeof (*reader));

    memcpy (reader->wanted, wanted, sizeof (reader->wanted));
    reader->with_atoms = atoms;
    reader->file = (struct packed_file)PACKED_FILE_INIT;
    strbuf_init (&reader->header_line);
    return reader;
}

void deviation_reader_free (struct deviation_reader *reader)
{
    if (!reader)
        return;
    packed_close (&reader->file);
    deviation_layout_release (&reader->layout);
    strbuf_release (&reader->header_line);
    free (reader->values);
    free (reader);
}

uint64_t deviation_reader_cut (const struct deviation_reader *reader)
{
    return reader->cut;
}

uint64_t deviation_reader_bytes (const struct deviation_reader *reader)
{
    return reader->file.raw;
}

static int bad_file (const struct deviation_reader *reader,
                     const char *what,
                     struct error *err)
{
    return error_set (err, "%s: at byte %llu: %s", reader->file.name,
                      (unsigned long long)reader->file.offset, what);
}

/* The line at 'next', without its end: 1, 0 at the end of the file (what is
 * left, without a line break, stands in *len), or -1.
 */
static int find_line (struct deviation_reader *reader,
                      size_t *len,
                      struct error *err)
{
    struct packed_file *file = &reader->file;
    size_t searched = 0;

    for (;;) {
        size_t have = (size_t)(file->stop - file->next);
        const char *found = NULL;
        int rc;

        if (have > searched)
            found = memchr (file->next + searched, '\n', have - searched);
        *len = found ? (size_t)(found - file->next) : have;
        if (found)
            return 1;
        searched = have;
        if ((rc = packed_more (file, err)) != 1)
            return rc;
    }
}

static int check_header (const struct deviation_reader *reader,
                         struct error *err)
{
    static const char *const names[] = { "max_devi_f", "max_devi_v", "devi_e",
                                         "min_dis" };

    for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
        if (reader->wanted[q] && reader->header.largest[q] < 0)
            return error_set (err,
                              "%s: at byte %llu: no column %s, which there are "
                              "levels for",
                              reader->file.name,
                              (unsigned long long)reader->file.offset,
                              names[q]);
    }
    return 0;
}

/* Is the line the header that was read last, maybe in another file?  Then the
 * layout of the rows below it holds as well.
 */
static bool is_same_header (const struct deviation_reader *reader, size_t len)
{
    const struct strbuf *line = &reader->header_line;

    return len > 0 && len == line->len
           && memcmp (line->buf, reader->file.next, len) == 0;
}

/* A line that starts with '#': the names of columns, or of a system. */
static int take_comment (struct deviation_reader *reader,
                         size_t len,
                         struct error *err)
{
    if (is_same_header (reader, len)) {
        reader->has_header = true;
    } else if (!deviation_header_parse (reader->file.next, len,
                                        &reader->header)) {
        reader->section++;
    } else {
        reader->has_header = true;
        reader->layout.row_bytes = 0;
        if (check_header (reader, err) < 0)
            return -1;
        strbuf_reset (&reader->header_line);
        strbuf_add (&reader->header_line, reader->file.next, len);
    }
    packed_take (&reader->file, len + 1);
    return 0;
}

/* The lines before the first row. */
static int read_header (struct deviation_reader *reader, struct error *err)
{
    size_t len;
    int rc;

    reader->has_header = false;
    while ((rc = find_line (reader, &len, err)) == 1
           && reader->file.next[0] == '#') {
        if (take_comment (reader, len, err) < 0)
            return -1;
    }
    if (rc < 0 || reader->has_header)
        return rc < 0 ? -1 : 0;
    deviation_header_default (&reader->header);
    strbuf_reset (&reader->header_line);
    reader->layout.row_bytes = 0;
    return check_header (reader, err);
}

/* Go to the first line that starts at 'begin' or later. */
static int go_to_line (struct deviation_reader *reader,
                       uint64_t begin,
                       struct error *err)
{
    size_t len;
    int rc;

    if (begin <= reader->file.offset)
        return 0;
    if (packed_go_to (&reader->file, begin - 1, err) < 0)
        return -1;
    rc = find_line (reader, &len, err);
    if (rc >= 0)
        packed_take (&reader->file, len + (rc == 1));
    return rc < 0 ? -1 : 0;
}

int deviation_reader_open (struct deviation_reader *reader,
                           const char *path,
                           uint64_t begin,
                           uint64_t end,
                           uint64_t file_bytes,
                           struct error *err)
{
    if (packed_open (&reader->file, path, file_bytes, err) < 0)
        return -1;
    reader->end = end;
    reader->section = -1;
    reader->any_row = begin > 0;
    reader->cut = 0;
    if (read_header (reader, err) < 0 || go_to_line (reader, begin, err) < 0)
        return -1;
    if (packed_is_compressed (&reader->file, NULL) == 1)
        reader->end = UINT64_MAX; /* all of it is ours */
    return 0;
}

/* --- one row, word by word --- */

static void keep_value (struct deviation_reader *reader, size_t i, double value)
{
    while (i >= reader->values_alloc)
        reader->values =
            grow_array (reader->values, reader->values_alloc,
                        &reader->values_alloc, sizeof (*reader->values));
    reader->values[i] = value;
}

/* The row's columns to 'values' (the step's place is unused).  Returns their
 * number, 0 when the line is no row.
 */
static size_t read_words (struct deviation_reader *reader,
                          size_t len,
                          int64_t *step)
{
    struct lines words = { .at = reader->file.next,
                           .end = reader->file.next + len };
    double value = 0;
    size_t n = 1;

    if (len > 0 && words.end[-1] == '\r')
        words.end--;
    if (!lines_take_integer (&words, step) || *step < 0)
        return 0;
    for (; !lines_at_end (&words); n++) {
        if (!lines_take_number (&words, &value))
            return 0;
        keep_value (reader, n, value);
    }
    return n;
}

/* The largest of quantity q; NaN when any of its columns is not finite. */
static double pick_value (const struct deviation_reader *reader, int q)
{
    const struct deviation_header *header = &reader->header;
    double value = NAN;

    if (header->largest[q] >= 0)
        value = reader->values[header->largest[q]];
    for (int i = header->first[q]; i >= 0 && i <= header->last[q]; i++) {
        if (!isfinite (reader->values[i]))
            return NAN;
    }
    return value;
}

/* Take the line of 'len' bytes as a row.  False when it is none. */
static bool take_row (struct deviation_reader *reader,
                      size_t len,
                      struct deviation_rows *rows)
{
    const struct deviation_header *header = &reader->header;
    size_t n = read_words (reader, len, &rows->step[rows->n]);

    if (n < header->n_named || (n > header->n_named && !header->atoms))
        return false;
    for (int q = 0; q < DEVIATION_QUANTITIES; q++)
        rows->value[q][rows->n] = pick_value (reader, q);
    rows->n++;
    if (reader->with_atoms) {
        rows->atoms = reader->values + header->n_named;
        rows->n_atoms = n - header->n_named;
    }
    if (!reader->with_atoms)
        deviation_layout_learn (&reader->layout, reader->file.next, len,
                                header->n_named, header->atoms,
                                header->largest);
    return true;
}

/* --- rows that look like the one before --- */

static void take_alike (struct deviation_reader *reader,
                        struct deviation_rows *rows)
{
    struct deviation_columns columns = { .step = rows->step + rows->n };
    const char *limit = reader->file.stop, *next;

    if (reader->layout.row_bytes == 0 || reader->file.offset >= reader->end)
        return;
    if (reader->end - reader->file.offset
        < (uint64_t)(limit - reader->file.next))
        limit = reader->file.next + (reader->end - reader->file.offset);
    for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
        if (reader->wanted[q])
            columns.value[q] = rows->value[q] + rows->n;
    }
    rows->n += deviation_layout_rows (&reader->layout, reader->file.next, limit,
                                      reader->file.stop, &columns,
                                      DEVIATION_ROWS_MAX - rows->n, &next);
    packed_take (&reader->file, (size_t)(next - reader->file.next));
}

/* A line that is none of them.  1: go on, 0: these rows are complete. */
static int take_line (struct deviation_reader *reader,
                      size_t len,
                      struct deviation_rows *rows,
                      struct error *err)
{
    if (reader->file.next[0] == '#') {
        if (rows->n > 0)
            return 0;
        return take_comment (reader, len, err) < 0 ? -1 : 1;
    }
    if (take_row (reader, len, rows))
        reader->any_row = true;
    else if (len > 0 && !reader->any_row)
        return bad_file (reader,
                         "expected a step and the columns that the header "
                         "names, all numbers",
                         err);
    else if (len > 0)
        reader->cut++;
    packed_take (&reader->file, len + 1);
    return rows->n < DEVIATION_ROWS_MAX && !(reader->with_atoms && rows->n);
}

int deviation_reader_next (struct deviation_reader *reader,
                           struct deviation_rows *rows,
                           struct error *err)
{
    size_t len;
    int rc;

    rows->n = 0;
    rows->atoms = NULL;
    rows->n_atoms = 0;
    for (;;) {
        take_alike (reader, rows);
        if (rows->n == DEVIATION_ROWS_MAX || reader->file.offset >= reader->end)
            break;
        rc = find_line (reader, &len, err);
        if (rc < 0)
            return -1;
        if (rc == 0) {
            reader->cut += len > 0;
            packed_take (&reader->file, len);
            break;
        }
        rc = take_line (reader, len, rows, err);
        if (rc < 0)
            return -1;
        if (rc == 0)
            break;
    }
    rows->section = reader->section < 0 ? 0 : reader->section;
    return rows->n > 0;
}

/* Does the first line name a system? */
static bool begins_section (const struct packed_file *file)
{
    size_t len = (size_t)(file->stop - file->next);
    const char *line_break = len > 0 ? memchr (file->next, '\n', len) : NULL;
    struct deviation_header header;

    return line_break && file->next[0] == '#'
           && !deviation_header_parse (
               file->next, (size_t)(line_break - file->next), &header);
}

bool deviation_file_is_divisible (const char *path)
{
    struct packed_file file = PACKED_FILE_INIT;
    bool divisible = false;

    if (packed_open (&file, path, PEEK_BYTES, NULL) == 0)
        divisible = packed_is_compressed (&file, NULL) == 0
                    && packed_need (&file, PEEK_BYTES, NULL) >= 0
                    && !begins_section (&file);
    packed_close (&file);
    return divisible;
}
