/* SPDX-License-Identifier: BSD-3-Clause */
/* test_scaling.c - features scaled, whoever adds up which rows */
#include "base/base.h"

#include <float.h>
#include <setjmp.h>
#include <cmocka.h>

#include "selection/features/scaling.h"

enum { WIDTH = 5, ROWS = 200 };

/* Features: uniform; the same 1e4 times as large, far from zero; constant;
 * the sum of both; uniform.
 */
static void make_rows (double rows[ROWS][WIDTH])
{
    uint64_t state = 1;

    for (size_t i = 0; i < ROWS; i++) {
        double u[3];

        for (size_t k = 0; k < 3; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            u[k] = (double)(state >> 11) * 0x1p-53;
        }
        rows[i][0] = u[0];
        rows[i][1] = 1e6 + 1e4 * u[1];
        rows[i][2] = 7;
        rows[i][3] = rows[i][0] + rows[i][1];
        rows[i][4] = u[2] + 0.5 * u[0];
    }
}

/* Of rows [0, split) and the rest, added by two, the last first. */
static void scale_rows (double rows[ROWS][WIDTH], size_t split,
                        enum feature_scale scale, struct scaling *scaling)
{
    struct feature_moments a, b;

    feature_moments_init (&a, WIDTH, scale);
    feature_moments_init (&b, WIDTH, scale);
    for (size_t i = ROWS; i-- > 0;)
        feature_moments_see (i < split ? &a : &b, rows[i]);
    for (size_t i = 0; i < (size_t)2 * WIDTH; i++)
        a.ranges[i] = b.ranges[i] = fmax (a.ranges[i], b.ranges[i]);
    feature_moments_begin (&a, ROWS);
    feature_moments_begin (&b, ROWS);
    for (size_t i = ROWS; i-- > 0;)
        feature_moments_add (i < split ? &a : &b, rows[i]);
    for (size_t i = 0; i < a.n_sums; i++)
        a.sums[i] += b.sums[i];
    scaling_make (&a, scaling);
    feature_moments_release (&a);
    feature_moments_release (&b);
}

static void test_dropped (void **state)
{
    static const struct {
        enum feature_scale scale;
        size_t width, kept[WIDTH];
    } cases[] = { { SCALE_NONE, 4, { 0, 1, 3, 4 } },
                  { SCALE_STANDARD, 4, { 0, 1, 3, 4 } },
                  { SCALE_WHITEN, 3, { 0, 1, 4 } } };
    double rows[ROWS][WIDTH];

    (void)state;
    make_rows (rows);
    for (size_t c = 0; c < ARRAY_SIZE (cases); c++) {
        struct scaling scaling = SCALING_INIT;

        scale_rows (rows, ROWS, cases[c].scale, &scaling);
        assert_int_equal (scaling.n_features, WIDTH);
        assert_int_equal (scaling.width, cases[c].width);
        assert_memory_equal (scaling.kept, cases[c].kept,
                             cases[c].width * sizeof (size_t));
        scaling_release (&scaling);
    }
}

/* Means are 0, variances 1, and whitened covariances 0. */
static void test_moments (void **state)
{
    double rows[ROWS][WIDTH];

    (void)state;
    make_rows (rows);
    for (int scale = SCALE_STANDARD; scale <= SCALE_WHITEN; scale++) {
        struct scaling scaling = SCALING_INIT;
        double sums[WIDTH] = { 0 }, products[WIDTH][WIDTH] = { { 0 } };

        scale_rows (rows, ROWS, (enum feature_scale)scale, &scaling);
        for (size_t r = 0; r < ROWS; r++) {
            double x[WIDTH];

            scaling_apply (&scaling, rows[r], x);
            for (size_t i = 0; i < scaling.width; i++) {
                sums[i] += x[i] / ROWS;
                for (size_t j = 0; j < scaling.width; j++)
                    products[i][j] += x[i] * x[j] / ROWS;
            }
        }
        for (size_t i = 0; i < scaling.width; i++) {
            assert_true (fabs (sums[i]) < 1e-9);
            assert_true (fabs (products[i][i] - 1) < 1e-9);
            for (size_t j = 0; scale == SCALE_WHITEN && j < i; j++)
                assert_true (fabs (products[i][j]) < 1e-9);
        }
        scaling_release (&scaling);
    }
}

/* To the bit, however the rows are shared out. */
static void test_shares (void **state)
{
    double rows[ROWS][WIDTH], whole[WIDTH], shared[WIDTH];

    (void)state;
    make_rows (rows);
    for (int scale = SCALE_NONE; scale <= SCALE_WHITEN; scale++) {
        for (size_t split = 0; split < ROWS; split += 37) {
            struct scaling one = SCALING_INIT, two = SCALING_INIT;

            scale_rows (rows, ROWS, (enum feature_scale)scale, &one);
            scale_rows (rows, split, (enum feature_scale)scale, &two);
            assert_int_equal (one.width, two.width);
            scaling_apply (&one, rows[17], whole);
            scaling_apply (&two, rows[17], shared);
            assert_memory_equal (whole, shared, one.width * sizeof (*whole));
            scaling_release (&one);
            scaling_release (&two);
        }
    }
}

/* One row, or the same again and again. */
static void test_all_the_same (void **state)
{
    double rows[ROWS][WIDTH];

    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t k = 0; k < WIDTH; k++)
            rows[i][k] = 0.1 * (double)k;
    }
    for (int scale = SCALE_NONE; scale <= SCALE_WHITEN; scale++) {
        struct scaling scaling = SCALING_INIT;

        scale_rows (rows, ROWS, (enum feature_scale)scale, &scaling);
        assert_int_equal (scaling.width, 0);
        scaling_release (&scaling);
    }
}

/* The largest numbers there are. */
static void test_large_numbers (void **state)
{
    double rows[ROWS][WIDTH], x[WIDTH];
    struct scaling scaling = SCALING_INIT;

    (void)state;
    make_rows (rows);
    for (size_t i = 0; i < ROWS; i++)
        rows[i][0] = i % 2 ? DBL_MAX : -DBL_MAX;
    scale_rows (rows, ROWS, SCALE_WHITEN, &scaling);
    scaling_apply (&scaling, rows[1], x);
    assert_true (isfinite (x[0]));
    scaling_release (&scaling);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_dropped),
        cmocka_unit_test (test_moments),
        cmocka_unit_test (test_shares),
        cmocka_unit_test (test_all_the_same),
        cmocka_unit_test (test_large_numbers),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
