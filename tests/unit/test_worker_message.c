/* SPDX-License-Identifier: BSD-3-Clause */
/* test_worker_message.c - what an agent and a worker tell each other */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "handover/worker_message.h"

static int parse (const char *line, struct worker_message *m, struct error *err)
{
    return worker_message_parse (line, strlen (line), m, err);
}

static void test_messages (void **state)
{
    static const struct {
        const char *line;
        enum worker_message_kind kind;
        int protocol, task;
        enum outcome outcome;
        bool bye;
        const char *text;
    } cases[] = {
        { "{\"type\":\"hello\",\"protocol\":1}", WORKER_HELLO, .protocol = 1 },
        { " {\"protocol\": 2, \"program\": \"w 3\\n\", \"type\": \"hello\"}\r",
          WORKER_HELLO, .protocol = 2, .text = "w 3?" },
        { "{\"type\":\"report\",\"task\":7,\"report\":{\"loss\":0.5}}",
          WORKER_REPORT, .task = 7 },
        { "{\"type\":\"result\",\"task\":0,\"what\":[{}],\"bye\":false}",
          WORKER_RESULT, .task = 0 },
        { "{\"type\":\"result\",\"task\":999999,\"bye\":true}", WORKER_RESULT,
          .task = 999999, .bye = true },
        { "{\"type\":\"error\",\"task\":1,\"kind\":\"failed\","
          "\"message\":\"no\\tluck\"}",
          WORKER_ERROR, .task = 1, .outcome = OUTCOME_FAILED,
          .text = "no?luck" },
        { "{\"type\":\"error\",\"task\":1,\"kind\":\"fatal\",\"message\":\"\","
          "\"bye\":true}",
          WORKER_ERROR, .task = 1, .outcome = OUTCOME_FATAL, .bye = true,
          .text = "" },
        { "{\"type\":\"error\",\"task\":1,\"kind\":\"bad_input\","
          "\"message\":\"x\"}",
          WORKER_ERROR, .task = 1, .outcome = OUTCOME_BAD_INPUT, .text = "x" },
        { "{\"type\":\"error\",\"task\":1,\"kind\":\"bad_output\","
          "\"message\":\"x\"}",
          WORKER_ERROR, .task = 1, .outcome = OUTCOME_BAD_OUTPUT, .text = "x" },
        { "{\"type\":\"error\",\"task\":1,\"kind\":\"out_of_memory\","
          "\"message\":\"x\"}",
          WORKER_ERROR, .task = 1, .outcome = OUTCOME_OUT_OF_MEMORY,
          .text = "x" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct worker_message m;

        assert_int_equal (parse (cases[i].line, &m, NULL), 0);
        assert_int_equal (m.kind, cases[i].kind);
        assert_int_equal (m.protocol, cases[i].protocol);
        assert_int_equal (m.task, cases[i].task);
        assert_int_equal (m.outcome, cases[i].outcome);
        assert_int_equal (m.bye, cases[i].bye);
        assert_int_equal (m.report != NULL, m.kind == WORKER_REPORT);
        if (cases[i].text)
            assert_string_equal (m.text, cases[i].text);
        else
            assert_null (m.text);
        worker_message_release (&m);
    }
}

static void test_what_is_no_message (void **state)
{
    static const char no_line[] = "which is no message: ";
    static const struct {
        const char *line, *says;
    } cases[] = {
        { "", "line:1:1: " },
        { "loading model...", "line:1:1: unexpected 'l'" },
        { "{\"type\":\"result\",\"task\":1", "line:1:" },
        { "{\"type\":\"result\",\"task\":1} x", "line:1:" },
        { "[1]", "it is an array; a message is an object" },
        { "null", "it is null; a message is an object" },
        { "{}", "key 'type': " },
        { "{\"type\":1}", "key 'type': " },
        { "{\"type\":\"task\"}",
          "key 'type': expected hello, report, result or error" },
        { "{\"type\":\"hello\"}", "key 'protocol': " },
        { "{\"type\":\"hello\",\"protocol\":\"1\"}", "key 'protocol': " },
        { "{\"type\":\"hello\",\"protocol\":-1}", "key 'protocol': " },
        { "{\"type\":\"hello\",\"protocol\":1,\"program\":1}",
          "key 'program': " },
        { "{\"type\":\"result\"}", "key 'task': " },
        { "{\"type\":\"result\",\"task\":-1}", "key 'task': " },
        { "{\"type\":\"result\",\"task\":1.5}", "key 'task': " },
        { "{\"type\":\"result\",\"task\":99999999999}", "key 'task': " },
        { "{\"type\":\"result\",\"task\":1,\"bye\":1}", "key 'bye': " },
        { "{\"type\":\"report\",\"task\":1}", "key 'report': " },
        { "{\"type\":\"report\",\"task\":1,\"report\":5}", "key 'report': " },
        { "{\"type\":\"report\",\"task\":1,\"report\":{\"loss\":NaN}}",
          "line:1:" },
        { "{\"type\":\"error\",\"task\":1,\"message\":\"x\"}", "key 'kind': " },
        { "{\"type\":\"error\",\"task\":1,\"kind\":\"failed\"}",
          "key 'message': " },
        { "{\"type\":\"error\",\"task\":1,\"kind\":\"ok\",\"message\":\"x\"}",
          "key 'kind': expected failed, fatal, bad_input, bad_output or "
          "out_of_memory" },
        { "{\"type\":\"error\",\"task\":1,\"kind\":\"lost\","
          "\"message\":\"x\"}",
          "key 'kind': expected " },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct worker_message m = { .task = 77 };
        struct error err = ERROR_INIT;
        const char *why;

        assert_int_equal (parse (cases[i].line, &m, &err), -1);
        assert_int_equal (m.task, 77);
        why = strstr (err.text, no_line);
        assert_non_null (why);
        assert_ptr_equal (strstr (why, cases[i].says), why + strlen (no_line));
    }
}

/* Cut between characters, not in one. */
static void test_a_long_text_is_cut (void **state)
{
    struct strbuf line = STRBUF_INIT;
    struct worker_message m;
    size_t len;

    (void)state;
    strbuf_add_str (&line, "{\"type\":\"error\",\"task\":1,"
                           "\"kind\":\"failed\",\"message\":\"x");
    for (int i = 0; i < 1000; i++)
        strbuf_add_str (&line, "\303\245"); /* two bytes */
    strbuf_add_str (&line, "\"}");
    assert_int_equal (parse (line.buf, &m, NULL), 0);
    len = strlen (m.text);
    assert_in_range (len, WORKER_TEXT_MAX - 2, WORKER_TEXT_MAX);
    assert_string_equal (m.text + len - 5, "\303\245...");
    worker_message_release (&m);
    strbuf_release (&line);
}

static void test_a_report_is_short (void **state)
{
    struct strbuf line = STRBUF_INIT;
    struct worker_message m;
    struct error err = ERROR_INIT;

    (void)state;
    strbuf_add_str (&line,
                    "{\"type\":\"report\",\"task\":1,\"report\":{\"x\":\"");
    for (int i = 0; i < 5000; i++)
        strbuf_add_char (&line, 'x');
    strbuf_add_str (&line, "\"}}");
    assert_int_equal (parse (line.buf, &m, &err), -1);
    assert_non_null (strstr (err.text, "it is longer than 4096 bytes"));
    assert_true (strlen (err.text) < 500);
    strbuf_release (&line);
}

static void test_whose_turn_it_is (void **state)
{
    static const char hello[] = "{\"type\":\"hello\",\"protocol\":1}",
                      newer[] = "{\"type\":\"hello\",\"protocol\":2}",
                      result[] = "{\"type\":\"result\",\"task\":3}",
                      report[] =
                          "{\"type\":\"report\",\"task\":3,\"report\":{}}";
    static const struct {
        const char *line;
        bool greeted;
        int task;
        enum outcome outcome; /* OUTCOME_OK: it is right */
        const char *says;
    } cases[] = {
        { hello, false, 3, OUTCOME_OK, "" },
        { hello, true, 3, OUTCOME_FAILED, "it said hello twice" },
        { newer, false, 3, OUTCOME_FATAL,
          "it speaks protocol 2, and this program protocol 1; take a worker "
          "that does" },
        { result, false, 3, OUTCOME_FAILED,
          "it wrote result before it said hello" },
        { result, true, 3, OUTCOME_OK, "" },
        { report, true, 3, OUTCOME_OK, "" },
        { result, true, 4, OUTCOME_FAILED,
          "it wrote result of task 3 while it had task 4" },
        { report, true, 4, OUTCOME_FAILED,
          "it wrote report of task 3 while it had task 4" },
        { result, true, -1, OUTCOME_FAILED,
          "it wrote result of task 3 when it had no task" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct worker_message m;
        struct error err = ERROR_INIT;
        enum outcome outcome;
        int rc;

        assert_int_equal (parse (cases[i].line, &m, NULL), 0);
        rc = worker_message_expect (&m, cases[i].greeted, cases[i].task,
                                    &outcome, &err);
        assert_int_equal (rc, cases[i].outcome == OUTCOME_OK ? 0 : -1);
        if (rc < 0)
            assert_int_equal (outcome, cases[i].outcome);
        assert_string_equal (err.text, cases[i].says);
        worker_message_release (&m);
    }
}

static void test_lines_of_the_agent (void **state)
{
    struct strbuf out = STRBUF_INIT;

    (void)state;
    worker_hello_line ("fanfold 1", &out);
    worker_task_line (3, "/a b/\"c\"\n", &out);
    worker_bye_line (&out);
    assert_string_equal (
        out.buf,
        "{\"type\":\"hello\",\"protocol\":1,\"program\":\"fanfold 1\"}\n"
        "{\"type\":\"task\",\"task\":3,\"dir\":\"/a b/\\\"c\\\"\\n\"}\n"
        "{\"type\":\"bye\"}\n");
    strbuf_release (&out);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_messages),
        cmocka_unit_test (test_what_is_no_message),
        cmocka_unit_test (test_a_long_text_is_cut),
        cmocka_unit_test (test_a_report_is_short),
        cmocka_unit_test (test_whose_turn_it_is),
        cmocka_unit_test (test_lines_of_the_agent),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
