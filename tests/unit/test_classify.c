/* SPDX-License-Identifier: BSD-3-Clause */
/* test_classify.c - how tasks ended: as agents logged it, then as the
 * scheduler says */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "engine/act/act.h"
#include "engine/decide/classify.h"
#include "engine/observe/observe.h"
#include "history.h"

enum { TASKS = 6, ELEMENTS = 3 };

/* Tasks 0-1 in element 0, 2-3 in 1, 4-5 in 2. */
struct scene {
    struct task_state tasks[TASKS];
    struct stage_state stage;
    struct logged_task logged[TASKS];
    struct attempt_logs logs;
    struct observed_attempt attempt;
    struct element_status elements[ELEMENTS];
    struct task_range bundles[ELEMENTS];
    struct observed_submission submission;
};

static void scene_init (struct scene *scene)
{
    memset (scene, 0, sizeof (*scene));
    scene->stage.n_tasks = TASKS;
    scene->stage.tasks = scene->tasks;
    scene->attempt.logs = &scene->logs;
    scene->logs.tasks = scene->logged;
    scene->logs.n_tasks = TASKS;
    scene->logs.why = json_object ();
    for (int e = 0; e < ELEMENTS; e++)
        task_range_add_span (&scene->bundles[e], 2 * e, 2 * e + 1);
    scene->submission =
        (struct observed_submission){ .token = "token",
                                      .polled = true,
                                      .elements = scene->elements,
                                      .bundles = scene->bundles,
                                      .n_elements = ELEMENTS };
}

static void scene_release (struct scene *scene)
{
    json_unref (scene->logs.why);
    for (int e = 0; e < ELEMENTS; e++)
        task_range_release (&scene->bundles[e]);
}

static void expect (const struct scene *scene, bool final, const char *text)
{
    struct json *results =
        classify_results (&scene->stage, &scene->attempt, &scene->submission,
                          (struct judging){ final, false });

    assert_json (results, text);
    json_unref (results);
}

/* Our own cancelling, taken back: of it nothing is said. */
static void expect_forgiven (const struct scene *scene, bool final,
                             const char *text)
{
    struct json *results =
        classify_results (&scene->stage, &scene->attempt, &scene->submission,
                          (struct judging){ final, true });

    assert_json (results, text);
    json_unref (results);
}

/* Where those ran that did not end well, as far as it is known. */
static void test_nodes (void **unused)
{
    struct scene scene;

    (void)unused;
    scene_init (&scene);
    strvec_push (&scene.logs.nodes, "n1");
    strvec_push (&scene.logs.nodes, "n2");
    strvec_push (&scene.logs.nodes, "n3");
    for (int t = 0; t < TASKS; t++)
        scene.logged[t] = (struct logged_task){ .started = true,
                                                .outcome = OUTCOME_FAILED,
                                                .wall_s = 9 };
    scene.logged[0] = (struct logged_task){ .started = true,
                                            .outcome = OUTCOME_OK,
                                            .node = 1 };
    scene.logged[1].node = 2;
    scene.logged[2].node = 3;
    scene.logged[3].node = 2;
    expect (&scene, false,
            "{'tried':'0-5','outcomes':{'ok':'0','failed':'1-5'},"
            "'nodes':{'n2':'1,3','n3':'2'},'lost_s':45.0}");
    strvec_release (&scene.logs.nodes);
    scene_release (&scene);
}

static void test_live_and_known (void **unused)
{
    static const struct {
        enum element_state states[ELEMENTS];
        bool live, known;
    } cases[] = {
        { { ELEMENT_ENDED, ELEMENT_ENDED, ELEMENT_ENDED }, false, true },
        { { ELEMENT_UNKNOWN, ELEMENT_UNKNOWN, ELEMENT_UNKNOWN }, false, false },
        { { ELEMENT_ENDED, ELEMENT_UNKNOWN, ELEMENT_ENDED }, false, false },
        { { ELEMENT_ENDED, ELEMENT_ENDED, ELEMENT_RUNNING }, true, true },
        { { ELEMENT_QUEUED, ELEMENT_ENDED, ELEMENT_ENDED }, true, true },
        { { ELEMENT_ENDED, ELEMENT_HELD, ELEMENT_UNKNOWN }, true, false },
    };
    struct scene scene;

    (void)unused;
    scene_init (&scene);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        for (int e = 0; e < ELEMENTS; e++)
            scene.elements[e].state = cases[i].states[e];
        assert_int_equal (submission_is_live (&scene.submission),
                          cases[i].live);
        assert_int_equal (submission_is_known (&scene.submission),
                          cases[i].known);
    }
    scene_release (&scene);
}

static void test_complete (void **unused)
{
    struct scene scene;

    (void)unused;
    scene_init (&scene);
    for (int t = 0; t < TASKS; t++) {
        assert_false (submission_is_complete (&scene.stage, &scene.attempt,
                                              &scene.submission));
        scene.logged[t].started = true;
        assert_false (submission_is_complete (&scene.stage, &scene.attempt,
                                              &scene.submission));
        if (t % 2 == 0) /* told by a log, or recorded before */
            scene.logged[t].outcome = OUTCOME_FAILED;
        else
            scene.tasks[t].outcome = OUTCOME_OK;
    }
    assert_true (submission_is_complete (&scene.stage, &scene.attempt,
                                         &scene.submission));
    scene.logged[4].outcome = OUTCOME_PREEMPTED; /* by whom? */
    assert_false (submission_is_complete (&scene.stage, &scene.attempt,
                                          &scene.submission));
    scene.elements[2].state = ELEMENT_ENDED;
    assert_true (submission_is_complete (&scene.stage, &scene.attempt,
                                         &scene.submission));
    scene_release (&scene);
}

/* A failure by a signal, and one on several nodes; so high that it is no
 * outcome.
 */
#define KILLED (OUTCOME_COUNT + 1)
#define FAILED_ON_NODES (OUTCOME_COUNT + 2)

/* One task that is not recorded, of an element in some state. */
static const struct {
    bool started;
    int logged;
    enum element_state state;
    enum outcome element;
    enum outcome before_final, final;
} judgements[] = {
    /* what an agent logged is final */
    { true, OUTCOME_OK, ELEMENT_RUNNING, 0, OUTCOME_OK, OUTCOME_OK },
    { true, OUTCOME_FAILED, ELEMENT_ENDED, OUTCOME_TIMEOUT, OUTCOME_FAILED,
      OUTCOME_FAILED },
    { true, OUTCOME_OK, ELEMENT_ENDED, OUTCOME_NODE_FAILURE, OUTCOME_OK,
      OUTCOME_OK },
    { false, OUTCOME_OK, ELEMENT_UNKNOWN, 0, OUTCOME_OK, OUTCOME_OK },
    /* but for being told to end: the scheduler says by whom */
    { true, OUTCOME_PREEMPTED, ELEMENT_RUNNING, 0, 0, OUTCOME_PREEMPTED },
    { true, OUTCOME_PREEMPTED, ELEMENT_UNKNOWN, 0, 0, OUTCOME_PREEMPTED },
    { true, OUTCOME_PREEMPTED, ELEMENT_ENDED, OUTCOME_PREEMPTED,
      OUTCOME_PREEMPTED, OUTCOME_PREEMPTED },
    { true, OUTCOME_PREEMPTED, ELEMENT_ENDED, OUTCOME_FAILED, OUTCOME_PREEMPTED,
      OUTCOME_PREEMPTED },
    { true, OUTCOME_PREEMPTED, ELEMENT_ENDED, OUTCOME_CANCELLED,
      OUTCOME_CANCELLED, OUTCOME_CANCELLED },
    { true, OUTCOME_PREEMPTED, ELEMENT_ENDED, OUTCOME_TIMEOUT, OUTCOME_TIMEOUT,
      OUTCOME_TIMEOUT },
    { true, OUTCOME_PREEMPTED, ELEMENT_ENDED, OUTCOME_NODE_FAILURE,
      OUTCOME_NODE_FAILURE, OUTCOME_NODE_FAILURE },
    { true, OUTCOME_PREEMPTED, ELEMENT_ENDED, OUTCOME_OUT_OF_MEMORY,
      OUTCOME_PREEMPTED, OUTCOME_PREEMPTED },
    /* ... or being killed, of which the agent may not have heard yet */
    { true, KILLED, ELEMENT_RUNNING, 0, 0, OUTCOME_FAILED },
    { true, KILLED, ELEMENT_QUEUED, 0, 0, OUTCOME_FAILED },
    { true, KILLED, ELEMENT_UNKNOWN, 0, 0, OUTCOME_FAILED },
    { true, KILLED, ELEMENT_ENDED, OUTCOME_OK, OUTCOME_FAILED, OUTCOME_FAILED },
    { true, KILLED, ELEMENT_ENDED, OUTCOME_FAILED, OUTCOME_FAILED,
      OUTCOME_FAILED },
    { true, KILLED, ELEMENT_ENDED, OUTCOME_CANCELLED, OUTCOME_CANCELLED,
      OUTCOME_CANCELLED },
    { true, KILLED, ELEMENT_ENDED, OUTCOME_NODE_FAILURE, OUTCOME_NODE_FAILURE,
      OUTCOME_NODE_FAILURE },
    /* ... or having failed on several nodes, one of which may be lost */
    { true, FAILED_ON_NODES, ELEMENT_RUNNING, 0, 0, OUTCOME_FAILED },
    { true, FAILED_ON_NODES, ELEMENT_UNKNOWN, 0, 0, OUTCOME_FAILED },
    { true, FAILED_ON_NODES, ELEMENT_ENDED, OUTCOME_OK, OUTCOME_FAILED,
      OUTCOME_FAILED },
    { true, FAILED_ON_NODES, ELEMENT_ENDED, OUTCOME_NODE_FAILURE,
      OUTCOME_NODE_FAILURE, OUTCOME_NODE_FAILURE },
    /* without one the scheduler's, in the end */
    { true, 0, ELEMENT_ENDED, OUTCOME_TIMEOUT, 0, OUTCOME_TIMEOUT },
    { true, 0, ELEMENT_ENDED, OUTCOME_OUT_OF_MEMORY, 0, OUTCOME_OUT_OF_MEMORY },
    { true, 0, ELEMENT_ENDED, OUTCOME_NODE_FAILURE, 0, OUTCOME_NODE_FAILURE },
    { true, 0, ELEMENT_ENDED, OUTCOME_PREEMPTED, 0, OUTCOME_PREEMPTED },
    { true, 0, ELEMENT_ENDED, OUTCOME_CANCELLED, 0, OUTCOME_CANCELLED },
    { false, 0, ELEMENT_ENDED, OUTCOME_CANCELLED, 0, OUTCOME_CANCELLED },
    /* which knows of elements, not of tasks */
    { true, 0, ELEMENT_ENDED, OUTCOME_OK, 0, OUTCOME_LOST },
    { true, 0, ELEMENT_ENDED, OUTCOME_FAILED, 0, OUTCOME_LOST },
    { true, 0, ELEMENT_UNKNOWN, 0, 0, OUTCOME_LOST },
    /* what never began runs again */
    { false, 0, ELEMENT_ENDED, OUTCOME_OK, 0, OUTCOME_NONE },
    { false, 0, ELEMENT_ENDED, OUTCOME_FAILED, 0, OUTCOME_NONE },
    { false, 0, ELEMENT_ENDED, OUTCOME_TIMEOUT, 0, OUTCOME_NONE },
    { false, 0, ELEMENT_ENDED, OUTCOME_NODE_FAILURE, 0, OUTCOME_NONE },
    { false, 0, ELEMENT_UNKNOWN, 0, 0, OUTCOME_NONE },
};

static void test_judging_one (void **unused)
{

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (judgements); i++) {
        const enum outcome outcomes[] = { judgements[i].before_final,
                                          judgements[i].final };
        struct attempt attempt = { .packing = { .nodes = 2 } };
        struct scene scene;

        print_message ("# case %zu\n", i);
        scene_init (&scene);
        scene.submission.n_elements = 2;
        scene.logged[0].outcome = scene.logged[1].outcome = OUTCOME_OK;
        scene.tasks[0].outcome = scene.tasks[1].outcome = OUTCOME_OK;
        scene.logged[2].outcome = scene.logged[3].outcome = OUTCOME_OK;
        scene.tasks[3].outcome = OUTCOME_OK;
        scene.logged[2].started = judgements[i].started;
        scene.logged[2].killed = judgements[i].logged == KILLED;
        scene.logged[2].outcome = (uint8_t)judgements[i].logged;
        if (judgements[i].logged > OUTCOME_COUNT)
            scene.logged[2].outcome = OUTCOME_FAILED;
        if (judgements[i].logged == FAILED_ON_NODES) {
            scene.stage.attempts = &attempt;
            scene.stage.n_attempts = 1;
        }
        scene.elements[1].state = judgements[i].state;
        scene.elements[1].outcome = judgements[i].element;
        for (int final = 0; final < 2; final++) {
            struct strbuf text = STRBUF_INIT;

            strbuf_addf (&text, "{'tried':'%s','outcomes':{'%s':'2'}}",
                         judgements[i].started ? "2" : "",
                         outcome_name (outcomes[final]));
            expect (&scene, final,
                    outcomes[final] == OUTCOME_NONE ? "null" : text.buf);
            strbuf_release (&text);
        }
        scene_release (&scene);
    }
}

static void test_only_what_is_new (void **unused)
{
    struct scene scene;

    (void)unused;
    scene_init (&scene);
    expect (&scene, false, "null");
    scene.logged[0] = (struct logged_task){ .started = true,
                                            .outcome = OUTCOME_OK,
                                            .peak_bytes = 1 << 20,
                                            .wall_s = 1.5F };
    scene.logged[1] = (struct logged_task){ .started = true,
                                            .outcome = OUTCOME_FAILED,
                                            .peak_bytes = 1 << 30,
                                            .ended_s = 109,
                                            .wall_s = 9 };
    scene.logged[3] = (struct logged_task){ .started = true };
    scene.logged[4] = (struct logged_task){ .outcome = OUTCOME_OK };
    json_set (scene.logs.why, "0", json_string (""));
    json_set (scene.logs.why, "1", json_string ("exited with status 2"));
    json_set (scene.logs.why, "3", json_string ("of later"));
    scene.logged[5] = (struct logged_task){
        .started = true, .outcome = OUTCOME_OK, .ended_s = 104, .wall_s = 5.5F
    };
    expect (&scene, false,
            "{'tried':'0-1,5','outcomes':{'ok':'0,4-5','failed':'1'},"
            "'why':{'1':'exited with status 2'},"
            "'timed_tasks':2,'timed_s':7.0,'lost_s':9.0,'ran':[98.5,109.0],"
            "'sizes':{'memory':{'160':1},'walltime':{'5':1,'20':1}}}");
    scene.logged[5] = (struct logged_task){ .started = false };
    scene.tasks[0].outcome = OUTCOME_OK;
    scene.tasks[4].outcome = OUTCOME_OK;
    expect (&scene, false,
            "{'tried':'1','outcomes':{'failed':'1'},"
            "'why':{'1':'exited with status 2'},"
            "'lost_s':9.0,'ran':[100.0,109.0]}");
    scene.tasks[1].outcome = OUTCOME_FAILED;
    expect (&scene, false, "null");
    /* 3 began and is gone, 2 and 5 never began */
    expect (&scene, true,
            "{'tried':'3','outcomes':{'lost':'3'},'why':{'3':'of later'}}");
    scene.elements[2] =
        (struct element_status){ ELEMENT_ENDED, OUTCOME_CANCELLED };
    expect (&scene, true,
            "{'tried':'3','outcomes':{'cancelled':'5','lost':'3'},"
            "'why':{'3':'of later'}}");
    expect_forgiven (&scene, false, "null");
    expect_forgiven (
        &scene, true,
        "{'tried':'3','outcomes':{'lost':'3'},'why':{'3':'of later'}}");
    scene_release (&scene);
}

/* What elements ended before their tasks began: of those that have no outcome.
 */
static void test_not_begun (void **unused)
{
    struct scene scene;
    struct json *v;

    (void)unused;
    scene_init (&scene);
    scene.elements[0] =
        (struct element_status){ ELEMENT_ENDED, OUTCOME_PREEMPTED };
    scene.elements[1] = (struct element_status){ ELEMENT_ENDED, OUTCOME_OK };
    scene.elements[2] =
        (struct element_status){ ELEMENT_ENDED, OUTCOME_CANCELLED };
    v = classify_not_begun (&scene.stage, &scene.attempt, &scene.submission);
    assert_json (v, "{'preempted':'0-1'}");
    json_unref (v);
    scene.elements[1].outcome = OUTCOME_NODE_FAILURE;
    scene.elements[2].outcome = OUTCOME_PREEMPTED;
    scene.logged[0].started = true;
    scene.logged[3].outcome = OUTCOME_OK;
    scene.tasks[4].outcome = OUTCOME_FAILED;
    v = classify_not_begun (&scene.stage, &scene.attempt, &scene.submission);
    assert_json (v, "{'node_failure':'2','preempted':'1,5'}");
    json_unref (v);
    for (int e = 0; e < ELEMENTS; e++)
        scene.elements[e].state = ELEMENT_UNKNOWN;
    v = classify_not_begun (&scene.stage, &scene.attempt, &scene.submission);
    assert_json (v, "{}");
    json_unref (v);
    scene_release (&scene);
}

/* A task that was cancelled, and is to run again since a person said so, ended
 * in this attempt: its try and its time are recorded, whatever the scheduler
 * says of its element by now.
 */
static void test_renewed (void **unused)
{
    struct scene scene;

    (void)unused;
    scene_init (&scene);
    scene.submission.n_elements = 1;
    scene.tasks[0].outcome = OUTCOME_OK;
    scene.tasks[1].renewed = 1;
    scene.logged[1] = (struct logged_task){ .started = true,
                                            .outcome = OUTCOME_PREEMPTED,
                                            .wall_s = 9 };
    scene.elements[0] = (struct element_status){ ELEMENT_RUNNING, 0 };
    assert_true (submission_is_complete (&scene.stage, &scene.attempt,
                                         &scene.submission));
    scene.elements[0] = (struct element_status){ ELEMENT_ENDED, OUTCOME_OK };
    expect (&scene, false, "null");
    expect (&scene, true, "null");
    scene.elements[0].state = ELEMENT_UNKNOWN;
    expect (&scene, true, "null");
    scene.logged[1].outcome = OUTCOME_OK; /* after all */
    expect (&scene, true,
            "{'tried':'','outcomes':{'ok':'1'},'timed_tasks':1,'timed_s':9.0,"
            "'sizes':{'walltime':{'26':1}}}");
    scene_release (&scene);
}

/* A device that is retired is told once, whatever became of tasks. */
static void test_retired_devices (void **unused)
{
    struct read_element read[ELEMENTS] = { { .n_logs = 0 } };
    struct scene scene;

    (void)unused;
    scene_init (&scene);
    scene.submission.read = read;
    read[1].retired = json_of ("{'node n: GPU a':'n','node n: GPU b':''}");
    expect (&scene, false,
            "{'tried':'','outcomes':{},"
            "'retired':{'node n: GPU a':'n','node n: GPU b':''}}");
    scene.stage.retired = json_of ("{'node n: GPU a':'n'}");
    expect (&scene, false,
            "{'tried':'','outcomes':{},'retired':{'node n: GPU b':''}}");
    json_set (scene.stage.retired, "node n: GPU b", json_string (""));
    expect (&scene, false, "null");
    json_unref (scene.stage.retired);
    json_unref (read[1].retired);
    scene_release (&scene);
}

/* The element ran again after the failure was recorded: no second try is
 * charged.
 */
static void test_later_ok (void **unused)
{
    struct scene scene;

    (void)unused;
    scene_init (&scene);
    for (int t = 0; t < TASKS; t++)
        scene.logged[t] =
            (struct logged_task){ .started = true, .outcome = OUTCOME_OK };
    scene.tasks[0].outcome = OUTCOME_OK;
    scene.tasks[1].outcome = OUTCOME_FAILED;
    scene.tasks[2].outcome = OUTCOME_LOST;
    scene.tasks[3].outcome = OUTCOME_FAILED;
    scene.logged[3].outcome = OUTCOME_TIMEOUT;
    scene.tasks[4].outcome = OUTCOME_CANCELLED;
    for (int final = 0; final < 2; final++) {
        expect (&scene, final, "{'tried':'5','outcomes':{'ok':'1-2,4-5'}}");
        expect_forgiven (&scene, final,
                         "{'tried':'5','outcomes':{'ok':'1-2,4-5'}}");
    }
    scene_release (&scene);
}

static bool is_listed (int32_t task, void *arg)
{
    return task_range_contains (arg, task);
}

static void test_found (void **unused)
{
    static const struct {
        const char *event;
        const char *there; /* tasks with a result */
        const char *mended;
    } cases[] = {
        { "{'ev':'results','outcomes':{'lost':'0-3'}}", "",
          "{'ev':'results','outcomes':{'lost':'0-3'}}" },
        { "{'outcomes':{'lost':'0-3'},'tried':'0'}", "2",
          "{'outcomes':{'lost':'0-1,3','ok':'2'},'tried':'0'}" },
        { "{'outcomes':{'lost':'0','failed':'1','ok':'2,9'},"
          "'why':{'0':'a','1':'b'}}",
          "1,5", "{'outcomes':{'lost':'0','ok':'1-2,9'},'why':{'0':'a'}}" },
        { "{'outcomes':{'cancelled':'0-1'},'why':{'1':'b'}}", "0-1",
          "{'outcomes':{'ok':'0-1'}}" },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct task_range there = TASK_RANGE_INIT;
        struct json *event = json_of (cases[i].event);
        struct json *mended;

        assert_int_equal (task_range_parse (cases[i].there, &there, NULL), 0);
        mended = results_checked (event, 0, is_listed, &there);
        assert_json (mended, cases[i].mended);
        assert_json (event, cases[i].event);
        json_unref (mended);
        json_unref (event);
        task_range_release (&there);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_nodes),
        cmocka_unit_test (test_live_and_known),
        cmocka_unit_test (test_complete),
        cmocka_unit_test (test_judging_one),
        cmocka_unit_test (test_only_what_is_new),
        cmocka_unit_test (test_not_begun),
        cmocka_unit_test (test_renewed),
        cmocka_unit_test (test_retired_devices),
        cmocka_unit_test (test_later_ok),
        cmocka_unit_test (test_found),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
