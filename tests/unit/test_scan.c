/* SPDX-License-Identifier: BSD-3-Clause */
/* test_scan.c - frames judged side by side with their forces
 *
 * Two models and one atom: the forces on it are 0 and 2 d along x, so that the
 * deviation is d.
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "temp_dir.h"
#include "reduce/selection_input.h"
#include "reduce/scan.h"
#include "selection/statistics/frame_stats.h"

#define DUMP(step, columns, row)                                               \
    "ITEM: TIMESTEP\n" step "\nITEM: NUMBER OF ATOMS\n1\n"                     \
    "ITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\nITEM: ATOMS " columns "\n" row  \
    "\n"
#define AT(step) DUMP (step, "id type x y z", "1 1 1 2 3")
#define FORCE(step, fx) DUMP (step, "id type fx fy fz", "1 1 " fx " 0 0")

static struct criteria criteria = {
    .has = { [DEVIATION_FORCE] = true },
    .levels = { [DEVIATION_FORCE] = { 0.2, 0.8 } },
};

/* What the files of one trajectory amount to. */
struct found {
    struct frame_stats stats;
    uint64_t counts[SCAN_COUNTS];
    struct sampled *frames; /* those drawn, by place */
    size_t n;
};

static void found_release (struct found *found)
{
    frame_stats_release (&found->stats);
}

static int scan_all (struct selection_input *input, struct found *found,
                     struct error *err)
{
    uint64_t bytes[] = { input->trajectories[0].deviations ? UINT64_MAX : 1 };
    static const struct share_cut cuts[] = { { 0, 0 }, { 1, 0 } };
    struct scan scan;
    size_t file;
    int rc;

    frame_stats_init (&found->stats, &input->rules);
    frame_stats_start (&found->stats, PASS_CLASSES, input->rules.quota);
    scan_init (&scan, input, &found->stats, bytes, bytes);
    rc = scan_share (&scan, cuts, &file, err);
    memcpy (found->counts, scan.counts, sizeof (scan.counts));
    scan_release (&scan);
    found->frames = found->stats.found.samples[0].frames;
    found->n = found->stats.found.samples[0].n;
    sampled_sort (found->frames, found->n);
    return rc;
}

static int scan (const char *trajectory, const char *f0, const char *f1,
                 struct found *found, struct error *err)
{
    const char *forces[] = { "f0", "f1" };
    struct trajectory t = {
        .task = 7, .path = "t", .forces = forces, .expected_frames = 4
    };
    struct selection_input input = { .rules = { .criteria = &criteria,
                                                .n_systems = 1,
                                                .n_bins = 1,
                                                .quota = 100,
                                                .seed = 1,
                                                .skip_steps = 1 },
                                     .trajectories = &t,
                                     .n_trajectories = 1,
                                     .n_models = 2 };
    static struct rules rules; /* the statistics goes on using them */
    struct temp_dir dir;
    int rc;

    temp_dir_enter (&dir);
    if (trajectory)
        write_text ("t", trajectory);
    if (f0)
        write_text ("f0", f0);
    if (f1)
        write_text ("f1", f1);
    rc = scan_all (&input, found, err);
    temp_dir_leave (&dir);
    rules = input.rules;
    found->stats.rules = &rules;
    return rc;
}

struct expected {
    const char *trajectory, *f0, *f1;
    uint64_t frames[FRAME_CLASSES]; /* accurate, candidate, failed, invalid */
    uint64_t counts[5]; /* lost, absent, absent forces, cut, again */
};

static void expect (const struct expected *expected)
{
    static const int which[] = { COUNT_LOST, COUNT_ABSENT_TRAJECTORIES,
                                 COUNT_ABSENT_FORCES, COUNT_CUT_FILES,
                                 COUNT_REPEATED_STEPS };
    struct error err = ERROR_INIT;
    struct found found;

    if (scan (expected->trajectory, expected->f0, expected->f1, &found, &err)
        < 0)
        fail_msg ("%s", err.text);
    assert_memory_equal (found.stats.histograms[0].frames, expected->frames,
                         sizeof (expected->frames));
    for (size_t i = 0; i < ARRAY_SIZE (which); i++)
        assert_int_equal (found.counts[which[i]], expected->counts[i]);
    assert_int_equal (found.n, expected->frames[FRAME_CANDIDATE]);
    found_release (&found);
}

#define TWO(step, columns)                                                     \
    "ITEM: TIMESTEP\n" step "\nITEM: NUMBER OF ATOMS\n2\n"                     \
    "ITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\nITEM: ATOMS id type " columns   \
    "\n1 1 1 2 3\n2 1 4 5 6\n"
#define ZEROS                                                                  \
    FORCE ("0", "0")                                                           \
    FORCE ("1", "0") FORCE ("2", "0") FORCE ("3", "0") FORCE ("4", "0")
#define FIVE AT ("0") AT ("1") AT ("2") AT ("3") AT ("4")
#define SPREAD                                                                 \
    FORCE ("0", "0")                                                           \
    FORCE ("1", "0.2")                                                         \
    FORCE ("2", "0.4")                                                         \
    FORCE ("3", "1.5")                                                         \
    FORCE ("4", "1."                                                           \
                "6")

static const struct expected loss_cases[] = {
    { FIVE, ZEROS, SPREAD, { 1, 2, 1, 0 }, { 0 } },
    /* files that are not there */
    { NULL, NULL, NULL, { 0 }, { 4, 1, 0, 0, 0 } },
    { FIVE, NULL, SPREAD, { 0, 0, 0, 4 }, { 0, 0, 1, 0, 0 } },
    { FIVE, NULL, NULL, { 0, 0, 0, 4 }, { 0, 0, 2, 0, 0 } },
    { "", "", "", { 0 }, { 4, 0, 0, 0, 0 } },
    /* runs that died */
    { AT ("0") AT ("1") "ITEM: T",
      ZEROS,
      SPREAD,
      { 1, 0, 0, 0 },
      { 3, 0, 0, 1, 0 } },
    { FIVE,
      ZEROS,
      FORCE ("0", "0") FORCE ("1", "0") "ITEM: TIMESTEP\n2\n",
      { 1, 0, 0, 3 },
      { 0, 0, 0, 1, 0 } },
    /* forces without holes, with a hole, and of more frames */
    { AT ("2") AT ("4"), ZEROS, SPREAD, { 0, 1, 1, 0 }, { 2, 0, 0, 0, 0 } },
    { FIVE,
      ZEROS,
      FORCE ("1", "0") FORCE ("3", "0") FORCE ("4", "0"),
      { 3, 0, 0, 1 },
      { 0 } },
    /* what is not finite */
    { AT ("1") AT ("2") AT ("3") AT ("4"),
      ZEROS,
      FORCE ("1", "nan") FORCE ("2", "inf") FORCE ("3", "1e300")
          FORCE ("4", "0"),
      { 1, 0, 0, 3 },
      { 0 } },
    { DUMP ("1", "id type x y z", "1 1 nan 0 0") AT ("2") AT ("3") AT ("4"),
      ZEROS,
      ZEROS,
      { 3, 0, 0, 1 },
      { 0 } },
    /* other atoms */
    { FIVE,
      ZEROS,
      DUMP ("1", "id fx fy fz", "2 0 0 0")
          DUMP ("2", "fx fy fz", "0 0 0") "ITEM: TIMESTEP\n3\n"
                                          "ITEM: NUMBER OF ATOMS\n0\n"
                                          "ITEM: BOX BOUNDS\n0 1\n0 1\n0 1\n"
                                          "ITEM: ATOMS fx fy fz\n",
      { 1, 0, 0, 3 },
      { 0 } },
    /* frames of more and of fewer atoms in one trajectory */
    { TWO ("1", "x y z") AT ("2") TWO ("3", "x y z"),
      TWO ("1", "fx fy fz") FORCE ("2", "0") TWO ("3", "fx fy fz"),
      TWO ("1", "fx fy fz") FORCE ("2", "0.6") FORCE ("3", "0"),
      { 1, 1, 0, 1 },
      { 1, 0, 0, 0, 0 } },
    /* atoms in another order in every file */
    { "ITEM: TIMESTEP\n1\nITEM: NUMBER OF ATOMS\n2\n"
      "ITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n"
      "ITEM: ATOMS id type x y z\n2 1 4 4 4\n1 1 0 0 0\n",
      TWO ("1", "fx fy fz"),
      "ITEM: TIMESTEP\n1\nITEM: NUMBER OF ATOMS\n2\n"
      "ITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n"
      "ITEM: ATOMS fz fy fx id\n6 5 4 2\n3 2 1 1\n",
      { 1, 0, 0, 0 },
      { 3, 0, 0, 0, 0 } },
    /* a run that started again, with forces for both, then for one */
    { AT ("1") AT ("2") AT ("1") AT ("2") AT ("3"),
      FORCE ("1", "0") FORCE ("2", "0") ZEROS,
      FORCE ("1", "2") FORCE ("2", "2") FORCE ("1", "0") FORCE ("2", "0.5")
          FORCE ("3", "0.5"),
      { 1, 2, 0, 0 },
      { 1, 0, 0, 0, 2 } },
    { AT ("1") AT ("2") AT ("1") AT ("2") AT ("3"),
      FORCE ("1", "0") FORCE ("2", "0") ZEROS,
      SPREAD,
      { 0, 1, 0, 2 },
      { 1, 0, 0, 0, 2 } },
};

static void test_classes_and_losses (void **state)
{

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (loss_cases); i++)
        expect (&loss_cases[i]);
}

/* What is drawn can be found again. */
static void test_places (void **state)
{
    struct found found;

    (void)state;
    assert_int_equal (scan (FIVE, ZEROS, SPREAD, &found, NULL), 0);
    assert_int_equal (found.n, 2);
    assert_int_equal (found.frames[0].task, 7);
    assert_int_equal (found.frames[0].step, 2);
    assert_int_equal (found.frames[0].place, strlen (AT ("0") AT ("1")));
    assert_true (found.frames[0].deviation == 0.2);
    assert_true (found.frames[1].deviation == 0.75);
    assert_true (found.stats.histograms[0].max_deviation == 0.8);
    found_release (&found);
}

static void test_malformed (void **state)
{
    static const struct {
        const char *trajectory, *f0, *f1;
        const char *message;
    } cases[] = {
        { "x\n", ZEROS, ZEROS, "t:1: expected a heading" },
        { FIVE, ZEROS, AT ("1"),
          "f1:9: no column 'fx'; dump the columns fx fy" },
        { DUMP ("1", "id type x y", "1 1 1 2"), ZEROS, ZEROS,
          "t:9: no column 'z'; dump the columns x y z" },
        { FIVE, DUMP ("1", "id fx fy fz", "1 0 0 x"), ZEROS,
          "f0:10: expected a number in column 4 (fz)" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct error err = ERROR_INIT;
        struct found found;

        assert_int_equal (
            scan (cases[i].trajectory, cases[i].f0, cases[i].f1, &found, &err),
            -1);
        if (strncmp (err.text, cases[i].message, strlen (cases[i].message))
            != 0)
            fail_msg ("expected '%s', found '%s'", cases[i].message, err.text);
        found_release (&found);
    }
}

/* Pieces of a file fit when steps only go up from one to the next. */
static void test_pieces (void **state)
{
    static const struct {
        struct scan_piece pieces[3];
        bool fit;
    } cases[] = {
        { { { .n_frames = 2, .first_step = 0, .last_step = 9 },
            { .n_frames = 0 },
            { .n_frames = 1, .first_step = 10, .last_step = 10 } },
          true },
        { { { .n_frames = 2, .first_step = 0, .last_step = 9 },
            { .n_frames = 1, .first_step = 9, .last_step = 9 } },
          false },
        { { { .n_frames = 2, .first_step = 0, .last_step = 9 },
            { .went_back = true } },
          false },
        { { { .n_frames = 0 } }, true },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++)
        assert_int_equal (scan_pieces_fit (cases[i].pieces, 3), cases[i].fit);
}

#define HEADING                                                                \
    "# step max_devi_v min_devi_v avg_devi_v max_devi_f min_devi_f "           \
    "avg_devi_f\n"
#define ROW(step) step " 0.1 0.1 0.1 0.5 0.1 0.1\n"

/* One pass over the file 'd', of which so many bytes are known: its frames. */
static uint64_t scan_deviations (uint64_t *bytes)
{
    static const struct share_cut cuts[] = { { 0, 0 }, { 1, 0 } };
    struct trajectory trajectory = { .deviations = "d" };
    struct selection_input input = {
        .rules = { .criteria = &criteria, .n_systems = 1, .n_bins = 1 },
        .trajectories = &trajectory,
        .n_trajectories = 1
    };
    struct frame_stats stats;
    struct scan scan;
    uint64_t n;
    size_t file;

    frame_stats_init (&stats, &input.rules);
    frame_stats_start (&stats, PASS_CLASSES, 1);
    scan_init (&scan, &input, &stats, bytes, NULL);
    assert_int_equal (scan_share (&scan, cuts, &file, NULL), 0);
    n = histogram_frames (&stats.histograms[0]);
    scan_release (&scan);
    frame_stats_release (&stats);
    return n;
}

/* Whoever does not know how long a file is sees all of it, and the same the
 * next time, though it has grown, also from nothing.
 */
static void test_unknown_bytes (void **state)
{
    static const char *const texts[] = {
        HEADING ROW ("0") ROW ("10"),
        HEADING ROW ("0") ROW ("10") ROW ("5") ROW ("10"), /* went back */
        HEADING ROW ("0") ROW ("10") "20 0.1 0.1",         /* cut */
        NULL,
    };
    static const uint64_t frames[] = { 2, 3, 2, 0 };
    struct temp_dir dir;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (texts); i++) {
        uint64_t bytes = UINT64_MAX;

        temp_dir_enter (&dir);
        if (texts[i])
            write_text ("d", texts[i]);
        assert_int_equal (scan_deviations (&bytes), frames[i]);
        assert_int_equal (bytes, texts[i] ? strlen (texts[i]) : 0);
        write_text ("d", HEADING ROW ("0") ROW ("10") ROW ("20") ROW ("30"));
        if (i == 0 || i == 3) /* the others are other files now */
            assert_int_equal (scan_deviations (&bytes), frames[i]);
        temp_dir_leave (&dir);
    }
}

/* A file is malformed, and not absent, whatever happened to another before. */
static void test_malformed_after_absent (void **state)
{
    static const struct {
        const char *deviations, *trajectory;
        const char *message;
    } cases[] = {
        { "no rows\n", NULL, "d: at byte 0: expected a step" },
        { NULL, "no dump\n", "t:1: expected a heading" },
    };
    const char *forces[] = { "f0", "f1" };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct trajectory t = { .task = 7, .path = "t", .forces = forces };
        struct selection_input input = {
            .rules = { .criteria = &criteria, .n_systems = 1, .n_bins = 1 },
            .trajectories = &t,
            .n_trajectories = 1,
            .n_models = 2
        };
        struct error err = ERROR_INIT;
        struct found found;
        struct temp_dir dir;

        if (cases[i].deviations)
            t = (struct trajectory){ .deviations = "d" };
        temp_dir_enter (&dir);
        write_text ("d", cases[i].deviations ? cases[i].deviations : "");
        write_text ("t", cases[i].trajectory ? cases[i].trajectory : "");
        errno = ENOENT;
        assert_int_equal (scan_all (&input, &found, &err), -1);
        if (!strstr (err.text, cases[i].message))
            fail_msg ("expected %s, found %s", cases[i].message, err.text);
        temp_dir_leave (&dir);
        found_release (&found);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_classes_and_losses),
        cmocka_unit_test (test_places),
        cmocka_unit_test (test_malformed),
        cmocka_unit_test (test_pieces),
        cmocka_unit_test (test_unknown_bytes),
        cmocka_unit_test (test_malformed_after_absent),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
