/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operators_step_task.c - task.json as steps read it */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "operators/step_task.h"
#include "temp_dir.h"

/* doc/architecture.md, "How a stage runs" */
static const char whole[] =
    "{\"format\": 1, \"campaign\": \"silicon\", \"campaign_dir\": \"/abs\",\n"
    " \"stage\": \"train\", \"code\": \"linear\", \"iteration\": 0,\n"
    " \"task\": 2, \"seed\": 1804289383,\n"
    " \"resources\": {\"ranks\": 2, \"cores\": 4, \"gpus\": 0,\n"
    "  \"memory_bytes\": 0, \"walltime_s\": 600},\n"
    " \"launcher\": [\"mpirun\", \"-n\", \"2\"],\n"
    " \"inputs\": {\"model\": 2, \"names\": [\"a\", \"b\"], \"bad\": [1],\n"
    "  \"word\": \"x\"},\n"
    " \"outputs\": {\"potential\": \"out/deep/potential\", \"odd\": 3},\n"
    " \"raw\": \"raw\"}";

static void test_whole_record (void **state)
{
    struct step_task task = STEP_TASK_INIT;
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("task.json", whole);
    if (step_task_read (NULL, &task, &err) < 0)
        fail_msg ("%s", err.text);
    assert_string_equal (task.campaign_dir, "/abs");
    assert_int_equal (task.seed, 1804289383);
    assert_int_equal (task.resources.ranks, 2);
    assert_int_equal (task.resources.cores, 4);
    assert_true (task.resources.walltime_s == 600);
    assert_int_equal (task.launcher.n, 3);
    assert_string_equal (task.launcher.v[2], "2");
    assert_int_equal (json_count (task.inputs), 4);
    assert_string_equal (task.raw, "raw");
    assert_null (task.stacked);
    step_task_release (&task);
    step_task_release (&task);
    temp_dir_leave (&dir);
}

/* What `prepare` and `collect` get: no task, perhaps no place to run. */
static void test_front_end_record (void **state)
{
    struct step_task task = STEP_TASK_INIT;
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text (
        "task.json",
        "{\"format\": 1, \"campaign_dir\": \"/c\", \"task\": null, "
        "\"inputs\": {}, \"outputs\": {}, \"stacked\": {\"a\": [null]}}");
    if (step_task_read (NULL, &task, &err) < 0)
        fail_msg ("%s", err.text);
    assert_int_equal (task.resources.ranks, 1);
    assert_int_equal (task.launcher.n, 0);
    assert_int_equal (task.seed, 0);
    assert_null (task.raw);
    assert_int_equal (json_count (json_get (task.stacked, "a")), 1);
    step_task_release (&task);
    temp_dir_leave (&dir);
}

static const struct {
    const char *record;
    const char *complaint;
} bad[] = {
    { "{", "task.json:" },
    { "{\"format\": 2, \"campaign_dir\": \"/c\", \"inputs\": {}, "
      "\"outputs\": {}}",
      "task.json: format 2 is not known" },
    { "{\"campaign_dir\": \"/c\"}", "task.json: key 'format'" },
    { "{\"format\": 1, \"inputs\": {}, \"outputs\": {}}",
      "task.json: key 'campaign_dir'" },
    { "{\"format\": 1, \"campaign_dir\": \"/c\", \"inputs\": [], "
      "\"outputs\": {}}",
      "task.json: key 'inputs'" },
    { "{\"format\": 1, \"campaign_dir\": \"/c\", \"inputs\": {}}",
      "task.json: key 'outputs'" },
    { "{\"format\": 1, \"campaign_dir\": \"/c\", \"inputs\": {}, "
      "\"outputs\": {}, \"launcher\": [\"mpirun\", 2]}",
      "task.json: launcher[1]: expected a string" },
    { "{\"format\": 1, \"campaign_dir\": \"/c\", \"inputs\": {}, "
      "\"outputs\": {}, \"resources\": {\"ranks\": 0}}",
      "task.json: resources: " },
};

static void test_bad_records (void **state)
{
    struct step_task task = STEP_TASK_INIT;
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    assert_int_equal (step_task_read (NULL, &task, &err), -1);
    for (size_t i = 0; i < ARRAY_SIZE (bad); i++) {
        write_text ("task.json", bad[i].record);
        assert_int_equal (step_task_read (NULL, &task, &err), -1);
        if (!strstr (err.text, bad[i].complaint))
            fail_msg ("'%s' lacks '%s'", err.text, bad[i].complaint);
        assert_null (task.record);
    }
    temp_dir_leave (&dir);
}

static void test_inputs (void **state)
{
    struct step_task task = STEP_TASK_INIT;
    struct strvec names = STRVEC_INIT;
    struct error err = ERROR_INIT;
    struct known_input input = { .name = NULL };
    struct temp_dir dir;
    int64_t count = 5;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("task.json", whole);
    assert_int_equal (step_task_read (NULL, &task, &err), 0);
    assert_int_equal (step_strings (task.inputs, "names", &names, &err), 0);
    assert_int_equal (names.n, 2);
    assert_string_equal (names.v[1], "b");
    assert_int_equal (step_strings (task.inputs, "word", &names, &err), -1);
    assert_string_equal (err.text, "inputs: key 'word': expected an array, got "
                                   "a string");
    assert_int_equal (step_strings (task.inputs, "bad", &names, &err), -1);
    assert_non_null (strstr (err.text, "bad[0]: expected a string, got "));
    assert_int_equal (step_count (task.inputs, "model", 3, &count, &err), -1);
    assert_string_equal (err.text, "model: 2 is less than 3; write 3 or more");
    assert_int_equal (count, 5);
    assert_int_equal (step_count (task.inputs, "model", 2, &count, &err), 0);
    assert_int_equal (count, 2);
    assert_int_equal (step_count (task.inputs, "none", 2, &count, &err), -1);
    input.others = task.inputs;
    input.name = "names";
    assert_int_equal (step_check_program (&input, &err), 0);
    input.name = "bad";
    assert_int_equal (step_check_program (&input, &err), -1);
    input.name = "model";
    assert_int_equal (step_check_count (&input, &err), 0);
    input.name = "word";
    assert_int_equal (step_check_count (&input, &err), -1);
    strvec_release (&names);
    step_task_release (&task);
    temp_dir_leave (&dir);
}

/* Words of programs may have line breaks; what stands in files of a code not.
 */
static void test_text (void **state)
{
    static const struct type name = ONE (STRING);
    static const struct port inputs[] = {
        { "program", ONE (LIST), .program = true },
        { "line", .type = ONE (STRING) },
        { "files", .type = MAP_OF (name) },
        { 0 },
    };
    static const struct operator_spec user = { .code = "toy",
                                               .inputs = inputs };
    static const struct operator_spec op = { .code = "toy",
                                             .inputs = inputs,
                                             .writes_text = true };
    static const struct {
        const char *inputs, *complaint; /* NULL: none */
    } rows[] = {
        { "\"program\": [\"sh\", \"-c\", \"a\\nb\"], \"line\": \"x\\ty\"",
          NULL },
        { "\"line\": \"x\\ny\"", "line: has a line break" },
        { "\"line\": \"x\\u007f\"", "line: has a line break" },
        { "\"files\": {\"Si\": \"x\\r\"}", "files: has a line break" },
        { "\"files\": {\"Si\\n\": \"x\"}", "files: has a line break" },
        { "\"more\": [{\"a\": [1, \"\\u001b\"]}]", "more: has a line break" },
    };
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct step_task task = STEP_TASK_INIT;
        struct error err = ERROR_INIT;
        char *record = xasprintf ("{\"format\": 1, \"campaign_dir\": \"/c\", "
                                  "\"inputs\": {%s}, \"outputs\": {}}",
                                  rows[i].inputs);

        write_text ("task.json", record);
        assert_int_equal (step_task_read (&user, &task, &err), 0);
        step_task_release (&task);
        assert_int_equal (step_task_read (&op, &task, &err),
                          rows[i].complaint ? -1 : 0);
        assert_true (!rows[i].complaint
                     || strstr (err.text, rows[i].complaint) == err.text);
        step_task_release (&task);
        free (record);
    }
    temp_dir_leave (&dir);
}

static void test_outputs (void **state)
{
    struct step_task task = STEP_TASK_INIT;
    struct error err = ERROR_INIT;
    const char *path = NULL;
    struct json *params = json_object ();
    struct json *slices = json_object ();
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("task.json", whole);
    assert_int_equal (step_task_read (NULL, &task, &err), 0);
    assert_int_equal (step_task_output (&task, "potential", &path, &err), 0);
    assert_string_equal (path, "out/deep/potential");
    assert_true (file_exists ("out/deep/."));
    assert_false (file_exists (path));
    assert_int_equal (step_task_output (&task, "odd", &path, &err), -1);
    assert_int_equal (step_task_output (&task, "none", &path, &err), -1);
    assert_string_equal (path, "out/deep/potential");
    json_set (params, "n", json_int (3));
    assert_int_equal (step_write ("params.json", params, &err), 0);
    assert_file_text ("params.json", "{\n  \"n\": 3\n}\n");
    assert_int_equal (step_write ("slices.json", slices, &err), 0);
    assert_file_text ("slices.json", "{}\n");
    step_task_release (&task);
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_whole_record),
        cmocka_unit_test (test_front_end_record),
        cmocka_unit_test (test_bad_records),
        cmocka_unit_test (test_inputs),
        cmocka_unit_test (test_text),
        cmocka_unit_test (test_outputs),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
