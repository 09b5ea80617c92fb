/* SPDX-License-Identifier: BSD-3-Clause */
/* test_expression.c - the little language: values, nulls, messages */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "signature/expression.h"

static const char names_text[] =
    "{\"iteration\": 2, \"select.accurate\": 0.93, \"select.failed\": 0,"
    " \"select.state\": \"good\", \"train.rmse\": [0.3, null, 0.1],"
    " \"train.none\": [], \"train.holes\": [null], \"train.text\": [\"a\"],"
    " \"train.big\": [9007199254740990, 1], \"train.over\": [9007199254740991, "
    "1], \"on\": true, \"map\": {\"a\": 1},"
    " \"huge\": 9007199254740991, \"reals\": [1e308, 1e308, 1]}";

static struct json *lookup (const char *name, void *arg)
{
    return json_ref (json_get (arg, name));
}

static const struct {
    const char *text, *result;
} values[] = {
    { "1", "1" },
    { " 1.5e2 ", "150.0" },
    { "\"text\"", "\"text\"" },
    { "true", "true" },
    { "null", "null" },
    { "iteration", "2" },
    { "unknown.name", "null" },
    /* arithmetic */
    { "1 + 2 * 3", "7" },
    { "(1 + 2) * 3", "9" },
    { "10 - 2 - 3", "5" },
    { "8 / 4 / 2", "1.0" },
    { "5 / 2", "2.5" },
    { "-iteration + 3", "1" },
    { "2 - -1", "3" },
    { "--2", "2" },
    { "1 + 0.5", "1.5" },
    { "huge + 1", "9007199254740992.0" },
    { "huge - 1", "9007199254740990" },
    { "1 / 0", "null" },
    { "1e308 * 10", "null" },
    { "99999999999999999999", "1e20" },
    { "null + 1", "null" },
    { "unknown * 2", "null" },
    /* comparisons */
    { "select.accurate >= 0.9 and select.failed == 0", "true" },
    { "1 == 1.0", "true" },
    { "1 != 2", "true" },
    { "2 <= 1", "false" },
    { "2 > 1", "true" },
    { "2 < 1", "false" },
    { "huge > huge - 1", "true" },
    { "select.state == \"good\"", "true" },
    { "\"a\" < \"b\"", "true" },
    { "on == true", "true" },
    { "on != false", "true" },
    { "map == map", "true" },
    { "train.none == train.holes", "false" },
    { "null == null", "null" },
    { "unknown < 3", "null" },
    /* logic */
    { "not (iteration == 0) or mean(train.rmse) < 0.2", "true" },
    { "not iteration == 0", "true" },
    { "not not on", "true" },
    { "null or false", "false" },
    { "null and true", "false" },
    { "not null", "true" },
    { "unknown < 3 or on", "true" },
    { "false and (\"a\" < 3)", "false" }, /* not looked at */
    { "true or \"a\" < 3", "true" },
    { "true or false and false", "true" },
    /* functions */
    { "min(train.rmse)", "0.1" },
    { "max(train.rmse)", "0.3" },
    { "mean(train.rmse)", "0.2" },
    { "sum(train.rmse)", "0.4" },
    { "count(train.rmse)", "2" },
    { "count(train.text)", "1" },
    { "sum(train.big)", "9007199254740991" },
    { "max(train.big)", "9007199254740990" },
    { "sum(train.over)", "9007199254740992.0" },
    { "-huge - 1", "-9007199254740992.0" },
    { "huge * 2", "18014398509481982.0" },
    { "9007199254740992", "9007199254740992.0" },
    { "mean(train.none)", "null" },
    { "min(train.holes)", "null" },
    { "sum(train.holes)", "0" },
    { "count(train.none)", "0" },
    { "sum(reals)", "null" },
    { "max(unknown)", "null" },
    { "max(1, iteration, 0.5)", "2" },
    { "max(1, null)", "1" },
    { "abs(-3)", "3" },
    { "abs(0.5 - 1)", "0.5" },
    { "abs(unknown)", "null" },
    { "default(unknown, 7)", "7" },
    { "default(iteration, \"a\" < 3)", "2" },
    { "default(max(train.none), 1) < 2", "true" },
};

static void test_values (void **state)
{
    struct json *names =
        json_parse (names_text, strlen (names_text), "n", NULL);

    (void)state;
    assert_non_null (names);
    for (size_t i = 0; i < ARRAY_SIZE (values); i++) {
        struct error err = ERROR_INIT;
        struct expression *e = expression_parse (values[i].text, &err);
        struct json *v = NULL;
        struct json *wanted =
            json_parse (values[i].result, strlen (values[i].result), "w", NULL);

        if (!e || expression_eval (e, lookup, names, &v, &err) < 0)
            fail_msg ("%s: %s", values[i].text, err.text);
        assert_non_null (wanted);
        if (!json_equal (v, wanted)) {
            struct strbuf got = STRBUF_INIT;

            json_dump (v, JSON_COMPACT, &got);
            fail_msg ("%s: %s, expected %s", values[i].text, got.buf,
                      values[i].result);
        }
        json_unref (v);
        json_unref (wanted);
        expression_destroy (e);
    }
    json_unref (names);
}

static const struct {
    const char *text, *message;
} bad_values[] = {
    { "\"a\" < 3", "column 5: cannot compare a string with an integer" },
    { "on == 1", "column 4: cannot compare" },
    { "on < on", "column 4: a bool" },
    { "train.rmse < train.rmse", "has no order" },
    { "on + 1", "column 4: expected numbers on both sides, got" },
    { "1 and true", "column 1: expected true or false, got an integer" },
    { "not select.state", "column 5: expected true or false, got a string" },
    { "true and 3", "expected true or false" },
    { "mean(train.text)", "column 1: expected a list of numbers, got" },
    { "max(on)", "expected a list of numbers, got" },
    { "-select.state", "column 1: expected a number, got a string" },
    { "abs(train.rmse)", "column 1: expected a number, got" },
    { "1 + (2 + abs(on))", "column 10: expected a number" },
};

static void test_bad_values (void **state)
{
    struct json *names =
        json_parse (names_text, strlen (names_text), "n", NULL);

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (bad_values); i++) {
        struct error err = ERROR_INIT;
        struct expression *e = expression_parse (bad_values[i].text, &err);
        struct json *v = names;

        assert_non_null (e);
        assert_int_equal (expression_eval (e, lookup, names, &v, &err), -1);
        assert_ptr_equal (v, names); /* untouched */
        if (!strstr (err.text, bad_values[i].message))
            fail_msg ("'%s' is not in '%s'", bad_values[i].message, err.text);
        expression_destroy (e);
    }
    json_unref (names);
}

static const struct {
    const char *text, *message;
} bad_texts[] = {
    { "", "column 1: a value is missing at the end" },
    { "1 +", "column 4: a value is missing at the end" },
    { "1 2", "column 3: '2' after the end of the expression" },
    { "a = 1", "column 3: '=' alone; compare with ==" },
    { "!a", "column 1: '!' alone; write not" },
    { "a < b < c",
      "column 7: comparisons do not chain; write a < b and b < c" },
    { "a == b != c", "column 8: comparisons do not chain" },
    { "(a", "column 3: expected ')'" },
    { "(a]", "column 3: ']' means nothing here" },
    { "a)", "column 2: ')' after the end" },
    { "a.", "column 2: '.' means nothing here" },
    { "* 3", "column 1: an operator where a value is expected" },
    { "a and", "column 6: a value is missing" },
    { "a == not b", "column 6: 'not' where a value is expected" },
    { "or", "column 1: 'or' where a value is expected" },
    { "\"a", "column 1: the text is not closed" },
    { "10m", "column 1: not a number; durations are in seconds" },
    { "1.5.2", "column 4: '.' means nothing here" },
    { "a > 95%", "column 7: '%' means nothing here; write 0.95 for 95 %" },
    { "a > 99.5 % and b",
      "column 10: '%' means nothing here; write 0.995 for" },
    { "% 2", "column 1: '%' means nothing here" },
    { "a % 2", "column 3: '%' means nothing here" },
    { "1e999", "column 1: the number is too large" },
    { "maxx(a)", "column 1: unknown function 'maxx'; did you mean 'max'?" },
    { "frobnicate(a)", "unknown function 'frobnicate'; there are min, max" },
    { "abs()", "column 1: abs takes one argument, got 0" },
    { "default(a)", "default takes two arguments, got 1" },
    { "max()", "max takes a list or several arguments, got 0" },
    { "max(a b)", "column 7: expected ',', got 'b'" },
    { "max(a,", "column 7: a value is missing" },
    { "true(1)", "column 5: '(' after the end" },
    { "a \xc3\xa9", "column 3: '\xc3\xa9' means nothing here" },
    { "a \xe2\x89\xa5 1", "column 3: '\xe2\x89\xa5' means nothing here" },
    { "a \xc3", "column 3: '\xc3' means nothing here" },
};

static void test_bad_texts (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (bad_texts); i++) {
        struct error err = ERROR_INIT;

        assert_null (expression_parse (bad_texts[i].text, &err));
        if (!strstr (err.text, bad_texts[i].message))
            fail_msg ("'%s' is not in '%s'", bad_texts[i].message, err.text);
    }
}

/* 'n' times 'before', a name, 'n' times 'after'. */
static void nest (struct strbuf *text, int n, const char *before,
                  const char *after)
{
    strbuf_reset (text);
    for (int i = 0; i < n; i++)
        strbuf_add_str (text, before);
    strbuf_add_str (text, "a");
    for (int i = 0; i < n; i++)
        strbuf_add_str (text, after);
}

static void test_nesting_is_limited (void **state)
{
    static const struct {
        const char *before, *after;
    } shapes[] = {
        { "(", ")" },    { "-", "" },    { "not ", "" },
        { "abs(", ")" }, { "", " + a" }, { "1 - (", ")" },
    };
    struct strbuf text = STRBUF_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (shapes); i++) {
        struct error err = ERROR_INIT;
        struct expression *e;

        nest (&text, 60, shapes[i].before, shapes[i].after);
        e = expression_parse (text.buf, &err);
        if (!e)
            fail_msg ("%s", err.text);
        expression_destroy (e);
        nest (&text, 100000, shapes[i].before, shapes[i].after);
        assert_null (expression_parse (text.buf, &err));
        assert_non_null (strstr (err.text, "nested deeper than 64"));
    }
    strbuf_release (&text);
}

static int collect_name (const char *name, void *arg, struct error *err)
{
    if (strcmp (name, "stop") == 0)
        return error_set (err, "stopped");
    strbuf_addf (arg, "%s;", name);
    return 0;
}

static void test_names (void **state)
{
    struct expression *e = expression_parse (
        "max(a.b, 3) + c > 1 and not previous.d.e_2 or stop and z", NULL);
    struct strbuf names = STRBUF_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    assert_non_null (e);
    assert_int_equal (expression_names (e, collect_name, &names, &err), -1);
    assert_string_equal (names.buf, "a.b;c;previous.d.e_2;");
    assert_string_equal (err.text, "stopped");
    expression_destroy (e);
    expression_destroy (NULL);
    strbuf_release (&names);
}

/* --- types --- */

static const struct {
    const char *name;
    struct type type;
} typed[] = {
    { "n", ONE (INT) },
    { "x", ONE (FLOAT) },
    { "errors", LIST_OF (FLOAT) },
    { "names", LIST_OF (STRING) },
    { "any_list", ONE (LIST) },
    { "map", ONE (MAP) },
    { "on", ONE (BOOL) },
    { "text", ONE (STRING) },
    { "file", ONE (FILE) },
    { "files", LIST_OF (FILE) },
    { "share", A_FRACTION },
    { "shares", { TYPE_FLOAT, .depth = 1, .is_fraction = true } },
    { "time", ONE (DURATION) },
    { "any", ONE (ANY) },
};

static struct type type_of (const char *name, void *arg)
{
    struct type none = { .kind = TYPE_NONE };

    (void)arg;
    for (size_t i = 0; i < ARRAY_SIZE (typed); i++) {
        if (strcmp (typed[i].name, name) == 0)
            return typed[i].type;
    }
    return none;
}

static const struct {
    const char *text;
    const char *message; /* as a condition; NULL: it is one */
    bool history;        /* is a value all the same */
} type_cases[] = {
    { "x > 0.5", NULL, true },
    { "n == 1.5 and time < 3", NULL, true },
    { "max(errors) < 0.3 or not on", NULL, true },
    { "default(x, 0) < 1", NULL, true },
    { "default(on, false)", NULL, true },
    /* a default in per cent: so is what it is compared with */
    { "default(share, 100) > 90", NULL, true },
    { "any > 1", NULL, true },
    { "any", NULL, true },
    { "unknown and unknown > 3", NULL, true },
    { "max(any_list) > 1", NULL, true },
    { "count(files) > 0 and count(names) == 2", NULL, true },
    { "sum(1, x) < 2", NULL, true },
    /* neither is a fraction any more */
    { "sum(shares) > 2", NULL, true },
    { "count(shares) > 2", NULL, true },
    { "text == \"a\" and text < \"b\"", NULL, true },
    { "on != true", NULL, true },
    { "errors == any_list", NULL, true },
    { "share >= 0.9 and share <= 1", NULL, true },
    { "share * 100 > 90", NULL, true },
    { "1 > share", NULL, true },
    { "false", NULL, true },
    { "null", NULL, true },
    { "x",
      "column 1: x is a number, and true or false must stand here; compare it: "
      "x > NUMBER",
      true },
    { "x + 1", "this is a number, and true or false must stand here", true },
    { "0", "this is a number, and true or false must stand here", true },
    { "errors",
      "errors is a list, and true or false must stand here; write, "
      "for instance, max(errors) < NUMBER",
      true },
    { "map", "map is a map, and true or false must stand here; name", true },
    { "text", "text is text, and true or false must stand here; compare",
      true },
    { "file", "file is a file, and true or false", true },
    { "on and x", "column 8: x is a number, and true or false", false },
    { "not n", "column 5: n is a number", false },
    { "errors < 0.3",
      "column 1: errors is a list, and a number must stand here; write "
      "max(errors), min(errors) or mean(errors)",
      false },
    { "0.3 > errors", "column 7: errors is a list, and a number", false },
    { "x > errors", "column 5: errors is a list", false },
    { "errors + 1 > 2", "column 1: errors is a list", false },
    { "-errors > 2", "column 2: errors is a list", false },
    { "abs(errors) > 2", "column 5: errors is a list", false },
    { "map > 0.9", "column 1: map is a map, and a number must stand here",
      false },
    { "files > 0", "column 1: files is a list", false },
    { "file > 0", "column 1: file is a file, and a number", false },
    { "text > 0", "column 1: text is text, and a number must stand here",
      false },
    { "on > 0", "column 1: on is true or false, and a number must", false },
    { "on == 1", "column 1: on is true or false, and a number", false },
    { "on < true", "column 1: on is true or false, and a number", false },
    { "errors < errors", "column 1: errors is a list", false },
    { "max(names) > 1",
      "column 1: max() is of numbers, and names is a list of "
      "others",
      false },
    { "max(map) > 1", "max() is of numbers, and map is a map", false },
    { "max(x, on) > 1", "column 8: on is true or false, and a number", false },
    { "count(map) > 1", "column 7: map is a map, and a list must stand here",
      false },
    { "x == null",
      "column 3: a comparison with null is never true; write default(x, VALUE)",
      false },
    { "null != x", "column 6: a comparison with null is never true", false },
    { "share > 90",
      "column 9: share is a fraction, from 0 to 1, and > 90 says nothing of "
      "it; write 0.9 for 90 %",
      false },
    { "95 <= share", "column 1: share is a fraction", false },
    { "mean(shares) > 90", "column 16: this is a fraction", false },
    { "default(share, 0) > 90", "column 21: this is a fraction", false },
    { "share > 500", "write a number from 0 to 1", false },
    { "share > 1", "share is from 0 to 1, so > 1 is never true", false },
    { "0 > share", "share is from 0 to 1, so < 0 is never true", false },
};

static void check_types_of (const char *text, bool is_condition,
                            const char *message)
{
    struct expression *e = expression_parse (text, NULL);
    struct error err = ERROR_INIT;
    int rc;

    assert_non_null (e);
    rc = expression_check_types (e, type_of, NULL, is_condition, &err);
    if (rc != (message ? -1 : 0))
        fail_msg ("%s: returned %d: %s", text, rc, err.text);
    if (message && !strstr (err.text, message))
        fail_msg ("%s: '%s' is not in '%s'", text, message, err.text);
    expression_destroy (e);
}

static void test_types (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (type_cases); i++) {
        const char *message = type_cases[i].message;

        check_types_of (type_cases[i].text, true, message);
        check_types_of (type_cases[i].text, false,
                        type_cases[i].history ? NULL : message);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_values),
        cmocka_unit_test (test_bad_values),
        cmocka_unit_test (test_bad_texts),
        cmocka_unit_test (test_nesting_is_limited),
        cmocka_unit_test (test_names),
        cmocka_unit_test (test_types),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
