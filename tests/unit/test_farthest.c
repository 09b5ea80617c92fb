/* SPDX-License-Identifier: BSD-3-Clause */
/* test_farthest.c - farthest points, against all batches there are */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "selection/batch/farthest.h"
#include "selection/batch/row_distance.h"

enum { WIDTH = 3, MOST = 12 };

/* Numbers that look random, in (-1, 1). */
static double noise (uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int32_t)(*state >> 32) * 0x1p-31;
}

static void make_rows (uint64_t seed, size_t n, float *rows)
{
    for (size_t i = 0; i < n * WIDTH; i++)
        rows[i] = (float)noise (&seed);
}

/* The largest distance of a row to the nearest of the labelled and of those
 * in 'batch', a set of bits.
 */
static double radius (const float *rows, size_t n, const float *labelled,
                      size_t n_labelled, unsigned batch)
{
    double worst = 0;

    for (size_t i = 0; i < n; i++) {
        double least = INFINITY;

        for (size_t j = 0; j < n_labelled; j++)
            least = fmin (least, row_distance (rows + i * WIDTH,
                                               labelled + j * WIDTH, WIDTH));
        for (size_t j = 0; j < n; j++) {
            if (batch >> j & 1)
                least = fmin (least, row_distance (rows + i * WIDTH,
                                                   rows + j * WIDTH, WIDTH));
        }
        worst = fmax (worst, sqrt (least));
    }
    return worst;
}

static double best_radius (const float *rows, size_t n, const float *labelled,
                           size_t n_labelled, int quota)
{
    double best = INFINITY;

    for (unsigned batch = 1; batch < 1u << n; batch++) {
        if (__builtin_popcount (batch) == quota)
            best = fmin (best, radius (rows, n, labelled, n_labelled, batch));
    }
    return best;
}

/* The candidates that are picked, as bits. */
static unsigned pick (struct farthest *farthest, int quota)
{
    unsigned batch = 0;

    while (quota-- > 0) {
        size_t best;

        if (!(farthest_best (farthest, &best) > 0))
            break;
        farthest_meet (farthest, farthest->rows + best * farthest->width);
        farthest_take (farthest, best);
        batch |= 1u << best;
    }
    return batch;
}

static void test_within_twice_the_best (void **state)
{
    static const struct {
        size_t n, n_labelled;
        int quota;
    } cases[] = { { 1, 0, 1 },  { 5, 0, 2 },  { 9, 2, 3 },
                  { 12, 1, 4 }, { 12, 3, 2 }, { 12, 0, 6 } };

    (void)state;
    for (size_t c = 0; c < ARRAY_SIZE (cases) * 20; c++) {
        size_t n = cases[c / 20].n, n_labelled = cases[c / 20].n_labelled;
        int quota = cases[c / 20].quota;
        float rows[MOST * WIDTH], labelled[MOST * WIDTH];
        struct farthest farthest;
        unsigned batch;

        make_rows (c, n, rows);
        make_rows (c + 1000, n_labelled, labelled);
        farthest_init (&farthest, rows, n, WIDTH, NULL);
        for (size_t j = 0; j < n_labelled; j++)
            farthest_meet (&farthest, labelled + j * WIDTH);
        batch = pick (&farthest, quota);
        farthest_release (&farthest);
        assert_int_equal (__builtin_popcount (batch), quota);
        assert_true (radius (rows, n, labelled, n_labelled, batch)
                     <= 2 * best_radius (rows, n, labelled, n_labelled, quota)
                            + 1e-12);
    }
}

/* A line: 0 1 2 3 4 8, one number each. */
static const float line[6] = { 0, 1, 2, 3, 4, 8 };

static void test_order (void **state)
{
    static const double weights[6] = { 1, 1, 1, 9, 1, 0 };
    static const struct {
        const double *weights;
        float labelled;
        size_t order[6], n;
    } cases[] = {
        { NULL, 0, { 5, 4, 2, 1, 3 }, 5 }, /* 0 is labelled */
        { NULL, 100, { 0, 5, 4, 2, 1, 3 }, 6 },
        { weights, 0, { 3, 1, 2, 4 }, 4 }, /* by 27, 1 of 1 and of 4 */
    };

    (void)state;
    for (size_t c = 0; c < ARRAY_SIZE (cases); c++) {
        struct farthest farthest;
        size_t best;

        farthest_init (&farthest, line, 6, 1, cases[c].weights);
        farthest_meet (&farthest, &cases[c].labelled);
        for (size_t k = 0; k < cases[c].n; k++) {
            assert_true (farthest_best (&farthest, &best) > 0);
            assert_int_equal (best, cases[c].order[k]);
            farthest_meet (&farthest, line + best);
            farthest_take (&farthest, best);
        }
        assert_true (farthest_best (&farthest, &best) <= 0);
        farthest_release (&farthest);
    }
}

static void test_nothing_met (void **state)
{
    static const double weights[2] = { 0, 1 };
    struct farthest farthest;
    size_t best;

    (void)state;
    farthest_init (&farthest, line, 2, 1, weights);
    assert_true (farthest_best (&farthest, &best) == (double)INFINITY);
    assert_int_equal (best, 1);
    farthest_release (&farthest);
    farthest_init (&farthest, line, 0, 1, NULL);
    assert_true (farthest_best (&farthest, &best) < 0);
    farthest_release (&farthest);
}

/* A row in two halves, and widths that four do not divide. */
static void test_distance (void **state)
{
    const float a[7] = { 1, 2, 3, 4, 5, 6, 7 }, b[7] = { 0 };

    (void)state;
    for (size_t width = 0, sum = 0; width <= 7; width++) {
        assert_true (row_distance (a, b, width) == (double)sum);
        sum += (width + 1) * (width + 1);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_within_twice_the_best),
        cmocka_unit_test (test_order),
        cmocka_unit_test (test_nothing_met),
        cmocka_unit_test (test_distance),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
