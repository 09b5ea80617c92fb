/* SPDX-License-Identifier: BSD-3-Clause */
/* test_data_import.c - data in other forms are made into frames, and whoever
 * has a lease meanwhile is told that it goes on
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/heartbeat.h"
#include "campaign/plan.h"
#include "commands/data_import.h"
#include "fixture.h"
#include "temp_dir.h"

static void count (void *n)
{
    ++*(int *)n;
}

/* Once for each file that is looked at, once for each frame that is read. */
static void test_beats (void **state)
{
    static const char *const elements[] = { "Cu", NULL };
    struct temp_dir dir;
    int beats = 0, first;
    const struct heartbeat heartbeat = { count, &beats };
    char *system = fixture_path ("deepmd/cu4");
    struct data_import import = { .from = "cu4", .to = "made/cu4.extxyz" };
    struct plan plan = { .dir = ".",
                         .elements = elements,
                         .n_elements = 1,
                         .imports = &import,
                         .n_imports = 1 };
    struct error err = ERROR_INIT;

    (void)state;
    temp_dir_enter (&dir);
    assert_int_equal (symlink (system, "cu4"), 0);
    if (data_import (&plan, &heartbeat, &err) < 0)
        fail_msg ("%s", err.text);
    assert_true (file_exists ("made/cu4.extxyz"));
    first = beats;
    beats = 0;
    assert_int_equal (data_import (&plan, &heartbeat, NULL), 0);
    assert_true (beats >= 7);    /* what is there is looked at */
    assert_true (first > beats); /* frames were read */
    temp_dir_leave (&dir);
    free (system);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_beats),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
