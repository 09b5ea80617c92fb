/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_binary.c - LAMMPS binary dumps, frame by frame */
#include "config.h"

#include <byteswap.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/error.h"
#include "formats/atom_vectors.h"
#include "formats/binary_rows.h"
#include "formats/dump_head.h"
#include "formats/lammps_binary.h"
#include "formats/lammps_dump.h"
#include "formats/lammps_dump_reader.h"
#include "formats/packed_file.h"

enum {
    MAGIC_MAX_BYTES = 64,
    TEXT_MAX_BYTES = 1 << 16, /* names of columns */
    COLUMNS_MAX = 4096,

    /* Rows stay in the file's memory up to here: half a block, or moving what
     * stands at its end would cost more than it saves.
     */
    STAY_MAX_BYTES = 64 * 1024,
};

struct binary_dump {
    struct packed_file file;
    const char *columns; /* where the file names none */
    bool swapped;        /* the other byte order */
    bool truncated;

    struct dump_head known;         /* head of a frame that was read, */
    bool known_swapped;             /* its byte order */
    int32_t known_columns;          /* and how many columns it has; */
    const char *const *known_names; /* these were looked for; NULL: none, */
    int known_places[4];            /* and are there, the last being the id's */
};

/* What stands before the atoms, as far as 'frame' has no place for it. */
struct head {
    bool has_magic;
    bool known; /* it is that of a frame before */
    int32_t revision;
    int32_t n_columns;
    int32_t n_pieces;
};

/* The length of the magic whose negative the number is in one of the byte
 * orders; 0: it is not.
 */
static size_t magic_length (uint64_t number, bool *swapped)
{
    uint64_t length = -number;

    *swapped = length < 1 || length > MAGIC_MAX_BYTES;
    if (*swapped)
        length = -bswap_64 (number);
    return length < 1 || length > MAGIC_MAX_BYTES ? 0 : length;
}

/* Without a magic it is a step, whose highest byte is zero; no text has that.
 */
bool binary_dump_is_one (const char *bytes, size_t n)
{
    uint64_t number;
    bool swapped;

    if (n < sizeof (number))
        return false;
    memcpy (&number, bytes, sizeof (number));
    return magic_length (number, &swapped) > 0 || bytes[0] == '\0'
           || bytes[7] == '\0';
}

struct binary_dump *binary_dump_open (const char *path,
                                      const char *columns,
                                      struct error *err)
{
    struct binary_dump *dump = xcalloc (1, sizeof (*dump));
    int saved;

    dump->file = (struct packed_file)PACKED_FILE_INIT;
    dump->known = (struct dump_head)DUMP_HEAD_INIT;
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
    dump_head_release (&dump->known);
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

static int malformed (const struct binary_dump *dump,
                      struct error *err,
                      const char *fmt,
                      ...) PRINTF_LIKE (3, 4);

static int malformed (const struct binary_dump *dump,
                      struct error *err,
                      const char *fmt,
                      ...)
{
    char what[512];
    va_list ap;

    va_start (ap, fmt);
    vsnprintf (what, sizeof (what), fmt, ap);
    va_end (ap);
    return error_set (err, "%s: at byte %llu: %s", dump->file.name,
                      (unsigned long long)dump->file.offset, what);
}

/* --- numbers --- */

/* n bytes that must be there: 1, 0 when the file was cut before, or -1. */
static int need (struct binary_dump *dump, size_t n, struct error *err)
{
    int rc = packed_need (&dump->file, n, err);

    dump->truncated |= rc == 0;
    return rc;
}

static int take_words (struct binary_dump *dump,
                       void *out,
                       size_t n,
                       size_t word_bytes,
                       struct error *err)
{
    int rc = need (dump, n * word_bytes, err);

    if (rc != 1)
        return rc;
    memcpy (out, dump->file.next, n * word_bytes);
    packed_take (&dump->file, n * word_bytes);
    for (size_t i = 0; dump->swapped && i < n; i++) {
        if (word_bytes == sizeof (uint64_t))
            ((uint64_t *)out)[i] = bswap_64 (((uint64_t *)out)[i]);
        else
            ((uint32_t *)out)[i] = bswap_32 (((uint32_t *)out)[i]);
    }
    return 1;
}

static int take_32 (struct binary_dump *dump,
                    int32_t *out,
                    size_t n,
                    struct error *err)
{
    return take_words (dump, out, n, sizeof (*out), err);
}

static int take_64 (struct binary_dump *dump,
                    int64_t *out,
                    size_t n,
                    struct error *err)
{
    return take_words (dump, out, n, sizeof (*out), err);
}

static int take_doubles (struct binary_dump *dump,
                         double *out,
                         size_t n,
                         struct error *err)
{
    return take_words (dump, out, n, sizeof (*out), err);
}

/* --- what stands before the atoms --- */

/* The magic, and what tells the byte order. */
static int read_magic (struct binary_dump *dump,
                       size_t len,
                       struct head *head,
                       struct error *err)
{
    int32_t order_and_revision[2];
    int rc;

    if ((rc = need (dump, len, err)) != 1)
        return rc;
    if (!(len == 8 && memcmp (dump->file.next, "DUMPATOM", len) == 0)
        && !(len == 10 && memcmp (dump->file.next, "DUMPCUSTOM", len) == 0))
        return malformed (dump, err,
                          "expected a binary dump of style atom or custom");
    packed_take (&dump->file, len);
    if ((rc = take_32 (dump, order_and_revision, 2, err)) != 1)
        return rc;
    if (order_and_revision[0] != 1)
        return malformed (dump, err,
                          "the numbers are in an order that is not known");
    head->has_magic = true;
    head->revision = order_and_revision[1];
    return 1;
}

/* Boundary flags of a side of the box are 0 to 3; of zero alone the byte order
 * does not matter.
 */
static bool are_flags (const int32_t flags[7])
{
    for (int i = 0; i < 7; i++) {
        if (flags[i] < 0 || flags[i] > 3)
            return false;
    }
    return true;
}

/* Without a magic the byte order is that in which the step, the atoms and the
 * flags make sense.
 */
static int guess_order (struct binary_dump *dump, struct error *err)
{
    int64_t numbers[2];
    int32_t flags[7];
    int rc = need (dump, sizeof (numbers) + sizeof (flags), err);

    if (rc != 1)
        return rc;
    for (int i = 0; i < 2; i++) {
        dump->swapped = i == 1;
        memcpy (numbers, dump->file.next, sizeof (numbers));
        memcpy (flags, dump->file.next + sizeof (numbers), sizeof (flags));
        for (int j = 0; dump->swapped && j < 7; j++)
            flags[j] = (int32_t)bswap_32 ((uint32_t)flags[j]);
        for (int j = 0; dump->swapped && j < 2; j++)
            numbers[j] = (int64_t)bswap_64 ((uint64_t)numbers[j]);
        if (are_flags (flags) && numbers[0] >= 0 && numbers[1] >= 0
            && numbers[0] >> 48 == 0 && numbers[1] >> 48 == 0)
            return 1;
    }
    return malformed (dump, err, "expected a frame of a LAMMPS binary dump");
}

/* Up to the step: 1, 0 at the end of the file, or -1. */
static int read_start (struct binary_dump *dump,
                       struct head *head,
                       struct dump_frame *frame,
                       struct error *err)
{
    int rc = packed_need (&dump->file, BINARY_DUMP_MAGIC_BYTES, err);
    uint64_t number;
    size_t len;

    if (rc != 1) {
        dump->truncated |= rc == 0 && dump->file.stop > dump->file.next;
        return rc;
    }
    memcpy (&number, dump->file.next, sizeof (number));
    len = magic_length (number, &dump->swapped);
    if (len > 0) {
        packed_take (&dump->file, sizeof (number));
        rc = read_magic (dump, len, head, err);
    } else {
        rc = guess_order (dump, err);
    }
    if (rc == 1)
        rc = take_64 (dump, &frame->step, 1, err);
    return rc;
}

/* The box: low and high of x, y, z, and the tilts xy, xz, yz. */
static int read_box (struct binary_dump *dump,
                     struct dump_frame *frame,
                     struct error *err)
{
    double rows[3][3] = { { 0 } }, bounds[6], tilts[3] = { 0 };
    int32_t flags[7]; /* triclinic, and two for each direction */
    int rc = take_32 (dump, flags, 7, err);

    if (rc != 1)
        return rc;
    if (flags[0] != 0 && flags[0] != 1)
        return malformed (dump, err,
                          "this form of box is not read; dump without "
                          "triclinic/general");
    if (!are_flags (flags))
        return malformed (dump, err, "a boundary of a kind that is not known");
    rc = take_doubles (dump, bounds, 6, err);
    if (rc == 1 && flags[0] == 1)
        rc = take_doubles (dump, tilts, 3, err);
    if (rc != 1)
        return rc;
    for (int i = 0; i < 3; i++) {
        rows[i][0] = bounds[2 * i];
        rows[i][1] = bounds[2 * i + 1];
        rows[i][2] = tilts[i];
        frame->periodic[i] = flags[1 + 2 * i] == 0;
    }
    dump_frame_set_box (frame, rows);
    return 1;
}

/* A number of bytes, and a text of so many, to 'text' if that is wanted. */
static int read_text (struct binary_dump *dump,
                      struct strbuf *text,
                      struct error *err)
{
    int32_t len = 0;
    int rc = take_32 (dump, &len, 1, err);

    if (rc != 1)
        return rc;
    if (len < 0 || len > TEXT_MAX_BYTES)
        return malformed (dump, err, "a text of %d bytes", (int)len);
    rc = need (dump, (size_t)len, err);
    if (rc != 1)
        return rc;
    if (text)
        strbuf_add (text, dump->file.next, (size_t)len);
    packed_take (&dump->file, (size_t)len);
    return 1;
}

/* The time, when the user asked for it. */
static int skip_time (struct binary_dump *dump, struct error *err)
{
    double time;
    bool has_time;
    int rc = need (dump, 1, err);

    if (rc != 1)
        return rc;
    has_time = *dump->file.next != 0;
    packed_take (&dump->file, 1);
    return has_time ? take_doubles (dump, &time, 1, err) : 1;
}

static int set_columns (struct binary_dump *dump,
                        const struct head *head,
                        const char *text,
                        struct dump_frame *frame,
                        struct error *err)
{
    if (text)
        dump_frame_set_columns (frame, text, strlen (text));
    if (!text)
        return malformed (dump, err,
                          "the dump does not name its columns (LAMMPS before "
                          "2020); say which they are");
    if (frame->columns.n != (size_t)head->n_columns)
        return malformed (dump, err, "%d columns, but the names of %zu: %s",
                          (int)head->n_columns, frame->columns.n, text);
    return 1;
}

/* Units, time and the names of the columns. */
static int read_names (struct binary_dump *dump,
                       const struct head *head,
                       struct dump_frame *frame,
                       struct error *err)
{
    struct strbuf names = STRBUF_INIT;
    int rc = 1;

    if (head->has_magic && head->revision > 1) {
        rc = read_text (dump, NULL, err);
        if (rc == 1)
            rc = skip_time (dump, err);
        if (rc == 1)
            rc = read_text (dump, &names, err);
        if (rc == 1)
            rc = set_columns (dump, head, names.buf, frame, err);
    } else {
        rc = set_columns (dump, head, dump->columns, frame, err);
    }
    strbuf_release (&names);
    return rc;
}

/* The head of the frame before, but for the step, which is read anew: false
 * when it is another one, or not all of it in memory.
 */
static bool take_known (struct binary_dump *dump,
                        struct head *head,
                        struct dump_frame *frame)
{
    struct packed_file *file = &dump->file;
    const char *at = dump_head_step (&dump->known, file->next, file->stop);
    uint64_t step;

    if (!at || (size_t)(file->stop - at) < sizeof (step))
        return false;
    memcpy (&step, at, sizeof (step));
    at = dump_head_end (&dump->known, at + sizeof (step), file->stop, frame);
    if (!at)
        return false;
    dump->swapped = dump->known_swapped;
    frame->step = (int64_t)(dump->swapped ? bswap_64 (step) : step);
    head->n_columns = dump->known_columns;
    head->known = true;
    packed_take (file, (size_t)(at - file->next));
    return true;
}

/* Know the head that was just read, when it is still in memory; only with a
 * magic it says itself in what order its bytes are.
 */
static void learn (struct binary_dump *dump,
                   const struct head *head,
                   const struct dump_frame *frame,
                   uint64_t step_end)
{
    uint64_t len = dump->file.offset - frame->offset;
    const char *at = packed_taken (&dump->file, len);
    const size_t step_bytes = sizeof (frame->step);

    if (!at || !head->has_magic)
        return;
    dump_head_learn (&dump->known, at, len,
                     at + (step_end - frame->offset) - step_bytes, step_bytes,
                     frame);
    dump->known_columns = head->n_columns;
    dump->known_names = NULL;
    dump->known_swapped = dump->swapped;
}

/* Up to the names of the columns. */
static int read_new_head (struct binary_dump *dump,
                          struct head *head,
                          struct dump_frame *frame,
                          struct error *err)
{
    int64_t n_atoms = 0;
    int rc = read_start (dump, head, frame, err);
    uint64_t step_end = dump->file.offset;

    if (rc == 1)
        rc = take_64 (dump, &n_atoms, 1, err);
    if (rc == 1 && n_atoms < 0)
        rc = malformed (dump, err, "%lld atoms", (long long)n_atoms);
    if (rc == 1)
        rc = read_box (dump, frame, err);
    if (rc == 1)
        rc = take_32 (dump, &head->n_columns, 1, err);
    if (rc == 1 && (head->n_columns < 1 || head->n_columns > COLUMNS_MAX))
        rc = malformed (dump, err, "%d columns", (int)head->n_columns);
    if (rc == 1)
        rc = read_names (dump, head, frame, err);
    frame->n_atoms = (size_t)n_atoms;
    if (rc == 1)
        learn (dump, head, frame, step_end);
    return rc;
}

static int read_head (struct binary_dump *dump,
                      struct head *head,
                      struct dump_frame *frame,
                      struct error *err)
{
    int rc = 1;

    *head = (struct head){ 0 };
    frame->offset = dump->file.offset;
    if (!take_known (dump, head, frame))
        rc = read_new_head (dump, head, frame, err);
    if (rc == 1)
        rc = take_32 (dump, &head->n_pieces, 1, err);
    if (rc == 1 && head->n_pieces < 0)
        rc = malformed (dump, err, "%d pieces", (int)head->n_pieces);
    return rc;
}

/* Can the file hold so many atoms? */
static bool is_there (struct binary_dump *dump,
                      const struct head *head,
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
        int rc = need (dump, row_bytes, err);
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

/* Leave the vectors of all rows, which are in memory, where they are. */
static bool leave_rows (struct binary_dump *dump,
                        struct binary_rows *rows,
                        struct atom_vectors *atoms)
{
    size_t row_bytes = rows->n_columns * sizeof (double);
    const char *vectors = binary_rows_vectors (rows, dump->file.next);
    const char *ids = dump->file.next + rows->id * sizeof (double);

    if (!vectors || !atom_vectors_are_known (atoms, ids, row_bytes))
        return false;
    atoms->rows = vectors;
    atoms->row_bytes = row_bytes;
    packed_take (&dump->file, atoms->n * row_bytes);
    rows->row = atoms->n;
    return true;
}

/* The rows of a frame's only piece, which can stay where they are. */
static int read_only_piece (struct binary_dump *dump,
                            struct binary_rows *rows,
                            struct atom_vectors *atoms,
                            struct error *err)
{
    int rc = need (dump, atoms->n * rows->n_columns * sizeof (double), err);

    if (rc != 1 || leave_rows (dump, rows, atoms))
        return rc;
    return read_piece (dump, atoms->n, rows, err);
}

/* 'atoms' is NULL, or may have the rows stay where they are. */
static int read_rows (struct binary_dump *dump,
                      const struct head *head,
                      const struct dump_frame *frame,
                      struct binary_rows *rows,
                      struct atom_vectors *atoms,
                      struct error *err)
{
    bool may_stay = atoms && atoms->may_stay && head->n_pieces == 1;

    rows->n_columns = (size_t)head->n_columns;
    rows->swapped = dump->swapped;
    for (int32_t i = 0; i < head->n_pieces; i++) {
        int32_t n = 0;
        int rc = take_32 (dump, &n, 1, err);
        size_t n_rows = (size_t)n / rows->n_columns;

        if (rc == 1
            && (n < 0 || (size_t)n % rows->n_columns != 0
                || n_rows > frame->n_atoms - rows->row))
            rc = malformed (dump, err,
                            "a piece of %d numbers does not fit into a frame "
                            "of %zu atoms of %zu columns",
                            (int)n, frame->n_atoms, rows->n_columns);
        if (rc == 1 && may_stay && n_rows == frame->n_atoms
            && (size_t)n <= STAY_MAX_BYTES / sizeof (double))
            rc = read_only_piece (dump, rows, atoms, err);
        else if (rc == 1)
            rc = read_piece (dump, n_rows, rows, err);
        if (rc != 1)
            return rc;
    }
    if (rows->row != frame->n_atoms)
        return malformed (dump, err, "%zu atoms were announced, %zu came",
                          frame->n_atoms, rows->row);
    return 1;
}

int binary_dump_next (struct binary_dump *dump,
                      struct dump_frame *frame,
                      struct error *err)
{
    struct binary_rows rows = { 0 };
    struct head head;
    int rc = read_head (dump, &head, frame, err);

    if (rc == 1 && !is_there (dump, &head, frame->n_atoms))
        rc = 0;
    if (rc == 1 && dump_frame_resize (frame, false, err) < 0)
        rc = -1;
    rows.values = frame->values;
    if (rc == 1)
        rc = read_rows (dump, &head, frame, &rows, NULL, err);
    if (rc == 1 && dump_frame_sort (frame, err) < 0)
        rc = error_prefix (err, "%s: step %lld", dump->file.name,
                           (long long)frame->step);
    return rc;
}

/* Find the columns of the vector, and then of the id (negative: there is none).
 */
static int find_columns (struct binary_dump *dump,
                         const struct head *head,
                         const struct dump_frame *frame,
                         const char *const names[3],
                         int places[4],
                         struct error *err)
{
    if (head->known && dump->known_names == names) {
        memcpy (places, dump->known_places, sizeof (dump->known_places));
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        places[i] = dump_frame_column (frame, names[i]);
        if (places[i] < 0)
            return malformed (dump, err,
                              "no column '%s'; dump the columns %s %s %s",
                              names[i], names[0], names[1], names[2]);
    }
    places[3] = dump_frame_column (frame, "id");
    if (head->known) {
        dump->known_names = names;
        memcpy (dump->known_places, places, sizeof (dump->known_places));
    }
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
    struct head head;
    int places[4], rc = read_head (dump, &head, frame, err);

    if (rc == 1 && !is_there (dump, &head, frame->n_atoms))
        rc = 0;
    if (rc == 1
        && (atom_vectors_resize (atoms, frame->n_atoms, err) < 0
            || find_columns (dump, &head, frame, names, places, err) < 0))
        rc = -1;
    if (rc == 1) {
        set_rows (places, atoms, &rows);
        rc = read_rows (dump, &head, frame, &rows, atoms, err);
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
    struct head head;
    int rc = read_head (dump, &head, frame, err);

    return rc == 1 ? read_rows (dump, &head, frame, &rows, NULL, err) : rc;
}
