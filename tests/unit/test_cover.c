/* SPDX-License-Identifier: BSD-3-Clause */
/* test_cover.c - what stands for all candidates, against all batches there are
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "selection/batch/cover.h"
#include "selection/batch/row_distance.h"

enum { WIDTH = 2, MOST = 11 };

static void make_rows (uint64_t state, size_t n, float *rows)
{
    for (size_t i = 0; i < n * WIDTH; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        rows[i] = (float)((double)(int32_t)(state >> 32) * 0x1p-31);
    }
}

/* What is covered by the labelled and those in 'batch', a set of bits. */
static double covered (const struct cover *cover, const float *labelled,
                       size_t n_labelled, unsigned batch)
{
    double sum = 0;

    for (size_t i = 0; i < cover->n; i++) {
        double most = 0;

        for (size_t j = 0; j < n_labelled + cover->n; j++) {
            const float *row = j < n_labelled
                                   ? labelled + j * WIDTH
                                   : cover->rows + (j - n_labelled) * WIDTH;
            double squared = row_distance (cover->rows + i * WIDTH, row, WIDTH);

            if (j < n_labelled || batch >> (j - n_labelled) & 1)
                most = fmax (most, cover->radius > 0
                                       ? squared <= cover->radius
                                       : exp (-squared / cover->median));
        }
        sum += most;
    }
    return sum;
}

/* By two who share the candidates at 'split', as ranks do. */
static unsigned pick (struct cover *a, struct cover *b, int quota)
{
    unsigned batch = 0;

    while (quota-- > 0) {
        size_t i, j;
        uint64_t of_a = cover_best (a, &i), of_b = cover_best (b, &j);

        if (of_a == 0 && of_b == 0)
            break;
        i = of_b > of_a ? j : i;
        cover_take (a, i);
        cover_take (b, i);
        batch |= 1u << i;
    }
    return batch;
}

/* The first of those that cover most, one by one. */
static unsigned pick_plainly (const struct cover *cover, const float *labelled,
                              size_t n_labelled, int quota)
{
    unsigned batch = 0;

    while (quota-- > 0) {
        double most = covered (cover, labelled, n_labelled, batch) + 1e-9;
        unsigned best = batch;

        for (unsigned i = 0; i < cover->n; i++) {
            double by = covered (cover, labelled, n_labelled, batch | 1u << i);

            if (by > most + 1e-9) {
                most = by;
                best = batch | 1u << i;
            }
        }
        batch = best;
    }
    return batch;
}

static void check (uint64_t seed, size_t n, size_t n_labelled, int quota,
                   double radius, size_t split)
{
    float rows[MOST * WIDTH], labelled[MOST * WIDTH];
    struct cover a, b;
    double none, best = 0, found;
    unsigned batch;

    make_rows (seed, n, rows);
    make_rows (seed + 1000, n_labelled, labelled);
    cover_init (&a, rows, n, WIDTH, 0, split, radius);
    cover_init (&b, rows, n, WIDTH, split, n, radius);
    for (size_t j = 0; j < n_labelled; j++) {
        cover_meet (&a, labelled + j * WIDTH);
        cover_meet (&b, labelled + j * WIDTH);
    }
    for (size_t i = 0; i < n; i++)
        a.covered[i] = b.covered[i] = a.covered[i] + b.covered[i];
    batch = pick (&a, &b, quota);
    assert_int_equal (batch, pick_plainly (&a, labelled, n_labelled, quota));
    none = covered (&a, labelled, n_labelled, 0);
    found = covered (&a, labelled, n_labelled, batch) - none;
    for (unsigned other = 0; other < 1u << n; other++) {
        if (__builtin_popcount (other) <= quota)
            best =
                fmax (best, covered (&a, labelled, n_labelled, other) - none);
    }
    assert_true (found >= (1 - exp (-1)) * best - 1e-6);
    cover_release (&a);
    cover_release (&b);
}

static void test_most_of_the_best (void **state)
{
    (void)state;
    for (uint64_t c = 0; c < 24; c++) {
        size_t n = 4 + c % 8;

        check (c, n, c % 3, 1 + (int)(c % 4), c % 2 ? 0.5 : 0, c % n);
    }
}

/* With a radius it ends where all is covered. */
static void test_ends (void **state)
{
    static const float line[5] = { 0, 1, 2, 10, 10 };
    static const struct {
        double radius;
        size_t order[5], n;
    } cases[] = { { 1, { 1, 3 }, 2 },
                  { 0.5, { 3, 0, 1, 2 }, 4 },
                  { 20, { 0 }, 1 } };

    (void)state;
    for (size_t c = 0; c < ARRAY_SIZE (cases); c++) {
        struct cover cover;
        size_t best;

        cover_init (&cover, line, 5, 1, 0, 5, cases[c].radius);
        for (size_t k = 0; k < cases[c].n; k++) {
            assert_true (cover_best (&cover, &best) > 0);
            assert_int_equal (best, cases[c].order[k]);
            cover_take (&cover, best);
        }
        assert_int_equal (cover_best (&cover, &best), 0);
        cover_release (&cover);
    }
}

/* None, one, and rows that are all the same. */
static void test_few (void **state)
{
    static const float same[3] = { 2, 2, 2 };

    (void)state;
    for (size_t n = 0; n <= 3; n++) {
        struct cover cover;
        size_t best;

        cover_init (&cover, same, n, 1, 0, n, 0);
        assert_int_equal (cover_best (&cover, &best) > 0, n > 0);
        if (n > 0)
            cover_take (&cover, best);
        assert_int_equal (cover_best (&cover, &best), 0);
        cover_release (&cover);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_most_of_the_best),
        cmocka_unit_test (test_ends),
        cmocka_unit_test (test_few),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
