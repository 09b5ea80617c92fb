/* SPDX-License-Identifier: BSD-3-Clause */
/* test_fingerprint.c - structures told apart, and spread out */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "selection/geometry/fingerprint.h"
#include "selection/geometry/geometry.h"

static const bool periodic[3] = { true, true, true };
static const bool open[3] = { false, false, false };
static const double large[9] = { 30, 0, 0, 0, 30, 0, 0, 0, 30 };

/* A dimer, from the formula. */
static void test_dimer (void **state)
{
    static const double positions[6] = { 5, 5, 5, 5, 5, 6.5 };
    static const size_t elements[2] = { 1, 0 };
    const struct geometry g = { 2, positions, large, open, NULL };
    double out[3 * FINGERPRINT_SHELLS];

    (void)state;
    assert_int_equal (fingerprint_size (2), 3 * FINGERPRINT_SHELLS);
    fingerprint (&g, elements, 2, out);
    for (int k = 0; k < FINGERPRINT_SHELLS; k++) {
        double off = 1.5 - (1 + 0.5 * k);
        double expected =
            exp (-2 * off * off) * (cos (M_PI * 1.5 / 6) + 1) / 2 / 2;

        assert_true (out[k] == 0); /* 0-0 */
        assert_true (fabs (out[FINGERPRINT_SHELLS + k] - expected) < 1e-15);
        assert_true (out[2 * FINGERPRINT_SHELLS + k] == 0); /* 1-1 */
    }
}

/* Shifted across the boundary, and listed in another order: the same. */
static void test_invariance (void **state)
{
    static const double cell[9] = { 7, 0, 0, 2, 6, 0, 1, 1, 8 };
    double a[12] = { 0, 0, 0, 1, 2, 3, 4, 1, 1, 3, 3, 5 }, b[12];
    static const size_t of_a[4] = { 0, 1, 1, 0 }, of_b[4] = { 0, 1, 1, 0 };
    const struct geometry g = { 4, a, cell, periodic, NULL };
    const struct geometry moved = { 4, b, cell, periodic, NULL };
    double p[33], q[33];

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 3; j++)
            b[3 * (3 - i) + j] = a[3 * i + j] + 11.3 - (double)j;
    }
    fingerprint (&g, of_a, 2, p);
    fingerprint (&moved, of_b, 2, q);
    for (size_t i = 0; i < 33; i++)
        assert_true (fabs (p[i] - q[i]) < 1e-12);
    a[0] += 0.1;
    fingerprint (&g, of_a, 2, q);
    assert_memory_not_equal (p, q, sizeof (p));
}

static void test_farthest_points (void **state)
{
    static const double points[] = { 0, 1, 10, 11, 5, 5, 0 };
    static const size_t expected[] = { 0, 3, 4, 1, 2, 5, 6 };
    size_t chosen[7];

    (void)state;
    assert_int_equal (farthest_points (points, 7, 1, 3, chosen), 3);
    assert_memory_equal (chosen, expected, 3 * sizeof (*chosen));
    assert_int_equal (farthest_points (points, 7, 1, 100, chosen), 7);
    assert_memory_equal (chosen, expected, sizeof (expected));
    assert_int_equal (farthest_points (points, 0, 1, 3, chosen), 0);
    assert_int_equal (farthest_points (points, 7, 1, 0, chosen), 0);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_dimer),
        cmocka_unit_test (test_invariance),
        cmocka_unit_test (test_farthest_points),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
