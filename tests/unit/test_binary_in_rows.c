/* SPDX-License-Identifier: BSD-3-Clause */
/* test_binary_in_rows.c - vectors that stay in the rows of a binary dump
 *
 * They are the same as when they are taken out of them.
 */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <byteswap.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "formats/vector_reader.h"
#include "temp_dir.h"

/* A frame, and whether its vectors stay when the one before is known. */
struct form {
    const char *columns;
    size_t n_atoms;
    size_t n_pieces;
    size_t first_id; /* ids count up from here, */
    bool falling;    /* or down to here */
    bool swapped;
    bool stays;
};

static const char usual[] = "id type fx fy fz";

static void add (struct strbuf *out, uint64_t value, size_t n, bool swapped)
{
    if (swapped)
        value = n == 8 ? bswap_64 (value) : bswap_32 ((uint32_t)value);
    strbuf_add (out, &value, n); /* of a machine with the low byte first */
}

static void add_double (struct strbuf *out, double value, bool swapped)
{
    uint64_t bits;

    memcpy (&bits, &value, sizeof (bits));
    add (out, bits, sizeof (bits), swapped);
}

static size_t count_columns (const char *columns)
{
    size_t n = 1;

    for (; *columns; columns++)
        n += *columns == ' ';
    return n;
}

static void add_head (struct strbuf *out, const struct form *form, size_t step)
{
    bool s = form->swapped;

    add (out, (uint64_t)-10, 8, s);
    strbuf_add_str (out, "DUMPCUSTOM");
    add (out, 1, 4, s);
    add (out, 2, 4, s);
    add (out, step, 8, s);
    add (out, form->n_atoms, 8, s);
    for (int i = 0; i < 7; i++)
        add (out, 0, 4, s);
    for (int i = 0; i < 6; i++)
        add_double (out, i % 2, s);
    add (out, count_columns (form->columns), 4, s);
    add (out, 0, 4, s); /* no units, no time */
    strbuf_add (out, "", 1);
    add (out, strlen (form->columns), 4, s);
    strbuf_add_str (out, form->columns);
    add (out, form->n_pieces, 4, s);
}

/* The first column is the id where there is one. */
static void add_frame (struct strbuf *out, const struct form *form, size_t step)
{
    size_t n_columns = count_columns (form->columns), atom = 0;
    bool has_id = strncmp (form->columns, "id", 2) == 0;

    add_head (out, form, step);
    for (size_t piece = 0; piece < form->n_pieces; piece++) {
        size_t end = form->n_atoms * (piece + 1) / form->n_pieces;

        add (out, (end - atom) * n_columns, 4, form->swapped);
        for (; atom < end; atom++) {
            size_t i = form->falling ? form->n_atoms - 1 - atom : atom;

            for (size_t k = 0; k < n_columns; k++)
                add_double (out,
                            k == 0 && has_id
                                ? (double)(form->first_id + i)
                                : (double)(step * 1000 + i) + (double)k / 8,
                            form->swapped);
        }
    }
}

static void write_file (const char *path, const struct strbuf *bytes)
{
    FILE *file = fopen (path, "w");

    assert_non_null (file);
    assert_int_equal (fwrite (bytes->buf, 1, bytes->len, file), bytes->len);
    assert_int_equal (fclose (file), 0);
}

/* 'a' was read in rows if they could stay, 'b' was not. */
static void expect_same (const struct vector_frame *a,
                         const struct vector_frame *b)
{
    assert_int_equal (a->step, b->step);
    assert_int_equal (a->place, b->place);
    assert_int_equal (a->n_atoms, b->n_atoms);
    assert_int_equal (a->ids_version, b->ids_version);
    assert_int_equal (!a->ids, !b->ids);
    if (b->ids)
        assert_memory_equal (a->ids, b->ids, b->n_atoms * sizeof (*b->ids));
    for (size_t i = 0; i < b->n_atoms; i++) {
        assert_memory_equal (a->rows.at + i * a->rows.row_bytes,
                             b->vectors + 3 * i, 3 * sizeof (double));
        assert_memory_equal (b->rows.at + i * b->rows.row_bytes,
                             b->vectors + 3 * i, 3 * sizeof (double));
    }
}

static const struct vector_options taken = { .kind = VECTOR_FORCES };
static const struct vector_options left = { .kind = VECTOR_FORCES,
                                            .in_rows = true };

/* Read 'd' both ways to its end: the number of frames.  'forms' (NULL: nobody
 * knows) say of which frames the vectors stay.
 */
static size_t read_both (const struct form *forms)
{
    struct vector_reader *a = vector_reader_open ("d", &left, NULL);
    struct vector_reader *b = vector_reader_open ("d", &taken, NULL);
    struct vector_frame x, y;
    struct error err = ERROR_INIT;
    size_t n = 0;
    int rc;

    assert_true (a && b);
    while ((rc = vector_reader_next (a, &x, &err)) == 1) {
        assert_int_equal (vector_reader_next (b, &y, &err), 1);
        expect_same (&x, &y);
        if (forms && !x.vectors != forms[n].stays)
            fail_msg ("frame %zu stays: %d", n, !x.vectors);
        n++;
    }
    assert_int_equal (rc, 0);
    assert_int_equal (vector_reader_next (b, &y, &err), 0);
    assert_int_equal (vector_reader_truncated (a), vector_reader_truncated (b));
    vector_reader_close (a);
    vector_reader_close (b);
    return n;
}

static void test_forms (void **state)
{
    static const struct form forms[] = {
        { usual, 5, 1, 1, false, false, false }, /* the first to be known */
        { usual, 5, 1, 1, false, false, true },
        { usual, 5, 1, 1, false, false, true },
        { usual, 5, 1, 2, false, false, false }, /* other atoms */
        { usual, 5, 1, 2, false, false, true },
        { usual, 5, 1, 2, true, false, false }, /* not in order */
        { usual, 5, 1, 2, true, false, false },
        { usual, 5, 1, 2, false, false, false }, /* what is known is lost */
        { usual, 5, 1, 2, false, false, true },
        { usual, 5, 2, 2, false, false, false }, /* of two processes */
        { usual, 5, 1, 2, false, true, false },  /* the other byte order */
        { usual, 5, 1, 2, false, false, true },
        { usual, 4, 1, 2, false, false, false }, /* another number of atoms */
        { usual, 4, 1, 2, false, false, true },
        { usual, 0, 1, 2, false, false, false },
        { usual, 1, 1, 2, false, false, false },
        { usual, 1, 1, 2, false, false, true },
        { "id fx fy fz", 1, 1, 2, false, false, true },
        { "id x fz fy fx", 1, 1, 2, false, false, false }, /* not in a row */
        { "id fx x fy fz", 1, 1, 2, false, false, false },
        { "id x fx fy fz y", 1, 1, 2, false, false, true },
        { "fx fy fz", 7, 1, 0, false, false, true }, /* no ids */
        { "fx fy fz", 9, 1, 0, false, false, true },
        { usual, 1639, 1, 1, false, false, false },
        { usual, 1639, 1, 1, false, false, false }, /* a large frame */
        { usual, 1638, 1, 1, false, false, false },
        { usual, 1638, 1, 1, false, false, true },
    };
    struct strbuf bytes = STRBUF_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < ARRAY_SIZE (forms); i++)
        add_frame (&bytes, &forms[i], i);
    write_file ("d", &bytes);
    assert_int_equal (read_both (forms), ARRAY_SIZE (forms));
    strbuf_release (&bytes);
    temp_dir_leave (&dir);
}

/* Frames over many blocks of the file, and at last cut anywhere. */
static void test_blocks (void **state)
{
    static const struct form form = { usual, 37, 1, 1, false, false, true };
    struct strbuf bytes = STRBUF_INIT;
    struct temp_dir dir;
    size_t whole;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < 400; i++)
        add_frame (&bytes, &form, i);
    write_file ("d", &bytes);
    assert_int_equal (read_both (NULL), 400);
    whole = bytes.len / 400;
    for (size_t len = 2 * whole; len <= 3 * whole; len += 13) {
        bytes.len = len;
        write_file ("d", &bytes);
        assert_int_equal (read_both (NULL), len / whole);
    }
    strbuf_release (&bytes);
    temp_dir_leave (&dir);
}

/* One atom twice is refused both ways. */
static void test_refusal (void **state)
{
    static const struct form form = { usual, 5, 1, 1, false, false, true };
    struct strbuf bytes = STRBUF_INIT;
    struct error err = ERROR_INIT;
    struct vector_reader *reader;
    struct vector_frame frame;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < 3; i++)
        add_frame (&bytes, &form, i);
    memcpy (bytes.buf + bytes.len - 2 * 40, bytes.buf + bytes.len - 40, 8);
    write_file ("d", &bytes);
    reader = vector_reader_open ("d", &left, NULL);
    assert_int_equal (vector_reader_next (reader, &frame, &err), 1);
    assert_int_equal (vector_reader_next (reader, &frame, &err), 1);
    assert_null (frame.vectors);
    assert_int_equal (vector_reader_next (reader, &frame, &err), -1);
    assert_non_null (strstr (err.text, "the atom id 5 occurs twice"));
    vector_reader_close (reader);
    strbuf_release (&bytes);
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_forms),
        cmocka_unit_test (test_blocks),
        cmocka_unit_test (test_refusal),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
