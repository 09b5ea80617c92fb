/* SPDX-License-Identifier: BSD-3-Clause */
/* test_rules.c - how frames are selected: levels for each system, what each
 * family takes where nothing is written, counts beyond 32 bits
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "quoted_json.h"
#include "selection/rules/rules.h"
#include "selection/rules/rules_defaults.h"

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
        { "[0.1, 0.5]", { { 0.1, 0.5 }, { 0.1, 0.5 } } },
        { "[0, 1]", { { 0, 1 }, { 0, 1 } } },
        { "{'low': 0.1, 'high': 0.5}", { { 0.1, 0.5 }, { 0.1, 0.5 } } },
        { "{'low': [0.1, 0.2], 'high': 0.5}", { { 0.1, 0.5 }, { 0.2, 0.5 } } },
        { "{'low': [0.1, 0.2], 'high': {'001': 0.6, '000': 0.5, '7': 1}}",
          { { 0.1, 0.5 }, { 0.2, 0.6 } } },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct rules rules = RULES_INIT;
        struct strbuf text = STRBUF_INIT;

        strbuf_addf (&text, "{'levels': {'force': %s}, 'pick': {'quota': 1}}",
                     cases[i].force);
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

        strbuf_addf (&text, "{'levels': {'force': %s}, 'pick': {'quota': 1}}",
                     cases[i].force);
        assert_int_equal (read_rules (text.buf, &rules, &err), -1);
        if (!strstr (err.text, cases[i].says))
            fail_msg ("'%s' lacks '%s'", err.text, cases[i].says);
        strbuf_release (&text);
    }
}

/* --- what holds where nothing is written --- */

/* Of each family, for rules that say nothing but this. */
static const struct {
    const char *rules;
    const char *name;
    const char *text[3]; /* dpgen, dpgen2, simplify; NULL: none */
} defaults[] = {
    { "", "pick.quota", { NULL, "10", NULL } },
    { "", "pick.per", { "'system'", "'iteration'", "'iteration'" } },
    { "", "pick.how", { "'random'", "'random'", "'random'" } },
    { "", "pick.minimum", { "0", "0", "0" } },
    { "", "pick.hard", { "1.0", "1.0", "1.0" } },
    { "", "pick.soft", { NULL, NULL, NULL } },
    { "", "skip.steps", { "1", "0", "0" } },
    { "", "skip.frames", { "0", "0", "0" } },
    { "", "levels.force", { NULL, NULL, NULL } },
    { "", "levels.virial", { NULL, NULL, NULL } },
    { "", "convergence.accurate", { NULL, "0.9", NULL } },
    { "", "convergence.drift", { NULL, NULL, NULL } },
    { "'convergence': {'drift': 0.1}",
      "convergence.accurate",
      { NULL, NULL, NULL } },
    { "'levels': {'adaptive': {}}",
      "levels.force",
      { NULL, "{'high':0.5}", NULL } },
    { "'levels': {'adaptive': {}}",
      "convergence.accurate",
      { NULL, NULL, NULL } },
    { "'levels': {'adaptive': {}}",
      "convergence.drift",
      { NULL, "0.05", NULL } },
    { "'levels': {'adaptive': {}}, 'convergence': {'accurate': 0.5}",
      "convergence.drift",
      { NULL, NULL, NULL } },
};

static void expect_default (size_t i, int semantics, const struct json *v)
{
    const char *wanted = defaults[i].text[semantics];
    struct json *expected = wanted ? json_of (wanted) : NULL;
    const char *text = rules_default (defaults[i].name, v);
    struct json *found =
        text ? json_parse (text, strlen (text), "default", NULL) : NULL;
    struct json *completed = rules_completed (v);

    if (!json_equal (found, expected)
        || !json_equal (json_get_path (completed, defaults[i].name), expected))
        fail_msg ("%s of %s with %s", defaults[i].name,
                  rules_semantics[semantics], defaults[i].rules);
    json_unref (completed);
    json_unref (found);
    json_unref (expected);
}

static void test_defaults (void **state)
{
    (void)state;
    for (size_t i = 0; i < 3 * ARRAY_SIZE (defaults); i++) {
        const char *rules = defaults[i / 3].rules;
        struct strbuf text = STRBUF_INIT;
        struct json *v;

        strbuf_addf (&text, "{'semantics': '%s'%s%s}", rules_semantics[i % 3],
                     rules[0] ? ", " : "", rules);
        v = json_of (text.buf);
        expect_default (i / 3, (int)(i % 3), v);
        json_unref (v);
        strbuf_release (&text);
    }
}

/* What is written stays; whose defaults hold is not guessed. */
static void test_defaults_give_way (void **state)
{
    struct json *v = json_of ("{'semantics': 'dpgen2', 'pick': {'quota': 3}}");
    struct json *slip = json_of ("{'semantics': 'dpgen3'}");
    struct json *silent = json_of ("{}");
    struct json *completed = rules_completed (v);
    struct json *assumed = rules_completed (silent);

    (void)state;
    assert_int_equal (json_as_int (json_get_path (completed, "pick.quota")), 3);
    assert_string_equal (json_as_string (json_get_path (completed, "pick.per")),
                         "iteration");
    assert_int_equal (json_count (json_get (v, "pick")), 1);
    assert_string_equal (rules_default ("pick.per", slip), "\"system\"");
    assert_null (rules_default ("pick.per", silent));
    assert_string_equal (json_get_string (assumed, "semantics"), "dpgen");
    assert_string_equal (json_as_string (json_get_path (assumed, "pick.per")),
                         "system");
    json_unref (assumed);
    json_unref (completed);
    json_unref (silent);
    json_unref (slip);
    json_unref (v);
}

/* How many candidates adaptive levels make, of 1000 frames. */
static void test_adaptive_defaults (void **state)
{
    static const struct {
        const char *semantics, *adaptive;
        uint64_t force, virial;
    } cases[] = {
        { "dpgen", "{}", 10, 0 },
        { "dpgen", "{'force': {'fraction': 0.05}}", 50, 0 },
        { "dpgen", "{'force': {'fraction': 0.001}}", 10, 0 },
        { "dpgen", "{'force': {'count': 0}, 'virial': {'count': 7}}", 0, 7 },
        { "dpgen2", "{}", 200, 0 },
        { "dpgen2", "{'force': {'count': 3}}", 10, 0 }, /* 1 % of them */
        { "dpgen2", "{'force': {'fraction': 0.5}}", 500, 0 },
        { "simplify", "{'force': {'count': 3}}", 3, 0 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct rules rules = RULES_INIT;
        struct strbuf text = STRBUF_INIT;

        strbuf_addf (&text,
                     "{'semantics': '%s', 'pick': {'quota': 1}, 'levels': "
                     "{'force': {'high': 1}, 'virial': {'high': 1}, "
                     "'adaptive': %s}}",
                     cases[i].semantics, cases[i].adaptive);
        assert_int_equal (read_rules (text.buf, &rules, NULL), 0);
        assert_int_equal (rules_top (&rules, DEVIATION_FORCE, 1000),
                          cases[i].force);
        assert_int_equal (rules_top (&rules, DEVIATION_VIRIAL, 1000),
                          cases[i].virial);
        rules_release (&rules);
        strbuf_release (&text);
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
        read_rules ("{'levels': {'force': [0, 1]}, 'pick': {'quota': "
                    "21474836480}, 'skip': {'steps': 21474836481, 'frames': "
                    "21474836482}}",
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
        cmocka_unit_test (test_defaults),
        cmocka_unit_test (test_defaults_give_way),
        cmocka_unit_test (test_adaptive_defaults),
        cmocka_unit_test (test_quota_of_many),
        cmocka_unit_test (test_top_of_many),
        cmocka_unit_test (test_counts_in_json),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
