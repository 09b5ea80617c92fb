/* SPDX-License-Identifier: BSD-3-Clause */
/* test_dump_head.c - heads like the one before are what is read of them anew */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "base/compiler.h"
#include "formats/lammps_dump.h"
#include "temp_dir.h"

enum { FRAMES = 3000 };

/* What heads are made of: the first is the likeliest. */
static const char *const signs[] = { "", "", "", "-", " ", "00", "+" };
static const char *const ends[] = { "", "", "", " ", "\r" };
static const char *const starts[] = { "",   "",       "",
                                      "\n", "  \n\n", "ITEM: UNITS\nmetal\n" };
static const char *const boxes[] = {
    "pp pp pp\n0 9\n0 9\n0 9\n",
    "pp pp pp\n0 9\n0 9\n0 9\n",
    "pp ff pp\n0 9\n0 8\n0 9\n",
    "xy xz yz pp pp pp\n0 9 1\n0 9 0\n0 9 0\n",
};
static const char *const columns[] = { "id type x y z", "id type x y z",
                                       "id type x y z ", "x y z id q" };

static uint64_t random_state = 99;

static size_t random_below (size_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (size_t)(random_state % n);
}

/* Every third head or so is the one before with another step. */
static void add_frame (struct strbuf *out, size_t i)
{
    static const char *kept_box = "", *kept_columns = "";
    static size_t n;

    if (i == 0 || random_below (3) == 0) {
        kept_box = boxes[random_below (ARRAY_SIZE (boxes))];
        kept_columns = columns[random_below (ARRAY_SIZE (columns))];
        n = random_below (3);
    }
    strbuf_add_str (out, starts[random_below (ARRAY_SIZE (starts))]);
    strbuf_add_str (out, "ITEM: TIMESTEP\n");
    strbuf_addf (out, "%s%zu%s", signs[random_below (ARRAY_SIZE (signs))], i,
                 ends[random_below (ARRAY_SIZE (ends))]);
    strbuf_addf (out, "\nITEM: NUMBER OF ATOMS\n%zu\nITEM: BOX BOUNDS %s", n,
                 kept_box);
    strbuf_addf (out, "ITEM: ATOMS %s\n", kept_columns);
    for (size_t row = 0; row < n; row++)
        strbuf_addf (out, "%zu 1 2 %zu 1\n", row + 1, row + 3);
}

/* Whoever opens the file at a frame knows no head. */
static void expect_frame (const struct dump_frame *got)
{
    struct dump_reader *reader = dump_reader_open_at ("d", got->offset, NULL);
    struct dump_frame want = DUMP_FRAME_INIT;

    assert_int_equal (dump_reader_next (reader, &want, NULL), 1);
    assert_true (got->step == want.step);
    assert_int_equal (got->n_atoms, want.n_atoms);
    assert_memory_equal (got->origin, want.origin, sizeof (want.origin));
    assert_memory_equal (got->cell, want.cell, sizeof (want.cell));
    assert_memory_equal (got->periodic, want.periodic, sizeof (want.periodic));
    assert_string_equal (got->heading.buf, want.heading.buf);
    assert_int_equal (got->columns.n, want.columns.n);
    for (size_t i = 0; i < want.n_atoms * want.columns.n; i++)
        assert_true (got->values[i] == want.values[i]);
    dump_reader_close (reader);
    dump_frame_release (&want);
}

static void test_any_heads (void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct dump_frame frame = DUMP_FRAME_INIT;
    struct error err = ERROR_INIT;
    struct dump_reader *reader;
    struct temp_dir dir;
    size_t n_lines = 0;
    char message[64];

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < FRAMES; i++)
        add_frame (&text, i);
    strbuf_add_str (&text, "ITEM: NONSENSE\n");
    for (size_t i = 0; i < text.len; i++)
        n_lines += text.buf[i] == '\n';
    assert_int_equal (file_write_atomic ("d", text.buf, text.len, NULL), 0);
    reader = dump_reader_open ("d", NULL);
    for (size_t i = 0; i < FRAMES; i++) {
        if (dump_reader_next (reader, &frame, &err) != 1)
            fail_msg ("frame %zu: %s", i, err.text);
        expect_frame (&frame);
    }
    assert_int_equal (dump_reader_next (reader, &frame, &err), -1);
    snprintf (message, sizeof (message), "d:%zu: ", n_lines); /* all counted */
    assert_memory_equal (err.text, message, strlen (message));
    dump_reader_close (reader);
    dump_frame_release (&frame);
    strbuf_release (&text);
    temp_dir_leave (&dir);
}

/* A head that is cut, like the one before as far as it goes. */
static void test_cut (void **state)
{
    static const char frame_text[] =
        "ITEM: TIMESTEP\n10\nITEM: NUMBER OF ATOMS\n1\n"
        "ITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n"
        "ITEM: ATOMS id x y z\n1 2 3 4\n";
    const size_t one = strlen (frame_text);
    struct strbuf text = STRBUF_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    strbuf_add_str (&text, frame_text);
    strbuf_add_str (&text, frame_text);
    for (size_t len = one; len < text.len; len++) {
        struct dump_frame frame = DUMP_FRAME_INIT;
        struct dump_reader *reader;

        assert_int_equal (file_write_atomic ("d", text.buf, len, NULL), 0);
        reader = dump_reader_open ("d", NULL);
        assert_int_equal (dump_reader_next (reader, &frame, NULL), 1);
        assert_int_equal (dump_reader_next (reader, &frame, NULL), 0);
        assert_int_equal (dump_reader_truncated (reader), len > one);
        dump_reader_close (reader);
        dump_frame_release (&frame);
    }
    strbuf_release (&text);
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_any_heads),
        cmocka_unit_test (test_cut),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
