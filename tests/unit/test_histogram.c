/* SPDX-License-Identifier: BSD-3-Clause */
/* test_histogram.c - counts, medians to a bin, and sums of parts */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "selection/statistics/histogram.h"

static void test_counts (void **state)
{
    struct histogram histogram = HISTOGRAM_INIT;

    (void)state;
    assert_int_equal (histogram_frames (&histogram), 0);
    assert_true (histogram_median (&histogram) == 0);
    histogram_add (&histogram, FRAME_ACCURATE, 0.1);
    histogram_add (&histogram, FRAME_CANDIDATE, 0.3);
    histogram_add (&histogram, FRAME_INVALID, NAN);
    histogram_add (&histogram, FRAME_FAILED, 2);
    histogram_add (&histogram, FRAME_CANDIDATE, 0.2);
    assert_int_equal (histogram_frames (&histogram), 5);
    assert_int_equal (histogram_valid (&histogram), 4);
    assert_int_equal (histogram.frames[FRAME_CANDIDATE], 2);
    assert_int_equal (histogram.frames[FRAME_INVALID], 1);
    assert_true (histogram.max_deviation == 2);
}

/* A bin's middle is within 1/64 of any number in it. */
static void test_bins (void **state)
{
    (void)state;
    for (double deviation = 1e-6; deviation < 4095; deviation *= 1.0037) {
        struct histogram histogram = HISTOGRAM_INIT;

        histogram_add (&histogram, FRAME_ACCURATE, deviation);
        assert_true (fabs (histogram_median (&histogram) / deviation - 1)
                     <= 1.0 / 64);
    }
}

static void test_ends_of_the_bins (void **state)
{
    static const struct {
        double deviation;
        size_t bin;
    } cases[] = {
        { 0, 0 },
        { -0.0, 0 },
        { 1e-300, 0 },
        { 0x1p-20, 0 },
        { 0x1.08p-20, 1 },
        { 1, 640 },
        { 0x1.fffffffffffffp11, HISTOGRAM_BINS - 1 },
        { 4096, HISTOGRAM_BINS - 1 },
        { 1e300, HISTOGRAM_BINS - 1 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct histogram histogram = HISTOGRAM_INIT;

        histogram_add (&histogram, FRAME_FAILED, cases[i].deviation);
        assert_int_equal (histogram.bins[cases[i].bin], 1);
    }
}

static void test_median (void **state)
{
    static const struct {
        int ones, twos;
        double lower_edge;
    } cases[] = {
        { 1, 0, 1 }, { 0, 1, 2 }, { 1, 1, 1 },
        { 2, 1, 1 }, { 1, 2, 2 }, { 5, 5, 1 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct histogram histogram = HISTOGRAM_INIT;

        for (int j = 0; j < cases[i].ones; j++)
            histogram_add (&histogram, FRAME_FAILED, 1);
        for (int j = 0; j < cases[i].twos; j++)
            histogram_add (&histogram, FRAME_FAILED, 2);
        assert_true (histogram_median (&histogram)
                     == cases[i].lower_edge * (1 + 1.0 / 64));
    }
}

static void test_merge (void **state)
{
    struct histogram whole = HISTOGRAM_INIT, parts[3] = { HISTOGRAM_INIT },
                     sum = HISTOGRAM_INIT;

    (void)state;
    for (int i = 0; i < 1000; i++) {
        double deviation = i % 17 == 0 ? NAN : 0.001 * i;
        enum frame_class class = i % 17 == 0 ? FRAME_INVALID
                                 : i < 200   ? FRAME_ACCURATE
                                             : FRAME_CANDIDATE;

        histogram_add (&whole, class, deviation);
        histogram_add (&parts[i % 3], class, deviation);
    }
    for (int i = 2; i >= 0; i--)
        histogram_merge (&sum, &parts[i]);
    assert_memory_equal (&sum, &whole, sizeof (sum));
}

/* Counts beyond 32 bits, with a sign or without. */
static void test_many (void **state)
{
    const uint64_t many = UINT64_C (3) << 32;
    struct histogram histogram = HISTOGRAM_INIT, sum = HISTOGRAM_INIT;

    (void)state;
    histogram_add (&histogram, FRAME_ACCURATE, 1);
    histogram_add (&histogram, FRAME_CANDIDATE, 2);
    histogram_add (&histogram, FRAME_INVALID, NAN);
    for (int i = 0; i < HISTOGRAM_BINS; i++)
        histogram.bins[i] *= many;
    for (int i = 0; i < FRAME_CLASSES; i++)
        histogram.frames[i] *= many;
    for (int i = 0; i < 5; i++)
        histogram_merge (&sum, &histogram);
    assert_true (histogram_frames (&sum) == 15 * many);
    assert_true (histogram_valid (&sum) == 10 * many);
    assert_true (sum.frames[FRAME_CANDIDATE] == 5 * many);
    assert_true (histogram_median (&sum) == 1 + 1.0 / 64);
    histogram_add (&sum, FRAME_FAILED, 4); /* one more is the other half */
    histogram_add (&sum, FRAME_FAILED, 4);
    assert_true (histogram_median (&sum) == 2 * (1 + 1.0 / 64));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_counts),
        cmocka_unit_test (test_bins),
        cmocka_unit_test (test_ends_of_the_bins),
        cmocka_unit_test (test_median),
        cmocka_unit_test (test_merge),
        cmocka_unit_test (test_many),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
