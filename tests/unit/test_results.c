/* SPDX-License-Identifier: BSD-3-Clause */
/* test_results.c - out/result.json and results-<element>.<claim> as read */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "arrays/result_log.h"
#include "arrays/task_result.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "space/record_log.h"
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

static const struct stage_place place = { "train", "linear", 3 };

static const char good_result[] =
    "{\"format\": 1, \"stage\": \"train\", \"iteration\": 3, \"task\": 2, "
    "\"params\": {\"rmse\": 0.5}, \"artifacts\": {"
    "\"model\": {\"path\": \"model.bin\", \"bytes\": 5, \"sha256\": \"\"}, "
    "\"extra\": null}}";

static int make_dir (void **state)
{
    *state = temp_dir_make ();
    return 0;
}

static int remove_dir (void **state)
{
    temp_dir_remove (*state);
    return 0;
}

static void put (const char *dir, const char *name, const char *text)
{
    char *path = path_join (dir, name);

    assert_int_equal (file_make_parent (path, NULL), 0);
    assert_int_equal (file_write_atomic (path, text, strlen (text), NULL), 0);
    free (path);
}

#define OUT "train/linear/iter/000003/job/000002/out/"

static void test_result_is_read (void **state)
{
    struct error err = { "left over", 0 };
    struct json *result = NULL;

    assert_int_equal (task_result_read (*state, &place, 2, &result, &err),
                      TASK_RESULT_ABSENT);
    assert_null (result);
    put (*state, OUT "model.bin", "12345");
    put (*state, OUT "result.json", good_result);
    assert_int_equal (task_result_read (*state, &place, 2, &result, &err),
                      TASK_RESULT_THERE);
    assert_non_null (result);
    assert_true (json_as_double (json_get (json_get (result, "params"), "rmse"))
                 == 0.5);
    json_unref (result);
}

static void test_damaged_results (void **state)
{
    static const struct {
        const char *result; /* NULL: no file */
        const char *says;
    } cases[] = {
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
    };

    struct json *result = NULL;

    put (*state, OUT "model.bin", "12345");
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct error err = ERROR_INIT;

        if (cases[i].result)
            put (*state, OUT "result.json", cases[i].result);
        assert_int_equal (task_result_read (*state, &place, 2, &result, &err),
                          TASK_RESULT_DAMAGED);
        assert_null (result);
        assert_non_null (strstr (err.text, cases[i].says));
    }
}

/* Not to be opened is not to be damaged: root's way to be refused. */
static void test_unreadable_result (void **state)
{
    struct error err = ERROR_INIT;
    struct json *result = NULL;
    struct rlimit before, none;

    put (*state, OUT "model.bin", "12345");
    put (*state, OUT "result.json", good_result);
    assert_int_equal (getrlimit (RLIMIT_NOFILE, &before), 0);
    none = before;
    none.rlim_cur = 0;
    assert_int_equal (setrlimit (RLIMIT_NOFILE, &none), 0);
    assert_int_equal (task_result_read (*state, &place, 2, &result, &err),
                      TASK_RESULT_UNREADABLE);
    assert_int_equal (setrlimit (RLIMIT_NOFILE, &before), 0);
    assert_null (result);
    assert_non_null (strstr (err.text, "Too many open files"));
}

/* --- result_log --- */

static void test_log_names (void **state)
{
    static const struct {
        const char *name;
        int64_t element;
    } cases[] = {
        { "results-0.abc", 0 },
        { "results-17.x", 17 },
        { "results-17.", -1 },
        { "results-17", -1 },
        { "results-.x", -1 },
        { "results--1.x", -1 },
        { "results-99999999999999999999.x", -1 },
        { "result-1.x", -1 },
        { "script", -1 },
        { "", -1 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++)
        assert_int_equal (result_log_element (cases[i].name), cases[i].element);
}

static void log_line (struct strbuf *log, const char *json)
{
    struct json *v = json_parse (json, strlen (json), "test", NULL);

    assert_non_null (v);
    record_format (v, log);
    json_unref (v);
}

static int note (const struct result_event *event, void *arg, struct error *err)
{
    static const char letters[] = "csefrtd";
    struct strbuf *notes = arg;

    (void)err;
    strbuf_addf (notes, "%c%d", letters[event->kind], event->task);
    if (event->kind == RESULT_CLAIM)
        strbuf_addf (notes, "(%s)", event->host);
    if (event->kind == RESULT_END)
        strbuf_addf (notes, "(%s %g '%s')", outcome_name (event->outcome),
                     event->wall_s, event->message);
    if (event->kind == RESULT_TROUBLE)
        strbuf_addf (notes, "(%s%s)", event->message,
                     event->no_space ? "!" : "");
    if (event->result)
        strbuf_addf (notes, "[%d]", (int)json_count (event->result));
    strbuf_add_char (notes, ' ');
    return 0;
}

static void test_log_is_read (void **state)
{
    struct strbuf log = STRBUF_INIT;
    struct strbuf notes = STRBUF_INIT;
    uint64_t accepted;
    size_t whole;

    (void)state;
    log_line (&log, "{\"ev\": \"claim\", \"element\": 0, \"host\": \"n1\"}");
    log_line (&log, "{\"ev\": \"start\", \"task\": 7, \"cores\": \"0-1\"}");
    log_line (&log, "{\"ev\": \"from the future\"}");
    log_line (&log, "{\"ev\": \"end\", \"task\": 7, \"outcome\": \"timeout\", "
                    "\"wall_s\": 1.5, \"message\": \"slow\"}");
    log_line (&log,
              "{\"ev\": \"end\", \"task\": 8, \"outcome\": \"ok\", "
              "\"wall_s\": 2, \"message\": \"\", \"result\": {\"a\": 1}}");
    log_line (&log, "{\"ev\": \"found\", \"task\": 9, \"result\": {}}");
    log_line (&log, "{\"ev\": \"returned\", \"task\": 10}");
    log_line (&log,
              "{\"ev\": \"trouble\", \"task\": 11, \"message\": \"full\", "
              "\"no_space\": true}");
    log_line (&log, "{\"ev\": \"done\", \"now_s\": 1}");
    whole = log.len;
    strbuf_add_str (&log, "{\"ev\": \"sta");
    assert_int_equal (result_log_scan (log.buf, log.len, "log", note, &notes,
                                       &accepted, NULL),
                      0);
    assert_int_equal (accepted, whole);
    assert_string_equal (notes.buf,
                         "c-1(n1) s7 e7(timeout 1.5 'slow') e8(ok 2 '')[1] "
                         "f9[0] r10 t11(full!) d-1 ");
    strbuf_release (&notes);
    strbuf_release (&log);
}

static void test_bad_records_are_named (void **state)
{
    static const char *const bad[] = {
        "{\"no\": \"ev\"}",
        "{\"ev\": \"claim\"}",
        "{\"ev\": \"start\"}",
        "{\"ev\": \"trouble\", \"task\": 1}",
        "{\"ev\": \"start\", \"task\": -1}",
        "{\"ev\": \"start\", \"task\": 1000000}",
        "{\"ev\": \"end\", \"task\": 1}",
        "{\"ev\": \"end\", \"task\": 1, \"outcome\": \"pending\", "
        "\"wall_s\": 1, \"message\": \"\"}",
        "{\"ev\": \"end\", \"task\": 1, \"outcome\": \"what\", "
        "\"wall_s\": 1, \"message\": \"\"}",
        "{\"ev\": \"end\", \"task\": 1, \"outcome\": \"ok\", "
        "\"wall_s\": 1, \"message\": \"\"}",
        "{\"ev\": \"found\", \"task\": 1}",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (bad); i++) {
        struct strbuf log = STRBUF_INIT;
        struct strbuf notes = STRBUF_INIT;
        struct error err = ERROR_INIT;
        uint64_t accepted;

        log_line (&log, bad[i]);
        assert_int_equal (result_log_scan (log.buf, log.len, "results-0.x",
                                           note, &notes, &accepted, &err),
                          -1);
        assert_int_equal (strncmp (err.text, "results-0.x", 11), 0);
        assert_int_equal (accepted, 0);
        assert_string_equal (notes.buf, "");
        strbuf_release (&notes);
        strbuf_release (&log);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_outcome_names),
        cmocka_unit_test_setup_teardown (test_result_is_read, make_dir,
                                         remove_dir),
        cmocka_unit_test_setup_teardown (test_damaged_results, make_dir,
                                         remove_dir),
        cmocka_unit_test_setup_teardown (test_unreadable_result, make_dir,
                                         remove_dir),
        cmocka_unit_test (test_log_names),
        cmocka_unit_test (test_log_is_read),
        cmocka_unit_test (test_bad_records_are_named),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
