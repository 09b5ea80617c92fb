/* SPDX-License-Identifier: BSD-3-Clause */
/* test_json.c - making, looking, parsing, and text that reads back */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <unistd.h>

#include "base/json.h"
#include "temp_dir.h"

static struct json *parse (const char *text)
{
    struct error err = ERROR_INIT;
    struct json *v = json_parse (text, strlen (text), "t", &err);

    if (!v)
        fail_msg ("%s", err.text);
    return v;
}

static void assert_dump (const struct json *v, int flags, const char *expected)
{
    struct strbuf out = STRBUF_INIT;

    json_dump (v, flags, &out);
    assert_string_equal (out.buf, expected);
    strbuf_release (&out);
}

static void test_kinds (void **state)
{
    static const struct {
        const char *text;
        enum json_kind kind;
        const char *name;
    } cases[] = {
        { "null", JSON_KIND_NULL, "null" },
        { "true", JSON_KIND_BOOL, "a bool" },
        { "17", JSON_KIND_INT, "an integer" },
        { "17.0", JSON_KIND_REAL, "a real number" },
        { "1e3", JSON_KIND_REAL, "a real number" },
        { "\"\"", JSON_KIND_STRING, "a string" },
        { "[]", JSON_KIND_ARRAY, "an array" },
        { "{}", JSON_KIND_OBJECT, "an object" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *v = parse (cases[i].text);

        assert_int_equal (json_kind (v), cases[i].kind);
        assert_string_equal (json_kind_name (v), cases[i].name);
        assert_int_equal (json_is_null (v), i == 0);
        json_unref (v);
    }
    assert_int_equal (json_kind (NULL), JSON_KIND_NULL);
}

static void test_build (void **state)
{
    struct json *v = json_object ();
    struct json *list = json_array ();

    (void)state;
    json_push (list, json_int (-JSON_INT_MAX));
    json_push (list, json_real (0.1 + 0.2));
    json_push (list, json_real (3));
    json_push (list, json_real ((double)NAN));
    json_push (list, json_real ((double)-INFINITY));
    json_push (list, NULL);
    json_set (v, "b", list);
    json_set (v, "a", json_bool (false));
    json_set (v, "gone", json_string ("x"));
    json_delete (v, "gone");
    json_delete (v, "never there");
    json_set (v, "a", json_stringf ("%s %d", "task", 7));
    assert_int_equal (json_count (v), 2);
    assert_int_equal (json_count (list), 6);
    assert_dump (v, JSON_COMPACT,
                 "{\"b\":[-9007199254740991,0.30000000000000004,3.0,null,"
                 "null,null],\"a\":\"task 7\"}");
    json_unref (v);
}

static void test_null_is_legal (void **state)
{
    (void)state;
    assert_null (json_ref (NULL));
    json_unref (NULL);
    assert_null (json_get (NULL, "x"));
    assert_null (json_at (NULL, 0));
    assert_false (json_array_has_string (NULL, ""));
    assert_int_equal (json_count (NULL), 0);
    assert_null (json_iter (NULL));
    assert_true (json_is_null (NULL));
    assert_dump (NULL, JSON_COMPACT, "null");
}

static void test_references (void **state)
{
    struct json *v = json_array ();
    struct json *inner = json_string ("kept");

    (void)state;
    json_push (v, json_ref (inner));
    json_unref (v);
    assert_string_equal (json_as_string (inner), "kept");
    json_unref (inner);
}

static void test_deep_copy_is_apart (void **state)
{
    struct json *v = parse ("{\"a\": [1, {\"b\": 2}]}");
    struct json *copy = json_deep_copy (v);
    struct json *null = json_deep_copy (NULL);

    (void)state;
    assert_true (json_equal (v, copy));
    json_push (json_get (copy, "a"), json_int (3));
    assert_false (json_equal (v, copy));
    assert_int_equal (json_count (json_get (v, "a")), 2);
    assert_true (json_equal (null, NULL));
    assert_false (json_equal (v, NULL));
    json_unref (null);
    json_unref (copy);
    json_unref (v);
}

static void test_neutral_values (void **state)
{
    struct json *s = json_string ("x"), *i = json_int (5);

    (void)state;
    assert_false (json_as_bool (s));
    assert_int_equal (json_as_int (s), 0);
    assert_true (json_as_double (s) == 0);
    assert_true (json_as_double (i) == 5);
    assert_string_equal (json_as_string (i), "");
    assert_null (json_get (s, "x"));
    assert_null (json_at (i, 0));
    assert_int_equal (json_count (s), 0);
    json_unref (s);
    json_unref (i);
}

static void test_iteration_keeps_order (void **state)
{
    struct json *v = parse ("{\"z\": 0, \"a\": 1, \"m\": 2}");
    const char *const keys[] = { "z", "a", "m" };
    int64_t n = 0;

    (void)state;
    JSON_FOREACH (v, it) {
        assert_string_equal (json_iter_key (it), keys[n]);
        assert_int_equal (json_as_int (json_iter_value (it)), n);
        n++;
    }
    assert_int_equal (n, 3);
    json_unref (v);
}

static void test_bad_utf8_is_replaced (void **state)
{
    static const struct {
        const char *bytes;
        const char *text;
    } cases[] = {
        { "ok \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80",
          "ok \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80" },
        { "\xff", "\xef\xbf\xbd" },
        { "a\xc3", "a\xef\xbf\xbd" },
        { "\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd" },
        { "\xe0\x80\xaf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
        { "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
        { "\xf4\x90\x80\x80",
          "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
        { "\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd" },
        { "\xf0\x9f\x98", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
    };
    struct json *v;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        v = json_string (cases[i].bytes);
        assert_string_equal (json_as_string (v), cases[i].text);
        json_unref (v);
    }
    v = json_object ();
    json_set (v, "\xff", json_null ());
    assert_dump (v, JSON_COMPACT, "{\"\xef\xbf\xbd\":null}");
    json_unref (v);
    v = json_string (NULL);
    assert_true (json_is_null (v));
    json_unref (v);
}

static void test_refused_text (void **state)
{
    static const struct {
        const char *text;
        const char *complaint; /* how the message begins */
    } cases[] = {
        { "", "t:1:1: a value is missing" },
        { "   ", "t:1:" },
        { "\n\n", "t:2:1: a value is missing" },
        { "{} x", "t:1:4: text behind the value" },
        { "1\n2", "t:2:1: text behind the value" },
        { "nullx", "t:1:5: text behind the value" },
        /* Numbers. */
        { "01", "t:1:2: a number that begins with 0" },
        { "-01", "t:1:3: a number that begins with 0" },
        { "[1.]", "t:1:4: a digit is missing behind the decimal point" },
        { "1.e5", "t:1:3: a digit is missing behind the decimal point" },
        { "-", "t:1:2: a digit is missing" },
        { "-x", "t:1:2: a digit is missing" },
        { "2e", "t:1:3: a digit is missing in the exponent" },
        { "2e+", "t:1:4: a digit is missing in the exponent" },
        { "+1", "t:1:1: unexpected '+'" },
        { ".5", "t:1:1: unexpected '.'" },
        { "0x10", "t:1:2: text behind the value" },
        { "1.2.3", "t:1:4: text behind the value" },
        { "[1-2]", "t:1:3: unexpected '-'" },
        { "NaN", "t:1:1: NaN and infinities are no numbers of JSON; write "
                 "null, or leave the key out" },
        { "{\"a\": [-Infinity]}", "t:1:9: NaN and infinities are no" },
        { "[Nan]", "t:1:2: unexpected 'N'" },
        { "-Infinity", "t:1:2: NaN and infinities are no" },
        { "1e999", "t:1:1: the number is greater than a double can be" },
        { "[0, -1e999]",
          "t:1:5: key '[1]': the number is greater than a double can be" },
        { "0.00000000000000000000000000000000000000000000000000000000000001",
          "t:1:1: a number of more than 63 characters" },
        /* Strings. */
        { "\"a\\u0000b\"", "t:1:9: a NUL character" },
        { "\"\xff\"", "t:1:2: text that is not UTF-8" },
        { "\"a\xc3\"", "t:1:3: text that is not UTF-8" },
        { "\"\xed\xa0\x80\"", "t:1:2: text that is not UTF-8" },
        { "\"\\ud800\"", "t:1:8: half of a surrogate pair" },
        { "\"\\ud800\\n\"", "t:1:9: half of a surrogate pair" },
        { "\"\\ud800\\ud800\"", "t:1:14: half of a surrogate pair" },
        { "\"\\udc00\\ud800\"", "t:1:8: half of a surrogate pair" },
        { "\"\\u12g4\"", "t:1:6: \\u needs four hexadecimal digits" },
        { "\"\\x41\"", "t:1:3: an escape that JSON does not have" },
        { "\"a\tb\"", "t:1:3: a control character; write it as" },
        { "{\"a\nb\": 1}", "t:1:4: a control character; write it as" },
        { "[\"a", "t:1:2: a string that does not end" },
        { "\"\\\"", "t:1:1: a string that does not end" },
        /* Structure. */
        { "\xef\xbb\xbf{}", "t:1:1: unexpected character" },
        { "[1\f]", "t:1:3: a control character" },
        { "[1,]", "t:1:4: unexpected ']'" },
        { "[,1]", "t:1:2: unexpected ','" },
        { "[1 2]", "t:1:4: unexpected '2'" },
        { "[1", "t:1:3: the text ends before all brackets are closed" },
        { "[1}", "t:1:3: unexpected '}'" },
        { "{\"a\" 1}", "t:1:6: unexpected '1'" },
        { "{\"a\": }", "t:1:7: unexpected '}'" },
        { "{\"a\": 1,}", "t:1:9: unexpected '}'" },
        { "{a: 1}", "t:1:2: unexpected 'a'" },
        { "{ a: 1}", "t:1:3: unexpected 'a'" },
        { "{\"a\": 1, b: 2}", "t:1:10: unexpected 'b'" },
        { "{\"a\": 1, \n}", "t:2:1: unexpected '}'" },
        { "[1, {}x]", "t:1:7: unexpected 'x'" },
        { "[1,2x]", "t:1:5: unexpected 'x'" },
        { "[nul]", "t:1:2: unexpected 'n'" },
        { "{,}", "t:1:2: unexpected ','" },
        { "{1: 1}", "t:1:2: unexpected '1'" },
        { "]", "t:1:1: unexpected ']'" },
        { "tru", "t:1:1: unexpected 't'" },
        { "True", "t:1:1: unexpected 'T'" },
        { "'a'", "t:1:1: unexpected '''" },
        { "// no\n1", "t:1:1: unexpected '/'" },
        /* Keys and integers, with their path. */
        { "{\n  \"a\": 1,\n  \"a\": 2\n}",
          "t:3:3: key 'a': duplicate object key" },
        { "{\"o\": [{}, {\"\\u0061\": [], \"a\": 2}]}",
          "t:1:27: key 'o[1].a': duplicate object key" },
        { "9007199254740992",
          "t:1:1: the integer 9007199254740992 is beyond 2^53 - 1; write it "
          "as text" },
        { "[\"12\", true,\n {\"seed\": [1, -9007199254740993]}]",
          "t:2:15: key '[2].seed[1]': the integer -9007199254740993 is "
          "beyond 2^53 - 1" },
        { "[1e3, 123456789012345678901234567890]", "t:1:7: key '[1]': the" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const char *text = cases[i].text;
        struct error err = ERROR_INIT;

        if (json_parse (text, strlen (text), "t", &err))
            fail_msg ("'%s' was taken", text);
        if (strncmp (err.text, cases[i].complaint, strlen (cases[i].complaint)))
            fail_msg ("'%s': '%s'", text, err.text);
    }
    assert_null (json_parse ("1\0", 2, "t", NULL));
    assert_null (json_parse ("\"\\\0\"", 4, "t", NULL));
    assert_null (json_parse ("\"a\0b\"", 5, "t", NULL));
}

/* What stands next to what is refused, and what follows tokens of all kinds. */
static void test_taken_text (void **state)
{
    static const struct {
        const char *text;
        const char *dump;
    } cases[] = {
        { " \t\r\n[ ] ", "[]" },
        { "[-0,-0.0,0e1,0E-1,1E+2]", "[0,-0.0,0.0,0.0,100.0]" },
        { "[30,30.0,3e1,true,false,null,\"-7\",7]",
          "[30,30.0,30.0,true,false,null,\"-7\",7]" },
        { "{\"7\":\"\\\\\",\"a\\\"1\":{\"-\":2.50},\"\":3}",
          "{\"7\":\"\\\\\",\"a\\\"1\":{\"-\":2.5},\"\":3}" },
        { "\"\\ud83d\\uDE00\\u00e4\\/\\b\"",
          "\"\xf0\x9f\x98\x80\xc3\xa4/\\u0008\"" },
        { "{\"a\":{\"a\":1},\"b\":{\"a\":1}}",
          "{\"a\":{\"a\":1},\"b\":{\"a\":1}}" },
        { "[9007199254740991,-9007199254740991,9007199254740993.0]",
          "[9007199254740991,-9007199254740991,9007199254740992.0]" },
        { "0.0000000000000000000000000000000000000000000000000000000000001",
          "1e-61" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *v = parse (cases[i].text);

        assert_dump (v, JSON_COMPACT, cases[i].dump);
        json_unref (v);
    }
}

/* Enough members for an index, in and out again. */
static void test_large_object (void **state)
{
    struct json *v = json_object (), *copy;
    char key[16];

    (void)state;
    for (int i = 0; i < 1000; i++) {
        snprintf (key, sizeof (key), "k%d", i);
        json_set (v, key, json_int (i));
        json_set (v, key, json_int (2 * i));
    }
    for (int i = 0; i < 1000; i += 3) {
        snprintf (key, sizeof (key), "k%d", i);
        json_delete (v, key);
    }
    assert_int_equal (json_count (v), 666);
    for (int i = 0; i < 1000; i++) {
        snprintf (key, sizeof (key), "k%d", i);
        if (i % 3 == 0)
            assert_null (json_get (v, key));
        else
            assert_int_equal (json_as_int (json_get (v, key)), 2 * i);
    }
    copy = json_deep_copy (v);
    assert_true (json_equal (v, copy));
    json_set (copy, "k1", json_int (3));
    assert_false (json_equal (v, copy));
    json_unref (copy);
    json_unref (v);
}

/* The key that comes twice is found among many. */
static void test_large_duplicate (void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    for (int i = 0; i < 1000; i++)
        strbuf_addf (&text, "%c\"%d\": 0\n", i ? ',' : '{', i);
    strbuf_add_str (&text, ",\"617\": 0}");
    assert_null (json_parse (text.buf, text.len, "t", &err));
    assert_string_equal (err.text, "t:1001:2: key '617': duplicate object key");
    strbuf_release (&text);
}

/* Values that are built may be deeper than what is read. */
static void test_unref_is_not_recursive (void **state)
{
    struct json *v = json_int (1), *kept = json_array ();

    (void)state;
    json_push (kept, json_string ("kept"));
    for (int i = 0; i < 500000; i++) {
        struct json *up = i % 2 ? json_array () : json_object ();

        if (i % 2) {
            json_push (up, json_int (i));
            json_push (up, v);
            json_push (up, json_ref (kept));
        } else {
            json_set (up, "a", json_ref (kept));
            json_set (up, "b", v);
            json_set (up, "c", json_array ());
        }
        v = up;
    }
    json_unref (v);
    assert_dump (kept, JSON_COMPACT, "[\"kept\"]");
    json_unref (kept);
}

static void test_too_large_is_not_written (void **state)
{
    struct json *v = parse ("{\"jobs\": [{\"id\": 1}, {}]}");
    struct json *top = json_int (INT64_MIN);
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    assert_int_equal (json_check (v, &err), 0);
    json_set (json_at (json_get (v, "jobs"), 1), "id",
              json_int (JSON_INT_MAX + 1));
    assert_int_equal (json_write_file ("a.json", v, &err), -1);
    assert_string_equal (err.text, "a.json: key 'jobs[1].id': the integer "
                                   "9007199254740992 is beyond 2^53 - 1; "
                                   "write it as text");
    assert_int_equal (access ("a.json", F_OK), -1);
    assert_int_equal (json_check (top, &err), -1);
    assert_string_equal (err.text, "the integer -9223372036854775808 is beyond "
                                   "2^53 - 1; write it as text");
    json_unref (top);
    json_unref (v);
    temp_dir_leave (&dir);
}

static void test_depth (void **state)
{
    struct error err = ERROR_INIT;
    char text[2100];
    struct json *v;

    (void)state;
    memset (text, '[', 512);
    memset (text + 512, ']', 512);
    v = json_parse (text, 1024, "t", &err);
    assert_non_null (v);
    json_unref (v);
    memset (text, '[', 1024);
    text[9] = '\n';
    assert_null (json_parse (text, 1024, "t", &err));
    assert_string_equal (err.text, "t:2:504: nested too deep");
    /* Brackets in text are not nesting. */
    memset (text, '[', sizeof (text));
    text[0] = '"';
    memcpy (text + 1000, "\\\"", 2);
    text[sizeof (text) - 1] = '"';
    v = json_parse (text, sizeof (text), "t", &err);
    assert_non_null (v);
    json_unref (v);
}

static void test_every_prefix_is_refused (void **state)
{
    static const char text[] =
        "{\"a\": [1, -2.5e3, true, null], \"\\u00e4\\n\": \"\xc3\xa4\"}";

    (void)state;
    for (size_t len = 0; len < sizeof (text) - 1; len++)
        assert_null (json_parse (text, len, "t", NULL));
    json_unref (parse (text));
}

static void test_dump_styles (void **state)
{
    struct json *v = parse ("{\"b\": [1, [], {}], \"a\": {\"c\": \"x\"}}");

    (void)state;
    assert_dump (v, JSON_COMPACT, "{\"b\":[1,[],{}],\"a\":{\"c\":\"x\"}}");
    assert_dump (v, JSON_SORTED, "{\"a\":{\"c\":\"x\"},\"b\":[1,[],{}]}");
    assert_dump (v, JSON_PRETTY,
                 "{\n  \"b\": [\n    1,\n    [],\n    {}\n  ],\n"
                 "  \"a\": {\n    \"c\": \"x\"\n  }\n}\n");
    json_unref (v);
}

static void test_dump_escapes (void **state)
{
    struct json *v = json_string ("\"\\/\n\t\x01\x7f\xc3\xa4");
    struct json *again;
    struct strbuf out = STRBUF_INIT;

    (void)state;
    json_dump (v, JSON_COMPACT, &out);
    assert_string_equal (out.buf, "\"\\\"\\\\/\\n\\t\\u0001\\u007f\xc3\xa4\"");
    again = parse (out.buf);
    assert_true (json_equal (v, again));
    json_unref (again);
    json_unref (v);
    strbuf_release (&out);
}

static void test_numbers_read_back (void **state)
{
    static const char *const texts[] = {
        "9007199254740991",
        "-9007199254740991",
        "0",
        "0.1",
        "1e+300",
        "-0.0",
        "2.0",
        "5e-324",
        "1.2e-310",
        "2.2250738585072014e-308",
        "1.7976931348623157e+308",
        "9007199254740992.0",
        "0.30000000000000004",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (texts); i++) {
        struct json *v = parse (texts[i]);

        assert_dump (v, JSON_COMPACT, texts[i]);
        json_unref (v);
    }
}

static void test_files (void **state)
{
    struct error err = ERROR_INIT;
    struct json *v = parse ("{\"format\": 1}"), *again;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    assert_int_equal (json_write_file ("a.json", v, &err), 0);
    assert_file_text ("a.json", "{\n  \"format\": 1\n}\n");
    again = json_read_file ("a.json", &err);
    assert_true (json_equal (v, again));
    json_unref (again);
    json_unref (v);
    assert_null (json_read_file ("none.json", &err));
    assert_non_null (strstr (err.text, "none.json"));
    write_text ("bad.json", "{\n]");
    assert_null (json_read_file ("bad.json", &err));
    assert_memory_equal (err.text, "bad.json:2:1: ", 14);
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_kinds),
        cmocka_unit_test (test_build),
        cmocka_unit_test (test_null_is_legal),
        cmocka_unit_test (test_references),
        cmocka_unit_test (test_deep_copy_is_apart),
        cmocka_unit_test (test_neutral_values),
        cmocka_unit_test (test_iteration_keeps_order),
        cmocka_unit_test (test_bad_utf8_is_replaced),
        cmocka_unit_test (test_refused_text),
        cmocka_unit_test (test_taken_text),
        cmocka_unit_test (test_large_object),
        cmocka_unit_test (test_large_duplicate),
        cmocka_unit_test (test_unref_is_not_recursive),
        cmocka_unit_test (test_too_large_is_not_written),
        cmocka_unit_test (test_depth),
        cmocka_unit_test (test_every_prefix_is_refused),
        cmocka_unit_test (test_dump_styles),
        cmocka_unit_test (test_dump_escapes),
        cmocka_unit_test (test_numbers_read_back),
        cmocka_unit_test (test_files),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
