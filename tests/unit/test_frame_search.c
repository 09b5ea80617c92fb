/* SPDX-License-Identifier: BSD-3-Clause */
/* test_frame_search.c - frames in the middle of files, and at their cut ends */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "committee_world.h"
#include "formats/vector_reader.h"
#include "formats/extxyz/extxyz.h"
#include "formats/lines.h"
#include "formats/frame.h"
#include "temp_dir.h"

enum { WRITTEN = 4 };

/* Frames of steps 0, 10, ..., and where each starts; starts[WRITTEN]: the end.
 */
static void write_frames (const struct world *world, enum format format,
                          uint64_t starts[WRITTEN + 1])
{
    struct strbuf bytes = STRBUF_INIT;

    for (int i = 0; i < WRITTEN; i++) {
        starts[i] = bytes.len;
        add_frame (&bytes, world, i, 0, format);
    }
    starts[WRITTEN] = bytes.len;
    write_strbuf ("f", &bytes);
    strbuf_release (&bytes);
}

static void expect_byte (const uint64_t starts[WRITTEN + 1], uint64_t from)
{
    uint64_t place = 1;
    int64_t step = -1;
    int i = 0;
    int rc = vector_find_from ("f", from, &place, &step, NULL);

    while (i < WRITTEN && starts[i] < from)
        i++;
    assert_int_equal (rc, i < WRITTEN);
    if (rc == 1) {
        assert_int_equal (place, starts[i]);
        assert_int_equal (step, 10 * i);
    }
}

static void expect_step (const uint64_t starts[WRITTEN + 1], int64_t step)
{
    uint64_t place = 1;
    int i = step <= 0 ? 0 : (int)(step + 9) / 10;
    int rc = vector_find_rising ("f", step, &place, NULL);

    assert_int_equal (rc, i < WRITTEN);
    if (rc == 1)
        assert_int_equal (place, starts[i]);
}

static void test_search (void **state)
{
    static const enum format formats[] = { TEXT, BINARY, EXTXYZ };
    struct world *world = xcalloc (1, sizeof (*world));
    uint64_t starts[WRITTEN + 1];
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    make_world (world);
    for (size_t f = 0; f < ARRAY_SIZE (formats); f++) {
        write_frames (world, formats[f], starts);
        for (uint64_t from = 0; from < starts[WRITTEN] + 100; from += 41)
            expect_byte (starts, from);
        for (int i = 0; i <= WRITTEN; i++) {
            expect_byte (starts, starts[i]);
            expect_byte (starts, starts[i] + 1);
            if (i > 0)
                expect_byte (starts, starts[i] - 1);
        }
        for (int64_t step = -3; step < 10 * WRITTEN + 5; step++)
            expect_step (starts, step);
    }
    temp_dir_leave (&dir);
    free (world);
}

static void test_no_search (void **state)
{
    struct world *world = xcalloc (1, sizeof (*world));
    uint64_t place;
    int64_t step;
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    make_world (world);
    assert_int_equal (vector_find_from ("f", 0, &place, &step, &err), -1);
    assert_true (error_is_absence (&err));
    assert_int_equal (
        vector_find_from (write_file (world, 0, NPY), 0, &place, &step, &err),
        -1);
    assert_string_equal (err.text,
                         "s0/set/force.npy: its frames have no steps");
    temp_dir_leave (&dir);
    free (world);
}

/* The same magic in a machine's other byte order. */
static void test_swapped_binary (void **state)
{
    static const char start[] = "\xff\xff\xff\xff\xff\xff\xff\xf8"
                                "DUMPATOM\0\0\0\1\0\0\0\2"
                                "\0\0\0\0\0\1\0\7";
    uint64_t place = 0;
    int64_t step = 0;
    struct strbuf bytes = STRBUF_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    strbuf_add (&bytes, start, sizeof (start) - 1);
    strbuf_add (&bytes, "DUMP..DUMPDUMPATOM", 18);
    strbuf_add (&bytes, start, sizeof (start) - 1);
    strbuf_add (&bytes, "12", 2); /* as long as the longest may be */
    write_strbuf ("f", &bytes);
    assert_int_equal (vector_find_from ("f", 1, &place, &step, NULL), 1);
    assert_int_equal (place, sizeof (start) - 1 + 18);
    assert_int_equal (step, 0x10007);
    strbuf_release (&bytes);
    temp_dir_leave (&dir);
}

/* --- extended XYZ --- */

/* Numbers and steps that are none of a frame, and lines that end in CR. */
static void test_what_is_a_frame (void **state)
{
    static const char text[] =
        "1\n"
        "5\n"
        "Si 0 0 0\n"
        "\n"
        " 1 \r\n"
        "Timestep=30 x=\"\n1\nstep=9\n"
        "1\n"
        "Timestep=30 note=\"step=8 b\" a\tpbc=\"T T T\"\r\n"
        "Si 0 0 0\r\n";
    uint64_t place = 0;
    int64_t step = 0;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("f", text);
    assert_int_equal (vector_find_from ("f", 0, &place, &step, NULL), 1);
    assert_int_equal (step, 9);
    assert_int_equal (vector_find_from ("f", place + 1, &place, &step, NULL),
                      1);
    assert_int_equal (step, 30);
    assert_memory_equal (text + place, "1\nTimestep=30 note", 18);
    temp_dir_leave (&dir);
}

static void test_steps_told (void **state)
{
    static const struct {
        const char *info;
        bool tells;
        int64_t step;
    } cases[] = {
        { "step=10", true, 10 },
        { "Timestep=-3 Time=0.5", true, -3 },
        { "a step=7 Timestep=8", true, 7 },
        { "note=\"step=1\" last_step=2 steps=3", false, 0 },
        { "step=1.5 step=x Timestep=1e3 step", false, 0 },
        { NULL, false, 0 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct frame frame = { .info = (char *)cases[i].info };
        int64_t step = 0;

        print_message ("# %s\n", cases[i].info ? cases[i].info : "");
        assert_int_equal (frame_step (&frame, &step), cases[i].tells);
        assert_int_equal (step, cases[i].step);
    }
}

/* Wherever a run was killed, its whole frames are read. */
static void test_reader_of_cut_files (void **state)
{
    static const char text[] = "2\nLattice=\"5 0 0 0 5 0 0 0 5\" "
                               "Properties=species:S:1:pos:R:3:forces:R:3 "
                               "note=\"a b\" step=3\n"
                               "Si 0 0 0 0.5 0.25 9.75\n"
                               "Si 0 0 1 0.5 0.25 -9.75\n";
    size_t len = strlen (text);
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t cut = 0; cut <= 2 * len; cut++) {
        struct lines lines;
        struct frame frame = FRAME_INIT;
        struct strbuf bytes = STRBUF_INIT;
        struct error err = ERROR_INIT;
        uint64_t place, n = 0;
        bool truncated = false;
        int rc;

        strbuf_addf (&bytes, "%s%s", text, text);
        bytes.len = cut;
        write_strbuf ("f", &bytes);
        assert_int_equal (lines_open (&lines, "f", 0, &err), 0);
        while ((rc = extxyz_next (&lines, &frame, &place, &truncated, &err))
               == 1)
            assert_int_equal (place, len * n++);
        if (rc < 0)
            fail_msg ("cut at %zu: %s", cut, err.text);
        assert_int_equal (n, cut / len);
        assert_int_equal (truncated, cut % len > 0);
        lines_close (&lines);
        frame_release (&frame);
        strbuf_release (&bytes);
    }
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_search),
        cmocka_unit_test (test_no_search),
        cmocka_unit_test (test_swapped_binary),
        cmocka_unit_test (test_what_is_a_frame),
        cmocka_unit_test (test_steps_told),
        cmocka_unit_test (test_reader_of_cut_files),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
