/* SPDX-License-Identifier: BSD-3-Clause */
/* test_deviation.c - deviations as DeePMD-kit defines them, by hand */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>

#include "base/compiler.h"
#include "selection/deviation.h"

static void expect (struct deviation found,
                    double max,
                    double min,
                    double average)
{
    const double pairs[3][2] = { { found.max, max },
                                 { found.min, min },
                                 { found.average, average } };

    for (int i = 0; i < 3; i++) {
        if (!(fabs (pairs[i][0] - pairs[i][1]) <= 1e-15 * fabs (pairs[i][1])))
            fail_msg ("number %d: expected %.17g, found %.17g", i, pairs[i][1],
                      pairs[i][0]);
    }
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
    expect (force_deviation (forces, 2, 2, NULL), 5, 1, 3);
}

/* The population's standard deviation: 1/M, not 1/(M-1). */
static void test_population (void **state)
{
    const double a[] = { 1, 0, 0 }, b[] = { 2, 0, 0 }, c[] = { 3, 0, 0 },
                 d[] = { 4, 0, 0 };
    const double *forces[] = { a, b, c, d };

    (void)state;
    expect (force_deviation (forces, 4, 1, NULL), sqrt (1.25), sqrt (1.25),
            sqrt (1.25));
}

/* Large equal forces leave nothing, a small difference is not lost. */
static void test_no_cancellation (void **state)
{
    const double a[] = { 1e8, -1e8, 3e8 }, b[] = { 1e8 + 1, -1e8, 3e8 };
    const double *same[] = { a, a, a, a }, *other[] = { a, b };

    (void)state;
    expect (force_deviation (same, 4, 1, NULL), 0, 0, 0);
    expect (force_deviation (other, 2, 1, NULL), 0.5, 0.5, 0.5);
}

static void test_no_atoms (void **state)
{
    const double *forces[] = { NULL, NULL };

    (void)state;
    expect (force_deviation (forces, 2, 0, NULL), 0, 0, 0);
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
            struct deviation found;

            b[at] = bad[i];
            found = force_deviation (forces, 2, 2, NULL);
            assert_true (isnan (found.max) && isnan (found.min)
                         && isnan (found.average));
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
    expect (virial_deviation (good, 2, 2, NULL), 4, 0, sqrt (21.0 / 9));
    assert_true (isnan (virial_deviation (bad, 2, 2, NULL).max));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
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
