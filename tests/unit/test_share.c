/* SPDX-License-Identifier: BSD-3-Clause */
/* test_share.c - which rank reads which bytes */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "reduce/share.h"

static bool every_file (size_t file, void *arg)
{
    (void)file;
    (void)arg;
    return true;
}

static bool no_file (size_t file, void *arg)
{
    (void)file;
    (void)arg;
    return false;
}

/* One file in halves, thirds; never within a file that cannot be cut. */
static void test_one_file (void **state)
{
    static const uint64_t bytes[] = { UINT64_C (6) << 40 };
    struct share_cut cuts[4];

    (void)state;
    share_bytes (bytes, 1, 2, every_file, NULL, cuts);
    assert_int_equal (cuts[0].file, 0);
    assert_int_equal (cuts[0].byte, 0);
    assert_int_equal (cuts[1].file, 0);
    assert_true (cuts[1].byte >> 20 == (UINT64_C (3) << 20) - 1);
    assert_int_equal (cuts[2].file, 1);
    assert_int_equal (cuts[2].byte, 0);
    share_bytes (bytes, 1, 3, no_file, NULL, cuts);
    assert_int_equal (cuts[1].file, 0); /* nearer to the start */
    assert_int_equal (cuts[1].byte, 0);
    assert_int_equal (cuts[2].file, 1);
    assert_int_equal (cuts[2].byte, 0);
}

/* Small files stay whole although they could be cut. */
static void test_small_files (void **state)
{
    static const uint64_t bytes[] = { 1000, 1000, 1000, 1000, 1000, 1000 };
    struct share_cut cuts[4];

    (void)state;
    share_bytes (bytes, 6, 3, every_file, NULL, cuts);
    for (uint64_t i = 0; i < 4; i++) {
        assert_int_equal (cuts[i].file, 2 * i);
        assert_int_equal (cuts[i].byte, 0);
    }
}

static uint64_t load_between (const uint64_t *bytes, size_t n,
                              const struct share_cut cuts[2])
{
    uint64_t load = 0;

    for (uint64_t i = cuts[0].file; i < n && i <= cuts[1].file; i++) {
        uint64_t begin = i == cuts[0].file ? cuts[0].byte : 0;
        uint64_t end = i == cuts[1].file ? cuts[1].byte : bytes[i];

        assert_true (begin <= end && end <= bytes[i]);
        load += end - begin;
    }
    return load;
}

/* Nobody has more than the mean and a file that cannot be cut, or opens more
 * than others.
 */
static void test_balance (void **state)
{
    enum { N = 500, RANKS = 7 };
    uint64_t bytes[N], all = 0, read = 0, random = 1;
    struct share_cut cuts[RANKS + 1];

    (void)state;
    for (int i = 0; i < N; i++) {
        random = random * 6364136223846793005 + 1442695040888963407;
        bytes[i] = (random >> 33) % (i % 10 == 0 ? 100000000 : 100000);
        all += bytes[i];
    }
    share_bytes (bytes, N, RANKS, every_file, NULL, cuts);
    for (int rank = 0; rank < RANKS; rank++) {
        uint64_t load = load_between (bytes, N, cuts + rank);

        assert_true (load <= all / RANKS + 2 * SHARE_LEAST_BYTES);
        read += load;
    }
    assert_true (read == all);
}

/* More ranks than files, files without bytes, no files. */
static void test_little_to_do (void **state)
{
    static const uint64_t bytes[] = { 0, 0 };
    struct share_cut cuts[6];

    (void)state;
    share_bytes (bytes, 2, 5, every_file, NULL, cuts);
    for (int i = 1; i < 6; i++) {
        assert_true (cuts[i].file >= cuts[i - 1].file);
        assert_int_equal (cuts[i].byte, 0);
    }
    assert_int_equal (cuts[5].file, 2);
    share_bytes (NULL, 0, 3, no_file, NULL, cuts);
    assert_int_equal (cuts[3].file, 0);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_one_file),
        cmocka_unit_test (test_small_files),
        cmocka_unit_test (test_balance),
        cmocka_unit_test (test_little_to_do),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
