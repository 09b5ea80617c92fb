/* SPDX-License-Identifier: BSD-3-Clause */
/* test_state_requests.c - what people ask for, as events */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "engine/history/state.h"
#include "history.h"
#include "state_rows.h"

static void test_pause_and_resume (void **unused)
{
    static const struct row rows[] = {
        { "{'ev':'request','id':'r1','kind':'pause','why':'pause was asked "
          "for'}",
          "phase", "1" },
        { NULL, "why", "'pause was asked for'" },
        { NULL, "cancelling", "false" },
        { NULL, "requests_seen", "{'r1':true}" },
        { "{'ev':'request','id':'r2','kind':'cancel','why':'w'}", "cancelling",
          "true" },
        { "{'ev':'outage','profile':'p','scheduler':'s','why':'w'}",
          "outages.p.full", "false" },
        { "{'ev':'request','id':'r3','kind':'pause','why':'w'}", "cancelling",
          "true" },
        { "{'ev':'request','id':'r4','kind':'refused','why':'no'}", "phase",
          "1" },
        { "{'ev':'results'," OF_TRAIN ",'tried':'0,3','outcomes':"
          "{'cancelled':'0-1','failed':'3','ok':'4'}}",
          STAGE0 "tries", "{'1':'0,3'}" },
        /* what was cancelled is forgotten, failures are not */
        { NULL, "outages.p.why", "'w'" },
        { "{'ev':'request','id':'r5','kind':'resume'}", "phase", "0" },
        { NULL, "cancelling", "false" },
        { NULL, "outages", "null" },
        { NULL, "why", "null" },
        { NULL, STAGE0 "outcomes", "{'ok':'4','failed':'3'}" },
        { NULL, STAGE0 "tries", "{'1':'3'}" },
        { NULL, "requests_seen",
          "{'r1':true,'r2':true,'r3':true,'r4':true,'r5':true}" },
        { "{'ev':'refused','token':'ta','why':'no such queue'}", "phase", "1" },
        { NULL, "why", "'no such queue'" },
        { NULL, FIRST "phase", "4" },
    };
    struct state state = STATE_INIT;

    (void)unused;
    happen_all (&state, running);
    walk (&state, rows, ARRAY_SIZE (rows));
    state_release (&state);
}

static void test_retry (void **unused)
{
    static const struct row rows[] = {
        { "{'ev':'results'," OF_TRAIN ",'tried':'0-3','outcomes':"
          "{'timeout':'0','failed':'3','ok':'4'}}",
          STAGE0 "tries", "{'1':'0-3'}" },
        /* not while it runs */
        { "{'ev':'request','id':'r1','kind':'retry'}", STAGE0 "tries",
          "{'1':'0-3'}" },
        { "{'ev':'closed'," OF_TRAIN ",'attempt':0,'without_result':true}",
          STAGE0 "without_result", "1" },
        { "{'ev':'unfit','iteration':0,'stage':'odd','why':'bad_input: x'}",
          "iterations.0.stages.1.phase", "4" },
        { "{'ev':'skip','iteration':0,'stage':'gone','why':'w'}",
          "iterations.0.stages.2.phase", "3" },
        { "{'ev':'stage'," OF_TRAIN ",'phase':'failed','why':'1 of 5',"
          "'now_s':9}",
          STAGE0 "why", "'1 of 5'" },
        { "{'ev':'finished','phase':'failed','why':'w'}", "phase", "3" },
        { "{'ev':'request','id':'r2','kind':'retry','stage':'train'}", "phase",
          "0" },
        { NULL, STAGE0 "phase", "1" },
        { NULL, STAGE0 "ended_s", "0.0" },
        { NULL, STAGE0 "why", "null" },
        { NULL, STAGE0 "without_result", "0" },
        { NULL, STAGE0 "outcomes", "{'ok':'4'}" },
        { NULL, STAGE0 "tries", "{'1':'1-2'}" },
        { NULL, STAGE0 "timeouts", "{'1':'0'}" }, /* walltime stays raised */
        { NULL, "iterations.0.stages.1.phase", "4" },
        /* without a name: all that failed, bad input is bound anew */
        { "{'ev':'request','id':'r3','kind':'retry'}",
          "iterations.0.stages.1.phase", "0" },
        { NULL, "iterations.0.stages.1.bad_input", "false" },
        { NULL, "iterations.0.stages.2.phase", "3" },
        { NULL, "iterations.0.stages.2.why", "'w'" },
        { "{'ev':'prepared','iteration':0,'stage':'odd','tasks':2}",
          "iterations.0.stages.1.tasks", "2" },
    };
    struct state state = STATE_INIT;

    (void)unused;
    happen_all (&state, running);
    walk (&state, rows, ARRAY_SIZE (rows));
    state_release (&state);
}

static void test_skip (void **unused)
{
    static const struct row rows[] = {
        { "{'ev':'stage'," OF_TRAIN ",'phase':'failed','why':'w'}",
          STAGE0 "phase", "4" },
        { "{'ev':'finished','phase':'failed','why':'w'}", "phase", "3" },
        { "{'ev':'request','id':'r1','kind':'skip'," OF_TRAIN
          ",'why':'skip was asked for'}",
          STAGE0 "phase", "3" },
        { NULL, STAGE0 "why", "'skip was asked for'" },
        { NULL, "phase", "0" },
        { "{'ev':'request','id':'r2','kind':'skip','iteration':0,"
          "'stage':'later','why':'w'}",
          "iterations.0.stages.1.phase", "3" },
        { "{'ev':'request','id':'r3','kind':'skip','iteration':0,"
          "'stage':'fit','steps':['fit.a','fit.b'],'why':'w'}",
          "iterations.0.stages.3.phase", "3" },
    };
    struct state state = STATE_INIT;

    (void)unused;
    happen_all (&state, running);
    walk (&state, rows, ARRAY_SIZE (rows));
    assert_non_null (state_stage (&state, 0, "fit.b"));
    assert_null (state_stage (&state, 0, "fit")); /* its steps are */
    state_release (&state);
}

#define PREPARED(ITERATION, STAGE)                                             \
    "{'ev':'prepared','iteration':" #ITERATION ",'stage':'" STAGE              \
    "','tasks':2,'code':'x','ok':'0-1'}"
#define ENDED(ITERATION, STAGE)                                                \
    "{'ev':'stage','iteration':" #ITERATION ",'stage':'" STAGE                 \
    "','phase':'done','count':2,'proceed':true}"
#define CONFIG(ITERATION, NUMBER, SHA)                                         \
    "{'ev':'config','iteration':" #ITERATION ",'number':" #NUMBER              \
    ",'sha256':'" SHA "'}"

static const char *const two_iterations[] = {
    "{'ev':'campaign','id':'c','name':'n'}",
    CONFIG (0, 0, "a"),
    "{'ev':'iteration','iteration':0}",
    PREPARED (0, "label"),
    ENDED (0, "label"),
    CONFIG (0, 1, "b"),
    PREPARED (0, "train"),
    ENDED (0, "train"),
    "{'ev':'closing','iteration':0,'history':{'h':1},'stop':true}",
    CONFIG (1, 0, "b"),
    "{'ev':'iteration','iteration':1}",
    PREPARED (1, "label"),
    "{'ev':'finished','phase':'done','converged':true,'why':'converged'}",
    NULL
};

#define REDO(MEMBERS) "{'ev':'request','id':'r','kind':'redo'," MEMBERS "}"
#define OF_NUMBER(N)                                                           \
    "'to':0,'stages':['train'],'fresh':['train'],'number':" #N                 \
    ",'moves':['train/x/iter/000000']"

static void test_redo (void **unused)
{
    static const struct row rows[] = {
        { REDO (OF_NUMBER (1)), "phase", "0" },
        { NULL, "converged", "false" },
        { NULL, "iterations.1", "null" },
        { NULL, "iterations.0.closed", "false" },
        { NULL, "iterations.0.stop", "false" },
        { NULL, "iterations.0.stages.0.phase", "2" },
        { NULL, "iterations.0.stages.1.name", "'train'" },
        { NULL, "iterations.0.stages.1.phase", "0" },
        { NULL, "iterations.0.stages.1.tasks", "0" },
        { NULL, "config_iteration", "0" },
        { NULL, "config_number", "1" },
        { NULL, "config_sha256", "'b'" },
        { NULL, "generation", "1" },
        { NULL, "superseded", "null" },
        { NULL, "moves", "{'number':1,'paths':['train/x/iter/000000']}" },
        { "{'ev':'replaced','number':1}", "moves", "null" },
        { PREPARED (0, "train"), "iterations.0.stages.1.config", "1" },
        { NULL, "iterations.0.stages.1.outcomes", "{'ok':'0-1'}" },
        { NULL, "iterations.0.stages.1.tries", "{}" },
        { NULL, "iterations.0.stages.1.logs", "null" },
        { "{'ev':'prepared','iteration':0,'stage':'explore','tasks':1,"
          "'code':'x','ok':'0','logs':{'adopted':{'bytes':9,'sha256':'c'}}}",
          "iterations.0.stages.2.logs",
          "{'adopted':{'bytes':9,'sha256':'c'}}" },
    };
    struct state state = STATE_INIT;

    (void)unused;
    happen_all (&state, two_iterations);
    walk (&state, rows, ARRAY_SIZE (rows));
    state_release (&state);
}

static void test_replacements_that_do_not_fit (void **unused)
{
    static const char *const wrong[] = {
        REDO (OF_NUMBER (0)),
        REDO ("'to':2,'stages':[],'fresh':[],'number':1,'moves':[]"),
        REDO ("'to':-1,'stages':[],'fresh':[],'number':1,'moves':[]"),
        "{'ev':'replaced','number':1}",
        "{'ev':'prepared','iteration':1,'stage':'train','tasks':2,'ok':'2'}",
        "{'ev':'prepared','iteration':1,'stage':'train','tasks':2,'ok':'x'}",
    };
    struct state state = STATE_INIT;
    struct json *event = json_of (REDO (OF_NUMBER (2)));

    (void)unused;
    happen_all (&state, two_iterations);
    for (size_t i = 0; i < ARRAY_SIZE (wrong); i++) {
        struct json *misfit = json_of (wrong[i]);
        struct json *before = state_to_json (&state), *after;

        print_message ("# %s\n", wrong[i]);
        assert_int_equal (state_apply (&state, misfit, NULL), -1);
        after = state_to_json (&state);
        assert_true (json_equal (before, after));
        json_unref (after);
        json_unref (before);
        json_unref (misfit);
    }
    /* One is complete before the next begins. */
    happen (&state, REDO (OF_NUMBER (1)));
    assert_int_equal (state_apply (&state, event, NULL), -1);
    json_unref (event);
    state_release (&state);
}

static void test_requests_are_remembered_for_a_while (void **unused)
{
    struct state state = STATE_INIT;

    (void)unused;
    for (int i = 0; i < 300; i++) {
        struct json *event = json_of ("{'ev':'request','kind':'refused'}");

        json_set (event, "id", json_stringf ("r%d", i));
        assert_int_equal (state_apply (&state, event, NULL), 0);
        assert_int_equal (state_apply (&state, event, NULL), 0);
        json_unref (event);
    }
    assert_int_equal (json_count (state.requests_seen), 256);
    assert_null (json_get (state.requests_seen, "r43"));
    assert_non_null (json_get (state.requests_seen, "r44"));
    assert_non_null (json_get (state.requests_seen, "r299"));
    state_release (&state);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_pause_and_resume),
        cmocka_unit_test (test_retry),
        cmocka_unit_test (test_skip),
        cmocka_unit_test (test_redo),
        cmocka_unit_test (test_replacements_that_do_not_fit),
        cmocka_unit_test (test_requests_are_remembered_for_a_while),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
