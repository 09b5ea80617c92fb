/* SPDX-License-Identifier: BSD-3-Clause */
/* deviation_file.c - model_devi.out, row by row */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "formats/deviation_file.h"
#include "formats/deviation_header.h"
#include "formats/lines.h"
#include "formats/number.h"

static const size_t block_bytes_at_first = 256 * 1024;
static const size_t peek_bytes = 4096;

struct deviation_reader {
    bool wanted[DEVIATION_QUANTITIES];
    bool with_atoms;

    const char *path;
    int fd;
    uint64_t file_bytes;
    uint64_t end;    /* rows that start here are another's */
    uint64_t offset; /* of 'next' in the file */
    char *block;
    size_t block_bytes;
    char *next; /* what is in memory but not handed out yet */
    char *stop;

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
    reader->fd = -1;
    strbuf_init (&reader->header_line);
    reader->block_bytes = block_bytes_at_first;
    reader->block = xmalloc (reader->block_bytes);
    return reader;
}

void deviation_reader_free (struct deviation_reader *reader)
{
    if (!reader)
        return;
    if (reader->fd >= 0)
        close (reader->fd);
    deviation_layout_release (&reader->layout);
    strbuf_release (&reader->header_line);
    free (reader->values);
    free (reader->block);
    free (reader);
}

uint64_t deviation_reader_cut (const struct deviation_reader *reader)
{
    return reader->cut;
}

static int bad_file (const struct deviation_reader *reader,
                     const char *what,
                     struct error *err)
{
    return error_set (err, "%s: at byte %llu: %s", reader->path,
                      (unsigned long long)reader->offset, what);
}

/* Read more behind what is in memory, which moves to the front.  1, 0 when
 * there is no more, or -1.
 */
static int read_more (struct deviation_reader *reader, struct error *err)
{
    size_t kept = (size_t)(reader->stop - reader->next), wanted;
    uint64_t left = reader->file_bytes - reader->offset - kept;
    ssize_t n;

    if (left == 0)
        return 0;
    if (kept >= LINES_MAX_BYTES)
        return bad_file (reader, "the line is too long", err);
    memmove (reader->block, reader->next, kept);
    if (kept == reader->block_bytes) {
        reader->block_bytes *= 2;
        reader->block = xrealloc (reader->block, reader->block_bytes);
    }
    reader->next = reader->block;
    reader->stop = reader->block + kept;
    wanted = reader->block_bytes - kept;
    if (wanted > left)
        wanted = left;
    do
        n = pread (reader->fd, reader->stop, wanted,
                   (off_t)(reader->offset + kept));
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return error_errno (err, "cannot read '%s'", reader->path);
    reader->stop += n;
    return n > 0;
}

/* The line at 'next', without its end: 1, 0 at the end of the file (what is
 * left, without a line break, stands in *len), or -1.
 */
static int find_line (struct deviation_reader *reader,
                      size_t *len,
                      struct error *err)
{
    size_t searched = 0;

    for (;;) {
        size_t have = (size_t)(reader->stop - reader->next);
        const char *found = NULL;
        int rc;

        if (have > searched)
            found = memchr (reader->next + searched, '\n', have - searched);
        *len = found ? (size_t)(found - reader->next) : have;
        if (found)
            return 1;
        searched = have;
        if ((rc = read_more (reader, err)) != 1)
            return rc;
    }
}

/* Go behind 'bytes' of what is in memory. */
static void advance (struct deviation_reader *reader, size_t bytes)
{
    reader->next += bytes;
    reader->offset += bytes;
}

static void go_to (struct deviation_reader *reader, uint64_t offset)
{
    reader->offset = offset;
    reader->next = reader->stop = reader->block;
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
                              reader->path, (unsigned long long)reader->offset,
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
           && memcmp (line->buf, reader->next, len) == 0;
}

/* A line that starts with '#': the names of columns, or of a system. */
static int take_comment (struct deviation_reader *reader,
                         size_t len,
                         struct error *err)
{
    if (is_same_header (reader, len)) {
        reader->has_header = true;
    } else if (!deviation_header_parse (reader->next, len, &reader->header)) {
        reader->section++;
    } else {
        reader->has_header = true;
        reader->layout.row_bytes = 0;
        if (check_header (reader, err) < 0)
            return -1;
        strbuf_reset (&reader->header_line);
        strbuf_add (&reader->header_line, reader->next, len);
    }
    advance (reader, len + 1);
    return 0;
}

/* The lines before the first row. */
static int read_header (struct deviation_reader *reader, struct error *err)
{
    size_t len;
    int rc;

    reader->has_header = false;
    while ((rc = find_line (reader, &len, err)) == 1
           && reader->next[0] == '#') {
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

    if (begin <= reader->offset)
        return 0;
    go_to (reader, begin - 1);
    rc = find_line (reader, &len, err);
    if (rc >= 0)
        advance (reader, len + (rc == 1));
    return rc < 0 ? -1 : 0;
}

int deviation_reader_open (struct deviation_reader *reader,
                           const char *path,
                           uint64_t begin,
                           uint64_t end,
                           uint64_t file_bytes,
                           struct error *err)
{
    if (reader->fd >= 0)
        close (reader->fd);
    reader->fd = open (path, O_RDONLY | O_CLOEXEC);
    if (reader->fd < 0)
        return error_errno (err, "cannot open '%s'", path);
    reader->path = path;
    reader->file_bytes = file_bytes;
    reader->end = end;
    reader->section = -1;
    reader->any_row = begin > 0;
    reader->cut = 0;
    go_to (reader, 0);
    if (read_header (reader, err) < 0 || go_to_line (reader, begin, err) < 0)
        return -1;
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
    struct lines words = { .at = reader->next, .end = reader->next + len };
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
    rows->atoms = reader->values + header->n_named;
    rows->n_atoms = n - header->n_named;
    if (!reader->with_atoms)
        deviation_layout_learn (&reader->layout, reader->next, len,
                                header->n_named, header->atoms,
                                header->largest);
    return true;
}

/* --- rows that look like the one before --- */

static void take_alike (struct deviation_reader *reader,
                        struct deviation_rows *rows)
{
    struct deviation_columns columns = { .step = rows->step + rows->n };
    const char *limit = reader->stop, *next;

    if (reader->layout.row_bytes == 0 || reader->offset >= reader->end)
        return;
    if (reader->end - reader->offset < (uint64_t)(limit - reader->next))
        limit = reader->next + (reader->end - reader->offset);
    for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
        if (reader->wanted[q])
            columns.value[q] = rows->value[q] + rows->n;
    }
    rows->n += deviation_layout_rows (&reader->layout, reader->next, limit,
                                      reader->stop, &columns,
                                      DEVIATION_ROWS_MAX - rows->n, &next);
    advance (reader, (size_t)(next - reader->next));
}

/* A line that is none of them.  1: go on, 0: these rows are complete. */
static int take_line (struct deviation_reader *reader,
                      size_t len,
                      struct deviation_rows *rows,
                      struct error *err)
{
    if (reader->next[0] == '#') {
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
    advance (reader, len + 1);
    return rows->n < DEVIATION_ROWS_MAX && !(reader->with_atoms && rows->n);
}

int deviation_reader_next (struct deviation_reader *reader,
                           struct deviation_rows *rows,
                           struct error *err)
{
    size_t len;
    int rc;

    rows->n = 0;
    for (;;) {
        take_alike (reader, rows);
        if (rows->n == DEVIATION_ROWS_MAX || reader->offset >= reader->end)
            break;
        rc = find_line (reader, &len, err);
        if (rc < 0)
            return -1;
        if (rc == 0) {
            reader->cut += len > 0;
            advance (reader, len);
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

bool deviation_file_has_sections (const char *path)
{
    char text[4096];
    int fd = open (path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : pread (fd, text, peek_bytes, 0);
    struct deviation_header header;
    const char *line_break;
    bool has = false;

    if (fd >= 0)
        close (fd);
    if (n > 0 && text[0] == '#') {
        line_break = memchr (text, '\n', (size_t)n);
        has = line_break
              && !deviation_header_parse (text, (size_t)(line_break - text),
                                          &header);
    }
    return has;
}
