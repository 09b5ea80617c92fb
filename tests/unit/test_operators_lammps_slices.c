/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operators_lammps_slices.c - which MDs there are */
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
#include "base/strbuf.h"
#include "operators/lammps/lammps.h"

static struct json *parse (const char *text)
{
    struct error err = ERROR_INIT;
    struct json *v = json_parse (text, strlen (text), "test", &err);

    if (!v)
        fail_msg ("%s", err.text);
    return v;
}

static const struct {
    const char *systems;
    const char *for_each;
    int64_t replicas;
    const char *slices;
} good[] = {
    { "{\"a\": \"a.data\"}", "{}", 1,
      "{\"system\":[\"a\"],\"variables\":[{}]}" },
    { "{\"a\": \"a.data\"}", "{}", 3,
      "{\"system\":[\"a\",\"a\",\"a\"],\"variables\":[{},{},{}]}" },
    { "{\"a\": \"x\", \"b-1.0\": \"y\"}", "{\"t\": [300], \"s\": [1, 0.5]}", 1,
      "{\"system\":[\"a\",\"a\",\"b-1.0\",\"b-1.0\"],\"variables\":["
      "{\"t\":300,\"s\":1},{\"t\":300,\"s\":0.5},"
      "{\"t\":300,\"s\":1},{\"t\":300,\"s\":0.5}]}" },
    { "{\"a\": \"x\"}", "{\"t\": [1, 2], \"scale\": [3, 4]}", 2,
      "{\"system\":[\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\"],"
      "\"variables\":["
      "{\"t\":1,\"scale\":3},{\"t\":1,\"scale\":3},"
      "{\"t\":1,\"scale\":4},{\"t\":1,\"scale\":4},"
      "{\"t\":2,\"scale\":3},{\"t\":2,\"scale\":3},"
      "{\"t\":2,\"scale\":4},{\"t\":2,\"scale\":4}]}" },
};

static void test_products (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (good); i++) {
        struct json *systems = parse (good[i].systems);
        struct json *for_each = parse (good[i].for_each);
        struct strbuf text = STRBUF_INIT;
        struct error err = ERROR_INIT;
        struct json *slices =
            lammps_slices (systems, for_each, good[i].replicas, &err);

        assert_non_null (slices);
        json_dump (slices, JSON_COMPACT, &text);
        assert_string_equal (text.buf, good[i].slices);
        strbuf_release (&text);
        json_unref (slices);
        json_unref (systems);
        json_unref (for_each);
    }
}

static const struct {
    const char *systems;
    const char *for_each;
    int64_t replicas;
    const char *complaint;
} bad[] = {
    { "{}", "{}", 1, "systems: name at least one" },
    { "{\"a/b\": \"x\"}", "{}", 1, "'a/b' is no good as a name" },
    { "{\"\": \"x\"}", "{}", 1, "'' is no good" },
    { "{\"..\": \"x\"}", "{}", 1, "'..' is no good" },
    { "{\"a\": 3}", "{}", 1, "systems.a: expected a path, got an integer" },
    { "{\"a\": \"x\"}", "{\"t\": []}", 1, "for_each.t: expected a list" },
    { "{\"a\": \"x\"}", "{\"t\": 300}", 1, "for_each.t: expected a list" },
    { "{\"a\": \"x\"}", "{\"t\": [300, \"hot\"]}", 1,
      "for_each.t[1]: expected a number, got " },
    { "{\"a\": \"x\"}", "{\"t\": [null]}", 1, "for_each.t[0]: expected" },
    { "{\"a\": \"x\"}", "{\"scale\": [1, 0]}", 1, "for_each.scale[1]: 0 is" },
    { "{\"a\": \"x\"}", "{\"seed\": [1]}", 1, "'seed' is set by Fanfold" },
    { "{\"a\": \"x\"}", "{\"t t\": [1]}", 1, "'t t' cannot name" },
    { "{\"a\": \"x\"}", "{}", 1000001, "more than 1000000 tasks" },
    { "{\"a\": \"x\", \"b\": \"y\"}", "{\"t\": [1, 2]}", 9223372036854775807,
      "more than 1000000 tasks" },
};

static void test_refusals (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (bad); i++) {
        struct json *systems = parse (bad[i].systems);
        struct json *for_each = parse (bad[i].for_each);
        struct error err = ERROR_INIT;

        assert_null (lammps_slices (systems, for_each, bad[i].replicas, &err));
        if (!strstr (err.text, bad[i].complaint))
            fail_msg ("'%s' lacks '%s'", err.text, bad[i].complaint);
        json_unref (systems);
        json_unref (for_each);
    }
}

/* Thirty lists of ten: the product is counted before it is made. */
static void test_too_many_combinations (void **state)
{
    static const char tens[] = "[0,1,2,3,4,5,6,7,8,9]";
    struct strbuf text = STRBUF_INIT;
    struct json *systems = parse ("{\"a\": \"x\"}");
    struct json *for_each;
    struct error err = ERROR_INIT;

    (void)state;
    for (int i = 0; i < 30; i++)
        strbuf_addf (&text, "%s\"v%d\": %s", i ? ", " : "{", i, tens);
    strbuf_add_char (&text, '}');
    for_each = parse (text.buf);
    assert_null (lammps_slices (systems, for_each, 1, &err));
    assert_non_null (strstr (err.text, "for_each makes more than 1000000"));
    json_unref (for_each);
    json_unref (systems);
    strbuf_release (&text);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_products),
        cmocka_unit_test (test_refusals),
        cmocka_unit_test (test_too_many_combinations),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
