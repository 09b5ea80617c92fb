/* SPDX-License-Identifier: BSD-3-Clause */
/* test_decide.c - what is to be done with iterations and their stages */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "decide_scene.h"

static const struct row stages_without_an_attempt[] = {
    { .what = "nothing has happened", .actions = "begin 0" },
    { "an iteration has begun",
      begun,
      { NULL },
      .actions = "prepare label; prepare lone" },
    { "what is prepared",
      begun,
      { PREPARED ("lone", "2") },
      .actions = "prepare label; open attempt lone" },
    { "no tasks at all",
      begun,
      { PREPARED ("lone", "0") },
      .actions = "prepare label; fan in lone" },
    { "a source was skipped",
      begun,
      { SKIPPED ("label"), SKIPPED ("lone") },
      .actions = "{'ev':'skip','stage':'train','why':'input 'in' needs "
                 "'dataset' of stage 'label', which has nothing to "
                 "give'}" },
    { "a source says not to proceed",
      begun,
      { PREPARED ("label", "1"), DONE ("label", "1", "false"),
        SKIPPED ("lone") },
      .actions = "{'ev':'skip','stage':'train','why':'input 'in' needs "
                 "'dataset' of stage 'label', which has nothing to "
                 "give'}" },
    { "when is false",
      begun,
      { PREPARED ("label", "1"), DONE ("label", "2", "true"), SKIPPED ("train"),
        SKIPPED ("lone") },
      .actions = "{'ev':'skip','stage':'check','why':'its condition "
                 "(label.count > 2) does not hold'}" },
    { "all have ended",
      begun,
      { SKIPPED ("label"), OTHERS },
      .actions = "{'ev':'closing','history':{},'stop':false}" },
    { "a stage failed: others go on to their end only",
      begun,
      { PREPARED ("label", "1"), PREPARED ("lone", "1"), FAILED ("lone") },
      .actions = "open attempt label" },
    { "a stage failed: nothing new",
      begun,
      { PREPARED ("lone", "1"), FAILED ("lone") },
      .actions = "{'ev':'finished','phase':'failed','converged':false,"
                 "'why':'stage 'lone' failed in iteration 0: w'}" },
    { "a stage failed: waiting for what runs",
      begun,
      { PREPARED ("lone", "1"), FAILED ("lone"), PREPARED ("label", "1"),
        ATTEMPT ("label", "0", "0", "1"), INTENT ("0", "ta", "1"),
        RECORDED ("ta"), RELEASED ("ta") },
      .elements = "R",
      .actions = "next 30" },
    { "bad input",
      begun,
      { "{'ev':'unfit'," OF ("label") ",'why':'bad_input: x'}" },
      .actions = "{'ev':'finished','phase':'failed','converged':false,"
                 "'why':'stage 'label' failed in iteration 0: bad_input: "
                 "x'}" },
    { "paused", label, { "{'ev':'paused','why':'w'}" }, .actions = "" },
    { "done", label, { "{'ev':'finished','phase':'done'}" }, .actions = "" },
    { "failed",
      label,
      { "{'ev':'finished','phase':'failed'}" },
      .actions = "" },
};

static void test_stages_without_an_attempt (void **unused)
{
    (void)unused;
    see_count (2);
    expect_rows (stages_without_an_attempt,
                 ARRAY_SIZE (stages_without_an_attempt));
}

static const struct row when_is_true[] = {
    { "when is true, the source was skipped, but there is a default",
      begun,
      { PREPARED ("label", "1"), DONE ("label", "3", "true"), SKIPPED ("train"),
        SKIPPED ("lone") },
      .actions = "prepare check" },
};

static void test_when_is_true (void **unused)
{
    (void)unused;
    see_count (3);
    expect_rows (when_is_true, ARRAY_SIZE (when_is_true));
}

/* Read failures and values that are not there: only the latter is null. */
static const struct row unknown_results[] = {
    { "when looks at results that were not read",
      begun,
      { PREPARED ("label", "1"), DONE ("label", "3", "true"), SKIPPED ("train"),
        SKIPPED ("lone") },
      .actions = "" },
    { "so do stop and history",
      begun,
      { PREPARED ("label", "1"), DONE ("label", "3", "true"), OTHERS },
      .actions = "" },
    { "when looks at a stage that was skipped: null",
      begun,
      { SKIPPED ("label"), SKIPPED ("train"), SKIPPED ("lone") },
      .actions = "{'ev':'skip','stage':'check','why':'its condition "
                 "(label.count > 2) does not hold'}" },
};

static const struct row known_results[] = {
    { "stop and history",
      begun,
      { PREPARED ("label", "1"), DONE ("label", "3", "true"), OTHERS },
      .actions = "{'ev':'closing','history':{'n':3},'stop':true}" },
    { "of a stage that was skipped",
      begun,
      { SKIPPED ("label"), OTHERS },
      .actions = "{'ev':'closing','history':{'n':null},'stop':false}" },
};

static void test_results_that_are_not_known (void **unused)
{
    struct named_expression history = { .name = "n" };

    (void)unused;
    history.expression = expression_parse ("label.count", NULL);
    scene.plan.stop = expression_parse ("label.count > 2", NULL);
    scene.plan.history = &history;
    scene.plan.n_history = 1;
    expect_rows (unknown_results, ARRAY_SIZE (unknown_results));
    see_count (3);
    expect_rows (known_results, ARRAY_SIZE (known_results));
    expression_destroy (history.expression);
}

/* An edit in mid-iteration is written down before anything is done by it. */
static const struct row edited[] = {
    { "as the iteration began",
      begun,
      { "{'ev':'config','iteration':0,'number':0,'sha256':'new'}" },
      .actions = "prepare label; prepare lone" },
    { "edited since",
      begun,
      { "{'ev':'config','iteration':0,'number':1,'sha256':'old'}" },
      .actions = "config 2" },
    { "edited between iterations: the next one begins with it",
      begun,
      { "{'ev':'config','iteration':0,'number':0,'sha256':'old'}",
        "{'ev':'closing','iteration':0,'history':{}}" },
      .actions = "begin 1" },
    { "done, and edited since",
      begun,
      { "{'ev':'config','iteration':0,'number':1,'sha256':'old'}",
        "{'ev':'closing','iteration':0,'history':{}}",
        "{'ev':'finished','phase':'done','why':'converged'}" },
      .actions = "config 2" },
    { "... its last iteration is open again",
      begun,
      { "{'ev':'config','iteration':0,'number':1,'sha256':'old'}",
        "{'ev':'closing','iteration':0,'history':{}}",
        "{'ev':'finished','phase':'done','why':'converged'}",
        "{'ev':'config','iteration':0,'number':2,'sha256':'new'}" },
      .actions = "prepare label; prepare lone" },
    { "what is to be replaced is moved before anything else",
      begun,
      { "{'ev':'config','iteration':0,'number':1,'sha256':'old'}",
        "{'ev':'request','id':'r','kind':'redo','to':0,'stages':[],'fresh':[],"
        "'number':1,'moves':['x']}" },
      .actions = "replace" },
    { "one that failed waits for a person",
      begun,
      { "{'ev':'config','iteration':0,'number':1,'sha256':'old'}",
        "{'ev':'finished','phase':'failed','why':'x'}" },
      .actions = "" },
};

static void test_edits (void **unused)
{
    (void)unused;
    scene.config_sha256 = "new";
    expect_rows (edited, ARRAY_SIZE (edited));
}

static void test_when_cannot_be_evaluated (void **unused)
{
    static const char *const others[] = { SKIPPED ("label"), SKIPPED ("train"),
                                          SKIPPED ("lone"), NULL };
    static const char unfit[] = "{'ev':'unfit','stage':'check','why':'when: ";
    struct state state = STATE_INIT;
    struct strbuf text = STRBUF_INIT;

    (void)unused;
    expression_destroy (scene.stages[CHECK].when);
    scene.stages[CHECK].when_text = "\"a\" < 1";
    scene.stages[CHECK].when = expression_parse ("\"a\" < 1", NULL);
    happen_all (&state, begun);
    happen_all (&state, others);
    decide_text (&state, "", "", NULL, &(struct chain_scene){ 0 }, &text);
    assert_memory_equal (text.buf, unfit, strlen (unfit));
    strbuf_release (&text);
    state_release (&state);
}

static const struct row tasks_that_ended[] = {
    { "some may be tried again",
      label,
      { ATTEMPT ("label", "0", "0-3", "1"),
        RESULTS ("0-3", "'ok':'0-2','failed':'3'"), CLOSED ("label", "false") },
      .actions = "open attempt label" },
    { "no tries left, but enough are ok",
      label,
      { RESULTS ("0-3", "'failed':'3'"),
        RESULTS ("0-3", "'ok':'0-2','failed':'3'") },
      .actions = "fan in label" },
    { "exactly the quorum",
      label,
      { RESULTS ("0-3", "'failed':'2-3'"),
        RESULTS ("0-3", "'ok':'0-1','failed':'2-3'") },
      .actions = "fan in label" },
    { "too few are ok",
      label,
      { RESULTS ("0-3", ""), RESULTS ("0-3", "'ok':'0','failed':'1-2',"
                                             "'lost':'3'") },
      .actions = "{'ev':'stage','stage':'label','phase':'failed','why':'1 "
                 "of 4 tasks are ok (2 failed, 1 lost), success: 0.5 "
                 "needs 2'}" },
    { "... where all were needed that goes without saying",
      begun,
      { SKIPPED ("label"), SKIPPED ("train"), SKIPPED ("check"),
        PREPARED ("lone", "2"),
        "{'ev':'results'," OF ("lone") ",'tried':'0-1','outcomes':{'ok':'0',"
                                       "'fatal':'1'}}" },
      .actions = "{'ev':'stage','stage':'lone','phase':'failed','why':'1 of 2 "
                 "tasks are ok (1 fatal)'}" },
    { "enough are ok, but not all have ended",
      label,
      { RESULTS ("0-3", "'ok':'0-2'") },
      .actions = "open attempt label" },
    { "somebody cancelled",
      label,
      { RESULTS ("0", "'ok':'0','cancelled':'1-2'") },
      .actions = "{'ev':'paused','why':'2 tasks of stage 'label' were "
                 "cancelled; `fanfold resume` runs them again'}" },
    { "somebody cancelled, resumed",
      label,
      { RESULTS ("0", "'ok':'0','cancelled':'1-3'"), REQUEST ("resume") },
      .actions = "open attempt label" },
    { "twice nothing began",
      label,
      { ATTEMPT ("label", "0", "0-3", "1"), CLOSED ("label", "true"),
        ATTEMPT ("label", "1", "0-3", "1"), CLOSED ("label", "true") },
      .actions = "open attempt label" },
    { "three times nothing began",
      label,
      { ATTEMPT ("label", "0", "0-3", "1"), CLOSED ("label", "true"),
        ATTEMPT ("label", "1", "0-3", "1"), CLOSED ("label", "true"),
        ATTEMPT ("label", "2", "0-3", "1"), CLOSED ("label", "true") },
      .actions = "{'ev':'paused','why':'stage 'label': three submissions "
                 "in a row ended before any task began; see their output "
                 "among the run files (`fanfold explain label`); fix "
                 "that, then run `fanfold resume`'}" },
    { "... and the last one said why",
      label,
      { ATTEMPT ("label", "0", "0-3", "1"), CLOSED ("label", "true"),
        ATTEMPT ("label", "1", "0-3", "1"), CLOSED ("label", "true"),
        ATTEMPT ("label", "2", "0-3", "1"),
        CLOSED ("label", "true,'said':'no'") },
      .actions = "{'ev':'paused','why':'stage 'label': three submissions "
                 "in a row ended before any task began; the last one said: "
                 "no; fix that, then run `fanfold resume`'}" },
    { "... and that was mended",
      label,
      { ATTEMPT ("label", "0", "0-3", "1"), CLOSED ("label", "true"),
        ATTEMPT ("label", "1", "0-3", "1"), CLOSED ("label", "true"),
        ATTEMPT ("label", "2", "0-3", "1"), CLOSED ("label", "true"),
        "{'ev':'paused','why':'w'}", REQUEST ("resume") },
      .actions = "open attempt label" },
    { "three times nothing began, tried again",
      label,
      { ATTEMPT ("label", "0", "0-3", "1"), CLOSED ("label", "true"),
        ATTEMPT ("label", "1", "0-3", "1"), CLOSED ("label", "true"),
        ATTEMPT ("label", "2", "0-3", "1"), CLOSED ("label", "true"),
        REQUEST ("retry") },
      .actions = "open attempt label" },
};

#define CLOSING(n, stop)                                                       \
    "{'ev':'closing','iteration':" n ",'history':{},'stop':" stop "}"
#define ITERATION(n) "{'ev':'iteration','iteration':" n "}"
#define FINISHED(converged, why)                                               \
    "{'ev':'finished','phase':'done','converged':" converged ",'why':'" why "'}"

static const struct row without_rule[] = {
    { "the next",
      NULL,
      { ITERATION ("0"), CLOSING ("0", "false") },
      .actions = "begin 1" },
    { "no rule, so it cannot hold",
      NULL,
      { ITERATION ("0"), CLOSING ("0", "true") },
      .actions = "begin 1" },
    { "the last",
      NULL,
      { ITERATION ("0"), CLOSING ("0", "false"), ITERATION ("1"),
        CLOSING ("1", "false"), ITERATION ("2"), CLOSING ("2", "false") },
      .actions = FINISHED ("false", "all iterations are done") },
};

static const struct row with_rule[] = {
    { "held once",
      NULL,
      { ITERATION ("0"), CLOSING ("0", "true") },
      .actions = "begin 1" },
    { "held twice",
      NULL,
      { ITERATION ("0"), CLOSING ("0", "true"), ITERATION ("1"),
        CLOSING ("1", "true") },
      .actions = FINISHED ("true", "converged") },
    { "not in a row",
      NULL,
      { ITERATION ("0"), CLOSING ("0", "true"), ITERATION ("1"),
        CLOSING ("1", "false"), ITERATION ("2"), CLOSING ("2", "true") },
      .actions = FINISHED ("false", "the iteration limit was reached "
                                    "before the stop rule held") },
    { "at the limit",
      NULL,
      { ITERATION ("0"), CLOSING ("0", "false"), ITERATION ("1"),
        CLOSING ("1", "true"), ITERATION ("2"), CLOSING ("2", "true") },
      .actions = FINISHED ("true", "converged") },
};

static void test_iterations (void **unused)
{
    (void)unused;
    expect_rows (without_rule, ARRAY_SIZE (without_rule));
    scene.plan.stop = expression_parse ("true", NULL);
    scene.plan.stop_consecutive = 2;
    expect_rows (with_rule, ARRAY_SIZE (with_rule));
}

/* --- phases --- */

#define IN_PHASE(n, phase, number)                                             \
    "{'ev':'iteration','iteration':" n ",'phase':'" phase                      \
    "','phase_number':" number "}"
#define ENDS(n, until)                                                         \
    "{'ev':'closing','iteration':" n                                           \
    ",'history':{},'stop':false,'until':" until "}"

static const struct row with_phases[] = {
    { "before the first", NULL, { 0 }, .actions = "begin 0 phase 0" },
    { "one that has no rule goes on",
      NULL,
      { IN_PHASE ("0", "cold", "0"), ENDS ("0", "true") },
      .actions = "begin 1 phase 0" },
    { "... to its number",
      NULL,
      { IN_PHASE ("0", "cold", "0"), ENDS ("0", "false"),
        IN_PHASE ("1", "cold", "0"), ENDS ("1", "false") },
      .actions = "begin 2 phase 1" },
    { "a rule that holds ends it",
      NULL,
      { IN_PHASE ("0", "warm", "1"), ENDS ("0", "true") },
      .actions = "begin 1 phase 2" },
    { "one that does not, does not",
      NULL,
      { IN_PHASE ("0", "warm", "1"), ENDS ("0", "false") },
      .actions = "begin 1 phase 1" },
    { "... at the maximum the campaign stops",
      NULL,
      { IN_PHASE ("0", "warm", "1"), ENDS ("0", "false"),
        IN_PHASE ("1", "warm", "1"), ENDS ("1", "false") },
      .actions = FINISHED ("false", "phase 'warm': its until: did not hold in "
                                    "2 iterations") },
    { "... or at the maximum it holds",
      NULL,
      { IN_PHASE ("0", "warm", "1"), ENDS ("0", "false"),
        IN_PHASE ("1", "warm", "1"), ENDS ("1", "true") },
      .actions = "begin 2 phase 2" },
    { "only those in a row count",
      NULL,
      { IN_PHASE ("0", "warm", "1"), ENDS ("0", "false"),
        IN_PHASE ("1", "cold", "0"), ENDS ("1", "false"),
        IN_PHASE ("2", "warm", "1"), ENDS ("2", "false") },
      .actions = "begin 3 phase 1" },
    { "on_maximum: continue, the last one",
      NULL,
      { IN_PHASE ("0", "hot", "2"), ENDS ("0", "false") },
      .actions = FINISHED ("false", "all phases are over") },
    { "the last one's rule holds",
      NULL,
      { IN_PHASE ("0", "hot", "2"), ENDS ("0", "true") },
      .actions = FINISHED ("true", "all phases are over") },
    { "one that was moved is known by its name",
      NULL,
      { IN_PHASE ("0", "warm", "7"), ENDS ("0", "true") },
      .actions = "begin 1 phase 2" },
    { "one that was renamed by its place",
      NULL,
      { IN_PHASE ("0", "tepid", "1"), ENDS ("0", "true") },
      .actions = "begin 1 phase 2" },
    { "one that was taken away is like the last",
      NULL,
      { IN_PHASE ("0", "gone", "9"), ENDS ("0", "true") },
      .actions = FINISHED ("true", "all phases are over") },
    { "there were none before",
      NULL,
      { ITERATION ("0"), CLOSING ("0", "false") },
      .actions = "begin 1 phase 0" },
    { "the limit holds on top",
      NULL,
      { IN_PHASE ("0", "cold", "0"), ENDS ("0", "false"),
        IN_PHASE ("1", "cold", "0"), ENDS ("1", "false"),
        IN_PHASE ("2", "warm", "1"), ENDS ("2", "false"),
        IN_PHASE ("3", "warm", "1"), ENDS ("3", "true") },
      .actions = FINISHED ("false", "all iterations are done") },
};

static void test_phases (void **unused)
{
    struct phase phases[] = {
        { .name = "cold", .iterations = 2, .stops = true },
        { .name = "warm", .iterations = 2, .stops = true },
        { .name = "hot", .iterations = 1, .stops = false },
    };

    (void)unused;
    phases[1].until = expression_parse ("true", NULL);
    phases[2].until = expression_parse ("true", NULL);
    scene.plan.phases = phases;
    scene.plan.n_phases = ARRAY_SIZE (phases);
    scene.plan.max_iterations = 4;
    expect_rows (with_phases, ARRAY_SIZE (with_phases));
    expression_destroy (phases[1].until);
    expression_destroy (phases[2].until);
}

/* What its rule says is written down when the iteration closes. */
static void test_until_is_recorded (void **unused)
{
    static const char *const rules[] = { "iteration == 0", "iteration > 0" };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rules); i++) {
        struct phase phase = { .name = "cold",
                               .iterations = 2,
                               .until = expression_parse (rules[i], NULL) };
        const struct row row = {
            "all stages have ended",
            NULL,
            { IN_PHASE ("0", "cold", "0"),
              "{'ev':'skip','iteration':0,'stage':'label','why':'w'}",
              "{'ev':'skip','iteration':0,'stage':'train','why':'w'}",
              "{'ev':'skip','iteration':0,'stage':'check','why':'w'}",
              "{'ev':'skip','iteration':0,'stage':'lone','why':'w'}" },
            .actions = i == 0 ? "{'ev':'closing','history':{},'stop':false,"
                                "'until':true}"
                              : "{'ev':'closing','history':{},'stop':false,"
                                "'until':false}"
        };

        scene.plan.phases = &phase;
        scene.plan.n_phases = 1;
        expect_rows (&row, 1);
        expression_destroy (phase.until);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown (test_stages_without_an_attempt, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_when_is_true, enter, leave),
        cmocka_unit_test_setup_teardown (test_edits, enter, leave),
        cmocka_unit_test_setup_teardown (test_results_that_are_not_known, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_when_cannot_be_evaluated, enter,
                                         leave),
        TABLE (tasks_that_ended),
        cmocka_unit_test_setup_teardown (test_iterations, enter, leave),
        cmocka_unit_test_setup_teardown (test_phases, enter, leave),
        cmocka_unit_test_setup_teardown (test_until_is_recorded, enter, leave),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
