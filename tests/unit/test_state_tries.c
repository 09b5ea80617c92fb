/* SPDX-License-Identifier: BSD-3-Clause */
/* test_state_tries.c - what events mean for the tries of tasks: times, charges,
 * checkpoints */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "engine/history/state.h"
#include "history.h"
#include "state_rows.h"

/* The latest iteration that has times counts, this one included. */
static void test_times_of_tasks (void **unused)
{
    static const struct {
        const char *event; /* then the mean is */
        double task_s;
    } rows[] = {
        { "{'ev':'campaign','id':'c','name':'n'}", 0 },
        { "{'ev':'iteration','iteration':0}", 0 },
        { "{'ev':'prepared'," OF_TRAIN ",'tasks':4}", 0 },
        { "{'ev':'results'," OF_TRAIN ",'tried':'0-1','outcomes':{'ok':'0-1'},"
          "'timed_tasks':2,'timed_s':3.0}",
          1.5 },
        { "{'ev':'results'," OF_TRAIN ",'tried':'2','outcomes':{'ok':'2'},"
          "'timed_tasks':1,'timed_s':6.0}",
          3 },
        { "{'ev':'results'," OF_TRAIN ",'tried':'3','outcomes':{'ok':'3'}}",
          3 },
        { "{'ev':'closing','iteration':0,'history':{},'stop':false}", 3 },
        { "{'ev':'iteration','iteration':1}", 3 },
        { "{'ev':'prepared','iteration':1,'stage':'train','tasks':4}", 3 },
        { "{'ev':'results','iteration':1,'stage':'train','tried':'0',"
          "'outcomes':{'ok':'0'},'timed_tasks':1,'timed_s':0.5}",
          0.5 },
    };
    struct state state = STATE_INIT;

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct json *event = json_of (rows[i].event);
        struct error err = ERROR_INIT;

        if (state_apply (&state, event, &err) < 0)
            fail_msg ("%s: %s", rows[i].event, err.text);
        assert_true (state_task_s (&state, "train") == rows[i].task_s);
        assert_true (state_task_s (&state, "label") == 0);
        json_unref (event);
    }
    state_release (&state);
}

#define CUT_SHORT(tried, outcome, sha256)                                      \
    "{'ev':'results'," OF_TRAIN ",'tried':'" tried "','outcomes':{'" outcome   \
    "':'2'},'checkpoints':{'2':{'name':'md.restart','files':1,'bytes':7,"      \
    "'sha256':'" sha256 "'}}}"
#define TRIES2 "iterations.0.stages.0.tries"
#define LEFT(sha256, number, uncharged)                                        \
    "{'2':{'name':'md.restart','files':1,'bytes':7,'sha256':'" sha256          \
    "','try':" number ",'uncharged':" uncharged "}}"

/* A try that was cut short and left a newer checkpoint is not charged, and
 * needs no more time; with the same one, and with any other end, it is.
 */
static void test_checkpoints (void **unused)
{
    static const struct row rows[] = {
        { CUT_SHORT ("2", "timeout", "a"), TRIES2, "{}" },
        { NULL, STAGE0 "timeouts", "{}" },
        { NULL, STAGE0 "outcomes", "{'timeout':'2'}" },
        { NULL, STAGE0 "checkpoints", LEFT ("a", "1", "1") },
        { CUT_SHORT ("2", "node_failure", "b"), TRIES2, "{}" },
        { NULL, STAGE0 "checkpoints", LEFT ("b", "2", "2") },
        /* not newer: charged, and the walltime is raised */
        { CUT_SHORT ("2", "timeout", "b"), TRIES2, "{'1':'2'}" },
        { NULL, STAGE0 "timeouts", "{'1':'2'}" },
        { NULL, STAGE0 "checkpoints", LEFT ("b", "2", "2") },
        /* further again; one that never started is not counted */
        { CUT_SHORT ("2", "preempted", "c"), TRIES2, "{'1':'2'}" },
        { NULL, STAGE0 "checkpoints", LEFT ("c", "4", "3") },
        { CUT_SHORT ("", "lost", "d"), TRIES2, "{'1':'2'}" },
        { NULL, STAGE0 "checkpoints", LEFT ("d", "4", "3") },
        /* nothing was left */
        { "{'ev':'results'," OF_TRAIN ",'tried':'2','outcomes':{'lost':'2'}}",
          TRIES2, "{'2':'2'}" },
        { NULL, STAGE0 "checkpoints", "{'2':{'uncharged':3}}" },
        /* an old one that is there again is newer than none */
        { CUT_SHORT ("2", "timeout", "b"), TRIES2, "{'2':'2'}" },
        { NULL, STAGE0 "checkpoints", LEFT ("b", "6", "4") },
        /* what was broken off goes on, and is charged */
        { CUT_SHORT ("2", "failed", "e"), TRIES2, "{'3':'2'}" },
        { NULL, STAGE0 "checkpoints", LEFT ("e", "7", "4") },
        /* what failed by itself begins anew */
        { "{'ev':'results'," OF_TRAIN ",'tried':'2','outcomes':{'failed':'2'}}",
          TRIES2, "{'4':'2'}" },
        { NULL, STAGE0 "checkpoints", "{'2':{'uncharged':4}}" },
        { CUT_SHORT ("2", "ok", "e"), TRIES2, "{'5':'2'}" },
        { NULL, STAGE0 "checkpoints", "{}" },
        { CUT_SHORT ("", "timeout", "f"), STAGE0 "checkpoints", "{}" },
    };
    struct state state = STATE_INIT;

    (void)unused;
    happen_all (&state, running);
    walk (&state, rows, ARRAY_SIZE (rows));
    state_release (&state);
}

/* What was cancelled runs again after a resume; that it ended in the attempt
 * that is open stays known.
 */
static void test_renewed (void **unused)
{
    static const struct row rows[] = {
        { "{'ev':'results'," OF_TRAIN
          ",'tried':'0-2','outcomes':{'ok':'0','cancelled':'1-2'}}",
          STAGE0 "renewed", "{}" },
        { "{'ev':'request','id':'r','kind':'resume','why':'w'}",
          STAGE0 "renewed", "{'1':'1-2'}" },
        { NULL, STAGE0 "outcomes", "{'ok':'0'}" },
        { NULL, TRIES2, "{'1':'0'}" },
        { "{'ev':'closed'," OF_TRAIN ",'attempt':0}", STAGE0 "renewed",
          "{'1':'1-2'}" },
        { "{'ev':'attempt'," OF_TRAIN
          ",'attempt':1,'tasks':'1-4'," PACKED ("1", "1", "1") "}",
          STAGE0 "renewed", "{}" },
        /* of one that is closed nothing is judged any more */
        { "{'ev':'results'," OF_TRAIN
          ",'tried':'1','outcomes':{'cancelled':'1'}}",
          STAGE0 "outcomes", "{'ok':'0','cancelled':'1'}" },
        { "{'ev':'closed'," OF_TRAIN ",'attempt':1}", STAGE0 "renewed", "{}" },
        { "{'ev':'request','id':'s','kind':'resume','why':'w'}",
          STAGE0 "renewed", "{}" },
        { NULL, STAGE0 "outcomes", "{'ok':'0'}" },
    };
    struct state state = STATE_INIT;

    (void)unused;
    happen_all (&state, running);
    walk (&state, rows, ARRAY_SIZE (rows));
    state_release (&state);
}

/* ... but not for ever. */
static void test_checkpoints_without_end (void **unused)
{
    const struct stage_state *stage;
    struct state state = STATE_INIT;

    (void)unused;
    happen_all (&state, running);
    for (int i = 0; i < 1003; i++) {
        char event[400];

        snprintf (event, sizeof (event), CUT_SHORT ("2", "timeout", "%d"), i);
        happen (&state, event);
    }
    stage = state_stage (&state, 0, "train");
    assert_int_equal (stage->tasks[2].tries, 3);
    assert_int_equal (stage->tasks[2].timeouts, 3);
    assert_int_equal (
        json_get_int (json_get (stage->checkpoints, "2"), "uncharged"), 1000);
    /* it still goes on from the newest one */
    assert_int_equal (json_get_int (json_get (stage->checkpoints, "2"), "try"),
                      1003);
    state_release (&state);
}

static void test_tries_do_not_wrap (void **unused)
{
    struct state state = STATE_INIT;

    (void)unused;
    happen_all (&state, running);
    for (int i = 0; i < 300; i++)
        happen (&state, "{'ev':'results'," OF_TRAIN
                        ",'tried':'0','outcomes':{'timeout':'0'}}");
    expect (&state, STAGE0 "tries", "{'255':'0'}");
    expect (&state, STAGE0 "timeouts", "{'255':'0'}");
    state_release (&state);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_times_of_tasks),
        cmocka_unit_test (test_checkpoints),
        cmocka_unit_test (test_renewed),
        cmocka_unit_test (test_checkpoints_without_end),
        cmocka_unit_test (test_tries_do_not_wrap),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
