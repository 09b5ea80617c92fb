/* SPDX-License-Identifier: BSD-3-Clause */
/* test_json_record.c - typed getters and what they say */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/json.h"

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

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_values),
        cmocka_unit_test (test_complaints),
        cmocka_unit_test (test_outputs_untouched),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, parse, unref);
}
