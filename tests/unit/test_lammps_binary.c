/* SPDX-License-Identifier: BSD-3-Clause */
/* test_lammps_binary.c - what LAMMPS writes in binary: real, old, foreign, cut
 *
 * forces.bin and positions.bin are of two processes, and of the same run as
 * forces.dump and positions.dump, whose numbers have all their digits.
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <byteswap.h>

#include "fixture.h"
#include "formats/lammps/lammps_binary.h"
#include "formats/vector_reader.h"
#include "temp_dir.h"

static const struct vector_options structures = { .kind = VECTOR_POSITIONS,
                                                  .structure = true };
static const struct vector_options forces = { .kind = VECTOR_FORCES };

/* Frames of the binary dump NAME.bin are those of the text dump NAME.dump;
 * the reader is left behind them.
 */
static struct vector_reader *expect_same (const char *name,
                                          const struct vector_options *options,
                                          uint64_t *second)
{
    struct error err = ERROR_INIT;
    char *path = fixture_path (name);
    char *binary_path = xasprintf ("%s.bin", path);
    char *text_path = xasprintf ("%s.dump", path);
    struct vector_reader *binary =
        vector_reader_open (binary_path, options, &err);
    struct vector_reader *text = vector_reader_open (text_path, options, &err);
    struct vector_frame a, b;
    int n = 0;

    assert_non_null (binary);
    assert_non_null (text);
    while (vector_reader_next (text, &b, &err) == 1) {
        if (vector_reader_next (binary, &a, &err) != 1)
            fail_msg ("%s", err.text);
        assert_int_equal (a.step, b.step);
        assert_int_equal (a.n_atoms, 16);
        assert_int_equal (b.n_atoms, 16);
        assert_memory_equal (a.cell, b.cell, sizeof (a.cell));
        assert_memory_equal (a.periodic, b.periodic, sizeof (a.periodic));
        assert_memory_equal (a.ids, b.ids, a.n_atoms * sizeof (double));
        assert_memory_equal (a.vectors, b.vectors,
                             3 * a.n_atoms * sizeof (double));
        if (options->structure)
            assert_memory_equal (a.types, b.types, a.n_atoms * sizeof (double));
        assert_null (a.symbols);
        if (++n == 2)
            *second = a.place;
    }
    assert_int_equal (n, 3);
    assert_int_equal (vector_reader_next (binary, &a, &err), 0);
    assert_false (vector_reader_truncated (binary));
    vector_reader_close (text);
    free (text_path);
    free (binary_path);
    free (path);
    return binary;
}

static void test_real_dumps (void **state)
{
    struct vector_reader *reader;
    struct vector_frame frame;
    struct error err = ERROR_INIT;
    char *path;
    uint64_t second = 0;

    (void)state;
    vector_reader_close (
        expect_same ("lammps/positions", &structures, &second));
    reader = expect_same ("lammps/forces", &forces, &second);
    assert_int_equal (vector_reader_go_to (reader, second, NULL), 0);
    assert_int_equal (vector_reader_next (reader, &frame, &err), 1);
    assert_int_equal (frame.step, 10);
    vector_reader_close (reader);

    path = fixture_path ("lammps/forces.bin");
    reader = vector_reader_open (path, &structures, NULL);
    assert_int_equal (vector_reader_next (reader, &frame, &err), -1);
    assert_non_null (strstr (err.text, "no column 'x'; dump the columns x y"));
    vector_reader_close (reader);
    free (path);
}

/* --- what is made up --- */

/* How a frame is written. */
struct form {
    bool swapped;
    bool old;         /* without magic and names */
    int32_t revision; /* with magic */
    bool triclinic;
    int n_pieces; /* of two atoms each */
};

static void add_64 (struct strbuf *out, int64_t value, bool swapped)
{
    uint64_t bits = swapped ? bswap_64 ((uint64_t)value) : (uint64_t)value;

    strbuf_add (out, &bits, sizeof (bits));
}

static void add_32 (struct strbuf *out, int32_t value, bool swapped)
{
    uint32_t bits = swapped ? bswap_32 ((uint32_t)value) : (uint32_t)value;

    strbuf_add (out, &bits, sizeof (bits));
}

static void add_double (struct strbuf *out, double value, bool swapped)
{
    int64_t bits;

    memcpy (&bits, &value, sizeof (bits));
    add_64 (out, bits, swapped);
}

static void add_text (struct strbuf *out, const char *text, bool swapped)
{
    add_32 (out, (int32_t)strlen (text), swapped);
    strbuf_add_str (out, text);
}

/* Atoms 2 1 4 3 ..., atom i at (i, i / 2, -i). */
static void add_frame (struct strbuf *out, const struct form *form,
                       int64_t step)
{
    bool s = form->swapped;
    static const double box[] = { 0, 10, 0, 11, 0, 12 };

    if (!form->old) {
        add_64 (out, -10, s);
        strbuf_add_str (out, "DUMPCUSTOM");
        add_32 (out, 1, s);
        add_32 (out, form->revision, s);
    }
    add_64 (out, step, s);
    add_64 (out, 2 * form->n_pieces, s);
    add_32 (out, form->triclinic, s);
    for (int i = 0; i < 6; i++)
        add_32 (out, i / 2 == 2, s); /* p p f */
    for (int i = 0; i < 6; i++)
        add_double (out, box[i], s);
    for (int i = 0; form->triclinic && i < 3; i++)
        add_double (out, 0, s);
    add_32 (out, 5, s);
    if (!form->old && form->revision > 1) {
        add_text (out, "metal", s);
        strbuf_add_char (out, 1);
        add_double (out, 0.25, s);
        add_text (out, "id type x y z", s);
    }
    add_32 (out, form->n_pieces, s);
    for (int piece = 0; piece < form->n_pieces; piece++) {
        add_32 (out, 10, s);
        for (int i = 2; i > 0; i--) {
            int id = 2 * piece + i;

            add_double (out, id, s);
            add_double (out, 1, s);
            add_double (out, id, s);
            add_double (out, id / 2.0, s);
            add_double (out, -id, s);
        }
    }
}

static void write_bytes (const char *path, const struct strbuf *bytes)
{
    FILE *file = fopen (path, "w");

    assert_non_null (file);
    assert_int_equal (fwrite (bytes->buf, 1, bytes->len, file), bytes->len);
    assert_int_equal (fclose (file), 0);
}

static void check_frame (const struct vector_frame *frame,
                         const struct form *form, int64_t step)
{
    static const double cell[] = { 10, 0, 0, 0, 11, 0, 0, 0, 12 };

    assert_int_equal (frame->step, step);
    assert_int_equal (frame->n_atoms, 2 * form->n_pieces);
    assert_memory_equal (frame->cell, cell, sizeof (cell));
    assert_true (frame->periodic[1] && !frame->periodic[2]);
    for (size_t i = 0; i < frame->n_atoms; i++) {
        assert_true (frame->ids[i] == (double)i + 1);
        assert_true (frame->types[i] == 1);
        assert_true (frame->vectors[3 * i] == (double)i + 1);
        assert_true (frame->vectors[3 * i + 2] == -(double)i - 1);
    }
}

/* A dump that is made up, in a directory of its own. */
struct made {
    struct temp_dir dir;
    struct strbuf bytes;
    struct vector_options options;
    struct vector_reader *dump;
    struct vector_frame frame;
    struct error err;
};

static void begin (struct made *made)
{
    *made = (struct made){ .bytes = STRBUF_INIT,
                           .options = structures,
                           .err = ERROR_INIT };
    temp_dir_enter (&made->dir);
}

static void end (struct made *made)
{
    vector_reader_close (made->dump);
    strbuf_release (&made->bytes);
    temp_dir_leave (&made->dir);
}

/* Open the bytes as a dump. */
static void open_made (struct made *made, const char *columns)
{
    write_bytes ("d", &made->bytes);
    vector_reader_close (made->dump);
    made->options.columns = columns;
    made->dump = vector_reader_open ("d", &made->options, NULL);
    assert_non_null (made->dump);
}

static int next_made (struct made *made)
{
    return vector_reader_next (made->dump, &made->frame, &made->err);
}

static void expect_made (struct made *made, const struct form *form,
                         int64_t step)
{
    if (next_made (made) != 1)
        fail_msg ("step %lld: %s", (long long)step, made->err.text);
    check_frame (&made->frame, form, step);
}

static void test_forms (void **state)
{
    static const struct form forms[] = {
        { .revision = 2, .n_pieces = 1 },
        { .revision = 2, .n_pieces = 3, .swapped = true },
        { .revision = 2, .n_pieces = 2, .triclinic = true },
        { .revision = 1, .n_pieces = 2 },
        { .revision = 1, .n_pieces = 2, .swapped = true },
        { .old = true, .n_pieces = 2 },
        { .old = true, .n_pieces = 2, .swapped = true, .triclinic = true },
        { .revision = 2, .n_pieces = 0 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (forms); i++) {
        struct made made;

        begin (&made);
        add_frame (&made.bytes, &forms[i], 7);
        assert_true (binary_dump_is_one (made.bytes.buf, made.bytes.len));
        add_frame (&made.bytes, &forms[i], (int64_t)1 << 40);
        open_made (&made, "id type x y z");
        expect_made (&made, &forms[i], 7);
        expect_made (&made, &forms[i], (int64_t)1 << 40);
        assert_int_equal (next_made (&made), 0);
        end (&made);
    }
}

/* Frames of all forms in one file, as often like the one before as not. */
static void test_mixed_forms (void **state)
{
    static const struct form forms[] = {
        { .revision = 2, .n_pieces = 1 },
        { .revision = 2, .n_pieces = 3, .swapped = true },
        { .revision = 2, .n_pieces = 1, .swapped = true },
        { .revision = 2, .n_pieces = 2, .triclinic = true },
        { .revision = 1, .n_pieces = 1 },
        { .old = true, .n_pieces = 1 },
        { .old = true, .n_pieces = 1, .swapped = true },
    };
    struct made made;

    (void)state;
    begin (&made);
    for (size_t i = 0; i < 500; i++)
        add_frame (&made.bytes, &forms[i * i / 7 % ARRAY_SIZE (forms)],
                   (int64_t)i << 20);
    open_made (&made, "id type x y z");
    for (size_t i = 0; i < 500; i++)
        expect_made (&made, &forms[i * i / 7 % ARRAY_SIZE (forms)],
                     (int64_t)i << 20);
    assert_int_equal (next_made (&made), 0);
    end (&made);
}

/* Of a file cut anywhere the frames that are whole are read. */
static void test_cut_anywhere (void **state)
{
    static const struct form form = { .revision = 2, .n_pieces = 2 };
    struct made made;
    size_t one, whole;

    (void)state;
    begin (&made);
    add_frame (&made.bytes, &form, 1);
    one = made.bytes.len;
    add_frame (&made.bytes, &form, 2);
    whole = made.bytes.len;
    for (size_t len = 0; len <= whole; len++) {
        size_t n = 0;

        made.bytes.len = len;
        open_made (&made, NULL);
        while (next_made (&made) == 1)
            n++;
        if (made.err.text[0])
            fail_msg ("%zu: %s", len, made.err.text);
        assert_int_equal (n, len / one);
        assert_int_equal (vector_reader_truncated (made.dump), len % one != 0);
    }
    end (&made);
}

/* A spoilt number: 'value' of 'bytes' bytes at 'at'. */
struct spoilt {
    size_t at;
    int bytes;
    int64_t value;
    const char *message;
};

static void test_malformed (void **state)
{
    /* 8 of the marker, 10, 4 and 4 come first */
    static const struct spoilt cases[] = {
        { 8, 4, 0x41414141, "d: at byte 8: expected a binary dump of style" },
        { 18, 4, 7, "d: at byte 26: the numbers are in an order that is not" },
        { 34, 8, -5, "d: at byte 42: -5 atoms" },
        { 42, 4, 2, "d: at byte 70: this form of box is not read" },
        { 46, 4, 9, "d: at byte 70: a boundary of a kind that is not known" },
        { 118, 4, 0, "d: at byte 122: 0 columns" },
        { 118, 4, 6, "d: at byte 157: 6 columns, but the names of 5" },
        { 122, 4, -1, "d: at byte 126: a text of -1 bytes" },
        { 140, 4, 1 << 20, "d: at byte 144: a text of 1048576 bytes" },
        { 157, 4, -3, "d: at byte 161: -3 pieces" },
        { 157, 4, 1, "d: at byte 245: 4 atoms were announced, 2 came" },
        { 161, 4, 9, "d: at byte 165: a piece of 9 numbers does not fit" },
        { 161, 4, 25, "d: at byte 165: a piece of 25 numbers does not fit" },
        { 205, 8, 0x4000000000000000, "d: step 1: the atom id 2 occurs twice" },
    };
    static const struct form form = { .revision = 2, .n_pieces = 2 };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const char *message = cases[i].message;
        struct made made;

        begin (&made);
        add_frame (&made.bytes, &form, 1);
        memcpy (made.bytes.buf + cases[i].at, &cases[i].value,
                (size_t)cases[i].bytes);
        open_made (&made, NULL);
        assert_int_equal (next_made (&made), -1);
        if (strncmp (made.err.text, message, strlen (message)) != 0)
            fail_msg ("expected '%s', found '%s'", message, made.err.text);
        end (&made);
    }
}

/* Atoms that the file cannot hold take no memory. */
static void test_huge_count (void **state)
{
    static const struct form form = { .revision = 2, .n_pieces = 2 };
    const int64_t many = (int64_t)1 << 60;
    struct made made;

    (void)state;
    begin (&made);
    add_frame (&made.bytes, &form, 1);
    memcpy (made.bytes.buf + 34, &many, sizeof (many));
    open_made (&made, NULL);
    assert_int_equal (next_made (&made), 0);
    assert_true (vector_reader_truncated (made.dump));
    end (&made);
}

static void test_no_names (void **state)
{
    static const struct form form = { .old = true, .n_pieces = 2 };
    struct made made;

    (void)state;
    begin (&made);
    add_frame (&made.bytes, &form, 1);
    open_made (&made, NULL);
    assert_int_equal (next_made (&made), -1);
    assert_non_null (
        strstr (made.err.text, "the dump does not name its columns"));
    assert_null (vector_reader_open ("absent", &structures, &made.err));
    assert_true (error_is_absence (&made.err));
    end (&made);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_real_dumps),
        cmocka_unit_test (test_forms),
        cmocka_unit_test (test_mixed_forms),
        cmocka_unit_test (test_cut_anywhere),
        cmocka_unit_test (test_malformed),
        cmocka_unit_test (test_huge_count),
        cmocka_unit_test (test_no_names),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
