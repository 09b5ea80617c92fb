/* SPDX-License-Identifier: BSD-3-Clause */
/* test_forecast.c - what the rest of a campaign may take */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "engine/history/size_counts.h"
#include "report/forecast.h"

enum { PLAYS = 100 };

/* A stage whose tasks take 'assumed_s' each, and nothing else said. */
static struct forecast_stage assumed (double s, const int64_t *count,
                                      int64_t at_a_time)
{
    return (struct forecast_stage){ .assumed_s = s,
                                    .tries = 1,
                                    .counts = count,
                                    .n_counts = 1,
                                    .at_a_time = at_a_time,
                                    .node_share = 0.5 };
}

static void assert_range (struct forecast_range range, double least,
                          double most)
{
    assert_float_equal (range.least, least, 1e-6);
    assert_float_equal (range.most, most, 1e-6);
}

/* Tasks of one time: what slots and iterations make of them. */
static const struct {
    int64_t tasks, at_a_time, iterations;
    double task_s, s, node_hours;
} waves[] = {
    { 1, 1, 1, 3600, 3600, 0.5 },  { 10, 4, 1, 3600, 10800, 5 },
    { 8, 4, 1, 3600, 7200, 4 },    { 10, 4, 3, 3600, 32400, 15 },
    { 10, 999, 1, 3600, 3600, 5 }, { 1000, 10, 1, 36, 3600, 5 },
    { 0, 4, 2, 3600, 0, 0 },
};

static void test_waves (void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (waves); i++) {
        const struct forecast_stage stage =
            assumed (waves[i].task_s, &waves[i].tasks, waves[i].at_a_time);
        struct forecast of, all;

        forecast_play (&stage, 1, waves[i].iterations, PLAYS, 1, &of, &all);
        print_message ("# row %zu\n", i);
        assert_range (of.s, waves[i].s, waves[i].s);
        assert_range (all.s, waves[i].s, waves[i].s);
        assert_range (all.node_hours, waves[i].node_hours, waves[i].node_hours);
    }
}

/* b and c wait for a, d for both: the longest way counts. */
static void test_graph (void **unused)
{
    static const int64_t one = 1;
    static const int after_a[] = { 0 }, after_bc[] = { 1, 2 };
    struct forecast_stage stages[4];
    struct forecast of[4], all;

    (void)unused;
    for (int i = 0; i < 4; i++)
        stages[i] = assumed (100 * (i + 1), &one, 1);
    stages[1].after = stages[2].after = after_a;
    stages[1].n_after = stages[2].n_after = 1;
    stages[3].after = after_bc;
    stages[3].n_after = 2;
    forecast_play (stages, 4, 2, PLAYS, 1, of, &all);
    assert_range (of[1].s, 400, 400);
    assert_range (all.s, 2 * (100 + 300 + 400), 2 * (100 + 300 + 400));
}

/* What is over in the current iteration, and what runs. */
static void test_now (void **unused)
{
    static const int64_t count = 10;
    struct forecast_stage stages[2];
    struct forecast of[2], all;

    (void)unused;
    stages[0] = assumed (100, &count, 1);
    stages[1] = assumed (10, &count, 1);
    stages[0].now = FORECAST_OVER;
    stages[1].now = FORECAST_RUNS;
    stages[1].left = 3;
    forecast_play (stages, 2, 1, PLAYS, 1, of, &all);
    assert_range (of[0].s, 0, 0);
    assert_range (of[1].s, 30, 30);
    forecast_play (stages, 2, 2, PLAYS, 1, of, &all);
    assert_range (of[0].s, 1000, 1000);
    assert_range (of[1].s, 130, 130);
}

/* Tries that fail are made again, up to the last. */
static void test_failing (void **unused)
{
    static const int64_t count = 1000;
    struct forecast_stage stage = assumed (3600, &count, 1000);
    struct forecast of, all;

    (void)unused;
    stage.failing = 0.25;
    stage.tries = 2;
    forecast_play (&stage, 1, 1, PLAYS, 1, &of, &all);
    assert_range (of.s, 7200, 7200);
    assert_in_range ((uint64_t)of.node_hours.least, 595, 625);
    assert_in_range ((uint64_t)of.node_hours.most, 625, 655);
    stage.failing = 1;
    stage.tries = 5;
    forecast_play (&stage, 1, 1, PLAYS, 1, &of, &all);
    assert_range (of.s, 5 * 3600, 5 * 3600);
}

/* Times are drawn as they were seen: the mean, and the range of a sum. */
static void test_times (void **unused)
{
    static const int64_t count = 400;
    struct size_counts times = { 0 };
    struct forecast_stage stage = assumed (0, &count, 1);
    struct forecast of, all, again;

    (void)unused;
    assert_false (forecast_knows (&(struct forecast_stage){
        .times = &times, .counts = &count, .n_counts = 1 }));
    size_counts_add (&times, size_number (60), 3);
    size_counts_add (&times, size_number (600), 1);
    stage.times = &times;
    assert_true (forecast_knows (&stage));
    forecast_play (&stage, 1, 1, 400, 1, &of, &all);
    /* A class is 9 % wide: 3 of 4 take 55 to 60 s, the rest 550 to 600 s: a
     * mean of 187 s at least and 204 s at most, whose sum of 400 has a
     * deviation of 4700 s.
     */
    assert_true (of.s.least > 400 * 185 - 2 * 4700);
    assert_true (of.s.most < 400 * 206 + 2 * 4700);
    assert_true (of.s.most - of.s.least > 1.8 * 4700);
    assert_true (of.s.most - of.s.least < 3.6 * 4700);
    forecast_play (&stage, 1, 1, 400, 1, &again, &all);
    assert_range (again.s, of.s.least, of.s.most);
    forecast_play (&stage, 1, 1, 400, 2, &again, &all);
    assert_true (again.s.least != of.s.least);
    size_counts_release (&times);
}

/* The numbers of tasks of earlier iterations are as likely. */
static void test_counts (void **unused)
{
    static const int64_t counts[] = { 0, 10 };
    struct forecast_stage stage = assumed (100, counts, 1);
    struct forecast of, all;

    (void)unused;
    stage.n_counts = 2;
    forecast_play (&stage, 1, 1, 400, 1, &of, &all);
    assert_range (of.s, 0, 1000);
    forecast_play (&stage, 1, 100, 400, 1, &of, &all);
    assert_true (of.s.least > 40000 && of.s.most < 60000);
}

/* 0.9 to that power is no double any more. */
enum { WAITS = 20000 };

/* With n waits 1, 2, ... n: which is the bound; known from tables of the
 * binomial distribution.
 */
static const struct {
    size_t n;
    double bound;
} bounds[] = {
    { 0, -1 },  { 1, -1 },  { 21, -1 },  { 22, 22 },       { 37, 37 },
    { 38, 37 }, { 51, 50 }, { 100, 95 }, { WAITS, 18055 },
};

static void test_bounds (void **unused)
{
    static double waits[WAITS];

    (void)unused;
    for (int i = 0; i < WAITS; i++)
        waits[i] = i + 1;
    for (size_t i = 0; i < ARRAY_SIZE (bounds); i++) {
        print_message ("# of %zu\n", bounds[i].n);
        assert_float_equal (forecast_wait_bound (waits, bounds[i].n),
                            bounds[i].bound, 1e-9);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_waves),  cmocka_unit_test (test_graph),
        cmocka_unit_test (test_now),    cmocka_unit_test (test_failing),
        cmocka_unit_test (test_times),  cmocka_unit_test (test_counts),
        cmocka_unit_test (test_bounds),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
