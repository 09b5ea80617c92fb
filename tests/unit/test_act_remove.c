/* SPDX-License-Identifier: BSD-3-Clause */
/* test_act_remove.c - what is removed, whatever a killed driver has done of it
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sys/stat.h>

#include "base/file.h"
#include "campaign/plan.h"
#include "engine/act/act.h"
#include "engine/decide/actions.h"
#include "engine/history/engine.h"
#include "history.h"
#include "space/layout.h"
#include "temp_dir.h"

#define STAGE "make/t/iter/000000/"
#define JOB(n) STAGE "job/00000" n "/"
#define TASK(n) JOB (n) "out/"
#define REMOVING "'removing','iteration':0,'stage':'make','outputs':"

static struct temp_dir dir;

static void put (const char *path)
{
    assert_int_equal (file_make_parent (path, NULL), 0);
    assert_int_equal (file_write_atomic (path, "x\n", 2, NULL), 0);
}

static void put_json (const char *path, const char *text)
{
    struct json *v = json_of (text);

    assert_int_equal (file_make_parent (path, NULL), 0);
    assert_int_equal (json_write_file (path, v, NULL), 0);
    json_unref (v);
}

/* Two tasks with a file, a tree that cannot be written to, and a list; and what
 * collect made.
 */
static int enter (void **unused)
{
    (void)unused;
    temp_dir_enter (&dir);
    put (TASK ("0") "file");
    put (TASK ("1") "file");
    put (TASK ("0") "tree/a/b");
    assert_int_equal (chmod (TASK ("0") "tree/a", 0555), 0);
    assert_int_equal (chmod (TASK ("0") "tree", 0555), 0);
    put (TASK ("1") "list/p");
    put (TASK ("1") "list/q");
    put (TASK ("1") "result.json");
    put (STAGE "out/sum");
    put ("elsewhere");
    put_json (STAGE LAYOUT_STAGE_MANIFEST, "{'generation':8}");
    put_json (STAGE LAYOUT_OUTPUTS,
              "{'format':1,'outputs':{"
              "'file':['" TASK ("0") "file','" TASK (
                  "1") "file'],"
                       "'tree':['" TASK (
                           "0") "tree',null],"
                                "'list':[[],['" TASK ("1") "list/p','" TASK (
                                    "1") "list/q']],"
                                         "'sum':'" STAGE "out/sum',"
                                         "'strange':['elsewhere','" STAGE
                                         "../../../../elsewhere']},"
                                         "'artifacts':{'file':[{'bytes':2,'"
                                         "sha256':'s'},{'bytes':3}],"
                                         "'tree':[{'bytes':4},null],'list':[{'"
                                         "bytes':0},{'bytes':5}],"
                                         "'sum':{'bytes':6},'strange':[{'bytes'"
                                         ":7},{'bytes':8}]}}");
    return 0;
}

static int leave (void **unused)
{
    (void)unused;
    temp_dir_leave (&dir);
    return 0;
}

/* The driver that does the action; 'begun': by an earlier one, else in 'event'.
 */
static void removes (const char *begun, const char *event, const char *removed)
{
    static const char *const history[] = {
        "{'ev':'iteration','iteration':0}",
        "{'ev':'preparing','iteration':0,'stage':'make','code':'t',"
        "'first_name':'make','generation':8,'found':[{'generation':7}]}",
        "{'ev':'prepared','iteration':0,'stage':'make','tasks':2,'code':'t',"
        "'generation':8}",
        "{'ev':'stage','iteration':0,'stage':'make','phase':'done','count':2,"
        "'proceed':true}",
    };
    static const struct operator_spec op = { .name = "t.make",
                                             .code = "t",
                                             .leaves_raw = true };
    struct stage stages[] = { { .name = "make", .op = &op } };
    struct plan plan = { .dir = dir.path, .stages = stages, .n_stages = 1 };
    struct action action = { .kind = ACT_REMOVE,
                             .event = event ? json_of (event) : NULL };
    struct error err = ERROR_INIT;
    struct engine engine;

    assert_int_equal (engine_open (&engine, plan.dir, "fanfold", &err), 0);
    engine_take_plan (&engine, &plan);
    assert_int_equal (engine_take_lease (&engine, &err), 0);
    for (size_t i = 0; i < ARRAY_SIZE (history); i++)
        assert_int_equal (engine_record (&engine, json_of (history[i]), &err),
                          0);
    if (begun)
        assert_int_equal (engine_record (&engine, json_of (begun), &err), 0);
    if (act_remove (&engine, &action, &err) != ACT_DONE)
        fail_msg ("%s", err.text);
    assert_json (state_stage (&engine.state, 0, "make")->removed, removed);
    assert_false (file_exists (LAYOUT_REMOVING_DIR));
    json_unref (action.event);
    engine_close (&engine);
}

static void assert_said (const char *outputs)
{
    struct json *file = json_read_file (STAGE LAYOUT_REMOVED, NULL);

    assert_json (json_get (file, "outputs"), outputs);
    json_unref (file);
}

#define SUPERSEDED ".fanfold/replaced/000007/job/000000/out/"
#define FILE_GONE "{'file':{'keep':'1','at':0,'bytes':5}}"

static void test_a_file (void **unused)
{
    (void)unused;
    removes (NULL, "{'ev':" REMOVING "{'file':'1'}}", FILE_GONE);
    assert_said (FILE_GONE);
    assert_false (file_exists (TASK ("0") "file"));
    assert_false (file_exists (TASK ("1") "file"));
    assert_true (file_exists (TASK ("0") "tree/a/b"));
    assert_true (file_exists (TASK ("1") "result.json"));
}

/* A superseded generation may have it by another link. */
static void test_superseded (void **unused)
{
    (void)unused;
    put (SUPERSEDED "file");
    put (SUPERSEDED "tree/a/b");
    put (".fanfold/replaced/000006/job/000000/out/file");
    removes (NULL, "{'ev':" REMOVING "{'file':'1'}}", FILE_GONE);
    assert_false (file_exists (SUPERSEDED "file"));
    assert_true (file_exists (SUPERSEDED "tree/a/b"));
    assert_true (file_exists (".fanfold/replaced/000006/job/000000/out/file"));
}

#define REST_GONE                                                              \
    "{'tree':{'keep':'1','at':0,'bytes':4},"                                   \
    "'list':{'keep':'until_used','at':0,'bytes':5},"                           \
    "'sum':{'keep':'2','at':0,'bytes':6}}"

static void test_trees (void **unused)
{
    (void)unused;
    removes (NULL,
             "{'ev':" REMOVING "{'tree':'1','list':'until_used','sum':'2'}}",
             REST_GONE);
    assert_said (REST_GONE);
    assert_false (file_exists (TASK ("0") "tree"));
    assert_false (file_exists (TASK ("1") "list"));
    assert_false (file_exists (STAGE "out/sum"));
    assert_true (file_exists (TASK ("0") "file"));
}

/* A part is gone, another is on its way. */
static void test_after_a_kill (void **unused)
{
    (void)unused;
    put (".fanfold/run/000008/.tmp-of-the-killed");
    assert_int_equal (unlink (TASK ("0") "file"), 0);
    put (LAYOUT_REMOVING_DIR "/7/rest");
    removes ("{'ev':" REMOVING "{'file':'1'}}", NULL, FILE_GONE);
    assert_said (FILE_GONE);
    assert_false (file_exists (TASK ("1") "file"));
    assert_false (file_exists (".fanfold/run/000008/.tmp-of-the-killed"));
}

/* What outputs.json does not tell of the stage's own stays. */
static void test_nothing_else (void **unused)
{
    (void)unused;
    removes (NULL, "{'ev':" REMOVING "{'strange':'1','none':'1'}}",
             "{'strange':{'keep':'1','at':0,'bytes':0},"
             "'none':{'keep':'1','at':0,'bytes':0}}");
    assert_true (file_exists ("elsewhere"));
}

/* Somebody deleted the whole stage. */
static void test_nothing_there (void **unused)
{
    (void)unused;
    assert_int_equal (file_remove_tree ("make", NULL, NULL), 0);
    removes (NULL, "{'ev':" REMOVING "{'file':'1'}}",
             "{'file':{'keep':'1','at':0,'bytes':0}}");
}

#define RAW_GONE "{'raw':{'keep':'until_done','at':0,'bytes':4}}"

/* Raw files, also those of superseded generations. */
static void test_raw (void **unused)
{
    (void)unused;
    put (JOB ("0") "raw/one.gz");
    put (JOB ("1") "raw/two.gz");
    put (".fanfold/replaced/000007/job/000001/raw/two.gz");
    removes (NULL, "{'ev':" REMOVING "{'raw':'until_done'}}", RAW_GONE);
    assert_said (RAW_GONE);
    assert_false (file_exists (JOB ("0") "raw"));
    assert_false (file_exists (JOB ("1") "raw"));
    assert_false (file_exists (".fanfold/replaced/000007/job/000001/raw"));
    assert_true (file_exists (TASK ("0") "file"));
}

/* What was there first is told, though some was gone when it went on. */
static void test_raw_after_a_kill (void **unused)
{
    (void)unused;
    put (JOB ("1") "raw/two.gz");
    put_json (STAGE LAYOUT_REMOVED, "{'format':1,'outputs':" RAW_GONE "}");
    removes ("{'ev':" REMOVING "{'raw':'until_done'}}", NULL, RAW_GONE);
    assert_said (RAW_GONE);
    assert_false (file_exists (JOB ("1") "raw"));
}

#define TEST(name) cmocka_unit_test_setup_teardown (name, enter, leave)

int main (void)
{
    const struct CMUnitTest tests[] = {
        TEST (test_a_file),        TEST (test_trees),
        TEST (test_after_a_kill),  TEST (test_nothing_else),
        TEST (test_nothing_there), TEST (test_superseded),
        TEST (test_raw),           TEST (test_raw_after_a_kill),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
