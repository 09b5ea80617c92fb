/* SPDX-License-Identifier: BSD-3-Clause */
/* test_taking.c - what a generation takes of those that were superseded */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sys/stat.h>

#include "base/digest.h"
#include "campaign/plan.h"
#include "engine/act/generation.h"
#include "engine/act/stage_description.h"
#include "engine/act/taking.h"
#include "engine/history/engine.h"
#include "handover/slice_file.h"
#include "in_temp_dir.h"
#include "quoted_json.h"
#include "space/layout.h"

#define PLACE "label/toy/iter/000000"
#define OLD ".fanfold/replaced/000003"

static const char *const fan_out[] = { "x", NULL };
static const struct port file_out[] = { { .name = "f", .type = ONE (FILE) },
                                        { 0 } };
static const struct port number_out[] = { { .name = "v", .type = ONE (INT) },
                                          { 0 } };
static const struct operator_spec with_files = { .name = "toy.label",
                                                 .code = "toy",
                                                 .outputs = file_out,
                                                 .fan_out = fan_out };
static const struct operator_spec with_numbers = { .name = "toy.label",
                                                   .code = "toy",
                                                   .outputs = number_out,
                                                   .fan_out = fan_out };

static struct engine engine;
static struct plan plan;
static struct stage stage;
static struct stage_description description;
static struct taking taking;
static char *making;

static int begin (void **unused)
{
    struct error err = ERROR_INIT;

    enter (unused);
    plan = (struct plan){ .dir = dir.path, .name = "c" };
    if (engine_open (&engine, plan.dir, "fanfold", &err) < 0)
        fail_msg ("%s", err.text);
    engine_take_plan (&engine, &plan);
    assert_int_equal (engine_take_lease (&engine, &err), 0);
    engine.state.superseded =
        json_of ("[{'generation':3,'stage':'label','iteration':0}]");
    stage = (struct stage){ .name = "label", .op = &with_files };
    taking = (struct taking)TAKING_INIT;
    making = NULL;
    return 0;
}

static int end (void **unused)
{
    taking_release (&taking);
    free (making);
    engine_close (&engine);
    return leave (unused);
}

/* --- the old one, and the new one --- */

/* 64 hex digits; 'c': one that tells them apart. */
static const char *digits (char c)
{
    static char text[4][DIGEST_HEX_SIZE];
    static int turn;
    char *out = text[turn = (turn + 1) % 4];

    memset (out, '0', DIGEST_HEX_SIZE - 1);
    out[0] = c;
    return out;
}

/* Slices in 'at' of tasks that have these identities, a letter each. */
static void put_slices (const char *at, const char *identities)
{
    struct slice_writer writer = SLICE_WRITER_INIT;

    assert_int_equal (slice_writer_open (&writer, at, NULL), 0);
    for (const char *c = identities; *c; c++) {
        struct json *slice = json_object ();

        json_set (slice, "x", json_int (*c));
        assert_int_equal (slice_writer_add (&writer, slice, digits (*c), NULL),
                          0);
        json_unref (slice);
    }
    assert_int_equal (slice_writer_commit (&writer, NULL), 0);
    slice_writer_release (&writer);
}

static void put_manifest (const char *at, int generation, size_t tasks,
                          char definition)
{
    char *file = xasprintf ("%s/" LAYOUT_STAGE_MANIFEST, at);
    char *text = xasprintf (
        "{\"generation\": %d, \"stage\": \"label\", \"code\": \"toy\", "
        "\"iteration\": 0, \"tasks\": %zu, \"sliced\": true, "
        "\"identity\": \"%s\", \"definition\": \"%s\"}",
        generation, tasks, digits ('1'), digits (definition));

    temp_dir_put (dir.path, file, text);
    free (text);
    free (file);
}

/* out/ of one task, which holds file f and says so. */
static void put_out (const char *at, int task, char identity, int bytes)
{
    static const char content[] = "made\n";
    char *out = xasprintf ("%s/job/%06d/out", at, task);
    char *file = xasprintf ("%s/f", out);
    char *result = xasprintf ("%s/result.json", out);
    char hex[DIGEST_HEX_SIZE];
    char *text;

    digest_bytes (content, strlen (content), hex);
    text = xasprintf (
        "{\"format\": 1, \"stage\": \"label\", \"iteration\": 0, \"task\": %d, "
        "\"identity\": \"%s\", \"params\": {}, "
        "\"artifacts\": {\"f\": {\"path\": \"f\", \"bytes\": %d, "
        "\"sha256\": \"%s\"}}}",
        task, digits (identity), bytes, hex);

    temp_dir_put (dir.path, file, content);
    temp_dir_put (dir.path, result, text);
    free (text);
    free (result);
    free (file);
    free (out);
}

/* The superseded generation: a letter for each task, all of them ok. */
static void put_old (const char *identities, char definition)
{
    assert_int_equal (file_make_dirs (OLD, NULL), 0);
    put_manifest (OLD, 3, strlen (identities), definition);
    put_slices (OLD, identities);
    for (int t = 0; identities[t]; t++)
        put_out (OLD, t, identities[t], 5);
}

/* Number 'generation', before anything is taken. */
static void describe (int generation, const char *identities, char definition)
{
    struct error err = ERROR_INIT;

    description = (struct stage_description){
        .manifest = { .place = { "label", "toy", 0, generation },
                      .tasks = (int32_t)strlen (identities),
                      .sliced = true }
    };
    snprintf (description.identity, sizeof (description.identity), "%s",
              digits ('1'));
    snprintf (description.definition, sizeof (description.definition), "%s",
              digits (definition));
    free (making);
    making = generation_begin (&engine, generation, &err);
    assert_non_null (making);
    put_slices (making, identities);
    put_manifest (making + strlen (dir.path) + 1, generation,
                  strlen (identities), definition);
}

/* Take for it what there is, up to where it appears. */
static void fill (int generation, const char *identities, char definition)
{
    struct error err = ERROR_INIT;

    describe (generation, identities, definition);
    if (taking_begin (&taking, &engine, &stage, &description, making, &err) < 0
        || taking_fill (&taking, &err) < 0)
        fail_msg ("%s", err.text);
}

static void take (int generation, const char *identities, char definition)
{
    struct error err = ERROR_INIT;

    fill (generation, identities, definition);
    if (generation_appear (&engine, making, PLACE, &err) < 0
        || taking_finish (&taking, PLACE, &err) < 0)
        fail_msg ("%s", err.text);
}

static void assert_taken (const char *tasks)
{
    struct json *ok = task_range_to_json (&taking.ok);

    assert_string_equal (json_as_string (ok), tasks);
    json_unref (ok);
}

static ino_t inode_of (const char *path)
{
    struct stat st;

    if (stat (path, &st) < 0)
        fail_msg ("'%s' is not there", path);
    return st.st_ino;
}

/* --- the same definition --- */

static void test_whole (void **unused)
{
    ino_t jobs, manifest;

    (void)unused;
    put_old ("ab", 'd');
    temp_dir_put (dir.path, OLD "/outputs.json", "{}");
    temp_dir_put (dir.path, OLD "/job/000001/prior-0/note", "of a try");
    jobs = inode_of (OLD "/job");
    manifest = inode_of (OLD "/stage.json");
    take (5, "ab", 'd');
    assert_taken ("0-1");
    assert_int_equal (inode_of (PLACE "/job"), jobs);
    assert_true (file_exists (PLACE "/job/000001/prior-0/note"));
    assert_false (file_exists (OLD "/job"));
    assert_int_equal (inode_of (OLD "/stage.json"), manifest);
    assert_true (file_exists (OLD "/outputs.json"));
    assert_false (file_exists (PLACE "/outputs.json"));
}

/* What is not as it was recorded is not taken for a result. */
static void test_whole_but_one (void **unused)
{
    (void)unused;
    put_old ("abc", 'd');
    put_out (OLD, 1, 'b', 6);
    take (5, "abc", 'd');
    assert_taken ("0,2");
}

/* Who goes on late finds what another driver made since, and leaves it. */
static void test_late (void **unused)
{
    struct error err = ERROR_INIT;

    (void)unused;
    put_old ("ab", 'd');
    fill (5, "ab", 'd');
    assert_int_equal (generation_appear (&engine, making, PLACE, &err), 0);
    assert_int_equal (generation_supersede (&engine, PLACE, 5, &err), 0);
    temp_dir_put (dir.path, PLACE "/stage.json", "{\"generation\": 6}");
    assert_int_equal (taking_finish (&taking, PLACE, &err), -1);
    assert_non_null (strstr (err.text, "is no longer generation 5"));
    assert_false (file_exists (PLACE "/job"));
    assert_true (file_exists (OLD "/job"));
}

/* Another driver was quicker. */
static void test_source_gone (void **unused)
{
    struct error err = ERROR_INIT;

    (void)unused;
    put_old ("ab", 'd');
    fill (5, "ab", 'd');
    assert_int_equal (generation_appear (&engine, making, PLACE, &err), 0);
    assert_int_equal (rename (OLD "/job", "elsewhere"), 0);
    assert_int_equal (taking_finish (&taking, PLACE, &err), -1);
    assert_non_null (strstr (err.text, "cannot rename"));
}

/* --- another one --- */

static void test_linked (void **unused)
{
    (void)unused;
    put_old ("ab", 'd');
    take (5, "ab", 'e');
    assert_taken ("0-1");
    assert_int_equal (inode_of (PLACE "/job/000001/out/f"),
                      inode_of (OLD "/job/000001/out/f"));
    assert_int_equal (inode_of (PLACE "/job/000001/out/result.json"),
                      inode_of (OLD "/job/000001/out/result.json"));
    assert_true (inode_of (PLACE "/job") != inode_of (OLD "/job"));
}

/* Other slices are another preparation, whatever the definition. */
static void test_another_number (void **unused)
{
    struct json *result;

    (void)unused;
    put_old ("abc", 'd');
    take (5, "xcbb", 'd');
    assert_taken ("1-2"); /* each task stands for one */
    assert_int_equal (inode_of (PLACE "/job/000001/out/f"),
                      inode_of (OLD "/job/000002/out/f"));
    assert_true (inode_of (PLACE "/job/000001/out/result.json")
                 != inode_of (OLD "/job/000002/out/result.json"));
    result = json_read_file (PLACE "/job/000001/out/result.json", NULL);
    assert_int_equal (json_get_int (result, "task"), 1);
    assert_string_equal (json_get_string (result, "identity"), digits ('c'));
    json_unref (result);
    result = json_read_file (OLD "/job/000002/out/result.json", NULL);
    assert_int_equal (json_get_int (result, "task"), 2);
    json_unref (result);
    assert_false (file_exists (PLACE "/job/000000"));
    assert_false (file_exists (PLACE "/job/000003"));
}

/* Of the newest that has it. */
static void test_newest (void **unused)
{
    (void)unused;
    put_old ("ab", 'd');
    assert_int_equal (rename (OLD, ".fanfold/replaced/000002"), 0);
    put_old ("a", 'd');
    json_unref (engine.state.superseded);
    engine.state.superseded =
        json_of ("[{'generation':2,'stage':'label','iteration':0},"
                 "{'generation':3,'stage':'label','iteration':0}]");
    take (5, "ab", 'e');
    assert_taken ("0-1");
    assert_int_equal (inode_of (PLACE "/job/000000/out/f"),
                      inode_of (OLD "/job/000000/out/f"));
    assert_int_equal (inode_of (PLACE "/job/000001/out/f"),
                      inode_of (".fanfold/replaced/000002/job/000001/out/f"));
}

/* Two generations of the same definition; the newest, of two tasks, has ended
 * only this one.
 */
static void put_unfinished (int task)
{
    put_old ("ab", 'd');
    assert_int_equal (rename (OLD, ".fanfold/replaced/000002"), 0);
    put_old ("ab", 'd');
    assert_int_equal (system (task == 0 ? "rm -r " OLD "/job/000001"
                                        : "rm -r " OLD "/job/000000"),
                      0);
    json_unref (engine.state.superseded);
    engine.state.superseded =
        json_of ("[{'generation':2,'stage':'label','iteration':0},"
                 "{'generation':3,'stage':'label','iteration':0}]");
}

/* One that was superseded before it ended is not all there is. */
static void test_unfinished (void **unused)
{
    ino_t jobs;

    (void)unused;
    put_unfinished (0);
    jobs = inode_of (".fanfold/replaced/000002/job");
    take (5, "ab", 'd');
    assert_taken ("0-1");
    assert_int_equal (inode_of (PLACE "/job"), jobs);
}

static void test_both_unfinished (void **unused)
{
    (void)unused;
    put_unfinished (0);
    assert_int_equal (system ("rm -r .fanfold/replaced/000002/job/000000"), 0);
    take (5, "ab", 'd');
    assert_taken ("0-1");
    assert_int_equal (inode_of (PLACE "/job/000000/out/f"),
                      inode_of (OLD "/job/000000/out/f"));
    assert_int_equal (inode_of (PLACE "/job/000001/out/f"),
                      inode_of (".fanfold/replaced/000002/job/000001/out/f"));
}

/* Nobody else has what it lacks. */
static void test_unfinished_alone (void **unused)
{
    ino_t jobs;

    (void)unused;
    put_old ("ab", 'd');
    assert_int_equal (system ("rm -r " OLD "/job/000001"), 0);
    jobs = inode_of (OLD "/job");
    take (5, "ab", 'd');
    assert_taken ("0");
    assert_int_equal (inode_of (PLACE "/job"), jobs);
}

/* --- what is not taken --- */

static void test_not_of_others (void **unused)
{
    (void)unused;
    put_old ("ab", 'd');
    json_unref (engine.state.superseded);
    engine.state.superseded =
        json_of ("[{'generation':3,'stage':'other','iteration':0},"
                 "{'generation':3,'stage':'label','iteration':1}]");
    take (5, "ab", 'd');
    assert_taken ("");
    assert_true (file_exists (OLD "/job"));
}

static void test_unsteady (void **unused)
{
    (void)unused;
    put_old ("ab", 'd');
    temp_dir_put (dir.path, OLD "/witness.json",
                  "{\"format\": 1, \"unsteady\": \"a.sh was edited\"}");
    take (5, "ab", 'd');
    assert_taken ("");
    taking_release (&taking);
    assert_int_equal (generation_supersede (&engine, PLACE, 5, NULL), 0);
    take (6, "ab", 'e');
    assert_taken ("");
    assert_true (file_exists (OLD "/job"));
}

/* Of which `keep:` has removed some: task by task, what is left. */
static void test_removed (void **unused)
{
    (void)unused;
    put_old ("ab", 'd');
    temp_dir_put (dir.path, OLD "/removed.json",
                  "{\"format\": 1, \"outputs\": {\"f\": {\"keep\": \"1\"}}}");
    assert_int_equal (unlink (OLD "/job/000000/out/f"), 0);
    take (5, "ab", 'd');
    assert_taken ("1");
    assert_true (file_exists (OLD "/job/000001/out/f"));
    assert_int_equal (inode_of (PLACE "/job/000001/out/f"),
                      inode_of (OLD "/job/000001/out/f"));
    assert_false (file_exists (PLACE "/job/000000"));
}

/* Raw files are no outputs: without them it is whole. */
static void test_raw_removed (void **unused)
{
    (void)unused;
    put_old ("ab", 'd');
    temp_dir_put (
        dir.path, OLD "/removed.json",
        "{\"format\": 1, \"outputs\": {\"raw\": {\"keep\": \"until_done\"}}}");
    take (5, "ab", 'd');
    assert_taken ("0-1");
    assert_false (file_exists (OLD "/job"));
}

/* A person may delete what was superseded at any time. */
static void test_deleted (void **unused)
{
    (void)unused;
    take (5, "ab", 'd');
    assert_taken ("");
    taking_release (&taking);
    assert_int_equal (generation_supersede (&engine, PLACE, 5, NULL), 0);
    put_old ("ab", 'd');
    assert_int_equal (unlink (OLD "/slices.jsonl"), 0);
    take (6, "ab", 'd');
    assert_taken ("");
}

/* --- tasks without artifacts --- */

static const char outputs[] =
    "{\"format\": 1, \"ok\": \"0,2\", \"outputs\": {\"v\": [10, null, 30]}}";

/* The superseded list, with this digest of outputs.json. */
static void note_digest (const char *sha256)
{
    char *text = xasprintf ("[{'generation':3,'stage':'label','iteration':0,"
                            "'outputs':'%s'}]",
                            sha256);

    json_unref (engine.state.superseded);
    engine.state.superseded = json_of (text);
    free (text);
}

static void put_numbers (void)
{
    char sha256[DIGEST_HEX_SIZE];

    stage.op = &with_numbers;
    assert_int_equal (file_make_dirs (OLD, NULL), 0);
    put_manifest (OLD, 3, 3, 'd');
    put_slices (OLD, "abc");
    temp_dir_put (dir.path, OLD "/outputs.json", outputs);
    digest_bytes (outputs, strlen (outputs), sha256);
    note_digest (sha256);
}

static void test_numbers (void **unused)
{
    struct strbuf log = STRBUF_INIT;

    (void)unused;
    put_numbers ();
    take (5, "cba", 'd');
    assert_taken ("0,2");
    assert_int_equal (
        file_read (".fanfold/run/000005/taken", 1 << 20, &log, NULL), 0);
    assert_non_null (strstr (log.buf, "\"v\":30"));
    assert_non_null (strstr (log.buf, "\"v\":10"));
    assert_int_equal (json_get_int (json_get (taking.logs, "taken"), "bytes"),
                      log.len);
    strbuf_release (&log);
}

/* Somebody edited it: it is no record of what tasks made. */
static void test_other_digest (void **unused)
{
    (void)unused;
    put_numbers ();
    note_digest (digits ('e'));
    take (5, "abc", 'd');
    assert_taken ("");
    assert_null (taking.logs);
}

static void test_damaged_numbers (void **unused)
{
    (void)unused;
    put_numbers ();
    temp_dir_put (dir.path, OLD "/outputs.json", "no record");
    take (5, "abc", 'd');
    assert_taken ("");
}

/* --- another campaign --- */

#define THEIRS "theirs/" PLACE

static struct reuse_source named[1];

/* Of its tasks a and b these are ok; 'env' is what they ran in: a word in
 * quotation marks, or none.
 */
static void put_theirs (int generation, const char *ok, const char *env)
{
    char *told = xasprintf ("{\"format\": 1, \"ok\": \"%s\"}", ok);
    char *witness = xasprintf (
        "{\"format\": 1, \"files\": {}, \"setup\": [], \"env\": [%s]}", env);

    temp_dir_put (dir.path, "theirs/campaign.yaml", "format: 1\n");
    assert_int_equal (file_make_dirs (THEIRS, NULL), 0);
    put_manifest (THEIRS, generation, 2, 'd');
    put_slices (THEIRS, "ab");
    put_out (THEIRS, 0, 'a', 5);
    put_out (THEIRS, 1, 'b', 5);
    temp_dir_put (dir.path, THEIRS "/outputs.json", told);
    temp_dir_put (dir.path, THEIRS "/witness.json", witness);
    free (witness);
    free (told);
}

/* Begin to take what is there. */
static void begin_theirs (void)
{
    struct error err = ERROR_INIT;
    char *pattern = path_join (dir.path, "theirs");

    named[0].pattern = pattern;
    plan.reuse_from = (struct reuse_from){ named, 1 };
    stage.reuse = true;
    describe (5, "ab", 'd');
    description.witness = json_of ("{'files': {}, 'setup': [], 'env': []}");
    if (taking_begin (&taking, &engine, &stage, &description, making, &err) < 0)
        fail_msg ("%s", err.text);
    free (pattern);
}

static void end_theirs (const char *tasks)
{
    assert_int_equal (taking_fill (&taking, NULL), 0);
    assert_taken (tasks);
    json_unref (description.witness);
}

static void test_theirs (void **unused)
{
    (void)unused;
    put_theirs (3, "0-1", "");
    begin_theirs ();
    end_theirs ("0-1");
    assert_true (inode_of (".fanfold/making/000005/job/000000/out/f")
                 != inode_of (THEIRS "/job/000000/out/f"));
}

/* What came when the stage had ended is not what its witness was of. */
static void test_theirs_late (void **unused)
{
    (void)unused;
    put_theirs (3, "1", "");
    begin_theirs ();
    end_theirs ("1");
    assert_false (file_exists (".fanfold/making/000005/job/000000"));
}

static void test_theirs_edited (void **unused)
{
    (void)unused;
    put_theirs (3, "0-1", "");
    temp_dir_put (dir.path, THEIRS "/job/000000/out/f", "edit\n");
    begin_theirs ();
    end_theirs ("1");
    assert_false (file_exists (".fanfold/making/000005/job/000000"));
}

/* Another generation, of which another witness tells, took its place. */
static void test_theirs_replaced (void **unused)
{
    (void)unused;
    put_theirs (3, "0-1", "");
    begin_theirs ();
    assert_int_equal (rename (THEIRS, "theirs/replaced"), 0);
    put_theirs (4, "0-1", "\"A=b\"");
    end_theirs ("");
    assert_false (file_exists (".fanfold/making/000005/job/000000"));
}

#define IN_DIR(test) cmocka_unit_test_setup_teardown (test, begin, end)

int main (void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR (test_whole),
        IN_DIR (test_whole_but_one),
        IN_DIR (test_late),
        IN_DIR (test_source_gone),
        IN_DIR (test_linked),
        IN_DIR (test_another_number),
        IN_DIR (test_newest),
        IN_DIR (test_not_of_others),
        IN_DIR (test_unfinished),
        IN_DIR (test_both_unfinished),
        IN_DIR (test_unfinished_alone),
        IN_DIR (test_unsteady),
        IN_DIR (test_removed),
        IN_DIR (test_raw_removed),
        IN_DIR (test_deleted),
        IN_DIR (test_numbers),
        IN_DIR (test_other_digest),
        IN_DIR (test_damaged_numbers),
        IN_DIR (test_theirs),
        IN_DIR (test_theirs_late),
        IN_DIR (test_theirs_edited),
        IN_DIR (test_theirs_replaced),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
