/* SPDX-License-Identifier: BSD-3-Clause */
/* test_d_optimal.c - determinants, against all batches there are */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "selection/batch/d_optimal.h"

enum { WIDTH = 2, SIZE = WIDTH + 1, MOST = 10 };

static const double ridge = 0.01;

static void make_rows (uint64_t state, size_t n, float *rows)
{
    for (size_t i = 0; i < n * WIDTH; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        rows[i] = (float)((double)(int32_t)(state >> 32) * 0x1p-31);
    }
}

static void add (const float *row, double m[SIZE][SIZE])
{
    double x[SIZE] = { 1, (double)row[0], (double)row[1] };

    for (size_t i = 0; i < SIZE; i++) {
        for (size_t j = 0; j < SIZE; j++)
            m[i][j] += x[i] * x[j];
    }
}

/* The logarithm of the determinant, of labelled rows and a set of bits. */
static double log_det (const float *rows, size_t n, const float *labelled,
                       size_t n_labelled, unsigned batch)
{
    double m[SIZE][SIZE] = { { ridge, 0, 0 },
                             { 0, ridge, 0 },
                             { 0, 0, ridge } };

    for (size_t i = 0; i < n_labelled; i++)
        add (labelled + i * WIDTH, m);
    for (size_t i = 0; i < n; i++) {
        if (batch >> i & 1)
            add (rows + i * WIDTH, m);
    }
    return log (m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
                - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
                + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]));
}

static unsigned pick (struct d_optimal *design, int quota)
{
    unsigned batch = 0;
    size_t best;

    while (quota-- > 0 && d_optimal_best (design, &best) >= 0) {
        d_optimal_pick (design, design->rows + best * WIDTH);
        batch |= 1u << best;
    }
    return batch;
}

/* One after the other, of what is left. */
static unsigned pick_by_determinants (const float *rows, size_t n,
                                      const float *labelled, size_t n_labelled,
                                      int quota)
{
    unsigned batch = 0;

    while (quota-- > 0) {
        unsigned best = 0;

        for (unsigned i = 0; i < n; i++) {
            unsigned one = batch | 1u << i;

            if (one != batch
                && (best == 0
                    || log_det (rows, n, labelled, n_labelled, one)
                           > log_det (rows, n, labelled, n_labelled, best)))
                best = one;
        }
        batch = best;
    }
    return batch;
}

static double best_gain (const float *rows, size_t n, const float *labelled,
                         size_t n_labelled, int quota)
{
    double best = -INFINITY;

    for (unsigned batch = 1; batch < 1u << n; batch++) {
        if (__builtin_popcount (batch) == quota)
            best = fmax (best, log_det (rows, n, labelled, n_labelled, batch));
    }
    return best - log_det (rows, n, labelled, n_labelled, 0);
}

static void test_greedy (void **state)
{
    (void)state;
    for (uint64_t c = 0; c < 60; c++) {
        size_t n = 4 + c % 7, n_labelled = c % 4;
        int quota = 1 + (int)(c % 4);
        float rows[MOST * WIDTH], labelled[MOST * WIDTH];
        struct d_optimal design;
        unsigned batch;
        double gain;

        make_rows (c, n, rows);
        make_rows (c + 1000, n_labelled, labelled);
        d_optimal_init (&design, rows, n, WIDTH, ridge);
        for (size_t j = 0; j < n_labelled; j++)
            d_optimal_meet (&design, labelled + j * WIDTH);
        d_optimal_start (&design);
        batch = pick (&design, quota);
        d_optimal_release (&design);
        assert_int_equal (
            batch, pick_by_determinants (rows, n, labelled, n_labelled, quota));
        gain = log_det (rows, n, labelled, n_labelled, batch)
               - log_det (rows, n, labelled, n_labelled, 0);
        assert_true (gain
                     >= (1 - exp (-1))
                            * best_gain (rows, n, labelled, n_labelled, quota));
    }
}

/* What is given up is as if it had not been picked. */
static void test_give_up (void **state)
{
    float rows[MOST * WIDTH];
    struct d_optimal design;
    double values[MOST], both[MOST], before, after;

    (void)state;
    make_rows (7, MOST, rows);
    d_optimal_init (&design, rows, MOST, WIDTH, ridge);
    d_optimal_start (&design);
    d_optimal_pick (&design, rows);
    memcpy (values, design.values, sizeof (values));
    before = d_optimal_pick (&design, rows + 3 * WIDTH);
    memcpy (both, design.values, sizeof (both));
    after = d_optimal_give_up (&design, rows + 3 * WIDTH);
    assert_true (fabs (before - after) < 1e-9 * before);
    for (size_t i = 0; i < MOST; i++)
        assert_true (fabs (values[i] - design.values[i]) < 1e-9 * values[3]);
    d_optimal_take_back (&design);
    assert_memory_equal (both, design.values, sizeof (both));
    d_optimal_release (&design);
}

/* More than there are features, and rows that are there twice. */
static void test_any_quota (void **state)
{
    float rows[MOST * WIDTH];
    struct d_optimal design;
    size_t best;

    (void)state;
    make_rows (7, MOST, rows);
    memcpy (rows + 5 * WIDTH, rows, 3 * WIDTH * sizeof (*rows));
    d_optimal_init (&design, rows, MOST, WIDTH, ridge);
    d_optimal_start (&design);
    assert_int_equal (__builtin_popcount (pick (&design, MOST)), MOST - 3);
    assert_true (d_optimal_best (&design, &best) < 0);
    d_optimal_release (&design);
    d_optimal_init (&design, rows, 3, 0, ridge); /* all are the same */
    d_optimal_start (&design);
    assert_int_equal (__builtin_popcount (pick (&design, 3)), 1);
    d_optimal_release (&design);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_greedy),
        cmocka_unit_test (test_give_up),
        cmocka_unit_test (test_any_quota),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
