/* SPDX-License-Identifier: BSD-3-Clause */
/* test_memory_policy.c - the memory policy that a program really has */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/spawn.h"
#include "placement/memory_policy.h"

static void test_texts (void **state)
{
    static const struct {
        const char *text;
        enum memory_mode mode;
        const char *nodes;
    } rows[] = {
        { "55982b903000 default file=/usr/bin/head mapped=2 N0=2\n5598 bind:1",
          MEMORY_ANY, "" },
        { "7f00 prefer:1 anon=1 dirty=1 N0=1", MEMORY_PREFERRED, "1" },
        { "7f00 prefer (many):0,2-3 stack", MEMORY_PREFERRED, "0,2-3" },
        { "7f00 bind:0 heap", MEMORY_STRICT, "0" },
        { "7f00 bind=static:0-1", MEMORY_STRICT, "0-1" },
        { "7f00 interleave:0-1\n", MEMORY_INTERLEAVED, "0-1" },
        { "7f00 weighted interleave:0-1 file=x", MEMORY_INTERLEAVED, "0-1" },
        { "7f00 local\n", MEMORY_ANY, "" },
        { "7f00 binding:0", MEMORY_UNKNOWN, "" },
        { "7f00 new kernels know more:0-1", MEMORY_UNKNOWN, "" },
        { "7f00\n7f01 bind:0", MEMORY_UNKNOWN, "" },
        { "", MEMORY_UNKNOWN, "" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct memory_policy policy = memory_policy_parse (rows[i].text);

        assert_int_equal (policy.mode, rows[i].mode);
        assert_string_equal (policy.nodes, rows[i].nodes);
    }
}

/* A program that waits for its input, bound as given; what its policy is. */
static struct memory_policy policy_of (const unsigned long *nodes, bool strict)
{
    static const char *const argv[] = { "/bin/cat", NULL };
    struct memory_policy policy;
    struct spawn spec = { .argv = argv,
                          .stdin_path = "/dev/zero",
                          .memory_nodes = nodes,
                          .memory_bits = 8 * sizeof (*nodes),
                          .strict_memory = strict };
    struct error err = ERROR_INIT;
    int pipe_fds[2];
    pid_t pid;

    /* Nobody reads what it prints, so it is there until it is killed. */
    assert_int_equal (pipe (pipe_fds), 0);
    spec.out_fd = spec.err_fd = pipe_fds[1];
    pid = spawn (&spec, &err);
    assert_true (pid > 0);
    policy = memory_policy_of_process (pid);
    kill (pid, SIGKILL);
    assert_int_equal (waitpid (pid, NULL, 0), pid);
    close (pipe_fds[0]);
    close (pipe_fds[1]);
    return policy;
}

/* A program keeps what it was started with. */
static void test_after_exec (void **state)
{
    const unsigned long node_0 = 1;
    struct memory_policy policy;

    (void)state;
    if (syscall (SYS_set_mempolicy, 0, NULL, 0) < 0)
        skip (); /* kernels without NUMA and containers let nobody choose */
    policy = policy_of (&node_0, true);
    assert_int_equal (policy.mode, MEMORY_STRICT);
    assert_string_equal (policy.nodes, "0");
    policy = policy_of (&node_0, false);
    assert_int_equal (policy.mode, MEMORY_PREFERRED);
    assert_string_equal (policy.nodes, "0");
    policy = policy_of (NULL, false);
    assert_int_equal (policy.mode, MEMORY_ANY);
    assert_string_equal (policy.nodes, "");
}

/* One that has ended, and was not waited for, has no memory. */
static void test_ended (void **state)
{
    siginfo_t info;
    pid_t pid = fork ();

    (void)state;
    if (pid == 0)
        _exit (0);
    assert_int_equal (waitid (P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
    assert_int_equal (memory_policy_of_process (pid).mode, MEMORY_UNKNOWN);
    assert_int_equal (waitpid (pid, NULL, 0), pid);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_texts),
        cmocka_unit_test (test_after_exec),
        cmocka_unit_test (test_ended),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
