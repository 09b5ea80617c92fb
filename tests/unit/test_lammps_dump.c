/* SPDX-License-Identifier: BSD-3-Clause */
/* test_lammps_dump.c - what LAMMPS writes, what a dead run leaves, and worse */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "fixture.h"
#include "temp_dir.h"
#include "formats/lammps/lammps_dump.h"

#define HEAD(step, n) "ITEM: TIMESTEP\n" step "\nITEM: NUMBER OF ATOMS\n" n "\n"
#define BOX "ITEM: BOX BOUNDS pp pp pp\n0 10\n0 10\n0 10\n"
#define FRAME(step)                                                            \
    HEAD (step, "2") BOX "ITEM: ATOMS id type x y z\n1 1 0 0 0.5\n2 1 1 1 1\n"

static struct dump_reader *open_fixture (const char *name)
{
    char *path = fixture_path (name);
    struct error err = ERROR_INIT;
    struct dump_reader *reader = dump_reader_open (path, &err);

    if (!reader)
        fail_msg ("%s", err.text);
    free (path);
    return reader;
}

static double value (const struct dump_frame *frame,
                     size_t row,
                     const char *name)
{
    int column = dump_frame_column (frame, name);

    assert_true (column >= 0);
    return frame->values[row * frame->columns.n + (size_t)column];
}

static void test_orthogonal (void **state)
{
    struct dump_frame frame = DUMP_FRAME_INIT;
    struct dump_reader *reader = open_fixture ("lammps/md.dump");
    struct error err = ERROR_INIT;

    (void)state;
    for (int step = 0; step <= 40; step += 20) {
        assert_int_equal (dump_reader_next (reader, &frame, &err), 1);
        assert_int_equal (frame.step, step);
        assert_int_equal (frame.n_atoms, 64);
    }
    assert_int_equal (dump_reader_next (reader, &frame, &err), 0);
    assert_false (dump_reader_truncated (reader));
    assert_int_equal (frame.columns.n, 8);
    assert_true (frame.cell[0] == 10.862 && frame.cell[4] == 10.862);
    assert_true (frame.cell[1] == 0 && frame.cell[3] == 0);
    assert_true (frame.periodic[0] && frame.periodic[2]);
    assert_true (value (&frame, 63, "id") == 64);
    assert_true (value (&frame, 63, "x") == 9.2372071761070913);
    assert_true (value (&frame, 63, "fz") == -0.2072826697038197);
    assert_int_equal (dump_frame_column (&frame, "vx"), -1);
    assert_null (frame.elements);
    dump_frame_release (&frame);
    dump_frame_release (&frame);
    dump_reader_close (reader);
    dump_reader_close (NULL);
}

/* The dump holds the bounding box; write_data wrote the box itself. */
static void test_triclinic (void **state)
{
    static const double cell[9] = { 14.120600000000001,
                                    0,
                                    0,
                                    2.8241200000000006,
                                    12.491299999999999,
                                    0,
                                    1.4120600000000003,
                                    1.8736949999999997,
                                    10.862 };
    struct dump_frame frame = DUMP_FRAME_INIT;
    struct dump_reader *reader = open_fixture ("lammps/tri.dump");

    (void)state;
    assert_int_equal (dump_reader_next (reader, &frame, NULL), 1);
    for (int i = 0; i < 9; i++)
        assert_true (fabs (frame.cell[i] - cell[i]) < 1e-14);
    assert_true (frame.origin[0] == 0);
    assert_true (value (&frame, 28, "type") == 2);
    dump_frame_release (&frame);
    dump_reader_close (reader);
}

static void test_elements (void **state)
{
    struct dump_frame frame = DUMP_FRAME_INIT;
    struct dump_reader *reader = open_fixture ("lammps/tri_element.dump");

    (void)state;
    assert_int_equal (dump_reader_next (reader, &frame, NULL), 1);
    assert_string_equal (frame.elements[0], "Si");
    assert_string_equal (frame.elements[28], "Ge");
    assert_true (isnan (value (&frame, 0, "element")));
    assert_true (value (&frame, 1, "x") == 1.765075);
    dump_frame_release (&frame);
    dump_reader_close (reader);
}

/* One frame after the other until the end; returns how many, or -1. */
static int count_frames (const char *text, bool *truncated, struct error *err)
{
    struct dump_frame frame = DUMP_FRAME_INIT;
    struct dump_reader *reader;
    int n = 0, rc;

    write_text ("d", text);
    reader = dump_reader_open ("d", err);
    assert_non_null (reader);
    while ((rc = dump_reader_next (reader, &frame, err)) == 1)
        n++;
    *truncated = dump_reader_truncated (reader);
    dump_frame_release (&frame);
    dump_reader_close (reader);
    return rc < 0 ? -1 : n;
}

static void test_forms (void **state)
{
    static const struct {
        const char *text;
        int frames;
    } cases[] = {
        { "", 0 },
        { "\n\n", 0 },
        { FRAME ("0") FRAME ("10"), 2 },
        { FRAME ("0") "\n" FRAME ("10") "\n", 2 },
        { "ITEM: UNITS\nmetal\nITEM: TIME\n0.5\n" FRAME ("0"), 1 },
        { HEAD ("0", "0") BOX "ITEM: ATOMS id x\n", 1 },
        { HEAD ("0", "1") "ITEM: BOX BOUNDS\n0 1\n0 1\n0 1\nITEM: ATOMS x\n5\n",
          1 },
        { HEAD ("-5", "1") "ITEM: BOX BOUNDS ff mm ss\n0 nan\n0 1\n0 1\n"
                           "ITEM: ATOMS x y \nnan -inf \n",
          1 },
    };
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct error err = ERROR_INIT;
        bool truncated;

        assert_int_equal (count_frames (cases[i].text, &truncated, &err),
                          cases[i].frames);
        assert_false (truncated);
    }
    temp_dir_leave (&dir);
}

/* Cut anywhere, a dump has the frames that are whole, and says so. */
static void test_cut_anywhere (void **state)
{
    static const char text[] = FRAME ("0") FRAME ("5");
    const size_t one = strlen (FRAME ("0"));
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t len = 0; len < sizeof (text); len++) {
        char cut[sizeof (text)] = "";
        struct error err = ERROR_INIT;
        bool truncated;

        memcpy (cut, text, len);
        assert_int_equal (count_frames (cut, &truncated, &err), len / one);
        assert_int_equal (truncated, len % one != 0);
    }
    temp_dir_leave (&dir);
}

static void test_malformed (void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        { "hello\n", "d:1: expected a heading of a LAMMPS dump like 'ITEM: "
                     "TIMESTEP'" },
        { "ITEM: TIMESTEPS\n0\n", "d:1: expected a heading" },
        { "ITEM: TIMESTEP\nx\n", "d:2: expected the time step, a whole" },
        { "ITEM: TIMESTEP\n1.5\n", "d:2: expected the time step, a whole" },
        { "ITEM: TIMESTEP\n0\nITEM: TIMESTEP\n0\n",
          "d:3: 'ITEM: TIMESTEP' is out of place" },
        { "ITEM: ATOMS id\n1\n", "d:1: 'ITEM: ATOMS' is out of place" },
        { HEAD ("0", "-1"), "d:4: -1 atoms" },
        { HEAD ("0", "9223372036854775808"), "d:4: expected the number of" },
        { HEAD ("0", "1") "ITEM: BOX BOUNDS abc origin pp pp pp\n",
          "d:5: expected [xy xz yz] and three" },
        { HEAD ("0", "1") "ITEM: BOX BOUNDS pp pp pp\n0 1 2\n",
          "d:6: expected 2 numbers of the box" },
        { HEAD ("0", "1") "ITEM: BOX BOUNDS xy xz yz pp pp pp\n0 1\n",
          "d:6: expected 3 numbers of the box" },
        { HEAD ("0", "1") BOX "ITEM: ATOMS\n1\n", "d:9: expected names of" },
        { HEAD ("0", "1") BOX "ITEM: ATOMS id x\n1 0x\n",
          "d:10: expected a number in column 2 (x)" },
        { HEAD ("0", "1") BOX "ITEM: ATOMS id x\n1   \n",
          "d:10: expected a number in column 2 (x)" },
        { HEAD ("0", "1") BOX "ITEM: ATOMS id x\n1 2 3\n",
          "d:10: expected 2 columns, found more" },
        { HEAD ("0", "1") BOX "ITEM: ATOMS id element\n1 Unobtainium\n",
          "d:10: expected an element in column 2 (element)" },
        { HEAD ("0", "2") BOX "ITEM: ATOMS id x\n7 0\n7 0\n",
          "d:11: step 0: the atom id 7 occurs twice" },
        { HEAD ("0", "2") BOX "ITEM: ATOMS id x\nnan 0\n7 0\n",
          "d:11: step 0: the atom id nan is no number" },
        { FRAME ("0") "2 1 1 1 1\n", "d:12: expected a heading" },
    };
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct error err = ERROR_INIT;
        bool truncated;

        assert_int_equal (count_frames (cases[i].text, &truncated, &err), -1);
        if (strncmp (err.text, cases[i].message, strlen (cases[i].message))
            != 0)
            fail_msg ("expected '%s', found '%s'", cases[i].message, err.text);
    }
    temp_dir_leave (&dir);
}

/* A count the file cannot hold takes no memory; it is a frame cut short. */
static void test_huge_counts (void **state)
{
    static const char *const counts[] = { "99999999999", "9223372036854775807",
                                          "1000" };
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < ARRAY_SIZE (counts); i++) {
        char text[512];
        struct error err = ERROR_INIT;
        bool truncated;

        snprintf (text, sizeof (text),
                  HEAD ("0", "%s") BOX "ITEM: ATOMS id x\n1 0\n", counts[i]);
        assert_int_equal (count_frames (text, &truncated, &err), 0);
        assert_true (truncated);
    }
    temp_dir_leave (&dir);
}

static void test_rows_are_sorted (void **state)
{
    struct dump_frame frame = DUMP_FRAME_INIT;
    struct dump_reader *reader;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("d", HEAD ("0", "3") BOX "ITEM: ATOMS element x id\n"
                                         "Ge 0.5 30\nSi 0.25 4\nC 0.125 5\n");
    reader = dump_reader_open ("d", NULL);
    assert_int_equal (dump_reader_next (reader, &frame, NULL), 1);
    assert_string_equal (frame.elements[0], "Si");
    assert_string_equal (frame.elements[1], "C");
    assert_string_equal (frame.elements[2], "Ge");
    assert_true (value (&frame, 0, "x") == 0.25);
    assert_true (value (&frame, 1, "x") == 0.125);
    assert_true (value (&frame, 2, "x") == 0.5);
    assert_true (value (&frame, 2, "id") == 30);
    dump_reader_close (reader);
    dump_frame_release (&frame);
    temp_dir_leave (&dir);
}

/* Frames of different sizes and columns through one 'frame', and again from
 * the offset of the second.
 */
static void test_reuse_and_offsets (void **state)
{
    static const char text[] = FRAME ("0") "\n" HEAD ("10", "4") BOX
        "ITEM: ATOMS id element x\n1 Si 1\n2 Si 2\n3 Si 3\n4 Si 4\n" FRAME (
            "20");
    struct dump_frame frame = DUMP_FRAME_INIT;
    struct dump_reader *reader;
    struct temp_dir dir;
    uint64_t offset;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("d", text);
    reader = dump_reader_open ("d", NULL);
    assert_int_equal (dump_reader_next (reader, &frame, NULL), 1);
    assert_int_equal (frame.offset, 0);
    assert_int_equal (dump_reader_next (reader, &frame, NULL), 1);
    assert_true (value (&frame, 3, "x") == 4);
    assert_non_null (frame.elements);
    offset = frame.offset;
    assert_int_equal (dump_reader_next (reader, &frame, NULL), 1);
    assert_null (frame.elements);
    assert_true (value (&frame, 0, "z") == 0.5);
    dump_reader_close (reader);

    reader = dump_reader_open_at ("d", offset, NULL);
    assert_int_equal (dump_reader_next (reader, &frame, NULL), 1);
    assert_int_equal (frame.step, 10);
    assert_int_equal (frame.offset, offset);
    dump_reader_close (reader);
    dump_frame_release (&frame);
    temp_dir_leave (&dir);
}

static void test_absent (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    assert_null (dump_reader_open ("/nowhere/at/all", &err));
    assert_int_equal (errno, ENOENT);
    assert_string_equal (err.text, "cannot open '/nowhere/at/all': No such "
                                   "file or directory");
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_orthogonal),
        cmocka_unit_test (test_triclinic),
        cmocka_unit_test (test_elements),
        cmocka_unit_test (test_forms),
        cmocka_unit_test (test_cut_anywhere),
        cmocka_unit_test (test_malformed),
        cmocka_unit_test (test_huge_counts),
        cmocka_unit_test (test_rows_are_sorted),
        cmocka_unit_test (test_reuse_and_offsets),
        cmocka_unit_test (test_absent),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
