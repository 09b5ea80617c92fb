/* SPDX-License-Identifier: BSD-3-Clause */
/* test_lammps_data.c - data files in and out */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "fixture.h"
#include "formats/element.h"
#include "formats/frame.h"
#include "formats/lammps/lammps_data.h"

static char *const elements[] = { "Si", "Ge" };

#define COUNTS "comment\n\n2 atoms\n2 atom types\n"
#define BOUNDS "0 10 xlo xhi\n0 11 ylo yhi\n-1 11 zlo zhi\n"

static int parse (const char *text, struct frame *frame, struct error *err)
{
    return lammps_data_parse (text, strlen (text), "d", elements, 2, frame,
                              err);
}

static void test_written_by_lammps (void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct frame frame = FRAME_INIT;

    (void)state;
    fixture_read ("lammps/final.data", &text);
    assert_int_equal (parse (text.buf, &frame, NULL), 0);
    assert_int_equal (frame.n_atoms, 64);
    assert_true (frame.cell[0] == 10.862 && frame.cell[8] == 10.862);
    assert_true (frame.cell[1] == 0 && frame.cell[3] == 0);
    assert_true (frame.periodic[0] && frame.periodic[1] && frame.periodic[2]);
    assert_true (frame.positions[0] == 0.0936162741093267);
    assert_true (frame.positions[3 * 63 + 2] == 6.778492676062034);
    assert_string_equal (frame.symbols[63], "Si");
    assert_null (frame.forces);
    frame_release (&frame);
    strbuf_release (&text);
}

static void test_triclinic (void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct frame frame = FRAME_INIT;

    (void)state;
    fixture_read ("lammps/tri.data", &text);
    assert_int_equal (parse (text.buf, &frame, NULL), 0);
    assert_int_equal (frame.n_atoms, 29);
    assert_true (frame.cell[3] == 2.8241200000000006);
    assert_true (frame.cell[6] == 1.4120600000000003);
    assert_true (frame.cell[7] == 1.8736949999999997);
    assert_string_equal (frame.symbols[0], "Si");
    assert_string_equal (frame.symbols[1], "Ge");
    frame_release (&frame);
    strbuf_release (&text);
}

/* As people write them: comments, order, no image flags, another origin. */
static void test_written_by_hand (void **state)
{
    static const char text[] =
        "2 atoms are not counted on the first line\r\n"
        "  2 atoms # two\r\n0 bonds\r\n2 atom types\r\n"
        "-5.0 5 xlo xhi\r\n 0 11 ylo yhi\r\n0 12 zlo  zhi\r\n\r\n"
        "Atom Type Labels\r\n\r\n1 Si\r\n2 Ge\r\n\r\n"
        "Pair Coeffs # lj/cut\r\n\r\n1 0.1 3\r\n2 0.1 3\r\n\r\n"
        "Atoms  # atomic\r\n\r\n7 2 1 2 3 # seven\r\n3 1 -5 5 6 0 0 -1\r\n\r\n"
        "Velocities\r\n\r\n7 0 0 0\r\n3 0 0 0\r\n\r\n"
        "Masses\r\n\r\n1 28\r\n2 72\r\n";
    struct frame frame = FRAME_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    if (parse (text, &frame, &err) < 0)
        fail_msg ("%s", err.text);
    assert_string_equal (frame.symbols[0], "Si"); /* id 3 comes before 7 */
    assert_string_equal (frame.symbols[1], "Ge");
    assert_true (frame.positions[0] == 0 && frame.positions[3] == 6);
    assert_true (frame.cell[0] == 10 && frame.cell[4] == 11);
    frame_release (&frame);
}

/* Isotopes, and types that nobody has, are people's own. */
static void test_masses_of_their_own (void **state)
{
    struct frame frame = FRAME_INIT;

    (void)state;
    assert_int_equal (parse (COUNTS BOUNDS
                             "Masses\n\n1 29.9\n2 1\n3 28.0855\nx y\n\n"
                             "Atoms\n\n1 1 0 0 0\n2 2 0 0 0\n",
                             &frame, NULL),
                      0);
    assert_string_equal (frame.symbols[1], "Ge");
    frame_release (&frame);
}

static void test_malformed (void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        { "", "d: no Atoms section" },
        { COUNTS BOUNDS, "d: no Atoms section" },
        { "c\n2x atoms\n", "d:2: expected a line like '64 atoms'" },
        { "c\n-2 atoms\n", "d:2: expected a line like '64 atoms'" },
        { "c\n0 xlo xhi\n", "d:2: expected a line like '64 atoms'" },
        { "c\n5 1 xlo xhi\n", "d:2: expected a line like '64 atoms'" },
        { "c\n0 1 xlo xlo xhi\n", "d:2: expected a line like '64 atoms'" },
        { "c\n0 1 xy xz yz\n", "d:2: expected a line like '64 atoms'" },
        { COUNTS "Atoms\n\n1 1 0 0 0\n2 1 0 0 0\n",
          "d:5: expected 'xlo xhi' before the atoms" },
        { "c\n" BOUNDS "Atoms\n\n1 1 0 0 0\n",
          "d:5: expected the number of atoms before them" },
        { "c\n99999999999 atoms\n" BOUNDS "Atoms\n\n1 1 0 0 0\n",
          "d:6: the file does not hold 99999999999 atoms" },
        { COUNTS BOUNDS "Atoms\n\n1 1 0 0 0\n1                  \n",
          "d:11: expected 'id type x y z [ix iy iz]'" },
        { COUNTS BOUNDS "Atoms\n\n1 1 0.0 0.0 0.0\n# the second is missing\n",
          "d:11: the file ends after 1 of 2 atoms" },
        { COUNTS BOUNDS "Atoms\n\n1 1 0 0 0 0 0\n2 1 0 0 0\n",
          "d:10: expected 'id type x y z [ix iy iz]'" },
        { COUNTS BOUNDS "Atoms # charge\n\n1 1 0.5 0 0 0\n2 1 0 0 0\n",
          "d:10: expected 'id type x y z [ix iy iz]'" },
        { COUNTS BOUNDS "Atoms\n\n1 3 0 0 0\n2 1 0 0 0\n",
          "d:10: atom type 3, but there are 2 elements" },
        { COUNTS BOUNDS "Atoms\n\n1 0 0 0 0\n2 1 0 0 0\n",
          "d:10: atom type 0, but there are 2 elements" },
        { COUNTS BOUNDS "Masses\n\n1 72.63\n2 28.0855\n\nAtoms\n\n",
          "d:10: atom type 1 has the mass of Ge, and element 1 is Si" },
        { COUNTS BOUNDS "Atoms\n\n1 1 0 0 0\n2 1 0 0 0\nMasses\n\n2 28.1\n",
          "d:14: atom type 2 has the mass of Si, and element 2 is Ge" },
        { COUNTS BOUNDS "Atoms\n\n1 1 0 0 0\n1 1 0 0 0\n",
          "d: the atom id 1 occurs twice" },
        { COUNTS BOUNDS
          "Atoms\n\n1 1 0 0 0\n2 1 0 0 0\nAtoms\n\n1 1 0 0 0\n2 1 0 0 0\n",
          "d:12: expected the number of atoms before them, and the atoms "
          "once" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct frame frame = { .energy = 42 };
        struct error err = ERROR_INIT;

        assert_int_equal (parse (cases[i].text, &frame, &err), -1);
        if (strncmp (err.text, cases[i].message, strlen (cases[i].message))
            != 0)
            fail_msg ("expected '%s', found '%s'", cases[i].message, err.text);
        assert_true (frame.energy == 42);
    }
}

static void test_cut_anywhere (void **state)
{
    static const char text[] =
        COUNTS BOUNDS "1 0 0 xy xz yz\n\nAtoms\n\n1 1 0 0 0\n2 2 1 1 1";

    (void)state;
    for (size_t len = 0; len < sizeof (text) - 1; len++) {
        struct frame frame = FRAME_INIT;

        assert_int_equal (
            lammps_data_parse (text, len, "d", elements, 2, &frame, NULL), -1);
    }
}

static void test_nul_bytes (void **state)
{
    static const char text[] = "c\n2 atoms\0zzzzzzzz\n0 1 xlo\0xhi\nAtoms\0\n";
    struct frame frame = FRAME_INIT;

    (void)state;
    assert_int_equal (lammps_data_parse (text, sizeof (text) - 1, "d", elements,
                                         2, &frame, NULL),
                      -1);
}

static void test_format (void **state)
{
    static const char expected[] = "# atom_style atomic\n\n2 atoms\n"
                                   "2 atom types\n\n0.0 4.0 xlo xhi\n"
                                   "0.0 5.0 ylo yhi\n0.0 6.0 zlo zhi\n"
                                   "0.5 0.0 -1.25 xy xz yz\n\nMasses\n\n"
                                   "1 28.085 # Si\n2 72.63 # Ge\n\n"
                                   "Atoms # atomic\n\n1 2 0.1 0.2 0.3\n"
                                   "2 1 -1.0 1e-20 3.0\n";
    double positions[] = { 0.1, 0.2, 0.3, -1, 1e-20, 3 };
    char symbols[][SYMBOL_SIZE] = { "Ge", "Si" };
    struct frame frame = { .n_atoms = 2,
                           .cell = { 4, 0, 0, 0.5, 5, 0, 0, -1.25, 6 },
                           .symbols = symbols,
                           .positions = positions };
    struct frame read = FRAME_INIT;
    struct strbuf out = STRBUF_INIT;

    (void)state;
    assert_int_equal (lammps_data_format (&frame, elements, 2, &out, NULL), 0);
    assert_string_equal (out.buf, expected);
    assert_int_equal (parse (out.buf, &read, NULL), 0);
    assert_memory_equal (read.cell, frame.cell, sizeof (frame.cell));
    assert_memory_equal (read.positions, positions, sizeof (positions));
    frame_release (&read);
    strbuf_release (&out);
}

static void test_format_refuses (void **state)
{
    static char *const strange[] = { "Si", "Xx" };
    double positions[3] = { 0 };
    char symbols[][SYMBOL_SIZE] = { "C" };
    struct frame frame = { .n_atoms = 1,
                           .cell = { 4, 0, 0, 0, 5, 0, 0, 0, 6 },
                           .symbols = symbols,
                           .positions = positions };
    struct strbuf out = STRBUF_INIT;
    struct error err;

    (void)state;
    strbuf_add_str (&out, "before");
    assert_int_equal (lammps_data_format (&frame, elements, 2, &out, &err), -1);
    assert_string_equal (err.text, "atom 1: 'C' is not among the elements");
    assert_int_equal (lammps_data_format (&frame, strange, 2, &out, &err), -1);
    assert_string_equal (err.text, "the mass of 'Xx' is not known");
    frame.cell[1] = 1;
    assert_int_equal (lammps_data_format (&frame, elements, 2, &out, &err), -1);
    frame.cell[1] = 0;
    frame.cell[8] = -6;
    assert_int_equal (lammps_data_format (&frame, elements, 2, &out, &err), -1);
    assert_string_equal (out.buf, "before");
    strbuf_release (&out);
}

static void test_masses (void **state)
{
    (void)state;
    assert_true (element_mass ("H") == 1.008);
    assert_true (element_mass ("Si") == 28.085);
    assert_true (element_mass ("U") == 238.03);
    assert_true (covalent_radius ("O") == 0.66);
    assert_true (covalent_radius ("Cf") == 0);
    assert_true (safe_radius ("H") == 0.612 * 0.529 / 1.2);
    assert_true (safe_radius ("Cf") == 2.3 * 0.529 / 1.2);
    assert_true (safe_radius ("Bk") == 0);
    assert_true (element_mass ("si") == 0);
    assert_true (element_mass ("") == 0);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_written_by_lammps),
        cmocka_unit_test (test_triclinic),
        cmocka_unit_test (test_written_by_hand),
        cmocka_unit_test (test_malformed),
        cmocka_unit_test (test_cut_anywhere),
        cmocka_unit_test (test_nul_bytes),
        cmocka_unit_test (test_format),
        cmocka_unit_test (test_masses_of_their_own),
        cmocka_unit_test (test_format_refuses),
        cmocka_unit_test (test_masses),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
