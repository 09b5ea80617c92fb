/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operators_code_run.c - a program inside a task */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "operators/code_run.h"
#include "operators/step_task.h"
#include "stdout_to.h"
#include "temp_dir.h"

static const struct code_ending endings[] = {
    { "apart", .ending = ENDING_DIVERGED },
    { "busy", .ending = ENDING_PASSING },
    { 0 },
};

static const struct code shell = { .name = "sh",
                                   .first_words = "begin",
                                   .endings = endings };

/* What one run came to; our standard output went to "log" meanwhile. */
struct outcome {
    enum step_status status;
    enum ending ending;
    struct error err;
};

static void run_script (const struct step_task *task, const char *script,
                        struct outcome *outcome)
{
    static const char *const none[] = { NULL };
    struct strvec program = STRVEC_INIT;
    int ours = stdout_to ("log");

    *outcome = (struct outcome){ .ending = ENDING_MISTAKE };
    strvec_push (&program, "sh");
    strvec_push (&program, "-c");
    strvec_push (&program, script);
    outcome->status = code_run (&shell, task, &program, none, "output",
                                &outcome->ending, &outcome->err);
    stdout_back (ours);
    strvec_release (&program);
}

static struct step_task one_rank (void)
{
    struct step_task task = STEP_TASK_INIT;

    task.resources = (struct resources){ .ranks = 1, .cores = 1 };
    return task;
}

static void log_ends_with (const char *end)
{
    struct strbuf log = STRBUF_INIT;
    size_t len = strlen (end);

    assert_int_equal (file_read ("log", 1 << 20, &log, NULL), 0);
    assert_true (log.len >= len);
    assert_string_equal (log.buf + log.len - len, end);
    strbuf_release (&log);
}

/* Exit status 0 is not enough where the last words are known. */
static void test_last_words (void **state)
{
    static const struct code says_bye = { .name = "sh",
                                          .first_words = "begin",
                                          .last_words = "bye",
                                          .endings = endings };
    static const char *const say[] = { "echo begin; echo bye",
                                       "echo begin; echo by" };
    struct step_task task = one_rank ();
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < 2; i++) {
        const char *const arguments[] = { "-c", say[i], NULL };
        struct strvec program = STRVEC_INIT;
        struct error err = ERROR_INIT;
        enum ending ending;
        int ours = stdout_to ("log");

        strvec_push (&program, "sh");
        assert_int_equal (code_run (&says_bye, &task, &program, arguments, "o",
                                    &ending, &err),
                          i == 0 ? STEP_OK : STEP_FAILED);
        stdout_back (ours);
        assert_int_equal (ending, i == 0 ? ENDING_DONE : ENDING_UNKNOWN);
        strvec_release (&program);
    }
    log_ends_with ("> begin\n> by\n");
    temp_dir_leave (&dir);
}

static void test_what_it_prints (void **state)
{
    struct step_task task = one_rank ();
    struct outcome outcome;
    struct temp_dir dir;
    uint64_t bytes = 0;

    (void)state;
    temp_dir_enter (&dir);
    run_script (&task, "echo begin; printf 'tw\\0\\n' >&2; exit 3", &outcome);
    assert_int_equal (outcome.status, STEP_FAILED);
    assert_int_equal (outcome.ending, ENDING_UNKNOWN);
    assert_string_equal (outcome.err.text,
                         "sh exited with status 3: no line that it printed is "
                         "an error message that Fanfold knows; its last "
                         "lines are in the log");
    assert_int_equal (file_tree_bytes ("output", &bytes, NULL), 0);
    assert_int_equal (bytes, 10);
    log_ends_with ("--- the last lines of what sh said:\n> begin\n> tw?\n");
    run_script (&task, "echo one; exit 3", &outcome);
    assert_int_equal (outcome.status, STEP_FAILED);
    assert_int_equal (outcome.ending, ENDING_SILENT);
    assert_string_equal (outcome.err.text, "sh exited with status 3: it never "
                                           "started; it said: one\n");
    run_script (&task, "echo apart; exit 1", &outcome);
    assert_int_equal (outcome.status, STEP_FATAL);
    assert_int_equal (outcome.ending, ENDING_DIVERGED);
    assert_string_equal (outcome.err.text, "sh exited with status 1: apart");
    run_script (&task, "echo busy; exit 1", &outcome);
    assert_int_equal (outcome.status, STEP_FAILED);
    run_script (&task, "echo apart", &outcome);
    assert_int_equal (outcome.status, STEP_OK);
    assert_int_equal (outcome.ending, ENDING_DONE);
    temp_dir_leave (&dir);
}

#define FIVE                                                                   \
    "> 0123456789\n> 0123456789\n> 0123456789\n> 0123456789\n> 0123456789\n"
#define TEN FIVE FIVE
#define TEN0 FIVE "> 0123456789\n> 0123456789\n> 0123456789\n> 0123456789\n"

static void test_only_the_end_of_much (void **state)
{
    struct step_task task = one_rank ();
    struct outcome outcome;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    run_script (&task, "yes 0123456789 | head -n 20000; echo end; kill -9 $$",
                &outcome);
    assert_int_equal (outcome.status, STEP_FAILED);
    assert_non_null (strstr (outcome.err.text, "signal 9"));
    log_ends_with ("\n--- the last lines of what sh said:\n" TEN TEN0
                   "> end\n");
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
    enum ending ending;
    struct strvec program = STRVEC_INIT;
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    assert_int_equal (
        code_run (&shell, &task, &program, none, "o", &ending, &err),
        STEP_FATAL);
    assert_string_equal (err.text, "no program is named");
    strvec_push (&program, "fanfold-test-no-such-program");
    assert_int_equal (
        code_run (&shell, &task, &program, none, "o", &ending, &err),
        STEP_FAILED);
    assert_non_null (strstr (err.text, "fanfold-test-no-such-program"));
    assert_int_equal (
        code_run (&shell, &task, &program, none, "no/o", &ending, &err),
        STEP_FAILED);
    assert_non_null (strstr (err.text, "cannot write 'no/o'"));
    strvec_release (&program);
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_last_words),
        cmocka_unit_test (test_what_it_prints),
        cmocka_unit_test (test_only_the_end_of_much),
        cmocka_unit_test (test_launcher),
        cmocka_unit_test (test_what_cannot_run),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
