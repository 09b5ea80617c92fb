/* SPDX-License-Identifier: BSD-3-Clause */
/* allocation_scene.h - a spool in a directory of its own, inside a job of PBS
 *
 *     IN_DIR (test_x)
 */
#ifndef TESTS_ALLOCATION_SCENE_H
#define TESTS_ALLOCATION_SCENE_H

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "temp_dir.h"

#define SET "spool/nodes/47.host.0"

static inline int enter (void **state)
{
    struct temp_dir *dir = malloc (sizeof (*dir));

    assert_non_null (dir);
    temp_dir_enter (dir);
    setenv ("PBS_JOBID", "47.host", 1);
    unsetenv ("PBS_NODEFILE");
    unsetenv ("SLURM_JOB_ID");
    assert_int_equal (file_make_dirs (SET, NULL), 0);
    *state = dir;
    return 0;
}

static inline int leave (void **state)
{
    unsetenv ("PBS_JOBID");
    temp_dir_leave (*state);
    free (*state);
    return 0;
}

static inline void make_old (const char *path)
{
    struct timespec times[2];

    assert_int_equal (clock_gettime (CLOCK_REALTIME, &times[0]), 0);
    times[0].tv_sec -= 90; /* more than any limit: file times are coarse */
    times[1] = times[0];
    assert_int_equal (utimensat (AT_FDCWD, path, times, 0), 0);
}

#define IN_DIR(test) cmocka_unit_test_setup_teardown (test, enter, leave)

#endif /* !TESTS_ALLOCATION_SCENE_H */
