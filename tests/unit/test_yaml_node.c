/* SPDX-License-Identifier: BSD-3-Clause */
/* test_yaml_node.c - scalars as bools, numbers, null and JSON */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "base/yaml_tree.h"

static struct yaml_node plain (const char *text)
{
    return (struct yaml_node){ .kind = YAML_SCALAR, .text = text };
}

static void test_null (void **state)
{
    static const struct {
        const char *text;
        bool is_null;
    } cases[] = { { "", true },      { "~", true },  { "null", true },
                  { "Null", false }, { "0", false }, { "none", false } };
    struct yaml_node node;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        node = plain (cases[i].text);
        assert_int_equal (yaml_is_null (&node), cases[i].is_null);
        node.quoted = true;
        assert_false (yaml_is_null (&node));
    }
    assert_true (yaml_is_null (NULL));
}

static void test_bool (void **state)
{
    static const char *const others[] = { "True", "yes", "on",    "no", "1",
                                          "0",    "",    "truey", "~" };
    struct yaml_node node = plain ("true");
    bool b = false;

    (void)state;
    assert_int_equal (yaml_to_bool (&node, &b), 0);
    assert_true (b);
    node.quoted = true;
    assert_int_equal (yaml_to_bool (&node, &b), -1);
    for (size_t i = 0; i < ARRAY_SIZE (others); i++) {
        node = plain (others[i]);
        assert_int_equal (yaml_to_bool (&node, &b), -1);
        assert_true (b);
    }
    node = plain ("false");
    assert_int_equal (yaml_to_bool (&node, &b), 0);
    assert_false (b);
    assert_int_equal (yaml_to_bool (NULL, &b), -1);
}

static void test_numbers (void **state)
{
    static const struct {
        const char *text;
        bool is_int;
        bool is_double;
        double v;
    } cases[] = {
        { "0", true, true, 0 },
        { "-17", true, true, -17 },
        { "+4", true, true, 4 },
        { "9007199254740991", true, true, 9007199254740991 },
        { "9007199254740992", false, true, 0x1p53 },
        { "9223372036854775808", false, true, 0x1p63 },
        { "1.5", false, true, 1.5 },
        { "1.", false, true, 1 },
        { ".5", false, true, 0.5 },
        { "-1e-3", false, true, -1e-3 },
        { "2E+2", false, true, 200 },
        { "0.985", false, true, 0.985 },
        { "1e999", false, false, 0 },
        { "010", false, false, 0 },
        { "00.5", false, false, 0 },
        { "1_000", false, false, 0 },
        { "0x10", false, false, 0 },
        { ".inf", false, false, 0 },
        { "nan", false, false, 0 },
        { "infinity", false, false, 0 },
        { ".", false, false, 0 },
        { "-", false, false, 0 },
        { "", false, false, 0 },
        { "1e", false, false, 0 },
        { "e5", false, false, 0 },
        { "1 ", false, false, 0 },
        { "1s", false, false, 0 },
        { "--1", false, false, 0 },
        { "1.2.3", false, false, 0 },
        { "2026-11-21", false, false, 0 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct yaml_node node = plain (cases[i].text);
        int64_t n = 42;
        double d = 42;

        assert_int_equal (yaml_to_int (&node, &n), cases[i].is_int ? 0 : -1);
        assert_true ((double)n == (cases[i].is_int ? cases[i].v : 42));
        assert_int_equal (yaml_to_double (&node, &d),
                          cases[i].is_double ? 0 : -1);
        assert_true (d == (cases[i].is_double ? cases[i].v : 42));
        node.quoted = true;
        assert_int_equal (yaml_to_int (&node, &n), -1);
        assert_int_equal (yaml_to_double (&node, &d), -1);
    }
}

static void test_kind_names (void **state)
{
    struct yaml_node node = plain ("x");

    (void)state;
    assert_string_equal (yaml_kind_name (&node), "text");
    node.kind = YAML_SEQUENCE;
    assert_string_equal (yaml_kind_name (&node), "a list");
    node.kind = YAML_MAPPING;
    assert_string_equal (yaml_kind_name (&node), "a mapping");
    assert_string_equal (yaml_kind_name (NULL), "nothing");
}

static void test_json (void **state)
{
    static const char text[] = "a: [1, -2.5, true, ~, x, '1', 1e999]\n"
                               "b: {c: 18446744073709551616}\n"
                               "d:\n";
    struct yaml_tree *tree =
        yaml_tree_parse (text, strlen (text), "c.yaml", NULL);
    struct json *v;
    struct strbuf out = STRBUF_INIT;

    (void)state;
    assert_non_null (tree);
    v = yaml_to_json (yaml_tree_root (tree));
    json_dump (v, JSON_COMPACT, &out);
    assert_string_equal (out.buf,
                         "{\"a\":[1,-2.5,true,null,\"x\",\"1\",\"1e999\"],"
                         "\"b\":{\"c\":\"18446744073709551616\"},\"d\":null}");
    json_unref (v);
    strbuf_release (&out);
    yaml_tree_destroy (tree);
    v = yaml_to_json (NULL);
    assert_true (json_is_null (v));
    json_unref (v);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_null),    cmocka_unit_test (test_bool),
        cmocka_unit_test (test_numbers), cmocka_unit_test (test_kind_names),
        cmocka_unit_test (test_json),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
