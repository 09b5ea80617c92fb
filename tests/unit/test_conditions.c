/* SPDX-License-Identifier: BSD-3-Clause */
/* test_conditions.c - names in expressions */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "engine/decide/conditions.h"
#include "engine/decide/observations.h"
#include "inputs_scene.h"
#include "signature/expression.h"

static int add_name (const char *stage, int iteration, void *arg,
                     struct error *err)
{
    (void)err;
    strbuf_addf (arg, "%s.%d ", stage, iteration);
    return 0;
}

static int refuse (const char *stage, int iteration, void *arg,
                   struct error *err)
{
    (void)stage;
    (void)iteration;
    (void)arg;
    return error_set (err, "stale");
}

static const struct condition_row {
    const char *text, *needs, *value;
} rows[] = {
    { "iteration", "", "2" },
    { "label.energy", "label.2 ", "[2,5]" },
    { "label.count + previous.select.accurate", "label.2 select.1 ", "2.9" },
    { "previous.label.energy", "", "null" }, /* skipped */
    { "previous.select.accurate", "select.1 ", "0.9" },
    { "train.count", "", "null" },  /* still runs */
    { "select.count", "", "null" }, /* has not begun */
    { "label.virial", "label.2 ", "null" },
    { "nobody.count", "", "null" },
    { "select", "", "null" },
};

/* What the `when:` of user needs, and what it gives once that was read. */
static void test_conditions (void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct expression *when = expression_parse (rows[i].text, NULL);
        struct observations seen = { 0 };
        struct strbuf needs = STRBUF_INIT;
        struct error err = ERROR_INIT;
        struct json *v = NULL;

        print_message ("# %s\n", rows[i].text);
        scene.stages[USER].when = when;
        assert_int_equal (conditions_needs (&scene.plan, &scene.state, add_name,
                                            &needs, &err),
                          0);
        assert_string_equal (needs.buf ? needs.buf : "", rows[i].needs);
        if (needs.len > 0) {
            assert_int_equal (conditions_needs (&scene.plan, &scene.state,
                                                refuse, NULL, &err),
                              -1);
            assert_int_equal (condition_evaluate (when, &scene.plan,
                                                  &scene.state, &seen, &v,
                                                  &err),
                              CONDITION_UNKNOWN);
            assert_null (v);
        }
        for (size_t j = 0; j < ARRAY_SIZE (left); j++) {
            const char *name = scene.stages[left[j].stage].name;
            const int at = left[j].iteration;

            observations_add_outputs (
                &seen, name, at,
                outputs_store_get (scene.outputs, at, name, NULL));
        }
        assert_int_equal (condition_evaluate (when, &scene.plan, &scene.state,
                                              &seen, &v, &err),
                          CONDITION_KNOWN);
        assert_json (v, rows[i].value);
        json_unref (v);
        observations_release (&seen);
        strbuf_release (&needs);
        scene.stages[USER].when = NULL;
        expression_destroy (when);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown (test_conditions, enter, leave),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
