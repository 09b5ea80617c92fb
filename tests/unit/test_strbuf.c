/* SPDX-License-Identifier: BSD-3-Clause */
/* test_strbuf.c - growing text, and doubles that read back */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

static void test_empty (void **state)
{
    struct strbuf sb = STRBUF_INIT;

    (void)state;
    assert_string_equal (sb.buf, "");
    strbuf_reset (&sb);
    strbuf_add (&sb, NULL, 0);
    strbuf_add_str (&sb, "");
    assert_int_equal (sb.alloc, 0);
    strbuf_release (&sb);
    strbuf_release (&sb);
    assert_string_equal (sb.buf, "");
    strbuf_add_str (&sb, "usable again");
    assert_string_equal (sb.buf, "usable again");
    strbuf_release (&sb);
}

static void test_add (void **state)
{
    struct strbuf sb;

    (void)state;
    strbuf_init (&sb);
    strbuf_add (&sb, "a\0b", 3);
    strbuf_add_char (&sb, 'c');
    assert_int_equal (sb.len, 4);
    assert_memory_equal (sb.buf, "a\0bc", 5);
    strbuf_truncate (&sb, 1);
    strbuf_addf (&sb, "%d-%s", 42, "x");
    assert_string_equal (sb.buf, "a42-x");
    strbuf_reset (&sb);
    assert_int_equal (sb.len, 0);
    assert_true (sb.alloc > 0);
    strbuf_release (&sb);
}

/* An umlaut is two bytes, a flower three. */
static void test_shorten (void **state)
{
    static const struct {
        const char *text;
        size_t len;
        const char *expected;
    } cases[] = {
        { "abc", 3, "abc" },
        { "abcd", 3, "abc..." },
        { "", 0, "" },
        { "abc", 0, "..." },
        { "a\xc3\xa4z", 2, "a..." },
        { "a\xc3\xa4z", 3, "a\xc3\xa4..." },
        { "\xe2\x9d\x80z", 2, "..." },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf sb = STRBUF_INIT;

        strbuf_add_str (&sb, cases[i].text);
        strbuf_shorten (&sb, cases[i].len);
        assert_string_equal (sb.buf, cases[i].expected);
        assert_int_equal (sb.len, strlen (cases[i].expected));
        strbuf_release (&sb);
    }
}

static void test_long_format (void **state)
{
    struct strbuf sb = STRBUF_INIT;

    (void)state;
    for (int n = 0; n < 300; n += 7) {
        size_t before = sb.len;

        strbuf_addf (&sb, "%*s", n, "");
        assert_int_equal (sb.len, before + (size_t)n);
        assert_int_equal (strlen (sb.buf), sb.len);
    }
    strbuf_release (&sb);
}

static void test_reserve_grows_geometrically (void **state)
{
    struct strbuf sb = STRBUF_INIT;
    size_t moves = 0;

    (void)state;
    for (int i = 0; i < 100000; i++) {
        size_t before = sb.alloc;

        strbuf_add_char (&sb, 'x');
        moves += sb.alloc != before;
    }
    assert_true (moves < 20);
    strbuf_release (&sb);
}

static void test_detach (void **state)
{
    struct strbuf sb = STRBUF_INIT;
    char *text;

    (void)state;
    text = strbuf_detach (&sb); /* of an empty one: ours all the same */
    assert_string_equal (text, "");
    free (text);
    strbuf_add_str (&sb, "mine");
    text = strbuf_detach (&sb);
    assert_string_equal (text, "mine");
    assert_int_equal (sb.len, 0);
    free (text);
    strbuf_release (&sb);
}

static void test_doubles (void **state)
{
    static const struct {
        double v;
        const char *text;
    } cases[] = {
        { 0, "0.0" },
        { -0.0, "-0.0" },
        { 1, "1.0" },
        { -17, "-17.0" },
        { 0.1, "0.1" },
        { 0.1 + 0.2, "0.30000000000000004" },
        { 1e300, "1e+300" },
        { 5e-324, "5e-324" },
        { 1e15, "1e+15" },
        { -1e15, "-1e+15" },
        { -999999999999999, "-999999999999999.0" },
        { 123456789012345, "123456789012345.0" },
        { 9007199254740993.0, "9007199254740992.0" },
        { 300, "300.0" },
        { (double)NAN, "nan" },
        { (double)INFINITY, "inf" },
        { -(double)INFINITY, "-inf" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf sb = STRBUF_INIT;

        strbuf_add_double (&sb, cases[i].v);
        assert_string_equal (sb.buf, cases[i].text);
        strbuf_release (&sb);
    }
}

static void test_integers (void **state)
{
    static const int64_t cases[] = { 0,         7,        -7, 10, 1234567890123,
                                     INT64_MAX, INT64_MIN };
    char text[32];

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf sb = STRBUF_INIT;

        strbuf_add_int (&sb, cases[i]);
        snprintf (text, sizeof (text), "%" PRId64, cases[i]);
        assert_string_equal (sb.buf, text);
        strbuf_release (&sb);
    }
}

static void test_random_doubles_read_back (void **state)
{
    uint64_t bits = 0x9e3779b97f4a7c15;
    struct strbuf sb = STRBUF_INIT;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        double v, back;

        bits = bits * 6364136223846793005u + 1442695040888963407u;
        memcpy (&v, &bits, sizeof (v));
        if (!isfinite (v))
            continue;
        strbuf_reset (&sb);
        strbuf_add_double (&sb, v);
        back = strtod (sb.buf, NULL);
        assert_memory_equal (&back, &v, sizeof (v));
        assert_non_null (strpbrk (sb.buf, ".e"));
    }
    strbuf_release (&sb);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_empty),
        cmocka_unit_test (test_add),
        cmocka_unit_test (test_shorten),
        cmocka_unit_test (test_long_format),
        cmocka_unit_test (test_reserve_grows_geometrically),
        cmocka_unit_test (test_detach),
        cmocka_unit_test (test_doubles),
        cmocka_unit_test (test_integers),
        cmocka_unit_test (test_random_doubles_read_back),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
