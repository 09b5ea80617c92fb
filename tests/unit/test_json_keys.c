/* SPDX-License-Identifier: BSD-3-Clause */
/* test_json_keys.c - where in a JSON text its keys are */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json_keys.h"

static int add_key (const char *key, size_t line, void *arg, struct error *err)
{
    struct strbuf *told = arg;

    (void)err;
    strbuf_addf (told, "%s:%zu ", key, line);
    return strcmp (key, "stop") == 0 ? 7 : 0;
}

static const struct {
    const char *text, *keys;
} cases[] = {
    { "{}", "" },
    { "[1, 2]", "" },
    { "{\"a\": 1,\n \"b\": {\"c\": [], \"d\": \"x\"}}",
      "a:1 b:2 b.c:2 b.d:2 " },
    { "{\"a\":\n\n\"\\\"}{\",\n\"b\"\n: 2}", "a:1 b:4 " },
    { "{\"l\": [{\"k\": 1},\n {\"k\": 2}, [{\"k\": 3}]]}",
      "l:1 l[0].k:1 l[1].k:2 l[2][0].k:2 " },
    { "[{\"k\": true}, null, -1.5e3]", "[0].k:1 " },
    { "{\"a\\\"b\": 1}", "a\\\"b:1 " },
    { "{\"a\": 1, \"stop\": 2, \"b\": 3}", "a:1 stop:1 " },
    /* what is no JSON ends the scan */
    { "", "" },
    { "{\"a\": 1, \"b", "a:1 " },
    { "{\"a\" 1}", "" },
    { "{\"a\": {\"b\": 1", "a:1 a.b:1 " },
    { "{\"a\": \"\\", "a:1 " },
};

static void test_keys (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf told = STRBUF_INIT;
        int rc = json_each_key (cases[i].text, strlen (cases[i].text), add_key,
                                &told, NULL);

        assert_string_equal (told.buf, cases[i].keys);
        assert_int_equal (rc, strstr (cases[i].keys, "stop") ? 7 : 0);
        strbuf_release (&told);
    }
}

static void test_deep (void **state)
{
    struct strbuf text = STRBUF_INIT;

    (void)state;
    for (int i = 0; i < 100000; i++)
        strbuf_add_str (&text, "{\"k\":[");
    assert_int_equal (json_key_line (text.buf, text.len, "k"), 1);
    assert_int_equal (json_key_line (text.buf, text.len, "none"), 0);
    strbuf_release (&text);
}

static void test_line (void **state)
{
    static const char text[] = "{\n\"training\": {\n  \"seed\": 1,\n"
                               "  \"seed\": 2},\n\"seed\": 3}\n";

    (void)state;
    assert_int_equal (json_key_line (text, strlen (text), "training.seed"), 3);
    assert_int_equal (json_key_line (text, strlen (text), "seed"), 5);
    assert_int_equal (json_key_line (text, strlen (text), "training"), 2);
    assert_int_equal (json_key_line (text, strlen (text), "train"), 0);
}

int main (void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_keys),
        cmocka_unit_test (test_deep),
        cmocka_unit_test (test_line),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
