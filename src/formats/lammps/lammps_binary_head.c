/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_binary_head.c - what stands before the rows of a binary dump's frame
 */
#include "base/base.h"

#include <byteswap.h>

#include "formats/lammps/lammps_binary.h"

enum {
    MAGIC_MAX_BYTES = 64,
    TEXT_MAX_BYTES = 1 << 16, /* names of columns */
    COLUMNS_MAX = 4096,
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

int binary_malformed (const struct binary_dump *dump, struct error *err,
                      const char *fmt, ...)
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

int binary_need (struct binary_dump *dump, size_t n, struct error *err)
{
    int rc = packed_need (&dump->file, n, err);

    dump->reader.truncated |= rc == 0;
    return rc;
}

int binary_take (struct binary_dump *dump, void *out, size_t n,
                 size_t word_bytes, struct error *err)
{
    int rc = binary_need (dump, n * word_bytes, err);

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

/* --- what stands before the atoms --- */

/* The magic, and what tells the byte order. */
static int read_magic (struct binary_dump *dump, size_t len,
                       struct binary_head *head, struct error *err)
{
    int32_t order_and_revision[2];
    int rc;

    if ((rc = binary_need (dump, len, err)) != 1)
        return rc;
    if (!(len == 8 && memcmp (dump->file.next, "DUMPATOM", len) == 0)
        && !(len == 10 && memcmp (dump->file.next, "DUMPCUSTOM", len) == 0))
        return binary_malformed (
            dump, err, "expected a binary dump of style atom or custom");
    packed_take (&dump->file, len);
    if ((rc = binary_take (dump, order_and_revision, 2,
                           sizeof (*order_and_revision), err))
        != 1)
        return rc;
    if (order_and_revision[0] != 1)
        return binary_malformed (
            dump, err, "the numbers are in an order that is not known");
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
    int rc = binary_need (dump, sizeof (numbers) + sizeof (flags), err);

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
    return binary_malformed (dump, err,
                             "expected a frame of a LAMMPS binary dump");
}

/* Up to the step: 1, 0 at the end of the file, or -1. */
static int read_start (struct binary_dump *dump, struct binary_head *head,
                       struct error *err)
{
    int rc = packed_need (&dump->file, BINARY_DUMP_MAGIC_BYTES, err);
    uint64_t number;
    size_t len;

    if (rc != 1) {
        dump->reader.truncated |= rc == 0 && dump->file.stop > dump->file.next;
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
        rc = binary_take (dump, &dump->frame.step, 1, sizeof (dump->frame.step),
                          err);
    return rc;
}

/* The box: low and high of x, y, z, and the tilts xy, xz, yz. */
static int read_box (struct binary_dump *dump, struct error *err)
{
    double rows[3][3] = { { 0 } }, bounds[6], tilts[3] = { 0 };
    int32_t flags[7]; /* triclinic, and two for each direction */
    int rc = binary_take (dump, flags, 7, sizeof (*flags), err);

    if (rc != 1)
        return rc;
    if (flags[0] != 0 && flags[0] != 1)
        return binary_malformed (dump, err,
                                 "this form of box is not read; dump without "
                                 "triclinic/general");
    if (!are_flags (flags))
        return binary_malformed (dump, err,
                                 "a boundary of a kind that is not known");
    rc = binary_take (dump, bounds, 6, sizeof (*bounds), err);
    if (rc == 1 && flags[0] == 1)
        rc = binary_take (dump, tilts, 3, sizeof (*tilts), err);
    if (rc != 1)
        return rc;
    for (int i = 0; i < 3; i++) {
        rows[i][0] = bounds[2 * i];
        rows[i][1] = bounds[2 * i + 1];
        rows[i][2] = tilts[i];
        dump->frame.periodic[i] = flags[1 + 2 * i] == 0;
    }
    dump_frame_set_box (&dump->frame, rows);
    return 1;
}

/* A number of bytes, and a text of so many, to 'text' if that is wanted. */
static int read_text (struct binary_dump *dump, struct strbuf *text,
                      struct error *err)
{
    int32_t len = 0;
    int rc = binary_take (dump, &len, 1, sizeof (len), err);

    if (rc != 1)
        return rc;
    if (len < 0 || len > TEXT_MAX_BYTES)
        return binary_malformed (dump, err, "a text of %d bytes", (int)len);
    rc = binary_need (dump, (size_t)len, err);
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
    int rc = binary_need (dump, 1, err);

    if (rc != 1)
        return rc;
    has_time = *dump->file.next != 0;
    packed_take (&dump->file, 1);
    return has_time ? binary_take (dump, &time, 1, sizeof (time), err) : 1;
}

static int set_columns (struct binary_dump *dump,
                        const struct binary_head *head, const char *text,
                        struct error *err)
{
    if (text)
        dump_frame_set_columns (&dump->frame, text, strlen (text));
    if (!text)
        return binary_malformed (
            dump, err,
            "the dump does not name its columns (LAMMPS before "
            "2020); say which they are");
    if (dump->frame.columns.n != (size_t)head->n_columns)
        return binary_malformed (
            dump, err, "%d columns, but the names of %zu: %s",
            (int)head->n_columns, dump->frame.columns.n, text);
    return 1;
}

/* Units, time and the names of the columns. */
static int read_names (struct binary_dump *dump, const struct binary_head *head,
                       struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf names = STRBUF_INIT;
    int rc = 1;

    if (head->has_magic && head->revision > 1) {
        rc = read_text (dump, NULL, err);
        if (rc == 1)
            rc = skip_time (dump, err);
        if (rc == 1)
            rc = read_text (dump, &names, err);
        if (rc == 1)
            rc = set_columns (dump, head, names.buf, err);
    } else {
        rc = set_columns (dump, head, dump->columns, err);
    }
    return rc;
}

/* Up to the names of the columns. */
static int read_to_names (struct binary_dump *dump, struct binary_head *head,
                          struct error *err)
{
    int64_t n_atoms = 0;
    int rc = read_start (dump, head, err);

    if (rc == 1)
        rc = binary_take (dump, &n_atoms, 1, sizeof (n_atoms), err);
    if (rc == 1 && n_atoms < 0)
        rc = binary_malformed (dump, err, "%lld atoms", (long long)n_atoms);
    if (rc == 1)
        rc = read_box (dump, err);
    if (rc == 1)
        rc = binary_take (dump, &head->n_columns, 1, sizeof (head->n_columns),
                          err);
    if (rc == 1 && (head->n_columns < 1 || head->n_columns > COLUMNS_MAX))
        rc = binary_malformed (dump, err, "%d columns", (int)head->n_columns);
    if (rc == 1)
        rc = read_names (dump, head, err);
    dump->frame.n_atoms = (size_t)n_atoms;
    return rc;
}

int binary_read_head (struct binary_dump *dump, struct binary_head *head,
                      struct error *err)
{
    int rc;

    *head = (struct binary_head){ 0 };
    dump->frame.offset = dump->file.offset;
    rc = read_to_names (dump, head, err);
    if (rc == 1)
        rc = binary_take (dump, &head->n_pieces, 1, sizeof (head->n_pieces),
                          err);
    if (rc == 1 && head->n_pieces < 0)
        rc = binary_malformed (dump, err, "%d pieces", (int)head->n_pieces);
    return rc;
}
