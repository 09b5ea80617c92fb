/* SPDX-License-Identifier: BSD-3-Clause */
/* test_frames.c - reading labelled frames from extended XYZ */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "extxyz_frames.h"
#include "problem.h"

#define COUNT(a) (sizeof (a) / sizeof ((a)[0]))

#define CELL "Lattice=\"5 0 0 0 6 0 1 0 7\" "
#define COLUMNS "Properties=species:S:1:pos:R:3:forces:R:3 "
#define ATOM "Si 0.5 1 -2 3e-1 0 0.25\n"

static int parse (struct frames *frames, const char *text, size_t length,
                  struct problem *problem)
{
    /* a copy of exactly this size, so that overruns are seen */
    char *copy = malloc (length + 1);
    int rc;

    memcpy (copy, text, length);
    copy = realloc (copy, length ? length : 1);
    rc = frames_parse (frames, "f.xyz", copy, length, "Si", problem);
    free (copy);
    return rc;
}

static void assert_first_frame (const char *text)
{
    struct frames frames = FRAMES_INIT;
    struct problem problem;
    const struct frame *frame;

    if (parse (&frames, text, strlen (text), &problem) < 0)
        fail_msg ("%s\n%s", problem.text, text);
    assert_int_equal (frames.count, 1);
    frame = &frames.items[0];
    assert_int_equal (frame->atom_count, 1);
    assert_true (frame->cell[0][0] == 5 && frame->cell[1][1] == 6);
    assert_true (frame->cell[2][0] == 1 && frame->cell[2][2] == 7);
    assert_true (frame->cell[0][2] == 0 && frame->energy_eV == -8.5);
    assert_true (frame->positions[0][0] == 0.5 && frame->positions[0][2] == -2);
    assert_true (frame->forces[0][0] == 0.3 && frame->forces[0][2] == 0.25);
    frames_release (&frames);
}

static void test_spellings_of_one_frame (void **state)
{
    static const char *const spellings[] = {
        "1\n" CELL COLUMNS "energy=-8.5 pbc=\"T T T\"\n" ATOM,
        "1\r\n" CELL COLUMNS "energy=-8.5 pbc=\"T T T\"\r\n"
        "Si 0.5 1 -2 3e-1 0 0.25\r\n",
        "  1 \nenergy=\"-8.5\" " COLUMNS CELL "\n\tSi 0.5 1 -2 3e-1 0 0.25",
        "1\n" CELL COLUMNS "energy=-8.5\n" ATOM "\n  \n",
        "1\n" CELL "Properties=forces:R:3:tag:I:1:pos:R:3:name:S:2:species:S:1 "
        "energy=-8.5\n0.3 0 0.25 7 0.5 1 -2 a b Si\n",
        "1\n" CELL COLUMNS "config_type=\"energy=1 = x\" flag free_energy=1 "
        "stress=\"0 0 0 0 0 0 0 0 0\" energy=-8.5 pbc=\"True True "
        "True\"\n" ATOM,
    };

    (void)state;
    for (size_t i = 0; i < COUNT (spellings); i++)
        assert_first_frame (spellings[i]);
}

static const char two_frames[] =
    "1\n" CELL COLUMNS "energy=-8.5\n" ATOM "2\n" CELL COLUMNS
    "energy=-9.5\n" ATOM "Si 1 1 1 0 0 0\n";

static void test_frames_are_appended (void **state)
{
    struct frames frames = FRAMES_INIT;
    struct problem problem;

    (void)state;
    for (int i = 0; i < 20; i++)
        assert_int_equal (
            parse (&frames, two_frames, strlen (two_frames), &problem), 0);
    assert_int_equal (frames.count, 40);
    assert_int_equal (frames.items[39].atom_count, 2);
    assert_int_equal (frames.items[39].line, 4);
    assert_true (frames.items[38].energy_eV == -8.5);
    assert_true (frames.items[39].energy_eV == -9.5);
    frames_release (&frames);
}

static const struct {
    const char *text;
    const char *says;
} bad_frames[] = {
    { "", "f.xyz:1: no frame here" },
    { " \n\n", "f.xyz:1: no frame here" },
    { "x\n", "f.xyz:1: expected the number of atoms" },
    { "1 2\n", "f.xyz:1: expected the number of atoms" },
    { "0\n" CELL "\n", "f.xyz:1: expected the number of atoms" },
    { "-3\n", "f.xyz:1: expected the number of atoms" },
    { "1.5\n", "f.xyz:1: expected the number of atoms" },
    { "nan\n", "f.xyz:1: expected the number of atoms" },
    { "1e300\n" CELL, "f.xyz:1: " },
    { "18446744073709551617\n" CELL, "f.xyz:1: 184467" },
    { "1\n" COLUMNS "energy=1\n" ATOM, "f.xyz:2: no Lattice" },
    { "1\n" CELL CELL COLUMNS "energy=1\n" ATOM, "f.xyz:2: Lattice is" },
    { "1\nLattice=\"1 0 0 0 1 0 0 0\" " COLUMNS "energy=1\n" ATOM,
      "f.xyz:2: Lattice must be nine" },
    { "1\nLattice=\"1 0 0 0 1 0 0 0 1 0\" " COLUMNS "energy=1\n" ATOM,
      "f.xyz:2: Lattice must be nine" },
    { "1\nLattice=\"1 0 0 0 1 0 0 0 x\" " COLUMNS "energy=1\n" ATOM,
      "f.xyz:2: Lattice must be nine" },
    { "1\nLattice=\"1 0 0 2 0 0 0 0 1\" " COLUMNS "energy=1\n" ATOM,
      "f.xyz:2: the cell of Lattice has no volume" },
    { "1\nLattice=\"5 0 0 0 5 0 0 0 5 " COLUMNS "energy=1\n" ATOM,
      "f.xyz:2: the quote of Lattice is not closed" },
    { "1\n" CELL COLUMNS "\n" ATOM, "f.xyz:2: no energy" },
    { "1\n" CELL COLUMNS "energy=inf\n" ATOM, "f.xyz:2: energy must" },
    { "1\n" CELL COLUMNS "energy=0x10\n" ATOM, "f.xyz:2: energy must" },
    { "1\n" CELL COLUMNS "energy\n" ATOM, "f.xyz:2: energy must" },
    { "1\n" CELL COLUMNS "energy=1 pbc=\"T T F\"\n" ATOM, "f.xyz:2: pbc must" },
    { "1\n" CELL "energy=1\n" ATOM, "f.xyz:2: Properties lacks species" },
    { "1\n" CELL "Properties=species:S:1:pos:R:3 energy=1\nSi 0 0 0 0 0 0\n",
      "f.xyz:2: Properties lacks forces" },
    { "1\n" CELL "Properties=species:S:1:pos:R:3:forces:R energy=1\n" ATOM,
      "f.xyz:2: Properties must be name:type:columns" },
    { "1\n" CELL "Properties=species:S:1:pos:R:3:x:R:99999999 energy=1\n" ATOM,
      "f.xyz:2: Properties must be name:type:columns" },
    { "1\n" CELL "Properties=pos:R:2:species:S:1:forces:R:3 energy=1\n" ATOM,
      "f.xyz:2: Properties must have species" },
    { "1\n" CELL "Properties=pos:R:3:pos:R:3 energy=1\n" ATOM,
      "f.xyz:2: Properties must have species" },
    { "2\n" CELL COLUMNS "energy=1\n" ATOM,
      "f.xyz:4: an atom has 7 columns here, not the 0 found" },
    { "1\n" CELL COLUMNS "energy=1\nSi 0 0 0 1 1\n",
      "f.xyz:3: an atom has 7 columns here, not the 6 found" },
    { "1\n" CELL COLUMNS "energy=1\nSi 0 0 0 1 1 1 1\n",
      "f.xyz:3: an atom has 7 columns here, not the more than 7 found" },
    { "1\n" CELL COLUMNS "energy=1\nGe 0 0 0 1 1 1\n",
      "f.xyz:3: an atom of 'Ge'; this potential is for Si only" },
    { "1\n" CELL COLUMNS "energy=1\nSi 0 0 0 1 nan 1\n",
      "f.xyz:3: 'nan' is not a number" },
    { "1\n" CELL COLUMNS "energy=1\nSi 0 1e999 0 1 1 1\n",
      "f.xyz:3: '1e999' is not a number" },
    { "1\n" CELL COLUMNS "energy=1\n" ATOM "\n1\n" CELL COLUMNS "\n" ATOM,
      "f.xyz:4: expected the number of atoms" },
};

static void test_bad_frames_are_refused (void **state)
{
    struct frames frames = FRAMES_INIT;
    struct problem problem;

    (void)state;
    assert_int_equal (
        parse (&frames, two_frames, strlen (two_frames), &problem), 0);
    for (size_t i = 0; i < COUNT (bad_frames); i++) {
        int rc = parse (&frames, bad_frames[i].text,
                        strlen (bad_frames[i].text), &problem);

        if (rc == 0
            || strncmp (problem.text, bad_frames[i].says,
                        strlen (bad_frames[i].says))
                   != 0)
            fail_msg ("case %zu says '%s'", i, rc == 0 ? "" : problem.text);
        assert_int_equal (frames.count, 2);
    }
    frames_release (&frames);
}

/* Wherever a file is cut, it is read or refused, and never overrun. */
static void test_every_cut_is_survived (void **state)
{
    struct problem problem;
    size_t good = 0;

    (void)state;
    for (size_t length = 0; length < sizeof two_frames; length++) {
        struct frames frames = FRAMES_INIT;

        good += parse (&frames, two_frames, length, &problem) == 0;
        frames_release (&frames);
    }
    /* after the first frame, with and without its newline; near the end the
     * last number may be cut and still be one */
    assert_in_range (good, 3, 8);
}

static void test_missing_file (void **state)
{
    struct frames frames = FRAMES_INIT;
    struct problem problem;

    (void)state;
    assert_int_equal (frames_read (&frames, "/nowhere/f.xyz", "Si", &problem),
                      -1);
    assert_string_equal (problem.text,
                         "/nowhere/f.xyz:1: No such file or directory");
    assert_int_equal (frames_read (&frames, "/", "Si", &problem), -1);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_spellings_of_one_frame),
        cmocka_unit_test (test_frames_are_appended),
        cmocka_unit_test (test_bad_frames_are_refused),
        cmocka_unit_test (test_every_cut_is_survived),
        cmocka_unit_test (test_missing_file),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
