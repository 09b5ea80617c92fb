/* SPDX-License-Identifier: BSD-3-Clause */
/* test_plan_file.c - the reducer's plan, good and bad in every key */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "reduce/plan_file.h"

#define HEAD                                                                   \
    "{\"format\": 1, \"seed\": -5, \"semantics\": \"dpgen2\", "                \
    "\"force\": {\"low\": 0.25, \"high\": 1}, \"quota\": 16, "                 \
    "\"skip_steps\": 1, \"elements\": [\"Si\", \"Ge\"], "
#define TAIL "\"frames_dir\": \"out/frames\", \"params\": \"params.json\"}"
#define TRAJECTORY(task, forces)                                               \
    "{\"task\": " task ", \"system\": \"a-1.b\", \"trajectory\": \"t\", "      \
    "\"forces\": " forces ", \"expected_frames\": 50}"
#define MISSING "\"missing\": {\"tasks\": 2, \"frames\": 100}, "
#define GOOD                                                                   \
    HEAD "\"trajectories\": [" TRAJECTORY (                                    \
        "7",                                                                   \
        "[\"f\", \"g\"]") ", " TRAJECTORY ("3",                                \
                                           "[\"h\", \"i\"]") "], " MISSING     \
        TAIL

static int parse (const char *text, struct plan *plan, struct error *err)
{
    return plan_parse (text, strlen (text), "p", plan, err);
}

static void test_good (void **state)
{
    struct plan plan = PLAN_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    if (parse (GOOD, &plan, &err) < 0)
        fail_msg ("%s", err.text);
    assert_true (plan.rules.seed == (uint64_t)-5);
    assert_int_equal (plan.rules.criteria[0].semantics, SEMANTICS_DPGEN2);
    assert_true (plan.rules.criteria[0].levels[DEVIATION_FORCE].low == 0.25);
    assert_true (plan.rules.criteria[0].levels[DEVIATION_FORCE].high == 1);
    assert_false (plan.rules.criteria[0].has[DEVIATION_VIRIAL]);
    assert_int_equal (plan.rules.quota, 16);
    assert_int_equal (plan.rules.skip_steps, 1);
    assert_int_equal (plan.elements.n, 2);
    assert_string_equal (plan.elements.v[1], "Ge");
    assert_int_equal (plan.n_trajectories, 2);
    assert_int_equal (plan.n_models, 2);
    assert_int_equal (plan.trajectories[0].task, 3); /* in order */
    assert_int_equal (plan.trajectories[1].task, 7);
    assert_string_equal (plan.systems.v[plan.trajectories[0].system], "a-1.b");
    assert_string_equal (plan.trajectories[0].forces[1], "i");
    assert_int_equal (plan.trajectories[1].expected_frames, 50);
    assert_int_equal (plan.missing_tasks, 2);
    assert_int_equal (plan.missing_frames, 100);
    assert_string_equal (plan.frames_dir, "out/frames");
    assert_string_equal (plan.params_path, "params.json");
    plan_release (&plan);
    plan_release (&plan);
}

static void test_campaign (void **state)
{
    struct plan plan = PLAN_INIT;

    (void)state;
    assert_int_equal (parse (HEAD "\"iteration\": 7, \"earlier\": [{}, {}], "
                                  "\"labelled\": [\"l0\", \"l1\"], "
                                  "\"trajectories\": [], " TAIL,
                             &plan, NULL),
                      0);
    assert_int_equal (plan.iteration, 7);
    assert_int_equal (json_count (plan.earlier), 2);
    assert_int_equal (plan.labelled.n, 2);
    assert_string_equal (plan.labelled.v[1], "l1");
    plan_release (&plan);
}

static void test_nothing_to_read (void **state)
{
    struct plan plan = PLAN_INIT;

    (void)state;
    assert_int_equal (parse (HEAD "\"trajectories\": [], " TAIL, &plan, NULL),
                      0);
    assert_int_equal (plan.n_trajectories, 0);
    assert_int_equal (plan.missing_frames, 0);
    assert_int_equal (plan.iteration, -1);
    assert_null (plan.earlier);
    plan_release (&plan);
}

/* Beads of one task, and levels in the order of systems that the plan says. */
static void test_parts_and_systems (void **state)
{
    static const char text[] =
        "{\"format\": 1, \"force\": {\"low\": [0.1, 0.2], \"high\": 1}, "
        "\"quota\": 1, \"elements\": [\"H\"], \"systems\": [\"b\", \"a\"], "
        "\"trajectories\": ["
        "{\"task\": 0, \"part\": 1, \"system\": \"a\", \"trajectory\": \"t\","
        " \"deviations\": \"d1\", \"expected_frames\": 0}, "
        "{\"task\": 0, \"part\": 0, \"system\": \"a\", \"trajectory\": \"t\","
        " \"deviations\": \"d0\", \"expected_frames\": 0}], " TAIL;
    struct plan plan = PLAN_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    if (parse (text, &plan, &err) < 0)
        fail_msg ("%s", err.text);
    assert_int_equal (plan.n_models, 0);
    assert_string_equal (plan.trajectories[1].deviations, "d1");
    assert_int_equal (plan.trajectories[1].system, 1);
    assert_true (plan.rules.criteria[1].levels[DEVIATION_FORCE].low == 0.2);
    plan_release (&plan);
}

#define DEVIATIONS(keys) HEAD "\"trajectories\": [" keys "], " TAIL
#define PLAIN(task, more)                                                      \
    "{\"task\": " task ", \"system\": \"s\", \"deviations\": \"d/" task        \
    "\"" more ", \"expected_frames\": 5}"

/* However an entry is written, the plan is the same. */
static void test_ways_to_write (void **state)
{
    static const char *const texts[] = {
        DEVIATIONS (PLAIN ("17", ", \"part\": 2, \"trajectory\": \"t\"")),
        DEVIATIONS ("\n  {\"expected_frames\":5 ,\"trajectory\":\"t\",\n"
                    "\"part\":2,\t\"deviations\":\"d/17\",\"system\":\"s\","
                    "\"task\":17 }\r\n"),
        DEVIATIONS (PLAIN ("17", ", \"part\": 2, \"trajector\\u0079\": \"t\"")),
        DEVIATIONS (PLAIN ("17", ", \"part\": 2, \"trajectory\": \"\\u0074\"")),
        HEAD "\"tr\\u0061jectories\": [" PLAIN (
            "17", ", \"part\": 2, \"trajectory\": \"t\"") "], " TAIL,
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (texts); i++) {
        struct plan plan = PLAN_INIT;
        struct error err = ERROR_INIT;
        const struct trajectory *one;

        if (parse (texts[i], &plan, &err) < 0)
            fail_msg ("%zu: %s", i, err.text);
        assert_int_equal (plan.n_trajectories, 1);
        one = &plan.trajectories[0];
        assert_int_equal (one->task, 17);
        assert_int_equal (one->part, 2);
        assert_string_equal (one->name, "s");
        assert_string_equal (one->path, "t");
        assert_string_equal (one->deviations, "d/17");
        assert_int_equal (one->expected_frames, 5);
        assert_null (one->forces);
        plan_release (&plan);
    }
}

/* Some of the entries are plain, and some are not. */
static void test_mixed_entries (void **state)
{
    static const char umlaut[] = PLAIN ("1", ", \"trajectory\": \"\303\244\"");
    static const char forces[] = TRAJECTORY ("2", "[\"f\", \"g\"]");
    struct strbuf text = STRBUF_INIT;
    struct plan plan = PLAN_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    strbuf_addf (&text,
                 HEAD "\"trajectories\": [" PLAIN ("3", "") ", %s, %s," PLAIN (
                     "0", "") "], " TAIL,
                 umlaut, forces);
    if (parse (text.buf, &plan, &err) < 0)
        fail_msg ("%s", err.text);
    assert_int_equal (plan.n_trajectories, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal (plan.trajectories[i].task, i);
    assert_string_equal (plan.trajectories[0].deviations, "d/0");
    assert_string_equal (plan.trajectories[1].path, "\303\244");
    assert_string_equal (plan.trajectories[2].forces[1], "g");
    assert_null (plan.trajectories[3].path);
    assert_int_equal (plan.systems.n, 2);
    plan_release (&plan);
    strbuf_release (&text);
}

static void test_bad_entries (void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        { DEVIATIONS (PLAIN ("0", "") " " PLAIN ("1", "")), "p:1:" },
        { DEVIATIONS (PLAIN ("0", "") ",,"), "p:1:" },
        { DEVIATIONS (PLAIN ("0", "") ","), "p:1:" },
        { DEVIATIONS (PLAIN ("0", "") "\n}"), "p:2:" },
        { DEVIATIONS (PLAIN ("00", "")), "p:1:" },
        { DEVIATIONS (PLAIN ("0", ",")), "p:1:" },
        { DEVIATIONS (PLAIN ("0", ", \"part\": 1, \"part\": 1")), "p:1:" },
        { DEVIATIONS (PLAIN ("0", ", \"trajectory\": \"\n\"")), "p:1:" },
        { DEVIATIONS (PLAIN ("0", ", \"trajectory\": \"\377\"")), "p:1:" },
        { DEVIATIONS (PLAIN ("0", "") "], \"trajectories\": ["), "p:1:" },
        { DEVIATIONS (PLAIN ("0", "")) "}", "p:1:" },
        { HEAD "\"trajectories\": [" PLAIN ("0", ""), "p:1:" },
        { HEAD "\"trajectories\": {}, " TAIL,
          "p: key 'trajectories': expected an array, got an object" },
        { HEAD TAIL, "p: key 'trajectories': missing" },
        { DEVIATIONS (PLAIN ("0", "") ", 7"),
          "p: trajectories[1]: expected an object" },
        { DEVIATIONS (PLAIN ("0", "") ", " PLAIN ("1", ", \"stepp\": 1")),
          "p: trajectories[1]: unknown key 'stepp'" },
        { DEVIATIONS (PLAIN ("0", ", \"part\": 1.0")),
          "p: trajectories[0]: key 'part': expected an integer" },
        { DEVIATIONS (PLAIN ("0", ", \"part\": 99999999999999999999")),
          "p:1:" },
        { DEVIATIONS (PLAIN ("0", ", \"trajectory\": \"\"")),
          "p: trajectories[0]: key 'trajectory': the text is empty" },
        { DEVIATIONS (PLAIN ("4", "") ", " PLAIN ("4", "")),
          "p: trajectories: task 4 occurs twice" },
        { DEVIATIONS ("{\"task\": 0, \"system\": \"../x\", \"deviations\": "
                      "\"d\", \"expected_frames\": 0}"),
          "p: trajectories[0]: key 'system': '../x'" },
        { DEVIATIONS ("{\"task\": 0, \"deviations\": \"d\", "
                      "\"expected_frames\": 0}"),
          "p: trajectories[0]: key 'system': missing" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct plan plan = PLAN_INIT;
        struct error err = ERROR_INIT;

        assert_int_equal (parse (cases[i].text, &plan, &err), -1);
        if (strncmp (err.text, cases[i].message, strlen (cases[i].message))
            != 0)
            fail_msg ("%zu: expected '%s', found '%s'", i, cases[i].message,
                      err.text);
    }
}

/* The good plan with one text in place of another. */
static void make_bad (const char *from, const char *to, struct strbuf *out)
{
    const char *found = strstr (GOOD, from);

    assert_non_null (found);
    strbuf_reset (out);
    strbuf_add (out, GOOD, strlen (GOOD) - strlen (found));
    strbuf_add_str (out, to);
    strbuf_add_str (out, found + strlen (from));
}

static const struct {
    const char *from;
    const char *to;
    const char *message;
} bad_plans[] = {
    { "{\"format\"", "\"format\"", "p:1:" },
    { "\"format\": 1", "\"format\": 2",
      "p: key 'format': 2; this program reads 1" },
    { "\"format\": 1, ", "", "p: key 'format': missing, expected an integer" },
    { "\"seed\": -5", "\"seed\": 1.5",
      "p: key 'seed': expected an integer, got a" },
    { "\"seed\": -5", "\"sede\": -5", "p: unknown key 'sede'" },
    { "\"dpgen2\"", "\"dpgen3\"",
      "p: semantics: 'dpgen3' is not known; use dpgen, dpgen2 or "
      "simplify" },
    { "{\"low\": 0.25, \"high\": 1}", "3",
      "p: force: expected an object, got an integer" },
    { "\"low\": 0.25", "\"low\": 2",
      "p: force: low is 2 and high 1; write 0 <= low <= high" },
    { "\"low\": 0.25", "\"low\": -0.25",
      "p: force: low is -0.25 and high 1; write" },
    { "\"low\": 0.25", "\"lo\": 0.25", "p: force: unknown key 'lo'" },
    { "\"low\": 0.25, ", "",
      "p: force: key 'low': missing, expected a number" },
    { "\"quota\": 16", "\"quota\": -1", "p: quota: -1 is less than 0" },
    { "[\"Si\", \"Ge\"]", "[]", "p: key 'elements': the list is empty" },
    { "[\"Si\", \"Ge\"]", "[\"Unobtainium\"]",
      "p: key 'elements': expected texts of 1 to 7 characters" },
    { "[\"Si\", \"Ge\"]", "[14]",
      "p: key 'elements': expected texts of 1 to 7 characters" },
    { "\"task\": 7", "\"task\": -7",
      "p: trajectories[0]: key 'task': -7 is negative" },
    { "\"task\": 3", "\"task\": 7", "p: trajectories: task 7 occurs twice" },
    { "\"task\": 7, ", "",
      "p: trajectories[0]: key 'task': missing, expected an integer" },
    { "\"a-1.b\"", "\"../b\"", "p: trajectories[0]: key 'system': '../b'" },
    { "\"a-1.b\"", "\".b\"", "p: trajectories[0]: key 'system': '.b'" },
    { "\"a-1.b\"", "\"\"", "p: trajectories[0]: key 'system': the text is" },
    { "\"trajectory\": \"t\"", "\"trajectory\": \"\"",
      "p: trajectories[0]: key 'trajectory': the text is empty" },
    { "[\"f\", \"g\"]", "[\"f\"]",
      "p: trajectories[0]: key 'forces': 1 files; expected one for each" },
    { "[\"h\", \"i\"]", "[\"h\", \"i\", \"j\"]",
      "p: trajectories[1]: key 'forces': 3 files; expected one for each" },
    { "[\"h\", \"i\"]", "[\"h\", null]",
      "p: trajectories[1]: key 'forces': expected a list of paths" },
    { "\"forces\": [\"f\", \"g\"]",
      "\"deviations\": \"d\", \"forces\": [\"f\", \"g\"]",
      "p: trajectories[0]: deviations and forces; one is enough" },
    { "\"forces\": [\"f\", \"g\"]", "\"deviations\": \"\"",
      "p: trajectories[0]: key 'deviations': the text is empty" },
    { "\"quota\": 16", "\"quota\": 16, \"avg_relative\": true",
      "p: avg_relative needs deviations, and trajectories with forces" },
    { "\"quota\": 16", "\"quota\": 16, \"iteration\": -2",
      "p: key 'iteration': -2 is negative" },
    { "\"quota\": 16", "\"quota\": 16, \"earlier\": {}",
      "p: key 'earlier': expected an array" },
    { "\"quota\": 16", "\"quota\": 16, \"labelled\": \"l\"",
      "p: key 'labelled': expected an array" },
    { "\"quota\": 16", "\"quota\": 16, \"distance\": 1.5",
      "p: key 'distance': only files of deviations hold it" },
    { "\"quota\": 16", "\"quota\": 16, \"relative\": {\"energy\": 1}",
      "p: key 'relative': unknown key 'energy'; force and virial" },
    { "\"quota\": 16", "\"quota\": 16, \"relative\": {\"force\": -1}",
      "p: key 'relative': force: -1; expected a level from 0 on" },
    { "\"quota\": 16", "\"quota\": 16, \"relative\": {\"virial\": \"a\"}",
      "p: key 'relative': key 'virial': expected a number" },
    { "\"quota\": 16", "\"quota\": 16, \"columns\": {\"forces\": 3}",
      "p: key 'columns': key 'forces': expected a string" },
    { "\"expected_frames\": 50", "\"expected_frames\": \"many\"",
      "p: trajectories[0]: key 'expected_frames': expected an integer" },
    { "\"tasks\": 2, ", "", "p: key 'missing': key 'tasks': missing" },
    { "\"out/frames\"", "\"\"", "p: key 'frames_dir': the text is empty" },
    { "\"params\": \"params.json\"", "\"params\": null",
      "p: key 'params': expected a string" },
    { TRAJECTORY ("7", "[\"f\", \"g\"]"), "null",
      "p: trajectories[0]: expected an object, got null" },
};

static void test_bad (void **state)
{
    struct strbuf text = STRBUF_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (bad_plans); i++) {
        struct plan plan = PLAN_INIT;
        struct error err = ERROR_INIT;

        make_bad (bad_plans[i].from, bad_plans[i].to, &text);
        plan.rules.quota = 42;
        assert_int_equal (parse (text.buf, &plan, &err), -1);
        if (strncmp (err.text, bad_plans[i].message, strlen (bad_plans[i].message))
            != 0)
            fail_msg ("expected '%s', found '%s'", bad_plans[i].message, err.text);
        assert_int_equal (plan.rules.quota, 42);
    }
    strbuf_release (&text);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_good),
        cmocka_unit_test (test_campaign),
        cmocka_unit_test (test_nothing_to_read),
        cmocka_unit_test (test_parts_and_systems),
        cmocka_unit_test (test_ways_to_write),
        cmocka_unit_test (test_mixed_entries),
        cmocka_unit_test (test_bad_entries),
        cmocka_unit_test (test_bad),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
