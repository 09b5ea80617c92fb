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
#include "formats/lammps/lammps_dump.h"
#include "formats/lammps/lammps_dump_reader.h"
#include "formats/number.h"

struct dump_reader *dump_reader_open_at (const char *path,
                                         uint64_t offset,
                                         struct error *err)
{
    struct dump_reader *reader = xcalloc (1, sizeof (*reader));

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
    struct dump_reader *reader = xcalloc (1, sizeof (*reader));

    lines_of_text (&reader->lines, text, len, name, 1);
    return reader;
}

void dump_reader_close (struct dump_reader *reader)
{
    if (!reader)
        return;
    lines_close (&reader->lines);
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

/* Memory for the frame's rows: 1, 0 when the file cannot hold that many (a
 * column takes a digit and a space), or -1.
 */
static int reserve_rows (struct dump_reader *reader,
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

static int read_rows (struct dump_reader *reader,
                      struct dump_frame *frame,
                      struct error *err)
{
    struct lines *lines = &reader->lines;
    int element, rc;

    element = dump_frame_column (frame, "element");
    rc = reserve_rows (reader, frame, element >= 0, err);
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

int dump_read_head (struct dump_reader *reader,
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

int dump_reader_next (struct dump_reader *reader,
                      struct dump_frame *frame,
                      struct error *err)
{
    int rc = dump_read_head (reader, frame, err);

    return rc == 1 ? read_rows (reader, frame, err) : rc;
}
