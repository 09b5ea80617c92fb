/* SPDX-License-Identifier: BSD-3-Clause */
/* test_results.c - out/result.json as read */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sys/resource.h>

#include "arrays/outcome.h"
#include "arrays/task_range.h"
#include "handover/task_result.h"
#include "base/file.h"
#include "base/json.h"
#include "fsync_calls.h"
#include "temp_dir.h"

static void test_outcome_names (void **state)
{
    (void)state;
    for (int i = 0; i < OUTCOME_COUNT; i++)
        assert_int_equal (outcome_from_name (outcome_name ((enum outcome)i)),
                          i);
    assert_string_equal (outcome_name (OUTCOME_NONE), "pending");
    assert_string_equal (outcome_name (OUTCOME_OUT_OF_MEMORY), "out_of_memory");
    assert_int_equal (outcome_from_name ("OK"), OUTCOME_COUNT);
    assert_int_equal (outcome_from_name (""), OUTCOME_COUNT);
}

/* --- task_result --- */

static const struct stage_place place = { "train", "linear", 3, 0 };

static const char good_result[] =
    "{\"format\": 1, \"stage\": \"train\", \"iteration\": 3, \"task\": 2, "
    "\"params\": {\"rmse\": 0.5}, \"artifacts\": {"
    "\"model\": {\"path\": \"model.bin\", \"bytes\": 5, \"sha256\": \"\"}, "
    "\"extra\": null}}";

#define JOBS "train/linear/iter/000003/job/"
#define OUT JOBS "000002/out/"

static void test_result_is_read (void **state)
{
    struct error err = { "left over", 0 };
    struct json *result = NULL;

    assert_int_equal (task_result_read (*state, &place, 2, NULL, &result, &err),
                      TASK_RESULT_ABSENT);
    assert_null (result);
    temp_dir_put (*state, JOBS "000002/log", "printed"); /* and no out */
    assert_int_equal (task_result_read (*state, &place, 2, NULL, &result, &err),
                      TASK_RESULT_DAMAGED);
    assert_true (error_is_absence (&err));
    temp_dir_put (*state, OUT "model.bin", "12345");
    temp_dir_put (*state, OUT "result.json", good_result);
    assert_int_equal (task_result_read (*state, &place, 2, NULL, &result, &err),
                      TASK_RESULT_THERE);
    assert_non_null (result);
    assert_true (json_as_double (json_get (json_get (result, "params"), "rmse"))
                 == 0.5);
    json_unref (result);
}

/* A result whose artifact is such a list. */
#define ENTRIES(list)                                                          \
    "{\"format\": 1, \"stage\": \"train\", \"iteration\": 3, \"task\": 2, "    \
    "\"params\": {}, \"artifacts\": {\"model\": {\"path\": \"model.bin\", "    \
    "\"bytes\": 5, \"entries\": " list "}}}"

static const struct {
    const char *result; /* NULL: no file */
    const char *says;
} damaged[] = {
    { NULL, "result.json" },
    { "", "result.json" },
    { "{\"format\": 1, \"sta", "result.json" },
    { "[]", "format" },
    { "{\"format\": 2}", "format" },
    { "{\"format\": 1, \"stage\": \"label\"}", "'train'" },
    { "{\"format\": 1, \"stage\": \"train\", \"iteration\": 4}", "4" },
    { "{\"format\": 1, \"stage\": \"train\", \"iteration\": 3, "
      "\"task\": 3}",
      "'task'" },
    { "{\"format\": 1, \"stage\": \"train\", \"iteration\": 3, "
      "\"task\": 2, \"params\": {}}",
      "artifacts" },
    { "{\"format\": 1, \"stage\": \"train\", \"iteration\": 3, "
      "\"task\": 2, \"params\": {}, \"artifacts\": {\"model\": "
      "{\"path\": \"model.bin\", \"bytes\": 6}}}",
      "has 5 bytes instead of 6" },
    { "{\"format\": 1, \"stage\": \"train\", \"iteration\": 3, "
      "\"task\": 2, \"params\": {}, \"artifacts\": {\"model\": "
      "{\"path\": \"gone\", \"bytes\": 6}}}",
      "gone" },
    { "{\"format\": 1, \"stage\": \"train\", \"iteration\": 3, "
      "\"task\": 2, \"params\": {}, \"artifacts\": {\"model\": "
      "{\"path\": \"../out/model.bin\", \"bytes\": 5}}}",
      "not below out/" },
    { "{\"format\": 1, \"stage\": \"train\", \"iteration\": 3, "
      "\"task\": 2, \"params\": {}, \"artifacts\": {\"model\": "
      "{\"path\": \"model.bin\", \"bytes\": -5}}}",
      "negative" },
    { "{\"format\": 1, \"stage\": \"train\", \"iteration\": 3, "
      "\"task\": 2, \"params\": {}, \"artifacts\": {\"model\": "
      "{\"path\": \"model.bin\", \"bytes\": 5, \"entries\": "
      "[\"a\", \"..\"]}}}",
      "no file name" },
    { ENTRIES ("[\"a/b\"]"), "'a/b' is no file name" },
    { ENTRIES ("[[\"a/b\"], [\"c\"]]"), "'c' is no file name" },
    { ENTRIES ("[[\"a/../b\"]]"), "'a/../b' is no file name" },
    { ENTRIES ("[[\"../b\"]]"), "'../b' is no file name" },
    { ENTRIES ("\"a\""), "'a' is no file name" },
    { ENTRIES ("[[[[[[]]]]]]"), "more than 4 lists in lists" },
};

static void test_damaged_results (void **state)
{
    struct json *result = NULL;

    temp_dir_put (*state, OUT "model.bin", "12345");
    for (size_t i = 0; i < ARRAY_SIZE (damaged); i++) {
        struct error err = ERROR_INIT;

        if (damaged[i].result)
            temp_dir_put (*state, OUT "result.json", damaged[i].result);
        assert_int_equal (
            task_result_read (*state, &place, 2, NULL, &result, &err),
            TASK_RESULT_DAMAGED);
        assert_null (result);
        assert_non_null (strstr (err.text, damaged[i].says));
    }
}

/* Not to be opened is not to be damaged: root's way to be refused. */
static void test_unreadable_result (void **state)
{
    struct error err = ERROR_INIT;
    struct json *result = NULL;
    struct rlimit before, none;

    temp_dir_put (*state, OUT "model.bin", "12345");
    temp_dir_put (*state, OUT "result.json", good_result);
    assert_int_equal (getrlimit (RLIMIT_NOFILE, &before), 0);
    none = before;
    none.rlim_cur = 0;
    assert_int_equal (setrlimit (RLIMIT_NOFILE, &none), 0);
    assert_int_equal (task_result_read (*state, &place, 2, NULL, &result, &err),
                      TASK_RESULT_UNREADABLE);
    assert_int_equal (setrlimit (RLIMIT_NOFILE, &before), 0);
    assert_null (result);
    assert_non_null (strstr (err.text, "Too many open files"));
}

static void watch (const char *top, const char *name)
{
    char *path = path_join (top, name);

    fsync_watch (path);
    free (path);
}

/* Their names, and once the way to them. */
static void test_results_last (void **state)
{
    bool way_synced = false;
    struct error err = ERROR_INIT;
    const char *top = *state;

    temp_dir_put (*state, JOBS "000002/out/result.json", "2");
    watch (top, JOBS "000002");
    assert_int_equal (task_results_make_last (top, &place, &way_synced, &err),
                      0);
    assert_true (fsync_watched.name_lasts);
    assert_true (way_synced);
    way_synced = false;
    watch (top, "train"); /* also as a directory of which names last */
    assert_int_equal (task_results_make_last (top, &place, &way_synced, &err),
                      0);
    assert_int_equal (fsync_watched.times, 1);
    assert_true (fsync_watched.name_lasts);
    assert_int_equal (task_results_make_last (top, &place, &way_synced, &err),
                      0);
    assert_int_equal (fsync_watched.times, 1);
    watch (top, "train/linear/iter/000003/job");
    fsync_watched.fails = true;
    assert_int_equal (task_results_make_last (top, &place, &way_synced, &err),
                      -1);
    fsync_watched.fails = false;
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_outcome_names),
        cmocka_unit_test_setup_teardown (test_result_is_read, temp_dir_setup,
                                         temp_dir_teardown),
        cmocka_unit_test_setup_teardown (test_damaged_results, temp_dir_setup,
                                         temp_dir_teardown),
        cmocka_unit_test_setup_teardown (test_results_last, temp_dir_setup,
                                         temp_dir_teardown),
        cmocka_unit_test_setup_teardown (test_unreadable_result, temp_dir_setup,
                                         temp_dir_teardown),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
