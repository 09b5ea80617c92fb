/* SPDX-License-Identifier: BSD-3-Clause */
/* test_sizes.c - named sizes, in declared types and in arrays on disk */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "npy_file.h"
#include "signature/sizes.h"
#include "signature/type.h"
#include "temp_dir.h"

/* npy [NAME, 3], or [NAME, OTHER] */
#define ROWS(NAME)                                                             \
    {                                                                          \
        .kind = TYPE_NPY, .n_dims = 2, .shape = { -1, 3 }, .sizes = { NAME }   \
    }
#define PAIR(NAME, OTHER)                                                      \
    {                                                                          \
        .kind = TYPE_NPY, .n_dims = 2, .shape = { -1, -1 }, .sizes = {         \
            NAME,                                                              \
            OTHER                                                              \
        }                                                                      \
    }
#define FOUND(ROWS, COLUMNS)                                                   \
    {                                                                          \
        .kind = TYPE_NPY, .n_dims = 2, .shape = { ROWS, COLUMNS }              \
    }

/* Rows are noted one after the other, until one that begins anew. */
static const struct {
    bool anew;
    struct type type, found;
    const char *port;
    const char *message; /* NULL: it agrees */
} noted[] = {
    { true, ROWS ("batch"), FOUND (64, 3), "images", NULL },
    { false, ROWS ("batch"), FOUND (64, 3), "labels", NULL },
    { false, ROWS ("batch"), FOUND (32, 3), "masks",
      "size 'batch' is 64 in input 'images' and 32 in input 'masks'" },
    { false, ROWS ("other"), FOUND (32, 3), "masks", NULL },
    { true, PAIR ("n", "n"), FOUND (5, 5), "square", NULL },
    { true, PAIR ("n", "n"), FOUND (5, 6), "square",
      "size 'n' is 5 in input 'square' and 6 in input 'square'" },
    /* what is not known says nothing */
    { true, ROWS ("n"), FOUND (-1, 3), "a", NULL },
    { false, ROWS ("n"), FOUND (0, 3), "b", NULL },
    { false, ROWS ("n"), FOUND (1, 3), "c",
      "size 'n' is 0 in input 'b' and 1 in input 'c'" },
    { false, PAIR (NULL, "n"), FOUND (7, 0), "d", NULL },
    /* an output that says nothing of its shape */
    { false, ROWS ("n"), { .kind = TYPE_NPY }, "e", NULL },
};

static void test_note (void **state)
{
    struct sizes sizes = SIZES_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (noted); i++) {
        struct error err = ERROR_INIT;
        int rc;

        if (noted[i].anew)
            sizes_truncate (&sizes, 0);
        rc = sizes_note (&sizes, &noted[i].type, &noted[i].found, "input",
                         noted[i].port, &err);
        if (rc != (noted[i].message ? -1 : 0))
            fail_msg ("row %zu: %s", i, err.text);
        if (rc < 0)
            assert_string_equal (err.text, noted[i].message);
    }
    sizes_release (&sizes);
}

static void test_find (void **state)
{
    static const struct type pair = PAIR ("n", "m"), found = FOUND (5, 6);
    static const struct type plain = { .kind = TYPE_NPY, .n_dims = 1 };
    struct sizes sizes = SIZES_INIT;

    (void)state;
    assert_true (type_names_sizes (&pair));
    assert_false (type_names_sizes (&plain));
    assert_int_equal (sizes_note (&sizes, &pair, &found, "input", "a", NULL),
                      0);
    assert_int_equal (sizes_find (&sizes, "n"), 5);
    assert_int_equal (sizes_find (&sizes, "m"), 6);
    assert_int_equal (sizes_find (&sizes, "k"), -1);
    sizes_truncate (&sizes, 1);
    assert_int_equal (sizes_find (&sizes, "n"), 5);
    assert_int_equal (sizes_find (&sizes, "m"), -1);
    sizes_release (&sizes);
}

/* --- arrays on disk --- */

static const struct {
    const char *value, *message;
} values[] = {
    { "\"two.npy\"", NULL },
    { "[\"two.npy\", null, [\"two.npy\"]]", NULL },
    { "null", NULL },
    { "[]", NULL },
    { "\"four.npy\"", "size 'n' is 2 in input 'a' and 4 in output 'x'" },
    { "[\"two.npy\", \"four.npy\"]",
      "size 'n' is 2 in input 'a' and 4 in output 'x[1]'" },
    { "[[], [\"two.npy\", \"four.npy\"]]",
      "size 'n' is 2 in input 'a' and 4 in output 'x[1][1]'" },
    { "\"gone.npy\"", "gone.npy" },
};

static void test_values (void **state)
{
    static const struct type type = ROWS ("n"), two = FOUND (2, 3);
    char *dir = temp_dir_make ();

    (void)state;
    npy_put (dir, "two.npy", 2);
    npy_put (dir, "four.npy", 4);
    for (size_t i = 0; i < ARRAY_SIZE (values); i++) {
        struct json *v =
            json_parse (values[i].value, strlen (values[i].value), "row", NULL);
        struct sizes sizes = SIZES_INIT;
        struct error err = ERROR_INIT;
        int rc;

        assert_int_equal (sizes_note (&sizes, &type, &two, "input", "a", NULL),
                          0);
        rc =
            sizes_note_value (&sizes, &type, v, dir, "output", "x", NULL, &err);
        if (rc != (values[i].message ? -1 : 0))
            fail_msg ("row %zu: %s", i, err.text);
        if (rc < 0 && !strstr (err.text, values[i].message))
            fail_msg ("'%s' is not in '%s'", values[i].message, err.text);
        sizes_release (&sizes);
        json_unref (v);
    }
    temp_dir_remove (dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_note),
        cmocka_unit_test (test_find),
        cmocka_unit_test (test_values),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
