/* SPDX-License-Identifier: BSD-3-Clause */
/* test_rms_force.c - how large the forces of a trajectory are */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "temp_dir.h"
#include "selection/deviations/rms_force.h"

#define DUMP(step, rows)                                                       \
    "ITEM: TIMESTEP\n" step "\nITEM: NUMBER OF ATOMS\n2\n"                     \
    "ITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n"                               \
    "ITEM: ATOMS id type fx fy fz\n" rows

static double rms_of (const char *path)
{
    struct error err = ERROR_INIT;
    double rms = -1;

    if (rms_force (path, &rms, &err) < 0)
        fail_msg ("%s", err.text);
    return rms;
}

/* Squares 9, 16, 0 and 75: a mean of 25. */
static void test_rms (void **state)
{
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("all", DUMP ("0", "1 1 0 3 0\n2 1 0 0 -4\n")
                           DUMP ("5", "1 1 0 0 0\n2 1 5 -5 5\n"));
    assert_true (rms_of ("all") == 5);
    write_text ("traj-0.dump", DUMP ("0", "1 1 0 3 0\n2 1 0 0 -4\n"));
    write_text ("traj-5.dump", DUMP ("5", "1 1 0 0 0\n2 1 5 -5 5\n"));
    write_text ("traj-x.dump", "no dump");
    write_text ("traj-5.dump.old", "no dump");
    assert_true (rms_of ("traj-*.dump") == 5);
    assert_true (rms_of ("./traj-*.dump") == 5);
    write_text ("e.xyz", "2\nProperties=species:S:1:pos:R:3:forces:R:3\n"
                         "H 9 9 9 0 3 0\nH 9 9 9 0 0 -4\n"
                         "2\nProperties=species:S:1:pos:R:3:forces:R:3\n"
                         "H 9 9 9 0 0 0\nH 9 9 9 5 -5 5\n");
    assert_true (rms_of ("e.xyz") == 5);
    assert_true (isnan (rms_of ("gone")));
    assert_true (isnan (rms_of ("gone-*.dump")));
    assert_true (isnan (rms_of ("gone/*.dump")));
    temp_dir_leave (&dir);
}

/* What is not finite, and nothing at all. */
static void test_invalid (void **state)
{
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("nan", DUMP ("0", "1 1 0 3 0\n2 1 nan 0 -4\n"));
    assert_false (isfinite (rms_of ("nan")));
    write_text ("empty", "");
    assert_true (isnan (rms_of ("empty")));
    temp_dir_leave (&dir);
}

static void test_without_forces (void **state)
{
    struct error err = ERROR_INIT;
    struct temp_dir dir;
    double rms = 7;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("t", "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\n"
                     "ITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n"
                     "ITEM: ATOMS id type x y z\n1 1 1 2 3\n");
    assert_int_equal (rms_force ("t", &rms, &err), -1);
    assert_non_null (strstr (err.text, "deviations are taken relative to "));
    assert_non_null (strstr (err.text, "fx"));
    write_text ("t", "ITEM: TIMESTEP\n0\nITEM: NOTHING\n");
    assert_int_equal (rms_force ("t", &rms, &err), -1);
    assert_true (rms == 7);
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_rms),
        cmocka_unit_test (test_invalid),
        cmocka_unit_test (test_without_forces),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
