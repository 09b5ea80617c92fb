/* SPDX-License-Identifier: BSD-3-Clause */
/* test_worker_task.c - workers and the tasks they have: how one is ended, what
 * of its CPU time is a task's, and what it may have left running
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "agent_scene.h"
#include "agent/assignment.h"
#include "agent/task.h"
#include "agent/worker.h"
#include "agent/worker_task.h"
#include "base/clock.h"

/* A shell that leads a process group. */
static pid_t start_leader (const char *text)
{
    pid_t pid = fork ();

    assert_true (pid >= 0);
    if (pid == 0) {
        setpgid (0, 0);
        execl ("/bin/sh", "sh", "-c", text, (char *)NULL);
        _exit (127);
    }
    return pid;
}

static void await_file (const char *path)
{
    for (int i = 0; i < 3000 && !file_exists (path); i++)
        clock_sleep (0.01, NULL);
    assert_true (file_exists (path));
}

/* What it started is told to end, too: the worker waits for it. */
static void test_end_of_a_worker (void **unused)
{
    struct worker worker = WORKER_INIT;

    (void)unused;
    worker.pid =
        start_leader ("sh -c 'trap \"touch told; exit\" TERM; touch listens; "
                      "while :; do sleep 0.02; done' & trap '' TERM; "
                      "touch ready; wait");
    await_file ("ready");
    await_file ("listens");
    worker_end (&worker, 5);
    assert_true (file_exists ("told"));
    assert_int_equal (worker.pid, 0);
}

/* One that does not listen is killed, and what it started. */
static void test_end_of_a_deaf_worker (void **unused)
{
    struct worker worker = WORKER_INIT;
    pid_t pid;

    (void)unused;
    pid = worker.pid = start_leader ("trap '' TERM; sleep 1000 & touch ready; "
                                     "sleep 1000");
    await_file ("ready");
    worker_end (&worker, 0.05);
    for (int i = 0; i < 3000 && kill (-pid, 0) == 0; i++)
        clock_sleep (0.01, NULL);
    assert_int_equal (kill (-pid, 0), -1);
}

/* --- in an agent --- */

/* A worker in the shell: 'trap' is what it does when it is told to end, 'then'
 * what it does with its task.
 */
static void set_worker (const char *trap, const char *then,
                        const struct resources *needs)
{
    struct strbuf text = STRBUF_INIT;
    const struct scene scene = { .sh = ". {campaign}/worker.sh",
                                 .worker = true,
                                 .grace_s = 0.5,
                                 .needs = *needs };

    strbuf_addf (&text,
                 "say() { printf '%%s\\n' \"$1\"; }\n"
                 "trap '%s' TERM\n"
                 "say '{\"type\": \"hello\", \"protocol\": 1}'\n"
                 "read -r hello\n"
                 "read -r task\n"
                 "%s\n"
                 "while :; do sleep 0.02; done\n",
                 trap, then);
    write_text ("worker.sh", text.buf);
    strbuf_release (&text);
    set_scene (&scene);
}

#define RESULT "say {\\\"type\\\":\\\"result\\\",\\\"task\\\":0}"

static void test_result_of_a_worker (void **unused)
{
    const struct resources needs = { .ranks = 1, .cores = 1, .nodes = 1 };

    (void)unused;
    set_worker ("exit", RESULT, &needs);
    assert_int_equal (run_agent (), 0);
    expect_story ("start0 end0(ok) done");
}

/* The task's time was over when it said so. */
static void test_result_that_comes_too_late (void **unused)
{
    const struct resources needs = {
        .ranks = 1, .cores = 1, .nodes = 1, .walltime_s = 1
    };

    (void)unused;
    set_worker (RESULT, "", &needs);
    assert_int_equal (run_agent (), 0);
    expect_story ("start0 end0(timeout) done");
}

/* It is killed after the grace time, long before the task's time is over. */
static void test_deaf_worker_that_breaks_the_protocol (void **unused)
{
    const struct resources needs = {
        .ranks = 1, .cores = 1, .nodes = 1, .walltime_s = 20
    };

    (void)unused;
    set_worker ("", "say nonsense", &needs);
    assert_int_equal (run_agent (), 0);
    expect_story ("start0 end0(failed) done");
    expect_message ("broke the protocol of fanfold-worker(7)");
}

/* --- what is a task's --- */

/* What a worker used before a task is not that task's. */
static void test_cpu_time (void **unused)
{
    static const struct {
        double before_s, user_s, system_s, own_s;
    } rows[] = {
        { 0, 2, 0.5, 2.5 },
        { 1.25, 2, 0.5, 1.25 },
        { 2.5, 2, 0.5, 0 },
        { 3, 2, 0.5, 0 }, /* ticks are coarse */
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        const struct task task = { .worker_cpu_s = rows[i].before_s };
        const struct rusage usage = {
            .ru_utime = { (time_t)rows[i].user_s, 0 },
            .ru_stime = { 0, (suseconds_t)(rows[i].system_s * 1e6) },
            .ru_maxrss = 5,
        };
        struct rusage own;

        worker_task_usage (&task, &usage, &own);
        assert_int_equal (own.ru_utime.tv_sec * 1000
                              + own.ru_utime.tv_usec / 1000,
                          (int)(rows[i].own_s * 1000));
        assert_int_equal (own.ru_maxrss, 5);
    }
}

/* Ranks of a launcher need not be processes below the agent. */
static void test_what_may_be_left (void **unused)
{
    static const char *const alone[] = { "python3", "{launcher}", NULL };
    static const char *const launched[] = { "{launcher}", "python3", NULL };
    static const char *const *const programs[] = { alone, launched };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (programs); i++) {
        const char *const *commands[] = { programs[i], NULL };
        struct assignment assignment = ASSIGNMENT_INIT;
        const struct element element = { .assignment = &assignment };
        const struct task task = { .element = &element };

        assignment.stage.commands = commands;
        assert_true (worker_task_may_leave (&task, 0) == (i == 1));
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR (test_end_of_a_worker),
        IN_DIR (test_end_of_a_deaf_worker),
        IN_DIR (test_result_of_a_worker),
        IN_DIR (test_result_that_comes_too_late),
        IN_DIR (test_deaf_worker_that_breaks_the_protocol),
        cmocka_unit_test (test_cpu_time),
        cmocka_unit_test (test_what_may_be_left),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
