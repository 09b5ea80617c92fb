/* SPDX-License-Identifier: BSD-3-Clause */
/* test_lammps_properties.c - what members say of crystals, side by side */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "operators/lammps/properties.h"
#include "structures_scene.h"

/* Of two members; lists of the record in the order of its outputs. */
static const struct {
    const char *what, *crystals, *values, *reference;
    const char
        *lists; /* "NAME=JSON", and those that must not be there "!NAME" */
} cases[] = {
    { "two crystals", "['a', 'a', 'b', 'b']",
      "[{'v0': 10, 'least_eigenvalue': 1}, {'v0': 12, 'least_eigenvalue': -1},"
      " {'v0': 20, 'least_eigenvalue': 3}, {'v0': 20, 'least_eigenvalue': 0}]",
      "{'b': {'v0': 16}, 'a': {'v0': -22}}",
      "v0=[11.0,20.0] differences=[1.5,0.25] "
      "spreads=[0.045454545454545456,0.0] missing=0 "
      "unstable=[\"a,_member_1\",\"b,_member_1\"] !c11 !vacancy" },
    { "one task failed: what is left counts, and is told", "['a', null]",
      "[{'v0': 10, 'least_eigenvalue': 2}, null]", "{'a': {'v0': 8}}",
      "v0=[10.0] differences=[0.25] missing=1 !spreads !unstable" },
    { "all of a crystal failed: nothing looks as if it were whole",
      "['a', 'a', null, null]",
      "[{'v0': 10, 'least_eigenvalue': 2}, {'v0': 10, 'least_eigenvalue': 2},"
      " null, null]",
      "{'a': {'v0': 10}, 'b': {'v0': 10}}",
      "missing=2 !v0 !differences !spreads !unstable" },
    { "a known value that no member has", "['a', 'a']",
      "[{'v0': null, 'least_eigenvalue': 2}, {'v0': null, "
      "'least_eigenvalue': 2}]",
      "{'a': {'v0': 10}}", "unstable=[] missing=0 !v0 !differences !spreads" },
    { "nothing is a fraction of 0", "['a', 'a']",
      "[{'v0': 1, 'least_eigenvalue': 2}, {'v0': 1, 'least_eigenvalue': 2}]",
      "{'a': {'v0': 0}}", "differences=[] spreads=[] v0=[1.0]" },
};

static void check_list (const struct json *record, const char *line,
                        const char *what)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    const char *equals = strchr (line, '=');
    char *name =
        xstrndup (line, equals ? (size_t)(equals - line) : strlen (line));

    if (line[0] == '!') {
        if (json_get (record, line + 1))
            fail_msg ("%s: %s is there", what, line + 1);
    } else {
        json_dump (json_get (record, name), JSON_COMPACT, &text);
        for (size_t i = 0; i < text.len; i++)
            text.buf[i] = text.buf[i] == ' ' ? '_' : text.buf[i];
        if (strcmp (text.buf, equals + 1) != 0)
            fail_msg ("%s: %s is %s", what, line, text.buf);
    }
    free (name);
}

static void test_compare (void **state)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    (void)state;
    strvec_push (&names, "v0");
    strvec_push (&names, "least_eigenvalue");
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        _cleanup_json_ struct json *crystals = scene_json (cases[i].crystals);
        _cleanup_json_ struct json *values = scene_json (cases[i].values);
        _cleanup_json_ struct json *known = scene_json (cases[i].reference);
        _cleanup_json_ struct json *record = json_object ();
        _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;

        properties_compare (crystals, values, 2, &names, known, record);
        strvec_split (&lines, cases[i].lists, " ");
        for (size_t k = 0; k < lines.n; k++)
            check_list (record, lines.v[k], cases[i].what);
    }
}

static void test_table (void **state)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_json_ struct json *crystals = scene_json ("['a', 'a', null]");
    _cleanup_json_ struct json *values =
        scene_json ("[{'v0': 10}, {'v0': 12}, null]");
    _cleanup_json_ struct json *known = scene_json ("{'a': {'v0': 10.5}}");
    _cleanup_json_ struct json *record = json_object ();
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;

    (void)state;
    strvec_push (&names, "v0");
    properties_compare (crystals, values, 3, &names, known, record);
    properties_table (json_get (record, "values"), &text);
    strvec_split (&words, strchr (text.buf, '\n'), " \n");
    assert_int_equal (words.n, 10);
    assert_string_equal (words.v[0], "a");
    assert_string_equal (words.v[2], "A^3/atom");
    assert_string_equal (words.v[3], "11.00000");
    assert_string_equal (words.v[4], "1.00000");
    assert_string_equal (words.v[6], "0.50000");
    assert_string_equal (words.v[9], "-");
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_compare),
        cmocka_unit_test (test_table),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
