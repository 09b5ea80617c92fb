/* SPDX-License-Identifier: BSD-3-Clause */
/* test_wrap.c - lines no longer than a terminal is wide, and what a terminal
 * can do
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/terminal.h"
#include "base/wrap.h"

static const struct {
    int width;
    const char *text, *wrapped;
} rows[] = {
    { 20, "", "" },
    { 20, "short\n\n  as it is\n", "short\n\n  as it is\n" },
    { 0, "no width, so no line break at all",
      "no width, so no line break at all" },
    { 20, "one two three four five six\n", "one two three four\n  five six\n" },
    /* to the last column */
    { 18, "one two three four five\n", "one two three four\n  five\n" },
    /* what goes on has the indent of its line */
    { 20, "  label  12 ok, 3 failed\n", "  label  12 ok, 3\n    failed\n" },
    { 60, "  a line that has more words than a terminal of 64 columns shows\n",
      "  a line that has more words than a terminal of 64 columns\n"
      "      shows\n" },
    /* a word that is longer stays whole, on its line where it begins one */
    { 10, "/a/path/that/is/long x\n", "/a/path/that/is/long\n  x\n" },
    { 10, "see /a/path/that/is/long\n", "see\n  /a/path/that/is/long\n" },
    /* characters, not bytes */
    { 12, "\u00e4\u00e4\u00e4\u00e4 \u00e4\u00e4\u00e4\u00e4 ab c\n",
      "\u00e4\u00e4\u00e4\u00e4 \u00e4\u00e4\u00e4\u00e4 ab\n  c\n" },
    /* no line is shorter than its indent */
    { 1, "a b\n", "a b\n" },
    { 20, "trailing   \n", "trailing\n" },
};

static void test_texts (void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct strbuf out = STRBUF_INIT;

        wrap_text (rows[i].text, rows[i].width, &out);
        assert_string_equal (rows[i].wrapped, out.buf);
        strbuf_release (&out);
    }
}

/* In pieces that end at any blank it comes to the same. */
static void test_pieces (void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct wrap wrap = { .words = false };
        struct strbuf out = STRBUF_INIT;
        const char *from = rows[i].text;

        while (*from) {
            size_t n = strcspn (from, " ");

            n += from[n] == ' ';
            wrap_add (&wrap, from, n, rows[i].width, &out);
            from += n;
        }
        assert_string_equal (rows[i].wrapped, out.buf);
        strbuf_release (&out);
    }
}

static void test_colour (void **unused)
{
    static const struct {
        const char *term, *colorterm, *no_color;
        bool has;
    } cases[] = {
        { "xterm-256color", NULL, NULL, true },
        { "xterm", NULL, "", true },
        { "xterm", "truecolor", "1", false },
        { "xterm", NULL, "0", false },
        { "linux", NULL, NULL, true },
        { "vt100", NULL, NULL, false },
        { "vt100", "truecolor", NULL, true },
        { "xterm-mono", NULL, NULL, false },
        { "dumb", "truecolor", NULL, false },
        { "", NULL, NULL, false },
        { NULL, "truecolor", NULL, false },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++)
        assert_int_equal (terminal_has_colour (cases[i].term,
                                               cases[i].colorterm,
                                               cases[i].no_color),
                          cases[i].has);
}

static void test_utf8 (void **unused)
{
    (void)unused;
    assert_true (terminal_has_utf8 (NULL, NULL, "de_DE.UTF-8"));
    assert_true (terminal_has_utf8 ("", "en_US.utf8", "C"));
    assert_true (terminal_has_utf8 ("C.UTF-8", "C", "C"));
    assert_false (terminal_has_utf8 ("C", "en_US.utf8", "en_US.utf8"));
    assert_false (terminal_has_utf8 (NULL, NULL, NULL));
    assert_false (terminal_has_utf8 (NULL, NULL, "POSIX"));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_texts),
        cmocka_unit_test (test_pieces),
        cmocka_unit_test (test_colour),
        cmocka_unit_test (test_utf8),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
