/* SPDX-License-Identifier: BSD-3-Clause */
/* deviation_file.c - model_devi.out, row by row */
#include "base/base.h"

#include "base/file.h"
#include "formats/deviations/deviation_file.h"
#include "formats/deviations/deviation_header.h"
#include "formats/lines.h"
#include "formats/number.h"
#include "formats/packed/packed_file.h"

enum { PEEK_BYTES = 4096 };

struct deviation_reader {
    bool wanted[DEVIATION_QUANTITIES];
    bool with_atoms;

    struct packed_file file;
    uint64_t end; /* rows that start here are another's */

    struct deviation_header header;
    struct strbuf header_line; /* that 'header' was read from */
    struct row_shape shape;    /* of rows below it, with n_atoms */
    bool has_header;           /* the file at hand */
    size_t n_atoms;            /* columns of atoms in each row of the section */
    bool knows_n_atoms;        /* no comment came since */
    size_t n_atoms_at_top;
    bool uniform;    /* deviation_reader_is_uniform */
    int64_t section; /* -1 before the first line that names a system */
    bool any_row;
    uint64_t cut;
    double *values; /* of a row that is read word by word */
    size_t values_alloc;
};

struct deviation_reader *deviation_reader_new (
    const bool wanted[DEVIATION_QUANTITIES], bool atoms)
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
    row_shape_release (&reader->shape);
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

static int bad_file (const struct deviation_reader *reader, const char *what,
                     struct error *err)
{
    return error_set (err, "%s: at byte %llu: %s", reader->file.name,
                      (unsigned long long)reader->file.offset, what);
}

bool deviation_reader_is_uniform (const struct deviation_reader *reader)
{
    return reader->uniform;
}

/* The line that starts 'from' bytes behind 'next', without its end: 1, 0 at the
 * end of the file (what is left, without a line break, stands in *len), or -1.
 */
static int find_line (struct deviation_reader *reader, size_t from, size_t *len,
                      struct error *err)
{
    struct packed_file *file = &reader->file;
    size_t searched = from;

    for (;;) {
        size_t have = (size_t)(file->stop - file->next);
        const char *found = NULL;
        int rc;

        if (have > searched)
            found = memchr (file->next + searched, '\n', have - searched);
        *len = found ? (size_t)(found - file->next) - from : have - from;
        if (found)
            return 1;
        searched = have;
        if ((rc = packed_more (file, err)) != 1)
            return rc;
    }
}

/* The line without the blanks before it and the '\r' behind it. */
static void trim_line (const char **line, size_t *len)
{
    if (*len > 0 && (*line)[*len - 1] == '\r')
        --*len;
    for (; *len > 0 && (**line == ' ' || **line == '\t'); ++*line)
        --*len;
}

static bool is_comment (const char *line, size_t len)
{
    trim_line (&line, &len);
    return len > 0 && *line == '#';
}

static bool is_blank (const char *line, size_t len)
{
    trim_line (&line, &len);
    return len == 0;
}

/* The columns of a row to 'values' (the step's place is unused).  Returns their
 * number, 0 when the line is no row.
 */
static size_t read_words (struct deviation_reader *reader, const char *line,
                          size_t len, int64_t *step)
{
    struct lines words;
    double value = 0;
    size_t n = 1;

    trim_line (&line, &len);
    words = (struct lines){ .at = line, .end = line + len };
    if (!lines_take_integer (&words, step) || *step < 0)
        return 0;
    for (; !lines_at_end (&words); n++) {
        if (!lines_take_number (&words, &value))
            return 0;
        if (n >= reader->values_alloc)
            reader->values =
                grow_array (reader->values, reader->values_alloc,
                            &reader->values_alloc, sizeof (*reader->values));
        reader->values[n] = value;
    }
    return n;
}

/* --- comments, and what they say of the rows below --- */

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

/* A comment: the names of columns, or of a system. */
static int take_comment (struct deviation_reader *reader, size_t line_bytes,
                         struct error *err)
{
    const char *line = reader->file.next;
    struct strbuf *known = &reader->header_line;
    size_t len = line_bytes;

    trim_line (&line, &len);
    if (len == known->len && memcmp (line, known->buf, len) == 0) {
        reader->has_header = true;
    } else if (!deviation_header_parse (line, len, &reader->header)) {
        reader->section++;
        reader->uniform = false;
    } else {
        reader->has_header = true;
        reader->uniform = false;
        reader->shape.row_bytes = 0;
        strbuf_reset (known);
        if (check_header (reader, err) < 0)
            return -1;
        strbuf_add (known, line, len);
    }
    reader->knows_n_atoms = false;
    packed_take (&reader->file, line_bytes + 1);
    return 0;
}

/* Columns of atoms in the line that starts 'from' bytes behind 'next', which
 * is moved to the next one.  *n is -1 when it is no row.
 */
static int count_atoms (struct deviation_reader *reader, size_t *from,
                        ptrdiff_t *n, struct error *err)
{
    size_t len, columns = 0;
    int64_t step;
    int rc = find_line (reader, *from, &len, err);

    if (rc == 1)
        columns = read_words (reader, reader->file.next + *from, len, &step);
    *from += len + (rc == 1);
    *n = columns < reader->header.n_named
             ? -1
             : (ptrdiff_t)(columns - reader->header.n_named);
    return rc;
}

/* How many atoms the rows from the one at hand on are of: as many as in two of
 * the first three, or in the first, since any of them may have been cut.
 */
static int find_n_atoms (struct deviation_reader *reader, struct error *err)
{
    ptrdiff_t n[3] = { 0, -1, -1 };
    size_t from = 0;
    int rc = 1;

    for (int i = 0; i < 3 && rc == 1 && reader->header.atoms; i++)
        rc = count_atoms (reader, &from, &n[i], err);
    if (rc < 0)
        return -1;
    if (n[1] >= 0 && (n[0] < 0 || n[1] == n[2]))
        n[0] = n[1];
    if (n[0] < 0)
        n[0] = n[2];
    if (n[0] < 0)
        return 0;
    if (reader->n_atoms != (size_t)n[0])
        reader->shape.row_bytes = 0;
    reader->n_atoms = (size_t)n[0];
    reader->knows_n_atoms = true;
    return 0;
}

/* The lines before the first row. */
static int read_header (struct deviation_reader *reader, struct error *err)
{
    size_t len;
    int rc;

    reader->has_header = false;
    while ((rc = find_line (reader, 0, &len, err)) == 1) {
        if (is_blank (reader->file.next, len))
            packed_take (&reader->file, len + 1);
        else if (!is_comment (reader->file.next, len))
            break;
        else if (take_comment (reader, len, err) < 0)
            return -1;
    }
    if (rc < 0)
        return -1;
    if (!reader->has_header) {
        deviation_header_default (&reader->header);
        strbuf_reset (&reader->header_line);
        reader->shape.row_bytes = 0;
        if (check_header (reader, err) < 0)
            return -1;
    }
    return find_n_atoms (reader, err);
}

/* Go to the first line that starts at 'begin' or later. */
static int go_to_line (struct deviation_reader *reader, uint64_t begin,
                       struct error *err)
{
    size_t len;
    int rc;

    if (begin <= reader->file.offset)
        return 0;
    if (packed_go_to (&reader->file, begin - 1, err) < 0)
        return -1;
    rc = find_line (reader, 0, &len, err);
    if (rc >= 0)
        packed_take (&reader->file, len + (rc == 1));
    return rc < 0 ? -1 : 0;
}

int deviation_reader_open (struct deviation_reader *reader, const char *path,
                           uint64_t begin, uint64_t end, uint64_t file_bytes,
                           struct error *err)
{
    if (packed_open (&reader->file, path, file_bytes, err) < 0)
        return -1;
    reader->end = end;
    reader->section = -1;
    reader->cut = 0;
    reader->knows_n_atoms = false;
    if (read_header (reader, err) < 0)
        return -1;
    reader->uniform = true;
    reader->n_atoms_at_top = reader->n_atoms;
    reader->any_row = begin > reader->file.offset; /* before 'begin' */
    if (go_to_line (reader, begin, err) < 0)
        return -1;
    if (packed_is_compressed (&reader->file, NULL) == 1)
        reader->end = UINT64_MAX; /* all of it is ours */
    return 0;
}

/* --- rows --- */

/* The largest of quantity q; NaN when any of its columns is not a number, or
 * its minimum is above it.
 */
static double pick_value (const struct deviation_reader *reader, int q)
{
    const struct deviation_header *header = &reader->header;
    double value = NAN;

    if (header->largest[q] >= 0)
        value = reader->values[header->largest[q]];
    for (int i = header->first[q]; i >= 0 && i <= header->last[q]; i++) {
        if (!(reader->values[i] > -INFINITY))
            return NAN;
        if (reader->values[i] == INFINITY)
            value = INFINITY;
    }
    if (header->least[q] >= 0 && reader->values[header->least[q]] > value)
        return NAN;
    return value;
}

/* Take the line of 'len' bytes, which is a row; its columns are in 'values'. */
static void take_row (struct deviation_reader *reader, size_t len,
                      struct deviation_rows *rows)
{
    const struct deviation_header *header = &reader->header;

    for (int q = 0; q < DEVIATION_QUANTITIES; q++)
        rows->value[q][rows->n] = pick_value (reader, q);
    rows->n++;
    if (reader->with_atoms) {
        rows->atoms = reader->values + header->n_named;
        rows->n_atoms = reader->n_atoms;
    } else {
        row_shape_learn (&reader->shape, reader->file.next, len,
                         header->n_named + reader->n_atoms, header->largest,
                         header->least);
    }
}

/* Rows that look like the one before. */
static void take_alike (struct deviation_reader *reader,
                        struct deviation_rows *rows)
{
    struct deviation_columns columns = { .step = rows->step + rows->n };
    const char *limit = reader->file.stop, *next;

    if (!reader->knows_n_atoms || reader->shape.row_bytes == 0
        || reader->file.offset >= reader->end)
        return;
    if (reader->end - reader->file.offset
        < (uint64_t)(limit - reader->file.next))
        limit = reader->file.next + (reader->end - reader->file.offset);
    for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
        if (reader->wanted[q])
            columns.value[q] = rows->value[q] + rows->n;
    }
    rows->n += row_shape_rows (&reader->shape, reader->file.next, limit,
                               reader->file.stop, &columns,
                               DEVIATION_ROWS_MAX - rows->n, &next);
    packed_take (&reader->file, (size_t)(next - reader->file.next));
    reader->any_row |= rows->n > 0;
}

/* The first row of a section, or one that looks unlike the row before, or none.
 */
static int take_odd_line (struct deviation_reader *reader, size_t len,
                          struct deviation_rows *rows, struct error *err)
{
    size_t n, n_named = reader->header.n_named;

    if (!reader->knows_n_atoms) {
        if (find_n_atoms (reader, err) < 0)
            return -1;
        if (reader->n_atoms != reader->n_atoms_at_top)
            reader->uniform = false;
    }
    n = read_words (reader, reader->file.next, len, &rows->step[rows->n]);
    if (!reader->any_row
        && (n < n_named || (n > n_named && !reader->header.atoms)))
        return bad_file (reader,
                         "expected a step and the columns that the header "
                         "names, all numbers",
                         err);
    reader->any_row = true;
    if (n == n_named + reader->n_atoms)
        take_row (reader, len, rows);
    else
        reader->cut++;
    return 0;
}

/* A line that is not like the row before.  1: go on, 0: these rows are
 * complete.
 */
static int take_line (struct deviation_reader *reader, size_t len,
                      struct deviation_rows *rows, struct error *err)
{
    if (is_comment (reader->file.next, len)) {
        if (rows->n > 0)
            return 0;
        return take_comment (reader, len, err) < 0 ? -1 : 1;
    }
    if (!is_blank (reader->file.next, len)
        && take_odd_line (reader, len, rows, err) < 0)
        return -1;
    packed_take (&reader->file, len + 1);
    return rows->n < DEVIATION_ROWS_MAX && !(reader->with_atoms && rows->n);
}

int deviation_reader_next (struct deviation_reader *reader,
                           struct deviation_rows *rows, struct error *err)
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
        rc = find_line (reader, 0, &len, err);
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

bool deviation_file_is_divisible (const char *path)
{
    static const bool nothing[DEVIATION_QUANTITIES] = { false };
    struct deviation_reader *reader = deviation_reader_new (nothing, false);
    bool divisible =
        deviation_reader_open (reader, path, 0, PEEK_BYTES, PEEK_BYTES, NULL)
            == 0
        && packed_is_compressed (&reader->file, NULL) == 0
        && reader->section < 0;

    deviation_reader_free (reader);
    return divisible;
}

int deviation_count_rows (const char *path, bool atomic, int64_t *n,
                          struct error *err)
{
    static const bool wanted[DEVIATION_QUANTITIES] = { [DEVIATION_FORCE] =
                                                           true };
    struct deviation_reader *reader = deviation_reader_new (wanted, atomic);
    _cleanup_free_ struct deviation_rows *rows = xcalloc (1, sizeof (*rows));
    uint64_t bytes = 0;
    int64_t seen = 0;
    int rc = file_tree_bytes (path, &bytes, err);

    if (rc == 0)
        rc = deviation_reader_open (reader, path, 0, bytes, bytes, err);
    while (rc == 0 && (rc = deviation_reader_next (reader, rows, err)) == 1) {
        seen += (int64_t)rows->n;
        rc = 0;
    }
    if (rc == 0)
        *n = seen;
    deviation_reader_free (reader);
    return rc;
}
