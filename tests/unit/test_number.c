/* SPDX-License-Identifier: BSD-3-Clause */
/* test_number.c - numbers are strtod's to the bit, and nothing else is one */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <locale.h>

#include "formats/number.h"

/* A number of the same bits as strtod's, all of the text taken. */
static void expect_as_strtod (const char *text)
{
    const char *end = text + strlen (text);
    double expected = strtod (text, NULL), found = -1;

    if (number_read (text, end, &found) != end
        || memcmp (&expected, &found, sizeof (found)) != 0)
        fail_msg ("'%s': expected %a, found %a", text, expected, found);
}

static void test_edges (void **state)
{
    static const char *const texts[] = {
        "0",
        "-0",
        "+1",
        ".5",
        "5.",
        "1e5",
        "1E+5",
        "-1.5e-05",
        "0.1",
        "123456789012345678901234567890",
        "0.000000000000000000000000000000000000000000001",
        "9007199254740993",         /* halfway between two doubles */
        "9007199254740993.0000001", /* just above that */
        "9007199254740992.9999999", /* just below */
        "1.00000000000000011102230246251565",
        "1.0000000000000001110223024625156541",
        "4503599627370496.5",
        "4503599627370497.5",
        "18446744073709551615",
        "18446744073709551616",
        "9999999999999999999",
        "1e22",
        "1e23",
        "8.41e21",
        "2.2250738585072011e-308",
        "2.2250738585072014e-308",
        "4.9e-324",
        "2e-324",
        "1.7976931348623157e308",
        "1.7976931348623159e308",
        "1e400",
        "-1e400",
        "1e-400",
        "1e99999999999999999999",
        "0e99999999999999999999",
        "1e-99999999999999999999",
        "5.5511151231257827e-15",
        "0000000000000000000000000000001.5",
        "12345678",
        "1234567.8",
        "0.12345678",
        "12345678901234567",
        "0.00000012345678901234567",
        "1.2345678901234567e-11",
        "inf",
        "-inf",
        "INFINITY",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (texts); i++)
        expect_as_strtod (texts[i]);
}

static uint64_t next_random (uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Doubles as programs print them, and digits nobody would. */
static void make_text (uint64_t random, char *text, size_t size)
{
    uint64_t digits = random >> (random & 31);
    int few = (int)(random >> 56);
    double value;

    switch (random >> 40 & 3) {
    case 0:
        value = ((double)(random >> 11) / 9007199254740992.0 - 0.5) * 20;
        snprintf (text, size, "%.17g", value);
        break;
    case 1:
        memcpy (&value, &random, sizeof (value));
        snprintf (text, size, "%.*g", few % 20 + 1,
                  isfinite (value) ? value : 0);
        break;
    case 2:
        snprintf (text, size, "%" PRIu64 "e%d", digits, few % 80 - 50);
        break;
    default:
        snprintf (text, size, "-0.%0*d%" PRIu64, few % 20 + 1, 0, digits);
        break;
    }
}

static void test_random_texts (void **state)
{
    uint64_t random = 88172645463325252;
    char text[512];

    (void)state;
    for (int i = 0; i < 200000; i++) {
        make_text (next_random (&random), text, sizeof (text));
        expect_as_strtod (text);
    }
}

static void test_nan (void **state)
{
    static const char *const texts[] = { "nan", "-nan", "NaN" };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (texts); i++) {
        const char *end = texts[i] + strlen (texts[i]);
        double value = 0;

        assert_ptr_equal (number_read (texts[i], end, &value), end);
        assert_true (isnan (value));
    }
}

/* How much is taken of what goes on behind the number, 0: no number. */
static void test_where_it_ends (void **state)
{
    static const struct {
        const char *text;
        size_t taken;
    } cases[] = {
        { "1.5 2", 3 }, { "1.5.2", 3 },  { "1e", 1 },  { "1e+", 1 },
        { "1ex", 1 },   { "0x10", 1 },   { "1,5", 1 }, { "12345678abc", 8 },
        { "infx", 3 },  { "nan(1)", 3 }, { "", 0 },    { " 1", 0 },
        { "-", 0 },     { "+-1", 0 },    { ".", 0 },   { "e5", 0 },
        { "in", 0 },    { "abc", 0 },    { "1d5", 1 }, { "--1", 0 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const char *text = cases[i].text;
        double value = 42;
        const char *after = number_read (text, text + strlen (text), &value);

        if (cases[i].taken > 0) {
            assert_ptr_equal (after, text + cases[i].taken);
        } else {
            assert_null (after);
            assert_true (value == 42);
        }
    }
}

/* The text ends where we say, whatever lies behind. */
static void test_no_terminator (void **state)
{
    static const char text[] = "12345678901234567890e5";
    double value;

    (void)state;
    for (size_t len = 1; len < sizeof (text); len++) {
        char *copy = malloc (len); /* so that valgrind sees one byte more */
        char terminated[sizeof (text)] = "";

        memcpy (copy, text, len);
        memcpy (terminated, text, len);
        assert_non_null (number_read (copy, copy + len, &value));
        assert_true (value == strtod (terminated, NULL));
        free (copy);
    }
}

static void test_length_limit (void **state)
{
    char text[NUMBER_MAX_BYTES + 10];
    double value = 42;

    (void)state;
    memset (text, '7', sizeof (text));
    text[0] = '0';
    text[1] = '.';
    assert_null (number_read (text, text + sizeof (text), &value));
    assert_true (value == 42);
    assert_ptr_equal (number_read (text, text + NUMBER_MAX_BYTES, &value),
                      text + NUMBER_MAX_BYTES);
    assert_true (value == 7.0 / 9);
}

static void test_locale_does_not_matter (void **state)
{
    static const char text[] = "1.25e-200";
    double value;

    (void)state;
    setlocale (LC_NUMERIC, "de_DE.UTF-8"); /* where it is installed */
    assert_ptr_equal (number_read (text, text + 9, &value), text + 9);
    setlocale (LC_NUMERIC, "C");
    assert_true (value == 1.25e-200);
}

static void test_integers (void **state)
{
    static const struct {
        const char *text;
        size_t taken;
        int64_t value;
    } cases[] = {
        { "0", 1, 0 },
        { "-17 ", 3, -17 },
        { "+17", 3, 17 },
        { "9223372036854775807", 19, INT64_MAX },
        { "-9223372036854775808", 20, INT64_MIN },
        { "9223372036854775808", 0, 0 },
        { "-9223372036854775809", 0, 0 },
        { "99999999999999999999999", 0, 0 },
        { "1.5", 1, 1 },
        { "", 0, 0 },
        { "-", 0, 0 },
        { "x", 0, 0 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const char *text = cases[i].text;
        int64_t value = 42;
        const char *after = integer_read (text, text + strlen (text), &value);

        if (cases[i].taken > 0) {
            assert_ptr_equal (after, text + cases[i].taken);
            assert_true (value == cases[i].value);
        } else {
            assert_null (after);
            assert_true (value == 42);
        }
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_edges),
        cmocka_unit_test (test_random_texts),
        cmocka_unit_test (test_nan),
        cmocka_unit_test (test_where_it_ends),
        cmocka_unit_test (test_no_terminator),
        cmocka_unit_test (test_length_limit),
        cmocka_unit_test (test_locale_does_not_matter),
        cmocka_unit_test (test_integers),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
