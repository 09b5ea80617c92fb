/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operators_qe_label.c - the steps of qe.label, pw.x being a shell script
 * that leaves the output of a real run
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "fixture.h"
#include "formats/extxyz/extxyz.h"
#include "formats/frame.h"
#include "formats/qe/qe_xml.h"
#include "operators/qe/qe.h"
#include "stdout_to.h"
#include "temp_dir.h"

/* Ends as if it had made the results of the fixture. */
#define LEAVE(fixture, and_then)                                               \
    "mkdir -p scratch/frame.save && cp "                                       \
    "\"$abs_top_srcdir/tests/fixtures/qe/" fixture                             \
    "\" scratch/frame.save/data-file-schema.xml; "                             \
    "echo '   JOB DONE.'; " and_then

static const char pw_in[] = "&CONTROL\n/\n&SYSTEM\n ecutwfc=12.0\n/\n"
                            "&ELECTRONS\n/\nK_POINTS gamma\n";

static void write_task_with (const char *script, struct json *fallback)
{
    struct json *task = json_object (), *inputs = json_object ();
    struct json *outputs = json_object (), *pw = json_array ();
    struct json *pseudos = json_object ();

    json_push (pw, json_string ("sh"));
    json_push (pw, json_string ("-c"));
    json_push (pw, json_string (script));
    json_set (pseudos, "Si", json_string ("Si.pz-vbc.UPF"));
    json_set (pseudos, "Ge", json_string ("Ge.UPF"));
    json_set (inputs, "frames", json_string ("in.extxyz"));
    json_set (inputs, "input", json_string ("template.in"));
    json_set (inputs, "pseudopotentials", pseudos);
    json_set (inputs, "pseudo_dir", json_string ("/pseudo"));
    json_set (inputs, "pw", pw);
    if (fallback)
        json_set (inputs, "fallback", fallback);
    json_set (outputs, "frame", json_string ("out/frame.extxyz"));
    json_set (task, "format", json_int (1));
    json_set (task, "campaign_dir", json_string ("/c"));
    json_set (task, "inputs", inputs);
    json_set (task, "outputs", outputs);
    assert_int_equal (json_write_file ("task.json", task, NULL), 0);
    json_unref (task);
}

static void write_task (const char *script)
{
    write_task_with (script, NULL);
}

static void write_frame (const struct frame *frame)
{
    struct strbuf text = STRBUF_INIT;

    extxyz_format (frame, &text);
    write_text ("in.extxyz", text.buf);
    strbuf_release (&text);
}

/* The configuration the fixture is of, without its labels. */
static void read_asked (struct frame *frame)
{
    struct strbuf xml = STRBUF_INIT;
    bool converged;

    fixture_read ("qe/si8.xml", &xml);
    *frame = (struct frame)FRAME_INIT;
    assert_int_equal (
        qe_xml_parse (xml.buf, xml.len, "si8.xml", frame, &converged, NULL), 0);
    frame->has_energy = frame->has_virial = false;
    free (frame->forces);
    frame->forces = NULL;
    free (frame->info);
    frame->info = xstrdup ("task=3 note=\"from here\"");
    strbuf_release (&xml);
}

static void read_frame (const char *path, struct frame *frame)
{
    struct strbuf text = STRBUF_INIT;

    *frame = (struct frame)FRAME_INIT;
    assert_int_equal (file_read (path, 1 << 20, &text, NULL), 0);
    assert_int_equal (extxyz_parse (text.buf, text.len, path, 1, frame, NULL),
                      0);
    strbuf_release (&text);
}

static enum step_status run_label (struct error *err)
{
    int ours = stdout_to ("log");
    enum step_status status = label_run (&qe_label, err);

    stdout_back (ours);
    return status;
}

static void assert_log_has (const char *words)
{
    struct strbuf log = STRBUF_INIT;

    assert_int_equal (file_read ("log", 1 << 20, &log, NULL), 0);
    assert_non_null (strstr (log.buf, words));
    strbuf_release (&log);
}

/* Of what pw.x left only where the task is told so. */
static void test_raw_files (void **state)
{
    struct frame asked;
    struct error err = ERROR_INIT;
    struct json *task;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    read_asked (&asked);
    write_frame (&asked);
    write_text ("template.in", pw_in);
    write_task (LEAVE ("si8.xml", "true"));
    assert_int_equal (run_label (&err), STEP_OK);
    assert_false (file_exists ("raw"));
    task = json_read_file ("task.json", NULL);
    json_set (task, "raw", json_string ("raw"));
    assert_int_equal (json_write_file ("task.json", task, NULL), 0);
    json_unref (task);
    if (run_label (&err) != STEP_OK)
        fail_msg ("%s", err.text);
    assert_true (file_exists ("raw/pw.out.gz"));
    assert_true (file_exists ("out/frame.extxyz"));
    frame_release (&asked);
    temp_dir_leave (&dir);
}

static void test_label (void **state)
{
    struct frame asked, got;
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    read_asked (&asked);
    asked.positions[0] += 1e-9; /* below what pw.x keeps */
    write_frame (&asked);
    write_text ("template.in", pw_in);
    write_task (LEAVE ("si8.xml", "[ \"$0 $1\" = '-in pw.in' ]"));
    if (run_label (&err) != STEP_OK)
        fail_msg ("%s", err.text);
    read_frame ("out/frame.extxyz", &got);
    assert_int_equal (got.n_atoms, 8);
    assert_true (fabs (got.energy - -849.9) < 1);
    assert_true (got.has_virial);
    assert_memory_equal (got.positions, asked.positions, 24 * sizeof (double));
    assert_memory_equal (got.cell, asked.cell, sizeof (got.cell));
    assert_true (fabs (got.forces[0] - -0.2393) < 0.01);
    assert_string_equal (got.info, "task=3 note=\"from here\"");
    assert_false (file_exists ("scratch"));
    frame_release (&asked);
    frame_release (&got);
    temp_dir_leave (&dir);
}

static const struct {
    const char *script;
    enum step_status status;
    const char *complaint;
} failures[] = {
    { "echo Program PWSCF; echo ' convergence NOT achieved after  80 "
      "iterations: stopping'; exit 2",
      STEP_FATAL, "pw.x exited with status 2: SCF not converged after 80" },
    { "echo Program PWSCF; echo ' Error in routine readpp (1):'; "
      "echo ' file not found'; exit 1",
      STEP_FATAL, "readpp (1): file not found" },
    { "echo mkdir: no; exit 1", STEP_FAILED, "it never started; it said: mk" },
    { "echo JOB DONE.; exit 0", STEP_FATAL, "pw.x left no results" },
    { "echo Program PWSCF; exit 0", STEP_FAILED,
      "pw.x exited with status 0: no line that it printed is an error" },
    { "echo Program PWSCF; kill -9 $$", STEP_FAILED, "killed by signal 9" },
    { LEAVE ("unconverged.xml", "exit 0"), STEP_FATAL, "SCF not converged" },
    { LEAVE ("no-such.xml", "exit 0"), STEP_FATAL, "pw.x left no results" },
};

static void test_failures (void **state)
{
    struct frame asked;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    read_asked (&asked);
    write_frame (&asked);
    write_text ("template.in", pw_in);
    for (size_t i = 0; i < ARRAY_SIZE (failures); i++) {
        struct error err = ERROR_INIT;

        write_task (failures[i].script);
        assert_int_equal (run_label (&err), failures[i].status);
        if (!strstr (err.text, failures[i].complaint))
            fail_msg ("'%s' lacks '%s'", err.text, failures[i].complaint);
        assert_false (file_exists ("out/frame.extxyz"));
        assert_false (file_exists ("scratch"));
    }
    frame_release (&asked);
    temp_dir_leave (&dir);
}

/* Labels of another configuration are none. */
static void test_other_configurations (void **state)
{
    struct frame asked;
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("template.in", pw_in);
    write_task (LEAVE ("si8.xml", "exit 0"));
    read_asked (&asked);
    asked.positions[5] += 0.01;
    write_frame (&asked);
    assert_int_equal (run_label (&err), STEP_FATAL);
    assert_non_null (strstr (err.text, "pw.x moved atom 2: it is at ("));
    asked.positions[5] -= 0.01;
    asked.cell[4] *= 1.01;
    write_frame (&asked);
    assert_int_equal (run_label (&err), STEP_FATAL);
    assert_non_null (strstr (err.text, "pw.x used another cell"));
    assert_non_null (strstr (err.text, "was sent; remove ibrav"));
    asked.cell[4] /= 1.01;
    symbol_set (asked.symbols[2], "Ge", 2);
    write_frame (&asked);
    assert_int_equal (run_label (&err), STEP_FATAL);
    assert_string_equal (err.text,
                         "atom 3: pw.x computed 'Si', and 'Ge' was sent");
    symbol_set (asked.symbols[2], "Si", 2);
    asked.n_atoms = 7;
    write_frame (&asked);
    assert_int_equal (run_label (&err), STEP_FATAL);
    assert_non_null (
        strstr (err.text, "pw.x computed 8 atoms, and 7 were sent"));
    asked.periodic[2] = false;
    write_frame (&asked);
    assert_int_equal (run_label (&err), STEP_FATAL);
    assert_non_null (strstr (err.text, "does not repeat along c, and pw.x"));
    memset (asked.cell, 0, sizeof (asked.cell));
    write_frame (&asked);
    assert_int_equal (run_label (&err), STEP_FATAL);
    assert_non_null (strstr (err.text, "the frame has no cell"));
    frame_release (&asked);
    temp_dir_leave (&dir);
}

/* Converges with a template that says so only. */
#define CONVERGES_IF_SOFT                                                      \
    "echo Program PWSCF; grep -q soft pw.in || { "                             \
    "echo ' convergence NOT achieved after  80 iterations: stopping'; "        \
    "echo JOB DONE.; exit 2; }; "

/* What does not converge is tried with the next template. */
static void test_fallback (void **state)
{
    struct json *fallback = json_array ();
    struct frame asked, got;
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    read_asked (&asked);
    write_frame (&asked);
    write_text ("template.in", pw_in);
    write_text ("slow.in", pw_in);
    write_text ("soft.in", "&CONTROL title='soft'\n/\n&SYSTEM ecutwfc=12\n/\n");
    json_push (fallback, json_string ("slow.in"));
    write_task_with (CONVERGES_IF_SOFT LEAVE ("si8.xml", "exit 0"),
                     json_ref (fallback));
    assert_int_equal (run_label (&err), STEP_FATAL);
    assert_string_equal (err.text,
                         "pw.x exited with status 2: SCF not converged after "
                         "80 steps, with input and 1 fallback");
    json_push (fallback, json_string ("soft.in"));
    write_task_with (CONVERGES_IF_SOFT LEAVE ("si8.xml", "exit 0"), fallback);
    if (run_label (&err) != STEP_OK)
        fail_msg ("%s", err.text);
    assert_log_has ("after 80 steps; the next template is soft.in\n");
    read_frame ("out/frame.extxyz", &got);
    assert_true (got.has_energy && got.forces);
    frame_release (&asked);
    frame_release (&got);
    temp_dir_leave (&dir);
}

/* Another template is for what did not converge, and for nothing else; nor are
 * results of the one before taken for its own.
 */
static void test_no_fallback (void **state)
{
    static const struct {
        const char *script;
        const char *complaint;
    } cases[] = {
        { "echo Program PWSCF; echo ' Error in routine readpp (1):'; exit 1",
          "pw.x exited with status 1: Error in routine readpp (1):" },
        { "echo Program PWSCF; exit 9", "pw.x exited with status 9" },
        { "if [ -e once ]; then echo JOB DONE.; exit 0; fi; echo "
          ">once; " LEAVE ("si8.xml",
                           "echo ' convergence NOT achieved after 3'; exit 2"),
          "pw.x left no results" },
    };
    struct frame asked;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    read_asked (&asked);
    write_frame (&asked);
    write_text ("template.in", pw_in);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *fallback = json_array ();
        struct error err = ERROR_INIT;

        json_push (fallback, json_string ("template.in"));
        write_task_with (cases[i].script, fallback);
        assert_int_not_equal (run_label (&err), STEP_OK);
        if (strncmp (err.text, cases[i].complaint, strlen (cases[i].complaint))
            != 0)
            fail_msg ("'%s' lacks '%s'", err.text, cases[i].complaint);
    }
    frame_release (&asked);
    temp_dir_leave (&dir);
}

static void test_collect (void **state)
{
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("a.extxyz", "1\n\nSi 0 0 0\n");
    write_text ("c.extxyz", "1\n\nSi 1 0 0\n");
    write_text ("task.json",
                "{\"format\": 1, \"campaign_dir\": \"/c\", \"inputs\": {}, "
                "\"outputs\": {\"dataset\": \"out/dataset.extxyz\"}, "
                "\"stacked\": {\"frame\": [\"a.extxyz\", null, "
                "\"c.extxyz\"]}}");
    if (label_collect (&err) != STEP_OK)
        fail_msg ("%s", err.text);
    assert_file_text ("out/dataset.extxyz", "1\n\nSi 0 0 0\n1\n\nSi 1 0 0\n");
    assert_file_text ("params.json",
                      "{\n  \"labelled\": 2,\n  \"failed\": 1\n}\n");
    unlink ("c.extxyz");
    assert_int_equal (label_collect (&err), STEP_FAILED);
    assert_non_null (strstr (err.text, "c.extxyz"));
    write_text ("task.json",
                "{\"format\": 1, \"campaign_dir\": \"/c\", \"inputs\": {}, "
                "\"outputs\": {\"dataset\": \"out/dataset.extxyz\"}, "
                "\"stacked\": {\"frame\": []}}");
    assert_int_equal (label_collect (&err), STEP_OK);
    assert_file_text ("out/dataset.extxyz", "");
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_label),
        cmocka_unit_test (test_raw_files),
        cmocka_unit_test (test_failures),
        cmocka_unit_test (test_other_configurations),
        cmocka_unit_test (test_fallback),
        cmocka_unit_test (test_no_fallback),
        cmocka_unit_test (test_collect),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
