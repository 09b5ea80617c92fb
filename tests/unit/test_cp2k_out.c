/* SPDX-License-Identifier: BSD-3-Clause */
/* test_cp2k_out.c - what CP2K printed, in our units and with our signs */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "fixture.h"
#include "formats/cp2k/cp2k_out.h"
#include "formats/frame.h"

#define hartree 27.211386245988
#define bohr 0.529177210903
static const double gpa = 1 / 160.2176634; /* in eV/A^3 */

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
    if (cp2k_out_parse (text.buf, text.len, name, frame, converged, &err) < 0)
        fail_msg ("%s", err.text);
    strbuf_release (&text);
}

/* One calculation as three generations of CP2K print it. */
static void test_generations (void **state)
{
    static const char *const files[] = { "cp2k/h2o-7.1.out", "cp2k/h2o.out",
                                         "cp2k/h2o-2025.out" };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (files); i++) {
        struct frame frame = FRAME_INIT;
        bool converged = false;

        read_fixture (files[i], &frame, &converged);
        assert_true (converged && frame.has_energy && frame.has_virial);
        assert_int_equal (frame.n_atoms, 3);
        assert_string_equal (frame.symbols[0], "O");
        assert_string_equal (frame.symbols[2], "H");
        assert_true (frame.periodic[0] && frame.periodic[2]);
        expect_near (frame.energy, -17.219814467197111 * hartree, 1e-10);
        expect_near (frame.cell[8], 8, 1e-12);
        assert_true (frame.cell[1] == 0);
        expect_near (frame.positions[8], 4.05, 1e-12);
        expect_near (frame.forces[0], -0.00110646 * hartree / bohr, 1e-12);
        expect_near (frame.forces[8], 0.00087074 * hartree / bohr, 1e-12);
        expect_near (frame.virial[0], 0.222674124926 * gpa * 512, 1e-7);
        expect_near (frame.virial[5], 0.00569935484503 * gpa * 512, 1e-7);
        expect_near (frame.virial[8], -0.00583349089089 * gpa * 512, 1e-7);
        frame_release (&frame);
    }
}

/* 14 digits of the forces; compressed silicon has a positive virial. */
static void test_silicon (void **state)
{
    struct frame frame = FRAME_INIT;
    bool converged = false;

    (void)state;
    read_fixture ("cp2k/si8-low.out", &frame, &converged);
    assert_true (converged);
    assert_int_equal (frame.n_atoms, 8);
    expect_near (frame.forces[23], 0.00525309376017 * hartree / bohr, 1e-12);
    expect_near (frame.virial[0] + frame.virial[4] + frame.virial[8],
                 3 * 8.28469208944 * gpa * frame_volume (&frame), 1e-9);
    frame_release (&frame);
}

/* Its exit status was 0, and it has an energy and forces. */
static void test_unconverged (void **state)
{
    struct frame frame = FRAME_INIT;
    bool converged = true;

    (void)state;
    read_fixture ("cp2k/fail_scf.out", &frame, &converged);
    assert_false (converged || frame.has_energy || frame.has_virial);
    assert_int_equal (frame.n_atoms, 8);
    assert_null (frame.forces);
    frame_release (&frame);
}

#define CELL_A                                                                 \
    " CELL| Vector a [angstrom]:  1.000  0.000  0.000   |a| =    1.000000\n"
#define CELL                                                                   \
    CELL_A                                                                     \
    " CELL| Vector b [angstrom]:  0.333  0.943  0.000   |b| =    1.000244\n"   \
    " CELL| Vector c [angstrom]:  0.000  0.000  4.000   |c| =    4.000000\n"
#define ATOMS_HEAD                                                             \
    " MODULE QUICKSTEP: ATOMIC COORDINATES IN ANGSTROM\n\n"                    \
    "   Atom Kind Element         X             Y             Z\n"
#define ATOMS ATOMS_HEAD "      1    1 H     1   1.0 2.0 3.0  1.0 1.0079\n\n"
#define SCF "  *** SCF run converged in    13 steps ***\n"
#define ENERGY " ENERGY| Total FORCE_EVAL ( QS ) energy [a.u.]:  -1.0\n"
#define FORCES_HEAD                                                            \
    " ATOMIC FORCES in [a.u.]\n\n # Atom   Kind   Element  X  Y  Z\n"
#define FORCES FORCES_HEAD "  1  1  H  1.0 2.0 3.0\n SUM OF ATOMIC FORCES 1\n"
#define STRESS(rows)                                                           \
    " STRESS| Analytical stress tensor [GPa]\n STRESS|   x   y   z\n" rows
#define STRESS_XY " STRESS| x 1 0 0\n STRESS| y 0 1 0\n"
#define END "  **** **** ******  **  PROGRAM ENDED AT      2026-11-21\n"
#define GOOD CELL ATOMS SCF ENERGY FORCES

static int parse (const char *text, struct frame *frame, bool *converged,
                  struct error *err)
{
    return cp2k_out_parse (text, strlen (text), "x", frame, converged, err);
}

/* What may differ from the usual. */
static void test_variants (void **state)
{
    static const struct {
        const char *text;
        bool converged;
        bool has_virial;
    } cases[] = {
        { GOOD END, true, false },
        { GOOD STRESS (STRESS_XY " STRESS| z 0 0 1\n") END, true, true },
        /* a numerical stress: energies of strained cells before the last */
        { CELL ATOMS SCF ENERGY SCF ENERGY ENERGY FORCES END, true, false },
        /* an outer loop that converged where one of its inner ones did not */
        { CELL ATOMS "  Leaving inner SCF loop after reaching    20 steps.\n"
                     "  outer SCF loop converged in   2 iterations or   23 "
                     "steps\n" ENERGY FORCES END,
          true, false },
        { CELL ATOMS SCF "  outer SCF loop FAILED to converge after  10 "
                         "iterations or  200 steps\n" ENERGY FORCES END,
          false, false },
        { CELL ATOMS "  *** SCF run NOT converged ***\n" ENERGY FORCES END,
          false, false },
        /* releases since 2024 stop */
        { CELL ATOMS " * [ABORT]   *\n"
                     " *  \\___/  SCF run NOT converged. To continue the "
                     "calculation regardless, *\n"
                     " *    |     please set the keyword "
                     "IGNORE_CONVERGENCE_FAILURE.            *\n"
                     " * / \\                                 qs_scf.F:611 *\n"
                     " **********\n",
          false, false },
        /* no SCF: nothing says that it converged */
        { CELL ATOMS
          " ENERGY| Total FORCE_EVAL ( NNP ) energy [a.u.]: -1\n" FORCES END,
          true, false },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct frame frame = FRAME_INIT;
        struct error err = ERROR_INIT;
        bool converged = !cases[i].converged;

        if (parse (cases[i].text, &frame, &converged, &err) < 0)
            fail_msg ("case %zu: %s", i, err.text);
        assert_int_equal (converged, cases[i].converged);
        assert_int_equal (frame.has_virial, cases[i].has_virial);
        assert_int_equal (frame.has_energy, converged);
        assert_true ((frame.forces != NULL) == converged);
        /* three decimals, stretched to a length of six */
        expect_near (hypot (frame.cell[3], frame.cell[4]), 1.000244, 1e-12);
        frame_release (&frame);
    }
}

/* In a cell that is sheared and left-handed, of 24 A^3. */
#define SHEARED                                                                \
    " CELL| Vector a [angstrom]:  0.0  2.0  0.0   |a| =    2.0\n"              \
    " CELL| Vector b [angstrom]:  3.0  0.0  0.0   |b| =    3.0\n"              \
    " CELL| Vector c [angstrom]:  0.0  3.0  4.0   |c| =    5.0\n"

static const struct {
    const char *energy;
    double ev;
    const char *force;
    double ev_a;
    const char *stress;
    double gpa;
} units[] = {
    { "a.u.", hartree, "a.u.", hartree / bohr, "GPa", 1 },
    { "hartree", hartree, "hartree/bohr", hartree / bohr, "kbar", 0.1 },
    { "eV", 1, "eV/angstrom", 1, "MPa", 1e-3 },
    { "EV", 1, "EV/ANGSTROM", 1, "bar", 1e-4 },
    { "Hartree", hartree, "Hartree/Bohr", hartree / bohr, "Pa", 1e-9 },
};

static void test_units (void **state)
{
    static const double stress[] = { 1, 2, 3, 2, 5, 6, 3, 6, -9 };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (units); i++) {
        const double unit = units[i].gpa * gpa * 24;
        struct strbuf text = STRBUF_INIT;
        struct frame frame = FRAME_INIT;
        struct error err = ERROR_INIT;
        bool converged;

        strbuf_addf (&text,
                     SHEARED ATOMS SCF
                     " ENERGY| Total FORCE_EVAL ( QS ) energy [%s]: -2.0\n"
                     " ATOMIC FORCES in [%s]\n\n # Atom Kind Element X Y Z\n"
                     " 1 1 H 1.0 2.0 3.0\n SUM OF ATOMIC FORCES 1\n"
                     " STRESS| Analytical stress tensor [%s]\n"
                     " STRESS|   x   y   z\n STRESS| x 1 2 3\n"
                     " STRESS| y 2 5 6\n STRESS| z 3 6 -9\n" END,
                     units[i].energy, units[i].force, units[i].stress);
        if (parse (text.buf, &frame, &converged, &err) < 0)
            fail_msg ("case %zu: %s", i, err.text);
        expect_near (frame.energy, -2 * units[i].ev, 1e-12);
        expect_near (frame.forces[2], 3 * units[i].ev_a, 1e-12);
        for (int k = 0; k < 9; k++)
            expect_near (frame.virial[k] / unit, stress[k], 1e-9);
        frame_release (&frame);
        strbuf_release (&text);
    }
}

static const struct {
    const char *text;
    const char *message;
} malformed[] = {
    { "", "x:0: the file ends before 'PROGRAM ENDED'; the run was cut" },
    { GOOD, "x:15: the file ends before 'PROGRAM ENDED'; the run" },
    { CELL END,
      "x: there are no coordinates of atoms, or not of all; print &ATOMIC" },
    { ATOMS CELL_A END, "x: there is no cell; print" },
    { CELL ATOMS SCF FORCES END, "x: there is no energy, or not one" },
    { CELL ATOMS SCF ENERGY END,
      "x: there are no forces, or not on all atoms; let RUN_TYPE be" },
    { CELL ATOMS ENERGY FORCES END,
      "x: it does not say whether SCF converged" },
    { GOOD ENERGY END, "x:16: an energy after the forces: a run of sev" },
    { GOOD FORCES END, "x:16: forces again, after those of line 11: a" },
    { " CELL| Vector a [bohr]: 1 0 0 |a| = 1\n",
      "x:1: the unit 'bohr' is not known here" },
    { " CELL| Vector a : 1 0 0 |a| = 1\n", "x:1: expected a unit in brackets" },
    { " CELL| Vector a [angstrom]: 1 0 |a| = 1\n",
      "x:1: expected a vector of the cell and its length" },
    { " CELL| Vector a [angstrom]: 1 NaN 0 |a| = 1\n",
      "x:1: expected a vector of the cell" },
    { " MODULE QUICKSTEP: ATOMIC COORDINATES IN BOHR\n",
      "x:1: expected coordinates in angstrom" },
    { ATOMS_HEAD, "x:3: the file ends within the table of coordinates" },
    { ATOMS_HEAD "  2 1 H 1 1.0 2.0 3.0\n", "x:4: expected atom 1: its" },
    { ATOMS_HEAD "  1 1 12345678 1 1 2 3\n", "x:4: expected atom 1: its" },
    { ATOMS_HEAD "  1 1 H 1 1.0 2.0\n", "x:4: expected atom 1: its" },
    { ATOMS_HEAD "  1 1 H 1 1 2 ********\n", "x:4: expected atom 1: its" },
    { " ENERGY| Total FORCE_EVAL ( QS ) energy [a.u.]: *****\n",
      "x:1: expected the energy, a finite number" },
    { " ENERGY| Total FORCE_EVAL ( QS ) energy [kcalmol]: 1\n",
      "x:1: the unit 'kcalmol' is not known here; leave CP2K's units" },
    { " ENERGY| Total FORCE_EVAL ( QS ) energy [hart]: 1\n",
      "x:1: the unit 'hart' is not known here" },
    { FORCES, "x:4: forces of more atoms than the 0 of the table" },
    { ATOMS FORCES_HEAD " 1 1 H 1.0 2.0 NaN\n",
      "x:9: expected the force on atom 1, three finite numbers" },
    { ATOMS FORCES_HEAD " 2 1 H 1.0 2.0 3.0\n",
      "x:9: expected the force on atom 1" },
    { ATOMS FORCES_HEAD " 1 1 O 1.0 2.0 3.0\n",
      "x:9: atom 1 is 'O' here and 'H' in the table of coordinates" },
    { ATOMS FORCES_HEAD " 1 1 H 1.0 2.0 3.0\n",
      "x:9: the file ends within the table of forces" },
    { ATOMS FORCES_HEAD " 1 1 H 1.0 2.0 3.0\n 2 1 H 1.0 2.0 3.0\n",
      "x:10: forces of more atoms than the 1 of the table" },
    { ATOMS " FORCES| Atomic forces [hartree/bohr]\n"
            " FORCES|   Atom  x  y  z  |f|\n FORCES|  1 1.0 2.0\n",
      "x:8: expected the force on atom 1" },
    { STRESS (STRESS_XY), "x:4: the file ends within the stress tensor" },
    { STRESS (" STRESS| x 1 0 NaN\n"), "x:3: expected row x of the str" },
    { STRESS (STRESS_XY " STRESS| y 0 0 1\n"), "x:5: expected row z of" },
};

static void test_malformed (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (malformed); i++) {
        struct frame frame = { .energy = 42 };
        struct error err = ERROR_INIT;
        bool converged = true;

        if (parse (malformed[i].text, &frame, &converged, &err) == 0)
            fail_msg ("case %zu: expected '%s'", i, malformed[i].message);
        if (strncmp (err.text, malformed[i].message,
                     strlen (malformed[i].message))
            != 0)
            fail_msg ("expected '%s', found '%s'", malformed[i].message,
                      err.text);
        assert_true (frame.energy == 42);
    }
}

static void test_aborted (void **state)
{
    static const struct {
        const char *file;
        const char *says;
    } cases[] = {
        { "cp2k/fail_input.out", "invalid value for enumeration:Quickstepp "
                                 "input/input_enumeration_types.F:215" },
        { "cp2k/fail_basis.out",
          "The requested basis set <NOSUCH> for element <Si> was not found in "
          "the basis set files <BASIS_MOLOPT> aobasis/basis_set_types.F:1509" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf text = STRBUF_INIT;
        struct frame frame = FRAME_INIT;
        struct error err = ERROR_INIT;
        bool converged = true;

        fixture_read (cases[i].file, &text);
        assert_int_equal (
            cp2k_out_parse (text.buf, text.len, "x", &frame, &converged, &err),
            -1);
        assert_non_null (strstr (err.text, ": CP2K stopped: "));
        assert_non_null (strstr (err.text, cases[i].says));
        strbuf_release (&text);
    }
}

static void test_cut_anywhere (void **state)
{
    static const char *const files[] = { "cp2k/h2o-7.1.out",
                                         "cp2k/h2o-2025.out", "cp2k/h2o.out" };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (files); i++) {
        struct strbuf text = STRBUF_INIT;
        const char *end;

        fixture_read (files[i], &text);
        end = strstr (text.buf, "PROGRAM ENDED AT");
        for (size_t len = 0; len < (size_t)(end - text.buf); len += 61) {
            struct frame frame = FRAME_INIT;
            struct error err = ERROR_INIT;
            bool converged;

            assert_int_equal (
                cp2k_out_parse (text.buf, len, "x", &frame, &converged, &err),
                -1);
            assert_true (strncmp (err.text, "x:", 2) == 0);
        }
        strbuf_release (&text);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_generations),
        cmocka_unit_test (test_silicon),
        cmocka_unit_test (test_unconverged),
        cmocka_unit_test (test_variants),
        cmocka_unit_test (test_units),
        cmocka_unit_test (test_malformed),
        cmocka_unit_test (test_aborted),
        cmocka_unit_test (test_cut_anywhere),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
