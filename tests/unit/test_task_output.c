/* SPDX-License-Identifier: BSD-3-Clause */
/* test_task_output.c - what a task printed, while its agent writes it */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sys/wait.h>

#include "base/clock.h"
#include "commands/task_output.h"
#include "temp_dir.h"

/* A process that appends 'text' to the file when this one waits for it, most
 * likely.
 */
static pid_t append_soon (const char *path, const char *text)
{
    pid_t pid = fork ();
    FILE *f;

    if (pid != 0)
        return pid;
    clock_sleep (0.05, NULL);
    f = fopen (path, "a");
    _exit (!f || fputs (text, f) < 0 || fclose (f) != 0);
}

/* The agent logged that the task printed 6 bytes behind 4 of another one's. */
static void test_is_written_later (void **state)
{
    char *path = path_join (*state, "output-0.0");
    struct task_output output = { path, 4, 6 };
    struct error err = ERROR_INIT;
    struct strbuf said = STRBUF_INIT;
    char *copy = path_join (*state, "copy");
    FILE *to = fopen (copy, "w");
    pid_t pid;
    int status;

    assert_int_equal (file_write_atomic (path, "one\n", 4, &err), 0);
    pid = append_soon (path, "second, and others'");
    assert_int_equal (task_output_copy (&output, 1, to, &err), 0);
    assert_int_equal (fclose (to), 0);
    assert_int_equal (waitpid (pid, &status, 0), pid);
    assert_int_equal (status, 0);
    assert_int_equal (file_read (copy, 100, &said, &err), 0);
    assert_string_equal (said.buf, "econd");
    strbuf_release (&said);
    free (copy);
    free (path);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown (test_is_written_later, temp_dir_setup,
                                         temp_dir_teardown),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
