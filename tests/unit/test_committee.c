/* SPDX-License-Identifier: BSD-3-Clause */
/* test_committee.c - committees of files in every format, against the formulas
 *
 * Random committees are written in all formats and read back; what comes out
 * has to be, to the bit, what a slow reference makes of the numbers, straight
 * from the definition (deepmd/infer/model_devi.py; DeepBaseModel.cc).
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <unistd.h>

#include "committee_world.h"
#include "formats/vector_reader.h"
#include "selection/deviations/committee.h"
#include "temp_dir.h"

/* --- the reference --- */

/* The population's standard deviation of M numbers, and their mean. */
static double deviation_of (const double *values, double *mean)
{
    double sum = 0;

    *mean = 0;
    for (int k = 0; k < MODELS; k++)
        *mean += values[k];
    *mean /= MODELS;
    for (int k = 0; k < MODELS; k++)
        sum += (values[k] - *mean) * (values[k] - *mean);
    return sqrt (sum / MODELS);
}

/* max_i sqrt (1/M sum_k |F_k,i - <F_i>|^2), or that / (|<F_i>| + level). */
static double reference_force (const struct world *world, int frame,
                               const double *level)
{
    double largest = 0;

    for (int i = 0; i < ATOMS; i++) {
        double mean[3], sum = 0, eps;

        for (int c = 0; c < 3; c++) {
            double values[MODELS], square = 0;

            for (int k = 0; k < MODELS; k++)
                values[k] = world->forces[k][frame][3 * i + c];
            deviation_of (values, &mean[c]);
            for (int k = 0; k < MODELS; k++)
                square += (values[k] - mean[c]) * (values[k] - mean[c]);
            sum += square / MODELS;
        }
        eps = sqrt (sum);
        if (level)
            eps /=
                sqrt (mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2])
                + *level;
        largest = fmax (largest, eps);
    }
    return largest;
}

static double reference_virial (const struct world *world, int frame,
                                const double *level)
{
    double largest = 0;

    for (int i = 0; i < 9; i++) {
        double values[MODELS], mean, eps;

        for (int k = 0; k < MODELS; k++)
            values[k] = world->virials[k][frame][i] / ATOMS;
        eps = deviation_of (values, &mean);
        if (level)
            eps /= fabs (mean) + *level;
        largest = fmax (largest, eps);
    }
    return largest;
}

static double reference_energy (const struct world *world, int frame)
{
    double values[MODELS], mean;

    for (int k = 0; k < MODELS; k++)
        values[k] = world->energies[k][frame] / ATOMS;
    return deviation_of (values, &mean);
}

/* --- files of all formats --- */

/* Files of any format together, with and without levels of each kind. */
static void try_formats (const struct world *world, enum format trajectory,
                         enum format models[MODELS], bool labels, bool relative)
{
    uint64_t places[DEVIATION_ROWS_MAX], counts[SCAN_COUNTS] = { 0 };
    const double level = 0.3;
    const double *used = relative ? &level : NULL;
    struct deviation_rows rows;
    struct error err = ERROR_INIT;
    struct setting setting;

    set_up (&setting, write_file (world, -1, trajectory));
    for (int k = 0; k < MODELS; k++)
        setting.forces[k] = write_file (world, k, models[k]);
    setting.criteria.has[DEVIATION_ENERGY] = labels;
    setting.criteria.has[DEVIATION_VIRIAL] = labels;
    for (int q = 0; relative && q < DEVIATION_QUANTITIES; q++) {
        setting.input.committee.is_relative[q] = true;
        setting.input.committee.level[q] = level;
    }
    if (read_all (&setting, &rows, places, counts, &err) != 1)
        fail_msg ("%s", err.text);
    assert_int_equal (rows.n, FRAMES);
    for (int frame = 0; frame < FRAMES; frame++) {
        assert_true (rows.value[DEVIATION_FORCE][frame]
                     == reference_force (world, frame, used));
        if (!labels)
            continue;
        assert_true (rows.value[DEVIATION_VIRIAL][frame]
                     == reference_virial (world, frame, used));
        assert_true (rows.value[DEVIATION_ENERGY][frame]
                     == reference_energy (world, frame));
    }
    for (int i = 0; i < SCAN_COUNTS; i++)
        assert_int_equal (counts[i], 0);
}

static void test_formats (void **state)
{
    struct world *world = xcalloc (1, sizeof (*world));
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    make_world (world);
    for (int trajectory = 0; trajectory < FORMATS; trajectory++) {
        for (int turn = 0; turn < FORMATS; turn++) {
            enum format all[MODELS], labelled[MODELS];

            for (int k = 0; k < MODELS; k++) {
                all[k] = (enum format) ((turn + k) % FORMATS);
                labelled[k] = (enum format) (EXTXYZ + (turn + k) % 3);
            }
            try_formats (world, (enum format)trajectory, all, false,
                         turn % 2 == 0);
            try_formats (world, (enum format)trajectory, labelled, true,
                         turn % 2 == 1);
        }
    }
    temp_dir_leave (&dir);
    free (world);
}

/* Frames are found again at their places, and by their steps. */
static void test_places (void **state)
{
    static const struct vector_options structures = { .kind = VECTOR_POSITIONS,
                                                      .structure = true };
    struct world *world = xcalloc (1, sizeof (*world));
    enum format models[MODELS] = { TEXT, TEXT, TEXT, TEXT };
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    make_world (world);
    for (int format = 0; format < FORMATS; format++) {
        uint64_t places[DEVIATION_ROWS_MAX], counts[SCAN_COUNTS] = { 0 };
        uint64_t found[2];
        struct deviation_rows rows;
        struct setting setting;
        struct vector_reader *file;
        struct vector_frame frame;
        struct error err = ERROR_INIT;
        int64_t steps[2];

        set_up (&setting, write_file (world, -1, (enum format)format));
        for (int k = 0; k < MODELS; k++)
            setting.forces[k] = write_file (world, k, models[k]);
        assert_int_equal (read_all (&setting, &rows, places, counts, &err), 1);
        file = vector_reader_open (setting.trajectory.path, &structures, &err);
        if (!file)
            fail_msg ("%s", err.text);
        for (int i = FRAMES - 1; i >= 0; i -= 2) {
            if (vector_reader_go_to (file, places[i], &err) < 0
                || vector_reader_next (file, &frame, &err) != 1)
                fail_msg ("%s", err.text);
            if (frame.has_step)
                assert_int_equal (frame.step, rows.step[i]);
            assert_int_equal (frame.n_atoms, ATOMS);
            assert_true (frame.cell[8] == 20 && frame.periodic[0]);
            assert_memory_equal (frame.vectors, world->positions[i],
                                 3 * ATOMS * sizeof (double));
            assert_true (frame.symbols || frame.types);
            if (format == NPY)
                assert_string_equal (frame.symbols[3], "Ge");
        }
        steps[0] = rows.step[2];
        steps[1] = 12345;
        assert_int_equal (vector_find_steps (setting.trajectory.path, NULL,
                                             steps, 2, found, &err),
                          0);
        assert_true (found[0] == places[2]);
        assert_true (found[1] == UINT64_MAX);
        vector_reader_close (file);
    }
    temp_dir_leave (&dir);
    free (world);
}

/* One model's file is spoilt. */
struct spoilt {
    const char *file;
    const char *text; /* NULL: it is removed */
    bool labels;
    const char *message;
};

static void test_bad_files (void **state)
{
    static const struct spoilt cases[] = {
        { "s0/set/energy.npy", NULL, true,
          "there are levels for what energy.npy should hold: cannot open" },
        { "s0/set/force.npy", "\x93NUMPY", false,
          "s0/set/force.npy: not an npy file" },
        { "m1.x", "ITEM: TIMESTEP\n0\n", true,
          "m1.x: there are levels for the virial, which a LAMMPS dump does "
          "not" },
        { "m1.x", "1\nProperties=species:S:1:pos:R:3\nSi 0 0 0\n", false,
          "m1.x: the frame at byte 0 has no forces" },
        { "m1.x",
          "1\nProperties=species:S:1:pos:R:3:forces:R:3\nSi 0 0 0 1 1 1\n",
          true, "m1.x: the frame at byte 0 has no energy" },
        { "m1.x", "1\nenergy=x\nSi 0 0 0\n", false,
          "m1.x:2: energy: expected a number" },
        { "m1.x", "hello\n", false,
          "m1.x:1: expected a heading of a LAMMPS dump" },
    };
    struct world *world = xcalloc (1, sizeof (*world));

    (void)state;
    make_world (world);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        uint64_t places[DEVIATION_ROWS_MAX], counts[SCAN_COUNTS] = { 0 };
        struct deviation_rows rows;
        struct error err = ERROR_INIT;
        struct setting setting;
        struct temp_dir dir;

        temp_dir_enter (&dir);
        set_up (&setting, write_file (world, -1, TEXT));
        for (int k = 0; k < MODELS; k++)
            setting.forces[k] = write_file (world, k, k == 0 ? NPY : EXTXYZ);
        setting.criteria.has[DEVIATION_ENERGY] =
            cases[i].labels && strstr (cases[i].message, "energy");
        setting.criteria.has[DEVIATION_VIRIAL] =
            cases[i].labels && strstr (cases[i].message, "virial");
        if (cases[i].text)
            write_text (cases[i].file, cases[i].text);
        else
            assert_int_equal (remove (cases[i].file), 0);
        assert_int_equal (read_all (&setting, &rows, places, counts, &err), -1);
        if (strncmp (err.text, cases[i].message, strlen (cases[i].message))
            != 0)
            fail_msg ("expected '%s', found '%s'", cases[i].message, err.text);
        temp_dir_leave (&dir);
    }
    free (world);
}

/* Models that disagree about which frames or atoms there are, or that hold what
 * is no number, make single frames invalid; a file that ends early is counted.
 */
static void test_disagreement (void **state)
{
    struct world *world = xcalloc (1, sizeof (*world));
    uint64_t places[DEVIATION_ROWS_MAX], counts[SCAN_COUNTS] = { 0 };
    struct strbuf bytes = STRBUF_INIT;
    struct deviation_rows rows;
    struct error err = ERROR_INIT;
    struct setting setting;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    make_world (world);
    world->forces[0][1][5] = NAN;
    world->positions[2][7] = INFINITY;
    set_up (&setting, write_file (world, -1, NPY));
    setting.forces[0] = write_file (world, 0, BINARY);
    for (int frame = 0; frame < FRAMES; frame++) { /* frame 3 has fewer atoms */
        if (frame == 3)
            strbuf_add_str (&bytes,
                            "1\nProperties=species:S:1:pos:R:3:forces:R:3\n"
                            "Si 0 0 0 1 1 1\n");
        else
            add_extxyz (&bytes, world, frame, 1, false);
    }
    write_strbuf ("x", &bytes);
    setting.forces[1] = "x";
    setting.forces[2] = write_file (world, 2, NPY); /* it ends within frame 5 */
    assert_int_equal (truncate (setting.forces[2], 128 + 5 * 3 * ATOMS * 8 + 9),
                      0);
    setting.forces[3] = write_file (world, 3, EXTXYZ_WITHOUT_STEPS);
    if (read_all (&setting, &rows, places, counts, &err) != 1)
        fail_msg ("%s", err.text);
    assert_int_equal (rows.n, FRAMES);
    for (int frame = 0; frame < FRAMES; frame++)
        assert_int_equal (isnan (rows.value[DEVIATION_FORCE][frame]) != 0,
                          frame == 1 || frame == 2 || frame == 3 || frame >= 5);
    assert_int_equal (counts[COUNT_CUT_FILES], 1);
    strbuf_release (&bytes);
    temp_dir_leave (&dir);
    free (world);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_formats),
        cmocka_unit_test (test_places),
        cmocka_unit_test (test_bad_files),
        cmocka_unit_test (test_disagreement),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
