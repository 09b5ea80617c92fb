/* SPDX-License-Identifier: BSD-3-Clause */
/* test_result.c - selected frames and numbers, whole or not at all */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "temp_dir.h"
#include "reduce/selection_input.h"
#include "reduce/result.h"
#include "reduce/passes.h"
#include "selection/statistics/frame_stats.h"

#define DUMP(step, columns, row)                                               \
    "ITEM: TIMESTEP\n" step "\nITEM: NUMBER OF ATOMS\n1\n"                     \
    "ITEM: BOX BOUNDS pp pp ff\n0 9\n0 9\n1 9\nITEM: ATOMS " columns "\n" row  \
    "\n"

static struct trajectory trajectories[] = {
    { .task = 3, .system = 0, .path = "t3" },
    { .task = 4, .system = 1, .path = "t4" },
    { .task = 9, .system = 0, .path = "t9" },
};

static struct criteria criteria[] = {
    { .has = { [DEVIATION_FORCE] = true },
      .levels = { [DEVIATION_FORCE] = { 0.25, 1 } } },
    { .has = { [DEVIATION_FORCE] = true },
      .levels = { [DEVIATION_FORCE] = { 0.5, 2 } } },
};

static struct selection_input input = {
    .elements = STRVEC_INIT,
    .systems = STRVEC_INIT,
    .rules = { .criteria = criteria, .n_systems = 2, .n_bins = 1 },
    .trajectories = trajectories,
    .n_trajectories = 3,
    .missing_tasks = 2,
    .iteration = 2,
    .frames_dir = "out/frames",
    .params_path = "out/params.json"
};

static int make_files (void **state)
{
    static struct temp_dir dir;

    *state = &dir;
    temp_dir_enter (&dir);
    strvec_push (&input.systems, "b");
    strvec_push (&input.systems, "a");
    strvec_push (&input.elements, "Si");
    strvec_push (&input.elements, "Ge");
    write_text ("t3", DUMP ("0", "id type x y z", "1 1 1 2 3")
                          DUMP ("5", "id type x y z", "1 2 0.1 -2e-17 3.5"));
    write_text ("t4", DUMP ("5", "id element z y x", "1 C 1 2 3"));
    write_text ("t9", DUMP ("0", "id type x y z", "1 3 1 2 3")
                          DUMP ("1", "id x y z", "1 2 3 4"));
    return 0;
}

static int remove_files (void **state)
{
    temp_dir_leave (*state);
    strvec_release (&input.elements);
    strvec_release (&input.systems);
    return 0;
}

static const uint64_t second_of_t3 =
    sizeof (DUMP ("0", "id type x y z", "1 1 1 2 3")) - 1;

/* A statistics of the input's two systems. */
static void start_stats (struct frame_stats *stats)
{
    frame_stats_init (stats, &input.rules);
    frame_stats_start (stats, PASS_CLASSES, 0);
}

static int write_result (struct sampled *frames, size_t n, struct error *err)
{
    struct selection selection = { .frames = frames, .n = n };
    struct frame_stats stats;
    int rc;

    start_stats (&stats);
    histogram_add (&stats.histograms[0], FRAME_ACCURATE, 0.1);
    histogram_add (&stats.histograms[0], FRAME_CANDIDATE, 0.5);
    histogram_add (&stats.histograms[1], FRAME_FAILED, 2);
    histogram_add (&stats.histograms[1], FRAME_INVALID, NAN);
    selection.counts[COUNT_LOST] = 1;
    selection.counts[COUNT_ABSENT_TRAJECTORIES] = 4;
    selection.counts[COUNT_ABSENT_FORCES] = 3;
    selection.counts[COUNT_ABSENT_DEVIATIONS] = 2;
    selection.counts[COUNT_CUT_FILES] = 6;
    selection.counts[COUNT_CUT_ROWS] = 5;
    selection.counts[COUNT_REPEATED_STEPS] = 7;
    selection.verdicts[VERDICT_NO_FRAME] = 8;
    rc = result_write (&input, &stats, &selection, err);
    frame_stats_release (&stats);
    return rc;
}

/* The numbers apart from those of the systems. */
static void expect_params (const char *expected)
{
    struct json *params = json_read_file ("out/params.json", NULL);
    struct strbuf text = STRBUF_INIT;

    assert_non_null (params);
    json_delete (params, "systems");
    json_dump (params, JSON_PRETTY, &text);
    assert_string_equal (text.buf, expected);
    strbuf_release (&text);
    json_unref (params);
}

static void test_systems (void **state)
{
    struct sampled frames[] = { { .task = 4, .step = 5 } };
    struct json *params, *a, *b;
    struct strbuf text = STRBUF_INIT;

    (void)state;
    assert_int_equal (write_result (frames, 1, NULL), 0);
    params = json_read_file ("out/params.json", NULL);
    b = json_get (json_get (params, "systems"), "b");
    a = json_get (json_get (params, "systems"), "a");
    json_dump (b, JSON_COMPACT, &text);
    assert_string_equal (
        text.buf,
        "{\"frames\":2,\"accurate\":1,\"candidates\":1,\"failed\":0,"
        "\"invalid\":0,\"selected\":0,\"levels\":{\"force\":[0.25,1.0]},"
        "\"histogram\":{\"edges\":[0.09375,0.109375,0.125,0.15625,0.1875,"
        "0.21875,0.25,0.3125,0.375,0.4375,0.5,0.625],"
        "\"frames\":[1,0,0,0,0,0,0,0,0,0,1]}}");
    strbuf_reset (&text);
    json_dump (a, JSON_COMPACT, &text);
    assert_string_equal (
        text.buf,
        "{\"frames\":2,\"accurate\":0,\"candidates\":0,\"failed\":1,"
        "\"invalid\":1,\"selected\":1,\"levels\":{\"force\":[0.5,2.0]},"
        "\"histogram\":{\"edges\":[2.0,2.5],\"frames\":[1]}}");
    strbuf_release (&text);
    json_unref (params);
}

static void test_frames_and_numbers (void **state)
{
    struct sampled frames[] = {
        { .task = 3, .step = 0, .place = 0, .deviation = 0.25 },
        { .task = 3, .step = 5, .place = second_of_t3, .deviation = 0.1 },
        { .task = 4, .step = 5, .place = 0, .deviation = 0.5 },
    };
    struct error err = ERROR_INIT;
    struct strvec names = STRVEC_INIT;

    (void)state;
    if (write_result (frames, 3, &err) < 0)
        fail_msg ("%s", err.text);
    assert_file_text (
        "out/frames/b.extxyz",
        "1\nLattice=\"9.0 0.0 0.0 0.0 9.0 0.0 0.0 0.0 8.0\" "
        "Properties=species:S:1:pos:R:3 pbc=\"T T F\" iteration=2 task=3 "
        "step=0 deviation=0.25\nSi 1.0 2.0 3.0\n"
        "1\nLattice=\"9.0 0.0 0.0 0.0 9.0 0.0 0.0 0.0 8.0\" "
        "Properties=species:S:1:pos:R:3 pbc=\"T T F\" iteration=2 task=3 "
        "step=5 deviation=0.1\nGe 0.1 -2e-17 3.5\n");
    assert_file_text ("out/frames/a.extxyz",
                      "1\nLattice=\"9.0 0.0 0.0 0.0 9.0 0.0 0.0 0.0 8.0\" "
                      "Properties=species:S:1:pos:R:3 pbc=\"T T F\" "
                      "iteration=2 task=4 step=5 deviation=0.5\n"
                      "C 3.0 2.0 1.0\n");
    expect_params ("{\n  \"accurate\": 0.2,\n"
                   "  \"candidate\": 0.2,\n  \"failed\": 0.6,\n"
                   "  \"invalid\": 0.2,\n  \"candidates\": 1,\n"
                   "  \"selected\": 3,\n  \"lost\": 1,\n"
                   "  \"missing_tasks\": 2,\n  \"absent_files\": 9,\n"
                   "  \"cut_files\": 6,\n  \"cut_rows\": 5,\n"
                   "  \"repeated_steps\": 7,\n"
                   "  \"without_frame\": 8,\n"
                   "  \"bad_box\": 0,\n  \"too_close\": 0,\n"
                   "  \"no_vacuum\": 0,\n  \"duplicates\": 0,\n"
                   "  \"max_deviation\": 2.0,\n"
                   "  \"deviation_median\": 0.5078125,\n"
                   "  \"levels\": {\n    \"b\": {\n      \"force\": [\n"
                   "        0.25,\n        1.0\n      ]\n    },\n"
                   "    \"a\": {\n      \"force\": [\n        0.5,\n"
                   "        2.0\n      ]\n    }\n  },\n"
                   "  \"converged\": false,\n"
                   "  \"convergence\": \"not tested\",\n"
                   "  \"total\": 5,\n  \"proceed\": true\n}\n");
    assert_int_equal (file_list_dir ("out", &names, NULL), 0);
    assert_int_equal (names.n, 2); /* nothing temporary */
    strvec_release (&names);
}

static void test_no_frames (void **state)
{
    static const struct selection nothing = SELECTION_INIT;
    struct selection_input empty = input;
    struct frame_stats stats;
    struct strvec names = STRVEC_INIT;

    (void)state;
    empty.missing_tasks = 0;
    empty.systems.n = 0;
    start_stats (&stats);
    assert_int_equal (result_write (&empty, &stats, &nothing, NULL), 0);
    frame_stats_release (&stats);
    assert_int_equal (file_list_dir ("out/frames", &names, NULL), 0);
    assert_int_equal (names.n, 0);
    assert_file_text ("out/params.json",
                      "{\n  \"accurate\": 0.0,\n"
                      "  \"candidate\": 0.0,\n  \"failed\": 0.0,\n"
                      "  \"invalid\": 0.0,\n  \"candidates\": 0,\n"
                      "  \"selected\": 0,\n  \"lost\": 0,\n"
                      "  \"missing_tasks\": 0,\n  \"absent_files\": 0,\n"
                      "  \"cut_files\": 0,\n  \"cut_rows\": 0,\n"
                      "  \"repeated_steps\": 0,\n"
                      "  \"without_frame\": 0,\n  \"bad_box\": 0,\n"
                      "  \"too_close\": 0,\n  \"no_vacuum\": 0,\n"
                      "  \"duplicates\": 0,\n"
                      "  \"levels\": {},\n"
                      "  \"converged\": false,\n"
                      "  \"convergence\": \"not tested\",\n"
                      "  \"systems\": {},\n  \"total\": 0,\n"
                      "  \"proceed\": false\n}\n");
    strvec_release (&names);
}

/* An empty directory may be there, anything else is kept. */
static void test_existing_directory (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (file_make_dirs ("out/frames", NULL), 0);
    assert_int_equal (write_result (NULL, 0, &err), 0);
    write_text ("out/frames/mine", "x");
    assert_int_equal (write_result (NULL, 0, &err), -1);
    assert_non_null (strstr (err.text, "frames_dir must be absent or empty: "));
    assert_file_text ("out/frames/mine", "x");
}

static void test_failures_leave_nothing (void **state)
{
    static const struct {
        struct sampled frame;
        const char *message;
    } cases[] = {
        { { .task = 3, .step = 1, .place = 0 }, "t3: changed while it was" },
        { { .task = 3, .step = 1, .place = 100000 }, "t3: changed while" },
        { { .task = 3, .step = 0, .place = 5 },
          "t3: line 1 from byte 5 on: expected a heading" },
        { { .task = 9, .step = 0, .place = 0 },
          "t9: step 0: atom type 3, but there are 2 elements" },
        { { .task = 9, .step = 1, .place = second_of_t3 },
          "t9: step 1: no column 'type' or 'element'" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct sampled frames[2] = { { .task = 4, .step = 5 }, cases[i].frame };
        struct strvec names = STRVEC_INIT;
        struct error err = ERROR_INIT;

        assert_int_equal (write_result (frames, 2, &err), -1);
        if (strncmp (err.text, cases[i].message, strlen (cases[i].message))
            != 0)
            fail_msg ("expected '%s', found '%s'", cases[i].message, err.text);
        assert_int_equal (file_list_dir ("out", &names, NULL), 0);
        assert_int_equal (names.n, 0);
        strvec_release (&names);
    }
}

/* What was asked for, and each frame; and the rule that ends the campaign. */
static void test_provenance (void **state)
{
    static const char asked[] =
        "{\"duplicates\": {\"labelled\": [\"x\"], \"tolerance\": 0.1}, "
        "\"frames_dir\": \"x\", \"levels\": {\"force\": [0.25, 1]}}";
    struct sampled frames[] = { { .task = 4, .step = 5, .deviation = 0.5 } };
    struct selection_input kept = input;
    struct strbuf text = STRBUF_INIT;
    struct json *found;

    (void)state;
    input.provenance_path = "out/from.json";
    input.inputs = json_parse (asked, sizeof (asked) - 1, "asked", NULL);
    input.rules.convergence.accurate = 0.125;
    assert_int_equal (write_result (frames, 1, NULL), 0);
    found = json_read_file ("out/from.json", NULL);
    json_dump (found, JSON_COMPACT, &text);
    assert_string_equal (
        text.buf, "{\"format\":1,"
                  "\"request\":{\"levels\":{\"force\":[0.25,1]},"
                  "\"duplicates\":{\"tolerance\":0.1}},"
                  "\"frames\":[{\"iteration\":2,\"system\":\"a\",\"task\":4,"
                  "\"part\":0,\"step\":5,\"deviation\":0.5,"
                  "\"levels\":{\"force\":[0.5,2.0]},"
                  "\"picked\":\"random\"}],\"refused\":[]}");
    json_unref (found);
    found = json_read_file ("out/params.json", NULL);
    assert_true (json_as_bool (json_get (found, "converged")));
    assert_string_equal (json_as_string (json_get (found, "convergence")),
                         "accurate 0.2, at least 0.125");
    json_unref (found);
    strbuf_release (&text);
    json_unref (input.inputs);
    input = kept;
}

/* Without the numbers the frames go, too. */
static void test_numbers_cannot_be_written (void **state)
{
    struct selection_input other = input;
    struct selection nothing = SELECTION_INIT;
    struct frame_stats stats;
    struct error err = ERROR_INIT;

    (void)state;
    other.params_path = "t3/params.json";
    start_stats (&stats);
    assert_int_equal (result_write (&other, &stats, &nothing, &err), -1);
    frame_stats_release (&stats);
    assert_false (file_exists ("out/frames"));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown (test_frames_and_numbers, make_files,
                                         remove_files),
        cmocka_unit_test_setup_teardown (test_systems, make_files,
                                         remove_files),
        cmocka_unit_test_setup_teardown (test_no_frames, make_files,
                                         remove_files),
        cmocka_unit_test_setup_teardown (test_existing_directory, make_files,
                                         remove_files),
        cmocka_unit_test_setup_teardown (test_failures_leave_nothing,
                                         make_files, remove_files),
        cmocka_unit_test_setup_teardown (test_provenance, make_files,
                                         remove_files),
        cmocka_unit_test_setup_teardown (test_numbers_cannot_be_written,
                                         make_files, remove_files),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
