/* SPDX-License-Identifier: BSD-3-Clause */
/* test_value.c - values against types, in shape and on disk */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sys/stat.h>

#include "base/file.h"
#include "base/json.h"
#include "signature/value.h"
#include "temp_dir.h"

/* A 2 x 3 array of float64. */
static const char npy_head[] = "\x93NUMPY\x01\x00\x76\x00"
                               "{'descr': '<f8', 'fortran_order': False, "
                               "'shape': (2, 3), }";
enum { NPY_HEAD_BYTES = 128, NPY_BYTES = 128 + 48 };

#define T(KIND, DEPTH)                                                         \
    {                                                                          \
        .kind = KIND, .depth = DEPTH                                           \
    }
#define NPY(DEPTH, DTYPE, N, ...)                                              \
    {                                                                          \
        .kind = TYPE_NPY, .depth = DEPTH, .dtype = DTYPE, .n_dims = N,         \
        .shape = {                                                             \
            __VA_ARGS__                                                        \
        }                                                                      \
    }

static const struct type_field point_fields[] = { { "x", ONE (FLOAT), false },
                                                  { "y", ONE (FLOAT), true },
                                                  { 0 } };
static const struct type_field run_fields[] = {
    { "steps", ONE (INT), false },
    { "at", MAPS_WITH (point_fields), true },
    { "wait", ONE (DURATION), true },
    { 0 }
};
static const struct type points = MAPS_WITH (point_fields);
static const struct type one_int = ONE (INT);

struct place {
    char *dir;
};

static void write_file (const char *dir, const char *name, const char *text)
{
    char *path = path_join (dir, name);

    assert_int_equal (file_write_atomic (path, text, strlen (text), NULL), 0);
    free (path);
}

static void write_npy (const char *dir, const char *name)
{
    char bytes[NPY_BYTES];
    char *path = path_join (dir, name);

    memset (bytes, 0, sizeof (bytes));
    memset (bytes, ' ', NPY_HEAD_BYTES);
    memcpy (bytes, npy_head, sizeof (npy_head) - 1);
    bytes[NPY_HEAD_BYTES - 1] = '\n';
    assert_int_equal (file_write_atomic (path, bytes, sizeof (bytes), NULL), 0);
    free (path);
}

static int make_place (void **state)
{
    static struct place place;
    char *path;

    place.dir = temp_dir_make ();
    write_file (place.dir, "a.xyz", "1\n\nSi 0 0 0\n");
    write_npy (place.dir, "a.npy");
    path = path_join (place.dir, "d");
    assert_int_equal (mkdir (path, 0777), 0);
    free (path);
    path = path_join (place.dir, "pipe");
    assert_int_equal (mkfifo (path, 0666), 0);
    free (path);
    *state = &place;
    return 0;
}

static int remove_place (void **state)
{
    struct place *place = *state;

    temp_dir_remove (place->dir);
    return 0;
}

static const struct {
    struct type type;
    int flags;
    const char *value;
    const char *message; /* NULL: it fits */
} rows[] = {
    { T (TYPE_INT, 0), 0, "3", NULL },
    { T (TYPE_INT, 0), 0, "3.0", "expected int, got a real number" },
    { T (TYPE_INT, 0), 0, "null", "expected int, got null" },
    { T (TYPE_INT, 0), VALUE_ALLOW_HOLES, "null", "expected int, got null" },
    { T (TYPE_FLOAT, 0), 0, "3", NULL },
    { T (TYPE_FLOAT, 0), 0, "0.5", NULL },
    { T (TYPE_FLOAT, 0), 0, "\"0.5\"", "expected float, got" },
    { T (TYPE_STRING, 0), 0, "\"\"", NULL },
    { T (TYPE_STRING, 0), 0, "true", "expected string, got" },
    { T (TYPE_BOOL, 0), 0, "false", NULL },
    { T (TYPE_BOOL, 0), 0, "0", "expected bool, got an integer" },
    { T (TYPE_DURATION, 0), 0, "1.5", NULL },
    { T (TYPE_DURATION, 0), 0, "-1", "duration cannot be negative" },
    { T (TYPE_BYTES, 0), 0, "4096", NULL },
    { T (TYPE_BYTES, 0), 0, "1.5", "expected bytes, got a real number" },
    { T (TYPE_BYTES, 0), 0, "-4096", "bytes cannot be negative" },
    { T (TYPE_LIST, 0), 0, "[1, \"a\", null, [2]]", NULL },
    { T (TYPE_LIST, 0), 0, "{}", "expected list, got" },
    { T (TYPE_MAP, 0), 0, "{\"a\": [1, 2]}", NULL },
    { T (TYPE_MAP, 0), 0, "[]", "expected map, got" },
    { MAP_WITH (point_fields), 0, "{\"y\": 1, \"x\": 0.5}", NULL },
    { MAP_WITH (point_fields), 0, "{\"x\": 0.5, \"y\": null}", NULL },
    { MAP_WITH (point_fields), 0, "{\"y\": 1}", "'x' (float) is missing" },
    { MAP_WITH (point_fields), 0, "{\"x\": null}",
      "x: expected float, got null" },
    { MAP_WITH (point_fields), 0, "{\"x\": 1, \"y\": []}",
      "y: expected float, got" },
    { MAP_WITH (point_fields), 0, "{\"x\": 1, \"yy\": 1}",
      "unknown key 'yy'; did you mean 'y'?" },
    { MAP_WITH (point_fields), 0, "{\"x\": 1, \"height\": 1}",
      "unknown key 'height'; there is x, y" },
    { MAP_WITH (point_fields), 0, "3", "expected map, got an integer" },
    { MAPS_WITH (point_fields), 0, "[{\"x\": 1}, {\"x\": true}]",
      "[1].x: expected float, got" },
    { MAPS_WITH (point_fields), VALUE_ALLOW_HOLES, "[{\"x\": 1}, null]", NULL },
    { MAP_WITH (run_fields), 0, "{\"steps\": 3, \"at\": [{\"x\": 1}]}", NULL },
    { MAP_WITH (run_fields), 0, "{\"steps\": 3, \"at\": [{\"x\": \"1\"}]}",
      "at[0].x: expected float, got a string" },
    { MAP_WITH (run_fields), 0, "{\"steps\": 3, \"at\": [{}]}",
      "at[0]: 'x' (float) is missing" },
    { MAP_WITH (run_fields), 0, "{\"steps\": 3, \"at\": {\"x\": 1}}",
      "at: expected list of map, got" },
    { MAP_WITH (run_fields), VALUE_ALLOW_HOLES,
      "{\"steps\": 3, \"at\": [null]}", "at[0]: expected map, got null" },
    { MAP_WITH (run_fields), 0, "{\"steps\": 3, \"wait\": -1}",
      "wait: duration cannot be negative" },
    { MAP_OF (one_int), 0, "{}", NULL },
    { MAP_OF (one_int), 0, "{\"a\": 1, \"b\": 2}", NULL },
    { MAP_OF (one_int), 0, "{\"a\": 1, \"b\": 2.5}",
      "b: expected int, got a real number" },
    { MAP_OF (points), 0, "{\"a\": [{\"x\": 1}, {\"z\": 1}]}",
      "a[1]: unknown key 'z'; did you mean" },
    { T (TYPE_ANY, 0), 0, "[]", NULL },
    { T (TYPE_ANY, 0), 0, "\"a\"", NULL },
    { T (TYPE_ANY, 0), 0, "null", "expected any, got" },
    { T (TYPE_INT, 1), 0, "[]", NULL },
    { T (TYPE_INT, 1), 0, "[1, 2]", NULL },
    { T (TYPE_INT, 1), 0, "2", "expected list of int, got an integer" },
    { T (TYPE_INT, 1), 0, "[1, \"2\"]", "[1]: expected int, got a string" },
    { T (TYPE_INT, 1), 0, "[1, null]", "[1]: expected int, got null" },
    { T (TYPE_INT, 1), VALUE_ALLOW_HOLES, "[1, null]", NULL },
    { T (TYPE_INT, 2), 0, "[[1], [2, 3.5]]", "[1][1]: expected int" },
    { T (TYPE_INT, 2), 0, "[[1], 2]", "[1]: expected list of int, got" },
    { T (TYPE_INT, 2), VALUE_ALLOW_HOLES, "[null, [null, 2]]", NULL },
    { T (TYPE_FILE, 0), 0, "\"nowhere\"", NULL },
    { T (TYPE_FILE, 0), 0, "\"\"", "the path is empty" },
    { T (TYPE_FILE, 0), 0, "{\"path\": \"x\"}", "expected file, got" },
    { T (TYPE_FILE, 0), VALUE_ON_DISK, "\"a.xyz\"", NULL },
    { T (TYPE_FILE, 0), VALUE_ON_DISK, "\"nowhere\"",
      "no such file 'nowhere'" },
    { T (TYPE_FILE, 0), VALUE_ON_DISK, "\"a.xyz/b\"",
      "no such file 'a.xyz/b'" },
    { T (TYPE_FILE, 0), VALUE_ON_DISK, "\"d\"", "'d' is not a regular file" },
    { T (TYPE_FILE, 0), VALUE_ON_DISK, "\"pipe\"", "not a regular file" },
    { T (TYPE_DIR, 0), VALUE_ON_DISK, "\"d\"", NULL },
    { T (TYPE_DIR, 0), VALUE_ON_DISK, "\"a.xyz\"", "is not a directory" },
    { T (TYPE_DIR, 0), VALUE_ON_DISK, "\"e\"", "no such directory 'e'" },
    { T (TYPE_FILE, 1), VALUE_ON_DISK, "[\"a.xyz\", \"b\"]",
      "[1]: no such file 'b'" },
    { T (TYPE_FRAMES, 0), VALUE_ON_DISK, "\"a.xyz\"", NULL },
    { T (TYPE_FRAMES, 0), VALUE_ON_DISK, "[\"a.xyz\", \"a.xyz\"]", NULL },
    { T (TYPE_FRAMES, 0), VALUE_ON_DISK, "[\"a.xyz\", null]", "[1]: expected" },
    { T (TYPE_FRAMES, 0), VALUE_ON_DISK | VALUE_ALLOW_HOLES,
      "[\"a.xyz\", null]", NULL },
    { T (TYPE_FRAMES, 0), 0, "[[\"a.xyz\"]]", "[0]: expected frames, got" },
    { T (TYPE_FRAMES, 1), 0, "[[\"a.xyz\"], \"b\"]", NULL },
    { T (TYPE_FRAMES, 0), VALUE_ON_DISK,
      "{\"path\": \"a.xyz\", \"frame\": 0, \"offset\": 0, \"bytes\": 12}",
      NULL },
    { T (TYPE_FRAMES, 1), VALUE_ON_DISK,
      "[{\"path\": \"b.xyz\", \"frame\": 0, \"offset\": 0, \"bytes\": 12}]",
      "[0].path: no such file 'b.xyz'" },
    { T (TYPE_FRAMES, 0), 0,
      "{\"path\": \"a\", \"frame\": 0, \"offset\": -1, \"bytes\": 1}",
      "key 'offset': expected 0 or more" },
    { T (TYPE_FRAMES, 0), 0, "{\"path\": \"a\", \"frame\": 0}",
      "key 'offset': missing" },
    { T (TYPE_FRAMES, 0), 0, "{\"frame\": 0, \"offset\": 0, \"bytes\": 1}",
      ".path: expected frames, got null" },
    { T (TYPE_NPY, 0), VALUE_ON_DISK, "\"a.npy\"", NULL },
    { NPY (0, "f8", 2, -1, 3), VALUE_ON_DISK, "\"a.npy\"", NULL },
    { NPY (1, "f8", 2, 2, 3), VALUE_ON_DISK, "[\"a.npy\"]", NULL },
    { NPY (1, "f8", 2, -1, 4), VALUE_ON_DISK, "[\"a.npy\"]",
      "[0]: 'a.npy': expected npy(f8,[?,4]), got npy(f8,[2,3])" },
    { NPY (0, "f4", 0, 0), VALUE_ON_DISK, "\"a.npy\"",
      "expected npy(f4), got npy(f8,[2,3])" },
    { T (TYPE_NPY, 0), VALUE_ON_DISK, "\"a.xyz\"", "a.xyz" },
};

static void test_table (void **state)
{
    struct place *place = *state;

    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct error err = ERROR_INIT;
        struct json *v =
            json_parse (rows[i].value, strlen (rows[i].value), "row", &err);
        int rc;

        assert_non_null (v);
        rc = value_check (&rows[i].type, v, rows[i].flags, place->dir, NULL,
                          &err);
        if (rc != (rows[i].message ? -1 : 0))
            fail_msg ("row %zu (%s): %s", i, rows[i].value, err.text);
        if (rc < 0 && !strstr (err.text, rows[i].message))
            fail_msg ("'%s' is not in '%s'", rows[i].message, err.text);
        json_unref (v);
    }
}

static void test_deep_lists_are_refused (void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct type type = { .kind = TYPE_FRAMES, .depth = TYPE_MAX_DEPTH };
    struct json *v;

    (void)state;
    for (int i = 0; i < 200; i++)
        strbuf_add_char (&text, '[');
    for (int i = 0; i < 200; i++)
        strbuf_add_char (&text, ']');
    v = json_parse (text.buf, text.len, "deep", NULL);
    assert_non_null (v);
    assert_int_equal (value_check (&type, v, VALUE_SHAPE, ".", NULL, NULL), -1);
    json_unref (v);
    strbuf_release (&text);
}

static void test_absolute (void **state)
{
    static const struct {
        struct type type;
        const char *value, *absolute;
    } cases[] = {
        { T (TYPE_FILE, 0), "\"a/b\"", "\"/c/a/b\"" },
        { T (TYPE_FILE, 0), "\"/a\"", "\"/a\"" },
        { T (TYPE_FILE, 2), "[[\"a\"],[null]]", "[[\"/c/a\"],[null]]" },
        { T (TYPE_FRAMES, 0), "{\"path\":\"a\",\"frame\":3}",
          "{\"path\":\"/c/a\",\"frame\":3}" },
        { T (TYPE_STRING, 0), "\"a\"", "\"a\"" },
        { T (TYPE_MAP, 0), "{\"path\":\"a\"}", "{\"path\":\"a\"}" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *v =
            json_parse (cases[i].value, strlen (cases[i].value), "case", NULL);
        struct json *absolute = value_absolute (&cases[i].type, v, "/c");
        struct strbuf text = STRBUF_INIT;

        json_dump (absolute, JSON_COMPACT, &text);
        assert_string_equal (text.buf, cases[i].absolute);
        strbuf_release (&text);
        json_unref (absolute);
        json_unref (v);
    }
}

static void test_numbers (void **state)
{
    struct json *most = value_numbers (VALUE_NUMBERS_MAX, NULL);
    static const struct {
        int64_t n;
        const char *text, *message;
    } cases[] = {
        { 0, "[]", NULL },
        { 1, "[0]", NULL },
        { 3, "[0,1,2]", NULL },
        { -1, NULL, "-1 slices of a whole number; give 0 to 1000000" },
        { VALUE_NUMBERS_MAX + 1, NULL, "1000001 slices of a whole number" },
    };

    (void)state;
    assert_int_equal (json_count (most), VALUE_NUMBERS_MAX);
    json_unref (most);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct error err = ERROR_INIT;
        struct json *v = value_numbers (cases[i].n, &err);
        struct strbuf text = STRBUF_INIT;

        if (v) {
            json_dump (v, JSON_COMPACT, &text);
            assert_string_equal (text.buf, cases[i].text);
        } else {
            assert_non_null (cases[i].message);
            assert_non_null (strstr (err.text, cases[i].message));
        }
        strbuf_release (&text);
        json_unref (v);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_table),
        cmocka_unit_test (test_deep_lists_are_refused),
        cmocka_unit_test (test_absolute),
        cmocka_unit_test (test_numbers),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, make_place, remove_place);
}
