/* SPDX-License-Identifier: BSD-3-Clause */
/* test_lammps_dump.c - what LAMMPS writes, what a dead run leaves, and worse */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "fixture.h"
#include "temp_dir.h"
#include "formats/vector_reader.h"

#define HEAD(step, n) "ITEM: TIMESTEP\n" step "\nITEM: NUMBER OF ATOMS\n" n "\n"
#define BOX "ITEM: BOX BOUNDS pp pp pp\n0 10\n0 10\n0 10\n"
#define FRAME(step)                                                            \
    HEAD (step, "2") BOX "ITEM: ATOMS id type x y z\n1 1 0 0 0.5\n2 1 1 1 1\n"

static const struct vector_options structures = { .kind = VECTOR_POSITIONS,
                                                  .structure = true };

static struct vector_reader *open_fixture (const char *name,
                                           const struct vector_options *options)
{
    char *path = fixture_path (name);
    struct error err = ERROR_INIT;
    struct vector_reader *reader = vector_reader_open (path, options, &err);

    if (!reader)
        fail_msg ("%s", err.text);
    free (path);
    return reader;
}

static void test_orthogonal (void **state)
{
    static const struct vector_options forces = { .kind = VECTOR_FORCES };
    struct vector_reader *reader = open_fixture ("lammps/md.dump", &structures);
    struct error err = ERROR_INIT;
    struct vector_frame frame;

    (void)state;
    for (int step = 0; step <= 40; step += 20) {
        assert_int_equal (vector_reader_next (reader, &frame, &err), 1);
        assert_true (frame.has_step);
        assert_int_equal (frame.step, step);
        assert_int_equal (frame.n_atoms, 64);
    }
    assert_true (frame.cell[0] == 10.862 && frame.cell[4] == 10.862);
    assert_true (frame.cell[1] == 0 && frame.cell[3] == 0);
    assert_true (frame.periodic[0] && frame.periodic[2]);
    assert_true (frame.ids[63] == 64);
    assert_true (frame.vectors[3 * 63] == 9.2372071761070913);
    assert_true (frame.types[63] == 1);
    assert_null (frame.symbols);
    assert_int_equal (vector_reader_next (reader, &frame, &err), 0);
    assert_false (vector_reader_truncated (reader));
    vector_reader_close (reader);
    vector_reader_close (NULL);

    reader = open_fixture ("lammps/md.dump", &forces);
    for (int i = 0; i < 3; i++)
        assert_int_equal (vector_reader_next (reader, &frame, &err), 1);
    assert_true (frame.vectors[3 * 63 + 2] == -0.2072826697038197);
    assert_null (frame.types);
    vector_reader_close (reader);
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
    struct vector_reader *reader =
        open_fixture ("lammps/tri.dump", &structures);
    struct vector_frame frame;

    (void)state;
    assert_int_equal (vector_reader_next (reader, &frame, NULL), 1);
    for (int i = 0; i < 9; i++)
        assert_true (fabs (frame.cell[i] - cell[i]) < 1e-14);
    assert_true (frame.types[28] == 2);
    vector_reader_close (reader);
}

static void test_elements (void **state)
{
    struct vector_reader *reader =
        open_fixture ("lammps/tri_element.dump", &structures);
    struct vector_frame frame;

    (void)state;
    assert_int_equal (vector_reader_next (reader, &frame, NULL), 1);
    assert_string_equal (frame.symbols[0], "Si");
    assert_string_equal (frame.symbols[28], "Ge");
    assert_true (frame.vectors[3] == 1.765075);
    vector_reader_close (reader);
}

/* One frame after the other until the end; returns how many, or -1. */
static int count_frames (const char *text, bool *truncated, struct error *err)
{
    struct vector_reader *reader;
    struct vector_frame frame;
    int n = 0, rc;

    write_text ("d", text);
    reader = vector_reader_open ("d", &structures, err);
    assert_non_null (reader);
    while ((rc = vector_reader_next (reader, &frame, err)) == 1)
        n++;
    *truncated = vector_reader_truncated (reader);
    vector_reader_close (reader);
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
        { HEAD ("0", "0") BOX "ITEM: ATOMS id x y z\n", 1 },
        { HEAD ("0", "1") "ITEM: BOX BOUNDS\n0 1\n0 1\n0 1\nITEM: ATOMS x y "
                          "z\n5 6 7\n",
          1 },
        { HEAD ("-5", "1") "ITEM: BOX BOUNDS ff mm ss\n0 nan\n0 1\n0 1\n"
                           "ITEM: ATOMS x y z \nnan -inf 1 \n",
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
        { HEAD ("0", "1") BOX "ITEM: ATOMS id x y z\n1 0x 1 1\n",
          "d:10: expected a number in column 2 (x)" },
        { HEAD ("0", "1") BOX "ITEM: ATOMS id x y z\n1          \n",
          "d:10: expected a number in column 2 (x)" },
        { HEAD ("0", "1") BOX "ITEM: ATOMS id x y z\n1 2 3 4 5\n",
          "d:10: expected 4 columns, found more" },
        { HEAD ("0", "1") BOX "ITEM: ATOMS x element y z\n1 Unobtainium 1 1\n",
          "d:10: expected an element in column 2 (element)" },
        { HEAD ("0", "2") BOX "ITEM: ATOMS id x y z\n7 0 0 0\n7 0 0 0\n",
          "d:11: step 0: the atom id 7 occurs twice" },
        { HEAD ("0", "2") BOX "ITEM: ATOMS id x y z\nnan 0 0 0\n7 0 0 0\n",
          "d:11: step 0: the atom id nan is no number" },
        { HEAD ("0", "1") BOX "ITEM: ATOMS id x z\n1 0 0\n",
          "d:9: no column 'y'; dump the columns x y z" },
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
                  HEAD ("0", "%s") BOX "ITEM: ATOMS id x y z\n1 0 0 0\n",
                  counts[i]);
        assert_int_equal (count_frames (text, &truncated, &err), 0);
        assert_true (truncated);
    }
    temp_dir_leave (&dir);
}

static void test_rows_are_sorted (void **state)
{
    struct vector_reader *reader;
    struct vector_frame frame;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("d", HEAD ("0", "3") BOX
                "ITEM: ATOMS element x y type id z\n"
                "Ge 0.5 1 3 30 -1\nSi 0.25 2 1 4 -2\nC 0.125 3 2 5 -3\n");
    reader = vector_reader_open ("d", &structures, NULL);
    assert_int_equal (vector_reader_next (reader, &frame, NULL), 1);
    assert_string_equal (frame.symbols[0], "Si");
    assert_string_equal (frame.symbols[1], "C");
    assert_string_equal (frame.symbols[2], "Ge");
    for (size_t i = 0; i < 3; i++)
        assert_true (frame.types[i] == (double)i + 1);
    assert_true (frame.vectors[0] == 0.25 && frame.vectors[1] == 2);
    assert_true (frame.vectors[3] == 0.125 && frame.vectors[5] == -3);
    assert_true (frame.vectors[6] == 0.5);
    assert_true (frame.ids[2] == 30);
    vector_reader_close (reader);
    temp_dir_leave (&dir);
}

/* Frames of different sizes and columns, and again from the place of the
 * second.
 */
static void test_reuse_and_places (void **state)
{
    static const char text[] = FRAME ("0") "\n" HEAD ("10", "4") BOX
        "ITEM: ATOMS id element x y z\n1 Si 1 0 0\n2 Si 2 0 0\n3 Si 3 0 0\n"
        "4 Si 4 0 0\n" FRAME ("20");
    struct vector_reader *reader;
    struct vector_frame frame;
    struct temp_dir dir;
    uint64_t place;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("d", text);
    reader = vector_reader_open ("d", &structures, NULL);
    assert_int_equal (vector_reader_next (reader, &frame, NULL), 1);
    assert_int_equal (frame.place, 0);
    assert_int_equal (vector_reader_next (reader, &frame, NULL), 1);
    assert_true (frame.vectors[9] == 4);
    assert_true (frame.symbols && !frame.types);
    place = frame.place;
    assert_int_equal (vector_reader_next (reader, &frame, NULL), 1);
    assert_true (!frame.symbols && frame.types);
    assert_true (frame.vectors[2] == 0.5);
    assert_int_equal (vector_reader_go_to (reader, place, NULL), 0);
    assert_int_equal (vector_reader_next (reader, &frame, NULL), 1);
    assert_int_equal (frame.step, 10);
    assert_int_equal (frame.place, place);
    vector_reader_close (reader);
    temp_dir_leave (&dir);
}

/* Columns that begin as those of the frame before. */
static void test_fewer_columns (void **state)
{
    static const char text[] = HEAD ("0", "1") BOX
        "ITEM: ATOMS id type x y z fx\n1 1 0 0 0 9\n" HEAD ("10", "1") BOX
        "ITEM: ATOMS id type x y z\n1 1 1 2 3\n";
    struct vector_reader *reader;
    struct vector_frame frame;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("d", text);
    reader = vector_reader_open ("d", &structures, NULL);
    assert_int_equal (vector_reader_next (reader, &frame, NULL), 1);
    assert_int_equal (vector_reader_next (reader, &frame, NULL), 1);
    assert_true (frame.vectors[2] == 3);
    vector_reader_close (reader);
    temp_dir_leave (&dir);
}

/* Steps are found by their headings, the last of each; odd ones are passed
 * over.
 */
static void test_find_steps (void **state)
{
    static const char text[] =
        FRAME ("0") FRAME ("10") "ITEM: TIMESTEP\nx\n"
                                 "ITEM: TIMESTEP\n" FRAME ("10")
                                     FRAME ("30") "ITEM: TIMESTEP\n4";
    static const int64_t steps[] = { 0, 4, 10, 20, 30 };
    uint64_t places[5];
    struct temp_dir dir;
    size_t one = strlen (FRAME ("0")), other = strlen (FRAME ("10"));

    (void)state;
    temp_dir_enter (&dir);
    write_text ("d", text);
    assert_int_equal (vector_find_steps ("d", NULL, steps, 5, places, NULL), 0);
    assert_int_equal (places[0], 0);
    assert_true (places[1] == UINT64_MAX && places[3] == UINT64_MAX);
    assert_int_equal (places[2], one + other + 2 * 15 + 2);
    assert_int_equal (places[4], one + 2 * other + 2 * 15 + 2);
    temp_dir_leave (&dir);
}

static void test_absent (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    assert_null (vector_reader_open ("/nowhere/at/all", &structures, &err));
    assert_true (error_is_absence (&err));
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
        cmocka_unit_test (test_reuse_and_places),
        cmocka_unit_test (test_fewer_columns),
        cmocka_unit_test (test_find_steps),
        cmocka_unit_test (test_absent),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
