/* SPDX-License-Identifier: BSD-3-Clause */
/* test_config_changes.c - what differs between two configurations */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "campaign/config_changes.h"
#include "quoted_json.h"

static const struct {
    const char *before, *after, *changes;
} rows[] = {
    { "{}", "{}", "[]" },
    { "{'campaign':{'seed':1}}", "{'campaign':{'seed':1}}", "[]" },
    { "{'campaign':{'seed':1}}", "{'campaign':{'seed':2}}",
      "[{'key':'seed','old':'1','new':'2'}]" },
    { "{'campaign':{'stages':{'a':{'with':{'n':1,'m':[1]}}}}}",
      "{'campaign':{'stages':{'a':{'with':{'m':[1,2]}}}}}",
      "[{'key':'stages.a.with.n','old':'1'},"
      "{'key':'stages.a.with.m','old':'[1]','new':'[1,2]'}]" },
    { "{'campaign':{}}", "{'campaign':{'stop':{'iterations':3}}}",
      "[{'key':'stop','new':'{\\\"iterations\\\":3}'}]" },
    { "{'campaign':{'stages':{'a':{},'b':{}}}}",
      "{'campaign':{'stages':{'b':{},'a':{}}}}", "[]" },
    { "{'campaign':{'when':null}}", "{'campaign':{'when':'x'}}",
      "[{'key':'when','old':'null','new':'\\\"x\\\"'}]" },
    { "{'site':{'cpu':{'queue':'a'}}}", "{'site':{'cpu':{'queue':'b'}}}",
      "[{'key':'profiles.cpu.queue','old':'\\\"a\\\"','new':'\\\"b\\\"'}]" },
    { "{'campaign':{},'site':{'cpu':{}}}", "{'campaign':{},'site':{}}",
      "[{'key':'profiles.cpu','old':'{}'}]" },
    { "{'store':'/a'}", "{'store':'/a'}", "[]" },
    { "{'store':'/a'}", "{'store':'/b'}",
      "[{'key':'store','old':'\\\"/a\\\"','new':'\\\"/b\\\"'}]" },
    { "{'reuse_from':['/a']}", "{}",
      "[{'key':'reuse_from','old':'[\\\"/a\\\"]'}]" },
    { "{}", "{'store':'/b'}", "[{'key':'store','new':'\\\"/b\\\"'}]" },
};

static void test_table (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct json *before = json_of (rows[i].before);
        struct json *after = json_of (rows[i].after);
        struct json *wanted = json_of (rows[i].changes);
        struct json *got = config_changes (before, after);

        print_message ("# row %zu\n", i);
        assert_true (json_equal (got, wanted));
        json_unref (got);
        json_unref (wanted);
        json_unref (after);
        json_unref (before);
    }
}

/* Text is cut between characters, and a long list says how long it is. */
static void test_much (void **state)
{
    struct json *after = json_object (), *campaign = json_object (), *got;
    struct strbuf text = STRBUF_INIT;
    const char *shown;

    (void)state;
    for (int i = 0; i < 150; i++)
        strbuf_add_str (&text, "\u00e4");
    for (int i = 0; i < 70; i++) {
        char key[16];

        snprintf (key, sizeof (key), "k%d", i);
        json_set (campaign, key, json_string (text.buf));
    }
    json_set (after, "campaign", campaign);
    got = config_changes (NULL, after);
    assert_int_equal (json_count (got), 65);
    assert_int_equal (json_get_int (json_at (got, 64), "more"), 6);
    shown = json_get_string (json_at (got, 0), "new");
    assert_int_equal (strlen (shown), 1 + 2 * 99 + 3);
    assert_string_equal (shown + strlen (shown) - 5, "\u00e4...");
    json_unref (got);
    json_unref (after);
    strbuf_release (&text);
}

static void test_words (void **state)
{
    static const struct {
        const char *change, *text;
    } cases[] = {
        { "{'key':'a.b','old':'1','new':'2'}", "a.b 1 -> 2" },
        { "{'key':'a','old':'[1]'}", "a [1] -> (not set)" },
        { "{'key':'a','new':'x'}", "a (not set) -> x" },
        { "{'key':'a','old':'x','new':'more than ten'}", "a (changed)" },
        { "{'key':'a','old':'more than ten'}", "a (gone)" },
        { "{'key':'a','new':'more than ten'}", "a (new)" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *change = json_of (cases[i].change);
        struct strbuf text = STRBUF_INIT;

        config_change_text (change, 10, &text);
        assert_string_equal (text.buf, cases[i].text);
        strbuf_release (&text);
        json_unref (change);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_table),
        cmocka_unit_test (test_much),
        cmocka_unit_test (test_words),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
