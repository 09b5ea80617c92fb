/* SPDX-License-Identifier: BSD-3-Clause */
/* test_harmless.c - what a terminal would take for orders, and what it shows */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <unistd.h>

#include "base/file.h"
#include "base/harmless.h"
#include "in_temp_dir.h"

static void test_text (void **state)
{
    static const struct {
        const char *given, *shown;
    } cases[] = {
        { "plain, tab\tline\n", "plain, tab\tline\n" },
        { "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xc2\xa0",
          "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xc2\xa0" },
        { "\x1b]0;title\x07\x1b[2J", "\\u001b]0;title\\u0007\\u001b[2J" },
        { "a\rb\x7f\b", "a\\u000db\\u007f\\u0008" },
        { "\xc2\x80\xc2\x9b"
          "31m\xc2\x9f",
          "\\u0080\\u009b31m\\u009f" },
        { "\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f", "\\u061c\\u200e\\u200f" },
        { "\xe2\x80\xa8\xe2\x80\xaa\xe2\x80\xae\xe2\x80\xaf",
          "\\u2028\\u202a\\u202e\xe2\x80\xaf" },
        { "\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa",
          "\xe2\x81\xa5\\u2066\\u2069\xe2\x81\xaa" },
        { "\x9b"
          "31m",
          "\\x9b31m" },
        { "\xc0\x9b", "\\xc0\\x9b" },          /* overlong */
        { "\xe0\x82\x9b", "\\xe0\\x82\\x9b" }, /* overlong */
        { "\xed\xa0\x80", "\\xed\\xa0\\x80" }, /* a surrogate */
        { "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },
        { "\xe2\x80z", "\\xe2\\x80z" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf out = STRBUF_INIT;
        size_t n = strlen (cases[i].given);

        assert_int_equal (harmless_add (cases[i].given, n, &out), n);
        assert_string_equal (out.buf, cases[i].shown);
        strbuf_release (&out);
    }
}

/* What 'pieces' leave in a file, each of them one write. */
static void assert_written (const char *const *pieces, const char *want)
{
    FILE *to = fopen ("out", "w"), *stream = to;
    struct strbuf got = STRBUF_INIT;

    assert_non_null (to);
    harmless_stream (&stream, fileno (to), true);
    assert_ptr_not_equal (stream, to);
    for (size_t i = 0; pieces[i]; i++) {
        fputs (pieces[i], stream);
        assert_int_equal (fflush (stream), 0);
    }
    fclose (stream);
    fclose (to);
    assert_int_equal (file_read ("out", 1000, &got, NULL), 0);
    assert_string_equal (got.buf, want);
    strbuf_release (&got);
}

static void test_stream (void **state)
{
    (void)state;
    assert_written ((const char *const[]){ "a\x1b[2J\n", "b", NULL },
                    "a\\u001b[2J\nb");
    /* Characters that two writes share. */
    assert_written ((const char *const[]){ "\xe2", "\x80", "\xaez", NULL },
                    "\\u202ez");
    assert_written ((const char *const[]){ "\xe2\x82", "\xac", NULL },
                    "\xe2\x82\xac");
    assert_written ((const char *const[]){ "\xe2\x82", "z", NULL },
                    "\\xe2\\x82z");
    /* Only what is printed to erase the line does so. */
    assert_written ((const char *const[]){ ERASE_LINE, "a" ERASE_LINE, NULL },
                    ERASE_LINE "a\\u000d\\u001b[K");
}

static void test_full_disk (void **state)
{
    FILE *full = fopen ("/dev/full", "w"), *stream = full;

    (void)state;
    assert_non_null (full);
    harmless_stream (&stream, fileno (full), true);
    fputs ("lost", stream);
    assert_int_equal (fflush (stream), EOF);
    fclose (stream);
    fclose (full);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_text),
        cmocka_unit_test_setup_teardown (test_stream, enter, leave),
        cmocka_unit_test (test_full_disk),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
