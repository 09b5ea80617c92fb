/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_dump.c - LAMMPS text dumps, frame by frame */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/error.h"
#include "formats/lammps_dump.h"
#include "formats/lammps_dump_reader.h"
#include "formats/number.h"
#include "formats/row_order.h"

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

static struct dump_reader *new_reader (void)
{
    struct dump_reader *reader = xcalloc (1, sizeof (*reader));

    reader->head = (struct dump_head)DUMP_HEAD_INIT;
    return reader;
}

struct dump_reader *dump_reader_open_at (const char *path,
                                         uint64_t offset,
                                         struct error *err)
{
    struct dump_reader *reader = new_reader ();

    if (lines_open (&reader->lines, path, offset, err) < 0) {
        int saved = errno;

        free (reader);
        errno = saved;
        return NULL;
    }
    return reader;
}

struct dump_reader *dump_reader_open (const char *path, struct error *err)
{
    return dump_reader_open_at (path, 0, err);
}

struct dump_reader *dump_reader_of_text (const char *text,
                                         size_t len,
                                         const char *name)
{
    struct dump_reader *reader = new_reader ();

    lines_of_text (&reader->lines, text, len, name, 1);
    return reader;
}

void dump_reader_close (struct dump_reader *reader)
{
    if (!reader)
        return;
    lines_close (&reader->lines);
    dump_head_release (&reader->head);
    free (reader);
}

bool dump_reader_truncated (const struct dump_reader *reader)
{
    return reader->truncated;
}

int dump_reader_go_to (struct dump_reader *reader,
                       uint64_t offset,
                       struct error *err)
{
    return lines_go_to (&reader->lines, offset, err);
}

int dump_need_line (struct dump_reader *reader, struct error *err)
{
    int rc = lines_next (&reader->lines, err);

    if (rc == 1 && !reader->lines.complete)
        rc = 0;
    if (rc == 0)
        reader->truncated = true;
    return rc;
}

/* The line after its heading, holding one whole number. */
static int read_integer (struct dump_reader *reader,
                         const char *what,
                         int64_t *value,
                         struct error *err)
{
    struct lines *lines = &reader->lines;
    int rc = dump_need_line (reader, err);

    if (rc != 1)
        return rc;
    if (!lines_take_integer (lines, value) || !lines_at_end (lines))
        return lines_error (lines, err, "expected %s, a whole number", what);
    return 1;
}

static int read_step (struct dump_reader *reader,
                      struct dump_frame *frame,
                      struct error *err)
{
    return read_integer (reader, "the time step", &frame->step, err);
}

static int read_n_atoms (struct dump_reader *reader,
                         struct dump_frame *frame,
                         struct error *err)
{
    int64_t n = 0;
    int rc = read_integer (reader, "the number of atoms", &n, err);

    if (rc != 1)
        return rc;
    if (n < 0)
        return lines_error (&reader->lines, err, "%lld atoms", (long long)n);
    frame->n_atoms = (size_t)n;
    return 1;
}

/* "xy xz yz" (triclinic), then "pp pp pp" or other flags. */
static int read_box_flags (struct lines *lines,
                           struct dump_frame *frame,
                           bool *triclinic)
{
    const char *word;
    size_t len;

    *triclinic = lines_take_prefix (lines, " xy xz yz");
    memset (frame->periodic, 0, sizeof (frame->periodic));
    for (int i = 0; lines_take_word (lines, &word, &len); i++) {
        if (i == 3 || len != 2 || !strchr ("pfsm", *word))
            return -1;
        frame->periodic[i] = *word == 'p';
    }
    return 0;
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

static int read_box (struct dump_reader *reader,
                     struct dump_frame *frame,
                     struct error *err)
{
    struct lines *lines = &reader->lines;
    double row[3][3] = { { 0 } };
    bool triclinic;

    if (read_box_flags (lines, frame, &triclinic) < 0)
        return lines_error (lines, err,
                            "expected [xy xz yz] and three boundary flags "
                            "like pp; other forms of box are not read");
    for (int i = 0; i < 3; i++) {
        int rc = dump_need_line (reader, err);

        if (rc != 1)
            return rc;
        if (!lines_take_numbers (lines, row[i], triclinic ? 3 : 2))
            return lines_error (lines, err, "expected %d numbers of the box",
                                triclinic ? 3 : 2);
    }
    dump_frame_set_box (frame, row);
    return 1;
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

/* Room for the frame's rows: 1, 0 when the file cannot hold that many (a column
 * takes a digit and a space), or -1.
 */
static int make_room (struct dump_reader *reader,
                      struct dump_frame *frame,
                      bool with_elements,
                      struct error *err)
{
    size_t least = 2 * frame->columns.n;

    if (frame->n_atoms > lines_bytes_left (&reader->lines) / least) {
        reader->truncated = true;
        return 0;
    }
    return dump_frame_resize (frame, with_elements, err) < 0 ? -1 : 1;
}

static int take_element (struct lines *lines, char symbol[SYMBOL_SIZE])
{
    const char *word;
    size_t len;

    if (!lines_take_word (lines, &word, &len))
        return -1;
    return symbol_set (symbol, word, len);
}

static int read_row (struct lines *lines,
                     struct dump_frame *frame,
                     size_t row,
                     size_t element,
                     struct error *err)
{
    double *values = frame->values + row * frame->columns.n;

    for (size_t i = 0; i < frame->columns.n; i++) {
        bool ok;

        if (i == element) {
            values[i] = NAN;
            ok = take_element (lines, frame->elements[row]) == 0;
        } else {
            ok = lines_take_number (lines, &values[i]);
        }
        if (!ok)
            return lines_error (lines, err, "expected %s in column %zu (%s)",
                                i == element ? "an element" : "a number", i + 1,
                                frame->columns.v[i]);
    }
    if (!lines_at_end (lines))
        return lines_error (lines, err, "expected %zu columns, found more",
                            frame->columns.n);
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

static int read_rows (struct dump_reader *reader,
                      struct dump_frame *frame,
                      struct error *err)
{
    struct lines *lines = &reader->lines;
    int element, rc;

    element = dump_frame_column (frame, "element");
    rc = make_room (reader, frame, element >= 0, err);
    for (size_t i = 0; rc == 1 && i < frame->n_atoms; i++) {
        rc = dump_need_line (reader, err);
        if (rc == 1 && read_row (lines, frame, i, (size_t)element, err) < 0)
            rc = -1;
    }
    if (rc == 1 && dump_frame_sort (frame, err) < 0) {
        error_prefix (err, "step %lld", (long long)frame->step);
        rc = lines_prefix (lines, err);
    }
    return rc;
}

/* The rows come after the head. */
static int read_heading (struct dump_reader *reader,
                         struct dump_frame *frame,
                         struct error *err)
{
    struct lines *lines = &reader->lines;

    dump_frame_set_columns (frame, lines->at, (size_t)(lines->end - lines->at));
    if (frame->columns.n == 0)
        return lines_error (lines, err, "expected names of columns");
    return 1;
}

/* "ITEM: UNITS" and "ITEM: TIME" (dump_modify) tell nothing we need. */
static int skip_line (struct dump_reader *reader,
                      struct dump_frame *frame,
                      struct error *err)
{
    (void)frame;
    return dump_need_line (reader, err);
}

enum { SEEN_STEP = 1, SEEN_N_ATOMS = 2, SEEN_BOX = 4, SEEN_ATOMS = 8 };

static const struct item {
    const char *name;
    unsigned int seen;
    int (*read) (struct dump_reader *reader,
                 struct dump_frame *frame,
                 struct error *err);
} items[] = {
    { "TIMESTEP", SEEN_STEP, read_step },
    { "NUMBER OF ATOMS", SEEN_N_ATOMS, read_n_atoms },
    { "BOX BOUNDS", SEEN_BOX, read_box },
    { "ATOMS", SEEN_ATOMS, read_heading },
    { "UNITS", 0, skip_line },
    { "TIME", 0, skip_line },
};

/* What the heading at hand announces, or NULL; the line is left behind the
 * heading's name.
 */
static const struct item *find_item (struct lines *lines)
{
    const char *name;

    if (!lines_take_prefix (lines, "ITEM: "))
        return NULL;
    name = lines->at;
    for (size_t i = 0; i < ARRAY_SIZE (items); i++) {
        if (lines_take_prefix (lines, items[i].name)
            && (lines->at == lines->end || *lines->at == ' '))
            return &items[i];
        lines->at = name;
    }
    return NULL;
}

/* The heading at hand and what belongs to it. */
static int read_item (struct dump_reader *reader,
                      struct dump_frame *frame,
                      unsigned int *seen,
                      struct error *err)
{
    const unsigned int all = SEEN_STEP | SEEN_N_ATOMS | SEEN_BOX;
    const struct item *item = find_item (&reader->lines);

    if (!item)
        return lines_error (&reader->lines, err,
                            "expected a heading of a LAMMPS dump like 'ITEM: "
                            "%s'",
                            items[0].name);
    if ((*seen & item->seen) || (item->seen == SEEN_ATOMS && *seen != all))
        return lines_error (&reader->lines, err,
                            "'ITEM: %s' is out of place: a frame has TIMESTEP, "
                            "NUMBER OF ATOMS, BOX BOUNDS and last ATOMS",
                            item->name);
    *seen |= item->seen;
    return item->read (reader, frame, err);
}

/* Read a head item by item. */
static int read_items (struct dump_reader *reader,
                       struct dump_frame *frame,
                       struct error *err)
{
    struct lines *lines = &reader->lines;
    unsigned int seen = 0;
    bool started = false;
    int rc;

    while (!(seen & SEEN_ATOMS)) {
        rc = lines_next (lines, err);
        if (rc < 0)
            return -1;
        if (rc == 0 || !lines->complete) {
            reader->truncated |= started || rc != 0;
            return 0;
        }
        if (lines_at_end (lines))
            continue;
        if (seen == 0) /* UNITS and TIME stand before a frame */
            frame->offset = lines->start;
        started = true;
        rc = read_item (reader, frame, &seen, err);
        if (rc != 1)
            return rc;
    }
    return 1;
}

/* The head of the frame before, but for the step: false when it is another one,
 * or not all of it in memory.
 */
static bool take_known_head (struct dump_reader *reader,
                             struct dump_frame *frame)
{
    struct lines_memory memory = lines_in_memory (&reader->lines);
    const char *at = dump_head_step (&reader->head, memory.at, memory.stop);
    int64_t step;

    at = at ? integer_read (at, memory.stop, &step) : NULL;
    at = at ? dump_head_end (&reader->head, at, memory.stop, frame) : NULL;
    if (!at)
        return false;
    frame->step = step;
    frame->offset = lines_offset (&reader->lines);
    lines_skip (&reader->lines, at, reader->head_lines);
    return true;
}

/* Know the head that was just read, if it is still in memory and begins as all
 * do but few.
 */
static void learn_head (struct dump_reader *reader,
                        const struct dump_frame *frame)
{
    static const char heading[] = "ITEM: TIMESTEP\n";
    uint64_t len = lines_offset (&reader->lines) - frame->offset;
    const char *at = packed_taken (&reader->lines.file, len), *step, *end;
    int64_t value;

    if (!at || len < sizeof (heading)
        || memcmp (at, heading, sizeof (heading) - 1) != 0)
        return;
    step = at + sizeof (heading) - 1;
    end = integer_read (step, at + len, &value);
    if (!end || *end != '\n')
        return;
    dump_head_learn (&reader->head, at, len, step, (size_t)(end - step), frame);
    reader->head_lines = 0;
    for (size_t i = 0; i < len; i++)
        reader->head_lines += at[i] == '\n';
}

int dump_read_head (struct dump_reader *reader,
                    struct dump_frame *frame,
                    struct error *err)
{
    int rc;

    if (take_known_head (reader, frame))
        return 1;
    rc = read_items (reader, frame, err);
    if (rc == 1)
        learn_head (reader, frame);
    return rc;
}

int dump_reader_next (struct dump_reader *reader,
                      struct dump_frame *frame,
                      struct error *err)
{
    int rc = dump_read_head (reader, frame, err);

    return rc == 1 ? read_rows (reader, frame, err) : rc;
}
