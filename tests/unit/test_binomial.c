/* SPDX-License-Identifier: BSD-3-Clause */
/* test_binomial.c - probabilities of counts, against sums of exact terms */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/binomial.h"

/* Sums of terms with 60 digits, of the very double that p is. */
static const struct {
    uint64_t n;
    double p;
    uint64_t k;
    double tail;
} tails[] = {
    { 1, 0.5, 0, 0.5 },
    { 10, 0.1, 0, 0.34867844009999999 },
    { 10, 0.1, 3, 0.98720480160000001 },
    { 29, 0.1, 0, 0.047101286972462443 },
    { 100, 0.1, 4, 0.023711082663476754 },
    { 100, 0.1, 25, 0.99999590011628836 },
    { 100, 0.9, 70, 2.4451122393909536e-08 },
    { 1000, 0.05, 30, 0.0012770679174798358 },
    { 1000, 0.05, 80, 0.99997951256308992 },
    { 1000, 0.5, 500, 0.51261250908918043 },
    { 10000, 0.2, 1900, 0.0061954645274678493 },
    { 10000, 0.2, 1200, 2.4756697308600839e-100 },
    { 100000, 0.1, 9800, 0.017525324737622867 },
    { 100000, 0.1, 10000, 0.50266327253662335 },
    { 100000, 0.1, 10300, 0.99919757490572958 },
    { 100000, 0.01, 700, 4.387541140653008e-24 },
    { 100000, 0.5, 49000, 1.294358019173449e-10 },
    { 100000, 1e-05, 0, 0.36787760176657225 },
    { 100000, 1e-05, 3, 0.98101245625726996 },
    { 99999, 0.3, 25000, 2.7333694694261644e-270 },
    /* what is certain */
    { 0, 0.5, 0, 1 },
    { 7, 0.5, 7, 1 },
    { 7, 0.5, 9, 1 },
    { 7, 0, 0, 1 },
    { 7, 1, 6, 0 },
    { 7, 1, 7, 1 },
};

static void expect_close (double found, double expected, double relative,
                          const char *of, size_t i)
{
    if (fabs (found - expected) > relative * expected)
        fail_msg ("%s, row %zu: %.17g, expected %.17g", of, i, found, expected);
}

static void test_tails (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (tails); i++)
        expect_close (binomial_tail (tails[i].n, tails[i].p, tails[i].k),
                      tails[i].tail, 1e-12, "tail", i);
}

/* All counts of small n, by products. */
static void test_small (void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 40; n++) {
        double ways = 1, sum = 0;

        for (uint64_t k = 0; k <= n; k++) {
            sum += ways * pow (0.3, (double)k) * pow (0.7, (double)(n - k));
            ways = ways * (double)(n - k) / (double)(k + 1);
            expect_close (binomial_tail (n, 0.3, k), sum, 1e-12, "n", n);
        }
    }
}

/* Their ends by bisection, with 60 digits. */
static const struct {
    uint64_t k, n;
    struct share_interval expected;
} intervals[] = {
    { 0, 0, { 0, 1 } },
    { 0, 10, { 0, 0.258865550893052 } },
    { 10, 10, { 0.741134449106948, 1 } },
    { 1, 1, { 0.05, 1 } },
    { 57, 60, { 0.875812789522564, 0.986234842431717 } },
    { 2, 99, { 0.00360128283075297, 0.0622280956867187 } },
    { 500, 1000, { 0.473517731235691, 0.526482268764309 } },
};

static void test_intervals (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (intervals); i++) {
        struct share_interval found =
            clopper_pearson (intervals[i].k, intervals[i].n, 0.9);

        expect_close (found.least, intervals[i].expected.least, 1e-12, "least",
                      i);
        expect_close (found.most, intervals[i].expected.most, 1e-12, "most", i);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_tails),
        cmocka_unit_test (test_small),
        cmocka_unit_test (test_intervals),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
