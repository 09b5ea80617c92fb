/* SPDX-License-Identifier: BSD-3-Clause */
/* test_state.c - what every event means, and what does not fit */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "engine/history/state.h"
#include "history.h"
#include "state_rows.h"

static const struct row a_life[] = {
    { "{'ev':'campaign','id':'c1','name':'silicon'}", "id", "'c1'" },
    { NULL, "phase", "0" },
    { "{'ev':'config','iteration':0,'number':3,'sha256':'abc'}",
      "config_number", "3" },
    { "{'ev':'config','iteration':0,'number':0,'sha256':'abc'}",
      "config_sha256", "'abc'" },
    { "{'ev':'iteration','iteration':0,'now_s':5.5}", "iterations.0",
      "{'closed':false,'stop':false,'phase_number':0,'until':false,"
      "'config_number':0,"
      "'config_sha256':'abc','began_s':5.5,'ended_s':0.0,"
      "'stages':[]}" },
    { "{'ev':'reuse_from','dirs':['/b','/a']}", "reuse_from", "['/b','/a']" },
    { "{'ev':'reuse_from','dirs':['/c','/a']}", "reuse_from",
      "['/b','/a','/c']" },
    { "{'ev':'prepared'," OF_TRAIN ",'tasks':5,'now_s':7}", STAGE0 "phase",
      "1" },
    { NULL, STAGE0 "reused", "null" },
    { NULL, STAGE0 "tasks", "5" },
    { NULL, STAGE0 "outcomes", "{}" },
    { NULL, STAGE0 "began_s", "7.0" },
    { "{'ev':'attempt'," OF_TRAIN
      ",'attempt':0,'tasks':'0-4'," PACKED ("2", "2", "1") "}",
      ATTEMPT0 "tasks", "'0-4'" },
    { NULL, ATTEMPT0 "closed", "false" },
    { "{'ev':'intent'," OF_TRAIN ",'attempt':0,'chunk':0,'token':'ta',"
      "'elements':3,'now_s':8}",
      ATTEMPT0 "submissions.0",
      "{'phase':0,'token':'ta','chunk':0,'elements':3,'intended_s':8.0,"
      "'empty_answers':0,'cancel_asked':false,"
      "'found':false,'swept':false,'over_s':0.0}" },
    { "{'ev':'recorded','token':'ta','id':'17'}", FIRST "id", "'17'" },
    { NULL, FIRST "phase", "1" },
    { "{'ev':'released','token':'ta'}", FIRST "phase", "2" },
    { "{'ev':'intent'," OF_TRAIN ",'attempt':0,'chunk':1,'token':'tb',"
      "'elements':1,'now_s':9,'path':'/usr/bin:/bin'}",
      SECOND "token", "'tb'" },
    { NULL, "path", "'/usr/bin:/bin'" },
    { "{'ev':'empty','token':'tb','boot':'b','up_s':10.5}", SECOND "asked",
      "{'b':[10.5,10.5]}" },
    { "{'ev':'empty','token':'tb','boot':'b','up_s':80.5}", SECOND "asked",
      "{'b':[10.5,80.5]}" },
    { "{'ev':'swept','token':'tb','boot':'c','up_s':7.5}", SECOND "asked",
      "{'b':[10.5,80.5],'c':[7.5,7.5]}" },
    { NULL, SECOND "empty_answers", "2" },
    { "{'ev':'absent','token':'tb'}", SECOND "phase", "4" },
    { "{'ev':'results'," OF_TRAIN ",'tried':'0-3','outcomes':{'ok':'0-1',"
      "'timeout':'2','out_of_memory':'3'},'why':{'2':'too long'},"
      "'timed_tasks':2,'timed_s':7.5,"
      "'sizes':{'memory':{'240':2},'walltime':{'16':1,'-3':1}}}",
      STAGE0 "outcomes", "{'ok':'0-1','timeout':'2','out_of_memory':'3'}" },
    { NULL, STAGE0 "timed_s", "7.5" },
    { NULL, STAGE0 "tries", "{'1':'0-3'}" },
    { NULL, STAGE0 "timeouts", "{'1':'2'}" },
    { NULL, STAGE0 "out_of_memory", "{'1':'3'}" },
    { "{'ev':'noted','token':'ta','why':'held','now_s':44}", FIRST "note",
      "'held'" },
    { NULL, FIRST "noted_s", "44.0" },
    { "{'ev':'outage','profile':'p','scheduler':'s','since_s':40.5,"
      "'why':'w','full':true}",
      "outages",
      "{'p':{'scheduler':'s','since_s':40.5,'why':'w','full':true}}" },
    { "{'ev':'outage','profile':'q','scheduler':'s','since_s':41,'why':'v'}",
      "outages.q", "{'scheduler':'s','since_s':41.0,'why':'v','full':false}" },
    { "{'ev':'answers','profile':'p'}", "outages.p", "null" },
    { NULL, "outages.q.why", "'v'" },
    { "{'ev':'answers','profile':'q'}", "outages", "null" },
    { "{'ev':'answers','profile':'q'}", "outages", "null" },
    { "{'ev':'over','token':'ta','now_s':90}", FIRST "over_s", "90.0" },
    { "{'ev':'back','token':'ta'}", FIRST "over_s", "0.0" },
    { "{'ev':'cancelling','token':'ta'}", FIRST "cancel_asked", "true" },
    /* ok is never taken back */
    { "{'ev':'results'," OF_TRAIN ",'tried':'','outcomes':{'lost':'0'}}",
      STAGE0 "outcomes.ok", "'0-1'" },
    { "{'ev':'ended','token':'ta'}", FIRST "phase", "3" },
    { "{'ev':'closed'," OF_TRAIN ",'attempt':0,'without_result':false}",
      ATTEMPT0 "closed", "true" },
    /* the tasks of an attempt have no outcome again, but their history */
    { "{'ev':'attempt'," OF_TRAIN
      ",'attempt':1,'tasks':'2-4'," PACKED ("1", "1", "1") "}",
      STAGE0 "outcomes", "{'ok':'0-1'}" },
    { NULL, STAGE0 "tries", "{'1':'0-3'}" },
    { "{'ev':'results'," OF_TRAIN
      ",'tried':'2-4','outcomes':{'ok':'2-3','failed':'4'},"
      "'timed_tasks':1,'timed_s':0.5,"
      "'sizes':{'memory':{'240':1,'7x':1,'9':-1,'99999':1},'walltime':3},"
      "'retired':{'node n2: GPU a, retired':'n2'},"
      "'nodes':{'n2':'4'},'avoid':['n2','n1']}",
      STAGE0 "tries", "{'1':'0-1,4','2':'2-3'}" },
    /* nobody told the part of a node; a core is a core */
    { NULL, STAGE0 "usage.ok", "[0.0,8.0,0.0]" },
    { NULL, STAGE0 "timed_tasks", "3" },
    { NULL, STAGE0 "timed_s", "8.0" },
    { NULL, STAGE0 "sizes", "{'memory':{'240':3},'walltime':{'-3':1,'16':1}}" },
    { NULL, STAGE0 "avoid", "['n2','n1']" },
    { NULL, STAGE0 "retired", "{'node n2: GPU a, retired':'n2'}" },
    { "{'ev':'results'," OF_TRAIN ",'tried':'','outcomes':{},"
      "'avoid':['n3','n2']}",
      STAGE0 "avoid", "['n1','n3','n2']" },
    { "{'ev':'closed'," OF_TRAIN ",'attempt':1,'without_result':true}",
      STAGE0 "without_result", "1" },
    { "{'ev':'attempt'," OF_TRAIN
      ",'attempt':2,'tasks':'4'," PACKED ("1", "1", "1") "}",
      STAGE0 "attempts.2.tasks", "'4'" },
    { "{'ev':'closed'," OF_TRAIN ",'attempt':2,'without_result':true}",
      STAGE0 "without_result", "2" },
    { "{'ev':'attempt'," OF_TRAIN
      ",'attempt':3,'tasks':'4'," PACKED ("1", "1", "1") "}",
      STAGE0 "without_result", "2" },
    { "{'ev':'closed'," OF_TRAIN ",'attempt':3,'without_result':false}",
      STAGE0 "without_result", "0" },
    { "{'ev':'stage'," OF_TRAIN ",'phase':'done','count':4,'proceed':true,"
      "'outputs':'cd','unsteady':'p.sh "
      "changed','dataset':{'extxyz':'ab'},'now_s':100}",
      STAGE0 "phase", "2" },
    { NULL, STAGE0 "outputs", "'cd'" },
    { NULL, STAGE0 "unsteady", "'p.sh changed'" },
    { NULL, "iterations.0.dataset", "{'extxyz':'ab'}" },
    { NULL, STAGE0 "count", "4" },
    { NULL, STAGE0 "proceed", "true" },
    { NULL, STAGE0 "ended_s", "100.0" },
    { "{'ev':'skip','iteration':0,'stage':'label','why':'when: false'}",
      "iterations.0.stages.1.why", "'when: false'" },
    { NULL, "iterations.0.stages.1.phase", "3" },
    { "{'ev':'unfit','iteration':0,'stage':'select','why':'bad_input: x'}",
      "iterations.0.stages.2.bad_input", "true" },
    { NULL, "iterations.0.stages.2.phase", "4" },
    { "{'ev':'closing','iteration':0,'history':{'a':[1]},'stop':true,"
      "'now_s':200}",
      "iterations.0.history", "{'a':[1]}" },
    { NULL, "iterations.0.stop", "true" },
    { NULL, "iterations.0.closed", "true" },
    { "{'ev':'iteration','iteration':1,'phase':'hot','phase_number':2}",
      "iterations.1.closed", "false" },
    { NULL, "iterations.1.phase", "'hot'" },
    { NULL, "iterations.1.phase_number", "2" },
    /* of an earlier iteration */
    { "{'ev':'removing'," OF_TRAIN ",'outputs':{'a':'1','b':'until_used'}}",
      STAGE0 "removed",
      "{'a':{'keep':'1','at':1},'b':{'keep':'until_used','at':1}}" },
    { "{'ev':'removed'," OF_TRAIN ",'outputs':{'b':7}}", STAGE0 "removed.b",
      "{'keep':'until_used','at':1,'bytes':7}" },
    { NULL, STAGE0 "removed.a", "{'keep':'1','at':1}" },
    { "{'ev':'closing','iteration':1,'history':{},'until':true}",
      "iterations.1.until", "true" },
    { "{'ev':'paused','why':'tired'}", "phase", "1" },
    { "{'ev':'recovered','why':'3 events are lost'}", "phase", "1" },
    { NULL, "why", "'tired'" },
    { "{'ev':'finished','phase':'done','converged':true,'why':'good'}", "phase",
      "2" },
    { NULL, "converged", "true" },
    { NULL, "why", "'good'" },
    { "{'ev':'then','event':'e1','phase':'begun'}", "then_status", "1" },
    { NULL, "then_event", "'e1'" },
    { "{'ev':'then','event':'e1','phase':'failed','why':'deaf'}", "then_why",
      "'deaf'" },
    { NULL, "then_status", "2" },
    { "{'ev':'then','event':'e1','phase':'done'}", "then_status", "3" },
    { NULL, "then_why", "null" },
    { "{'ev':'finished','phase':'failed','converged':false,'why':'bad'}",
      "phase", "3" },
};

static void test_a_life (void **unused)
{
    struct state state = STATE_INIT;

    (void)unused;
    walk (&state, a_life, ARRAY_SIZE (a_life));
    assert_int_equal (state_iteration (&state), 1);
    state_release (&state);
    assert_int_equal (state_iteration (&state), -1);
}

static void test_chain (void **unused)
{
    static const struct row rows[] = {
        { "{'ev':'chain','on':true}", "chained", "true" },
        { "{'ev':'dependency_job','token':'wa','stage':'train','elements':2,"
          "'after':'ta','now_s':7}",
          "dependency_jobs",
          "[{'job':{'phase':0,'token':'wa','chunk':0,'elements':2,"
          "'intended_s':7.0,'empty_answers':0,"
          "'cancel_asked':false,'found':false,'swept':false,'over_s':0.0},'"
          "after':'ta',"
          "'at_s':0.0,'stage':'train'}]" },
        { "{'ev':'recorded','token':'wa','id':'18'}",
          "dependency_jobs.0.job.id", "'18'" },
        { "{'ev':'dependency_job','token':'wb','stage':'train','elements':1,"
          "'at_s':70.5,'now_s':8}",
          "dependency_jobs.1.at_s", "70.5" },
        { "{'ev':'empty','token':'wb','now_s':9}",
          "dependency_jobs.1.job.empty_answers", "1" },
        /* those that are over are no more */
        { "{'ev':'ended','token':'wa'}", "dependency_jobs.0.job.token",
          "'wb'" },
        { "{'ev':'absent','token':'wb'}", "dependency_jobs", "[]" },
        { "{'ev':'dependency_job','token':'wc','stage':'train','elements':2,"
          "'after':'ta'}",
          "dependency_jobs.0.after", "'ta'" },
        { "{'ev':'refused','token':'wc','why':'no account'}", "dependency_jobs",
          "[]" },
        { NULL, "phase", "1" },
        { NULL, "why", "'no account'" },
        { "{'ev':'chain','on':false}", "chained", "false" },
    };
    struct state state = STATE_INIT;

    (void)unused;
    walk (&state, rows, ARRAY_SIZE (rows));
    assert_null (state_dependency_job (&state, "wa"));
    state_release (&state);
}

/* A copy leaves what was submitted to the original; a move does not. */
static void test_adopted (void **unused)
{
    static const struct row rows[] = {
        { "{'ev':'campaign','id':'c1','name':'n','path':'/a','inode':'1:2'}",
          "home_path", "'/a'" },
        { NULL, "home_inode", "'1:2'" },
        { "{'ev':'config','iteration':0,'number':0,'sha256':'c0'}",
          "config_sha256", "'c0'" },
        { "{'ev':'iteration','iteration':0}", "iterations.0.closed", "false" },
        { "{'ev':'prepared'," OF_TRAIN ",'tasks':2,'now_s':7}", STAGE0 "tasks",
          "2" },
        { "{'ev':'attempt'," OF_TRAIN
          ",'attempt':0,'tasks':'0-1'," PACKED ("1", "1", "1") "}",
          ATTEMPT0 "closed", "false" },
        { "{'ev':'intent'," OF_TRAIN ",'attempt':0,'chunk':0,'token':'ta',"
          "'elements':1,'uid':0}",
          FIRST "uid", "0" },
        { "{'ev':'chain','on':true}", "chained", "true" },
        { "{'ev':'dependency_job','token':'wa','stage':'train','elements':2,"
          "'after':'ta','uid':7}",
          "dependency_jobs.0.job.uid", "7" },
        { "{'ev':'adopted','path':'/b','inode':'3:4','copy':false}",
          "home_path", "'/b'" },
        { NULL, FIRST "token", "'ta'" },
        { NULL, "dependency_jobs.0.job.token", "'wa'" },
        { "{'ev':'adopted','path':'/c','inode':'5:6','copy':true}",
          "home_inode", "'5:6'" },
        { NULL, ATTEMPT0 "submissions", "[]" },
        { NULL, ATTEMPT0 "closed", "false" },
        { NULL, "dependency_jobs", "[]" },
        { NULL, "chained", "false" },
        { NULL, "id", "'c1'" },
    };
    struct state state = STATE_INIT;

    (void)unused;
    walk (&state, rows, ARRAY_SIZE (rows));
    assert_null (state_submission (&state, "ta"));
    state_release (&state);
}

static void test_looking (void **unused)
{
    struct state state = STATE_INIT;
    struct stage_state *train;

    (void)unused;
    assert_null (state_stage (&state, 0, "train"));
    assert_null (state_submission (&state, "ta"));
    happen_all (&state, running);
    train = state_stage (&state, 0, "train");
    assert_non_null (train);
    assert_null (state_stage (&state, 0, "label"));
    assert_null (state_stage (&state, 1, "train"));
    assert_null (state_stage (&state, -1, "train"));
    assert_ptr_equal (stage_open_attempt (train), &train->attempts[0]);
    assert_ptr_equal (state_submission (&state, "ta"),
                      &train->attempts[0].submissions[0]);
    assert_null (state_submission (&state, "tb"));
    happen (&state, "{'ev':'closed'," OF_TRAIN ",'attempt':0}");
    assert_null (stage_open_attempt (train));
    assert_string_equal (stage_status_name (train->status), "running");
    assert_string_equal (campaign_status_name (state.status), "running");
    state_release (&state);
}

static const struct {
    const char *event;
    const char *message;
} misfits[] = {
    { "{'ev':'resurrect'}", "unknown kind 'resurrect'" },
    { "{}", "unknown kind ''" },
    { "{'ev':'campaign'}", "'id'" },
    { "{'ev':'config','iteration':0}", "'sha256'" },
    { "{'ev':'iteration','iteration':0}", "iteration 0 is not next" },
    { "{'ev':'iteration','iteration':2}", "iteration 2 is not next" },
    { "{'ev':'iteration','iteration':1}", "iteration 0 is not closed" },
    { "{'ev':'skip','iteration':1,'stage':'x'}", "iteration 0 runs" },
    { "{'ev':'skip','iteration':0}", "'stage'" },
    { "{'ev':'prepared','iteration':0,'stage':'new'}", "'tasks'" },
    { "{'ev':'prepared','iteration':0,'stage':'new','tasks':-1}",
      "out of range" },
    { "{'ev':'prepared','iteration':0,'stage':'new','tasks':100000001}",
      "out of range" },
    { "{'ev':'prepared'," OF_TRAIN ",'tasks':1}", "prepared before" },
    { "{'ev':'unfit','iteration':-1,'stage':'new'}", "iteration 0 runs" },
    { "{'ev':'attempt','iteration':0,'stage':'new','attempt':0,'tasks':'',"
      "" PACKED ("1", "1", "1") "}",
      "nothing is known of stage 'new'" },
    { "{'ev':'attempt'," OF_TRAIN
      ",'attempt':1,'tasks':'0'," PACKED ("1", "1", "1") "}",
      "attempt 1 is not next" },
    { "{'ev':'intent','iteration':0,'stage':'new','chunk':0,'token':'t',"
      "'elements':1}",
      "nothing is known" },
    { "{'ev':'intent'," OF_TRAIN ",'chunk':1,'token':'t','elements':1}",
      "out of range" },
    { "{'ev':'intent'," OF_TRAIN ",'chunk':0,'token':'t','elements':0}",
      "out of range" },
    { "{'ev':'intent'," OF_TRAIN ",'chunk':0,"
      "'token':'sixteen.letters.','elements':1}",
      "out of range" },
    { "{'ev':'intent','iteration':0,'stage':'idle','chunk':0,'token':'t',"
      "'elements':1}",
      "stage 'idle' has no open attempt" },
    { "{'ev':'closed','iteration':0,'stage':'idle'}",
      "stage 'idle' has no open attempt" },
    { "{'ev':'attempt','iteration':0,'stage':'idle','attempt':0,"
      "'tasks':'0'," PACKED ("1", "0", "1") "}",
      "'chunks': expected 1 or more, got 0" },
    { "{'ev':'attempt','iteration':0,'stage':'idle','attempt':0,"
      "'tasks':'0'," PACKED ("3", "2", "1") "}",
      "2 chunks of 1 do not hold 3 elements" },
    { "{'ev':'attempt','iteration':0,'stage':'idle','attempt':0,"
      "'tasks':'0'}",
      "'slots'" },
    { "{'ev':'attempt','iteration':0,'stage':'idle','attempt':0,"
      "'tasks':'1-2'," PACKED ("1", "1", "1") "}",
      "stage 'idle' has 2 tasks, not 3" },
    { "{'ev':'recorded','token':'tb','id':'1'}", "'tb'" },
    { "{'ev':'recorded','token':'ta','id':''}", "has no id" },
    { "{'ev':'recorded','token':'ta'}", "'id'" },
    { "{'ev':'released','token':'ta'}", "not recorded" },
    { "{'ev':'released','token':'tb'}", "no submission" },
    { "{'ev':'empty'}", "'token'" },
    { "{'ev':'absent','token':'tb'}", "no submission" },
    { "{'ev':'refused','token':'tb','why':'w'}", "no submission" },
    { "{'ev':'noted','token':'tb','why':'w'}", "no submission" },
    { "{'ev':'noted','token':'ta'}", "'why'" },
    { "{'ev':'outage','profile':'p','scheduler':'s'}", "'why'" },
    { "{'ev':'outage','profile':'p','why':'w'}", "'scheduler'" },
    { "{'ev':'outage','scheduler':'s','why':'w'}", "'profile'" },
    { "{'ev':'answers'}", "'profile'" },
    { "{'ev':'reuse_from','dirs':'/a'}", "'dirs'" },
    { "{'ev':'prepared','iteration':0,'stage':'new','tasks':2,'ok':'0-1',"
      "'reused':[{'tasks':'0-2'}]}",
      "task 2 is out of range" },
    { "{'ev':'prepared','iteration':0,'stage':'new','tasks':2,"
      "'reused':[{'tasks':'x'}]}",
      "'reused': [0]" },
    { "{'ev':'over','token':'tb'}", "no submission" },
    { "{'ev':'back','token':'tb'}", "no submission" },
    { "{'ev':'cancelling','token':'tb'}", "no submission" },
    { "{'ev':'ended','token':'tb'}", "no submission" },
    { "{'ev':'results'," OF_TRAIN ",'tried':'0-5','outcomes':{}}",
      "has 5 tasks" },
    { "{'ev':'results'," OF_TRAIN ",'tried':'0','outcomes':{'ok':'5'}}",
      "has 5 tasks" },
    { "{'ev':'results'," OF_TRAIN ",'tried':'0','outcomes':{'odd':'1'}}",
      "unknown outcome 'odd'" },
    { "{'ev':'results'," OF_TRAIN ",'tried':'0,','outcomes':{'ok':'1'}}",
      "no ascending list" },
    { "{'ev':'results','iteration':0,'stage':'new','tried':''}",
      "nothing is known" },
    { "{'ev':'closed','iteration':0,'stage':'new'}", "nothing is known" },
    { "{'ev':'stage'," OF_TRAIN ",'phase':'odd'}", "unknown status" },
    { "{'ev':'stage','iteration':0,'stage':'new','phase':'done'}",
      "nothing is known" },
    { "{'ev':'finished'}", "'phase'" },
    { "{'ev':'then','event':'e1'}", "'phase'" },
    { "{'ev':'then','event':'e1','phase':'odd'}", "unknown phase 'odd'" },
    { "{'ev':'then','event':'e1','phase':'done'}", "the call is not done" },
    { "{'ev':'request','id':'r1','kind':'dance'}", "unknown request" },
    { "{'ev':'request','id':'r1'}", "'kind'" },
    { "{'ev':'request','kind':'pause'}", "'id'" },
    { "{'ev':'request','id':'r1','kind':'skip','iteration':3,"
      "'stage':'train'}",
      "iteration 0 runs" },
};

/* Results from elsewhere: they are ok, and where they come from stays known. */
static void test_reused (void **unused)
{
    static const char reused[] =
        "[{'campaign':'/a','stage':'fit','iteration':3,'tasks':'0-2'},"
        "{'campaign':'/b','stage':'fit','iteration':0,'tasks':'4'}]";
    struct state state = STATE_INIT, again = STATE_INIT;
    struct error err = ERROR_INIT;
    struct json *v;
    char *event;

    (void)unused;
    happen (&state, "{'ev':'campaign','id':'a','name':'c'}");
    happen (&state, "{'ev':'iteration','iteration':0}");
    event = xasprintf ("{'ev':'prepared'," OF_TRAIN
                       ",'tasks':5,'ok':'0-2,4','reused':%s}",
                       reused);
    happen (&state, event);
    free (event);
    expect (&state, STAGE0 "reused", reused);
    expect (&state, STAGE0 "outcomes", "{'ok':'0-2,4'}");
    v = state_to_json (&state);
    assert_int_equal (state_from_json (v, &again, &err), 0);
    json_unref (v);
    assert_int_equal (stage_reused_tasks (state_stage (&again, 0, "train")), 4);
    state_release (&again);
    state_release (&state);
}

static void test_misfits (void **unused)
{
    struct state state = STATE_INIT;
    struct json *before;

    (void)unused;
    happen_all (&state, running);
    happen (&state, "{'ev':'prepared','iteration':0,'stage':'idle','tasks':2}");
    before = state_to_json (&state);
    for (size_t i = 0; i < ARRAY_SIZE (misfits); i++) {
        struct json *event = json_of (misfits[i].event);
        struct json *after;
        struct error err = ERROR_INIT;

        print_message ("# %s\n", misfits[i].event);
        assert_int_equal (state_apply (&state, event, &err), -1);
        if (!strstr (err.text, misfits[i].message))
            fail_msg ("'%s' does not say '%s'", err.text, misfits[i].message);
        after = state_to_json (&state);
        assert_true (json_equal (before, after));
        json_unref (after);
        json_unref (event);
    }
    json_unref (before);
    state_release (&state);
}

static void test_misfits_of_an_empty_state (void **unused)
{
    static const char *const events[] = {
        "{'ev':'closing','iteration':0}",
        "{'ev':'iteration','iteration':1}",
        "{'ev':'prepared','iteration':-1,'stage':'x','tasks':1}",
        "{'ev':'skip','iteration':-1,'stage':'x'}",
        "{'ev':'request','id':'r','kind':'retry'}",
        "{'ev':'request','id':'r','kind':'skip','iteration':-1,'stage':'x'}",
    };
    struct state state = STATE_INIT;

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (events); i++) {
        struct json *event = json_of (events[i]);

        print_message ("# %s\n", events[i]);
        assert_int_equal (state_apply (&state, event, NULL), -1);
        json_unref (event);
    }
    state_release (&state);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_a_life),
        cmocka_unit_test (test_chain),
        cmocka_unit_test (test_adopted),
        cmocka_unit_test (test_looking),
        cmocka_unit_test (test_misfits),
        cmocka_unit_test (test_reused),
        cmocka_unit_test (test_misfits_of_an_empty_state),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
