/* SPDX-License-Identifier: BSD-3-Clause */
/* test_classes.c - levels, their ends, and who is right about mixed frames */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "selection/statistics/classes.h"

/* Deviations for levels 0.2 and 0.8. */
static const double low = 0.1, between = 0.5, high = 0.9;

/* One frame, alone and among rows. */
static void expect_class (const struct criteria *criteria, double force,
                          double virial, enum frame_class expected)
{
    const double value[DEVIATION_QUANTITIES] = {
        [DEVIATION_FORCE] = force, [DEVIATION_VIRIAL] = virial
    };
    struct deviation_rows rows = { .n = 9 };
    unsigned char class[DEVIATION_ROWS_MAX];

    assert_int_equal (classify_frame (criteria, value), expected);
    for (size_t at = 0; at < rows.n; at++) {
        for (size_t i = 0; i < rows.n; i++) {
            rows.value[DEVIATION_FORCE][i] = i == at ? force : 0;
            rows.value[DEVIATION_VIRIAL][i] = i == at ? virial : 0;
        }
        classify_rows (criteria, &rows, class);
        for (size_t i = 0; i < rows.n; i++)
            assert_int_equal (class[i], i == at ? expected : FRAME_ACCURATE);
    }
}

static void test_half_open_levels (void **state)
{
    static const struct {
        double force;
        enum frame_class expected;
    } cases[] = {
        { 0, FRAME_ACCURATE },        { 0.19999, FRAME_ACCURATE },
        { 0.2, FRAME_CANDIDATE },     { 0.79999, FRAME_CANDIDATE },
        { 0.8, FRAME_FAILED },        { 1e300, FRAME_FAILED },
        { NAN, FRAME_INVALID },       { INFINITY, FRAME_FAILED },
        { -INFINITY, FRAME_INVALID },
    };
    const struct criteria criteria = {
        .has = { [DEVIATION_FORCE] = true },
        .levels = { [DEVIATION_FORCE] = { 0.2, 0.8 } },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++)
        expect_class (&criteria, cases[i].force, NAN, cases[i].expected);
}

static void test_forces_and_virials (void **state)
{
    const struct {
        double force, virial;
        enum frame_class dpgen, others;
    } cases[] = {
        { low, low, FRAME_ACCURATE, FRAME_ACCURATE },
        { low, between, FRAME_CANDIDATE, FRAME_CANDIDATE },
        { between, low, FRAME_CANDIDATE, FRAME_CANDIDATE },
        { between, between, FRAME_CANDIDATE, FRAME_CANDIDATE },
        { low, high, FRAME_FAILED, FRAME_FAILED },
        { high, low, FRAME_FAILED, FRAME_FAILED },
        { high, high, FRAME_FAILED, FRAME_FAILED },
        /* where they part */
        { between, high, FRAME_CANDIDATE, FRAME_FAILED },
        { high, between, FRAME_CANDIDATE, FRAME_FAILED },
        { between, NAN, FRAME_INVALID, FRAME_INVALID },
        { NAN, low, FRAME_INVALID, FRAME_INVALID },
        { NAN, INFINITY, FRAME_INVALID, FRAME_INVALID },
        { INFINITY, low, FRAME_FAILED, FRAME_FAILED },
        { INFINITY, between, FRAME_FAILED, FRAME_FAILED },
        { between, INFINITY, FRAME_FAILED, FRAME_FAILED },
    };
    struct criteria criteria = {
        .has = { [DEVIATION_FORCE] = true, [DEVIATION_VIRIAL] = true },
        .levels = { [DEVIATION_FORCE] = { 0.2, 0.8 },
                    [DEVIATION_VIRIAL] = { 0.2, 0.8 } },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        criteria.semantics = SEMANTICS_DPGEN;
        expect_class (&criteria, cases[i].force, cases[i].virial,
                      cases[i].dpgen);
        criteria.semantics = SEMANTICS_DPGEN2;
        expect_class (&criteria, cases[i].force, cases[i].virial,
                      cases[i].others);
        criteria.semantics = SEMANTICS_SIMPLIFY;
        expect_class (&criteria, cases[i].force, cases[i].virial,
                      cases[i].others);
    }
}

static void test_valid_levels (void **state)
{
    static const struct {
        struct levels levels;
        bool valid;
    } cases[] = {
        { { 0.2, 0.8 }, true },       { { 0, 0 }, true },
        { { 1e10, 1e10 }, true },     { { 0.8, 0.2 }, false },
        { { -0.1, 0.2 }, false },     { { NAN, 0.2 }, false },
        { { 0.1, INFINITY }, false },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++)
        assert_int_equal (levels_valid (&cases[i].levels), cases[i].valid);
}

/* Atoms too close fail a frame whatever its deviations say, even in dpgen. */
static void test_distance (void **state)
{
    static const struct {
        double force, distance;
        enum frame_class expected;
    } cases[] = {
        { 0.5, 1.21, FRAME_CANDIDATE }, { 0.5, 1.2, FRAME_FAILED },
        { 0.1, 1.0, FRAME_FAILED },     { 0.9, 2.0, FRAME_FAILED },
        { 0.5, NAN, FRAME_INVALID },    { NAN, 0.1, FRAME_INVALID },
    };
    const struct criteria criteria = {
        .has = { [DEVIATION_FORCE] = true, [DEVIATION_DISTANCE] = true },
        .levels = { [DEVIATION_FORCE] = { 0.2, 0.8 },
                    [DEVIATION_DISTANCE] = { 0, 1.2 } },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const double value[DEVIATION_QUANTITIES] = { [DEVIATION_FORCE] =
                                                         cases[i].force,
                                                     [DEVIATION_DISTANCE] =
                                                         cases[i].distance };

        assert_int_equal (classify_frame (&criteria, value), cases[i].expected);
    }
}

static void test_main_quantity (void **state)
{
    struct criteria criteria = { .has = { [DEVIATION_ENERGY] = true } };

    (void)state;
    assert_int_equal (criteria_main (&criteria), DEVIATION_ENERGY);
    criteria.has[DEVIATION_VIRIAL] = true;
    assert_int_equal (criteria_main (&criteria), DEVIATION_VIRIAL);
    criteria.has[DEVIATION_FORCE] = true;
    assert_int_equal (criteria_main (&criteria), DEVIATION_FORCE);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_half_open_levels),
        cmocka_unit_test (test_forces_and_virials),
        cmocka_unit_test (test_distance),
        cmocka_unit_test (test_main_quantity),
        cmocka_unit_test (test_valid_levels),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
