/* SPDX-License-Identifier: BSD-3-Clause */
/* test_requests.c - what people ask for is obeyed, or refused with a reason */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>
#include <sys/stat.h>

#include "campaign/plan.h"
#include "engine/history/engine.h"
#include "engine/drive/requests.h"
#include "history.h"
#include "space/layout.h"
#include "temp_dir.h"

int __real_fsync (int fd);
int __wrap_fsync (int fd);

/* A file server that writes files, and fails at directories. */
static bool directories_fail;

int __wrap_fsync (int fd)
{
    struct stat st;

    if (directories_fail && fstat (fd, &st) == 0 && S_ISDIR (st.st_mode)) {
        errno = EIO;
        return -1;
    }
    return __real_fsync (fd);
}

static struct temp_dir dir;
static struct stage stages[] = { { .name = "label" }, { .name = "train" } };
static struct plan plan;
static struct json *told; /* the last event */

static void remember (const struct json *event, void *arg)
{
    (void)arg;
    json_unref (told);
    told = json_deep_copy (event);
}

static void drive (struct engine *engine)
{
    struct error err = ERROR_INIT;

    if (engine_open (engine, plan.dir, "fanfold", &err) < 0)
        fail_msg ("%s", err.text);
    engine_take_plan (engine, &plan);
    if (engine_take_lease (engine, &err) != 0)
        fail_msg ("%s", err.text);
    engine->on_event = remember;
}

static int enter (void **unused)
{
    static const struct operator_spec an_op = { .name = "x.any", .code = "x" };

    (void)unused;
    temp_dir_enter (&dir);
    stages[0].op = stages[1].op = &an_op;
    stages[0].success = stages[1].success = 1;
    plan = (struct plan){
        .dir = dir.path, .name = "silicon", .stages = stages, .n_stages = 2
    };
    return 0;
}

static int leave (void **unused)
{
    (void)unused;
    json_unref (told);
    told = NULL;
    temp_dir_leave (&dir);
    return 0;
}

static size_t count_files (const char *path)
{
    struct strvec names = STRVEC_INIT;
    size_t n;

    file_list_dir (path, &names, NULL);
    n = names.n;
    strvec_release (&names);
    return n;
}

#define LABEL "'iteration':0,'stage':'label'"
#define BEGIN "{'ev':'iteration','iteration':0}"
#define PREPARED "{'ev':'prepared'," LABEL ",'tasks':1}"
#define REPLACING                                                              \
    "{'ev':'request','id':'first','kind':'redo','to':0,'stages':[],"           \
    "'fresh':[],'number':1,'moves':['x']}"
#define FAILED "{'ev':'stage'," LABEL ",'phase':'failed','why':'w'}"
#define DONE "{'ev':'stage'," LABEL ",'phase':'done'}"
#define FINISHED(phase) "{'ev':'finished','phase':'" phase "','why':'w'}"
#define NOT_SO(iteration)                                                      \
    "{'ev':'skip','iteration':" #iteration                                     \
    ",'stage':'label','why':'its condition (a > 1) does not hold'}"
#define SKIP_ASKED                                                             \
    "{'ev':'request','id':'first','kind':'skip'," LABEL                        \
    ",'why':'skip was asked for'}"
#define CLOSED "{'ev':'closing','iteration':0,'history':{},'stop':false}"
#define NEXT "{'ev':'iteration','iteration':1}"
#define OPENED                                                                 \
    "{'ev':'attempt'," LABEL                                                   \
    ",'attempt':0,'tasks':'0'," PACKED ("1", "1", "1") "}"

static const struct {
    const char *history[7];
    const char *kind, *stage;
    const char *refusal; /* NULL: obeyed */
} askings[] = {
    { { NULL }, "pause", NULL, NULL },
    { { NULL }, "cancel", NULL, NULL },
    { { NULL }, "resume", NULL, NULL },
    { { NULL }, "retry", NULL, "nothing has run" },
    { { NULL }, "skip", "label", "no iteration has begun" },
    { { BEGIN }, "retry", NULL, "no stage has failed" },
    { { BEGIN, PREPARED, OPENED }, "retry", NULL, "no stage has failed" },
    { { BEGIN, PREPARED, FAILED }, "retry", NULL, NULL },
    { { BEGIN }, "dance", NULL, "there is no request 'dance'" },
    { { BEGIN }, "pause", "nobody", "there is no stage 'nobody'" },
    { { BEGIN }, "skip", NULL, "skip needs a stage" },
    { { BEGIN }, "skip", "train", NULL },
    { { BEGIN }, "retry", "train", "stage 'train' has not failed" },
    { { BEGIN, PREPARED, FAILED }, "skip", "label", NULL },
    { { BEGIN, PREPARED, FAILED }, "retry", "label", NULL },
    { { BEGIN, PREPARED, FAILED, FINISHED ("failed") }, "retry", NULL, NULL },
    { { BEGIN, PREPARED, FAILED, FINISHED ("failed") },
      "resume",
      NULL,
      "the campaign failed; use retry or skip" },
    { { BEGIN, PREPARED, FAILED, FINISHED ("failed") },
      "pause",
      NULL,
      "the campaign failed" },
    { { BEGIN, PREPARED, OPENED },
      "skip",
      "label",
      "is running; cancel first" },
    { { BEGIN, PREPARED, OPENED }, "retry", "label", "is running; what" },
    { { BEGIN, PREPARED, DONE }, "skip", "label", "stage 'label' is done" },
    { { BEGIN, PREPARED, DONE },
      "retry",
      "label",
      "stage 'label' has not failed" },
    { { BEGIN, "{'ev':'skip'," LABEL "}" },
      "retry",
      "label",
      "stage 'label' has not failed" },
    { { NULL }, "redo", NULL, "nothing has run that could be done again" },
    { { BEGIN }, "redo", "label", "'label' has not begun in iteration 0" },
    { { BEGIN, PREPARED, OPENED }, "redo", NULL, "stage 'label' is running" },
    { { BEGIN, PREPARED, FAILED }, "redo", "label", NULL },
    { { BEGIN, PREPARED, FINISHED ("done") }, "redo", NULL, NULL },
    { { BEGIN, PREPARED, FAILED, REPLACING }, "redo", NULL, "being moved" },
    { { BEGIN, NOT_SO (0) },
      "redo",
      "label",
      "stage 'label' was skipped in iteration 0 (its condition (a > 1) does "
      "not hold): nothing to run again; leave the stage out to decide all of "
      "iteration 0 anew" },
    { { BEGIN, PREPARED, DONE, CLOSED, NEXT, NOT_SO (1) },
      "redo",
      "label",
      "nothing to run again; name --iteration 0, where it ran, or leave" },
    { { BEGIN, NOT_SO (0) }, "redo", NULL, NULL },
    { { BEGIN, SKIP_ASKED }, "redo", "label", NULL },
    { { BEGIN, PREPARED, FAILED, SKIP_ASKED }, "redo", "label", NULL },
    { { BEGIN, FINISHED ("done") }, "resume", NULL, "the campaign is done" },
    { { BEGIN, FINISHED ("done") }, "retry", NULL, "run `fanfold redo STAGE`" },
};

static void test_obeyed_or_refused (void **unused)
{

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (askings); i++) {
        struct engine engine;
        struct error err = ERROR_INIT;
        char id[TOKEN_LENGTH + 1];
        const char *why;

        print_message ("# %s %s\n", askings[i].kind,
                       askings[i].stage ? askings[i].stage : "");
        drive (&engine);
        for (const char *const *h = askings[i].history; *h; h++)
            assert_int_equal (engine_record (&engine, json_of (*h), &err), 0);
        assert_int_equal (
            request_leave (dir.path,
                           &(struct request){ .kind = askings[i].kind,
                                              .stage = askings[i].stage,
                                              .iteration = -1 },
                           id, NULL),
            0);
        assert_int_equal (requests_waiting (dir.path), 1);
        assert_int_equal (requests_carry_out (&engine, &err), 1);
        assert_int_equal (requests_waiting (dir.path), 0);
        why = json_as_string (json_get (told, "why"));
        if (askings[i].refusal) {
            assert_json (json_get (told, "kind"), "'refused'");
            if (!strstr (why, askings[i].refusal))
                fail_msg ("%s", why);
        } else {
            assert_string_equal (json_as_string (json_get (told, "kind")),
                                 askings[i].kind);
        }
        engine_close (&engine);
        /* The journal can be read again, whatever was asked. */
        drive (&engine);
        engine_close (&engine);
        assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
        assert_int_equal (unlink ("state.json"), 0);
    }
}

static void test_oldest_first (void **unused)
{
    static const char *const kinds[] = { "cancel", "pause", "resume" };
    struct engine engine;
    char id[TOKEN_LENGTH + 1];

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (kinds); i++)
        assert_int_equal (request_leave (dir.path,
                                         &(struct request){ .kind = kinds[i],
                                                            .stage = NULL,
                                                            .iteration = -1 },
                                         id, NULL),
                          0);
    drive (&engine);
    assert_int_equal (requests_carry_out (&engine, NULL), 3);
    assert_int_equal (engine.state.status, CAMPAIGN_RUNNING);
    assert_int_equal (json_count (engine.state.requests_seen), 3);
    engine_close (&engine);
}

/* The event says what a retry does. */
static void retry_with_success (double success, const char *failed,
                                const char *anew, const char *enough)
{
    const char *const history[] = {
        BEGIN,
        "{'ev':'prepared'," LABEL ",'tasks':5}",
        "{'ev':'attempt'," LABEL
        ",'attempt':0,'tasks':'0-4'," PACKED ("5", "1", "5") "}",
        "{'ev':'results'," LABEL ",'tried':'0-4','outcomes':"
        "{'ok':'0,3','fatal':'1','failed':'2','timeout':'4'}}",
        "{'ev':'closed'," LABEL ",'attempt':0,'without_result':false}",
        failed,
        "{'ev':'unfit','iteration':0,'stage':'train','why':'w'}",
    };
    struct engine engine;
    char id[TOKEN_LENGTH + 1];
    struct error err = ERROR_INIT;

    stages[plan_stage_find (&plan, "label")].success = success;
    drive (&engine);
    for (size_t i = 0; i < ARRAY_SIZE (history); i++) {
        if (engine_record (&engine, json_of (history[i]), &err) < 0)
            fail_msg ("%s", err.text);
    }
    request_leave (
        dir.path,
        &(struct request){ .kind = "retry", .stage = NULL, .iteration = -1 },
        id, NULL);
    assert_int_equal (requests_carry_out (&engine, &err), 1);
    assert_string_equal (json_get_string (told, "id"), id);
    assert_json (json_get (told, "tries_anew"), anew);
    if (enough)
        assert_json (json_get (told, "enough"), enough);
    else
        assert_null (json_get (told, "enough"));
    assert_int_equal (
        state_stage (&engine.state, 0, "label")->by_outcome[OUTCOME_NONE],
        !enough && strstr (failed, "phase") ? 3 : 0);
    engine_close (&engine);
}

static void test_what_a_retry_does (void **unused)
{
    (void)unused;
    retry_with_success (0.6, FAILED, "{'label':'1-2,4','train':''}", NULL);
}

/* Two of five are as many as are needed now. */
static void test_enough_by_now (void **unused)
{
    (void)unused;
    retry_with_success (0.4, FAILED, "{'train':''}", "['label']");
}

/* ... but not where its inputs do not fit: these are bound again. */
static void test_not_enough_for_bad_inputs (void **unused)
{
    (void)unused;
    retry_with_success (0.4, "{'ev':'unfit'," LABEL ",'why':'w'}",
                        "{'label':'','train':''}", NULL);
}

/* Its file could not be removed the first time. */
static void test_obeyed_once (void **unused)
{
    struct engine engine;
    int64_t n;

    (void)unused;
    drive (&engine);
    assert_int_equal (file_make_dirs (LAYOUT_REQUESTS_DIR, NULL), 0);
    for (int i = 0; i < 2; i++) {
        write_text (LAYOUT_REQUESTS_DIR "/1-a",
                    "{\"format\": 1, \"id\": \"x\", \"kind\": \"pause\"}");
        assert_int_equal (requests_carry_out (&engine, NULL), 1);
        assert_int_equal (count_files (LAYOUT_REQUESTS_DIR), 0);
        assert_true (i == 0 || engine.position.n == n);
        n = engine.position.n;
    }
    engine_close (&engine);
}

/* What is no request is removed; what is half written is not looked at. */
static void test_strange_files (void **unused)
{
    static const char *const texts[] = { "",
                                         "{",
                                         "[]",
                                         "{\"id\": 7}",
                                         "{\"id\": \"\", \"kind\": \"pause\"}",
                                         "{\"kind\": \"pause\"}" };
    struct engine engine;

    (void)unused;
    drive (&engine);
    assert_int_equal (file_make_dirs (LAYOUT_REQUESTS_DIR, NULL), 0);
    for (size_t i = 0; i < ARRAY_SIZE (texts); i++) {
        write_text (LAYOUT_REQUESTS_DIR "/1-a", texts[i]);
        assert_int_equal (requests_carry_out (&engine, NULL), 1);
        assert_int_equal (count_files (LAYOUT_REQUESTS_DIR), 0);
    }
    assert_int_equal (engine.position.n, 0);
    write_text (LAYOUT_REQUESTS_DIR "/1-a", "{\"id\": \"x\"}");
    assert_int_equal (requests_carry_out (&engine, NULL), 1);
    assert_json (json_get (told, "kind"), "'refused'");
    write_text (LAYOUT_REQUESTS_DIR "/1-a",
                "{\"id\": \"y\", \"kind\": \"skip\", \"stage\": [1]}");
    assert_int_equal (requests_carry_out (&engine, NULL), 1);
    assert_json (json_get (told, "kind"), "'refused'");
    write_text (LAYOUT_REQUESTS_DIR "/.tmp-x", "{");
    /* what has no time in its name is nobody's request, and stays */
    write_text (LAYOUT_REQUESTS_DIR "/notes",
                "{\"id\": \"z\", \"kind\": \"pause\"}");
    assert_int_equal (requests_waiting (dir.path), 0);
    assert_int_equal (requests_carry_out (&engine, NULL), 0);
    assert_true (file_exists (LAYOUT_REQUESTS_DIR "/notes"));
    assert_int_equal (engine.state.status, CAMPAIGN_RUNNING);
    engine_close (&engine);
}

static void test_wake (void **unused)
{
    (void)unused;
    assert_int_equal (requests_waiting (dir.path), 0);
    wake_messages_consume (dir.path);
    assert_int_equal (wake_message_leave (dir.path, NULL), 0);
    assert_int_equal (wake_message_leave (dir.path, NULL), 0);
    assert_int_equal (requests_waiting (dir.path), 2);
    wake_messages_consume (dir.path);
    assert_int_equal (requests_waiting (dir.path), 0);
    assert_int_equal (count_files (LAYOUT_WAKE_DIR), 0);
}

/* A campaign that was moved away is not made anew. */
static void test_directory_that_is_gone (void **unused)
{
    struct error err = ERROR_INIT;

    (void)unused;
    assert_int_equal (wake_message_leave ("gone", &err), -1);
    assert_string_equal (err.text, "'gone' is not there any more");
    assert_false (file_exists ("gone"));
}

/* Who is told that it failed does not find it carried out later. */
static void test_what_is_not_on_the_disk (void **unused)
{
    struct request request = { .kind = "pause", .iteration = -1 };
    char id[TOKEN_LENGTH + 1];
    struct error err = ERROR_INIT;

    (void)unused;
    assert_int_equal (request_leave (dir.path, &request, id, &err), 0);
    assert_int_equal (wake_message_leave (dir.path, NULL), 0);
    directories_fail = true;
    assert_int_equal (request_leave (dir.path, &request, id, &err), -1);
    assert_int_equal (wake_message_leave (dir.path, NULL), -1);
    directories_fail = false;
    assert_non_null (strstr (err.text, "cannot sync"));
    assert_int_equal (requests_waiting (dir.path), 2);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown (test_obeyed_or_refused, enter, leave),
        cmocka_unit_test_setup_teardown (test_what_a_retry_does, enter, leave),
        cmocka_unit_test_setup_teardown (test_enough_by_now, enter, leave),
        cmocka_unit_test_setup_teardown (test_not_enough_for_bad_inputs, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_oldest_first, enter, leave),
        cmocka_unit_test_setup_teardown (test_obeyed_once, enter, leave),
        cmocka_unit_test_setup_teardown (test_strange_files, enter, leave),
        cmocka_unit_test_setup_teardown (test_directory_that_is_gone, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_wake, enter, leave),
        cmocka_unit_test_setup_teardown (test_what_is_not_on_the_disk, enter,
                                         leave),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
