/* SPDX-License-Identifier: BSD-3-Clause */
/* npy.c - NumPy arrays on disk
 *
 * "\x93NUMPY", version, length of the header (2 bytes in version 1.0, 4 in
 * 2.0, little-endian), and the header: a Python dictionary like
 * {'descr': '<f8', 'fortran_order': False, 'shape': (20, 9), }
 * (numpy/doc/neps/nep-0001-npy-format.rst).
 */
#include "base/base.h"

#include <endian.h>

#include "formats/npy/npy.h"
#include "formats/number.h"
#include "formats/packed/packed_file.h"

static const char magic[] = "\x93NUMPY";

enum {
    PREAMBLE_BYTES = 12, /* of version 2.0, the longer one */
    DATA_ALIGNMENT = 64,
};

/* What is left of the dictionary. */
struct cursor {
    const char *at;
    const char *end;
};

static void skip_spaces (struct cursor *cursor)
{
    while (cursor->at < cursor->end && memchr (" \t\n", *cursor->at, 3))
        cursor->at++;
}

/* Take the character 'c' if it comes next. */
static bool take (struct cursor *cursor, char c)
{
    skip_spaces (cursor);
    if (cursor->at == cursor->end || *cursor->at != c)
        return false;
    cursor->at++;
    return true;
}

static bool take_word (struct cursor *cursor, const char *word)
{
    size_t len = strlen (word);

    skip_spaces (cursor);
    if ((size_t)(cursor->end - cursor->at) < len
        || memcmp (cursor->at, word, len) != 0)
        return false;
    cursor->at += len;
    return true;
}

/* Take a quoted string of less than 'size' characters. */
static bool take_string (struct cursor *cursor, char *out, size_t size)
{
    const char *quote;
    size_t len;
    char q;

    skip_spaces (cursor);
    if (cursor->at == cursor->end || !memchr ("'\"", *cursor->at, 2))
        return false;
    q = *cursor->at++;
    quote = memchr (cursor->at, q, (size_t)(cursor->end - cursor->at));
    if (!quote || (len = (size_t)(quote - cursor->at)) >= size)
        return false;
    memcpy (out, cursor->at, len);
    out[len] = '\0';
    cursor->at = quote + 1;
    return true;
}

/* "(20, 9)", "(20,)", "()" */
static bool take_shape (struct cursor *cursor, struct npy_header *header)
{
    header->n_dims = 0;
    if (!take (cursor, '('))
        return false;
    while (!take (cursor, ')')) {
        int64_t extent;
        const char *after = integer_read (cursor->at, cursor->end, &extent);

        if (!after || extent < 0 || header->n_dims == NPY_MAX_DIMS)
            return false;
        header->shape[header->n_dims++] = (uint64_t)extent;
        cursor->at = after;
        if (!take (cursor, ',')) {
            if (!take (cursor, ')'))
                return false;
            break;
        }
    }
    return true;
}

static size_t item_bytes (const char *dtype)
{
    static const struct {
        const char *dtype;
        size_t bytes;
    } known[] = {
        { "<f8", 8 }, { "<f4", 4 }, { "<f2", 2 }, { "<i8", 8 }, { "<i4", 4 },
        { "<i2", 2 }, { "|i1", 1 }, { "|u1", 1 }, { "|b1", 1 },
    };

    for (size_t i = 0; i < ARRAY_SIZE (known); i++) {
        if (strcmp (dtype, known[i].dtype) == 0)
            return known[i].bytes;
    }
    return 0;
}

/* One "key: value" pair.  Each key must come once: its bit in *seen. */
static bool take_pair (struct cursor *cursor, struct npy_header *header,
                       bool *fortran_order, unsigned int *seen)
{
    char key[16];
    unsigned int bit = 0;
    bool ok = false;

    if (!take_string (cursor, key, sizeof (key)) || !take (cursor, ':'))
        return false;
    if (strcmp (key, "descr") == 0) {
        bit = 1;
        ok = take_string (cursor, header->dtype, sizeof (header->dtype));
    } else if (strcmp (key, "fortran_order") == 0) {
        bit = 2;
        *fortran_order = take_word (cursor, "True");
        ok = *fortran_order || take_word (cursor, "False");
    } else if (strcmp (key, "shape") == 0) {
        bit = 4;
        ok = take_shape (cursor, header);
    }
    ok = ok && !(*seen & bit);
    *seen |= bit;
    return ok;
}

static int parse_dictionary (struct cursor cursor, const char *name,
                             struct npy_header *header, struct error *err)
{
    bool fortran_order = false, ok = take (&cursor, '{');
    unsigned int seen = 0;

    while (ok && !take (&cursor, '}')) {
        ok = take_pair (&cursor, header, &fortran_order, &seen);
        if (ok && !take (&cursor, ',')) {
            ok = take (&cursor, '}');
            break;
        }
    }
    skip_spaces (&cursor);
    if (!ok || seen != 7 || cursor.at != cursor.end)
        return error_set (err,
                          "%s: expected a header with descr, fortran_order "
                          "and a shape of at most %d dimensions",
                          name, NPY_MAX_DIMS);
    header->item_bytes = item_bytes (header->dtype);
    if (header->item_bytes == 0)
        return error_set (err,
                          "%s: items of type '%s' are not read; save the "
                          "array as <f8",
                          name, header->dtype);
    if (fortran_order && header->n_dims > 1)
        return error_set (err,
                          "%s: the array is in Fortran order; save it with "
                          "numpy.ascontiguousarray",
                          name);
    return 0;
}

/* Read the preamble: where the dictionary is.  How much of it 'bytes' has is
 * the caller's concern.
 */
static int parse_preamble (const char *bytes, size_t len, const char *name,
                           size_t *start, size_t *dictionary_bytes,
                           struct error *err)
{
    uint32_t long_bytes;
    uint16_t short_bytes;

    if (len < PREAMBLE_BYTES || memcmp (bytes, magic, 6) != 0)
        return error_set (err, "%s: not an npy file", name);
    if ((bytes[6] != 1 && bytes[6] != 2) || bytes[7] != 0)
        return error_set (err, "%s: npy version %d.%d; 1.0 and 2.0 are read",
                          name, (unsigned char)bytes[6],
                          (unsigned char)bytes[7]);
    memcpy (&short_bytes, bytes + 8, sizeof (short_bytes));
    memcpy (&long_bytes, bytes + 8, sizeof (long_bytes));
    *start = bytes[6] == 1 ? 10 : 12;
    *dictionary_bytes =
        bytes[6] == 1 ? le16toh (short_bytes) : le32toh (long_bytes);
    if (*dictionary_bytes > NPY_HEADER_MAX_BYTES - PREAMBLE_BYTES)
        return error_set (err, "%s: a header of %zu bytes", name,
                          *dictionary_bytes);
    return 0;
}

static int count_items (struct npy_header *header, const char *name,
                        struct error *err)
{
    uint64_t n = 1, bytes;

    for (int i = 0; i < header->n_dims; i++) {
        if (__builtin_mul_overflow (n, header->shape[i], &n))
            return error_set (err, "%s: the shape is too large", name);
    }
    if (__builtin_mul_overflow (n, (uint64_t)header->item_bytes, &bytes)
        || bytes > INT64_MAX)
        return error_set (err, "%s: the shape is too large", name);
    header->n_items = n;
    return 0;
}

int npy_parse_header (const char *bytes, size_t len, const char *name,
                      struct npy_header *header, struct error *err)
{
    struct npy_header made = { .n_dims = 0 };
    struct cursor cursor;
    size_t start = 0, n = 0;

    if (parse_preamble (bytes, len, name, &start, &n, err) < 0)
        return -1;
    if (n > len - start)
        return error_set (err, "%s: the header is cut short", name);
    cursor.at = bytes + start;
    cursor.end = cursor.at + n;
    made.data_offset = start + n;
    if (parse_dictionary (cursor, name, &made, err) < 0
        || count_items (&made, name, err) < 0)
        return -1;
    *header = made;
    return 0;
}

int npy_check_file (const char *path, struct npy_header *header,
                    struct error *err)
{
    struct packed_file file = PACKED_FILE_INIT;
    struct npy_header made;
    uint64_t wanted, found;
    int rc = packed_open (&file, path, UINT64_MAX, err);

    if (rc == 0 && (rc = packed_need (&file, NPY_HEADER_MAX_BYTES, err)) >= 0)
        rc = npy_parse_header (file.next, (size_t)(file.stop - file.next), path,
                               &made, err);
    found = packed_bytes (&file);
    if (rc == 0 && file.packing)
        rc = error_set (err, "%s: not an npy file, but a compressed one", path);
    packed_close (&file);
    if (rc < 0)
        return -1;
    wanted = made.data_offset + made.n_items * made.item_bytes;
    if (found != wanted)
        return error_set (err, "%s: %llu bytes, but the header promises %llu",
                          path, (unsigned long long)found,
                          (unsigned long long)wanted);
    *header = made;
    return 0;
}

void npy_format_header (const char *dtype, int n_dims, const uint64_t *shape,
                        struct strbuf *out)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    size_t pad;

    strbuf_addf (&text, "{'descr': '%s', 'fortran_order': False, 'shape': (",
                 dtype);
    for (int i = 0; i < n_dims; i++)
        strbuf_addf (&text, "%s%llu%s", i > 0 ? " " : "",
                     (unsigned long long)shape[i],
                     i + 1 < n_dims || n_dims == 1 ? "," : "");
    strbuf_add_str (&text, "), }");
    pad = DATA_ALIGNMENT - 1 - (10 + text.len) % DATA_ALIGNMENT;
    strbuf_addf (&text, "%*s\n", (int)pad, "");
    strbuf_add (out, magic, 6);
    strbuf_add (out, "\x01\x00", 2);
    strbuf_add_char (out, (char)(text.len & 0xff));
    strbuf_add_char (out, (char)(text.len >> 8));
    strbuf_add (out, text.buf, text.len);
}

void npy_format_f64 (const double *values, int n_dims, const uint64_t *shape,
                     struct strbuf *out)
{
    uint64_t n_items = 1;

    npy_format_header ("<f8", n_dims, shape, out);
    for (int i = 0; i < n_dims; i++)
        n_items *= shape[i];
    for (uint64_t i = 0; i < n_items; i++) {
        uint64_t bits;

        memcpy (&bits, &values[i], sizeof (bits));
        bits = htole64 (bits);
        strbuf_add (out, &bits, sizeof (bits));
    }
}
