/* SPDX-License-Identifier: BSD-3-Clause */
/* test_likeness.c - members of a committee that are one model */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "committee_world.h"
#include "selection/deviations/likeness.h"

enum { COMPONENTS = 6, FRAMES_MOST = 3 };

/* Three members say this of each frame, a letter for each: the same letter, the
 * same forces; a capital differs from its small letter in the last bit of the
 * last component; 0: at rest, - at rest as another zero.
 */
static const struct {
    const char *frames[FRAMES_MOST + 1];
    const char *alike; /* "01": the first two; "": none */
} cases[] = {
    { { "abc" }, "" },
    { { "aab" }, "01" },
    { { "aba" }, "02" },
    { { "baa" }, "12" },
    { { "aaa" }, "01" },
    { { "aaA" }, "01" },
    { { "aAA" }, "12" },
    { { "abA" }, "" },
    /* in every frame, wherever the one is that differs */
    { { "aab", "abb" }, "" },
    { { "aab", "aab", "aaA" }, "01" },
    { { "aAb", "aab", "aab" }, "" },
    { { "aab", "aAb", "aab" }, "" },
    { { "aab", "aab", "aAb" }, "" },
    { { "aba", "aab" }, "" },
    /* a crystal at rest says nothing, before and after others */
    { { "000" }, "" },
    { { "000", "000" }, "" },
    { { "000", "aab" }, "01" },
    { { "aab", "000" }, "01" },
    { { "aab", "00-" }, "01" },
    { { "000", "abc", "000" }, "" },
    { { NULL }, "" },
};

static void make_forces (char letter, double forces[COMPONENTS])
{
    for (int i = 0; i < COMPONENTS; i++)
        forces[i] = letter == '0'   ? 0
                    : letter == '-' ? -0.0
                                    : (letter | 0x20) + 0.125 * i;
    if (letter >= 'A' && letter <= 'Z')
        forces[COMPONENTS - 1] = nextafter (forces[COMPONENTS - 1], 0);
}

static void test_members (void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        double forces[3][COMPONENTS];
        const double *const members[] = { forces[0], forces[1], forces[2] };
        struct likeness likeness;
        char found[8] = "";
        size_t a, b;

        print_message ("# case %zu\n", i);
        likeness_init (&likeness, 3);
        for (int f = 0; cases[i].frames[f]; f++) {
            for (int k = 0; k < 3; k++)
                make_forces (cases[i].frames[f][k], forces[k]);
            likeness_add (&likeness, members, COMPONENTS);
        }
        if (likeness_find (&likeness, &a, &b))
            snprintf (found, sizeof (found), "%zu%zu", a, b);
        assert_string_equal (found, cases[i].alike);
        likeness_reset (&likeness);
        assert_false (likeness_saw_forces (&likeness));
        likeness_release (&likeness);
    }
}

/* A frame of which a member says what is no number tells nothing of it. */
static void test_invalid_frames (void **unused)
{
    struct world *world = xcalloc (1, sizeof (*world));
    uint64_t places[DEVIATION_ROWS_MAX], counts[SCAN_COUNTS] = { 0 };
    struct deviation_rows rows;
    struct committee *committee;
    struct committee_files files;
    struct likeness likeness;
    struct error err = ERROR_INIT;
    struct setting setting;
    struct temp_dir dir;
    size_t a, b;

    (void)unused;
    temp_dir_enter (&dir);
    make_world (world);
    memcpy (world->forces[2], world->forces[1], sizeof (world->forces[1]));
    world->forces[2][3][5] = NAN;
    set_up (&setting, write_file (world, -1, NPY));
    for (int k = 0; k < MODELS; k++)
        setting.forces[k] = write_file (world, k, NPY);
    likeness_init (&likeness, MODELS);
    files = files_of (&setting, NULL);
    files.likeness = &likeness;
    committee = committee_open (&files, counts, &err);
    assert_non_null (committee);
    assert_int_equal (committee_next (committee, &rows, places, &err), 1);
    assert_true (isnan (rows.value[DEVIATION_FORCE][3]));
    assert_true (likeness_find (&likeness, &a, &b));
    assert_int_equal (a, 1);
    assert_int_equal (b, 2);
    committee_close (committee, counts);
    likeness_release (&likeness);
    temp_dir_leave (&dir);
    free (world);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_members),
        cmocka_unit_test (test_invalid_frames),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
