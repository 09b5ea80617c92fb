/* SPDX-License-Identifier: BSD-3-Clause */
/* test_convergence.c - the tests for the end of exploring, as a table */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "quoted_json.h"
#include "selection/statistics/convergence.h"

#define A(low) "{'a': {'force': [" low ", 0.5]}}"
#define AB(low, other)                                                         \
    "{'a': {'force': [" low ", 0.5]}, 'b': {'virial': [" other ", 1]}}"

static const struct {
    const char *rule;
    double accurate;
    const char *levels;
    const char *earlier; /* NULL: none */
    bool reached;
    const char *why;
} cases[] = {
    { "{'accurate': 0.9}", 0.9, A ("0.1"), NULL, true,
      "accurate 0.9, at least 0.9" },
    { "{'accurate': 0.9}", 0.8999, A ("0.1"), NULL, false,
      "accurate 0.8999, less than 0.9" },
    /* two selections at least */
    { "{'drift': 0.05}", 1, A ("0.1"), NULL, false,
      "levels of 1 selections, 2 are compared" },
    { "{'drift': 0.05}", 1, A ("0.1"), "[" A ("0.149") "]", true,
      "the low force level of 'a' moved by 0.049, less than 0.05" },
    { "{'drift': 0.0625}", 1, A ("0.0625"), "[" A ("0.125") "]", false,
      "the low force level of 'a' moved by 0.0625, not less than 0.0625" },
    /* what was long ago is not looked at, what is in reach is */
    { "{'drift': 0.05}", 1, A ("0.1"), "[" A ("0.5") ", " A ("0.1") "]", true,
      "the low force level of 'a' moved by 0, less than 0.05" },
    { "{'drift': 0.05, 'steps': 3}", 1, A ("0.1"),
      "[" A ("0.5") ", " A ("0.1") "]", false,
      "the low force level of 'a' moved by 0.4, not less than 0.05" },
    { "{'drift': 0.05, 'steps': 4}", 1, A ("0.1"),
      "[" A ("0.5") ", " A ("0.1") "]", false,
      "levels of 3 selections, 4 are compared" },
    /* slow drift passes, as in DPGEN2: only neighbours are compared */
    { "{'drift': 0.05, 'steps': 3}", 1, A ("0.18"),
      "[" A ("0.1") ", " A ("0.14") "]", true,
      "the low force level of 'a' moved by 0.04, less than 0.05" },
    /* every system and quantity; the worst is told */
    { "{'drift': 0.05}", 1, AB ("0.1", "0.3"), "[" AB ("0.1", "0.2") "]", false,
      "the low virial level of 'b' moved by 0.1, not less than 0.05" },
    { "{'drift': 0.05}", 1, AB ("0.1", "0.3"), "[" A ("0.1") "]", false,
      "system 'b' had no low level for the virial before" },
    { "{'drift': 0.05}", 1, "{}", "[{}]", false,
      "levels of 2 selections, 2 are compared" },
    /* both */
    { "{'accurate': 0.5, 'drift': 0.05}", 0.6, A ("0.1"), "[" A ("0.1") "]",
      true,
      "accurate 0.6, at least 0.5; the low force level of 'a' moved by 0, less "
      "than 0.05" },
    { "{'accurate': 0.7, 'drift': 0.05}", 0.6, A ("0.1"), "[" A ("0.1") "]",
      false,
      "accurate 0.6, less than 0.7; the low force level of 'a' moved by 0, "
      "less "
      "than 0.05" },
    { "{'accurate': 0.5, 'drift': 0.05}", 0.6, A ("0.2"), "[" A ("0.1") "]",
      false,
      "accurate 0.6, at least 0.5; the low force level of 'a' moved by 0.1, "
      "not less than 0.05" },
};

static void test_reached (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *rule = json_of (cases[i].rule);
        struct json *levels = json_of (cases[i].levels);
        struct json *earlier =
            cases[i].earlier ? json_of (cases[i].earlier) : NULL;
        struct convergence convergence = { .steps = 0 };
        struct strbuf why = STRBUF_INIT;
        bool reached;

        assert_int_equal (convergence_from_json (rule, &convergence, NULL), 0);
        reached = convergence_reached (&convergence, cases[i].accurate, levels,
                                       earlier, &why);
        assert_string_equal (why.buf, cases[i].why);
        assert_int_equal (reached, cases[i].reached);
        strbuf_release (&why);
        json_unref (earlier);
        json_unref (levels);
        json_unref (rule);
    }
}

static void test_nothing_tested (void **state)
{
    const struct convergence nothing = { .steps = 0 };
    struct strbuf why = STRBUF_INIT;

    (void)state;
    assert_false (convergence_reached (&nothing, 1, NULL, NULL, &why));
    assert_string_equal (why.buf, "not tested");
    strbuf_release (&why);
}

static void test_bad (void **state)
{
    static const struct {
        const char *rule;
        const char *says;
    } bad[] = {
        { "[]", "expected an object, got an array" },
        { "{}", "nothing is tested; write accurate or drift" },
        { "{'steps': 3}", "nothing is tested" },
        { "{'accuracy': 0.9}", "unknown key 'accuracy'" },
        { "{'accurate': 'all'}", "key 'accurate': expected a number" },
        { "{'accurate': 1.01}", "accurate: 1.01 is above 1" },
        { "{'accurate': 0}", "accurate: 0; write a number above 0" },
        { "{'drift': -1}", "drift: -1; write a number above 0" },
        { "{'drift': 1, 'steps': 1}", "steps: 1; write 2 to 1000" },
        { "{'drift': 1, 'steps': 2.5}", "key 'steps': expected an integer" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (bad); i++) {
        struct json *rule = json_of (bad[i].rule);
        struct convergence convergence = { .steps = 77 };
        struct error err = ERROR_INIT;

        assert_int_equal (convergence_from_json (rule, &convergence, &err), -1);
        if (!strstr (err.text, bad[i].says))
            fail_msg ("'%s' lacks '%s'", err.text, bad[i].says);
        assert_int_equal (convergence.steps, 77);
        json_unref (rule);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_reached),
        cmocka_unit_test (test_nothing_tested),
        cmocka_unit_test (test_bad),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
