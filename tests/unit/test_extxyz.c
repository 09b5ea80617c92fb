/* SPDX-License-Identifier: BSD-3-Clause */
/* test_extxyz.c - frames in, frames out, and what is no frame */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "temp_dir.h"
#include "formats/extxyz/extxyz.h"
#include "formats/frame.h"

static void parse_ok (const char *text, struct frame *frame)
{
    struct error err = ERROR_INIT;

    if (extxyz_parse (text, strlen (text), "t", 1, frame, &err) < 0)
        fail_msg ("%s", err.text);
}

/* Parsed and written again, it is what it was. */
static void expect_round_trip (const char *text)
{
    struct frame frame = FRAME_INIT;
    struct strbuf out = STRBUF_INIT;

    parse_ok (text, &frame);
    extxyz_format (&frame, &out);
    assert_string_equal (out.buf, text);
    strbuf_release (&out);
    frame_release (&frame);
}

static void test_round_trip (void **state)
{
    (void)state;
    expect_round_trip (
        "2\nLattice=\"5.43 0.0 0.0 0.0 5.43 0.0 0.0 0.0 5.43\" "
        "Properties=species:S:1:pos:R:3:forces:R:3 energy=-863.25 "
        "virial=\"1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0\" pbc=\"T T T\" "
        "task=3 step=40 note=\"a b\" flag\n"
        "Si 0.0 0.0 0.0 0.1 0.2 0.3\n"
        "Ge 1.3333333333333333 1e-300 -5.551115123125783e-15 -0.1 -0.2 -0.3\n");
    expect_round_trip ("1\nProperties=species:S:1:pos:R:3 pbc=\"F F F\"\n"
                       "H 0.0 0.0 0.0\n");
    expect_round_trip (
        "1\nLattice=\"1.0 0.0 0.0 0.0 1.0 0.0 0.0 0.0 1.0\" "
        "Properties=species:S:1:pos:R:3 pbc=\"T F T\"\nH 0.0 0.0 0.0\n");
    expect_round_trip ("0\nProperties=species:S:1:pos:R:3 pbc=\"F F F\"\n");
}

/* As ASE and others write it: order, columns, keys and quotes of their own. */
static void test_columns_in_any_order (void **state)
{
    static const char text[] =
        "2\r\nProperties=id:I:1:force:R:3:pos:R:3:tag:L:1:species:S:1 "
        "config_type=bulk pbc=[True, false, 1] "
        "Lattice={1 0 0  0 2 0  0 0 3} meta='{\"a\": [1, 2]}' x={1 2} "
        "y=it's\r\n"
        "1 0.1 0.2 0.3 1 2 3 T Si\r\n"
        "2 0.4 0.5 0.6 4 5 6 F O\r\n\r\n";
    struct frame frame = FRAME_INIT;

    (void)state;
    parse_ok (text, &frame);
    assert_string_equal (frame.symbols[1], "O");
    assert_true (frame.positions[3] == 4 && frame.positions[5] == 6);
    assert_true (frame.forces[0] == 0.1 && frame.forces[5] == 0.6);
    assert_true (frame.periodic[0] && !frame.periodic[1] && frame.periodic[2]);
    assert_true (frame.cell[0] == 1 && frame.cell[8] == 3);
    assert_false (frame.has_energy);
    assert_string_equal (frame.info,
                         "config_type=bulk meta='{\"a\": [1, 2]}' x={1 2} "
                         "y=it's");
    frame_release (&frame);
}

static void test_plain_xyz (void **state)
{
    struct frame frame = FRAME_INIT;

    (void)state;
    parse_ok ("1\na comment, isn't it\nHe 1 2 3\n", &frame);
    assert_string_equal (frame.symbols[0], "He");
    assert_true (frame.positions[2] == 3);
    assert_null (frame.forces);
    assert_false (frame.periodic[0]);
    assert_string_equal (frame.info, "a comment, isn't it");
    frame_release (&frame);
}

static void test_stress_becomes_virial (void **state)
{
    static const struct {
        const char *keys;
        double virial[9];
    } cases[] = {
        { "stress=\"1 2 3 4 5 6\"",
          { -8, -48, -40, -48, -16, -32, -40, -32, -24 } },
        { "stress=\"1 2 3 4 5 6 7 8 9\"",
          { -8, -16, -24, -32, -40, -48, -56, -64, -72 } },
        { "stress=\"1 2 3 4 5 6\" virial=\"1 0 0 0 1 0 0 0 1\"",
          { 1, 0, 0, 0, 1, 0, 0, 0, 1 } },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct frame frame = FRAME_INIT;
        char text[256];

        snprintf (text, sizeof (text),
                  "1\n%s Lattice=\"2 0 0 0 0 2 0 2 0\"\nH 0 0 0\n",
                  cases[i].keys);
        parse_ok (text, &frame);
        assert_true (frame.has_virial);
        for (int j = 0; j < 9; j++)
            assert_true (frame.virial[j] == cases[i].virial[j]);
        assert_null (frame.info);
        frame_release (&frame);
    }
}

static void test_not_finite (void **state)
{
    struct frame frame = FRAME_INIT;

    (void)state;
    parse_ok ("1\nenergy=nan\nH nan -inf 0\n", &frame);
    assert_true (isnan (frame.energy) && isnan (frame.positions[0]));
    assert_true (frame.positions[1] == -INFINITY);
    frame_release (&frame);
}

static const struct {
    const char *text;
    const char *message;
} malformed[] = {
    { "", "t:10: expected a frame, found nothing" },
    { "x\n", "t:11: expected the number of atoms" },
    { "-1\n\n", "t:11: expected the number of atoms" },
    { "1 atom\n", "t:11: expected the number of atoms" },
    { "99999999999999999999\n", "t:11: expected the number of atoms" },
    { "1\n", "t:11: the file ends within a frame" },
    { "1\n\n", "t:12: the file ends within a frame" },
    { "2\n\nH 0 0 0\n", "t:13: the file ends within a frame" },
    { "9223372036854775807\n\nH 0 0 0\n",
      "t:12: the file ends within a frame of 9223372036854775807 atoms" },
    { "1\n\nH 0 0\n", "t:13: expected three coordinates from column 2 on" },
    { "1\n\nH 0 0 0x\n", "t:13: expected three coordinates" },
    { "1\n\nH 0 0 0 1\n", "t:13: expected 4 columns, found more" },
    { "1\n\nUnobtainium 0 0 0\n",
      "t:13: expected a species of at most 7 characters from column 1" },
    { "1\n\nH 0 0 0\n1\n", "t:14: expected one frame, found more" },
    { "1\n\nH 0 0 0\nx\n", "t:14: expected the number of atoms" },
    { "1\nLattice=\"1 2 3\"\nH 0 0 0\n", "t:12: Lattice: expected 9 numbers" },
    { "1\nLattice=\"1 0 0 0 1 0 0 0 1\nH 0 0 0\n",
      "t:12: a quote or bracket is not closed" },
    { "1\nx={1 {2}\nH 0 0 0\n", "t:12: a quote or bracket is not closed" },
    { "1\nenergy=low\nH 0 0 0\n", "t:12: energy: expected a number" },
    { "1\nenergy=\"1 2\"\nH 0 0 0\n", "t:12: energy: expected a number" },
    { "1\nvirial=1\nH 0 0 0\n", "t:12: virial: expected 9 numbers" },
    { "1\nstress=\"1 2 3 4 5\"\nH 0 0 0\n", "t:12: stress: expected 9 or" },
    { "1\npbc=\"T T\"\nH 0 0 0\n", "t:12: pbc: expected three" },
    { "1\npbc=\"T T x\"\nH 0 0 0\n", "t:12: pbc: expected three" },
    { "1\npbc=\"T T T T\"\nH 0 0 0\n", "t:12: pbc: expected three" },
    { "1\nProperties=species:S:1\nH\n",
      "t:12: Properties: species:S:1 and pos:R:3 are needed" },
    { "1\nProperties=species:S:1:pos:R:2\nH 0 0\n",
      "t:12: Properties: expected pos:R:3 once" },
    { "1\nProperties=species:S:1:pos:R:3:pos:R:3\nH 0 0 0 0 0 0\n",
      "t:12: Properties: expected pos:R:3 once" },
    { "1\nProperties=species:S:1:pos:R:3:force:R:3:forces:R:3\nH\n",
      "t:12: Properties: expected forces:R:3 once" },
    { "1\nProperties=species:S:1:pos:R:3:x:R:99999999999\nH 0 0 0\n",
      "t:12: Properties: expected name:type:columns" },
    { "1\nProperties=species:S:1:pos:R:3:x:Q:1\nH 0 0 0 0\n",
      "t:12: Properties: expected name:type:columns" },
    { "1\nProperties=species:S\nH 0 0 0\n",
      "t:12: Properties: expected name:type:columns" },
    { "1\nProperties=\nH 0 0 0\n", "t:12: Properties: species:S:1" },
};

static void test_malformed (void **state)
{

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (malformed); i++) {
        const char *text = malformed[i].text, *message = malformed[i].message;
        struct frame frame = { .energy = 42 };
        struct error err = ERROR_INIT;

        assert_int_equal (
            extxyz_parse (text, strlen (text), "t", 11, &frame, &err), -1);
        if (strncmp (err.text, message, strlen (message)) != 0)
            fail_msg ("expected '%s', found '%s'", message, err.text);
        assert_true (frame.energy == 42); /* untouched */
    }
}

static void test_control_characters (void **state)
{
    static const char nul[] = "1\na=\0b\nH 0 0 0\n";
    static const char lone_return[] = "1\na=b\r\r\nH 0 0 0\n";
    struct frame frame = FRAME_INIT;

    (void)state;
    assert_int_equal (
        extxyz_parse (nul, sizeof (nul) - 1, "t", 1, &frame, NULL), -1);
    assert_int_equal (extxyz_parse (lone_return, sizeof (lone_return) - 1, "t",
                                    1, &frame, NULL),
                      -1);
}

/* Every cut of a frame is an error or the whole frame, never a crash. */
static void test_cut_anywhere (void **state)
{
    static const char text[] =
        "1\nLattice=\"1 0 0 0 1 0 0 0 1\" "
        "Properties=species:S:1:pos:R:3 pbc='T T T' a={[1 2]}\nSi 0 0 0";

    (void)state;
    for (size_t len = 0; len < sizeof (text) - 1; len++) {
        struct frame frame = FRAME_INIT;

        assert_int_equal (extxyz_parse (text, len, "t", 1, &frame, NULL), -1);
    }
}

#define TWO_FRAMES "1\nfirst\nH 0 0 0\n\n2\nsecond\nH 1 0 0\nHe 2 0 0\n\n"

static void test_index (void **state)
{
    static const char text[] = TWO_FRAMES;
    struct extxyz_index index = EXTXYZ_INDEX_INIT;
    struct frame frame = FRAME_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("f", TWO_FRAMES);
    assert_int_equal (extxyz_index_file ("f", &index, NULL), 0);
    assert_int_equal (index.n, 2);
    assert_int_equal (index.offset[0], 0);
    assert_int_equal (index.offset[1], 17);
    assert_int_equal (index.offset[2], strlen (text) - 1);
    assert_int_equal (index.line[0], 1);
    assert_int_equal (index.line[1], 5);
    assert_int_equal (index.line[2], 9);
    assert_int_equal (extxyz_parse (text + index.offset[1],
                                    index.offset[2] - index.offset[1], "f",
                                    index.line[1], &frame, NULL),
                      0);
    assert_string_equal (frame.info, "second");
    frame_release (&frame);
    write_text ("f", "");
    assert_int_equal (extxyz_index_file ("f", &index, NULL), 0);
    assert_int_equal (index.n, 0);
    assert_int_equal (index.offset[0], 0);
    extxyz_index_release (&index);
    extxyz_index_release (&index);
    temp_dir_leave (&dir);
}

static void test_index_of_bad_files (void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        { "1\n\nH 0 0 0\n2\n\nH 0 0 0\n", "f:6: the file ends within a frame" },
        { "1\n\nH 0 0 0\nH 0 0 0\n", "f:4: expected the number of atoms" },
        { "99999999\n\nH 0 0 0\n",
          "f:2: the file ends within a frame of 99999999 atoms" },
    };
    struct extxyz_index index = EXTXYZ_INDEX_INIT;
    struct temp_dir dir;
    struct error err;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        write_text ("f", cases[i].text);
        assert_int_equal (extxyz_index_file ("f", &index, &err), -1);
        assert_string_equal (err.text, cases[i].message);
        assert_null (index.offset);
    }
    assert_int_equal (extxyz_index_file ("nowhere", &index, &err), -1);
    temp_dir_leave (&dir);
}

struct seen {
    int n;
    int stop_at;
};

static int note_frame (const struct frame *frame, void *arg, struct error *err)
{
    struct seen *seen = arg;

    assert_int_equal (frame->n_atoms, seen->n + 1);
    assert_true (frame->positions[0] == seen->n);
    seen->n++;
    return seen->n == seen->stop_at ? error_set (err, "enough") : 0;
}

static void test_read_file (void **state)
{
    struct seen all = { 0, 0 }, one = { 0, 1 };
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("f", TWO_FRAMES);
    assert_int_equal (extxyz_read_file ("f", note_frame, &all, &err), 0);
    assert_int_equal (all.n, 2);
    assert_int_equal (extxyz_read_file ("f", note_frame, &one, &err), -1);
    assert_int_equal (one.n, 1);
    assert_string_equal (err.text, "enough");
    write_text ("f", TWO_FRAMES "1\n\nH 0 0\n");
    all.n = 0;
    assert_int_equal (extxyz_read_file ("f", note_frame, &all, &err), -1);
    assert_int_equal (all.n, 2);
    assert_string_equal (err.text,
                         "f:12: expected three coordinates from column 2 on");
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_round_trip),
        cmocka_unit_test (test_columns_in_any_order),
        cmocka_unit_test (test_plain_xyz),
        cmocka_unit_test (test_stress_becomes_virial),
        cmocka_unit_test (test_not_finite),
        cmocka_unit_test (test_malformed),
        cmocka_unit_test (test_control_characters),
        cmocka_unit_test (test_cut_anywhere),
        cmocka_unit_test (test_index),
        cmocka_unit_test (test_index_of_bad_files),
        cmocka_unit_test (test_read_file),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
