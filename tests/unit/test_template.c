/* SPDX-License-Identifier: BSD-3-Clause */
/* test_template.c - argv templates: scanning and expanding */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "signature/template.h"

static const char values_text[] =
    "{\"n\": 3, \"big\": 9007199254740991, \"x\": 0.1, \"whole\": 2.0,"
    " \"text\": \"a b\", \"on\": true, \"empty\": [], \"files\": [\"p\", null,"
    " \"q\"], \"nested\": [[\"p\"], [1, 2]], \"map\": {}, \"maps\": [{}],"
    " \"none\": null, \"outputs.params\": \"params.json\", \"launcher\":"
    " [\"mpirun\", \"-n\", \"2\"], \"braces\": \"{n}\", \"@files\": "
    "\"/in/files.list\"}";

/* 'result' is the arguments joined by '|', or the message. */
static const struct {
    const char *argument;
    bool ok;
    const char *result;
} rows[] = {
    { "plain", true, "plain" },
    { "", true, "" },
    { "{n}", true, "3" },
    { "--n={n}", true, "--n=3" },
    { "{n}{n}", true, "33" },
    { "{big}", true, "9007199254740991" },
    { "{x} {whole}", true, "0.1 2.0" },
    { "{text}", true, "a b" },
    { "{on}", true, "true" },
    { "{files}", true, "p|q" },
    { "{nested}", true, "p|1|2" },
    { "{launcher}", true, "mpirun|-n|2" },
    { "{outputs.params}", true, "params.json" },
    { "{{n}}", true, "{n}" },
    { "{{{n}}}", true, "{3}" },
    { "{braces}", true, "{n}" }, /* not expanded twice */
    /* braces around no name are text */
    { "{}", true, "{}" },
    { "{ n }", true, "{ n }" },
    { "{print $1}", true, "{print $1}" },
    { "{\"n\": 5}", true, "{\"n\": 5}" },
    { "{\"n\": {n}}", true, "{\"n\": 3}" },
    { "{\"a\": {\"b\": {n}}}", true, "{\"a\": {\"b\": 3}}" },
    { "[0-9]{3}{2,3}", true, "[0-9]{3}{2,3}" },
    { "{a..z}{.n}{n.}{_n}", true, "{a..z}{.n}{n.}{_n}" },
    { "a}b{", true, "a}b{" },
    { "}}", true, "}}" }, /* closes nothing */
    { "BEGIN {{ x({{n}}) }} {n}", true, "BEGIN { x({n}) } 3" },
    { "{{ if (x) { y }}}", true, "{ if (x) { y }}" },
    { "{{n}", true, "{n}" },
    { "}}{{", true, "}}{" },
    { "{@files}", true, "/in/files.list" },
    { "--all={@files}", true, "--all=/in/files.list" },
    { "{{@files}}", true, "{@files}" },
    { "{@}{@ files}{@@files}", true, "{@}{@ files}{@@files}" },
    { "{@n}", false, "unknown placeholder '{@n}'" },
    { "{files}x", false, "'{files}x': '{files}' is an array here" },
    { "{map}", false, "'{map}' is an object here" },
    { "{maps}", false, "a list of what is no argument" },
    { "{none}", false, "'{none}' is null here" },
    { "{m}", false, "'{m}': unknown placeholder '{m}'" },
    { "a{m}b", false, "unknown placeholder '{m}'" },
    { "{n", false, "'{n': column 1: '{' is not closed; write {n}, or {{" },
    { "--n={n", false, "column 5: '{' is not closed; write {n}, or {{" },
    { "{N}", false, "unknown placeholder '{N}'" },
};

static struct json *make_values (void)
{
    struct json *v = json_parse (values_text, strlen (values_text), "v", NULL);

    assert_non_null (v);
    return v;
}

static void test_expand (void **state)
{
    struct json *values = make_values ();

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct strvec argv = STRVEC_INIT;
        struct strbuf joined = STRBUF_INIT;
        struct error err = ERROR_INIT;
        int rc = template_expand (rows[i].argument, values, &argv, &err);

        if (rc != (rows[i].ok ? 0 : -1))
            fail_msg ("%s: %s", rows[i].argument, err.text);
        for (size_t k = 0; k < argv.n; k++)
            strbuf_addf (&joined, "%s%s", k ? "|" : "", argv.v[k]);
        if (rows[i].ok)
            assert_string_equal (joined.buf, rows[i].result);
        else if (!strstr (err.text, rows[i].result))
            fail_msg ("'%s' is not in '%s'", rows[i].result, err.text);
        if (!rows[i].ok)
            assert_int_equal (argv.n, 0); /* untouched */
        strvec_release (&argv);
        strbuf_release (&joined);
    }
    json_unref (values);
}

static void test_expand_argv (void **state)
{
    static const char *const good[] = { "{launcher}", "{empty}", "run",
                                        "{files}", NULL };
    static const char *const bad[] = { "run", "{m}", NULL };
    struct json *values = make_values ();
    struct strvec argv = STRVEC_INIT;

    (void)state;
    assert_int_equal (template_expand_argv (good, values, &argv, NULL), 0);
    assert_int_equal (argv.n, 6);
    assert_string_equal (argv.v[3], "run");
    assert_string_equal (argv.v[5], "q");
    assert_int_equal (template_expand_argv (bad, values, &argv, NULL), -1);
    assert_int_equal (argv.n, 6);
    strvec_release (&argv);
    json_unref (values);
}

static void test_too_long (void **state)
{
    static const char *const of_list[] = { "r", "{n}", "{files}", NULL };
    static const char *const of_text[] = { "run", "--text={text}", NULL };
    struct json *values = make_values ();
    struct error err = ERROR_INIT;

    (void)state;
    template_explain_too_long (of_list, values, &err);
    assert_string_equal (
        err.text,
        "its arguments have 8 bytes, which is more than the system takes; "
        "'{files}' is 2 of them: write {@files}, the path of a file that has "
        "one of them a line");
    template_explain_too_long (of_text, values, &err);
    assert_string_equal (
        err.text,
        "its arguments have 15 bytes, which is more than the system takes; "
        "'--text={text}' has 11 of them: hand long text over in a file");
    json_unref (values);
}

static int collect_name (const char *name, void *arg, struct error *err)
{
    if (strcmp (name, "stop") == 0)
        return error_set (err, "stopped");
    strbuf_addf (arg, "%s;", name);
    return 0;
}

static void test_scan (void **state)
{
    struct strbuf names = STRBUF_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (
        template_scan ("{a}{{x}} {outputs.b}{a}", collect_name, &names, &err),
        0);
    assert_string_equal (names.buf, "a;outputs.b;a;");
    strbuf_reset (&names);
    assert_int_equal (
        template_scan ("{a}{stop}{b}", collect_name, &names, &err), -1);
    assert_string_equal (names.buf, "a;");
    assert_string_equal (err.text, "stopped");
    assert_int_equal (template_scan ("{a}{b", collect_name, &names, &err), -1);
    strbuf_release (&names);
}

static const char *shout (const char *name, void *arg)
{
    return strcmp (name, "hosts.far") == 0 ? arg : NULL;
}

/* Text that was escaped expands to itself. */
static void test_escape (void **state)
{
    static const char *const texts[] = { "",      "plain",        "{n}",
                                         "{{n}}", "{\"n\": {n}}", "{",
                                         "}",     "{n",           "{{",
                                         "{{}}",  "}}{n}",        "{@files}",
                                         "{n}}}", "{}{n}{",       "{print}" };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (texts); i++) {
        struct json *none = json_object ();
        struct strbuf text = STRBUF_INIT;
        struct strvec argv = STRVEC_INIT;

        template_escape (texts[i], &text);
        assert_int_equal (template_expand (text.buf, none, &argv, NULL), 0);
        assert_int_equal (argv.n, 1);
        assert_string_equal (argv.v[0], texts[i]);
        strvec_release (&argv);
        strbuf_release (&text);
        json_unref (none);
    }
}

static void test_rename (void **state)
{
    static const struct {
        const char *argument, *renamed;
    } renames[] = {
        { "", "" },
        { "{hosts.far}", "{hosts.local}" },
        { "a{hosts.far}{{hosts.far}}:{hosts.farther}{hosts.far}b",
          "a{hosts.local}{{hosts.far}}:{hosts.farther}{hosts.local}b" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (renames); i++) {
        struct strbuf out = STRBUF_INIT;

        template_rename (renames[i].argument, shout, (void *)"hosts.local",
                         &out);
        assert_string_equal (out.buf, renames[i].renamed);
        strbuf_release (&out);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_expand),   cmocka_unit_test (test_expand_argv),
        cmocka_unit_test (test_too_long), cmocka_unit_test (test_scan),
        cmocka_unit_test (test_escape),   cmocka_unit_test (test_rename),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
