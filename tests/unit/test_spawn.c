/* SPDX-License-Identifier: BSD-3-Clause */
/* test_spawn.c - memory of programs bound to NUMA nodes */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/spawn.h"
#include "temp_dir.h"

/* No kernel has so many. */
enum { NO_SUCH_NODE = 1023, BITS = 1024, WORD = 8 * sizeof (unsigned long) };

/* Run a program with its memory from 'node'; what it prints. */
static pid_t start_bound (int node, bool strict, bool *refused, char *text,
                          size_t size, struct error *err)
{
    const char *const argv[] = { "/usr/bin/head", "-n", "1",
                                 "/proc/self/numa_maps", NULL };
    unsigned long nodes[BITS / WORD] = { 0 };
    int pipe_fds[2], status;
    struct spawn spec = { .argv = argv,
                          .memory_nodes = nodes,
                          .memory_bits = BITS,
                          .strict_memory = strict,
                          .refused = refused };
    ssize_t n;
    pid_t pid;

    nodes[(size_t)node / WORD] = 1UL << (size_t)node % WORD;
    assert_int_equal (pipe (pipe_fds), 0);
    spec.out_fd = spec.err_fd = pipe_fds[1];
    pid = spawn (&spec, err);
    close (pipe_fds[1]);
    n = read (pipe_fds[0], text, size - 1);
    text[n > 0 ? n : 0] = '\0';
    close (pipe_fds[0]);
    if (pid > 0) {
        assert_int_equal (waitpid (pid, &status, 0), pid);
        assert_int_equal (status, 0);
    }
    return pid;
}

/* Kernels without NUMA and containers let nobody choose. */
static void skip_where_forbidden (void)
{
    if (syscall (SYS_set_mempolicy, 0, NULL, 0) < 0)
        skip ();
}

static void test_bound (void **state)
{
    char text[1024];
    bool refused = false;

    (void)state;
    skip_where_forbidden ();
    assert_true (start_bound (0, true, NULL, text, sizeof (text), NULL) > 0);
    assert_non_null (strstr (text, " bind:0 "));
    assert_true (start_bound (0, false, &refused, text, sizeof (text), NULL)
                 > 0);
    assert_non_null (strstr (text, " prefer"));
    assert_false (refused);
}

/* What is preferred is a wish, what is strict is not. */
static void test_refused (void **state)
{
    struct error err = ERROR_INIT;
    char text[1024];
    bool refused = false;

    (void)state;
    skip_where_forbidden ();
    assert_true (
        start_bound (NO_SUCH_NODE, false, &refused, text, sizeof (text), NULL)
        > 0);
    assert_null (strstr (text, " prefer"));
    assert_true (refused);
    assert_true (
        start_bound (NO_SUCH_NODE, false, NULL, text, sizeof (text), NULL) > 0);
    assert_int_equal (
        start_bound (NO_SUCH_NODE, true, NULL, text, sizeof (text), &err), -1);
    assert_non_null (strstr (err.text, "cannot bind its memory"));
}

/* The kernel says of both that the script is not there. */
static void test_scripts (void **state)
{
    static const char *const cases[][2] = {
        { "#!/bin/sh\r\necho\r\n", "its first line ends with a carriage "
                                   "return, as on Windows; run `dos2unix`" },
        { "#! /no/pyhton3 -u\n", "its first line names the program "
                                 "'/no/pyhton3', which is not there; write" },
        { "#!/no/pyhton3", "names the program '/no/pyhton3'" },
        { NULL, "No such file or directory" },
    };
    static const char *const argv[] = { "./script", NULL };
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct spawn spec = { .argv = argv, .out_fd = 1, .err_fd = 2 };
        struct error err = ERROR_INIT;

        unlink ("script");
        if (cases[i][0])
            write_text ("script", cases[i][0]);
        if (cases[i][0])
            assert_int_equal (chmod ("script", 0700), 0);
        assert_int_equal (spawn (&spec, &err), -1);
        assert_int_equal (err.number, ENOENT);
        if (!strstr (err.text, cases[i][1]))
            fail_msg ("%s", err.text);
    }
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_bound),
        cmocka_unit_test (test_refused),
        cmocka_unit_test (test_scripts),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
