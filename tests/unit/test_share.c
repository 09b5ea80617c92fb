/* SPDX-License-Identifier: BSD-3-Clause */
/* test_share.c - trajectories dealt out to ranks */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "base/compiler.h"
#include "reduce/share.h"

static void test_owners (void **state)
{
    static const struct {
        int n_ranks;
        uint64_t bytes[6];
        int owner[6];
    } cases[] = {
        { 1, { 3, 9, 0, 4, 4, 1 }, { 0, 0, 0, 0, 0, 0 } },
        { 2, { 10, 10, 10, 10, 10, 10 }, { 0, 1, 0, 1, 0, 1 } },
        { 2, { 100, 10, 10, 10, 10, 10 }, { 0, 1, 1, 1, 1, 1 } },
        { 3, { 1, 2, 3, 4, 5, 6 }, { 0, 1, 2, 2, 1, 0 } },
        { 3, { 0, 0, 0, 0, 0, 0 }, { 0, 1, 2, 0, 1, 2 } },
        { 9, { 1, 1, 1, 1, 1, 2 }, { 1, 2, 3, 4, 5, 0 } },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        int owner[6];

        share_trajectories (cases[i].bytes, 6, cases[i].n_ranks, owner);
        assert_memory_equal (owner, cases[i].owner, sizeof (owner));
    }
}

/* No rank has more than the mean and the largest piece together. */
static void test_balance (void **state)
{
    enum { N = 500, RANKS = 7 };
    uint64_t bytes[N], load[RANKS] = { 0 }, all = 0, largest = 0;
    uint64_t random = 1;
    int owner[N];

    (void)state;
    for (int i = 0; i < N; i++) {
        random = random * 6364136223846793005 + 1442695040888963407;
        bytes[i] = (random >> 33) % (i % 10 == 0 ? 1000000 : 1000);
        all += bytes[i];
        largest = bytes[i] > largest ? bytes[i] : largest;
    }
    share_trajectories (bytes, N, RANKS, owner);
    for (int i = 0; i < N; i++) {
        assert_in_range (owner[i], 0, RANKS - 1);
        load[owner[i]] += bytes[i];
    }
    for (int rank = 0; rank < RANKS; rank++)
        assert_true (load[rank] <= all / RANKS + largest);
}

static void test_nothing (void **state)
{
    (void)state;
    share_trajectories (NULL, 0, 3, NULL);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_owners),
        cmocka_unit_test (test_balance),
        cmocka_unit_test (test_nothing),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
