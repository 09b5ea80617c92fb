/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_dump.c - LAMMPS text dumps (vector_text_dump), frame by frame
 *
 * Streams: memory is one frame.  Rows may be in any order (sorted by id when
 * an id column is there).  A last frame that was cut short (a run that died)
 * ends the reading without error and sets 'truncated'.  Orthogonal and
 * triclinic boxes (bounding-box form, LAMMPS manual, "dump").
 */
#include "base/base.h"

#include "formats/lammps/dump_frame.h"
#include "formats/lammps/dump_rows.h"
#include "formats/lines.h"
#include "formats/number.h"
#include "formats/vector_source.h"

struct dump_reader {
    struct vector_reader reader;
    struct lines lines;
    struct dump_frame frame;
};

static struct vector_reader *open_dump (const char *path,
                                        const struct vector_options *options,
                                        struct error *err)
{
    struct dump_reader *dump;

    if (dump_check_options (path, options, err) < 0)
        return NULL;
    dump = xcalloc (1, sizeof (*dump));
    dump->frame = (struct dump_frame)DUMP_FRAME_INIT;
    if (lines_open (&dump->lines, path, 0, err) == 0)
        return &dump->reader;
    free (dump);
    return NULL;
}

static void close_dump (struct vector_reader *reader)
{
    _cleanup_free_ struct dump_reader *dump = (struct dump_reader *)reader;

    lines_close (&dump->lines);
    dump_frame_release (&dump->frame);
}

static int go_to (struct vector_reader *reader, uint64_t place,
                  struct error *err)
{
    return lines_go_to (&((struct dump_reader *)reader)->lines, place, err);
}

/* Go to a line that must be there: 1, or 0 when the file was cut before its
 * end, or -1.  A line without its end was cut too: "9.75" may have been
 * "9.758".
 */
static int need_line (struct dump_reader *dump, struct error *err)
{
    int rc = lines_next (&dump->lines, err);

    if (rc == 1 && !dump->lines.complete)
        rc = 0;
    if (rc == 0)
        dump->reader.truncated = true;
    return rc;
}

/* The line after its heading, holding one whole number. */
static int read_integer (struct dump_reader *dump, const char *what,
                         int64_t *value, struct error *err)
{
    struct lines *lines = &dump->lines;
    int rc = need_line (dump, err);

    if (rc != 1)
        return rc;
    if (!lines_take_integer (lines, value) || !lines_at_end (lines))
        return lines_error (lines, err, "expected %s, a whole number", what);
    return 1;
}

static int read_step (struct dump_reader *dump, struct error *err)
{
    return read_integer (dump, "the time step", &dump->frame.step, err);
}

static int read_n_atoms (struct dump_reader *dump, struct error *err)
{
    int64_t n = 0;
    int rc = read_integer (dump, "the number of atoms", &n, err);

    if (rc != 1)
        return rc;
    if (n < 0)
        return lines_error (&dump->lines, err, "%lld atoms", (long long)n);
    dump->frame.n_atoms = (size_t)n;
    return 1;
}

/* Of dump_modify. */
static int read_units (struct dump_reader *dump, struct error *err)
{
    struct lines *lines = &dump->lines;
    const char *word = "";
    size_t len = 0;
    int rc = need_line (dump, err);

    if (rc != 1)
        return rc;
    lines_take_word (lines, &word, &len);
    snprintf (dump->frame.units, sizeof (dump->frame.units), "%.*s",
              (int)(len < sizeof (dump->frame.units) ? len : 0), word);
    return 1;
}

/* "xy xz yz" (triclinic), then "pp pp pp" or other flags. */
static int read_box_flags (struct lines *lines, struct dump_frame *frame,
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

static int read_box (struct dump_reader *dump, struct error *err)
{
    struct lines *lines = &dump->lines;
    double row[3][3] = { { 0 } };
    bool triclinic;

    if (read_box_flags (lines, &dump->frame, &triclinic) < 0)
        return lines_error (lines, err,
                            "expected [xy xz yz] and three boundary flags "
                            "like pp; other forms of box are not read");
    for (int i = 0; i < 3; i++) {
        int rc = need_line (dump, err);

        if (rc != 1)
            return rc;
        if (!lines_take_numbers (lines, row[i], triclinic ? 3 : 2))
            return lines_error (lines, err, "expected %d numbers of the box",
                                triclinic ? 3 : 2);
    }
    dump_frame_set_box (&dump->frame, row);
    return 1;
}

/* The rows come after the head. */
static int read_heading (struct dump_reader *dump, struct error *err)
{
    struct lines *lines = &dump->lines;

    dump_frame_set_columns (&dump->frame, lines->at,
                            (size_t)(lines->end - lines->at));
    if (dump->frame.columns.n == 0)
        return lines_error (lines, err, "expected names of columns");
    return 1;
}

enum { SEEN_STEP = 1, SEEN_N_ATOMS = 2, SEEN_BOX = 4, SEEN_ATOMS = 8 };

static const struct item {
    const char *name;
    unsigned int seen;
    int (*read) (struct dump_reader *dump, struct error *err);
} items[] = {
    { "TIMESTEP", SEEN_STEP, read_step },
    { "NUMBER OF ATOMS", SEEN_N_ATOMS, read_n_atoms },
    { "BOX BOUNDS", SEEN_BOX, read_box },
    { "ATOMS", SEEN_ATOMS, read_heading },
    { "UNITS", 0, read_units },
    { "TIME", 0, need_line }, /* not needed */
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
static int read_item (struct dump_reader *dump, unsigned int *seen,
                      struct error *err)
{
    const unsigned int all = SEEN_STEP | SEEN_N_ATOMS | SEEN_BOX;
    const struct item *item = find_item (&dump->lines);

    if (!item)
        return lines_error (&dump->lines, err,
                            "expected a heading of a LAMMPS dump like 'ITEM: "
                            "%s'",
                            items[0].name);
    if ((*seen & item->seen) || (item->seen == SEEN_ATOMS && *seen != all))
        return lines_error (&dump->lines, err,
                            "'ITEM: %s' is out of place: a frame has TIMESTEP, "
                            "NUMBER OF ATOMS, BOX BOUNDS and last ATOMS",
                            item->name);
    *seen |= item->seen;
    return item->read (dump, err);
}

/* Read up to the first row of the next frame: 1, 0 at the end of the file, or
 * -1.
 */
static int read_head (struct dump_reader *dump, struct error *err)
{
    struct lines *lines = &dump->lines;
    unsigned int seen = 0;
    bool started = false;
    int rc;

    while (!(seen & SEEN_ATOMS)) {
        rc = lines_next (lines, err);
        if (rc < 0)
            return -1;
        if (rc == 0 || !lines->complete) {
            dump->reader.truncated |= started || rc != 0;
            return 0;
        }
        if (lines_at_end (lines))
            continue;
        if (seen == 0) /* UNITS and TIME stand before a frame */
            dump->frame.offset = lines->start;
        started = true;
        rc = read_item (dump, &seen, err);
        if (rc != 1)
            return rc;
    }
    return 1;
}

/* --- rows --- */

/* A column, if it is there, and where it goes; among those before it, by place
 * in the row.
 */
static void want (struct dump_rows *rows, int column, double *out,
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
                                const struct dump_rows *rows, size_t row,
                                size_t column, size_t *wanted)
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
static int read_row (struct dump_reader *dump, const struct dump_rows *rows,
                     size_t row, struct error *err)
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
                              const struct dump_rows *rows, size_t row)
{
    struct lines_memory memory = lines_in_memory (&dump->lines);
    const char *after;
    size_t to = dump_rows_read (rows, row, dump->frame.n_atoms, memory.begin,
                                memory.at, memory.stop, &after);

    lines_skip (&dump->lines, after, to - row);
    return to;
}

/* After the head of a frame: 1, 0 when the file was cut, or -1. */
static int read_rows (struct dump_reader *dump, struct error *err)
{
    struct dump_frame *frame = &dump->frame;
    struct dump_rows rows = { .n_columns = frame->columns.n };
    size_t row = 0;

    want (&rows, frame->at.id, frame->ids, 1);
    want (&rows, frame->at.type, frame->types, 1);
    for (size_t i = 0; i < 3; i++)
        want (&rows, frame->at.vector[i], frame->vectors + i, 3);
    for (size_t i = 0; frame->at.force[0] >= 0 && i < 3; i++)
        want (&rows, frame->at.force[i], frame->forces + i, 3);
    while (row < frame->n_atoms) {
        int rc;

        if (frame->at.symbol < 0)
            row = read_in_memory (dump, &rows, row);
        if (row == frame->n_atoms)
            break;
        rc = need_line (dump, err);
        if (rc == 1 && read_row (dump, &rows, row++, err) < 0)
            rc = -1;
        if (rc != 1)
            return rc;
    }
    return 1;
}

/* Memory for the frame's atoms: 1, 0 when the file cannot hold that many (a
 * column takes a digit and a space), or -1.
 */
static int prepare (struct dump_reader *dump, struct error *err)
{
    size_t least = 2 * dump->frame.columns.n;

    if (dump->frame.n_atoms > lines_bytes_left (&dump->lines) / least) {
        dump->reader.truncated = true;
        return 0;
    }
    return dump_frame_prepare (&dump->frame, dump->reader.options, err) < 0
               ? lines_prefix (&dump->lines, err)
               : 1;
}

static int next (struct vector_reader *reader, struct vector_frame *frame,
                 struct error *err)
{
    struct dump_reader *dump = (struct dump_reader *)reader;
    int rc = read_head (dump, err);

    if (rc == 1)
        rc = prepare (dump, err);
    if (rc == 1)
        rc = read_rows (dump, err);
    if (rc == 1 && dump_frame_finish (&dump->frame, err) < 0)
        rc = lines_prefix (&dump->lines, err);
    if (rc == 1)
        dump_frame_lend (&dump->frame, frame);
    return rc;
}

/* --- where frames stand --- */

static const char step_heading[] = "ITEM: TIMESTEP";

/* The first heading in [at, stop), which is part of a block that starts at
 * 'block' and byte 'offset' of the file; NULL: there is none.
 */
static const char *find_heading (const char *block, uint64_t offset,
                                 const char *at, const char *stop)
{
    size_t len = sizeof (step_heading) - 1;

    for (; (at = memmem (at, (size_t)(stop - at), step_heading, len));
         at += len) {
        if (at == block ? offset == 0 : at[-1] == '\n')
            return at;
    }
    return NULL;
}

/* Two lines are there from 'at' on: the heading and its step. */
static bool is_whole (const char *at, const char *stop, const char **second)
{
    const char *end = memchr (at, '\n', (size_t)(stop - at));

    *second = end ? end + 1 : stop;
    return end && memchr (*second, '\n', (size_t)(stop - *second));
}

/* Frames whose step was cut, or is none, do not count. */
static int find_frame (struct packed_file *file, uint64_t from, uint64_t *place,
                       int64_t *step, struct error *err)
{
    const size_t len = sizeof (step_heading) - 1;
    int rc = packed_go_to (file, from > 0 ? from - 1 : 0, err);

    while (rc >= 0) {
        size_t before = file->offset < from ? from - file->offset : 0;
        size_t have = (size_t)(file->stop - file->next), done;
        const char *at = NULL, *second;

        if (have > before)
            at = find_heading (file->next, file->offset, file->next + before,
                               file->stop);
        if (at && is_whole (at, file->stop, &second)) {
            *place = file->offset + (uint64_t)(at - file->next);
            if (integer_read (second, file->stop, step))
                return 1;
            from = *place + len;
            continue;
        }
        done = at ? (size_t)(at - file->next) : have > len ? have - len : 0;
        packed_take (file, done > 0 ? done - 1 : 0);
        rc = packed_more (file, err);
        if (rc == 0)
            return 0;
    }
    return -1;
}

const struct vector_source vector_text_dump = {
    open_dump, close_dump, next, go_to, find_frame,
};
