/* SPDX-License-Identifier: BSD-3-Clause */
/* test_literal.c - values as people write them, by type */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "base/problems.h"
#include "base/yaml_tree.h"
#include "campaign/binding.h"
#include "campaign/field_reader.h"
#include "signature/value.h"
#include "temp_dir.h"

#define T(KIND, DEPTH)                                                         \
    {                                                                          \
        .kind = KIND, .depth = DEPTH                                           \
    }

/* 'yaml' is what stands behind "v: "; 'result' is JSON, or when it begins with
 * ':' the position and message of the only problem.
 */
static const struct {
    struct type type;
    const char *yaml, *result;
} rows[] = {
    { T (TYPE_INT, 0), "3", "3" },
    { T (TYPE_INT, 0), "-3", "-3" },
    { T (TYPE_INT, 0), "3.0",
      ":1:4: x: expected int, got '3.0'; write a whole" },
    { T (TYPE_INT, 0), "'3'", ":1:4: x: expected int, got '3'" },
    { T (TYPE_INT, 0), "[3]", ":1:4: x: expected int, got a list" },
    { T (TYPE_INT, 0), "~", ":1:4: x: expected int, got nothing" },
    { T (TYPE_INT, 0), "99999999999999999999", ":1:4: x: expected int, got" },
    { T (TYPE_FLOAT, 0), "300", "300" },
    { T (TYPE_FLOAT, 0), "1e-7", "1e-07" },
    { T (TYPE_FLOAT, 0), ".nan", ":1:4: x: expected float, got '.nan'; write" },
    { T (TYPE_STRING, 0), "text", "\"text\"" },
    { T (TYPE_STRING, 0), "300", "\"300\"" },
    { T (TYPE_STRING, 0), "''", "\"\"" },
    { T (TYPE_STRING, 0), "{a: b}", ":1:4: x: expected string, got a mapping" },
    { T (TYPE_BOOL, 0), "true", "true" },
    { T (TYPE_BOOL, 0), "no", ":1:4: x: expected bool, got 'no'; write true" },
    { T (TYPE_DURATION, 0), "10m", "600.0" },
    { T (TYPE_DURATION, 0), "90", "90.0" },
    { T (TYPE_DURATION, 0), "1 h", ":1:4: x: expected duration, got '1 h'" },
    { T (TYPE_BYTES, 0), "1.5GiB", "1610612736" },
    { T (TYPE_BYTES, 0), "-1",
      ":1:4: x: expected bytes, got '-1'; write a size" },
    { T (TYPE_LIST, 0), "[1, [a, ~], {b: 2.5}]",
      "[1,[\"a\",null],{\"b\":2.5}]" },
    { T (TYPE_LIST, 0), "{}", ":1:4: x: expected list, got a mapping; write" },
    { T (TYPE_MAP, 0), "{a: [1], b: yes}", "{\"a\":[1],\"b\":\"yes\"}" },
    { T (TYPE_MAP, 0), "[]", ":1:4: x: expected map, got a list; write a map" },
    { T (TYPE_FLOAT, 1), "[300, 1.5]", "[300,1.5]" },
    { T (TYPE_FLOAT, 1), "[]", "[]" },
    { T (TYPE_FLOAT, 1), "300", ":1:4: x: expected list of float, got '300'" },
    { T (TYPE_FLOAT, 1), "[1, x]", ":1:8: x: expected float, got 'x'" },
    { T (TYPE_FLOAT, 2), "[[1], [2, 3]]", "[[1],[2,3]]" },
    { T (TYPE_FLOAT, 2), "[[1], 2]",
      ":1:10: x: expected list of float, got '2'" },
    { T (TYPE_ANY, 0), "{a: [1], b: yes}", "{\"a\":[1],\"b\":\"yes\"}" },
    { T (TYPE_ANY, 0), "[x, 2]", "[\"x\",2]" },
    { T (TYPE_ANY, 0), "some/path", "\"some/path\"" },
    { T (TYPE_ANY, 0), "~", ":1:4: x: expected any, got nothing; write a" },
    { T (TYPE_MAP, 1), "[{a: 1}]", "[{\"a\":1}]" },
    { T (TYPE_FILE, 0), "a.xyz", "\"a.xyz\"" },
    { T (TYPE_FILE, 0), "./a.xyz", "\"./a.xyz\"" },
    { T (TYPE_FILE, 0), "a.xy",
      ":1:4: x: no such file 'a.xy'; did you mean "
      "'a.xyz'?" },
    { T (TYPE_FILE, 0), "d/b.txx",
      ":1:4: x: no such file 'd/b.txx'; did you "
      "mean 'd/b.txt'?" },
    { T (TYPE_FILE, 0), "nowhere/b",
      ":1:4: x: no such file 'nowhere/b'; "
      "write a path that is relative" },
    { T (TYPE_FILE, 0), "d", ":1:4: x: 'd' is not a regular file; write" },
    { T (TYPE_FILE, 0), "''", ":1:4: x: the path is empty; " },
    { T (TYPE_FILE, 0), "[a.xyz]",
      ":1:4: x: expected file, got a list; write a "
      "path or STAGE.OUTPUT" },
    { T (TYPE_FILE, 1), "[a.xyz, d/b.txt]", "[\"a.xyz\",\"d/b.txt\"]" },
    { T (TYPE_FILE, 1), "[a.xyz, d]", ":1:12: x: 'd' is not a regular file" },
    { T (TYPE_DIR, 0), "d", "\"d\"" },
    { T (TYPE_DIR, 0), "a.xyz", ":1:4: x: 'a.xyz' is not a directory" },
    { T (TYPE_FRAMES, 0), "a.xyz", "\"a.xyz\"" },
    { T (TYPE_FRAMES, 0), "[a.xyz, a.xyz]", "[\"a.xyz\",\"a.xyz\"]" },
    { T (TYPE_FRAMES, 0), "[[a.xyz]]", ":1:5: x: expected frames, got a list" },
    { T (TYPE_FRAMES, 1), "[[a.xyz], a.xyz]", "[[\"a.xyz\"],\"a.xyz\"]" },
};

static void write_file (const char *dir, const char *name)
{
    char *path = path_join (dir, name);

    assert_int_equal (file_make_parent (path, NULL), 0);
    assert_int_equal (file_write_atomic (path, "x", 1, NULL), 0);
    free (path);
}

static int make_directory (void **state)
{
    char *dir = temp_dir_make ();

    write_file (dir, "a.xyz");
    write_file (dir, "d/b.txt");
    *state = dir;
    return 0;
}

static int remove_directory (void **state)
{
    temp_dir_remove (*state);
    return 0;
}

static bool check_row (size_t row, const struct field_reader *reader,
                       const struct yaml_node *node)
{
    struct strbuf got = STRBUF_INIT;
    struct json *v = literal_read (node, &rows[row].type, VALUE_ON_DISK, "x");
    bool good;

    if (v)
        json_dump (v, JSON_COMPACT, &got);
    else
        problems_format (reader->problems, &got);
    good = v ? strcmp (got.buf, rows[row].result) == 0
             : reader->problems->n == 1 && strstr (got.buf, rows[row].result);
    if (!good)
        print_error ("row %zu: expected %s, got %s\n", row, rows[row].result,
                     got.buf);
    json_unref (v);
    strbuf_release (&got);
    return good;
}

static void test_table (void **state)
{
    int n_wrong = 0;

    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct problems problems = PROBLEMS_INIT;
        struct arena *arena = arena_create ();
        const struct field_reader reader = { .arena = arena,
                                             .problems = &problems,
                                             .dir = *state };
        char *text = xasprintf ("v: %s\n", rows[i].yaml);
        struct yaml_tree *tree =
            yaml_tree_parse (text, strlen (text), "f", &problems);

        assert_non_null (tree);
        yaml_tree_lend (tree, &reader);
        n_wrong += check_row (i, &reader, yaml_get (yaml_tree_root (tree), "v"))
                       ? 0
                       : 1;
        yaml_tree_destroy (tree);
        free (text);
        arena_destroy (arena);
        problems_release (&problems);
    }
    assert_int_equal (n_wrong, 0);
}

/* Where the disk is not looked at, any path will do. */
static void test_shape_only (void **state)
{
    static const char text[] = "v: [no, where]\n";
    const struct type type = T (TYPE_FILE, 1);
    struct problems problems = PROBLEMS_INIT;
    const struct field_reader reader = { .problems = &problems, .dir = *state };
    struct yaml_tree *tree =
        yaml_tree_parse (text, strlen (text), "f", &problems);
    struct json *v;

    yaml_tree_lend (tree, &reader);
    v = literal_read (yaml_get (yaml_tree_root (tree), "v"), &type, VALUE_SHAPE,
                      "x");
    assert_int_equal (json_count (v), 2);
    assert_int_equal (problems.n, 0);
    json_unref (v);
    yaml_tree_destroy (tree);
    problems_release (&problems);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_table),
        cmocka_unit_test (test_shape_only),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, make_directory, remove_directory);
}
