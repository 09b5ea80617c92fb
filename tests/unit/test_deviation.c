/* SPDX-License-Identifier: BSD-3-Clause */
/* test_deviation.c - deviations as DeePMD-kit defines them, by hand */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <float.h>

#include "formats/frame.h"
#include "selection/deviations/deviation.h"

static void expect (double found, double wanted)
{
    if (!(fabs (found - wanted) <= 1e-15 * fabs (wanted)))
        fail_msg ("expected %.17g, found %.17g", wanted, found);
}

/* Atom 0: (0,0,0) and (2,0,0), mean 1, deviation 1.  Atom 1: (0,0,0) and
 * (6,8,0), mean (3,4,0), deviation 5.
 */
static void test_two_models (void **state)
{
    const double a[] = { 0, 0, 0, 0, 0, 0 };
    const double b[] = { 2, 0, 0, 6, 8, 0 };
    const double *forces[] = { a, b };

    (void)state;
    expect (max_force_deviation (forces, 2, 2, NULL), 5);
}

/* The population's standard deviation: 1/M, not 1/(M-1). */
static void test_population (void **state)
{
    const double a[] = { 1, 0, 0 }, b[] = { 2, 0, 0 }, c[] = { 3, 0, 0 },
                 d[] = { 4, 0, 0 };
    const double *forces[] = { a, b, c, d };

    (void)state;
    expect (max_force_deviation (forces, 4, 1, NULL), sqrt (1.25));
}

/* Large equal forces leave nothing, a small difference is not lost. */
static void test_no_cancellation (void **state)
{
    const double a[] = { 1e8, -1e8, 3e8 }, b[] = { 1e8 + 1, -1e8, 3e8 };
    const double *same[] = { a, a, a, a }, *other[] = { a, b };

    (void)state;
    expect (max_force_deviation (same, 4, 1, NULL), 0);
    expect (max_force_deviation (other, 2, 1, NULL), 0.5);
}

static void test_no_atoms (void **state)
{
    const double *forces[] = { NULL, NULL };

    (void)state;
    expect (max_force_deviation (forces, 2, 0, NULL), 0);
}

/* Wherever it is, on the first atom or the last, one component is enough. */
static void test_not_finite (void **state)
{
    static const double bad[] = { NAN, INFINITY, -INFINITY, DBL_MAX };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (bad); i++) {
        for (size_t at = 0; at < 6; at++) {
            double a[6] = { 0 }, b[6] = { 1, 1, 1, 1, 1, 1 };
            const double *forces[] = { a, b };

            b[at] = bad[i];
            assert_true (isnan (max_force_deviation (forces, 2, 2, NULL)));
        }
    }
}

static void test_virial (void **state)
{
    const double a[9] = { 0 };
    const double b[9] = { 4, 0, 0, 0, 8, 0, 0, 0, 16 };
    const double c[9] = { 4, 0, 0, 0, NAN, 0, 0, 0, 16 };
    const double *good[] = { a, b }, *bad[] = { a, c };

    (void)state;
    /* per atom: 2, 4, 8; deviations 1, 2, 4 and six zeros */
    expect (max_virial_deviation (good, 2, 2, NULL), 4);
    assert_true (isnan (max_virial_deviation (bad, 2, 2, NULL)));
}

static double noise (uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) * 0x1p-53 - 0.5;
}

/* The maximum is that of the atoms, whatever the models' number; what is not
 * finite is found wherever it stands.
 */
static void test_maximum (void **state)
{
    static const size_t sizes[] = { 1, 2, 3, 63, 64, 65, 128, 200 };
    static double values[5][3 * 200];
    const double *forces[5];
    uint64_t seed = 99;
    const double level = 0.25;

    (void)state;
    for (size_t k = 0; k < 5; k++) {
        forces[k] = values[k];
        for (size_t i = 0; i < 3 * 200; i++)
            values[k][i] = noise (&seed);
    }
    for (size_t m = 2; m <= 5; m++) { /* a power of two or not */
        for (size_t i = 0; i < ARRAY_SIZE (sizes); i++) {
            size_t n = sizes[i], bad = (size_t)(m * 7919) % (3 * n);
            double kept = values[m - 1][bad], atoms[200], largest = 0;

            atom_deviations (forces, m, n, &level, atoms);
            for (size_t j = 0; j < n; j++)
                largest = fmax (largest, atoms[j]);
            assert_true (largest == max_force_deviation (forces, m, n, &level));
            assert_true (all_finite (values[m - 1], 3 * n));
            values[m - 1][bad] = m % 2 ? NAN : -INFINITY;
            assert_true (isnan (max_force_deviation (forces, m, n, NULL)));
            assert_true (isnan (max_force_deviation (forces, m, n, &level)));
            assert_false (all_finite (values[m - 1], 3 * n));
            atom_deviations (forces, m, n, NULL, atoms);
            assert_true (isnan (atoms[bad / 3]));
            values[m - 1][bad] = kept;
        }
    }
    assert_true (max_force_deviation (forces, 2, 0, NULL) == 0);
}

/* Relative to a level, by hand: |<F>| is 5 for atom 1; |<W>| is 2 and 0. */
static void test_relative (void **state)
{
    const double a[] = { 0, 0, 0, 0, 0, 0 }, b[] = { 2, 0, 0, 6, 8, 0 };
    const double v[] = { 4, 0, 0, 0, 0, 0, 0, 0, 0 };
    const double w[] = { 4, 8, 0, 0, 0, 0, 0, 0, 0 };
    const double *forces[] = { a, b }, *virials[] = { v, w };
    const double energies[] = { 4, 8, 4, 8 };
    const double half = 0.5, none = 0;

    (void)state;
    expect (max_force_deviation (forces, 2, 2, &half), 5 / 5.5);
    expect (max_virial_deviation (virials, 2, 2, &half), 2 / 2.5);
    assert_true (isnan (max_virial_deviation (virials, 2, 2, &none))); /* 0/0 */
    assert_true (energy_deviation (energies, 4, 2) == 1);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_maximum),
        cmocka_unit_test (test_relative),
        cmocka_unit_test (test_two_models),
        cmocka_unit_test (test_population),
        cmocka_unit_test (test_no_cancellation),
        cmocka_unit_test (test_no_atoms),
        cmocka_unit_test (test_not_finite),
        cmocka_unit_test (test_virial),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
