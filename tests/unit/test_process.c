/* SPDX-License-Identifier: BSD-3-Clause */
/* test_process.c - starting, capturing, deadlines, and who is left */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/process.h"
#include "temp_dir.h"

/* Far more than anything here takes; only a hang gets there. */
static const double long_s = 120;

/* Run 'script' in a shell with the rest of 'spec'; it must start. */
static void run_script (const char *script, struct process_spec spec,
                        struct process_result *result)
{
    const char *argv[] = { "sh", "-c", script, NULL };
    struct error err = ERROR_INIT;

    spec.argv = argv;
    if (process_run (&spec, result, &err) < 0)
        fail_msg ("%s", err.text);
    assert_true (result->started);
}

static const struct process_spec plain = PROCESS_SPEC_INIT;

static void test_output_and_status (void **state)
{
    struct process_result result = PROCESS_RESULT_INIT;

    (void)state;
    run_script ("echo out; echo err >&2; exit 3", plain, &result);
    assert_string_equal (result.out.buf, "out\n");
    assert_string_equal (result.err.buf, "err\n");
    assert_int_equal (result.exit_code, 3);
    assert_int_equal (result.signal, 0);
    assert_false (result.timed_out);
    assert_false (process_succeeded (&result));
    assert_true (result.wall_s >= 0 && result.wall_s < long_s);
    run_script ("true", plain, &result); /* a result can be used again */
    assert_string_equal (result.out.buf, "");
    assert_true (process_succeeded (&result));
    process_result_release (&result);
    process_result_release (&result);
}

static void test_signal (void **state)
{
    struct process_result result = PROCESS_RESULT_INIT;

    (void)state;
    run_script ("kill -9 $$", plain, &result);
    assert_int_equal (result.signal, SIGKILL);
    assert_int_equal (result.exit_code, -1);
    assert_false (process_succeeded (&result));
    process_result_release (&result);
}

static void assert_not_started (const char *program, const char *why)
{
    struct process_result result = PROCESS_RESULT_INIT;
    const char *argv[] = { program, NULL };
    struct process_spec spec = PROCESS_SPEC_INIT;
    struct error err = ERROR_INIT;

    spec.argv = argv;
    assert_int_equal (process_run (&spec, &result, &err), -1);
    assert_false (result.started);
    assert_non_null (strstr (err.text, program));
    assert_non_null (strstr (err.text, why));
    process_result_release (&result);
}

static void test_no_such_program (void **state)
{
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    assert_not_started ("no-such-program-anywhere", "on PATH");
    assert_not_started ("./none", "No such file");
    write_text ("text", "not a program\n");
    assert_not_started ("./text", "Permission denied");
    assert_int_equal (chmod ("text", 0755), 0);
    assert_not_started ("./text", "has no first line"); /* and no shell */
    temp_dir_leave (&dir);
}

static void test_bad_cwd_and_stdin (void **state)
{
    struct process_result result = PROCESS_RESULT_INIT;
    const char *argv[] = { "true", NULL };
    struct process_spec spec = PROCESS_SPEC_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    spec.argv = argv;
    spec.cwd = "/no/such/place";
    assert_int_equal (process_run (&spec, &result, &err), -1);
    assert_non_null (strstr (err.text, "/no/such/place"));
    spec.cwd = NULL;
    spec.stdin_path = "/no/such/input";
    assert_int_equal (process_run (&spec, &result, &err), -1);
    assert_non_null (strstr (err.text, "/no/such/input"));
    assert_false (result.started);
    process_result_release (&result);
}

static void test_surroundings (void **state)
{
    char *env[] = { "PATH=/usr/bin:/bin", "COLOUR=blue", NULL };
    struct process_result result = PROCESS_RESULT_INIT;
    struct process_spec spec = PROCESS_SPEC_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    assert_int_equal (mkdir ("d", 0777), 0);
    write_text ("input", "line\n");
    spec.cwd = "d";
    spec.env = env;
    spec.stdin_path = "../input";
    run_script ("echo $COLOUR; cat; basename \"$PWD\"; echo \"$HOME\"", spec,
                &result);
    assert_string_equal (result.out.buf, "blue\nline\nd\n\n");
    spec.stdin_path = NULL;
    run_script ("cat", spec, &result);
    assert_string_equal (result.out.buf, "");
    process_result_release (&result);
    temp_dir_leave (&dir);
}

static void test_path_of_the_given_environment (void **state)
{
    struct process_result result = PROCESS_RESULT_INIT;
    const char *argv[] = { "only-here", NULL };
    struct process_spec spec = PROCESS_SPEC_INIT;
    struct error err = ERROR_INIT;
    struct temp_dir dir;
    struct strvec env = STRVEC_INIT;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("only-here", "#!/bin/sh\necho found\n");
    assert_int_equal (chmod ("only-here", 0755), 0);
    strvec_pushf (&env, "PATH=/nowhere:%s:/bin", dir.path);
    spec.argv = argv;
    spec.env = env.v;
    assert_int_equal (process_run (&spec, &result, &err), 0);
    assert_string_equal (result.out.buf, "found\n");
    process_result_release (&result);
    strvec_release (&env);
    temp_dir_leave (&dir);
}

static void test_capture_is_limited_but_read (void **state)
{
    struct process_result result = PROCESS_RESULT_INIT;
    struct process_spec spec = PROCESS_SPEC_INIT;

    (void)state;
    spec.capture_bytes = 10;
    run_script ("head -c 1000000 /dev/zero; echo done >&2", spec, &result);
    assert_int_equal (result.out.len, 10);
    assert_string_equal (result.err.buf, "done\n");
    assert_int_equal (result.exit_code, 0);
    spec.capture_bytes = 0;
    run_script ("echo dropped", spec, &result);
    assert_int_equal (result.out.len, 0);
    process_result_release (&result);
}

static void test_output_fd (void **state)
{
    struct process_result result = PROCESS_RESULT_INIT;
    struct process_spec spec = PROCESS_SPEC_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    spec.output_fd = open ("log", O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    assert_true (spec.output_fd >= 0);
    run_script ("echo out; echo err >&2", spec, &result);
    close (spec.output_fd);
    assert_file_text ("log", "out\nerr\n");
    assert_int_equal (result.out.len, 0);
    process_result_release (&result);
    temp_dir_leave (&dir);
}

static void test_descriptors_are_closed (void **state)
{
    struct process_result result = PROCESS_RESULT_INIT;
    int low = open ("/dev/null", O_RDONLY), high = fcntl (low, F_DUPFD, 200);

    (void)state;
    assert_true (low >= 0 && high >= 200);
    run_script ("for fd in /proc/self/fd/*; do echo ${fd##*/}; done", plain,
                &result);
    /* The shell lists the directory through a descriptor of its own. */
    assert_memory_equal (result.out.buf, "0\n1\n2\n", 6);
    assert_true (result.out.len <= 8);
    close (low);
    close (high);
    process_result_release (&result);
}

/* The set of signals after 'key' in 'text', without those from 32 on, two of
 * which belong to libc and may be inherited.
 */
static unsigned long mask_after (const char *text, const char *key)
{
    const char *at = strstr (text, key);

    assert_non_null (at);
    return strtoul (at + strlen (key), NULL, 16) & 0x7fffffff;
}

static void test_signals_are_reset (void **state)
{
    struct process_result result = PROCESS_RESULT_INIT;
    sigset_t term, before;

    (void)state;
    signal (SIGPIPE, SIG_IGN);
    signal (SIGCHLD, SIG_IGN); /* statuses must not be lost either */
    sigemptyset (&term);
    sigaddset (&term, SIGTERM);
    sigprocmask (SIG_BLOCK, &term, &before);
    run_script ("while read key value; do case $key in SigBlk:|SigIgn:) "
                "echo $key 0x$value;; esac; done </proc/self/status; exit 5",
                plain, &result);
    sigprocmask (SIG_SETMASK, &before, NULL);
    signal (SIGPIPE, SIG_DFL);
    assert_int_equal (mask_after (result.out.buf, "SigBlk: "), 0);
    assert_int_equal (mask_after (result.out.buf, "SigIgn: "), 0);
    assert_int_equal (result.exit_code, 5);
    process_result_release (&result);
}

static void test_deadline (void **state)
{
    struct process_result result = PROCESS_RESULT_INIT;
    struct process_spec spec = PROCESS_SPEC_INIT;

    (void)state;
    spec.deadline_s = 0.1;
    run_script ("echo begun; sleep 1000", spec, &result);
    assert_true (result.timed_out);
    assert_false (process_succeeded (&result));
    assert_true (result.wall_s >= 0.1 && result.wall_s < long_s);
    process_result_release (&result);
}

static void test_deadline_of_the_stubborn (void **state)
{
    struct process_result result = PROCESS_RESULT_INIT;
    struct process_spec spec = PROCESS_SPEC_INIT;

    (void)state;
    spec.deadline_s = 2;
    spec.grace_s = 0.1;
    run_script ("trap '' TERM; while :; do sleep 1000; done", spec, &result);
    assert_true (result.timed_out);
    assert_int_equal (result.signal, SIGKILL);
    process_result_release (&result);
}

static void test_a_last_word_after_sigterm (void **state)
{
    struct process_result result = PROCESS_RESULT_INIT;
    struct process_spec spec = PROCESS_SPEC_INIT;

    (void)state;
    spec.deadline_s = 2;
    spec.grace_s = long_s;
    run_script ("trap 'echo bye; exit 0' TERM; sleep 1000 & wait", spec,
                &result);
    assert_true (result.timed_out);
    assert_int_equal (result.exit_code, 0);
    assert_string_equal (result.out.buf, "bye\n");
    assert_false (process_succeeded (&result));
    process_result_release (&result);
}

/* Whether the process whose number the script printed is gone. */
static bool is_gone (const char *number)
{
    pid_t pid = (pid_t)atoi (number);
    double until_s = clock_mono_s () + long_s;

    assert_true (pid > 0);
    while (process_start_ticks (pid) != 0) {
        if (clock_mono_s () > until_s)
            return false;
        clock_sleep (0.005, NULL);
    }
    return true;
}

static void test_who_holds_the_pipes_is_ended (void **state)
{
    struct process_result result = PROCESS_RESULT_INIT;

    (void)state;
    run_script ("sleep 1000 & echo $!", plain, &result);
    assert_true (result.wall_s < long_s);
    assert_int_equal (result.exit_code, 0);
    assert_false (result.timed_out);
    assert_true (process_succeeded (&result));
    assert_true (is_gone (result.out.buf));
    process_result_release (&result);
}

static void test_escaped_holder_does_not_hang_us (void **state)
{
    struct process_result result = PROCESS_RESULT_INIT;
    struct process_spec spec = PROCESS_SPEC_INIT;
    pid_t pid;

    (void)state;
    spec.grace_s = 0.1;
    /* The substitution ends when the sleeper has left the group. */
    run_script ("exec 9>&1; pid=$(setsid --fork sh -c "
                "'echo $$; exec sleep 1000 >&9'); echo $pid",
                spec, &result);
    assert_true (result.wall_s < long_s);
    assert_int_equal (result.exit_code, 0);
    pid = (pid_t)atoi (result.out.buf);
    assert_true (pid > 0);
    assert_int_equal (kill (pid, SIGKILL), 0);
    process_result_release (&result);
}

static void count_beat (void *arg)
{
    ++*(int *)arg;
}

static void test_beat (void **state)
{
    struct process_result result = PROCESS_RESULT_INIT;
    struct process_spec spec = PROCESS_SPEC_INIT;
    int beats = 0;

    (void)state;
    spec.heartbeat = (struct heartbeat){ count_beat, &beats };
    run_script ("true", spec, &result);
    assert_int_equal (beats, 0);
    run_script ("sleep 1.5", spec, &result);
    assert_true (beats >= 1);
    process_result_release (&result);
}

static void test_descriptors_do_not_leak (void **state)
{
    struct process_result result = PROCESS_RESULT_INIT;
    struct strvec before = STRVEC_INIT, after = STRVEC_INIT;

    (void)state;
    assert_int_equal (file_list_dir ("/proc/self/fd", &before, NULL), 0);
    for (int i = 0; i < 5; i++)
        run_script ("true", plain, &result);
    assert_not_started ("./none", "");
    assert_int_equal (file_list_dir ("/proc/self/fd", &after, NULL), 0);
    assert_int_equal (before.n, after.n);
    strvec_release (&before);
    strvec_release (&after);
    process_result_release (&result);
}

/* Standard descriptors may be closed in whoever starts us (a cron line). */
static void test_closed_standard_descriptors (void **state)
{
    int status = -1;
    pid_t pid = fork ();

    (void)state;
    if (pid == 0) {
        const char *argv[] = { "sh", "-c", "echo out; echo err >&2", NULL };
        struct process_result result = PROCESS_RESULT_INIT;
        struct process_spec spec = PROCESS_SPEC_INIT;
        bool good;

        close (0);
        close (1);
        close (2);
        spec.argv = argv;
        good = process_run (&spec, &result, NULL) == 0
               && strcmp (result.out.buf, "out\n") == 0
               && strcmp (result.err.buf, "err\n") == 0;
        _exit (good ? 0 : 1);
    }
    assert_int_equal (waitpid (pid, &status, 0), pid);
    assert_int_equal (status, 0);
}

static void assert_description (struct process_result result,
                                const char *expected)
{
    struct strbuf out = STRBUF_INIT;

    process_describe (&result, &out);
    assert_string_equal (out.buf, expected);
    strbuf_release (&out);
}

static void test_describe (void **state)
{
    (void)state;
    assert_description ((struct process_result){ .started = false },
                        "could not be started");
    assert_description (
        (struct process_result){ .started = true, .exit_code = 2 },
        "exited with status 2");
    assert_description ((struct process_result){ .started = true,
                                                 .exit_code = -1,
                                                 .signal = SIGKILL },
                        "was killed by signal 9 (Killed)");
    assert_description ((struct process_result){ .started = true,
                                                 .timed_out = true,
                                                 .signal = SIGTERM,
                                                 .wall_s = 10.004 },
                        "ran out of time after 10 s");
}

/* In a child: those of 'closed', bits 1 << fd, are closed and opened again; 0:
 * all three are there, those that were are the same, and no more.
 */
static int open_again (int closed)
{
    struct stat before[3], st;
    int next = dup (0);

    close (next);
    for (int fd = 0; fd < 3; fd++) {
        if (closed & 1 << fd)
            close (fd);
        else if (fstat (fd, &before[fd]) < 0)
            return 1;
    }
    if (process_open_standard () < 0)
        return 2;
    for (int fd = 0; fd < 3; fd++) {
        if (fstat (fd, &st) < 0)
            return 3;
        if (!(closed & 1 << fd) && st.st_ino != before[fd].st_ino)
            return 4;
    }
    return fcntl (next, F_GETFD) < 0 ? 0 : 5;
}

static void test_standard_descriptors (void **state)
{
    (void)state;
    for (int closed = 0; closed < 8; closed++) {
        pid_t pid = fork ();
        int status;

        assert_true (pid >= 0);
        if (pid == 0)
            _exit (open_again (closed));
        assert_int_equal (waitpid (pid, &status, 0), pid);
        if (status != 0)
            fail_msg ("closed %d: %d", closed, WEXITSTATUS (status));
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_standard_descriptors),
        cmocka_unit_test (test_output_and_status),
        cmocka_unit_test (test_signal),
        cmocka_unit_test (test_no_such_program),
        cmocka_unit_test (test_bad_cwd_and_stdin),
        cmocka_unit_test (test_surroundings),
        cmocka_unit_test (test_path_of_the_given_environment),
        cmocka_unit_test (test_capture_is_limited_but_read),
        cmocka_unit_test (test_output_fd),
        cmocka_unit_test (test_descriptors_are_closed),
        cmocka_unit_test (test_signals_are_reset),
        cmocka_unit_test (test_deadline),
        cmocka_unit_test (test_deadline_of_the_stubborn),
        cmocka_unit_test (test_a_last_word_after_sigterm),
        cmocka_unit_test (test_who_holds_the_pipes_is_ended),
        cmocka_unit_test (test_escaped_holder_does_not_hang_us),
        cmocka_unit_test (test_beat),
        cmocka_unit_test (test_descriptors_do_not_leak),
        cmocka_unit_test (test_closed_standard_descriptors),
        cmocka_unit_test (test_describe),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
