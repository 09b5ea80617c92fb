/* SPDX-License-Identifier: BSD-3-Clause */
/* test_abacus_log.c - ABACUS's running_scf.log in our units and with our signs
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "fixture.h"
#include "formats/abacus/running_log.h"
#include "formats/frame.h"

static const double bohr = 0.529177210903;
static const double kbar = 1 / 1602.176634; /* in eV/A^3 */

static void expect_near (double found, double expected, double tolerance)
{
    if (!(fabs (found - expected) <= tolerance))
        fail_msg ("expected %.12g, found %.12g", expected, found);
}

static void read_fixture (const char *name, struct frame *frame,
                          bool *converged)
{
    struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;

    fixture_read (name, &text);
    if (abacus_log_parse (text.buf, text.len, name, frame, converged, &err) < 0)
        fail_msg ("%s", err.text);
    strbuf_release (&text);
}

/* The same labels as three generations print them. */
static void test_generations (void **state)
{
    static const char *const files[] = { "abacus/nacl-2.out",
                                         "abacus/nacl-3.out",
                                         "abacus/nacl-3.10.out" };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (files); i++) {
        double a = 10 * bohr, volume = a * a * a;
        struct frame frame = FRAME_INIT;
        bool converged = false;

        read_fixture (files[i], &frame, &converged);
        assert_true (converged && frame.has_energy && frame.has_virial);
        assert_int_equal (frame.n_atoms, 3);
        assert_string_equal (frame.symbols[1], "Na");
        assert_string_equal (frame.symbols[2], "Cl");
        expect_near (frame.energy, -631.5, 1e-12);
        expect_near (frame.cell[0], a, 1e-12);
        expect_near (frame.cell[6], 0.1 * a, 1e-12);
        expect_near (frame.positions[0], 0.01 * a, 1e-12);
        expect_near (frame.positions[6], 0.5 * a, 1e-12);
        expect_near (frame.positions[8], 0.02 * a, 1e-12);
        expect_near (frame.forces[1], -1.114764, 1e-12);
        expect_near (frame.forces[8], -0.421195, 1e-12);
        expect_near (frame.virial[0], 17.95102076 * kbar * volume, 1e-9);
        expect_near (frame.virial[5], 0.17341933 * kbar * volume, 1e-9);
        frame_release (&frame);
    }
}

static void test_unconverged (void **state)
{
    static const char *const files[] = { "abacus/unconverged-3.out",
                                         "abacus/unconverged-3.10.out" };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (files); i++) {
        struct frame frame = FRAME_INIT;
        bool converged = true;

        read_fixture (files[i], &frame, &converged);
        assert_false (converged || frame.has_energy || frame.has_virial);
        assert_int_equal (frame.n_atoms, 3);
        assert_null (frame.forces);
        frame_release (&frame);
    }
}

#define CELL                                                                   \
    "   lattice constant (Bohr) = 10\n"                                        \
    " Lattice vectors: (Cartesian coordinate: in unit of a_0)\n"               \
    " +1 +0 +0\n +0 +1 +0\n +0 +0 +1\n"
#define ATOMS_HEAD "DIRECT COORDINATES\n    atom   x   y   z  mag\n"
#define ATOMS ATOMS_HEAD "taud_H1  0.5 0.0 0.0  0.0\n\n"
#define SCF " charge density convergence is achieved\n"
#define ENERGY " final etot is -1.5 eV\n"
#define FORCES_HEAD " TOTAL-FORCE (eV/Angstrom)\n -----\n"
#define FORCES FORCES_HEAD "  H1  1.0 2.0 3.0\n -----\n"
#define STRESS_HEAD " TOTAL-STRESS (KBAR)\n -----\n"
#define END " Total  Time  : 0 h 0 mins 7 secs\n"
#define GOOD CELL ATOMS SCF ENERGY FORCES

static int parse (const char *text, struct frame *frame, struct error *err)
{
    bool converged;

    return abacus_log_parse (text, strlen (text), "x", frame, &converged, err);
}

/* A cell that is sheared and left-handed, of 1000 bohr^3. */
#define SHEARED                                                                \
    "   lattice constant (Bohr) = 10\n"                                        \
    " Lattice vectors: (Cartesian coordinate: in unit of a_0)\n"               \
    " +0 +1 +0\n +1 +0 +0\n +0.5 +0 +1\n"
#define DIRECT                                                                 \
    "DIRECT COORDINATES\n    atom   x   y   z  mag\n"                          \
    "taud_Cl1 0.5 0.2 0.1 0.0\ntaud_H1 0.1 0.2 0.3 0.0\n\n"
#define CARTESIAN                                                              \
    "CARTESIAN COORDINATES ( UNIT = 10 Bohr ).\n    atom   x   y   z  mag\n"   \
    "tauc_Cl1 0.25 0.5 0.1 0.0\ntauc_H1 0.35 0.1 0.3 0.0\n\n"

static void test_sheared_cell (void **state)
{
    static const char *const places[] = { DIRECT, CARTESIAN, CARTESIAN DIRECT,
                                          DIRECT CARTESIAN };
    static const double expected[] = { 2.5, 5, 1, 3.5, 1, 3 }; /* bohr */
    static const double stress[] = { 1, 2, 3, 2, 5, 6, 3, 6, -9 };
    const double unit = 1000 * bohr * bohr * bohr * kbar;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (places); i++) {
        struct strbuf text = STRBUF_INIT;
        struct frame frame = FRAME_INIT;
        struct error err = ERROR_INIT;

        strbuf_addf (&text,
                     SHEARED "%s" SCF ENERGY FORCES_HEAD
                             " Cl1 1 2 3\n H1 4 5 6\n -----\n\n" STRESS_HEAD
                             " 1 2 3\n 2 5 6\n 3 6 -9\n -----\n" END,
                     places[i]);
        if (parse (text.buf, &frame, &err) < 0)
            fail_msg ("case %zu: %s", i, err.text);
        assert_int_equal (frame.n_atoms, 2);
        assert_string_equal (frame.symbols[0], "Cl");
        for (int k = 0; k < 6; k++) {
            expect_near (frame.positions[k] / bohr, expected[k], 1e-9);
            expect_near (frame.forces[k], k + 1, 0);
        }
        for (int k = 0; k < 9; k++)
            expect_near (frame.virial[k] / unit, stress[k], 1e-9);
        frame_release (&frame);
        strbuf_release (&text);
    }
}

static void test_no_stress (void **state)
{
    struct frame frame = FRAME_INIT;

    (void)state;
    assert_int_equal (parse (GOOD END, &frame, NULL), 0);
    assert_true (frame.has_energy && !frame.has_virial);
    expect_near (frame.positions[0], 5 * bohr, 1e-12);
    frame_release (&frame);
}

static void test_malformed (void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        { "", "x:0: the file ends before 'Total  Time'; the run was cut" },
        { GOOD, "x:15: the file ends before 'Total  Time'" },
        { CELL SCF ENERGY END, "x: there are no coordinates of atoms" },
        { ATOMS SCF ENERGY FORCES END, "x: there is no cell" },
        { CELL ATOMS ENERGY FORCES END,
          "x: it does not say whether SCF converged" },
        { CELL ATOMS SCF FORCES END, "x: there is no energy, or not one" },
        { CELL ATOMS SCF ENERGY END,
          "x: there are no forces, or not on all atoms; set cal_force 1" },
        { CELL ATOMS SCF ENERGY FORCES FORCES END,
          "x:16: forces again, after those of line 12: a run of several" },
        { " lattice constant (Bohr) = 0\n", "x:1: expected the lattice const" },
        { " lattice constant (Bohr) = nan\n", "x:1: expected the lattice con" },
        { " Lattice vectors: (Cartesian coordinate: in unit of a_0)\n 1 0 0\n"
          " 0 1\n",
          "x:3: expected row 2 of the lattice vectors, three finite numbers" },
        { " Lattice vectors: (Cartesian coordinate: in unit of a_0)\n a\n b\n"
          " c\n d\n e\n f\n g\n",
          "x:8: expected row 1 of the lattice vectors" },
        { ATOMS_HEAD, "x:2: the file ends within the table of coordinates" },
        { ATOMS_HEAD "taud_H1 0.5 0.0\n",
          "x:3: expected the coordinates of a" },
        { ATOMS_HEAD "taud_H1 0.5 0.0 inf\n", "x:3: expected the coordinates" },
        { ATOMS_HEAD "taud_1 0.5 0.0 0.0\n", "x:3: expected the coordinates" },
        { " !FINAL_ETOT_IS nan eV\n", "x:1: expected the energy, a finite nu" },
        { " final etot is -1.5 Ry\n", "x:1: expected an energy in eV" },
        { ATOMS FORCES_HEAD, "x:6: the file ends within the table of forces" },
        { ATOMS FORCES_HEAD " O1 1.0 2.0 3.0\n",
          "x:7: atom 1 is another element than 'H' of the table" },
        { ATOMS_HEAD "taud_H1 0 0 0\ntaud_H2 0 0 0\n\n" FORCES_HEAD
                     " H1 1.0 2.0 3.0\n H2 1.0 nan 3.0\n",
          "x:9: expected the force on atom 2, three finite numbers" },
        { ATOMS FORCES_HEAD " H1 nan 2.0 3.0\n a\n b\n c\n d\n e\n f\n g\n h\n",
          "x:14: expected the force on atom 1, three finite numbers" },
        { " TOTAL-STRESS (GPa)\n", "x:1: expected a stress in kbar" },
        { STRESS_HEAD " 1 2 3\n 1 2 nan\n",
          "x:4: expected row 2 of the stress tensor, three finite numbers" },
        { STRESS_HEAD " 1 2 3\n 1 2 3\n", "x:4: the file ends within the st" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct frame frame = { .energy = 42 };
        struct error err = ERROR_INIT;

        if (parse (cases[i].text, &frame, &err) == 0)
            fail_msg ("case %zu: expected '%s'", i, cases[i].message);
        if (strncmp (err.text, cases[i].message, strlen (cases[i].message))
            != 0)
            fail_msg ("expected '%s', found '%s'", cases[i].message, err.text);
        assert_true (frame.energy == 42);
    }
}

static void test_cut_anywhere (void **state)
{
    struct strbuf text = STRBUF_INIT;
    const char *end;

    (void)state;
    fixture_read ("abacus/nacl-3.out", &text);
    end = strstr (text.buf, "Total  Time");
    for (size_t len = 0; len < (size_t)(end - text.buf); len += 13) {
        struct frame frame = FRAME_INIT;
        struct error err = ERROR_INIT;
        bool converged;

        assert_int_equal (
            abacus_log_parse (text.buf, len, "x", &frame, &converged, &err),
            -1);
        assert_true (strncmp (err.text, "x:", 2) == 0);
    }
    strbuf_release (&text);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_generations),
        cmocka_unit_test (test_unconverged),
        cmocka_unit_test (test_sheared_cell),
        cmocka_unit_test (test_no_stress),
        cmocka_unit_test (test_malformed),
        cmocka_unit_test (test_cut_anywhere),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
