/* SPDX-License-Identifier: BSD-3-Clause */
/* test_structures_properties.c - equations of state, elastic constants, and
 * what else follows from energies of cells
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "structures/deform.h"
#include "structures/elastic.h"
#include "structures/equation_of_state.h"
#include "structures/properties.h"
#include "structures_scene.h"

static void assert_near (double value, double expected, double relative)
{
    if (!(fabs (value - expected) <= relative * fabs (expected) + 1e-12))
        fail_msg ("%.12g is not %.12g", value, expected);
}

/* --- equation of state --- */

/* Energies are those of ASE's EMT for fcc crystals, the fits those of its
 * EquationOfState ('birchmurnaghan') 3.22.
 */
static const struct {
    double volumes[7], energies[7];
    struct equation_of_state fit;
} crystals[] = {
    { { 14.927481765, 15.24508776, 15.562693755, 15.88029975, 16.197905745,
        16.51551174, 16.833117735 },
      { 0.0033848162712, -0.00105949042205, -0.00379872428709,
        -0.00486231182168, -0.00434092586677, -0.00234187591194,
        0.00102746301449 },
      { 15.933365409911657, -0.004873139000859678, 39.299715834322406,
        1.83835710 } },
    { { 10.96416, 11.19744, 11.43072, 11.664, 11.89728, 12.13056, 12.36384 },
      { 0.00734307068828, -0.00184125262664, -0.00636492976505,
        -0.00668876868579, -0.00323165305527, 0.00362822316767,
        0.013551368488 },
      { 11.56537293561934, -0.007035179991219004, 134.3871387972233,
        4.20722253 } },
    { { 14.264137395, 14.56762968, 14.871121965, 15.17461425, 15.478106535,
        15.78159882, 16.085091105 },
      { 0.0427555916067, 0.0160657791169, 0.00243228267859, 0.000361111426383,
        0.0085062195716, 0.0256601928647, 0.0507434782273 },
      { 15.079789848602946, -0.00014134193991663504, 277.8818037495513,
        5.17652435 } },
};

static void test_fits (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (crystals); i++) {
        const struct equation_of_state *ase = &crystals[i].fit;
        struct equation_of_state fit;

        assert_int_equal (equation_of_state_fit (crystals[i].volumes,
                                                 crystals[i].energies, 7, &fit,
                                                 NULL),
                          0);
        assert_near (fit.volume_A3, ase->volume_A3, 1e-7);
        assert_true (fabs (fit.energy_eV - ase->energy_eV) < 1e-9);
        assert_near (fit.bulk_modulus_GPa, ase->bulk_modulus_GPa, 1e-6);
        assert_near (fit.slope, ase->slope, 1e-6);
    }
}

/* The equation itself gives back its parameters, however high above 0 it is. */
static void test_fit_is_exact (void **state)
{
    static const struct equation_of_state expected = { 20, -5000, 97.6, 4.2 };
    double volumes[9], energies[9];
    struct equation_of_state fit;

    (void)state;
    for (size_t i = 0; i < 9; i++) {
        double y, b = expected.bulk_modulus_GPa / GPA_PER_EV_A3;

        volumes[i] = 18.4 + 0.4 * (double)i;
        y = pow (expected.volume_A3 / volumes[i], 2.0 / 3);
        energies[i] = expected.energy_eV
                      + 9 * expected.volume_A3 * b / 16
                            * (pow (y - 1, 3) * expected.slope
                               + pow (y - 1, 2) * (6 - 4 * y));
    }
    assert_int_equal (equation_of_state_fit (volumes, energies, 9, &fit, NULL),
                      0);
    assert_near (fit.volume_A3, 20, 1e-8);
    assert_near (fit.energy_eV, -5000, 1e-12);
    assert_near (fit.bulk_modulus_GPa, 97.6, 1e-6);
    assert_near (fit.slope, 4.2, 1e-4);
}

static void test_fits_refused (void **state)
{
    static const struct {
        size_t n;
        double volumes[7], energies[7];
        const char *why;
    } cases[] = {
        { 4, { 1, 2, 3, 4 }, { 1, 0, 0, 1 }, "4 points are too few" },
        { 5, { 9, 10, 11, 12, 13 }, { 1, NAN, 0, 0, 1 }, "not a finite" },
        { 5, { -1, 10, 11, 12, 13 }, { 1, 0, 0, 0, 1 }, "a volume is -1" },
        { 5, { 9, 9, 9, 9, 9 }, { 1, 1, 1, 1, 1 }, "volumes differ" },
        { 5, { 9, 9, 10, 10, 11 }, { 1, 1, 0, 0, 1 }, "volumes differ" },
        { 5, { 9, 10, 11, 12, 13 }, { 5, 4, 3, 2, 1 }, "has no minimum" },
        { 5, { 9, 10, 11, 12, 13 }, { 1, 2, 3, 4, 5 }, "has no minimum" },
        { 5, { 9, 10, 11, 12, 13 }, { 0, 3, 4, 3, 0 }, "has no minimum" },
        { 7,
          { 9, 10, 11, 12, 13, 14, 15 },
          { 4, 2, 4, 0, 4, 2, 4 },
          "off the fitted curve" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct equation_of_state fit = { 1, 2, 3, 4 };
        struct error err = ERROR_INIT;

        assert_int_equal (equation_of_state_fit (cases[i].volumes,
                                                 cases[i].energies, cases[i].n,
                                                 &fit, &err),
                          -1);
        if (!strstr (err.text, cases[i].why))
            fail_msg ("case %zu: %s", i, err.text);
        assert_true (fit.volume_A3 == 1 && fit.slope == 4);
    }
}

/* --- elastic constants --- */

/* One of no symmetry, and Stillinger and Weber's silicon; averages and
 * eigenvalues are numpy's.
 */
static const struct {
    double c[36], bulk, shear, least;
} solids[] = {
    { { 154.064, -6.651, -2.398,  -9.197,  17.504, 34.892,  -6.651,  136.579,
        -26.802, -5.764, -7.592,  5.169,   -2.398, -26.802, 184.1,   -5.024,
        -26.786, 18.468, -9.197,  -5.764,  -5.024, 75.451,  -13.504, 0.105,
        17.504,  -7.592, -26.786, -13.504, 61.038, 12.575,  34.892,  5.169,
        18.468,  0.105,  12.575,  47.377 },
      39.08885031375988,
      62.854161689411676,
      26.421506252534765 },
    { { 151.4, 76.4, 76.4,  0, 0,    0, 76.4, 151.4, 76.4, 0,    0, 0,
        76.4,  76.4, 151.4, 0, 0,    0, 0,    0,     0,    56.4, 0, 0,
        0,     0,    0,     0, 56.4, 0, 0,    0,     0,    0,    0, 56.4 },
      101.4,
      47.88870838881491,
      56.4 },
    { { 151.4, 160, 160,   0, 0,    0, 160, 151.4, 160, 0,    0, 0,
        160,   160, 151.4, 0, 0,    0, 0,   0,     0,   56.4, 0, 0,
        0,     0,   0,     0, 56.4, 0, 0,   0,     0,   0,    0, 56.4 },
      NAN,
      NAN,
      -8.6 },
};

/* The stresses by Hooke's law. */
static void hooke (const double c[36], double size,
                   double stresses[ELASTIC_STRAINS][6])
{
    for (int k = 0; k < ELASTIC_STRAINS; k++) {
        double voigt[6];

        elastic_strain (k, size, voigt);
        for (int i = 0; i < 6; i++) {
            stresses[k][i] = 0.01 * i; /* what is left at rest */
            for (int j = 0; j < 6; j++)
                stresses[k][i] += c[6 * i + j] * voigt[j];
        }
    }
}

static void test_elastic (void **state)
{
    (void)state;
    for (size_t n = 0; n < ARRAY_SIZE (solids); n++) {
        double stresses[ELASTIC_STRAINS][6], c[36];
        struct elastic_moduli moduli;

        hooke (solids[n].c, 0.005, stresses);
        assert_int_equal (elastic_constants (stresses, 0.005, c, NULL), 0);
        for (int i = 0; i < 36; i++)
            assert_near (c[i], solids[n].c[i], 1e-10);
        moduli = elastic_moduli_of (c);
        assert_near (moduli.least_GPa, solids[n].least, 1e-10);
        if (solids[n].least > 0) {
            assert_near (moduli.bulk_GPa, solids[n].bulk, 1e-10);
            assert_near (moduli.shear_GPa, solids[n].shear, 1e-10);
        } else {
            assert_true (isnan (moduli.bulk_GPa) && isnan (moduli.shear_GPa));
        }
    }
}

static void test_elastic_refused (void **state)
{
    double stresses[ELASTIC_STRAINS][6], c[36] = { 7 };
    struct error err = ERROR_INIT;

    (void)state;
    hooke (solids[1].c, 0.005, stresses);
    stresses[1][1] += 0.15; /* c21 alone is 15 GPa larger */
    assert_int_equal (elastic_constants (stresses, 0.005, c, &err), -1);
    assert_non_null (strstr (err.text, "c12 is 76.4 GPa by one strain and 91.4 "
                                       "by the other"));
    assert_true (c[0] == 7);
    stresses[1][1] = NAN;
    assert_int_equal (elastic_constants (stresses, 0.005, c, NULL), -1);
}

static void test_strains (void **state)
{
    double sum[6] = { 0 };

    (void)state;
    for (int k = 0; k < ELASTIC_STRAINS; k++) {
        double voigt[6], size = 0;

        elastic_strain (k, 0.01, voigt);
        for (int i = 0; i < 6; i++) {
            size += fabs (voigt[i]);
            sum[i] += voigt[i];
        }
        assert_true (size == 0.01);
        assert_true (voigt[k / 2] == (k % 2 ? 0.01 : -0.01));
    }
    for (int i = 0; i < 6; i++)
        assert_true (sum[i] == 0);
}

/* --- what is asked for --- */

static void test_requests_refused (void **state)
{
    static const struct {
        const char *inputs, *why;
    } cases[] = {
        { "{'curve': {'points': 4}}",
          "curve: points: 4; write a number from 5 to 1000" },
        { "{'curve': {'range': 0}}", "curve: range: 0" },
        { "{'elastic': {'strain': 0.2}}", "elastic: strain: 0.2" },
        { "{'vacancy': {'atom': 0, 'supercell': [2, 2, 2]}}",
          "vacancy: atom: 0" },
        { "{'vacancy': {'supercell': [2, 2]}}",
          "vacancy: supercell: expected" },
        { "{'vacancy': {}}", "vacancy: of which supercell?" },
        { "{'surfaces': [{'miller': [0, 0, 0], 'layers': 1, 'vacuum': 9}]}",
          "surfaces: [0]: surface: miller: [0, 0, 0] is no plane" },
        { "{'surfaces': [{'miller': [1, 0, 0], 'layers': 1, 'vacuum': 9},"
          " {'miller': [1, 0, 0], 'layers': 2, 'vacuum': 9}]}",
          "surfaces: [1]: surface: it is there twice" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        _cleanup_json_ struct json *inputs = scene_json (cases[i].inputs);
        struct property_request r = PROPERTY_REQUEST_INIT;
        struct error err = ERROR_INIT;

        assert_int_equal (property_request_read (inputs, &r, &err), -1);
        if (strncmp (err.text, cases[i].why, strlen (cases[i].why)) != 0)
            fail_msg ("case %zu: %s", i, err.text);
        property_request_release (&r);
    }
}

static const char everything[] =
    "{'curve': {}, 'elastic': {}, 'vacancy': {'supercell': [2, 2, 2]},"
    " 'surfaces': [{'miller': [1, 0, 0], 'layers': 3, 'vacuum': 12}]}";

static void test_names (void **state)
{
    _cleanup_json_ struct json *inputs = scene_json (everything);
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    struct property_request r = PROPERTY_REQUEST_INIT;

    (void)state;
    assert_int_equal (property_request_read (inputs, &r, NULL), 0);
    property_names (&r, &names);
    assert_int_equal (names.n, 2 + 4 + 21 + 3 + 1 + 1);
    assert_true (strvec_contains (&names, "c46"));
    assert_false (strvec_contains (&names, "c64"));
    assert_string_equal (names.v[names.n - 1], "surface_1_0_0");
    assert_string_equal (property_unit ("surface_1_0_0"), "J/m^2");
    assert_string_equal (property_unit ("c46"), "GPa");
    assert_string_equal (property_unit ("e0"), "eV/atom");
    property_request_release (&r);
}

/* --- cells --- */

static void test_cells_refused (void **state)
{
    struct property_request r = PROPERTY_REQUEST_INIT;
    _cleanup_json_ struct json *inputs = scene_json (everything);
    _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
    struct property_cells cells = { 0 };
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (property_request_read (inputs, &r, NULL), 0);
    scene_aluminium (&frame);
    r.atom = 5;
    assert_int_equal (property_cells_make (&r, &frame, &cells, &err), -1);
    assert_non_null (strstr (err.text, "vacancy: atom: there is no atom 5"));
    property_cells_release (&cells);
    r.atom = 4;
    symbol_set (frame.symbols[3], "Mg", 2);
    assert_int_equal (property_cells_make (&r, &frame, &cells, &err), -1);
    assert_non_null (strstr (err.text, "vacancy: it holds Al and Mg"));
    property_cells_release (&cells);
    r.atom = 0;
    for (int j = 6; j < 9; j++)
        frame.cell[j] *= -1;
    assert_int_equal (property_cells_make (&r, &frame, &cells, &err), -1);
    assert_non_null (strstr (err.text, "surface_1_0_0: its cell is left-"));
    property_cells_release (&cells);
    property_request_release (&r);
}

/* A model solid: aluminium's curve per atom, Hooke's stresses, 0.7 eV for an
 * atom that is missing, 0.01 eV/angstrom^2 of two faces.
 */
static void model_result (const struct property_cell *cell, size_t i,
                          struct cell_result *result)
{
    double n = (double)cell->frame.n_atoms;
    double stresses[ELASTIC_STRAINS][6];

    *result = (struct cell_result){ .energy_eV = -3 * n };
    if (i < 7)
        result->energy_eV = crystals[0].energies[i] * n;
    if (strstr (cell->name, "strain")) {
        hooke (solids[1].c, 0.005, stresses);
        memcpy (result->stress_GPa, stresses[i - 7],
                sizeof (result->stress_GPa));
    }
    if (strcmp (cell->name, "vacancy") == 0) {
        assert_int_equal (cell->frame.n_atoms, 31);
        result->energy_eV += 0.7;
    }
    if (strcmp (cell->name, "surface_1_0_0") == 0) {
        assert_int_equal (cell->frame.n_atoms, 12);
        assert_near (cell->frame.cell[8], 3 * cbrt (4 * 15.88029975) + 12,
                     1e-9);
        result->energy_eV +=
            2 * 0.01 * cell->frame.cell[0] * cell->frame.cell[4];
    }
}

static void test_values (void **state)
{
    static const struct {
        const char *name;
        double value;
    } expected[] = {
        { "energy", -3 },
        { "volume", 15.88029975 },
        { "v0", 15.933365409911657 },
        { "b0", 39.299715834322406 },
        { "c11", 151.4 },
        { "c23", 76.4 },
        { "c44", 56.4 },
        { "hill_shear_modulus", 47.88870838881491 },
        { "least_eigenvalue", 56.4 },
        { "vacancy", 0.7 },
        { "surface_1_0_0", 0.1602176634 },
    };
    struct property_request r = PROPERTY_REQUEST_INIT;
    _cleanup_json_ struct json *inputs = scene_json (everything);
    _cleanup_json_ struct json *values = json_object ();
    _cleanup_json_ struct json *curve = json_object ();
    _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
    struct cell_result results[21], at_rest = { .energy_eV = -12 };
    struct property_cells cells = { 0 };
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (property_request_read (inputs, &r, NULL), 0);
    scene_aluminium (&frame);
    structure_scale (&frame, cbrt (4 * 15.88029975) / 4.05);
    assert_int_equal (property_cells_make (&r, &frame, &cells, NULL), 0);
    assert_int_equal (cells.n, ARRAY_SIZE (results));
    for (size_t i = 0; i < cells.n; i++)
        model_result (&cells.v[i], i, &results[i]);
    assert_int_equal (property_values (&r, &frame, &at_rest, &cells, results,
                                       values, curve, NULL),
                      0);
    assert_int_equal (json_count (values), 32);
    for (size_t i = 0; i < ARRAY_SIZE (expected); i++)
        assert_near (json_get_double (values, expected[i].name),
                     expected[i].value, 1e-6);
    assert_int_equal (json_count (json_get (curve, "volume")), 7);

    results[0].energy_eV = -1;
    assert_int_equal (property_values (&r, &frame, &at_rest, &cells, results,
                                       values, curve, &err),
                      -1);
    assert_int_equal (strncmp (err.text, "curve: ", 7), 0);
    property_cells_release (&cells);
    property_request_release (&r);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_fits),
        cmocka_unit_test (test_fit_is_exact),
        cmocka_unit_test (test_fits_refused),
        cmocka_unit_test (test_elastic),
        cmocka_unit_test (test_elastic_refused),
        cmocka_unit_test (test_strains),
        cmocka_unit_test (test_requests_refused),
        cmocka_unit_test (test_names),
        cmocka_unit_test (test_cells_refused),
        cmocka_unit_test (test_values),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
