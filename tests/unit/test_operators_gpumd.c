/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operators_gpumd.c - gpumd.explore: what `active` leaves, the template,
 * and the step, GPUMD being a shell script
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/json.h"
#include "operators/gpumd/gpumd.h"
#include "quoted_json.h"
#include "stdout_to.h"
#include "temp_dir.h"

/* As src/measure/active.cu prints them: "%20.10e%20.10e".  The cells are
 * sheared and left-handed.
 */
#define ROW(time, deviation) "    " time "    " deviation "\n"
#define FRAME_AT(time, x)                                                      \
    "2\nTime=" time " pbc=\"T T T\" uncertainty=0.12345678 Lattice=\""         \
    "0.00000000 5.00000000 0.00000000 5.00000000 0.00000000 0.00000000 "       \
    "1.00000000 0.00000000 5.00000000\" energy=-10.84000000 virial=\""         \
    "0.1 0 0 0 0.1 0 0 0 0.1\" stress=\"0.1 0 0 0 0.1 0 0 0 0.1\" "            \
    "Properties=species:S:1:pos:R:3\nSi 0.00000000 0.00000000 0.00000000\n"    \
    "Si " x " 1.30000000 1.30000000\n"

#define FIRST ROW ("1.0000000000e+01", "5.0000000000e-02")
#define SECOND ROW ("2.0000000000e+01", "1.5000000000e-01")
#define THIRD ROW ("3.0000000000e+01", "2.5000000000e-01")

static const struct {
    const char *out, *xyz; /* NULL: it is not there */
    int rc;
    struct gpumd_active found;
    const char *says; /* what is wrong, or the deviations */
    const char *steps;
} cases[] = {
    { FIRST SECOND THIRD,
      FRAME_AT ("20.00000000", "1.1") FRAME_AT ("30.00000000", "1.2"),
      0,
      { 3, 2, 0 },
      "#       step         max_devi_f\n"
      "          10   5.0000000000e-02\n"
      "          20   1.5000000000e-01\n"
      "          30   2.5000000000e-01\n",
      "step=20 step=30 " },
    /* nothing was above the threshold */
    { FIRST, NULL, 0, { 1, 0, 0 }, "5.0000000000e-02\n", "" },
    /* equal forces: what the difference of two squares leaves */
    { SECOND ROW ("3.0000000000e+01", "4.1270000000e-07"),
      NULL,
      0,
      { 2, 0, 0 },
      "          20   0.0000000000e+00\n",
      "" },
    /* no force is a number */
    { FIRST ROW ("2.0000000000e+01", "-1.0000000000e+00"),
      NULL,
      0,
      { 2, 0, 1 },
      "          20                nan\n",
      "" },
    /* some are */
    { SECOND,
      FRAME_AT ("20.00000000", "nan"),
      0,
      { 1, 0, 1 },
      "10                nan\n",
      "" },
    { SECOND,
      FRAME_AT ("20.00000000", "-nan"),
      0,
      { 1, 0, 1 },
      "10                nan\n",
      "" },
    { SECOND,
      FRAME_AT ("20.00000000", "9e20"),
      0,
      { 1, 0, 1 },
      "10                nan\n",
      "" },
    /* killed while it wrote */
    { FIRST SECOND "    3.00000",
      FRAME_AT ("20.00000000", "1.1") "2\nTime=30",
      0,
      { 2, 1, 0 },
      "20 ",
      "step=20 " },
    { "", NULL, 0, { 0, 0, 0 }, "max_devi_f\n", "" },
    /* what is no such file */
    { "time deviation\n",
      NULL,
      -1,
      { 0 },
      "active.out:1: expected a time",
      "" },
    { FIRST "1.0\n", NULL, -1, { 0 }, "active.out:2: expected a time", "" },
    { ROW ("nan", "1"), NULL, -1, { 0 }, "active.out:1: the time is nan", "" },
    { FIRST, "2\nnothing\nSi 0 0 0\nSi 1 1 1\n", -1, { 0 }, "active.xyz", "" },
    { FIRST, "x\n", -1, { 0 }, "active.xyz:1", "" },
    /* a run before the one that is looked at */
    { FIRST,
      FRAME_AT ("77.00000000", "1.1"),
      -1,
      { 0 },
      "active.xyz has a frame at 77 fs, and active.out no row in that place",
      "" },
};

static void check_steps (const char *expected)
{
    struct strbuf text = STRBUF_INIT;
    const char *at;

    assert_int_equal (file_read ("t.extxyz", 1 << 20, &text, NULL), 0);
    for (at = text.buf; (at = strstr (at, "step="));
         at += strcspn (at, " \n")) {
        size_t len = strcspn (at, " \n");

        assert_memory_equal (at, expected, len);
        expected += len + 1;
    }
    assert_string_equal (expected, "");
    assert_null (strstr (text.buf, "energy"));
    assert_null (strstr (text.buf, "virial"));
    strbuf_release (&text);
}

static void test_active (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct gpumd_active found = { 0 };
        struct strbuf text = STRBUF_INIT;
        struct error err = ERROR_INIT;
        struct temp_dir dir;

        temp_dir_enter (&dir);
        write_text ("active.out", cases[i].out);
        if (cases[i].xyz)
            write_text ("active.xyz", cases[i].xyz);
        if (gpumd_take_active (10, 2, "d.out", "t.extxyz", &found, &err)
            != cases[i].rc)
            fail_msg ("case %zu: %s", i, err.text);
        if (cases[i].rc == 0) {
            assert_int_equal (file_read ("d.out", 1 << 20, &text, NULL), 0);
            check_steps (cases[i].steps);
        } else {
            strbuf_add_str (&text, err.text);
        }
        if (!strstr (text.buf, cases[i].says))
            fail_msg ("case %zu: '%s' lacks '%s'", i, text.buf, cases[i].says);
        assert_int_equal (found.rows, cases[i].found.rows);
        assert_int_equal (found.frames, cases[i].found.frames);
        assert_int_equal (found.bad, cases[i].found.bad);
        strbuf_release (&text);
        temp_dir_leave (&dir);
    }
}

/* --- the template --- */

static const struct {
    const char *text, *says; /* NULL: it is good */
} templates[] = {
    { "velocity ${T} seed ${seed}\nrun ${steps}\n", NULL },
    { "# $HOME {} $\nensemble nve ${T}\nrun ${steps}", NULL },
    { "ensemble nve\nrun ${steps}",
      "run.in does not use the variable 'T' of for_each, so" },
    { "velocity ${temp}\nrun ${steps}\n",
      "run.in:1: there is no variable '${temp}'; there is ${seed}, ${steps}, "
      "${T}" },
    { "run 100\nrun ${steps}\n", "there are 2 runs" },
    { "# ${steps} ${T}\n", "there are 0 runs" },
    { "v ${T}\nrun ${steps", NULL },
};

static void test_templates (void **state)
{
    struct json *for_each = json_of ("{'T': [300]}");

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (templates); i++) {
        struct error err = ERROR_INIT;
        int rc =
            gpumd_check_template (templates[i].text, strlen (templates[i].text),
                                  "run.in", for_each, &err);

        assert_int_equal (rc, templates[i].says ? -1 : 0);
        if (rc < 0 && !strstr (err.text, templates[i].says))
            fail_msg ("'%s' lacks '%s'", err.text, templates[i].says);
    }
    json_unref (for_each);
}

/* --- how it ends --- */

#define BEGIN                                                                  \
    "*                 Welcome to use GPUMD                        *\n"

static const struct {
    const char *printed;
    enum ending ending;
    const char *message;
} endings[] = {
    { BEGIN "Finished running GPUMD.\n", ENDING_UNKNOWN, "" },
    { "libcudart.so.12: cannot open shared object file\n", ENDING_SILENT, "" },
    { BEGIN "Input Error:\n    File:       main_gpumd/run.cu\n"
            "    Line:       348\n    Error text: 'pressure' is an invalid "
            "keyword.\n",
      ENDING_MISTAKE,
      "Input Error: File:       main_gpumd/run.cu Line:       348 Error text: "
      "'pressure' is an invalid keyword." },
    { BEGIN "CUDA Error:\n    File:       a.cu\n    Line:       3\n"
            "    Error code: 2\n    Error text: out of memory\n",
      ENDING_PASSING, "Error text: out of memory" },
    { BEGIN "CUDA Error:\n    File:       a.cu\n    Line:       3\n"
            "    Error code: 700\n    Error text: an illegal memory access was "
            "encountered\n",
      ENDING_UNKNOWN, "" },
    { BEGIN "Error:\n    The box has\n        a thickness < 2.5 radial cutoffs "
            "in a periodic direction.\n",
      ENDING_MISTAKE, "the cell is thinner than 2.5 cutoffs" },
};

static void test_endings (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (endings); i++) {
        struct strbuf message = STRBUF_INIT;

        print_message ("# %zu\n", i);
        assert_int_equal (
            code_judge (&gpumd_code, endings[i].printed, true, &message),
            endings[i].ending);
        assert_memory_equal (message.buf, endings[i].message,
                             strlen (endings[i].message));
        strbuf_release (&message);
    }
}

/* --- the step --- */

static struct json *task_of (const char *script)
{
    struct json *task =
        json_of ("{'format': 1, 'campaign_dir': '.', 'seed': 11, 'inputs': {"
                 " 'potentials': ['/p/a.txt', 'dir'], 'elements': ['Si'],"
                 " 'threshold': 0.125, 'system': 'a', 'variables': {'T': 300}, "
                 "'conditions': {'T': 300},"
                 " 'structure': 'a.extxyz', 'run_input': 'lines',"
                 " 'run_steps': 25, 'run_dump_every': 10},"
                 " 'outputs': {'trajectory': 'out/trajectory.extxyz',"
                 " 'deviations': 'out/model_devi.out'}}");
    struct json *gpumd = json_of ("['sh', '-c']");

    json_push (gpumd, json_string (script));
    json_set (json_get (task, "inputs"), "gpumd", gpumd);
    return task;
}

#define GPUMD(work)                                                            \
    "echo 'Welcome to use GPUMD'; " work "; echo 'Finished running GPUMD.'"

static const struct {
    const char *script;
    enum step_status status;
    const char *says;
} runs[] = {
    { GPUMD ("cp two active.out"), STEP_OK,
      "{\n  \"system\": \"a\",\n  \"frames_expected\": 2,\n  \"frames\": 0,\n"
      "  \"conditions\": {\n    \"T\": 300\n  },\n"
      "  \"blown_up\": false\n}\n" },
    { GPUMD ("cp gone active.out"), STEP_OK,
      "{\n  \"system\": \"a\",\n  \"frames_expected\": 2,\n  \"frames\": 0,\n"
      "  \"conditions\": {\n    \"T\": 300\n  },\n"
      "  \"blown_up\": true\n}\n" },
    { GPUMD ("cp one active.out"), STEP_FATAL,
      "the MD wrote 1 frames where 25 steps with one every 10 make 2" },
    { GPUMD (":"), STEP_FAILED, "GPUMD wrote no active.out" },
    { "echo 'Welcome to use GPUMD'; cp two active.out", STEP_FAILED,
      "run.in: GPUMD" },
};

static void enter_task (struct temp_dir *dir, struct json *task)
{
    temp_dir_enter (dir);
    write_text ("a.extxyz",
                "1\nLattice=\"0 5 0 5 0 0 1 0 5\" energy=-1 "
                "Properties=species:S:1:pos:R:3:forces:R:3\nSi 0 0 0 1 1 1\n");
    write_text ("lines", "velocity ${T} seed ${seed}\nrun ${steps}");
    write_text ("two", FIRST SECOND);
    write_text ("one", FIRST);
    write_text ("gone", FIRST ROW ("2.0000000000e+01", "-1.0000000000e+00"));
    assert_int_equal (file_make_dirs ("dir", NULL), 0);
    assert_int_equal (json_write_file ("task.json", task, NULL), 0);
    json_unref (task);
}

static enum step_status run_step (struct error *err)
{
    int ours = stdout_to ("log");
    enum step_status status = operator_step_run ("gpumd.explore", "run", err);

    stdout_back (ours);
    return status;
}

static void test_runs (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (runs); i++) {
        struct error err = ERROR_INIT;
        struct temp_dir dir;

        enter_task (&dir, task_of (runs[i].script));
        if (run_step (&err) != runs[i].status)
            fail_msg ("run %zu: %s", i, err.text);
        if (runs[i].status == STEP_OK)
            assert_file_text ("params.json", runs[i].says);
        else if (!strstr (err.text, runs[i].says))
            fail_msg ("'%s' lacks '%s'", err.text, runs[i].says);
        temp_dir_leave (&dir);
    }
}

static void test_what_gpumd_is_given (void **state)
{
    struct temp_dir dir;

    (void)state;
    enter_task (&dir, task_of (GPUMD ("cp two active.out")));
    assert_int_equal (run_step (NULL), STEP_OK);
    assert_file_text ("run.in", "potential nep_0\npotential nep_1/nep.txt\n"
                                "active 10 0 0 0 0.125\n"
                                "velocity 300 seed 12\nrun 25\n");
    assert_file_text ("model.xyz",
                      "1\nLattice=\"0.0 5.0 0.0 5.0 0.0 0.0 1.0 0.0 5.0\" "
                      "Properties=species:S:1:pos:R:3 pbc=\"T T T\"\n"
                      "Si 0.0 0.0 0.0\n");
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_active),
        cmocka_unit_test (test_templates),
        cmocka_unit_test (test_endings),
        cmocka_unit_test (test_runs),
        cmocka_unit_test (test_what_gpumd_is_given),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
