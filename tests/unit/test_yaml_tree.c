/* SPDX-License-Identifier: BSD-3-Clause */
/* test_yaml_tree.c - what is read, what is refused and where */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/yaml_tree.h"
#include "temp_dir.h"

static struct yaml_tree *parse (const char *text)
{
    struct problems problems = PROBLEMS_INIT;
    struct yaml_tree *tree =
        yaml_tree_parse (text, strlen (text), "c.yaml", &problems);
    struct strbuf out = STRBUF_INIT;

    problems_format (&problems, &out);
    if (!tree || problems.n > 0)
        fail_msg ("%s", out.buf);
    strbuf_release (&out);
    problems_release (&problems);
    return tree;
}

static void assert_refused (const char *text, const char *expected)
{
    struct problems problems = PROBLEMS_INIT;
    struct strbuf out = STRBUF_INIT;

    assert_null (yaml_tree_parse (text, strlen (text), "c.yaml", &problems));
    problems_sort (&problems);
    problems_format (&problems, &out);
    assert_string_equal (out.buf, expected);
    strbuf_release (&out);
    problems_release (&problems);
}

static void test_tree (void **state)
{
    struct yaml_tree *tree = parse ("campaign: silicon\n"
                                    "elements: [Si, \"O\"]\n"
                                    "stages:\n"
                                    "  label:\n"
                                    "    uses: qe.label\n"
                                    "note: |\n"
                                    "  two\n"
                                    "  lines\n");
    const struct yaml_node *root = yaml_tree_root (tree), *node;

    (void)state;
    assert_int_equal (root->kind, YAML_MAPPING);
    assert_int_equal (root->n, 4);
    node = yaml_get (root, "campaign");
    assert_string_equal (node->text, "silicon");
    assert_false (node->quoted);
    assert_string_equal (node->mark.file, "c.yaml");
    assert_int_equal (node->mark.line, 1);
    assert_int_equal (node->mark.column, 11);
    node = yaml_get (root, "elements");
    assert_int_equal (node->kind, YAML_SEQUENCE);
    assert_int_equal (node->n, 2);
    assert_string_equal (node->items[1]->text, "O");
    assert_true (node->items[1]->quoted);
    assert_null (node->keys);
    node = yaml_get (yaml_get (yaml_get (root, "stages"), "label"), "uses");
    assert_string_equal (node->text, "qe.label");
    assert_int_equal (node->mark.line, 5);
    node = yaml_get (root, "note");
    assert_string_equal (node->text, "two\nlines\n");
    assert_true (node->quoted);
    assert_null (yaml_get (root, "nothing"));
    assert_null (yaml_get (node, "x"));
    assert_null (yaml_get (NULL, "x"));
    yaml_tree_destroy (tree);
}

static void test_empty_documents (void **state)
{
    static const char *const texts[] = {
        "", "\n", "# nothing\n", "---\n", "\xef\xbb\xbf", "---\n...\n"
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (texts); i++) {
        struct yaml_tree *tree = parse (texts[i]);

        assert_null (yaml_tree_root (tree));
        yaml_tree_destroy (tree);
    }
    yaml_tree_destroy (NULL);
}

static void test_carriage_returns (void **state)
{
    struct yaml_tree *tree = parse ("a: 1\r\nb:\r\n  - x\r\n");

    (void)state;
    assert_string_equal (yaml_get (yaml_tree_root (tree), "a")->text, "1");
    yaml_tree_destroy (tree);
}

static void test_surprises_are_refused (void **state)
{
    static const struct {
        const char *text;
        const char *problems;
    } cases[] = {
        { "a: 1\nb: 2\na: 3\n",
          "c.yaml:3:1: key 'a' was given before, in line 1; remove one\n" },
        { "a: *x\nb: &x 1\n",
          "c.yaml:1:4: the alias '*x' has no anchor before it; mark the value "
          "that is meant with '&' and that name, or put text in quotes\n" },
        { "a: &x 1\nb: &x 2\n",
          "c.yaml:2:4: the anchor '&x' was given before, in line 1; use "
          "another name\n" },
        { "a: &x [1, [*x]]\n",
          "c.yaml:1:12: the alias '*x' stands inside of what it means; write "
          "the value out\n" },
        { "a: &x 1\nb: {<<: *x}\n",
          "c.yaml:2:9: '<<' takes the keys of a mapping; write <<: *NAME or a "
          "list of such, where '&NAME' is at a mapping\n" },
        { "a: {<<: [{b: 1}, c]}\n",
          "c.yaml:1:9: '<<' takes the keys of a mapping; write <<: *NAME or a "
          "list of such, where '&NAME' is at a mapping\n" },
        { "a: {<<: {b: 1}, <<: {c: 1}}\n",
          "c.yaml:1:17: key '<<' was given before, in line 1; remove one\n" },
        { "a: &x [1]\n*x : 2\n",
          "c.yaml:2:1: a list cannot be a key; write 'key: value' with a plain "
          "key\n" },
        { "a: !!str 1\n",
          "c.yaml:1:4: tags ('tag:yaml.org,2002:str') are not read; "
          "remove it\n" },
        { "? [a]\n: 1\n", "c.yaml:1:3: a list cannot be a key; write 'key: "
                          "value' with a plain key\n" },
        { "?\n: 1\n",
          "c.yaml:1:2: there is no key before ':'; write 'key: value'\n" },
        { "a: 1\n---\nb: 2\n",
          "c.yaml:2:1: a second document begins; keep one in a file\n" },
        { "a: \"x\\0y\"\n",
          "c.yaml:1:4: text contains a NUL character; remove the \\0\n" },
        { "a: x\nb: \xff\n",
          "c.yaml:2:4: invalid leading UTF-8 octet; save the file as UTF-8 "
          "text\n" },
        { "\xff\xfe"
          "a",
          "c.yaml:1:1: invalid leading UTF-8 octet; save the "
          "file as UTF-8 text\n" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++)
        assert_refused (cases[i].text, cases[i].problems);
}

/* What is written once stands wherever its alias is, and each copy knows its
 * place.
 */
static void test_aliases (void **state)
{
    static const struct {
        const char *text;
        const char *json;
    } cases[] = {
        { "a: &x 1\nb: *x\n", "{\"a\":1,\"b\":1}" },
        { "a: &x '1'\nb: [*x, *x]\n", "{\"a\":\"1\",\"b\":[\"1\",\"1\"]}" },
        { "a: &x\nb: *x\n", "{\"a\":null,\"b\":null}" },
        { "&k a: 1\nb: *k\n", "{\"a\":1,\"b\":\"a\"}" },
        { "a: &x k\n*x : 2\n", "{\"a\":\"k\",\"k\":2}" },
        { "a: &x [&y {c: 1}, *y]\nb: *x\n",
          "{\"a\":[{\"c\":1},{\"c\":1}],\"b\":[{\"c\":1},{\"c\":1}]}" },
        { "a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3, e: 4}\n",
          "{\"a\":{\"b\":1,\"c\":2},\"d\":{\"c\":3,\"e\":4,\"b\":1}}" },
        { "a: &x {b: 1}\nc: &y {b: 2, d: 3}\ne:\n  <<: [*x, *y, {f: 4}]\n",
          "{\"a\":{\"b\":1},\"c\":{\"b\":2,\"d\":3},"
          "\"e\":{\"b\":1,\"d\":3,\"f\":4}}" },
        { "a: &x {b: 1}\nc: &y {<<: *x, d: 2}\ne: {<<: *y}\n",
          "{\"a\":{\"b\":1},\"c\":{\"d\":2,\"b\":1},"
          "\"e\":{\"d\":2,\"b\":1}}" },
        { "a: {'<<': 1}\n", "{\"a\":{\"<<\":1}}" },
        { "a: {<<: []}\nb: {<<: {}}\n", "{\"a\":{},\"b\":{}}" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct yaml_tree *tree = parse (cases[i].text);
        struct json *v = yaml_to_json (yaml_tree_root (tree));
        struct strbuf text = STRBUF_INIT;

        json_dump (v, JSON_COMPACT, &text);
        assert_string_equal (text.buf, cases[i].json);
        strbuf_release (&text);
        json_unref (v);
        yaml_tree_destroy (tree);
    }
}

/* An alias is where it is used, what is in it where it was written. */
static void test_places_of_copies (void **state)
{
    struct yaml_tree *tree = parse ("one: &x\n"
                                    "  inner: [1]\n"
                                    "two: *x\n"
                                    "three: {<<: *x}\n");
    const struct yaml_node *root = yaml_tree_root (tree), *node;

    (void)state;
    node = yaml_get (root, "two");
    assert_int_equal (node->mark.line, 3);
    assert_int_equal (node->mark.column, 6);
    assert_string_equal (yaml_name (node), "two");
    node = yaml_get (node, "inner");
    assert_int_equal (node->mark.line, 2);
    assert_ptr_equal (node->up, yaml_get (root, "two"));
    assert_string_equal (yaml_name (node->items[0]), "inner");
    node = yaml_get (yaml_get (root, "three"), "inner");
    assert_int_equal (node->mark.line, 2);
    assert_ptr_equal (node->up, yaml_get (root, "three"));
    assert_ptr_not_equal (node, yaml_get (yaml_get (root, "one"), "inner"));
    yaml_tree_destroy (tree);
}

/* Few lines that stand for 10^9 nodes, and for a tower of lists. */
static void test_hostile_aliases (void **state)
{
    struct strbuf text = STRBUF_INIT;

    (void)state;
    strbuf_add_str (&text, "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 9; i++) {
        strbuf_addf (&text, "a%d: &a%d [", i, i);
        for (int k = 0; k < 10; k++)
            strbuf_addf (&text, "%s*a%d", k ? ", " : "", i - 1);
        strbuf_add_str (&text, "]\n");
        if (i == 3) /* 12,330 nodes: no harm */
            yaml_tree_destroy (parse (text.buf));
    }
    assert_non_null (strstr (text.buf, "a8"));
    assert_null (yaml_tree_parse (text.buf, text.len, "c.yaml", NULL));
    strbuf_truncate (&text, 0);
    strbuf_add_str (&text, "a0: &a0 [x]\n");
    for (int i = 1; i < 63; i++)
        strbuf_addf (&text, "a%d: &a%d [*a%d]\n", i, i, i - 1);
    yaml_tree_destroy (parse (text.buf));
    strbuf_add_str (&text, "b: [*a62]\n");
    assert_refused (text.buf, "c.yaml:64:5: the alias '*a62' nests too deeply; "
                              "use fewer levels\n");
    strbuf_release (&text);
}

static void test_too_many_copies_is_one_problem (void **state)
{
    struct strbuf text = STRBUF_INIT;

    (void)state;
    strbuf_add_str (&text, "a: &a [");
    for (int i = 0; i < 1000; i++)
        strbuf_add_str (&text, "x,");
    strbuf_add_str (&text, "]\nb: &b [");
    for (int i = 0; i < 60; i++)
        strbuf_add_str (&text, "*a,");
    strbuf_add_str (&text, "]\nc: *b\n");
    assert_refused (text.buf, "c.yaml:3:4: the alias '*b' makes the document "
                              "too large; write out less by aliases\n");
    strbuf_release (&text);
}

static void test_overlay (void **state)
{
    struct yaml_tree *tree = parse ("own: {a: 1, b: ~}\nbelow: {b: 2, c: 3}\n");
    const struct yaml_node *root = yaml_tree_root (tree);
    struct arena *arena = arena_create ();
    struct json *v = yaml_to_json (
        yaml_overlay (arena, yaml_get (root, "own"), yaml_get (root, "below")));
    struct strbuf text = STRBUF_INIT;

    (void)state;
    json_dump (v, JSON_COMPACT, &text);
    assert_string_equal (text.buf, "{\"a\":1,\"b\":null,\"c\":3}");
    strbuf_release (&text);
    json_unref (v);
    arena_destroy (arena);
    yaml_tree_destroy (tree);
}

static void test_every_duplicate_is_reported (void **state)
{
    (void)state;
    assert_refused (
        "a: 1\na: 2\nb: {c: 1, 'c': 2}\na: 3\n",
        "c.yaml:2:1: key 'a' was given before, in line 1; remove one\n"
        "c.yaml:3:11: key 'c' was given before, in line 3; remove one\n"
        "c.yaml:4:1: key 'a' was given before, in line 1; remove one\n");
}

static void test_syntax_errors_help (void **state)
{
    static const struct {
        const char *text;
        const char *problems;
    } cases[] = {
        { "a:\n\tb: 1\n",
          "c.yaml:2:1: a tab where YAML takes spaces; replace it\n" },
        { "a: b: c\n",
          "c.yaml:1:5: mapping values are not allowed in this context; quote "
          "text that contains ': ', or check the indentation\n" },
        { "a: [1, 2\nb: 3\n",
          "c.yaml:2:2: did not find expected ',' or ']' while parsing a flow "
          "sequence that begins in line 1; close the list with ']'\n" },
        { "a: 1\n  b: 2\n",
          "c.yaml:2:4: mapping values are not allowed in this context; quote "
          "text that contains ': ', or check the indentation\n" },
        { "a:\n    b: 1\n  c: 2\n",
          "c.yaml:3:3: did not find expected key while parsing a block mapping "
          "that begins in line 1; indent the line like the others of its "
          "mapping\n" },
        { "a: @x\n",
          "c.yaml:1:4: found character that cannot start any token while "
          "scanning for the next token; write a: \"@x\"\n" },
        { "a:\n    b: * * {elements}  # all\n    c: 1\n",
          "c.yaml:2:9: did not find expected alphabetic or numeric character "
          "while scanning an alias; write b: \"* * {elements}\"  # all\n" },
        { "a: {b: * 'x' \\, 'c': \"* d\"}\n",
          "c.yaml:1:9: did not find expected alphabetic or numeric character "
          "while scanning an alias; write a: {b: '* ''x'' \\', 'c': \"* "
          "d\"}\n" },
        { "a: [p, -x={n}, {n}.in]\n",
          "c.yaml:1:11: did not find expected ',' or ']' while parsing a flow "
          "sequence; write a: [p, \"-x={n}\", \"{n}.in\"]\n" },
        { "a: [p,\n  -x={n} y]\n",
          "c.yaml:2:6: did not find expected ',' or ']' while parsing a flow "
          "sequence that begins in line 1; write \"-x={n} y\"]\n" },
        { "a: {n} b\n",
          "c.yaml:1:8: did not find expected key while parsing a block "
          "mapping; write a: \"{n} b\"\n" },
        { "a: \"x\n",
          "c.yaml:1:4: the quotes that open here are not closed; close them "
          "where the text ends\n" },
        { "a: \"x\nb: 1\nc: 2\nd: \"y\"\n",
          "c.yaml:1:4: the quotes that open here are closed in line 4, and "
          "what follows there is not YAML; close them where the text ends\n" },
        { "l: [{k: 'x},\n  {k: 1},\n  {k: 'y'}]\n",
          "c.yaml:1:9: the quotes that open here are closed in line 3, and "
          "what follows there is not YAML; close them where the text ends\n" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++)
        assert_refused (cases[i].text, cases[i].problems);
}

static void test_depth (void **state)
{
    char text[200];
    struct yaml_tree *tree;

    (void)state;
    memset (text, '[', 64);
    memset (text + 64, ']', 64);
    text[128] = '\0';
    tree = parse (text);
    yaml_tree_destroy (tree);
    memset (text, '[', 65);
    assert_refused (text,
                    "c.yaml:1:65: nested deeper than 64; use fewer levels\n");
    memset (text, '{', 199);
    text[199] = '\0';
    assert_null (yaml_tree_parse (text, 199, "c.yaml", NULL));
}

static void test_hostile_bytes (void **state)
{
    static const char text[] = "a: [1, {b: 'c'}, \"\\u00e4\"]\n? x\n: - y\n";
    char broken[sizeof (text)];

    (void)state;
    for (size_t i = 0; i < sizeof (text) - 1; i++) {
        yaml_tree_destroy (yaml_tree_parse (text, i, "c.yaml", NULL));
        for (int c = 0; c < 256; c += 5) {
            memcpy (broken, text, sizeof (text));
            broken[i] = (char)c;
            yaml_tree_destroy (
                yaml_tree_parse (broken, sizeof (text) - 1, "c.yaml", NULL));
        }
    }
}

static void test_read (void **state)
{
    struct problems problems = PROBLEMS_INIT;
    struct temp_dir dir;
    struct yaml_tree *tree;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("a.yaml", "x: 1\n");
    tree = yaml_tree_read ("a.yaml", "shown.yaml", &problems);
    assert_string_equal (yaml_tree_root (tree)->mark.file, "shown.yaml");
    yaml_tree_destroy (tree);
    assert_null (yaml_tree_read ("none.yaml", "shown.yaml", &problems));
    assert_int_equal (problems.n, 1);
    assert_string_equal (problems.v[0].file, "shown.yaml");
    assert_int_equal (problems.v[0].line, 0);
    assert_non_null (strstr (problems.v[0].message, "No such file"));
    problems_release (&problems);
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_tree),
        cmocka_unit_test (test_empty_documents),
        cmocka_unit_test (test_carriage_returns),
        cmocka_unit_test (test_surprises_are_refused),
        cmocka_unit_test (test_aliases),
        cmocka_unit_test (test_places_of_copies),
        cmocka_unit_test (test_hostile_aliases),
        cmocka_unit_test (test_too_many_copies_is_one_problem),
        cmocka_unit_test (test_overlay),
        cmocka_unit_test (test_every_duplicate_is_reported),
        cmocka_unit_test (test_syntax_errors_help),
        cmocka_unit_test (test_depth),
        cmocka_unit_test (test_hostile_bytes),
        cmocka_unit_test (test_read),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
