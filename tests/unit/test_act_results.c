/* SPDX-License-Identifier: BSD-3-Clause */
/* test_act_results.c - results that no log tells of are found, and last */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "campaign/launcher.h"
#include "campaign/plan.h"
#include "engine/act/act.h"
#include "engine/decide/actions.h"
#include "engine/history/engine.h"
#include "engine/history/state.h"
#include "fsync_calls.h"
#include "history.h"
#include "in_temp_dir.h"

#define OF_LABEL "'iteration':0,'stage':'label'"
#define STAGE "label/toy/iter/000000/"
#define JOBS STAGE "job/"
#define RUN ".fanfold/run/000001/"

static const struct port outputs[] = { { .name = "made",
                                         .type = { .kind = TYPE_FILE } },
                                       { .name = NULL } };
static const char *const left[] = { "md.restart", NULL };
static const struct operator_spec labeling = { .name = "toy.label",
                                               .code = "toy",
                                               .outputs = outputs,
                                               .checkpoint = left };
static const struct launcher_environment no_launcher;
static const struct profile profile = { .name = "p",
                                        .scheduler = "toy",
                                        .environment = &no_launcher };
static struct stage stages[] = {
    { .name = "label", .op = &labeling, .profile = &profile },
};

static void put_result (int task, const char *identity)
{
    struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;

    strbuf_addf (&path, JOBS "%06d/out/result.json", task);
    strbuf_addf (&text,
                 "{\"format\": 1, \"stage\": \"label\", \"iteration\": 0, "
                 "\"task\": %d, \"params\": {}, \"artifacts\": {}, "
                 "\"identity\": \"%s\"}",
                 task, identity);
    assert_int_equal (file_make_parent (path.buf, NULL), 0);
    write_text (path.buf, text.buf);
    strbuf_release (&path);
    strbuf_release (&text);
}

static void begin (struct engine *engine, struct plan *plan)
{
    static const char *const history[] = {
        "{'ev':'iteration','iteration':0}",
        "{'ev':'preparing'," OF_LABEL ",'code':'toy','generation':1}",
        "{'ev':'prepared'," OF_LABEL ",'tasks':4,'code':'toy','generation':1}",
        "{'ev':'attempt'," OF_LABEL
        ",'attempt':0,'tasks':'0-3'," PACKED ("1", "1", "1") "}",
    };
    struct error err = ERROR_INIT;

    assert_int_equal (file_make_dirs (RUN, NULL), 0);
    assert_int_equal (file_make_dirs (STAGE, NULL), 0);
    write_text (STAGE "stage.json", "{}");
    assert_int_equal (engine_open (engine, dir.path, "fanfold", &err), 0);
    engine_take_plan (engine, plan);
    assert_int_equal (engine_take_lease (engine, &err), 0);
    for (size_t i = 0; i < ARRAY_SIZE (history); i++) {
        if (engine_record (engine, json_of (history[i]), &err) < 0)
            fail_msg ("%s", err.text);
    }
}

/* Three agents died before they could say that they were done: what is there
 * counts, its names are brought to the disk, and the way there once.
 */
static void test_found (void **unused)
{
    struct action action = { .kind = ACT_RESULTS };
    struct error err = ERROR_INIT;
    const struct stage_state *stage;
    struct engine engine;
    struct plan plan = {
        .dir = dir.path, .name = "c", .stages = stages, .n_stages = 1
    };

    (void)unused;
    begin (&engine, &plan);
    for (int t = 0; t < 3; t++)
        put_result (t, "any");
    action.event = json_of ("{'ev':'results'," OF_LABEL
                            ",'tried':'0-3','outcomes':{'lost':'0-3'}}");
    fsync_watch (JOBS "000001");
    if (act_results (&engine, &action, &err) != ACT_DONE)
        fail_msg ("%s", err.text);
    assert_true (fsync_watched.name_lasts);
    stage = state_stage (&engine.state, 0, "label");
    assert_int_equal (stage->by_outcome[OUTCOME_OK], 3);
    assert_int_equal (stage->by_outcome[OUTCOME_LOST], 1);
    json_unref (action.event);
    engine_close (&engine);
}

static void test_synced_once (void **unused)
{
    struct action action = { .kind = ACT_RESULTS };
    struct engine engine;
    struct plan plan = {
        .dir = dir.path, .name = "c", .stages = stages, .n_stages = 1
    };

    (void)unused;
    begin (&engine, &plan);
    for (int t = 0; t < 3; t++)
        put_result (t, "any");
    action.event = json_of ("{'ev':'results'," OF_LABEL
                            ",'tried':'0-3','outcomes':{'lost':'0-3'}}");
    fsync_watch ("label");
    assert_int_equal (act_results (&engine, &action, NULL), ACT_DONE);
    assert_int_equal (fsync_watched.times, 1);
    json_unref (action.event);
    engine_close (&engine);
}

/* Nothing is journaled of what could be lost. */
static void test_not_synced (void **unused)
{
    struct action action = { .kind = ACT_RESULTS };
    struct error err = ERROR_INIT;
    struct engine engine;
    struct plan plan = {
        .dir = dir.path, .name = "c", .stages = stages, .n_stages = 1
    };

    (void)unused;
    begin (&engine, &plan);
    put_result (1, "any");
    action.event = json_of ("{'ev':'results'," OF_LABEL
                            ",'tried':'0-1','outcomes':{'lost':'0-1'}}");
    fsync_watch (STAGE "job");
    fsync_watched.fails = true;
    assert_int_equal (act_results (&engine, &action, &err), ACT_FAILED);
    fsync_watched.fails = false;
    assert_int_equal (
        state_stage (&engine.state, 0, "label")->by_outcome[OUTCOME_NONE], 4);
    json_unref (action.event);
    engine_close (&engine);
}

/* It was gathered by a driver that could not sync its place, or was killed. */
static void test_checkpoint_in_place (void **unused)
{
    struct action action = { .kind = ACT_RESULTS };
    const struct stage_state *stage;
    struct engine engine;
    struct plan plan = {
        .dir = dir.path, .name = "c", .stages = stages, .n_stages = 1
    };

    (void)unused;
    begin (&engine, &plan);
    assert_int_equal (file_make_dirs (RUN "checkpoint/000001", NULL), 0);
    write_text (RUN "checkpoint/000001/md.restart", "7");
    action.event = json_of ("{'ev':'results'," OF_LABEL
                            ",'tried':'1','outcomes':{'lost':'1'}}");
    fsync_watch (RUN "checkpoint/000001");
    assert_int_equal (act_results (&engine, &action, NULL), ACT_DONE);
    stage = state_stage (&engine.state, 0, "label");
    assert_non_null (json_get (stage->checkpoints, "1"));
    assert_true (fsync_watched.name_lasts);
    json_unref (action.event);
    engine_close (&engine);
}

static void prepare (struct engine *engine, struct plan *plan)
{
    const struct action action = { .kind = ACT_PREPARE };
    struct error err = ERROR_INIT;

    assert_int_equal (engine_open (engine, dir.path, "fanfold", &err), 0);
    engine_take_plan (engine, plan);
    assert_int_equal (engine_take_lease (engine, &err), 0);
    assert_int_equal (
        engine_record (engine, json_of ("{'ev':'iteration','iteration':0}"),
                       &err),
        0);
    if (act_prepare (engine, &action, &err) != ACT_DONE)
        fail_msg ("%s", err.text);
}

/* A stage that is prepared over what a former history left takes its results,
 * whoever put them there: they are on the disk, then.
 */
static void test_adopted (void **unused)
{
    struct engine engine;
    struct json *manifest;
    struct plan plan = {
        .dir = dir.path, .name = "c", .stages = stages, .n_stages = 1
    };

    (void)unused;
    prepare (&engine, &plan);
    engine_close (&engine);
    manifest = json_read_file (STAGE "stage.json", NULL);
    put_result (0, json_get_string (manifest, "identity"));
    json_unref (manifest);
    assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
    assert_int_equal (file_remove_tree ("state.json", NULL, NULL), 0);
    fsync_watch (JOBS "000000");
    prepare (&engine, &plan);
    assert_int_equal (
        state_stage (&engine.state, 0, "label")->by_outcome[OUTCOME_OK], 1);
    assert_true (fsync_watched.name_lasts);
    engine_close (&engine);
}

#define IN_DIR(test) cmocka_unit_test_setup_teardown (test, enter, leave)

int main (void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR (test_found),
        IN_DIR (test_synced_once),
        IN_DIR (test_not_synced),
        IN_DIR (test_adopted),
        IN_DIR (test_checkpoint_in_place),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
