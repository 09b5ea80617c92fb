/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operators_lammps_explore.c - the steps of lammps.explore, LAMMPS being
 * a shell script
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "operators/table.h"
#include "stdout_to.h"
#include "temp_dir.h"

static const char data_file[] =
    "two atoms\n\n2 atoms\n1 atom types\n\n0 5 xlo xhi\n0 5 ylo yhi\n"
    "0 5 zlo zhi\n\nAtoms # atomic\n\n1 1 0 0 0\n2 1 1.25 1 1\n";

/* What the agent would write, of inputs as the campaign gives them. */
static struct json *whole_task (const char *script)
{
    static const char text[] =
        "{\"format\": 1, \"campaign_dir\": \".\", \"seed\": 11, \"inputs\": {"
        " \"input\": \"md-lines\", \"systems\": {\"a\": \"a.data\"},"
        " \"for_each\": {\"temperature\": [300, 700]}, \"replicas\": 2,"
        " \"steps\": 41, \"dump_every\": 20, \"committee\": \"rerun\","
        " \"potentials\": [\"/p/one\", \"/p/two\"], \"elements\": [\"Si\"],"
        " \"pair_style\": \"kim {potential}\","
        " \"pair_coeff\": \"* * {elements}\", \"system\": \"a\","
        " \"variables\": {\"temperature\": 700, \"scale\": 2},"
        " \"structure\": \"a.data\", \"run_input\": \"md-lines\","
        " \"run_steps\": 41, \"run_dump_every\": 20},"
        " \"outputs\": {\"trajectory\": \"out/trajectory.dump\","
        " \"forces\": \"out/forces\"}}";
    struct json *task = json_parse (text, strlen (text), "task", NULL);
    struct json *lammps = json_array ();

    assert_non_null (task);
    json_push (lammps, json_string ("sh"));
    json_push (lammps, json_string ("-c"));
    json_push (lammps, json_string (script));
    json_set (json_get (task, "inputs"), "lammps", lammps);
    return task;
}

static void write_task (struct json *task)
{
    assert_int_equal (json_write_file ("task.json", task, NULL), 0);
    json_unref (task);
}

static void enter_task (struct temp_dir *dir)
{
    temp_dir_enter (dir);
    write_text ("a.data", data_file);
    write_text ("md-lines",
                "fix 1 all nvt temp ${temperature} ${temperature} 1\nrun "
                "${steps}\n");
}

/* --- prepare --- */

static void test_prepare (void **state)
{
    struct error err = ERROR_INIT;
    struct temp_dir dir;
    struct json *slices;

    (void)state;
    enter_task (&dir);
    write_task (whole_task (""));
    if (operator_step_run ("lammps.explore", "prepare", &err) != STEP_OK)
        fail_msg ("%s", err.text);
    slices = json_read_file ("slices.json", NULL);
    assert_int_equal (json_count (json_get (slices, "system")), 4);
    assert_int_equal (json_count (json_get (slices, "variables")), 4);
    json_unref (slices);
    temp_dir_leave (&dir);
}

/* Each run has its conditions; a file is kept once however often it is used. */
static void test_prepare_runs (void **state)
{
    static const char runs[] =
        "[{\"systems\": {\"a\": \"a.data\"}, \"replicas\": 1},"
        " {\"systems\": \"b?.data\", \"for_each\": {}, \"steps\": 60,"
        "  \"input\": \"hot\"}]";
    static const char expected[] =
        "{\"system\":[\"a\",\"a\",\"b1\",\"b1\",\"b2\",\"b2\"],"
        "\"structure\":[\"files/000001.data\",\"files/000001.data\","
        "\"files/000003.data\",\"files/000003.data\","
        "\"files/000004.data\",\"files/000004.data\"],"
        "\"variables\":[{\"temperature\":300},{\"temperature\":700},"
        "{},{},{},{}],"
        "\"conditions\":[{\"temperature\":300},{\"temperature\":700},"
        "{},{},{},{}],"
        "\"run_input\":[\"files/000000.in\",\"files/000000.in\","
        "\"files/000002.in\",\"files/000002.in\","
        "\"files/000002.in\",\"files/000002.in\"],"
        "\"run_steps\":[41,41,60,60,60,60],"
        "\"run_dump_every\":[20,20,20,20,20,20]}";
    struct json *task, *slices;
    struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    enter_task (&dir);
    write_text ("b1.data", data_file);
    write_text ("b2.data", data_file);
    write_text ("hot", "fix 1 all nvt\nrun ${steps}\n");
    task = whole_task ("");
    json_delete (json_get (task, "inputs"), "systems");
    json_set (json_get (task, "inputs"), "runs",
              json_parse (runs, sizeof (runs) - 1, "runs", NULL));
    write_task (task);
    if (operator_step_run ("lammps.explore", "prepare", &err) != STEP_OK)
        fail_msg ("%s", err.text);
    slices = json_read_file ("slices.json", NULL);
    json_dump (slices, JSON_COMPACT, &text);
    assert_string_equal (text.buf, expected);
    assert_file_text ("out/files/000002.in", "fix 1 all nvt\nrun ${steps}\n");
    assert_file_text ("out/files/000004.data", data_file);
    strbuf_release (&text);
    json_unref (slices);
    temp_dir_leave (&dir);
}

/* {INPUT: wrong value} and what is said. */
static const struct {
    const char *name;
    const char *value;
    const char *complaint;
} bad_inputs[] = {
    { "steps", "0", "steps: 0 is less than 1" },
    { "dump_every", "-1", "dump_every: -1 is less than 1" },
    { "dump_every", "42", "dump_every: no frame is written in 41 steps" },
    { "replicas", "0", "replicas: 0 is less than 1" },
    { "committee", "\"dp\"", "committee: 'dp' is not known; use rerun or" },
    { "committee", "\"deepmd\"", "committee: 'deepmd' has other outputs" },
    { "potentials", "[]", "potentials: the committee has no member" },
    { "systems", "{\"a\": \"b.data\"}", "systems.a: " },
    { "systems", "{\"a\": \"md-lines\"}", "systems.a: md-lines:" },
    { "elements", "[]", "systems.a: " },
    { "input", "\"a.data\"", "a.data does not use ${steps}" },
    { "input", "\"none\"", "none" },
    { "for_each", "{\"temperature\": []}", "for_each.temperature: " },
    { "steps", "null", "steps is missing; give it in with:, or in each of" },
    { "systems", "null", "systems is missing; " },
    { "runs", "[{}, {\"steps\": 0}]", "runs[1]: steps: 0 is less than 1" },
    { "runs", "[{\"input\": \"a.data\"}]", "runs[0]: input: a.data does not" },
};

static void test_prepare_refuses (void **state)
{
    struct temp_dir dir;

    (void)state;
    enter_task (&dir);
    for (size_t i = 0; i < ARRAY_SIZE (bad_inputs); i++) {
        struct json *task = whole_task ("");
        struct error err = ERROR_INIT;

        json_set (json_get (task, "inputs"), bad_inputs[i].name,
                  json_parse (bad_inputs[i].value, strlen (bad_inputs[i].value),
                              "value", NULL));
        write_task (task);
        assert_int_equal (operator_step_run ("lammps.explore", "prepare", &err),
                          STEP_FATAL);
        if (!strstr (err.text, bad_inputs[i].complaint))
            fail_msg ("'%s' lacks '%s'", err.text, bad_inputs[i].complaint);
        assert_false (file_exists ("slices.json"));
    }
    temp_dir_leave (&dir);
}

/* --- run --- */

#define MD "case $1 in md.in) "
#define RERUN ";; rerun.in) "
#define END ";; esac"
#define FRAME(step, x)                                                         \
    "printf 'ITEM: TIMESTEP\\n" step "\\nITEM: NUMBER OF ATOMS\\n2\\n"         \
    "ITEM: BOX BOUNDS pp pp pp\\n0 9\\n0 9\\n0 9\\nITEM: ATOMS id type x y z"  \
    "\\n1 1 0 0 0\\n2 1 1 1 " x "\\n' >>md.dump; "
#define FORCES "echo f >out/forces/000.dump; echo g >out/forces/001.dump "

static const struct {
    const char *script;
    enum step_status status;
    const char *complaint; /* not OK */
    const char *params;    /* OK */
    size_t first_forces;   /* bytes */
} runs[] = {
    { MD FRAME ("0", "1") FRAME ("20", "2") FRAME ("40", "3") RERUN FORCES END,
      STEP_OK, NULL,
      "{\n  \"system\": \"a\",\n  \"frames_expected\": 2,\n  \"frames\": 3,\n"
      "  \"blown_up\": false\n}\n",
      2 },
    /* an explosion: what there was is kept; the last frame was cut */
    { MD FRAME ("0", "1") FRAME ("20", "nan") FRAME (
          "40",
          "3") "printf 'ITEM: TIME' >>md.dump; echo 'LAMMPS (x)'; "
               "echo 'ERROR: Lost atoms: original 2 current 1'; exit 1" RERUN
                   FORCES END,
      STEP_OK, NULL,
      "{\n  \"system\": \"a\",\n  \"frames_expected\": 2,\n  \"frames\": 2,\n"
      "  \"blown_up\": true\n}\n",
      2 },
    /* an explosion nobody noticed */
    { MD FRAME ("0", "1") FRAME ("20", "nan") FRAME ("40", "nan")
          RERUN FORCES END,
      STEP_OK, NULL,
      "{\n  \"system\": \"a\",\n  \"frames_expected\": 2,\n  \"frames\": 1,\n"
      "  \"blown_up\": true\n}\n",
      2 },
    /* an explosion before the first frame: nothing to rerun */
    { MD "echo 'LAMMPS (x)'; echo 'ERROR: Lost atoms'; exit 1" RERUN
         "exit 9" END,
      STEP_OK, NULL,
      "{\n  \"system\": \"a\",\n  \"frames_expected\": 2,\n  \"frames\": 0,\n"
      "  \"blown_up\": true\n}\n",
      0 },
    /* forces that could not be computed are missing, not an error */
    { MD FRAME ("0", "1") FRAME ("20", "2") FRAME ("40", "3") RERUN
      "echo 'LAMMPS (x)'; echo 'ERROR: KIM Compute returned error 1'; exit "
      "1" END,
      STEP_OK, NULL,
      "{\n  \"system\": \"a\",\n  \"frames_expected\": 2,\n  \"frames\": 3,\n"
      "  \"blown_up\": false\n}\n",
      0 },
    { MD FRAME ("0", "1") FRAME ("20", "2") END, STEP_FATAL,
      "the MD wrote 2 frames where 41 steps with one every 20 make 3", NULL,
      0 },
    { MD "echo 'LAMMPS (x)'; echo 'ERROR: KIM ModelCreate failed'; exit 1" END,
      STEP_FATAL,
      "md.in: LAMMPS exited with status 1: ERROR: KIM ModelCreate failed; "
      "kim.log",
      NULL, 0 },
    { MD FRAME ("0", "1") FRAME ("20", "2") FRAME ("40", "3") RERUN
      "echo 'LAMMPS (x)'; echo 'ERROR: Unknown pair style'; exit 1" END,
      STEP_FATAL, "rerun.in: LAMMPS exited with status 1: ERROR: Unknown", NULL,
      0 },
    { MD "echo 'mkdir: no such thing'; exit 1" END, STEP_FAILED,
      "it never started; it said: mkdir: no such thing", NULL, 0 },
    { MD "echo 'LAMMPS (x)'; kill -11 $$" END, STEP_FAILED,
      "was killed by signal 11", NULL, 0 },
};

static enum step_status run_explore (struct error *err)
{
    int ours = stdout_to ("log");
    enum step_status status = operator_step_run ("lammps.explore", "run", err);

    stdout_back (ours);
    return status;
}

static void run_one (size_t i)
{
    struct error err = ERROR_INIT;
    struct temp_dir dir;
    uint64_t bytes = 0;

    enter_task (&dir);
    /* LAMMPS is started as "lmp -in INPUT ..." */
    write_task (whole_task (runs[i].script));
    if (run_explore (&err) != runs[i].status)
        fail_msg ("run %zu: %s", i, err.text);
    if (runs[i].status == STEP_OK) {
        assert_file_text ("params.json", runs[i].params);
        assert_true (file_exists ("out/trajectory.dump"));
        assert_true (file_exists ("out/forces/001.dump"));
        assert_int_equal (file_tree_bytes ("out/forces/000.dump", &bytes, NULL),
                          0);
        assert_int_equal (bytes, runs[i].first_forces);
    } else if (!strstr (err.text, runs[i].complaint)) {
        fail_msg ("'%s' lacks '%s'", err.text, runs[i].complaint);
    }
    temp_dir_leave (&dir);
}

static void test_runs (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (runs); i++)
        run_one (i);
}

static void test_what_lammps_finds (void **state)
{
    struct error err = ERROR_INIT;
    struct strbuf text = STRBUF_INIT;
    struct temp_dir dir;
    char *link;

    (void)state;
    enter_task (&dir);
    write_task (whole_task (
        "[ \"$0 $1 $2 $3 $4\" = '-in md.in -log none -nocite' ] || exit 7; "
        "echo 'LAMMPS (x)'; echo 'ERROR: Lost atoms'; exit 1"));
    if (run_explore (&err) != STEP_OK)
        fail_msg ("%s", err.text);
    link = file_read_link ("potential_1", NULL);
    assert_string_equal (link, "/p/two");
    free (link);
    assert_int_equal (file_read ("conf.data", 1 << 20, &text, NULL), 0);
    assert_non_null (strstr (text.buf, "2.5")); /* 1.25, scaled by 2 */
    strbuf_reset (&text);
    assert_int_equal (file_read ("md.in", 1 << 20, &text, NULL), 0);
    assert_non_null (strstr (text.buf, "seed equal 12\n"));
    assert_non_null (strstr (text.buf, "temperature equal 700\n"));
    strbuf_release (&text);
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_prepare),
        cmocka_unit_test (test_prepare_runs),
        cmocka_unit_test (test_prepare_refuses),
        cmocka_unit_test (test_runs),
        cmocka_unit_test (test_what_lammps_finds),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
