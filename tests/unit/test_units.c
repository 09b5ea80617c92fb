/* SPDX-License-Identifier: BSD-3-Clause */
/* test_units.c - what people write and what they read */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/units.h"

static void test_durations (void **state)
{
    static const struct {
        const char *text;
        double s;
    } cases[] = {
        { "0", 0 },
        { "90", 90 },
        { "90s", 90 },
        { "1.5", 1.5 },
        { "30m", 1800 },
        { "1.5h", 5400 },
        { "2d", 172800 },
        { "1h30m", 5400 },
        { "1d2h3m4.5s", 93784.5 },
        { "10:00", 600 },
        { "90:00", 5400 },
        { "02:30:00", 9000 },
        { "100:00:00", 360000 },
        { "1-02:00:00", 93600 },
        { "1-02:30", 95400 },
        { "7-00", 604800 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        double s = -1;

        assert_int_equal (parse_duration (cases[i].text, &s), 0);
        assert_true (s == cases[i].s);
    }
}

static void test_bad_durations (void **state)
{
    static const char *const cases[] = {
        "",       " ",     "1 h",     " 1",    "1h ",    "-1",   "+1",
        "h",      "1x",    "1h30",    "30m1h", "1h1h",   "1e3",  "0x10",
        "inf",    "nan",   ".5h",     "1.h",   "1.2.3s", "1:60", "1:00:60",
        ":30",    "1:",    "1:2:3:4", "1-24",  "1-0:60", "1-",   "-1:00",
        "1.5:00", "1-1.5", "1:-2",    "1--2",  "1H",     "1h\n", "unlimited",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        double s = 42;

        if (parse_duration (cases[i], &s) != -1)
            fail_msg ("'%s' was taken", cases[i]);
        assert_true (s == 42);
    }
}

static void test_hostile_durations (void **state)
{
    char text[5000];
    double s = 42;

    (void)state;
    for (size_t i = 0; i < sizeof (text) - 1; i++)
        text[i] = '9';
    text[sizeof (text) - 1] = '\0';
    assert_int_equal (parse_duration (text, &s), -1);
    text[50] = ':';
    assert_int_equal (parse_duration (text, &s), -1);
    assert_true (s == 42);
}

static void test_bytes (void **state)
{
    static const struct {
        const char *text;
        int64_t bytes;
    } cases[] = {
        { "0", 0 },
        { "512", 512 },
        { "512B", 512 },
        { "64KiB", 65536 },
        { "8GiB", 8589934592 },
        { "1.5TiB", 1649267441664 },
        { "2GB", 2000000000 },
        { "3TB", 3000000000000 },
        { "1.001kB", 1001 },
        { "4.35GB", 4350000000 },
        { "0.5KiB", 512 },
        { "9007199254740991", 9007199254740991 },
        { "7PiB", 7 * (INT64_C (1) << 50) },
        { "9PB", 9000000000000000 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        int64_t bytes = -1;

        if (parse_bytes (cases[i].text, &bytes) != 0)
            fail_msg ("'%s' was refused", cases[i].text);
        assert_true (bytes == cases[i].bytes);
    }
}

static void test_bad_bytes (void **state)
{
    static const char *const cases[] = {
        "",     "-1",    "+1",      "1.5",       "0.3KiB",
        "GiB",  "1 GiB", "1gib",    "1G",        "1e3",
        "0x10", "1.",    ".5KiB",   "8PiB",      "9007199254740992",
        "1B ",  "inf",   "1.0.0kB", "99999PiBB", "100000000000000000000PiB",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        int64_t bytes = 42;

        if (parse_bytes (cases[i], &bytes) != -1)
            fail_msg ("'%s' was taken", cases[i]);
        assert_true (bytes == 42);
    }
}

static void test_format_duration (void **state)
{
    static const struct {
        double s;
        const char *text;
    } cases[] = {
        { 0, "0.0s" },       { -3, "0.0s" },        { 0.44, "0.4s" },
        { 9.94, "9.9s" },    { 9.96, "10s" },       { 42, "42s" },
        { 59.4, "59s" },     { 59.6, "1m00s" },     { 190, "3m10s" },
        { 3599.6, "1h00m" }, { 7500, "2h05m" },     { 273600, "3d04h" },
        { 86400, "1d00h" },  { 8.64e14, "1e+10d" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf out = STRBUF_INIT;

        format_duration (cases[i].s, &out);
        assert_string_equal (out.buf, cases[i].text);
        strbuf_release (&out);
    }
}

static void test_format_bytes (void **state)
{
    static const struct {
        int64_t bytes;
        const char *text;
    } cases[] = {
        { 0, "0 B" },
        { 512, "512 B" },
        { 1023, "1023 B" },
        { 1536, "1.5 KiB" },
        { 1048575, "1.0 MiB" },
        { 8589934592, "8.0 GiB" },
        { INT64_MAX, "8.0 EiB" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf out = STRBUF_INIT;

        format_bytes (cases[i].bytes, &out);
        assert_string_equal (out.buf, cases[i].text);
        strbuf_release (&out);
    }
}

static void test_format_count (void **state)
{
    static const struct {
        int64_t n;
        const char *text;
    } rows[] = { { 0, "0 tasks" },
                 { 1, "1 task" },
                 { 2, "2 tasks" },
                 { 1000001, "1000001 tasks" } };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct strbuf text = STRBUF_INIT;

        format_count (rows[i].n, "task", &text);
        assert_string_equal (text.buf, rows[i].text);
        strbuf_release (&text);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_durations),
        cmocka_unit_test (test_bad_durations),
        cmocka_unit_test (test_hostile_durations),
        cmocka_unit_test (test_bytes),
        cmocka_unit_test (test_bad_bytes),
        cmocka_unit_test (test_format_duration),
        cmocka_unit_test (test_format_bytes),
        cmocka_unit_test (test_format_count),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
