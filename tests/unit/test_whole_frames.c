/* SPDX-License-Identifier: BSD-3-Clause */
/* test_whole_frames.c - what of a trajectory can be rerun */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "formats/lammps/whole_frames.h"
#include "temp_dir.h"

#define HEADER(step, n)                                                        \
    "ITEM: TIMESTEP\n" step "\nITEM: NUMBER OF ATOMS\n" n                      \
    "\nITEM: BOX BOUNDS pp pp pp\n0 5.4\n0 5.4\n0 5.4\n"
#define FRAME(step)                                                            \
    HEADER (step, "2")                                                         \
    "ITEM: ATOMS id type x y z\n1 1 0 0 0\n2 1 1.25 -0.5 6\n"
#define STRAY(step, x)                                                         \
    HEADER (step, "2")                                                         \
    "ITEM: ATOMS id type x y z\n1 1 0 0 0\n2 1 1 " x " 1\n"
#define LOST(step) HEADER (step, "1") "ITEM: ATOMS id type x y z\n2 1 1 1 1\n"
#define EMPTY(step) HEADER (step, "0") "ITEM: ATOMS id type x y z\n"

static const struct {
    const char *written;
    const char *kept_text;
    int64_t seen;
    int64_t kept;
} cases[] = {
    { "", "", 0, 0 },
    { FRAME ("0") FRAME ("20"), FRAME ("0") FRAME ("20"), 2, 2 },
    /* cut short: in a number, at the end of a row, in a heading */
    { FRAME ("0") "ITEM: TIMESTEP\n2", FRAME ("0"), 1, 1 },
    { FRAME ("0") HEADER ("20", "2") "ITEM: ATOMS id type x y z\n1 1 0 0 0\n",
      FRAME ("0"), 1, 1 },
    { FRAME ("0") "ITEM: TIM", FRAME ("0"), 1, 1 },
    { HEADER ("0", "2") "ITEM: ATOMS id type x y z\n1 1 0 0 0\n2 1 1 1 1.", "",
      0, 0 },
    /* no configurations */
    { FRAME ("0") STRAY ("20", "nan") FRAME ("40"), FRAME ("0") FRAME ("40"), 3,
      2 },
    { STRAY ("0", "-inf"), "", 1, 0 },
    { STRAY ("0", "1e17") FRAME ("20"), FRAME ("20"), 2, 1 },
    { FRAME ("0") LOST ("20") FRAME ("40"), FRAME ("0") FRAME ("40"), 3, 2 },
    { FRAME ("0") EMPTY ("20"), FRAME ("0"), 2, 1 },
    { FRAME ("0") LOST ("20") "ITEM: TIMESTEP\n", FRAME ("0"), 2, 1 },
};

static void test_what_is_kept (void **state)
{
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct whole_frames frames;
        struct error err = ERROR_INIT;

        write_text ("md.dump", cases[i].written);
        if (whole_frames_keep ("md.dump", "t.dump", 2, &frames, &err) < 0)
            fail_msg ("case %zu: %s", i, err.text);
        assert_int_equal (frames.seen, cases[i].seen);
        assert_int_equal (frames.kept, cases[i].kept);
        assert_file_text ("t.dump", cases[i].kept_text);
        assert_int_equal (unlink ("t.dump"), 0);
    }
    temp_dir_leave (&dir);
}

static void test_no_trajectory_at_all (void **state)
{
    struct whole_frames frames;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    assert_int_equal (whole_frames_keep ("md.dump", "t.dump", 2, &frames, NULL),
                      0);
    assert_int_equal (frames.seen, 0);
    assert_int_equal (frames.kept, 0);
    assert_file_text ("t.dump", "");
    temp_dir_leave (&dir);
}

static void test_errors (void **state)
{
    struct whole_frames frames = { 7, 7 };
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("md.dump", HEADER ("0", "1") "ITEM: ATOMS id x y\n1 2 3\n");
    assert_int_equal (whole_frames_keep ("md.dump", "t.dump", 1, &frames, &err),
                      -1);
    assert_non_null (strstr (err.text, ": no column 'z'"));
    write_text ("md.dump", FRAME ("0") "rubbish\n" FRAME ("20"));
    assert_int_equal (whole_frames_keep ("md.dump", "t.dump", 2, &frames, &err),
                      -1);
    assert_non_null (strstr (err.text, "md.dump:"));
    assert_int_equal (
        whole_frames_keep ("md.dump", "none/t.dump", 2, &frames, NULL), -1);
    assert_int_equal (frames.seen, 7);
    assert_int_equal (frames.kept, 7);
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_what_is_kept),
        cmocka_unit_test (test_no_trajectory_at_all),
        cmocka_unit_test (test_errors),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
