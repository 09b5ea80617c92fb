/* SPDX-License-Identifier: BSD-3-Clause */
/* test_error_levels.c - levels by error: what may be asked for, and what an
 * error is
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "quoted_json.h"
#include "selection/calibration/force_error.h"
#include "selection/rules/rules.h"

static int read_rules (const char *text, struct rules *rules, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec systems = STRVEC_INIT;
    _cleanup_json_ struct json *v = json_of (text);

    strvec_push (&systems, "a");
    strvec_push (&systems, "b");
    return rules_from_json (v, &systems, rules, err);
}

static void test_read (void **state)
{
    _cleanup_ (rules_release) struct rules rules = RULES_INIT;
    const struct error_levels *error = &rules.error;

    (void)state;
    assert_int_equal (
        read_rules ("{'levels': {'error': {'force': 0.7, 'coverage': 0.9, "
                    "'failed': 3, 'confidence': 0.8, 'of': 'rms', 'per': "
                    "'system'}, 'relative': {'force': 1}}, 'pick': {'quota': "
                    "1}, 'calibration': {'mode': 'probe', 'labels': 'l', "
                    "'probe': ['p']}}",
                    &rules, NULL),
        0);
    assert_true (error->any && error->target == 0.7 && error->failed == 3);
    assert_true (error->promise.coverage == 0.9
                 && error->promise.confidence == 0.8);
    assert_true (error->of == ERROR_RMS && error->per_system == 1);
    for (int i = 0; i < 2; i++) {
        assert_true (rules.criteria[i].has[DEVIATION_FORCE]);
        assert_true (rules.criteria[i].levels[DEVIATION_FORCE].low == 0);
        assert_true (isinf (rules.criteria[i].levels[DEVIATION_FORCE].high));
    }
    assert_int_equal (
        read_rules ("{'levels': {'error': {'force': 1, 'coverage': 0.8}}, "
                    "'pick': {'quota': 1}}",
                    &rules, NULL),
        0);
    assert_true (error->promise.confidence == 0 && error->failed == 0);
    assert_true (error->of == ERROR_MAX && error->per_system == 0);
    assert_int_equal (read_rules ("{'levels': {'force': [1, 2]}, 'pick': "
                                  "{'quota': 1}}",
                                  &rules, NULL),
                      0);
    assert_false (error->any);
}

static void test_refused (void **state)
{
    static const struct {
        const char *levels; /* beside error */
        const char *error;
        const char *rest;
        const char *says;
    } cases[] = {
        { "", "'force': 0.7", "", "key 'coverage': missing" },
        { "", "'coverage': 0.9", "", "key 'force': missing" },
        { "", "'force': 0, 'coverage': 0.9", "", "above 0" },
        { "", "'force': 'x', 'coverage': 0.9", "", "'force'" },
        { "", "'force': 1, 'coverage': 0.5", "", "0.5 to 1" },
        { "", "'force': 1, 'coverage': 1", "", "cannot be promised" },
        { "", "'force': 1, 'coverage': 1.1", "", "0.5 to 1" },
        { "", "'force': 1, 'coverage': 0.9, 'confidence': 1", "",
          "confidence: 1 cannot be promised" },
        { "", "'force': 1, 'coverage': 0.9, 'failed': 1", "",
          "failed is 1 and force 1" },
        { "", "'force': 1, 'coverage': 0.9, 'of': 'mean'", "", "max or rms" },
        { "", "'force': 1, 'coverage': 0.9, 'per': 'atom'", "",
          "all or system" },
        { "", "'force': 1, 'coverage': 0.9, 'other': 1", "", "'other'" },
        { "'force': [0.1, 0.2], ", "'force': 1, 'coverage': 0.9", "",
          "levels.error and levels.force" },
        { "'virial': [0.1, 0.2], ", "'force': 1, 'coverage': 0.9", "",
          "levels.error and levels.virial" },
        { "'adaptive': {}, ", "'force': 1, 'coverage': 0.9", "",
          "levels.error and levels." },
        { "", "'force': 1, 'coverage': 0.9", ", 'clusters': {'cutoff': 5}",
          "levels.error and clusters.cutoff" },
        { "", "'force': 1, 'coverage': 0.9",
          ", 'calibration': {'mode': 'audit'}", "'audit' is not known" },
        { "", "'force': 1, 'coverage': 0.9", ", 'count': 5", "count and " },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
        _cleanup_ (rules_release) struct rules rules = RULES_INIT;
        struct error err = ERROR_INIT;

        strbuf_addf (&text,
                     "{'levels': {%s'error': {%s}}, 'pick': {'quota': 1}%s}",
                     cases[i].levels, cases[i].error, cases[i].rest);
        assert_int_equal (read_rules (text.buf, &rules, &err), -1);
        if (!strstr (err.text, cases[i].says))
            fail_msg ("%s: '%s', expected '%s'", text.buf, err.text,
                      cases[i].says);
    }
}

static void test_draw (void **state)
{
    _cleanup_ (rules_release) struct rules rules = RULES_INIT;

    (void)state;
    assert_int_equal (read_rules ("{'count': 40, 'skip': {'steps': 5}, 'seed': "
                                  "3, 'levels': {'relative': {'force': 1}}}",
                                  &rules, NULL),
                      0);
    assert_true (rules.draws && rules.quota == 40 && rules.skip_steps == 5);
    assert_int_equal (rules.seed, 3);
    assert_int_equal (rules_n_groups (&rules), 1);
    assert_int_equal (rules_quota (&rules, (const uint64_t[]){ 0, 50, 0, 0 }),
                      40);
    assert_int_equal (
        classify_value (&rules.criteria[1].levels[DEVIATION_FORCE], 0),
        FRAME_CANDIDATE);
    assert_int_equal (read_rules ("{'count': 0}", &rules, NULL), -1);
    assert_int_equal (
        read_rules ("{'count': 4, 'levels': {'force': [0, 1]}}", &rules, NULL),
        -1);
}

/* Against the definition, written out. */
static void test_force_error (void **state)
{
    static const double a[] = { 1, 2, 3, 0, 0, 0, 1, 1, 1 };
    static const double b[] = { 3, 2, 1, 0, 0, 4, 1, 1, 1 };
    static const double label[] = { 2, 2, 5, 0, 0, 0, 1, 1, 1 };
    const double *forces[] = { a, b };
    double broken[9];

    (void)state;
    assert_true (force_error (forces, 2, label, 3, ERROR_MAX) == 3);
    assert_true (
        fabs (force_error (forces, 2, label, 3, ERROR_RMS) - sqrt (13. / 3))
        < 1e-15);
    assert_true (force_error (forces, 2, label, 0, ERROR_RMS) == 0);
    assert_true (force_error (forces, 2, label + 6, 1, ERROR_MAX)
                 == force_error (forces, 2, label + 6, 1, ERROR_RMS));
    memcpy (broken, label, sizeof (broken));
    broken[4] = NAN;
    assert_true (isinf (force_error (forces, 2, broken, 3, ERROR_MAX)));
    broken[4] = -INFINITY;
    assert_true (isinf (force_error (forces, 2, broken, 3, ERROR_RMS)));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_read),
        cmocka_unit_test (test_refused),
        cmocka_unit_test (test_draw),
        cmocka_unit_test (test_force_error),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
