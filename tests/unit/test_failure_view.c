/* SPDX-License-Identifier: BSD-3-Clause */
/* test_failure_view.c - the tasks that failed, in a line */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "campaign/plan.h"
#include "engine/history/state.h"
#include "quoted_json.h"
#include "report/failure_view.h"

static void test_lines (void **unused)
{
    static const struct {
        const char *event;
        bool known;        /* stage and state are */
        const char *lines; /* joined by '|' */
    } cases[] = {
        { "{'outcomes':{'ok':'0-3'}}", true, "" },
        { "{'outcomes':{'ok':'0','failed':'1'},'why':{'1':'it broke'}}", true,
          "task 1, try 2 of 3: failed: it broke" },
        { "{'outcomes':{'failed':'1'},'why':{'1':'it broke'}}", false,
          "task 1: failed: it broke" },
        { "{'outcomes':{'failed':'1-2,4'},'why':{'1':'a','2':'b'}}", true,
          "tasks 1-2,4: failed; task 1, try 2 of 3: a" },
        { "{'outcomes':{'lost':'0'}}", true, "task 0: lost" }, /* no try */
        { "{'outcomes':{'timeout':'1','failed':'2'},'why':{'2':'b'}}", true,
          "task 1, try 2 of 5: timeout|task 2, try 1 of 3: failed: b" },
        { "{'outcomes':{'failed':'1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31'},"
          "'why':{'1':'a'}}",
          true, "16 tasks: failed; task 1, try 2 of 3: a" },
        { "{'outcomes':{'failed':'','later':'7'}}", true, "task 7: later" },
    };
    struct task_state tasks[] = {
        { .tries = 0 },
        { .tries = 2 },
        { .tries = 1 },
        { .tries = 3 },
    };
    const struct stage_state state = { .n_tasks = 4, .tasks = tasks };
    struct stage stage = { .name = "s" };

    (void)unused;
    stage.retry[OUTCOME_FAILED].tries = 3;
    stage.retry[OUTCOME_TIMEOUT].tries = 5;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *event = json_of (cases[i].event);
        struct strvec lines = STRVEC_INIT;
        struct strbuf all = STRBUF_INIT;
        struct json *told = json_object ();

        failure_lines (event, cases[i].known ? &stage : NULL,
                       cases[i].known ? &state : NULL, told, &lines);
        for (size_t k = 0; k < lines.n; k++)
            strbuf_addf (&all, "%s%s", k > 0 ? "|" : "", lines.v[k]);
        assert_string_equal (all.len > 0 ? all.buf : "", cases[i].lines);
        strbuf_release (&all);
        strvec_release (&lines);
        json_unref (told);
        json_unref (event);
    }
}

/* Of each stage what was told last. */
static void test_once (void **unused)
{
    static const struct {
        const char *event, *line;
    } rows[] = {
        { "{'stage':'s','outcomes':{'failed':'1'},'why':{'1':'a'}}",
          "task 1: failed: a" },
        { "{'stage':'s','outcomes':{'failed':'2-3'},'why':{'2':'a'}}",
          "tasks 2-3: failed; task 2: as before" },
        { "{'stage':'t','outcomes':{'failed':'0'},'why':{'0':'a'}}",
          "task 0: failed: a" },
        { "{'stage':'s','outcomes':{'failed':'4'},'why':{'4':'b'}}",
          "task 4: failed: b" },
        { "{'stage':'s','outcomes':{'lost':'5'}}", "task 5: lost" },
        { "{'stage':'s','outcomes':{'failed':'6'},'why':{'6':'b'}}",
          "task 6: failed: as before" },
        { "{'stage':'s','outcomes':{'failed':'7'},'why':{'7':'a'}}",
          "task 7: failed: a" },
    };
    struct json *told = json_object ();

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct json *event = json_of (rows[i].event);
        struct strvec lines = STRVEC_INIT;

        failure_lines (event, NULL, NULL, told, &lines);
        assert_int_equal (lines.n, 1);
        assert_string_equal (lines.v[0], rows[i].line);
        strvec_release (&lines);
        json_unref (event);
    }
    json_unref (told);
}

static void test_counts (void **unused)
{
    struct stage_state state = { .n_tasks = 9 };
    struct strbuf text = STRBUF_INIT;

    (void)unused;
    state.by_outcome[OUTCOME_OK] = 4;
    task_counts_text (&state, &text);
    assert_string_equal (text.buf, "4 ok");
    strbuf_reset (&text);
    state.by_outcome[OUTCOME_FAILED] = 2;
    state.by_outcome[OUTCOME_OUT_OF_MEMORY] = 3;
    task_counts_text (&state, &text);
    assert_string_equal (text.buf, "4 ok, 2 failed, 3 out_of_memory");
    strbuf_release (&text);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_lines),
        cmocka_unit_test (test_once),
        cmocka_unit_test (test_counts),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
