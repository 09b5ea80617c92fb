/* SPDX-License-Identifier: BSD-3-Clause */
/* test_hash.c - fixed values, word order, tokens */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/hash.h"

/* Values persist in journals and decide draws: they may never change.  These
 * are published test vectors of XXH3.
 */
static void test_known_values (void **state)
{
    (void)state;
    assert_true (hash_bytes (0, "", 0) == 0x2d06800538d394c2);
    assert_true (hash_bytes (0x9e3779b185ebca8d, "", 0) == 0xa8a6b918b2f0364a);
    assert_true (hash_bytes (0, "\0", 1) == 0xc44bdff4074eecdb);
    assert_true (hash_string (7, "frame") == hash_bytes (7, "frame", 5));
}

static void test_seed_and_bytes_matter (void **state)
{
    (void)state;
    assert_true (hash_string (1, "a") != hash_string (2, "a"));
    assert_true (hash_string (1, "a") != hash_string (1, "b"));
}

static void test_words_are_little_endian_bytes (void **state)
{
    static const unsigned char bytes[16] = { 8,    7, 6, 5, 4, 3, 2, 1,
                                             0xff, 0, 0, 0, 0, 0, 0, 0 };
    const uint64_t words[] = { 0x0102030405060708, 0xff };

    (void)state;
    assert_true (hash_words (3, words, 2) == hash_bytes (3, bytes, 16));
    assert_true (hash_words (3, words, 0) == hash_bytes (3, "", 0));
}

static void test_many_words (void **state)
{
    uint64_t words[300];

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (words); i++)
        words[i] = i * i;
    assert_true (hash_words (1, words, 300) != hash_words (1, words, 299));
    words[299]++;
    assert_true (hash_words (1, words, 300)
                 != hash_words (1, (uint64_t[300]){ 0 }, 300));
}

static void test_tokens (void **state)
{
    char first[16], token[16];
    int seen[256] = { 0 };

    (void)state;
    random_token (first, 15);
    for (int i = 0; i < 2000; i++) {
        random_token (token, 15);
        assert_int_equal (strlen (token), 15);
        assert_true (token[0] >= 'a' && token[0] <= 'z');
        assert_string_not_equal (token, first);
        for (int j = 0; j < 15; j++) {
            assert_true (islower (token[j]) || isdigit (token[j]));
            seen[(unsigned char)token[j]]++;
        }
    }
    for (int c = 'a'; c <= 'z'; c++)
        assert_true (seen[c] > 0);
    for (int c = '0'; c <= '9'; c++)
        assert_true (seen[c] > 0);
    random_token (token, 1);
    assert_int_equal (strlen (token), 1);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_known_values),
        cmocka_unit_test (test_seed_and_bytes_matter),
        cmocka_unit_test (test_words_are_little_endian_bytes),
        cmocka_unit_test (test_many_words),
        cmocka_unit_test (test_tokens),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
