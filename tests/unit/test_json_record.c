/* SPDX-License-Identifier: BSD-3-Clause */
/* test_json_record.c - typed getters, records, and what they say */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "base/json_record.h"

static const char record[] = "{\"b\": true, \"i\": 7, \"d\": 2.5, \"s\": \"x\","
                             " \"a\": [1], \"o\": {\"k\": 1}, \"n\": null}";

static int parse (void **state)
{
    *state = json_parse (record, strlen (record), "record", NULL);
    return *state ? 0 : -1;
}

static int unref (void **state)
{
    json_unref (*state);
    return 0;
}

static void test_values (void **state)
{
    struct error err = ERROR_INIT;
    bool b = false;
    int64_t i = 0;
    double d = 0;
    const char *s = NULL;
    struct json *v = NULL;

    assert_int_equal (json_want_bool (*state, "b", &b, &err), 0);
    assert_true (b);
    assert_int_equal (json_want_int (*state, "i", &i, &err), 0);
    assert_int_equal (i, 7);
    assert_int_equal (json_want_double (*state, "d", &d, &err), 0);
    assert_true (d == 2.5);
    assert_int_equal (json_want_double (*state, "i", &d, &err), 0);
    assert_true (d == 7);
    assert_int_equal (json_want_string (*state, "s", &s, &err), 0);
    assert_string_equal (s, "x");
    assert_int_equal (json_want_array (*state, "a", &v, &err), 0);
    assert_int_equal (json_count (v), 1);
    assert_int_equal (json_want_object (*state, "o", &v, &err), 0);
    assert_non_null (json_get (v, "k"));
}

static void test_complaints (void **state)
{
    struct error err = ERROR_INIT;
    int64_t i = 42;

    assert_int_equal (json_want_int (*state, "s", &i, &err), -1);
    assert_string_equal (err.text,
                         "key 's': expected an integer, got a string");
    assert_int_equal (json_want_int (*state, "d", &i, &err), -1);
    assert_string_equal (err.text,
                         "key 'd': expected an integer, got a real number");
    assert_int_equal (json_want_int (*state, "n", &i, &err), -1);
    assert_string_equal (err.text, "key 'n': expected an integer, got null");
    assert_int_equal (json_want_int (*state, "x", &i, &err), -1);
    assert_string_equal (err.text, "key 'x': missing, expected an integer");
    assert_int_equal (json_want_int (NULL, "x", &i, &err), -1);
    assert_int_equal (i, 42);
}

static void test_outputs_untouched (void **state)
{
    struct error err = ERROR_INIT;
    bool b = true;
    double d = 4.5;
    const char *s = "as it was";
    struct json *v = NULL;

    assert_int_equal (json_want_bool (*state, "i", &b, &err), -1);
    assert_int_equal (json_want_double (*state, "s", &d, &err), -1);
    assert_string_equal (err.text, "key 's': expected a number, got a string");
    assert_int_equal (json_want_string (*state, "i", &s, &err), -1);
    assert_int_equal (json_want_array (*state, "o", &v, &err), -1);
    assert_int_equal (json_want_object (*state, "a", &v, &err), -1);
    assert_true (b);
    assert_true (d == 4.5);
    assert_string_equal (s, "as it was");
    assert_null (v);
}

/* --- records by tables of fields --- */

struct thing {
    char word[8];
    char *note;
    bool on;
    int count;
    int64_t large;
    double real;
    struct json *tree;
};

static const struct json_field fields[] = {
    JSON_FIELD (struct thing, word, TEXT),
    JSON_FIELD (struct thing, note, STRING, .optional = true),
    JSON_FIELD (struct thing, on, BOOL),
    JSON_FIELD (struct thing, count, COUNT, .least = 1),
    JSON_FIELD_AS (struct thing, large, "size", COUNT, .most = 1000000000000),
    JSON_FIELD (struct thing, real, REAL),
    JSON_FIELD (struct thing, tree, TREE),
    JSON_FIELDS_END,
};

static const char thing_text[] =
    "{\"word\":\"seven77\",\"note\":\"n\",\"on\":true,\"count\":2147483647,"
    "\"size\":1000000000000,\"real\":0.5,\"tree\":{\"a\":[1]}}";

static void test_record_read_and_written (void **state)
{
    struct json *v =
        json_parse (thing_text, sizeof (thing_text) - 1, "t", NULL);
    struct json *written = json_object ();
    struct thing thing = { .count = 0 };
    struct strbuf text = STRBUF_INIT;

    (void)state;
    assert_int_equal (json_record_read (v, fields, &thing, NULL), 0);
    assert_string_equal (thing.word, "seven77");
    assert_string_equal (thing.note, "n");
    assert_true (thing.on);
    assert_int_equal (thing.count, INT32_MAX);
    assert_true (thing.large == 1000000000000);
    assert_true (thing.real == 0.5);
    assert_ptr_not_equal (thing.tree, json_get (v, "tree"));
    json_record_write (&thing, fields, written);
    json_push (json_get (thing.tree, "a"), json_int (2)); /* not in 'written' */
    json_dump (written, JSON_COMPACT, &text);
    assert_string_equal (text.buf, thing_text);
    free (thing.note);
    thing.note = NULL;
    json_unref (thing.tree);
    thing.tree = NULL;
    json_unref (written);
    written = json_object ();
    json_record_write (&thing, fields, written);
    assert_null (json_get (written, "note"));
    assert_null (json_get (written, "tree"));
    assert_int_equal (json_record_read (written, fields, &thing, NULL), 0);
    assert_null (thing.note);
    assert_null (thing.tree);
    strbuf_release (&text);
    json_unref (written);
    json_unref (v);
}

static void test_record_complaints (void **state)
{
    static const struct {
        const char *key, *value; /* NULL: not there */
        const char *complaint;
    } rows[] = {
        { "word", NULL, "key 'word': missing, expected a string" },
        { "word", "1", "key 'word': expected a string, got an integer" },
        { "word", "\"12345678\"",
          "key 'word': expected fewer than 8 characters, got '12345678'" },
        { "note", "null", "key 'note': expected a string, got null" },
        { "on", "0", "key 'on': expected a bool, got an integer" },
        { "count", "0", "key 'count': expected 1 or more, got 0" },
        { "count", "2147483648",
          "key 'count': expected 2147483647 or less, got 2147483648" },
        { "count", "2.0", "key 'count': expected an integer, got a real" },
        { "size", "-1", "key 'size': expected 0 or more, got -1" },
        { "size", "1000000000001",
          "key 'size': expected 1000000000000 or less, got 1000000000001" },
        { "real", "\"1\"", "key 'real': expected a number, got a string" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct json *v =
            json_parse (thing_text, sizeof (thing_text) - 1, "t", NULL);
        struct thing thing = { .count = 0 };
        struct error err = ERROR_INIT;

        json_delete (v, rows[i].key);
        if (rows[i].value)
            json_set (
                v, rows[i].key,
                json_parse (rows[i].value, strlen (rows[i].value), "t", NULL));
        assert_int_equal (json_record_read (v, fields, &thing, &err), -1);
        if (strncmp (err.text, rows[i].complaint, strlen (rows[i].complaint)))
            fail_msg ("%s: '%s'", rows[i].complaint, err.text);
        free (thing.note);
        json_unref (thing.tree);
        json_unref (v);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_values),
        cmocka_unit_test (test_complaints),
        cmocka_unit_test (test_outputs_untouched),
        cmocka_unit_test (test_record_read_and_written),
        cmocka_unit_test (test_record_complaints),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, parse, unref);
}
