/* SPDX-License-Identifier: BSD-3-Clause */
/* test_json_text.c - finding the way in a JSON text without making values */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/json_text.h"

/* A copy without the NUL, so that reading on is noticed. */
static char *exactly (const char *text)
{
    size_t len = strlen (text);
    char *copy = xmalloc (len + 1);

    copy = xrealloc (memcpy (copy, text, len), len > 0 ? len : 1);
    return copy;
}

static void test_skip (void **state)
{
    static const struct {
        const char *text;
        const char *rest; /* NULL: there is no value */
    } cases[] = {
        { "12, 3", ", 3" },
        { "-1.5e3]", "]" },
        { "null", "" },
        { "\"a\"}", "}" },
        { "\"\\\"\" :", " :" },
        { "\"\\\\\",", "," },
        { "[]x", "x" },
        { "[1, [2], {\"a\": [3]}], 4", ", 4" },
        { "{\"]\": \"}\\\"]\"} ", " " },
        { "", NULL },
        { ", 1", NULL },
        { "\"a", NULL },
        { "\"a\\", NULL },
        { "[1, 2", NULL },
        { "{\"a", NULL },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        size_t len = strlen (cases[i].text);
        char *text = exactly (cases[i].text);
        const char *behind = json_text_skip (text, text + len);

        if (cases[i].rest)
            assert_int_equal (behind - text, len - strlen (cases[i].rest));
        else
            assert_null (behind);
        free (text);
    }
}

static void test_member (void **state)
{
    static const struct {
        const char *text;
        const char *found; /* NULL: it is not there */
    } cases[] = {
        { "{\"a\": 1}", "1}" },
        { " { \"b\" : [\"a\", {\"a\": 1}] ,\n \"a\"\t:\r2 }", "2 }" },
        { "{\"a\": 1, \"a\": 2}", "1, \"a\": 2}" },
        { "{\"ab\": 1, \"\": 2, \"a\": 3}", "3}" },
        { "{\"\\\"\": \"\\\"a\\\": 4\", \"a\": 5}", "5}" },
        { "{\"a\":", "" },
        { "{\"b\": 1}", NULL },
        { "{\"\\u0061\": 1}", NULL },
        { "[\"a\", 1]", NULL },
        { "\"a\": 1", NULL },
        { "{\"b\": , \"a\": 1}", NULL },
        { "{\"b\" 2, \"a\": 1}", NULL },
        { "{\"b\": [, \"a\": 1}", NULL },
        { "{", NULL },
        { "{\"a\"", NULL },
        { "", NULL },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        size_t len = strlen (cases[i].text);
        char *text = exactly (cases[i].text);
        const char *found = json_text_member (text, len, "a");

        if (cases[i].found)
            assert_int_equal (found - text, len - strlen (cases[i].found));
        else
            assert_null (found);
        free (text);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_skip),
        cmocka_unit_test (test_member),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
