/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operators_model_devi_select.c - the steps around fanfold-reduce */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "base/compiler.h"
#include "base/json.h"
#include "operators/builtin.h"
#include "temp_dir.h"

/* A task whose second trajectory has no results. */
static struct json *whole_task (void)
{
    static const char text[] =
        "{\"format\": 1, \"campaign_dir\": \"/c\", \"seed\": 77, "
        " \"iteration\": 4, \"inputs\": {"
        " \"trajectories\": [\"/a/t\", null, \"/c/t\"],"
        " \"forces\": [[\"/a/0\", \"/a/1\"], null, [\"/c/0\", \"/c/1\"]],"
        " \"deviations\": [],"
        " \"frames_expected\": [50, null, 2],"
        " \"system\": [\"x\", null, \"y\"], \"elements\": [\"Si\"],"
        " \"semantics\": \"dpgen\", \"force\": {\"low\": 0.2, \"high\": 0.8},"
        " \"quota\": 16, \"skip_steps\": 1},"
        " \"outputs\": {\"frames\": \"out/frames\","
        " \"provenance\": \"out/provenance.json\"}}";
    struct json *task = json_parse (text, strlen (text), "task", NULL);

    assert_non_null (task);
    return task;
}

/* Write it with one input replaced (NULL: none). */
static void write_task (const char *name, const char *value)
{
    struct json *task = whole_task ();

    if (name)
        json_set (json_get (task, "inputs"), name,
                  json_parse (value, strlen (value), "value", NULL));
    assert_int_equal (json_write_file ("task.json", task, NULL), 0);
    json_unref (task);
}

static void assert_plan (const char *expected)
{
    struct json *plan = json_read_file ("plan.json", NULL);
    struct strbuf text = STRBUF_INIT;

    json_dump (plan, JSON_COMPACT, &text);
    assert_string_equal (text.buf, expected);
    strbuf_release (&text);
    json_unref (plan);
}

#define PLAN_WITH(quota, skip, more, trajectories)                             \
    "{\"format\":1,\"semantics\":\"dpgen\","                                   \
    "\"force\":{\"low\":0.2,\"high\":0.8},"                                    \
    "\"quota\":" quota ",\"skip_steps\":" skip                                 \
    ",\"frames_dir\":\"out/frames\","                                          \
    "\"provenance\":\"out/provenance.json\",\"iteration\":4," more             \
    "\"seed\":77,"                                                             \
    "\"elements\":[\"Si\"],\"trajectories\":[" trajectories "],"               \
    "\"missing\":{\"tasks\":1,\"frames\":0},"                                  \
    "\"params\":\"reduced.json\"}"
#define PLAN_OF(skip, trajectories) PLAN_WITH ("16", skip, "", trajectories)
#define TRAJECTORIES(first, last)                                              \
             "{\"task\":0,\"system\":\"x\",\"trajectory\":\"/a/t\","           \
             "\"forces\":[\"/a/0\",\"/a/1\"],\"expected_frames\":" first       \
             "},{\"task\":2,\"system\":\"y\",\"trajectory\":\"/c/t\","         \
             "\"forces\":[\"/c/0\",\"/c/1\"],\"expected_frames\":" last "}"
#define PLAN(skip, first, last) PLAN_OF (skip, TRAJECTORIES (first, last))

static void test_prepare (void **state)
{
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_task (NULL, NULL);
    if (model_devi_select_prepare (&err) != STEP_OK)
        fail_msg ("%s", err.text);
    assert_plan (PLAN ("1", "50", "2"));
    assert_true (file_is_dir ("out"));
    assert_false (file_exists ("out/frames")); /* the reducer's to make */
    temp_dir_leave (&dir);
}

/* The engine's own deviations in place of forces. */
static void test_deviations (void **state)
{
    struct error err = ERROR_INIT;
    struct json *task = whole_task ();
    struct json *inputs = json_get (task, "inputs");
    struct json *deviations = json_array ();
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    json_push (deviations, json_string ("/a/d"));
    json_push (deviations, json_null ());
    json_push (deviations, json_string ("/c/d"));
    json_set (inputs, "deviations", deviations);
    json_set (inputs, "forces", json_array ());
    assert_int_equal (json_write_file ("task.json", task, NULL), 0);
    if (model_devi_select_prepare (&err) != STEP_OK)
        fail_msg ("%s", err.text);
    assert_plan (
        PLAN_OF ("1", "{\"task\":0,\"system\":\"x\",\"trajectory\":\"/a/t\","
                      "\"deviations\":\"/a/d\",\"expected_frames\":50},"
                      "{\"task\":2,\"system\":\"y\",\"trajectory\":\"/c/t\","
                      "\"deviations\":\"/c/d\",\"expected_frames\":2}"));
    json_unref (task);
    temp_dir_leave (&dir);
}

/* Frames that are skipped are not expected. */
static void test_skipped_steps (void **state)
{
    struct error err = ERROR_INIT;
    struct json *task = whole_task ();
    struct json *inputs = json_get (task, "inputs");
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    json_set (inputs, "skip_steps", json_int (61));
    assert_int_equal (json_write_file ("task.json", task, NULL), 0);
    assert_int_equal (model_devi_select_prepare (&err), STEP_FATAL);
    assert_non_null (strstr (err.text, "skip_steps: 61 needs dump_every"));
    json_set (inputs, "dump_every", json_int (20));
    assert_int_equal (json_write_file ("task.json", task, NULL), 0);
    assert_int_equal (model_devi_select_prepare (&err), STEP_OK);
    assert_plan (PLAN ("61", "47", "0"));
    json_set (inputs, "skip_steps", json_int (60));
    assert_int_equal (json_write_file ("task.json", task, NULL), 0);
    assert_int_equal (model_devi_select_prepare (&err), STEP_OK);
    assert_plan (PLAN ("60", "48", "0"));
    json_set (inputs, "dump_every", json_int (0));
    assert_int_equal (json_write_file ("task.json", task, NULL), 0);
    assert_int_equal (model_devi_select_prepare (&err), STEP_FATAL);
    json_unref (task);
    temp_dir_leave (&dir);
}

/* What an iteration changes, and what those before came to. */
static void test_iterations (void **state)
{
    struct error err = ERROR_INIT;
    struct temp_dir dir;
    struct json *task = whole_task (), *inputs = json_get (task, "inputs");
    static const char changes[] =
        "[{\"from\": 2, \"quota\": 5, \"skip_steps\": 0},"
        " {\"from\": 3, \"to\": 4, \"skip_steps\": 61},"
        " {\"from\": 5, \"quota\": 6}]";

    (void)state;
    temp_dir_enter (&dir);
    json_set (inputs, "iterations",
              json_parse (changes, sizeof (changes) - 1, "v", NULL));
    json_set (inputs, "earlier", json_parse ("[{}]", 4, "v", NULL));
    json_set (inputs, "dump_every", json_int (20));
    assert_int_equal (json_write_file ("task.json", task, NULL), 0);
    if (model_devi_select_prepare (&err) != STEP_OK)
        fail_msg ("%s", err.text);
    assert_plan (PLAN_WITH ("5", "61", "\"earlier\":[{}],",
                            TRAJECTORIES ("47", "0")));
    json_unref (task);
    temp_dir_leave (&dir);
}

static const struct {
    const char *name;
    const char *value;
    const char *complaint;
} refusals[] = {
    { "forces", "[[]]", "forces has 1 elements, trajectories has 3" },
    { "system", "[]", "system has 0 elements, trajectories has 3" },
    { "frames_expected", "3", "inputs: key 'frames_expected'" },
    { "quota", "-1", "quota: -1 is less than 0" },
    { "forces", "[]", "deviations has 0 elements, trajectories has 3" },
    { "pick", "\"best\"", "pick: 'best' is not known" },
    { "force", "{\"low\": 2, \"high\": [3, 1]}",
      "force: low is 2 and high 1; write" },
    { "skip_steps", "-1", "skip_steps: -1 is less than 0" },
    { "iterations", "[{\"from\": 1, \"quota\": -2}]", "quota: -2 is less" },
    { "iterations", "[{\"quota\": 2}]", "iterations[0]: key 'from': missing" },
};

static void test_refusals (void **state)
{
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < ARRAY_SIZE (refusals); i++) {
        struct error err = ERROR_INIT;

        write_task (refusals[i].name, refusals[i].value);
        assert_int_equal (model_devi_select_prepare (&err), STEP_FATAL);
        if (!strstr (err.text, refusals[i].complaint))
            fail_msg ("'%s' lacks '%s'", err.text, refusals[i].complaint);
    }
    temp_dir_leave (&dir);
}

static void test_finish (void **state)
{
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    assert_int_equal (model_devi_select_finish (&err), STEP_FAILED);
    assert_non_null (strstr (err.text, "reduced.json"));
    write_text ("reduced.json", "{\"frames\": 10, \"accurate\": 0.5, "
                                "\"selected\": 2}");
    assert_int_equal (model_devi_select_finish (&err), STEP_OK);
    assert_file_text ("params.json",
                      "{\n  \"accurate\": 0.5,\n  \"selected\": 2,\n"
                      "  \"total\": 10,\n  \"proceed\": true\n}\n");
    write_text ("reduced.json", "{\"frames\": 0, \"selected\": 0}");
    assert_int_equal (model_devi_select_finish (&err), STEP_OK);
    assert_file_text ("params.json", "{\n  \"selected\": 0,\n"
                                     "  \"total\": 0,\n"
                                     "  \"proceed\": false\n}\n");
    write_text ("reduced.json", "{\"frames\": 0}");
    assert_int_equal (model_devi_select_finish (&err), STEP_FAILED);
    assert_non_null (strstr (err.text, "reduced.json: key 'selected'"));
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_prepare),
        cmocka_unit_test (test_deviations),
        cmocka_unit_test (test_skipped_steps),
        cmocka_unit_test (test_iterations),
        cmocka_unit_test (test_refusals),
        cmocka_unit_test (test_finish),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
