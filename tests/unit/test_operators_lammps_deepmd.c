/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operators_lammps_deepmd.c - lammps.explore with a committee of DeePMD
 * models, LAMMPS being a shell script
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/json.h"
#include "operators/deepmd/model.h"
#include "operators/table.h"
#include "quoted_json.h"
#include "stdout_to.h"
#include "temp_dir.h"

static const char data_file[] =
    "two atoms\n\n2 atoms\n1 atom types\n\n0 5 xlo xhi\n0 5 ylo yhi\n"
    "0 5 zlo zhi\n\nAtoms # atomic\n\n1 1 0 0 0\n2 1 1.25 1 1\n";

#define FRAME(step, x)                                                         \
    "printf 'ITEM: TIMESTEP\\n" step "\\nITEM: NUMBER OF ATOMS\\n2\\n"         \
    "ITEM: BOX BOUNDS pp pp pp\\n0 9\\n0 9\\n0 9\\nITEM: ATOMS id type x y z"  \
    "\\n1 1 0 0 0\\n2 1 1 1 " x "\\n' >>md.dump; "
#define HEADER                                                                 \
    "echo '#       step         max_devi_v         min_devi_v         "        \
    "avg_devi_v         max_devi_f         min_devi_f         avg_devi_f' "    \
    ">model_devi.out; "
#define ROW(step)                                                              \
    "echo '          " step                                                    \
    "       8.1e-03       2.9e-04       4.4e-03       5.5e-02       1.7e-02 "  \
    "      3.4e-02' >>model_devi.out; "
#define ALL_FRAMES FRAME ("0", "1") FRAME ("20", "2") FRAME ("40", "3")

static struct json *task_of (const char *script)
{
    struct json *task = json_of (
        "{'format': 1, 'campaign_dir': '.', 'seed': 11, 'inputs': {"
        " 'input': 'md-lines', 'systems': {'a': 'a.data'}, 'for_each': {},"
        " 'replicas': 1, 'steps': 41, 'dump_every': 20,"
        " 'committee': 'deepmd', 'potentials': ['/p/a.pb', 'dir', '/p/c.pth'],"
        " 'elements': ['Si'], 'pair_style': '{deepmd} fparam 2',"
        " 'pair_coeff': '* * {elements}', 'system': 'a', 'variables': {},"
        " 'relative': {'force': 0.5, 'virial': 0.25}, 'atomic': false,"
        " 'structure': 'a.data', 'run_input': 'md-lines',"
        " 'run_steps': 41, 'run_dump_every': 20},"
        " 'outputs': {'trajectory': 'out/trajectory.dump',"
        " 'deviations': 'out/model_devi.out'}}");
    struct json *lammps = json_of ("['sh', '-c']");

    json_push (lammps, json_string (script));
    json_set (json_get (task, "inputs"), "lammps", lammps);
    return task;
}

static void enter_task (struct temp_dir *dir, struct json *task)
{
    temp_dir_enter (dir);
    write_text ("a.data", data_file);
    write_text ("md-lines", "fix 1 all nve\nrun ${steps}\n");
    assert_int_equal (file_make_dirs ("dir", NULL), 0);
    write_text ("dir/model.pt2", "");
    write_text ("dir/lcurve.out", "");
    assert_int_equal (json_write_file ("task.json", task, NULL), 0);
    json_unref (task);
}

static enum step_status run_step (struct error *err)
{
    int ours = stdout_to ("log");
    enum step_status status =
        operator_step_run ("lammps.explore", "run_deepmd", err);

    stdout_back (ours);
    return status;
}

static const struct {
    const char *script;
    enum step_status status;
    const char *says; /* OK: params.json, else the message */
} runs[] = {
    { ALL_FRAMES HEADER ROW ("0") ROW ("20") ROW ("40"), STEP_OK,
      "{\n  \"system\": \"a\",\n  \"frames_expected\": 2,\n  \"frames\": 3,\n"
      "  \"blown_up\": false\n}\n" },
    /* a fix that moves atoms asks for forces more than once in a step */
    { ALL_FRAMES HEADER ROW ("0") ROW ("20") ROW ("20") ROW ("40"), STEP_OK,
      "{\n  \"system\": \"a\",\n  \"frames_expected\": 2,\n  \"frames\": 3,\n"
      "  \"blown_up\": false\n}\n" },
    { FRAME ("0", "1") HEADER ROW (
          "0") "echo 'LAMMPS (x)'; echo 'ERROR: Lost atoms'; exit 1",
      STEP_OK,
      "{\n  \"system\": \"a\",\n  \"frames_expected\": 2,\n  \"frames\": 1,\n"
      "  \"blown_up\": true\n}\n" },
    /* before the first frame */
    { "echo 'LAMMPS (x)'; echo 'ERROR: Lost atoms'; exit 1", STEP_OK,
      "{\n  \"system\": \"a\",\n  \"frames_expected\": 2,\n  \"frames\": 0,\n"
      "  \"blown_up\": true\n}\n" },
    /* one model, or another pair_style: LAMMPS minds nothing */
    { ALL_FRAMES, STEP_FATAL, "LAMMPS wrote no model_devi.out" },
    { ALL_FRAMES HEADER ROW ("0") ROW ("20"), STEP_FATAL,
      "model_devi.out has 2 rows, and the MD wrote 3 frames" },
    { ALL_FRAMES "echo 'no deviations' >model_devi.out", STEP_FATAL,
      "model_devi.out" },
    { "echo 'LAMMPS (x)'; echo 'ERROR on proc 0: DeePMD-kit C API Error: "
      "DeePMD-kit Error: Failed to open file: m.pth'; exit 1",
      STEP_FATAL,
      "md.in: LAMMPS exited with status 1: ERROR on proc 0: DeePMD" },
};

static void run_one (size_t i)
{
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    enter_task (&dir, task_of (runs[i].script));
    if (run_step (&err) != runs[i].status)
        fail_msg ("run %zu: %s", i, err.text);
    if (runs[i].status == STEP_OK) {
        assert_file_text ("params.json", runs[i].says);
        assert_true (file_exists ("out/trajectory.dump"));
        assert_true (file_exists ("out/model_devi.out"));
    } else if (!strstr (err.text, runs[i].says)) {
        fail_msg ("'%s' lacks '%s'", err.text, runs[i].says);
    }
    temp_dir_leave (&dir);
}

static void test_runs (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (runs); i++)
        run_one (i);
}

/* A directory's model is found by its ending. */
static void test_what_lammps_is_given (void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct temp_dir dir;

    (void)state;
    enter_task (&dir, task_of (ALL_FRAMES));
    run_step (NULL);
    assert_int_equal (file_read ("md.in", 1 << 20, &text, NULL), 0);
    assert_non_null (strstr (
        text.buf, "pair_style      deepmd potential_0.pb "
                  "potential_1/model.pt2 potential_2.pth out_freq 20 out_file "
                  "model_devi.out relative 0.5 relative_v 0.25 fparam 2\n"
                  "pair_coeff      * * Si\n"));
    strbuf_release (&text);
    temp_dir_leave (&dir);
}

/* {INPUT: value} that no LAMMPS is started with. */
static const struct {
    const char *name, *value, *says;
} bad[] = {
    { "potentials", "['/p/a.pb']", "a committee has two members or more" },
    { "potentials", "['/p/a.pb', 'md-lines']",
      "potentials[1]: 'md-lines' is no model" },
    { "potentials", "['/p/a.pb', 'gone']", "potentials[1]: cannot look at" },
    { "pair_style", "'{potential}'", "unknown placeholder '{potential}'" },
};

static void test_refusals (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (bad); i++) {
        struct json *task = task_of ("echo started >started");
        struct error err = ERROR_INIT;
        struct temp_dir dir;

        json_set (json_get (task, "inputs"), bad[i].name,
                  json_of (bad[i].value));
        enter_task (&dir, task);
        assert_int_equal (run_step (&err), STEP_FATAL);
        if (!strstr (err.text, bad[i].says))
            fail_msg ("'%s' lacks '%s'", err.text, bad[i].says);
        assert_false (file_exists ("started"));
        temp_dir_leave (&dir);
    }
}

/* Rows that DeePMD-kit writes where there are no atoms, and one whose frame was
 * cut.
 */
static void test_rows_without_frames (void **state)
{
    static const char script[] =
        FRAME ("0", "1") FRAME ("20", "2") HEADER ROW ("0") ROW ("20")
            ROW ("40") "echo '          60 0 0 0 0 1.797693e+308 0' "
                       ">>model_devi.out;"
                       "printf 'ITEM: TIMESTEP\\n40\\nITEM: NUM' >>md.dump;"
                       "printf '          80 0 0' >>model_devi.out;"
                       "echo 'LAMMPS (x)'; echo 'ERROR: Lost atoms'; exit 1";
    struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    enter_task (&dir, task_of (script));
    if (run_step (&err) != STEP_OK)
        fail_msg ("%s", err.text);
    assert_int_equal (file_read ("out/model_devi.out", 1 << 20, &text, NULL),
                      0);
    assert_non_null (strstr (text.buf, "#       step"));
    assert_non_null (strstr (text.buf, "\n          0 "));
    assert_non_null (strstr (text.buf, "\n          20 "));
    assert_null (strstr (text.buf, "\n          40 "));
    assert_null (strstr (text.buf, "\n          60 "));
    assert_null (strstr (text.buf, "\n          80 "));
    strbuf_release (&text);
    temp_dir_leave (&dir);
}

/* Which file of a directory is the model, or what is said. */
static const struct {
    const char *files[4];
    const char *path, *found;
} places[] = {
    { { "d/graph.pb", "d/input.json", "d/lcurve.out" }, "d", "link/graph.pb" },
    { { "d/input.json", "d/model.ckpt.pt" }, "d", "'d' has no model" },
    { { "d/graph.json", "d/graph.pdiparams", "d/input.json" },
      "d",
      "link/graph.json" },
    { { "d/graph.json", "d/graph.pdiparams", "d/a.pth" },
      "d",
      "'d' has more than one model" },
    { { "d/v1.0.pt2" }, "d", "link/v1.0.pt2" },
    { { "d/graph.pth" }, "d/graph.pth", "link" },
    { { "d/graph.json", "d/graph.pdiparams" },
      "d/graph.json",
      "name the directory that has it and its .pdiparams" },
};

static void test_models (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (places); i++) {
        struct error err = ERROR_INIT;
        struct temp_dir dir;
        char *found;

        temp_dir_enter (&dir);
        assert_int_equal (file_make_dirs ("d", NULL), 0);
        for (size_t k = 0; k < 4 && places[i].files[k]; k++)
            write_text (places[i].files[k], "");
        found = deepmd_find_model (places[i].path, "link", &err);
        if (!strstr (found ? found : err.text, places[i].found))
            fail_msg ("'%s' lacks '%s'", found ? found : err.text,
                      places[i].found);
        free (found);
        temp_dir_leave (&dir);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_runs),
        cmocka_unit_test (test_what_lammps_is_given),
        cmocka_unit_test (test_rows_without_frames),
        cmocka_unit_test (test_refusals),
        cmocka_unit_test (test_models),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
