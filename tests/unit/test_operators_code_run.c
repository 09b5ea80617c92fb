/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operators_code_run.c - a program inside a task */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "operators/code_run.h"
#include "operators/step_task.h"
#include "stdout_to.h"
#include "temp_dir.h"

/* The message that is looked for is all that is seen, '<' where it is cut. */
static enum code_ending repeat (const char *printed, bool whole,
                                struct strbuf *message)
{
    size_t len = strlen (printed);

    strbuf_addf (message, "%s%zu %s", whole ? "" : "<", len,
                 len > 40 ? printed + len - 40 : printed);
    return strstr (printed, "apart") ? ENDING_DIVERGED : ENDING_NO_ERROR;
}

static const struct code shell = { "sh", repeat };

/* What one run came to; our standard output went to "log" meanwhile. */
struct outcome {
    enum step_status status;
    bool diverged;
    struct error err;
};

static void run_script (const struct step_task *task, const char *script,
                        struct outcome *outcome)
{
    static const char *const none[] = { NULL };
    struct strvec program = STRVEC_INIT;
    int ours = stdout_to ("log");

    *outcome = (struct outcome){ .diverged = true };
    strvec_push (&program, "sh");
    strvec_push (&program, "-c");
    strvec_push (&program, script);
    outcome->status = code_run (&shell, task, &program, none, "output",
                                &outcome->diverged, &outcome->err);
    stdout_back (ours);
    strvec_release (&program);
}

static struct step_task one_rank (void)
{
    struct step_task task = STEP_TASK_INIT;

    task.resources = (struct resources){ .ranks = 1, .cores = 1 };
    return task;
}

static void test_what_it_prints (void **state)
{
    struct step_task task = one_rank ();
    struct outcome outcome;
    struct temp_dir dir;
    uint64_t bytes = 0;

    (void)state;
    temp_dir_enter (&dir);
    run_script (&task, "echo one; printf 'tw\\0\n' >&2; exit 3", &outcome);
    assert_int_equal (outcome.status, STEP_FAILED);
    assert_false (outcome.diverged);
    assert_string_equal (outcome.err.text,
                         "sh exited with status 3: 8 one\ntw?\n"
                         "there is no error message");

    assert_int_equal (file_tree_bytes ("output", &bytes, NULL), 0);
    assert_int_equal (bytes, 8);
    assert_int_equal (file_tree_bytes ("log", &bytes, NULL), 0);
    assert_int_equal (bytes, 8);
    run_script (&task, "echo apart; exit 1", &outcome);
    assert_int_equal (outcome.status, STEP_FATAL);
    assert_true (outcome.diverged);
    run_script (&task, "echo apart", &outcome);
    assert_int_equal (outcome.status, STEP_OK);
    assert_false (outcome.diverged);
    temp_dir_leave (&dir);
}

static void test_only_the_end_of_much (void **state)
{
    struct step_task task = one_rank ();
    struct outcome outcome;
    struct temp_dir dir;
    uint64_t bytes = 0;

    (void)state;
    temp_dir_enter (&dir);
    run_script (&task, "yes 0123456789 | head -n 20000; echo end; kill -9 $$",
                &outcome);
    assert_int_equal (outcome.status, STEP_FAILED);
    assert_non_null (strstr (outcome.err.text, "signal 9"));
    assert_non_null (strstr (outcome.err.text, ": <65536 "));
    assert_non_null (strstr (outcome.err.text, "9\nend\n"));
    assert_int_equal (file_tree_bytes ("log", &bytes, NULL), 0);
    assert_int_equal (bytes, 220004);
    temp_dir_leave (&dir);
}

/* With several ranks the words of the launcher come first. */
static void test_launcher (void **state)
{
    struct step_task task = one_rank ();
    struct outcome outcome;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    task.launcher = (struct strvec)STRVEC_INIT;
    strvec_push (&task.launcher, "env");
    strvec_push (&task.launcher, "RANKS=2");
    run_script (&task, "echo \"<$RANKS>\"", &outcome);
    assert_file_text ("output", "<>\n");
    task.resources.ranks = 2;
    run_script (&task, "echo \"<$RANKS>\"", &outcome);
    assert_file_text ("output", "<2>\n");
    strvec_release (&task.launcher);
    run_script (&task, "echo", &outcome);
    assert_int_equal (outcome.status, STEP_FATAL);
    assert_non_null (strstr (outcome.err.text, "launcher"));
    temp_dir_leave (&dir);
}

static void test_what_cannot_run (void **state)
{
    static const char *const none[] = { NULL };
    struct step_task task = one_rank ();
    bool diverged;
    struct strvec program = STRVEC_INIT;
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    assert_int_equal (
        code_run (&shell, &task, &program, none, "o", &diverged, &err),
        STEP_FATAL);
    assert_string_equal (err.text, "no program is named");
    strvec_push (&program, "fanfold-test-no-such-program");
    assert_int_equal (
        code_run (&shell, &task, &program, none, "o", &diverged, &err),
        STEP_FAILED);
    assert_non_null (strstr (err.text, "fanfold-test-no-such-program"));
    assert_int_equal (
        code_run (&shell, &task, &program, none, "no/o", &diverged, &err),
        STEP_FAILED);
    assert_non_null (strstr (err.text, "cannot write 'no/o'"));
    strvec_release (&program);
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_what_it_prints),
        cmocka_unit_test (test_only_the_end_of_much),
        cmocka_unit_test (test_launcher),
        cmocka_unit_test (test_what_cannot_run),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
