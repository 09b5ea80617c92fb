/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_binary.c - LAMMPS binary dumps, frame by frame */
#include "base/base.h"

#include <byteswap.h>

#include "formats/lammps/lammps_binary.h"

static struct vector_reader *open_dump (const char *path,
                                        const struct vector_options *options,
                                        struct error *err)
{
    struct binary_dump *dump;

    if (dump_check_options (path, options, err) < 0)
        return NULL;
    dump = xcalloc (1, sizeof (*dump));
    dump->file = (struct packed_file)PACKED_FILE_INIT;
    dump->frame = (struct dump_frame)DUMP_FRAME_INIT;
    dump->columns = options->columns;
    if (packed_open (&dump->file, path, UINT64_MAX, err) == 0)
        return &dump->reader;
    free (dump);
    return NULL;
}

static void close_dump (struct vector_reader *reader)
{
    _cleanup_free_ struct binary_dump *dump = (struct binary_dump *)reader;

    packed_close (&dump->file);
    dump_frame_release (&dump->frame);
}

static int go_to (struct vector_reader *reader, uint64_t place,
                  struct error *err)
{
    return packed_go_to (&((struct binary_dump *)reader)->file, place, err);
}

/* Can the file hold so many atoms? */
static bool is_there (struct binary_dump *dump, const struct binary_head *head)
{
    size_t n_atoms = dump->frame.n_atoms;
    uint64_t left = (uint64_t)(dump->file.stop - dump->file.next), bytes;

    if (n_atoms <= left / ((uint64_t)head->n_columns * sizeof (double)))
        return true; /* mostly they are in memory */
    bytes = packed_bytes (&dump->file);
    left = bytes > dump->file.offset ? bytes - dump->file.offset : 0;
    if (n_atoms <= left / ((uint64_t)head->n_columns * sizeof (double)))
        return true;
    dump->reader.truncated = true;
    return false;
}

/* --- the atoms --- */

/* Number 'column' of n rows at 'bytes', which are not aligned, to every
 * 'stride' of 'out'.
 */
INLINED void take_column (const struct binary_dump *dump, const char *bytes,
                          size_t n, int column, double *out, size_t stride)
{
    size_t row_bytes = dump->frame.columns.n * sizeof (double);
    const char *at = bytes + (size_t)column * sizeof (double);

    for (size_t i = 0; i < n; i++, at += row_bytes) {
        uint64_t bits;

        memcpy (&bits, at, sizeof (bits));
        bits = dump->swapped ? bswap_64 (bits) : bits;
        memcpy (out + i * stride, &bits, sizeof (bits));
    }
}

/* What is asked for of n rows, the first of which is 'row'. */
FASTEST_HERE
static void take_rows (struct binary_dump *dump, size_t row, size_t n)
{
    struct dump_frame *frame = &dump->frame;
    const char *bytes = dump->file.next;

    if (frame->at.id >= 0)
        take_column (dump, bytes, n, frame->at.id, frame->ids + row, 1);
    if (frame->at.type >= 0)
        take_column (dump, bytes, n, frame->at.type, frame->types + row, 1);
    for (size_t i = 0; i < 3; i++)
        take_column (dump, bytes, n, frame->at.vector[i],
                     frame->vectors + 3 * row + i, 3);
    for (size_t i = 0; frame->at.force[0] >= 0 && i < 3; i++)
        take_column (dump, bytes, n, frame->at.force[i],
                     frame->forces + 3 * row + i, 3);
}

/* The rows of one piece, from row 'row' of the frame on: 1, 0 or -1. */
static int read_piece (struct binary_dump *dump, size_t row, size_t n_rows,
                       struct error *err)
{
    size_t row_bytes = dump->frame.columns.n * sizeof (double);

    while (n_rows > 0) {
        int rc = binary_need (dump, row_bytes, err);
        size_t have;

        if (rc != 1)
            return rc;
        have = (size_t)(dump->file.stop - dump->file.next) / row_bytes;
        if (have > n_rows)
            have = n_rows;
        take_rows (dump, row, have);
        packed_take (&dump->file, have * row_bytes);
        n_rows -= have;
        row += have;
    }
    return 1;
}

static int read_pieces (struct binary_dump *dump,
                        const struct binary_head *head, struct error *err)
{
    size_t n_atoms = dump->frame.n_atoms, row = 0;
    int32_t n_columns = head->n_columns;

    for (int32_t i = 0; i < head->n_pieces; i++) {
        int32_t n = 0;
        int rc = binary_take (dump, &n, 1, sizeof (n), err);

        if (rc == 1
            && (n < 0 || n % n_columns != 0
                || (size_t)(n / n_columns) > n_atoms - row))
            rc = binary_malformed (
                dump, err,
                "a piece of %d numbers does not fit into a frame "
                "of %zu atoms of %d columns",
                (int)n, n_atoms, (int)n_columns);
        if (rc == 1)
            rc = read_piece (dump, row, (size_t)(n / n_columns), err);
        if (rc != 1)
            return rc;
        row += (size_t)(n / n_columns);
    }
    if (row != n_atoms)
        return binary_malformed (
            dump, err, "%zu atoms were announced, %zu came", n_atoms, row);
    return 1;
}

static int next (struct vector_reader *reader, struct vector_frame *frame,
                 struct error *err)
{
    struct binary_dump *dump = (struct binary_dump *)reader;
    struct binary_head head;
    int rc = binary_read_head (dump, &head, err);

    if (rc == 1 && !is_there (dump, &head))
        rc = 0;
    if (rc == 1 && dump_frame_prepare (&dump->frame, reader->options, err) < 0)
        rc = error_prefix (err, "%s: at byte %llu", dump->file.name,
                           (unsigned long long)dump->file.offset);
    dump->frame.at.symbol = -1; /* these are numbers */
    if (rc == 1)
        rc = read_pieces (dump, &head, err);
    if (rc == 1 && dump_frame_finish (&dump->frame, err) < 0)
        rc = error_prefix (err, "%s", dump->file.name);
    if (rc == 1)
        dump_frame_lend (&dump->frame, frame);
    return rc;
}

/* --- frames in the middle of a file --- */

/* Length, magic, byte order, revision, step. */
enum { START_MAX_BYTES = 8 + 10 + 4 + 4 + 8 };

static const char *const magics[] = { "DUMPATOM", "DUMPCUSTOM" };

/* What stands behind a magic: the byte order, the revision and the step. */
static bool read_start_step (const char *at, bool swapped, int64_t *step)
{
    uint32_t order;
    uint64_t value;

    memcpy (&order, at, sizeof (order));
    memcpy (&value, at + 2 * sizeof (order), sizeof (value));
    *step = (int64_t)(swapped ? bswap_64 (value) : value);
    return (swapped ? bswap_32 (order) : order) == 1;
}

/* Does a frame start at 'at', with all of START_MAX_BYTES behind? */
static bool is_start (const char *at, int64_t *step)
{
    for (size_t i = 0; i < ARRAY_SIZE (magics); i++) {
        size_t len = strlen (magics[i]);
        uint64_t number;

        memcpy (&number, at, sizeof (number));
        if (memcmp (at + sizeof (number), magics[i], len) == 0
            && (-number == len || -bswap_64 (number) == len))
            return read_start_step (at + sizeof (number) + len, -number != len,
                                    step);
    }
    return false;
}

/* The first start of a frame in [at, stop), or NULL. */
static const char *find_start (const char *at, const char *stop, int64_t *step)
{
    static const char letters[] = "DUMP";

    while (stop - at >= START_MAX_BYTES) {
        const char *word = memmem (at + sizeof (uint64_t),
                                   (size_t)(stop - at) - sizeof (uint64_t),
                                   letters, sizeof (letters) - 1);

        at = word ? word - sizeof (uint64_t) : stop;
        if (stop - at >= START_MAX_BYTES && is_start (at, step))
            return at;
        at += word != NULL;
    }
    return NULL;
}

/* Frames are known by the magic in front of them, which LAMMPS writes since
 * 2020 (its length negated, its letters, the byte order): as an atom's numbers
 * it would be a NaN and one of 1e98.  Older files have no frame for us.
 */
static int find_frame (struct packed_file *file, uint64_t from, uint64_t *place,
                       int64_t *step, struct error *err)
{
    int rc = packed_go_to (file, from, err);

    while (rc >= 0) {
        size_t have = (size_t)(file->stop - file->next);
        const char *at = find_start (file->next, file->stop, step);

        if (at) {
            *place = file->offset + (uint64_t)(at - file->next);
            return 1;
        }
        if (have >= START_MAX_BYTES)
            packed_take (file, have - (START_MAX_BYTES - 1));
        rc = packed_more (file, err);
        if (rc != 1)
            return rc;
    }
    return -1;
}

const struct vector_source vector_binary_dump = {
    open_dump, close_dump, next, go_to, find_frame,
};
