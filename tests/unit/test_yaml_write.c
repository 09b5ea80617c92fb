/* SPDX-License-Identifier: BSD-3-Clause */
/* test_yaml_write.c - what is written is read again as the same */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/yaml_write.h"

static const struct {
    const char *from, *to;
} texts[] = {
    { "a: 1\n", "a: 1\n" },
    { "a: '1'\n", "a: \"1\"\n" },
    { "a: b c\n", "a: \"b c\"\n" },
    { "a: ~\nb:\n", "a: null\nb: null\n" },
    { "a: \"\"\n", "a: \"\"\n" },
    { "a: {}\nb: []\n", "a: {}\nb: []\n" },
    { "a: [x, [1, 1.10], 007, \"{n}\"]\n",
      "a: [x, [1, 1.10], 007, \"{n}\"]\n" },
    { "a:\n- b: 1\n  c: 2\n- d\n", "a:\n  - {b: 1, c: 2}\n  - d\n" },
    { "a: {b: {c: 1}, d: x}\n", "a:\n  b: {c: 1}\n  d: x\n" },
    { "a: |\n  one\n\n   two: '{x}'\nb: 1\n",
      "a: |\n  one\n\n   two: '{x}'\nb: 1\n" },
    { "a: |-\n  one\n  two\n", "a: |-\n  one\n  two\n" },
    { "a: \" x\\ny\"\n", "a: \" x\\ny\"\n" },
    { "\"a b\": 1\n", "\"a b\": 1\n" },
    { "a: '-'\nb: '- c'\n", "a: \"-\"\nb: \"- c\"\n" },
    { "a:\n- x\n- |\n  one\n  two\n", "a:\n  - x\n  - |\n    one\n    two\n" },
    { "a: [x, {b: 1}]\n", "a:\n  - x\n  - {b: 1}\n" },
    { "a: \"x\\Ny\\L\\Pz\"\n", "a: \"x\\u0085y\\u2028\\u2029z\"\n" },
    { "a: \"one\\ntwo\\Lthree\"\n", "a: \"one\\ntwo\\u2028three\"\n" },
};

static void written (const char *yaml, struct strbuf *out)
{
    struct problems problems = PROBLEMS_INIT;
    struct yaml_tree *tree =
        yaml_tree_parse (yaml, strlen (yaml), "t", &problems);

    if (!tree)
        fail_msg ("not read: %s", yaml);
    yaml_write_pairs (yaml_tree_root (tree), 0, out);
    yaml_tree_destroy (tree);
    problems_release (&problems);
}

static void test_as_expected (void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof (texts) / sizeof (texts[0]); i++) {
        struct strbuf once = STRBUF_INIT, twice = STRBUF_INIT;

        written (texts[i].from, &once);
        assert_string_equal (once.buf, texts[i].to);
        written (once.buf, &twice);
        assert_string_equal (twice.buf, once.buf);
        strbuf_release (&once);
        strbuf_release (&twice);
    }
}

static const char *const values[] = {
    "{\"a\":null,\"b\":true,\"c\":-3,\"d\":1e-07,\"e\":[]}",
    "{\"a\":\"null\",\"b\":\"true\",\"c\":\"-3\",\"d\":\"1e-07\",\"e\":\"~\"}",
    "{\"a\":\"\",\"b\":\" x \",\"c\":\"a: b\",\"d\":\"# no\",\"e\":\"x\\ty\"}",
    "{\"a\":[{\"b\":[[1,2],[\"p q\",\"{n}\"]]},{}],\"c d\":{\"e\":{\"f\":1}}}",
    "{\"a\":\"one\\ntwo\\n\",\"b\":\"one\\n\\n\",\"c\":\"\\n\",\"d\":"
    "\"x\\ry\"}",
    "{\"a\":\"\xc3\xa9\xe2\x82\xac\",\"b\":\"*x\",\"c\":\"'q'\",\"d\":"
    "\"\\\"\"}",
    "{\"a\":\"one\\ntwo\\u2028b: 3\",\"b\":\"x\\u0085y\",\"c\\u2029\":\"z\"}",
    "{\"a\":\"\\u007f\\u0080\\u009f\\u00a0\\ufeff\\ufffd\\ufffe\\uffff\\ud83d"
    "\\ude00\"}",
    "{\"a\":[\"x\",\"one\\ntwo\",{\"b\":1},[\"y\",[{\"c\":[]}]]]}",
};

static void comes_back (const char *json)
{
    struct json *v = json_parse (json, strlen (json), "v", NULL);
    struct arena *arena = arena_create ();
    struct problems problems = PROBLEMS_INIT;
    struct strbuf text = STRBUF_INIT;
    struct yaml_tree *tree;
    struct json *back;

    assert_non_null (v);
    yaml_write_pairs (yaml_from_json (arena, v), 0, &text);
    tree = yaml_tree_parse (text.buf, text.len, "t", &problems);
    if (!tree)
        fail_msg ("not read: %s", text.buf);
    back = yaml_to_json (yaml_tree_root (tree));
    if (!json_equal (v, back))
        fail_msg ("another value: %s", text.buf);
    json_unref (back);
    yaml_tree_destroy (tree);
    strbuf_release (&text);
    problems_release (&problems);
    arena_destroy (arena);
    json_unref (v);
}

static void test_json_comes_back (void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof (values) / sizeof (values[0]); i++)
        comes_back (values[i]);
}

/* Keys of any length: libyaml looks for a colon within 1024 characters. */
static void test_long_keys_come_back (void **unused)
{
    static const int lengths[] = { 127, 128, 129, 1024, 5000 };

    (void)unused;
    for (size_t i = 0; i < sizeof (lengths) / sizeof (lengths[0]); i++) {
        struct strbuf json = STRBUF_INIT;

        strbuf_addf (&json, "{\"a\":{\"%0*d\":[{\"%0*d\\u2028\":{\"b\":1}}]}}",
                     lengths[i], 1, lengths[i], 2);
        comes_back (json.buf);
        strbuf_release (&json);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_as_expected),
        cmocka_unit_test (test_json_comes_back),
        cmocka_unit_test (test_long_keys_come_back),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
