/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_yaml.c - campaign.yaml and site.yaml as text */
#include "base/base.h"

#include "base/yaml_write.h"
#include "fuzz.h"

static void read_scalar (const struct yaml_node *node)
{
    bool truth;
    int64_t whole;
    double real = 0;

    must_hold (node->text, "a scalar has a text");
    yaml_to_bool (node, &truth);
    if (yaml_to_int (node, &whole) == 0)
        must_hold (yaml_to_double (node, &real) == 0, "an int is a number");
    yaml_to_double (node, &real);
    must_hold (isfinite (real), "numbers are finite");
}

/* Not deeper than the parser allows. */
static void walk (const struct yaml_node *node, int depth)
{
    must_hold (depth <= 64, "nesting is limited");
    must_hold (node->mark.line > 0 && node->mark.column > 0,
               "a node has a place");
    if (node->kind == YAML_SCALAR)
        read_scalar (node);
    for (size_t i = 0; i < node->n; i++) {
        if (node->kind == YAML_MAPPING)
            must_hold (yaml_get (node, node->keys[i]->text) == node->items[i],
                       "a key is there once");
        walk (node->items[i], depth + 1);
    }
}

/* One line each, whatever they quote. */
static void show (struct problems *problems)
{
    struct strbuf text = STRBUF_INIT;
    size_t lines = 0;

    problems_sort (problems);
    problems_format (problems, &text);
    for (size_t i = 0; i < text.len; i++)
        lines += text.buf[i] == '\n';
    must_hold (lines == problems->n, "a problem is a line");
    strbuf_release (&text);
}

/* Written from the tree, a mapping is read as the same. */
static void must_be_read_again (const struct yaml_node *root,
                                const struct json *v)
{
    struct problems problems = PROBLEMS_INIT;
    struct strbuf text = STRBUF_INIT;
    struct yaml_tree *tree;
    struct json *again;

    yaml_write_pairs (root, 0, &text);
    tree = yaml_tree_parse (text.buf, text.len, "written", &problems);
    must_hold (tree, "what was written can be read");
    again = yaml_to_json (yaml_tree_root (tree));
    must_hold (json_equal (v, again), "what is read is what was written");
    json_unref (again);
    yaml_tree_destroy (tree);
    strbuf_release (&text);
    problems_release (&problems);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    struct problems problems = PROBLEMS_INIT;
    struct yaml_tree *tree =
        yaml_tree_parse ((const char *)data, size, "c.yaml", &problems);

    must_hold (!tree == (problems.n > 0), "a tree or problems");
    show (&problems);
    if (tree && yaml_tree_root (tree)) {
        struct json *v = yaml_to_json (yaml_tree_root (tree));

        walk (yaml_tree_root (tree), 0);
        must_survive_writing (v);
        if (json_kind (v) == JSON_KIND_OBJECT && json_count (v) > 0)
            must_be_read_again (yaml_tree_root (tree), v);
        json_unref (v);
    }
    yaml_tree_destroy (tree);
    problems_release (&problems);
    return 0;
}
