/* SPDX-License-Identifier: BSD-3-Clause */
/* test_committee_pieces.c - a committee's files, shared at frame boundaries */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "committee_world.h"
#include "formats/vector_reader.h"
#include "formats/vector_reader.h"
#include "selection/deviations/committee.h"
#include "temp_dir.h"

/* Frames of all pieces one after the other, in 'n_pieces' of them. */
static void read_pieces (struct setting *setting, uint64_t n_pieces,
                         struct deviation_rows *all, bool *went_back,
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
        struct committee *committee = committee_open (&files, counts, &err);
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
        committee_close (committee, counts);
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

/* A file of the frames at these steps, in tens, '!' before one of extended XYZ
 * that tells none, '-' before one of a text dump that tells units and time.
 */
static void write_frames (const char *path, const struct world *world, int k,
                          const char *frames, enum format format, size_t cut)
{
    struct strbuf bytes = STRBUF_INIT;

    for (; *frames; frames++) {
        enum format its = format;

        if (*frames == '!')
            its = EXTXYZ_WITHOUT_STEPS;
        if (*frames == '-')
            strbuf_add_str (&bytes,
                            "ITEM: UNITS\nmetal\nITEM: TIME\n0.123456789\n");
        frames += *frames == '!' || *frames == '-';
        add_frame (&bytes, world, *frames - '0', k, its);
    }
    bytes.len -= cut;
    write_strbuf (path, &bytes);
    strbuf_release (&bytes);
}

/* However a committee is shared, it is the same: with frames that are missing
 * here and there, and files that were cut.  Where steps come again, or are not
 * told, the pieces say so.
 */
static const struct {
    const char *trajectory, *first, *second;
    size_t cut;
    bool rises;
} divisions[] = {
    { "0123456", "0123456", "0123456", 0, true },
    { "0123456", "0123456", "0123456", 100, true },
    { "0123456", "02346", "13456", 30, true },
    { "0356", "0123456", "0123456", 2000, true },
    { "0123456", "6", "0", 0, true },
    { "0123456", "01234323456", "0123456", 0, false },
    { "0123345", "0123345", "0123345", 0, false },
    { "34560123", "34560123", "34560123", 0, false },
};

/* The formats of the trajectory and of two models. */
static const enum format triples[][3] = {
    { TEXT, TEXT, TEXT },
    { BINARY, BINARY, BINARY },
    { EXTXYZ, EXTXYZ, EXTXYZ },
    { TEXT, BINARY, EXTXYZ },
};

static void try_frames (const struct world *world, const char *const frames[3],
                        const enum format formats[3], size_t cut, bool rises)
{
    struct setting setting;

    set_up (&setting, "t");
    setting.input.n_models = 2;
    setting.forces[0] = "a";
    setting.forces[1] = "b";
    write_frames ("t", world, -1, frames[0], formats[0], cut);
    write_frames ("a", world, 0, frames[1], formats[1], 0);
    write_frames ("b", world, 1, frames[2], formats[2], cut);
    assert_true (committee_is_divisible (
        setting.trajectory.path, setting.forces, setting.input.n_models));
    try_pieces (&setting, rises);
}

static void test_pieces (void **state)
{
    struct world *world = xcalloc (1, sizeof (*world));
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    make_world (world);
    for (size_t i = 0; i < ARRAY_SIZE (divisions); i++) {
        const char *const frames[] = { divisions[i].trajectory,
                                       divisions[i].first,
                                       divisions[i].second };

        for (size_t j = 0; j < ARRAY_SIZE (triples); j++)
            try_frames (world, frames, triples[j], divisions[i].cut,
                        divisions[i].rises);
    }
    temp_dir_leave (&dir);
    free (world);
}

static void test_what_stands_before_frames (void **state)
{
    static const char *const timed[] = { "-0-1-2-3-4-5-6", "-0-1-3-4-5-6",
                                         "0123456" };
    static const char *const untold[] = { "0123!456", "0123456", "0123456" };
    struct world *world = xcalloc (1, sizeof (*world));
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    make_world (world);
    try_frames (world, timed, triples[0], 0, true);
    try_frames (world, untold, triples[2], 0, false);
    temp_dir_leave (&dir);
    free (world);
}

/* Of arrays the rows are counted; where neither steps nor rows are, or all is
 * in one block, a file is not shared.
 */
static void test_divisibility (void **state)
{
    static const struct {
        const char *path;
        enum vector_division division;
    } cases[] = {
        { "m1.t", VECTOR_BY_STEP },
        { "m1.b", VECTOR_BY_STEP },
        { "m1.x", VECTOR_BY_STEP },
        { "m1.y", VECTOR_WHOLE },
        { "text.gz", VECTOR_WHOLE },
        { "old.b", VECTOR_WHOLE },
        { "s1/set/force.npy", VECTOR_BY_NUMBER },
        { "absent", VECTOR_WHOLE },
    };
    struct world *world = xcalloc (1, sizeof (*world));
    struct setting setting;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    make_world (world);
    for (int format = 0; format < FORMATS; format++)
        write_file (world, 1, (enum format)format);
    assert_int_equal (system ("gzip <m1.t >text.gz && "
                              "tail -c +27 m1.b | head -c 2000 >old.b"),
                      0);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        print_message ("# %s\n", cases[i].path);
        assert_int_equal (vector_division (cases[i].path), cases[i].division);
    }
    set_up (&setting, write_file (world, -1, NPY));
    for (int k = 0; k < MODELS; k++)
        setting.forces[k] = write_file (world, k, NPY);
    assert_true (committee_is_divisible (
        setting.trajectory.path, setting.forces, setting.input.n_models));
    try_pieces (&setting, true);
    setting.forces[1] = "m1.t"; /* an array and a dump */
    assert_false (committee_is_divisible (
        setting.trajectory.path, setting.forces, setting.input.n_models));
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
    assert_int_equal (vector_find_from ("t", hole - 100, &place, &step, NULL),
                      1);
    assert_true (place == hole + 1);
    assert_int_equal (step, 40);
    assert_int_equal (vector_find_from ("t", place + 1, &place, &step, NULL),
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
        cmocka_unit_test (test_pieces),
        cmocka_unit_test (test_what_stands_before_frames),
        cmocka_unit_test (test_divisibility),
        cmocka_unit_test (test_large_dump),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
