/* SPDX-License-Identifier: BSD-3-Clause */
/* test_committee.c - committees of files in every format, against the formulas
 *
 * Random committees are written in all formats and read back; what comes out
 * has to be, to the bit, what a slow reference makes of the numbers, straight
 * from the definition (deepmd/infer/model_devi.py; DeepBaseModel.cc).
 */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/strbuf.h"
#include "formats/dump_steps.h"
#include "formats/extxyz.h"
#include "formats/frame.h"
#include "formats/lammps_dump.h"
#include "formats/npy.h"
#include "formats/trajectory_file.h"
#include "formats/vector_reader.h"
#include "reduce/counts.h"
#include "reduce/plan_file.h"
#include "selection/committee.h"
#include "selection/deviation.h"
#include "temp_dir.h"

enum { MODELS = 4, FRAMES = 7, ATOMS = 70 };

/* More atoms than are looked at at once, and not a multiple. */
struct world {
    double positions[FRAMES][3 * ATOMS];
    double forces[MODELS][FRAMES][3 * ATOMS];
    double energies[MODELS][FRAMES];
    double virials[MODELS][FRAMES][9];
};

static uint64_t random_state = 20261121;

static double uniform (void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (double)(random_state >> 11) * 0x1p-53 - 0.5;
}

static void make_world (struct world *world)
{
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int i = 0; i < 3 * ATOMS; i++) {
            double force = uniform ();

            world->positions[frame][i] = 10 * uniform ();
            for (int k = 0; k < MODELS; k++)
                world->forces[k][frame][i] = force + frame * 0.1 * uniform ();
        }
        for (int k = 0; k < MODELS; k++) {
            world->energies[k][frame] = -300 + uniform ();
            for (int i = 0; i < 9; i++)
                world->virials[k][frame][i] = 5 * uniform ();
        }
    }
}

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
static double reference_force (const struct world *world,
                               int frame,
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

static double reference_virial (const struct world *world,
                                int frame,
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

/* --- the formats --- */

enum format { TEXT, BINARY, EXTXYZ, EXTXYZ_WITHOUT_STEPS, NPY, FORMATS };

static void write_strbuf (const char *path, const struct strbuf *bytes)
{
    FILE *file = fopen (path, "w");

    assert_non_null (file);
    assert_int_equal (fwrite (bytes->buf, 1, bytes->len, file), bytes->len);
    assert_int_equal (fclose (file), 0);
}

/* Atoms backwards: they are put in the order of their ids. */
static void add_text (struct strbuf *out,
                      int64_t step,
                      const double *vectors,
                      const char *names)
{
    strbuf_addf (out,
                 "ITEM: TIMESTEP\n%lld\nITEM: NUMBER OF ATOMS\n%d\n"
                 "ITEM: BOX BOUNDS pp pp pp\n0 20\n0 20\n0 20\n"
                 "ITEM: ATOMS id type %s\n",
                 (long long)step, ATOMS, names);
    for (int i = ATOMS - 1; i >= 0; i--)
        strbuf_addf (out, "%d 1 %.17g %.17g %.17g\n", i + 1, vectors[3 * i],
                     vectors[3 * i + 1], vectors[3 * i + 2]);
}

static void add_i32 (struct strbuf *out, int32_t value)
{
    strbuf_add (out, &value, sizeof (value));
}

static void add_i64 (struct strbuf *out, int64_t value)
{
    strbuf_add (out, &value, sizeof (value));
}

static void add_double (struct strbuf *out, double value)
{
    strbuf_add (out, &value, sizeof (value));
}

static void add_binary (struct strbuf *out,
                        int64_t step,
                        const double *vectors,
                        const char *names)
{
    char *columns = xasprintf ("id type %s", names);

    add_i64 (out, -10);
    strbuf_add_str (out, "DUMPCUSTOM");
    add_i32 (out, 1);
    add_i32 (out, 2);
    add_i64 (out, step);
    add_i64 (out, ATOMS);
    for (int i = 0; i < 7; i++)
        add_i32 (out, 0);
    for (int i = 0; i < 6; i++)
        add_double (out, i % 2 * 20);
    add_i32 (out, 5);
    add_i32 (out, 0);
    strbuf_add_char (out, 0);
    add_i32 (out, (int32_t)strlen (columns));
    strbuf_add_str (out, columns);
    add_i32 (out, 2);
    for (int i = 0; i < ATOMS; i++) {
        if (i == 0 || i == 30)
            add_i32 (out, 5 * (i == 0 ? 30 : ATOMS - 30));
        add_double (out, i + 1);
        add_double (out, 1);
        for (int c = 0; c < 3; c++)
            add_double (out, vectors[3 * i + c]);
    }
    free (columns);
}

/* Positions, and of model k >= 0 what it says. */
static void add_extxyz (struct strbuf *out,
                        const struct world *world,
                        int frame,
                        int k,
                        bool steps)
{
    struct frame made = FRAME_INIT;

    assert_int_equal (frame_resize (&made, ATOMS, k >= 0, NULL), 0);
    for (int i = 0; i < ATOMS; i++)
        symbol_set (made.symbols[i], "Si", 2);
    memcpy (made.positions, world->positions[frame],
            sizeof (world->positions[0]));
    for (int i = 0; i < 3; i++) {
        made.cell[4 * i] = 20;
        made.periodic[i] = true;
    }
    if (k >= 0) {
        memcpy (made.forces, world->forces[k][frame],
                sizeof (world->forces[0][0]));
        memcpy (made.virial, world->virials[k][frame], sizeof (made.virial));
        made.energy = world->energies[k][frame];
        made.has_energy = made.has_virial = true;
    }
    if (steps)
        made.info = xasprintf ("run=\"a step=9 b\" step=%d", 10 * frame);
    extxyz_format (&made, out);
    frame_release (&made);
}

static void write_array (const char *path, const double *values, uint64_t width)
{
    const uint64_t shape[] = { FRAMES, width };
    struct strbuf bytes = STRBUF_INIT;

    npy_format_f64 (values, 2, shape, &bytes);
    write_strbuf (path, &bytes);
    strbuf_release (&bytes);
}

/* A DeePMD set, below DIR/set. */
static void write_set (const struct world *world, const char *dir, int k)
{
    double boxes[FRAMES][9] = { { 0 } };
    char name[64];

    for (int frame = 0; frame < FRAMES; frame++)
        boxes[frame][0] = boxes[frame][4] = boxes[frame][8] = 20;
    snprintf (name, sizeof (name), "%s/set", dir);
    assert_int_equal (file_make_dirs (name, NULL), 0);
    snprintf (name, sizeof (name), "%s/set/coord.npy", dir);
    write_array (name, &world->positions[0][0], 3 * ATOMS);
    snprintf (name, sizeof (name), "%s/set/box.npy", dir);
    write_array (name, &boxes[0][0], 9);
    if (k >= 0) {
        snprintf (name, sizeof (name), "%s/set/force.npy", dir);
        write_array (name, &world->forces[k][0][0], 3 * ATOMS);
        snprintf (name, sizeof (name), "%s/set/energy.npy", dir);
        write_array (name, &world->energies[k][0], 1);
        snprintf (name, sizeof (name), "%s/set/virial.npy", dir);
        write_array (name, &world->virials[k][0][0], 9);
    }
}

static void write_types (const char *dir)
{
    struct strbuf types = STRBUF_INIT;
    char name[64];

    for (int i = 0; i < ATOMS; i++)
        strbuf_addf (&types, "%d%s", i % 2, i % 7 ? " " : "\n");
    snprintf (name, sizeof (name), "%s/type.raw", dir);
    write_strbuf (name, &types);
    snprintf (name, sizeof (name), "%s/type_map.raw", dir);
    write_text (name, "Si\nGe\n");
    strbuf_release (&types);
}

/* Write model k, or the trajectory (-1), if that was not done, and say where.
 */
static const char *write_file (const struct world *world,
                               int k,
                               enum format format)
{
    static char names[MODELS + 1][64];
    struct strbuf bytes = STRBUF_INIT;
    char *name = names[k + 1];

    snprintf (name, sizeof (names[0]), "m%d.%c", k, "tbxy"[format % NPY]);
    if (format == NPY) {
        snprintf (name, sizeof (names[0]), "s%d/set/%s.npy", k,
                  k < 0 ? "coord" : "force");
        if (file_exists (name))
            return name;
        name[2 + (k < 0)] = '\0';
        write_set (world, name, k);
        write_types (name);
        name[2 + (k < 0)] = '/';
        return name;
    }
    for (int frame = 0; !file_exists (name) && frame < FRAMES; frame++) {
        const double *vectors =
            k < 0 ? world->positions[frame] : world->forces[k][frame];
        const char *columns = k < 0 ? "x y z" : "fx fy fz";

        if (format == TEXT)
            add_text (&bytes, 10 * frame, vectors, columns);
        else if (format == BINARY)
            add_binary (&bytes, 10 * frame, vectors, columns);
        else
            add_extxyz (&bytes, world, frame, k, format == EXTXYZ);
    }
    if (bytes.len > 0)
        write_strbuf (name, &bytes);
    strbuf_release (&bytes);
    return name;
}

/* --- */

struct setting {
    struct criteria criteria;
    struct trajectory trajectory;
    const char *forces[MODELS];
    struct plan plan;
};

static void set_up (struct setting *setting, const char *path)
{
    *setting = (struct setting){
        .criteria = { .has = { [DEVIATION_FORCE] = true } },
        .trajectory = { .path = path },
        .plan = { .n_models = MODELS,
                  .n_trajectories = 1,
                  .rules = { .n_systems = 1 } },
    };
    setting->trajectory.forces = setting->forces;
    setting->plan.trajectories = &setting->trajectory;
    setting->plan.rules.criteria = &setting->criteria;
}

static struct committee_files files_of (const struct setting *setting,
                                        const struct committee_piece *piece)
{
    return (struct committee_files){ .rules = &setting->plan.rules,
                                     .making = &setting->plan.committee,
                                     .trajectory = setting->trajectory.path,
                                     .forces = setting->forces,
                                     .n_models = setting->plan.n_models,
                                     .piece = piece };
}

static void add_losses (const struct committee_losses *losses,
                        uint64_t counts[SCAN_COUNTS])
{
    counts[COUNT_ABSENT_TRAJECTORIES] += losses->absent_trajectories;
    counts[COUNT_ABSENT_FORCES] += losses->absent_forces;
    counts[COUNT_CUT_FILES] += losses->cut_files;
}

static int read_all (struct setting *setting,
                     struct deviation_rows *rows,
                     uint64_t *places,
                     uint64_t counts[SCAN_COUNTS],
                     struct error *err)
{
    const struct committee_files files = files_of (setting, NULL);
    struct committee_losses losses = { 0 };
    struct committee *committee = committee_open (&files, &losses, err);
    uint64_t rest_places[DEVIATION_ROWS_MAX];
    struct deviation_rows rest;
    int rc = -1;

    if (committee)
        rc = committee_next (committee, rows, places, err);
    if (rc == 1 && committee_next (committee, &rest, rest_places, err) != 0)
        rc = -1;
    committee_close (committee, &losses);
    add_losses (&losses, counts);
    return rc;
}

/* Files of any format together, with and without levels of each kind. */
static void try_formats (const struct world *world,
                         enum format trajectory,
                         enum format models[MODELS],
                         bool labels,
                         bool relative)
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
        setting.plan.committee.is_relative[q] = true;
        setting.plan.committee.level[q] = level;
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
        struct trajectory_file *file;
        struct dump_frame frame = DUMP_FRAME_INIT;
        struct error err = ERROR_INIT;
        int64_t steps[2];

        set_up (&setting, write_file (world, -1, (enum format)format));
        for (int k = 0; k < MODELS; k++)
            setting.forces[k] = write_file (world, k, models[k]);
        assert_int_equal (read_all (&setting, &rows, places, counts, &err), 1);
        file = trajectory_file_open (setting.trajectory.path, NULL, &err);
        if (!file)
            fail_msg ("%s", err.text);
        for (int i = FRAMES - 1; i >= 0; i -= 2) {
            int x;

            if (trajectory_file_read (file, places[i], rows.step[i], &frame,
                                      &err)
                != 1)
                fail_msg ("%s", err.text);
            assert_int_equal (frame.step, rows.step[i]);
            assert_int_equal (frame.n_atoms, ATOMS);
            assert_true (frame.cell[8] == 20 && frame.periodic[0]);
            x = dump_frame_column (&frame, "x");
            for (int atom = 0; atom < ATOMS; atom++)
                assert_memory_equal (
                    frame.values + (size_t)atom * frame.columns.n + x,
                    world->positions[i] + 3 * atom, 3 * sizeof (double));
            if (format == NPY)
                assert_string_equal (frame.elements[3], "Ge");
        }
        steps[0] = rows.step[2];
        steps[1] = 12345;
        assert_int_equal (trajectory_find_steps (setting.trajectory.path, NULL,
                                                 steps, 2, found, &err),
                          0);
        assert_true (found[0] == places[2]);
        assert_true (found[1] == UINT64_MAX);
        trajectory_file_close (file);
        dump_frame_release (&frame);
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
        setting.criteria.has[DEVIATION_ENERGY] = cases[i].labels;
        setting.criteria.has[DEVIATION_VIRIAL] = cases[i].labels;
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

/* --- pieces --- */

/* Frames of all pieces one after the other, in 'n_pieces' of them. */
static void read_pieces (struct setting *setting,
                         uint64_t n_pieces,
                         struct deviation_rows *all,
                         bool *went_back,
                         uint64_t counts[SCAN_COUNTS])
{
    /* larger than the file: whoever shares it out may have seen it so */
    const uint64_t bytes = 1000003, trajectory_bytes = 40000;

    all->n = 0;
    *went_back = false;
    for (uint64_t i = 0; i < n_pieces; i++) {
        struct committee_piece piece = { bytes * i / n_pieces,
                                         bytes * (i + 1) / n_pieces, bytes,
                                         trajectory_bytes };
        uint64_t places[DEVIATION_ROWS_MAX];
        struct deviation_rows rows;
        struct error err = ERROR_INIT;
        const struct committee_files files = files_of (setting, &piece);
        struct committee_losses losses = { 0 };
        struct committee *committee = committee_open (&files, &losses, &err);
        int rc;

        if (!committee)
            fail_msg ("%s", err.text);
        while ((rc = committee_next (committee, &rows, places, &err)) == 1) {
            for (size_t j = 0; j < rows.n; j++, all->n++) {
                all->step[all->n] = rows.step[j];
                all->value[DEVIATION_FORCE][all->n] =
                    rows.value[DEVIATION_FORCE][j];
            }
        }
        assert_int_equal (rc, 0);
        *went_back |= committee_went_back (committee);
        committee_close (committee, &losses);
        add_losses (&losses, counts);
    }
}

static void try_pieces (struct setting *setting, bool rises)
{
    uint64_t places[DEVIATION_ROWS_MAX], whole_counts[SCAN_COUNTS] = { 0 };
    struct deviation_rows whole;
    struct error err = ERROR_INIT;

    if (read_all (setting, &whole, places, whole_counts, &err) != 1)
        fail_msg ("%s", err.text);
    for (uint64_t n = 1; n<12; n += n> 2 ? 4 : 1) {
        uint64_t counts[SCAN_COUNTS] = { 0 };
        struct deviation_rows all;
        bool went_back;

        read_pieces (setting, n, &all, &went_back, counts);
        assert_int_equal (went_back, !rises);
        if (!rises)
            continue;
        assert_int_equal (all.n, whole.n);
        assert_memory_equal (all.step, whole.step, all.n * sizeof (int64_t));
        assert_memory_equal (all.value[DEVIATION_FORCE],
                             whole.value[DEVIATION_FORCE],
                             all.n * sizeof (double));
        assert_memory_equal (counts, whole_counts, sizeof (counts));
    }
}

/* A dump of the frames at these steps, in tens. */
static void write_dump (const char *path,
                        const struct world *world,
                        int k,
                        const char *frames,
                        size_t cut)
{
    struct strbuf bytes = STRBUF_INIT;

    for (; *frames; frames++) {
        int frame = *frames - '0';

        add_text (&bytes, 10 * frame,
                  k < 0 ? world->positions[frame] : world->forces[k][frame],
                  k < 0 ? "x y z" : "fx fy fz");
    }
    bytes.len -= cut;
    write_strbuf (path, &bytes);
    strbuf_release (&bytes);
}

/* However a committee is shared, it is the same: with frames that are missing
 * here and there, and files that were cut.  Where steps come again the pieces
 * say so.
 */
static void test_pieces (void **state)
{
    static const struct {
        const char *trajectory, *first, *second;
        size_t cut;
        bool rises;
    } cases[] = {
        { "0123456", "0123456", "0123456", 0, true },
        { "0123456", "0123456", "0123456", 100, true },
        { "0123456", "02346", "13456", 30, true },
        { "0356", "0123456", "0123456", 5000, true },
        { "0123456", "6", "0", 0, true },
        { "0123456", "01234323456", "0123456", 0, false },
        { "0123345", "0123345", "0123345", 0, false },
        { "34560123", "34560123", "34560123", 0, false },
    };
    struct world *world = xcalloc (1, sizeof (*world));
    struct setting setting;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    make_world (world);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        set_up (&setting, "t");
        setting.plan.n_models = 2;
        setting.forces[0] = "a";
        setting.forces[1] = "b";
        write_dump ("t", world, -1, cases[i].trajectory, cases[i].cut);
        write_dump ("a", world, 0, cases[i].first, 0);
        write_dump ("b", world, 1, cases[i].second, cases[i].cut);
        assert_true (committee_is_divisible (
            setting.trajectory.path, setting.forces, setting.plan.n_models));
        try_pieces (&setting, cases[i].rises);
    }
    set_up (&setting, write_file (world, -1, NPY));
    for (int k = 0; k < MODELS; k++)
        setting.forces[k] = write_file (world, k, NPY);
    assert_true (committee_is_divisible (
        setting.trajectory.path, setting.forces, setting.plan.n_models));
    try_pieces (&setting, true);
    setting.forces[1] = "a"; /* an array and a dump */
    assert_false (committee_is_divisible (
        setting.trajectory.path, setting.forces, setting.plan.n_models));
    temp_dir_leave (&dir);
    free (world);
}

/* A frame beyond what 32 bits count, in a dump with a hole before it. */
static void test_large_dump (void **state)
{
    const uint64_t hole = 5000000000;
    const struct vector_options options = { .kind = VECTOR_POSITIONS };
    struct world *world = xcalloc (1, sizeof (*world));
    struct strbuf bytes = STRBUF_INIT;
    struct vector_reader *reader;
    struct vector_frame frame;
    struct temp_dir dir;
    uint64_t place = 0;
    int64_t step = 0;
    FILE *file;

    (void)state;
    temp_dir_enter (&dir);
    make_world (world);
    add_text (&bytes, 40, world->positions[4], "x y z");
    file = fopen ("t", "w");
    assert_non_null (file);
    assert_int_equal (fputs ("ITEM: TIMESTEP ", file) < 0, 0);
    assert_int_equal (fseeko (file, (off_t)hole, SEEK_SET), 0);
    assert_int_equal (fputc ('\n', file), '\n');
    assert_int_equal (fwrite (bytes.buf, 1, bytes.len, file), bytes.len);
    assert_int_equal (fclose (file), 0);
    assert_int_equal (dump_first_frame ("t", hole - 100, &place, &step, NULL),
                      1);
    assert_true (place == hole + 1);
    assert_int_equal (step, 40);
    assert_int_equal (dump_first_frame ("t", place + 1, &place, &step, NULL),
                      0);
    reader = vector_reader_open ("t", &options, NULL);
    assert_non_null (reader);
    assert_int_equal (vector_reader_go_to (reader, hole + 1, NULL), 0);
    assert_int_equal (vector_reader_next (reader, &frame, NULL), 1);
    assert_true (frame.place == hole + 1);
    assert_memory_equal (frame.vectors, world->positions[4],
                         sizeof (world->positions[4]));
    vector_reader_close (reader);
    strbuf_release (&bytes);
    temp_dir_leave (&dir);
    free (world);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_formats),   cmocka_unit_test (test_places),
        cmocka_unit_test (test_bad_files), cmocka_unit_test (test_disagreement),
        cmocka_unit_test (test_pieces),    cmocka_unit_test (test_large_dump),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
