/* SPDX-License-Identifier: BSD-3-Clause */
/* test_rules.c - how frames are selected: levels for each system, rules that
 * change from iteration to iteration, counts beyond 32 bits
 */
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
#include "base/strvec.h"
#include "quoted_json.h"
#include "selection/rules/rules.h"

static int read_rules (const char *text, struct rules *rules, struct error *err)
{
    struct strvec systems = STRVEC_INIT;
    struct json *v = json_of (text);
    int rc;

    strvec_push (&systems, "000");
    strvec_push (&systems, "001");
    rc = rules_from_json (v, &systems, rules, err);
    json_unref (v);
    strvec_release (&systems);
    return rc;
}

/* A number, a list, a map; different ones for low and high, as in one of
 * DP-GEN's examples.
 */
static void test_levels_of_systems (void **state)
{
    static const struct {
        const char *force;
        struct levels levels[2];
    } cases[] = {
        { "{'low': 0.1, 'high': 0.5}", { { 0.1, 0.5 }, { 0.1, 0.5 } } },
        { "{'low': [0.1, 0.2], 'high': 0.5}", { { 0.1, 0.5 }, { 0.2, 0.5 } } },
        { "{'low': [0.1, 0.2], 'high': {'001': 0.6, '000': 0.5, '7': 1}}",
          { { 0.1, 0.5 }, { 0.2, 0.6 } } },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct rules rules = RULES_INIT;
        struct strbuf text = STRBUF_INIT;

        strbuf_addf (&text, "{'force': %s, 'quota': 1}", cases[i].force);
        assert_int_equal (read_rules (text.buf, &rules, NULL), 0);
        for (int s = 0; s < 2; s++) {
            const struct levels *found =
                &rules.criteria[s].levels[DEVIATION_FORCE];

            assert_true (found->low == cases[i].levels[s].low);
            assert_true (found->high == cases[i].levels[s].high);
        }
        rules_release (&rules);
        strbuf_release (&text);
    }
}

static void test_bad_levels (void **state)
{
    static const struct {
        const char *force;
        const char *says;
    } cases[] = {
        { "{'low': [0.1], 'high': 1}", "key 'low': 1 levels for 2 systems" },
        { "{'low': 0.1, 'high': {'000': 1}}",
          "key 'high': no level for the system '001'" },
        { "{'low': 0.1, 'high': [1, 0.05]}",
          "low is 0.1 and high 0.05 (of the system '001'); write 0 <= low" },
        { "{'low': 0.1, 'high': true}", "key 'high': expected a number" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct rules rules = RULES_INIT;
        struct error err = ERROR_INIT;
        struct strbuf text = STRBUF_INIT;

        strbuf_addf (&text, "{'force': %s, 'quota': 1}", cases[i].force);
        assert_int_equal (read_rules (text.buf, &rules, &err), -1);
        if (!strstr (err.text, cases[i].says))
            fail_msg ("'%s' lacks '%s'", err.text, cases[i].says);
        strbuf_release (&text);
    }
}

/* --- iterations --- */

#define CHANGING                                                               \
    "{'quota': 10, 'pick': 'max', 'other': 1, 'virial': {'high': 1},"          \
    " 'iterations': ["                                                         \
    " {'from': 2, 'quota': 5},"                                                \
    " {'from': 3, 'to': 4, 'quota': 6, 'virial': null, 'hard': 0.5},"          \
    " {'from': 4, 'pick': 'random'}]}"

static void test_iterations (void **state)
{
    static const struct {
        int64_t iteration;
        const char *rules;
    } cases[] = {
        { 0,
          "{'other': 1, 'virial': {'high': 1}, 'quota': 10, 'pick': 'max'}" },
        { 1,
          "{'other': 1, 'virial': {'high': 1}, 'quota': 10, 'pick': 'max'}" },
        { 2, "{'other': 1, 'virial': {'high': 1}, 'quota': 5, 'pick': 'max'}" },
        { 3, "{'other': 1, 'quota': 6, 'pick': 'max', 'hard': 0.5}" },
        { 4, "{'other': 1, 'quota': 6, 'pick': 'random', 'hard': 0.5}" },
        { 5,
          "{'other': 1, 'virial': {'high': 1}, 'quota': 5, 'pick': 'random'}" },
        { INT64_MAX,
          "{'other': 1, 'virial': {'high': 1}, 'quota': 5, 'pick': 'random'}" },
    };
    struct json *changing = json_of (CHANGING);

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *expected = json_of (cases[i].rules);
        struct json *found =
            rules_of_iteration (changing, cases[i].iteration, NULL);

        if (!found || !json_equal (found, expected))
            fail_msg ("iteration %lld", (long long)cases[i].iteration);
        json_unref (found);
        json_unref (expected);
    }
    assert_int_equal (json_as_int (json_get (changing, "quota")), 10);
    json_unref (changing);
}

static void test_bad_iterations (void **state)
{
    static const struct {
        const char *rules;
        const char *says;
    } cases[] = {
        { "{'iterations': {}}", "iterations: expected a list, got an object" },
        { "{'iterations': [3]}", "iterations[0]: expected an object, got" },
        { "{'iterations': [{'from': 1}, {'to': 1}]}",
          "iterations[1]: key 'from': missing" },
        { "{'iterations': [{'from': -1}]}", "iterations[0]: from -1 to" },
        { "{'iterations': [{'from': 3, 'to': 2}]}",
          "iterations[0]: from 3 to 2; write 0 <= from <= to" },
        { "{'iterations': [{'from': 3, 'qouta': 2}]}",
          "iterations[0]: unknown key 'qouta'" },
        { "{'iterations': [{'from': 3, 'iterations': []}]}",
          "iterations[0]: unknown key 'iterations'" },
        /* each is good by itself, but not together */
        { "{'soft': 0.5, 'hard': 0.9, 'iterations': [{'from': 7, 'hard': 0.4}]"
          "}",
          "from iteration 7 on: soft: 0.5 is above hard, which is 0.4" },
        { "{'iterations': [{'from': 0, 'to': 4, 'hard': 0.9},"
          " {'from': 2, 'soft': 0.9}, {'from': 5, 'hard': 0.1}]}",
          "from iteration 5 on: soft: 0.9 is above hard, which is 0.1" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *rules = json_of (cases[i].rules);
        struct error err = ERROR_INIT;

        assert_int_equal (rules_check_iterations (rules, &err), -1);
        if (!strstr (err.text, cases[i].says))
            fail_msg ("'%s' lacks '%s'", err.text, cases[i].says);
        json_unref (rules);
    }
}

/* --- numbers of frames that do not fit 32 bits --- */

static const uint64_t many = (uint64_t)5 << 32;

static void test_quota_of_many (void **state)
{
    uint64_t frames[FRAME_CLASSES] = { [FRAME_ACCURATE] = 3 * many,
                                       [FRAME_CANDIDATE] = many,
                                       [FRAME_INVALID] = many };
    struct rules rules = { .quota = (size_t)many, .soft = 0.5, .hard = 1 };

    (void)state;
    assert_true (rules_quota (&rules, frames) == many / 2); /* r = 3/4 */
    rules.hard = 0.75;
    assert_int_equal (rules_quota (&rules, frames), 0);
    frames[FRAME_FAILED] = 1; /* one in 2 * 10^10 */
    rules.soft = rules.hard;
    assert_true (rules_quota (&rules, frames) == many);
}

static void test_top_of_many (void **state)
{
    struct rules rules = { .top = { [DEVIATION_FORCE] = { 10, 0.5 },
                                    [DEVIATION_VIRIAL] = { many + 1, 0 } } };

    (void)state;
    assert_true (rules_top (&rules, DEVIATION_FORCE, 4 * many) == 2 * many);
    assert_true (rules_top (&rules, DEVIATION_VIRIAL, 4 * many) == many + 1);
    assert_true (rules_top (&rules, DEVIATION_VIRIAL, many) == many);
}

static void test_counts_in_json (void **state)
{
    struct rules rules = RULES_INIT;

    (void)state;
    assert_int_equal (
        read_rules ("{'force': {'low': 0, 'high': 1}, 'quota': 21474836480, "
                    "'skip_steps': 21474836481, 'skip_frames': 21474836482}",
                    &rules, NULL),
        0);
    assert_true (rules.quota == many);
    assert_true (rules.skip_steps == (int64_t)many + 1);
    assert_true (rules.skip_frames == many + 2);
    rules_release (&rules);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_levels_of_systems),
        cmocka_unit_test (test_bad_levels),
        cmocka_unit_test (test_iterations),
        cmocka_unit_test (test_bad_iterations),
        cmocka_unit_test (test_quota_of_many),
        cmocka_unit_test (test_top_of_many),
        cmocka_unit_test (test_counts_in_json),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
