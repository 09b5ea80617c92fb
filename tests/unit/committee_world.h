/* SPDX-License-Identifier: BSD-3-Clause */
/* committee_world.h - random committees, written in every format
 *
 *     struct world *world = xcalloc (1, sizeof (*world));
 *     struct setting setting;
 *
 *     make_world (world);
 *     set_up (&setting, write_file (world, -1, TEXT));
 *     setting.forces[k] = write_file (world, k, EXTXYZ);
 *     read_all (&setting, &rows, places, counts, &err);
 *
 * in a directory of its own.
 */
#ifndef TESTS_COMMITTEE_WORLD_H
#define TESTS_COMMITTEE_WORLD_H

#include "formats/extxyz/extxyz.h"
#include "formats/frame.h"
#include "formats/npy/npy.h"
#include "reduce/selection_input.h"
#include "selection/deviations/committee.h"
#include "selection/statistics/frame_stats.h"
#include "selection/deviations/deviation.h"
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

static inline double uniform (void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (double)(random_state >> 11) * 0x1p-53 - 0.5;
}

static inline void make_world (struct world *world)
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

/* --- the formats --- */

enum format { TEXT, BINARY, EXTXYZ, EXTXYZ_WITHOUT_STEPS, NPY, FORMATS };

static inline void write_strbuf (const char *path, const struct strbuf *bytes)
{
    FILE *file = fopen (path, "w");

    assert_non_null (file);
    assert_int_equal (fwrite (bytes->buf, 1, bytes->len, file), bytes->len);
    assert_int_equal (fclose (file), 0);
}

/* Atoms backwards: they are put in the order of their ids. */
static inline void add_text (struct strbuf *out, int64_t step,
                             const double *vectors, const char *names)
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

static inline void add_i32 (struct strbuf *out, int32_t value)
{
    strbuf_add (out, &value, sizeof (value));
}

static inline void add_i64 (struct strbuf *out, int64_t value)
{
    strbuf_add (out, &value, sizeof (value));
}

static inline void add_double (struct strbuf *out, double value)
{
    strbuf_add (out, &value, sizeof (value));
}

static inline void add_binary (struct strbuf *out, int64_t step,
                               const double *vectors, const char *names)
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
static inline void add_extxyz (struct strbuf *out, const struct world *world,
                               int frame, int k, bool steps)
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

/* A frame in any format that has all in one file. */
static inline void add_frame (struct strbuf *out, const struct world *world,
                              int frame, int k, enum format format)
{
    const double *vectors =
        k < 0 ? world->positions[frame] : world->forces[k][frame];
    const char *columns = k < 0 ? "x y z" : "fx fy fz";

    if (format == TEXT)
        add_text (out, 10 * frame, vectors, columns);
    else if (format == BINARY)
        add_binary (out, 10 * frame, vectors, columns);
    else
        add_extxyz (out, world, frame, k, format == EXTXYZ);
}

static inline void write_array (const char *path, const double *values,
                                uint64_t width)
{
    const uint64_t shape[] = { FRAMES, width };
    struct strbuf bytes = STRBUF_INIT;

    npy_format_f64 (values, 2, shape, &bytes);
    write_strbuf (path, &bytes);
    strbuf_release (&bytes);
}

/* An array below DIR. */
static inline void write_below (const char *dir, const char *name,
                                const double *values, uint64_t width)
{
    char *path = path_join (dir, name);

    write_array (path, values, width);
    free (path);
}

/* A DeePMD set, below DIR/set. */
static inline void write_set (const struct world *world, const char *dir, int k)
{
    double boxes[FRAMES][9] = { { 0 } };
    char *set = path_join (dir, "set");

    for (int frame = 0; frame < FRAMES; frame++)
        boxes[frame][0] = boxes[frame][4] = boxes[frame][8] = 20;
    assert_int_equal (file_make_dirs (set, NULL), 0);
    write_below (set, "coord.npy", &world->positions[0][0], 3 * ATOMS);
    write_below (set, "box.npy", &boxes[0][0], 9);
    if (k >= 0) {
        write_below (set, "force.npy", &world->forces[k][0][0], 3 * ATOMS);
        write_below (set, "energy.npy", &world->energies[k][0], 1);
        write_below (set, "virial.npy", &world->virials[k][0][0], 9);
    }
    free (set);
}

static inline void write_types (const char *dir)
{
    struct strbuf types = STRBUF_INIT;
    char *path = path_join (dir, "type.raw");

    for (int i = 0; i < ATOMS; i++)
        strbuf_addf (&types, "%d%s", i % 2, i % 7 ? " " : "\n");
    strbuf_add_char (&types, '\n');
    write_strbuf (path, &types);
    free (path);
    path = path_join (dir, "type_map.raw");
    write_text (path, "Si\nGe\n");
    free (path);
    strbuf_release (&types);
}

/* Write model k, or the trajectory (-1), if that was not done, and say where.
 */
static inline const char *write_file (const struct world *world, int k,
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
    for (int frame = 0; !file_exists (name) && frame < FRAMES; frame++)
        add_frame (&bytes, world, frame, k, format);
    if (bytes.len > 0)
        write_strbuf (name, &bytes);
    strbuf_release (&bytes);
    return name;
}

/* --- reading them --- */

struct setting {
    struct criteria criteria;
    struct trajectory trajectory;
    const char *forces[MODELS];
    struct selection_input input;
};

static inline void set_up (struct setting *setting, const char *path)
{
    *setting = (struct setting){
        .criteria = { .has = { [DEVIATION_FORCE] = true } },
        .trajectory = { .path = path },
        .input = { .n_models = MODELS,
                   .n_trajectories = 1,
                   .rules = { .n_systems = 1 } },
    };
    setting->trajectory.forces = setting->forces;
    setting->input.trajectories = &setting->trajectory;
    setting->input.rules.criteria = &setting->criteria;
}

static inline struct committee_files files_of (
    const struct setting *setting, const struct committee_piece *piece)
{
    return (struct committee_files){ .rules = &setting->input.rules,
                                     .making = &setting->input.committee,
                                     .trajectory = setting->trajectory.path,
                                     .forces = setting->forces,
                                     .n_models = setting->input.n_models,
                                     .piece = piece };
}

static inline int read_all (struct setting *setting,
                            struct deviation_rows *rows, uint64_t *places,
                            uint64_t counts[SCAN_COUNTS], struct error *err)
{
    const struct committee_files files = files_of (setting, NULL);
    struct committee *committee = committee_open (&files, counts, err);
    uint64_t rest_places[DEVIATION_ROWS_MAX];
    struct deviation_rows rest;
    int rc = -1;

    if (committee)
        rc = committee_next (committee, rows, places, err);
    if (rc == 1 && committee_next (committee, &rest, rest_places, err) != 0)
        rc = -1;
    committee_close (committee, counts);
    return rc;
}

#endif /* !TESTS_COMMITTEE_WORLD_H */
