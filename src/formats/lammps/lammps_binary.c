/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_binary.c - LAMMPS binary dumps, frame by frame */
#include "config.h"

#include <byteswap.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/error.h"
#include "formats/atom_vectors.h"
#include "formats/lammps/binary_rows.h"
#include "formats/lammps/lammps_binary.h"
#include "formats/lammps/lammps_binary_reader.h"
#include "formats/lammps/lammps_dump.h"
#include "formats/lammps/lammps_dump_reader.h"

struct binary_dump *binary_dump_open (const char *path,
                                      const char *columns,
                                      struct error *err)
{
    struct binary_dump *dump = xcalloc (1, sizeof (*dump));
    int saved;

    dump->file = (struct packed_file)PACKED_FILE_INIT;
    dump->columns = columns;
    if (packed_open (&dump->file, path, UINT64_MAX, err) == 0)
        return dump;
    saved = errno;
    free (dump);
    errno = saved;
    return NULL;
}

void binary_dump_close (struct binary_dump *dump)
{
    if (!dump)
        return;
    packed_close (&dump->file);
    free (dump);
}

bool binary_dump_truncated (const struct binary_dump *dump)
{
    return dump->truncated;
}

int binary_dump_go_to (struct binary_dump *dump,
                       uint64_t offset,
                       struct error *err)
{
    return packed_go_to (&dump->file, offset, err);
}

/* Can the file hold so many atoms? */
static bool is_there (struct binary_dump *dump,
                      const struct binary_head *head,
                      size_t n_atoms)
{
    uint64_t left = (uint64_t)(dump->file.stop - dump->file.next), bytes;

    if (n_atoms <= left / ((uint64_t)head->n_columns * sizeof (double)))
        return true; /* mostly they are in memory */
    bytes = packed_bytes (&dump->file);
    left = bytes > dump->file.offset ? bytes - dump->file.offset : 0;
    if (n_atoms <= left / ((uint64_t)head->n_columns * sizeof (double)))
        return true;
    dump->truncated = true;
    return false;
}

/* --- the atoms --- */

/* The rows of one piece: 1, 0 or -1. */
static int read_piece (struct binary_dump *dump,
                       size_t n_rows,
                       struct binary_rows *rows,
                       struct error *err)
{
    size_t row_bytes = rows->n_columns * sizeof (double);

    while (n_rows > 0) {
        int rc = binary_need (dump, row_bytes, err);
        size_t have;

        if (rc != 1)
            return rc;
        have = (size_t)(dump->file.stop - dump->file.next) / row_bytes;
        if (have > n_rows)
            have = n_rows;
        binary_rows_take (rows, dump->file.next, have);
        packed_take (&dump->file, have * row_bytes);
        n_rows -= have;
    }
    return 1;
}

static int read_rows (struct binary_dump *dump,
                      const struct binary_head *head,
                      const struct dump_frame *frame,
                      struct binary_rows *rows,
                      struct error *err)
{
    rows->n_columns = (size_t)head->n_columns;
    rows->swapped = dump->swapped;
    for (int32_t i = 0; i < head->n_pieces; i++) {
        int32_t n = 0;
        int rc = binary_take_32 (dump, &n, 1, err);
        size_t n_rows = (size_t)n / rows->n_columns;

        if (rc == 1
            && (n < 0 || (size_t)n % rows->n_columns != 0
                || n_rows > frame->n_atoms - rows->row))
            rc = binary_malformed (
                dump, err,
                "a piece of %d numbers does not fit into a frame "
                "of %zu atoms of %zu columns",
                (int)n, frame->n_atoms, rows->n_columns);
        if (rc == 1)
            rc = read_piece (dump, n_rows, rows, err);
        if (rc != 1)
            return rc;
    }
    if (rows->row != frame->n_atoms)
        return binary_malformed (dump, err,
                                 "%zu atoms were announced, %zu came",
                                 frame->n_atoms, rows->row);
    return 1;
}

int binary_dump_next (struct binary_dump *dump,
                      struct dump_frame *frame,
                      struct error *err)
{
    struct binary_rows rows = { 0 };
    struct binary_head head;
    int rc = binary_read_head (dump, &head, frame, err);

    if (rc == 1 && !is_there (dump, &head, frame->n_atoms))
        rc = 0;
    if (rc == 1 && dump_frame_resize (frame, false, err) < 0)
        rc = -1;
    rows.values = frame->values;
    if (rc == 1)
        rc = read_rows (dump, &head, frame, &rows, err);
    if (rc == 1 && dump_frame_sort (frame, err) < 0)
        rc = error_prefix (err, "%s: step %lld", dump->file.name,
                           (long long)frame->step);
    return rc;
}

/* Find the columns of the vector, and then of the id (negative: there is none).
 */
static int find_columns (struct binary_dump *dump,
                         const struct dump_frame *frame,
                         const char *const names[3],
                         int places[4],
                         struct error *err)
{
    for (int i = 0; i < 3; i++) {
        places[i] = dump_frame_column (frame, names[i]);
        if (places[i] < 0)
            return binary_malformed (
                dump, err, "no column '%s'; dump the columns %s %s %s",
                names[i], names[0], names[1], names[2]);
    }
    places[3] = dump_frame_column (frame, "id");
    return 0;
}

/* Where the rows' columns are, and go. */
static void set_rows (const int places[4],
                      struct atom_vectors *atoms,
                      struct binary_rows *rows)
{
    atoms->has_ids = places[3] >= 0;
    rows->ids = atoms->ids;
    rows->id = atoms->has_ids ? (size_t)places[3] : 0;
    rows->vectors = atoms->vectors;
    for (int i = 0; i < 3; i++)
        rows->vector[i] = (size_t)places[i];
}

int binary_dump_next_vectors (struct binary_dump *dump,
                              const char *const names[3],
                              struct dump_frame *frame,
                              struct atom_vectors *atoms,
                              struct error *err)
{
    struct binary_rows rows = { 0 };
    struct binary_head head;
    int places[4], rc = binary_read_head (dump, &head, frame, err);

    if (rc == 1 && !is_there (dump, &head, frame->n_atoms))
        rc = 0;
    if (rc == 1
        && (atom_vectors_resize (atoms, frame->n_atoms, err) < 0
            || find_columns (dump, frame, names, places, err) < 0))
        rc = -1;
    if (rc == 1) {
        set_rows (places, atoms, &rows);
        rc = read_rows (dump, &head, frame, &rows, err);
    }
    if (rc == 1 && atom_vectors_sort (atoms, err) < 0)
        rc = error_prefix (err, "%s: step %lld", dump->file.name,
                           (long long)frame->step);
    return rc;
}

int binary_dump_skip (struct binary_dump *dump,
                      struct dump_frame *frame,
                      struct error *err)
{
    struct binary_rows rows = { 0 };
    struct binary_head head;
    int rc = binary_read_head (dump, &head, frame, err);

    return rc == 1 ? read_rows (dump, &head, frame, &rows, err) : rc;
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

int binary_dump_find_frame (struct packed_file *file,
                            uint64_t from,
                            uint64_t *place,
                            int64_t *step,
                            struct error *err)
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
