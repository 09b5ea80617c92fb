/* SPDX-License-Identifier: BSD-3-Clause */
/* test_process_find.c - programs on PATH, processes by tag and start time */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "temp_dir.h"

static void test_which (void **state)
{
    struct temp_dir dir;
    char here[PATH_MAX];
    char *found;

    (void)state;
    temp_dir_enter (&dir);
    assert_non_null (getcwd (here, sizeof (here)));
    write_text ("text", "");
    write_text ("program", "#!/bin/sh\n");
    assert_int_equal (chmod ("program", 0755), 0);
    assert_int_equal (mkdir ("folder", 0777), 0);
    assert_null (process_which ("text", here));
    assert_null (process_which ("folder", here));
    assert_null (process_which ("", here));
    assert_null (process_which ("program", "/nowhere:/neither"));
    found = process_which ("program", "/nowhere::/bin"); /* "": here */
    assert_string_equal (path_base (found), "program");
    assert_memory_equal (found, here, strlen (here));
    free (found);
    found = process_which ("./program", "/nowhere");
    assert_non_null (found);
    assert_int_equal (found[0], '/');
    free (found);
    assert_null (process_which ("./none", NULL));
    found = process_which ("sh", NULL);
    assert_string_equal (path_base (found), "sh");
    free (found);
    temp_dir_leave (&dir);
}

static void test_self (void **state)
{
    char *path = process_self ();

    (void)state;
    assert_non_null (strstr (path, "test_process_find"));
    free (path);
}

/* A process that waits until it is killed; exec has happened on return. */
static pid_t start_tagged (const char *tag)
{
    char *env[] = { "OTHER=1", (char *)tag, NULL };
    char *argv[] = { "sh", "-c", "echo; exec sleep 1000", NULL };
    int ends[2];
    pid_t pid;
    char c;

    assert_int_equal (pipe (ends), 0);
    pid = fork ();
    if (pid == 0) {
        setsid ();
        dup2 (ends[1], 1);
        execve ("/bin/sh", argv, env);
        _exit (127);
    }
    close (ends[1]);
    assert_int_equal (read (ends[0], &c, 1), 1);
    close (ends[0]);
    return pid;
}

static void test_kill_tagged (void **state)
{
    char *tag = NULL, *longer = NULL;
    pid_t tagged, other;
    int status;

    (void)state;
    assert_true (asprintf (&tag, "FANFOLD_TEST=%d", (int)getpid ()) > 0);
    assert_true (asprintf (&longer, "%s0", tag) > 0);
    tagged = start_tagged (tag);
    other = start_tagged (longer);
    assert_int_equal (process_kill_tagged (tag, 0), 1);
    assert_int_equal (process_kill_tagged (tag, SIGKILL), 1);
    assert_int_equal (waitpid (tagged, &status, 0), tagged);
    assert_true (WIFSIGNALED (status));
    assert_int_equal (process_kill_tagged (tag, SIGKILL), 0);
    assert_int_equal (waitpid (other, &status, WNOHANG), 0);
    assert_int_equal (kill (other, SIGKILL), 0);
    assert_int_equal (waitpid (other, &status, 0), other);
    free (longer);
    free (tag);
}

static void test_start_ticks (void **state)
{
    unsigned long long ours = process_start_ticks (getpid ());
    siginfo_t info;
    pid_t pid;

    (void)state;
    assert_true (ours > 0);
    assert_true (process_start_ticks (getpid ()) == ours);
    assert_true (process_start_ticks (0) == 0);
    assert_true (process_start_ticks (-1) == 0);
    pid = start_tagged ("X=1");
    assert_true (process_start_ticks (pid) >= ours);
    kill (pid, SIGKILL);
    assert_int_equal (waitid (P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
    assert_true (process_start_ticks (pid) == 0); /* ended, not yet reaped */
    assert_int_equal (waitpid (pid, NULL, 0), pid);
    assert_true (process_start_ticks (pid) == 0);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_which),
        cmocka_unit_test (test_self),
        cmocka_unit_test (test_kill_tagged),
        cmocka_unit_test (test_start_ticks),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
