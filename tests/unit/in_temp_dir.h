/* SPDX-License-Identifier: BSD-3-Clause */
/* in_temp_dir.h - tests of cmocka whose working directory is an empty one
 *
 *     cmocka_unit_test_setup_teardown (test_x, enter, leave)
 *
 * or, once for all of them,
 *
 *     cmocka_run_group_tests (tests, enter, leave)
 */
#ifndef TESTS_IN_TEMP_DIR_H
#define TESTS_IN_TEMP_DIR_H

#include "temp_dir.h"

static struct temp_dir dir; /* dir.path is where the test is */

static inline int enter (void **unused)
{
    (void)unused;
    temp_dir_enter (&dir);
    return 0;
}

static inline int leave (void **unused)
{
    (void)unused;
    temp_dir_leave (&dir);
    return 0;
}

#endif /* !TESTS_IN_TEMP_DIR_H */
