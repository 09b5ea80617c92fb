/* SPDX-License-Identifier: BSD-3-Clause */
/* test_decide.c - situations and what is to be done in them
 *
 * The campaign: label -> train -> check, where check has a `when:` and takes
 * train's model or a default, and lone, which depends on nothing.
 */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/strvec.h"
#include "campaign/plan.h"
#include "engine/decide.h"
#include "engine/outputs_store.h"
#include "history.h"
#include "observed.h"
#include "signature/expression.h"
#include "space/layout.h"

enum { LABEL, TRAIN, CHECK, LONE, STAGES };

static const struct port in_port = { .name = "in" };
static const struct port in_optional = { .name = "in", .optional = true };
static const int after_label[] = { LABEL };
static const int after_train[] = { TRAIN };

static const struct operator an_op = { .name = "x.any", .code = "x" };

static const struct profile cluster = { .name = "cluster",
                                        .poll_s = 30,
                                        .settle_s = 60,
                                        .visibility_s = 10 };

static struct {
    struct plan plan;
    struct stage stages[STAGES];
    struct binding bindings[2];
    struct json *fallback;
    struct outputs_store *outputs;
} scene;

static int enter (void **unused)
{
    static const char *const names[] = { "label", "train", "check", "lone" };

    (void)unused;
    memset (&scene, 0, sizeof (scene));
    for (int s = 0; s < STAGES; s++) {
        struct stage *stage = &scene.stages[s];

        *stage = (struct stage){
            .name = names[s], .op = &an_op, .profile = &cluster, .success = 1
        };
        stage->retry[OUTCOME_FAILED].tries = 2;
        stage->retry[OUTCOME_LOST].tries = 2;
        stage->retry[OUTCOME_TIMEOUT].tries = 2;
    }
    scene.bindings[0] = (struct binding){ .port = &in_port,
                                          .source = SOURCE_THIS,
                                          .stage = LABEL,
                                          .output = "dataset" };
    scene.fallback = json_int (1);
    scene.bindings[1] = (struct binding){ .port = &in_optional,
                                          .source = SOURCE_THIS,
                                          .stage = TRAIN,
                                          .output = "model",
                                          .fallback = scene.fallback };
    scene.stages[LABEL].success = 0.5;
    scene.stages[TRAIN].bindings = &scene.bindings[0];
    scene.stages[TRAIN].n_bindings = 1;
    scene.stages[TRAIN].after = after_label;
    scene.stages[TRAIN].n_after = 1;
    scene.stages[CHECK].bindings = &scene.bindings[1];
    scene.stages[CHECK].n_bindings = 1;
    scene.stages[CHECK].after = after_train;
    scene.stages[CHECK].n_after = 1;
    scene.stages[CHECK].when_text = "label.count > 2";
    scene.stages[CHECK].when =
        expression_parse (scene.stages[CHECK].when_text, NULL);
    scene.plan = (struct plan){ .dir = "/nowhere",
                                .stages = scene.stages,
                                .n_stages = STAGES,
                                .stop_consecutive = 1,
                                .max_iterations = 3 };
    scene.outputs = outputs_store_create ("/nowhere");
    return 0;
}

static int leave (void **unused)
{
    (void)unused;
    expression_destroy (scene.stages[CHECK].when);
    expression_destroy (scene.plan.stop);
    json_unref (scene.fallback);
    outputs_store_destroy (scene.outputs);
    return 0;
}

static void put_count (int iteration, const char *stage, int count)
{
    struct stage_place place = { stage, "x", iteration };
    struct json *outputs = json_object ();

    json_set (outputs, "count", json_int (count));
    json_set (outputs, "proceed", json_bool (count > 0));
    outputs_store_put (scene.outputs, &place, outputs);
    json_unref (outputs);
}

/* --- actions as text --- */

static void add_record (const struct json *event, struct strbuf *text)
{
    struct json *copy = json_deep_copy (event);

    assert_true (json_as_double (json_get (event, "now_s")) == 1000);
    json_delete (copy, "now_s");
    json_delete (copy, "iteration");
    text_of (copy, text);
    json_unref (copy);
}

static void add_action (const struct action *action, struct strbuf *text)
{
    if (action->kind == ACT_RECORD) {
        add_record (action->event, text);
        return;
    }
    strbuf_add_str (text, action_name (action->kind));
    if (action->stage >= 0 && !action->token)
        strbuf_addf (text, " %s", scene.stages[action->stage].name);
    if (action->token)
        strbuf_addf (text, " %s", action->token);
    if (action->kind == ACT_SUBMIT)
        strbuf_addf (text, " %d", action->chunk);
    if (action->kind == ACT_BEGIN || action->kind == ACT_CLOSE_ITERATION)
        strbuf_addf (text, " %d", action->iteration);
}

/* "prepare lone; next 30" */
static void decide_text (const struct state *state,
                         const char *elements,
                         const char *words,
                         struct strbuf *text)
{
    struct observations seen;
    struct actions actions = ACTIONS_INIT;

    observed_make (state, elements, words, 1000, &seen);
    decide (&scene.plan, state, &seen, scene.outputs, &actions);
    for (size_t i = 0; i < actions.n; i++) {
        strbuf_add_str (text, i > 0 ? "; " : "");
        add_action (&actions.v[i], text);
    }
    if (actions.next_s > 0)
        strbuf_addf (text, "%snext %g", text->len > 0 ? "; " : "",
                     actions.next_s);
    actions_release (&actions);
    observations_release (&seen);
}

/* After 'base', NULL-terminated 'more' ... */
struct row {
    const char *what;
    const char *const *base;
    const char *more[8];
    const char *elements; /* see observed.h */
    const char *words;
    const char *actions;
};

static void expect_rows (const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct state state = STATE_INIT;
        struct strbuf text = STRBUF_INIT;

        print_message ("# %s\n", rows[i].what);
        if (rows[i].base)
            happen_all (&state, rows[i].base);
        happen_all (&state, rows[i].more);
        decide_text (&state, rows[i].elements ? rows[i].elements : "",
                     rows[i].words ? rows[i].words : "", &text);
        assert_string_equal (text.buf, rows[i].actions);
        strbuf_release (&text);
        state_release (&state);
    }
}

/* --- histories --- */

#define OF(stage) "'iteration':0,'stage':'" stage "'"
#define PREPARED(stage, n) "{'ev':'prepared'," OF (stage) ",'tasks':" n "}"
#define SKIPPED(stage) "{'ev':'skip'," OF (stage) ",'why':'w'}"
#define DONE(stage, n, proceed)                                                \
    "{'ev':'stage'," OF (stage) ",'phase':'done','count':" n                   \
                                ",'proceed':" proceed "}"
#define FAILED(stage) "{'ev':'stage'," OF (stage) ",'phase':'failed','why':'w'}"
#define ATTEMPT(stage, number, tasks, chunks)                                  \
    "{'ev':'attempt'," OF (stage) ",'attempt':" number ",'tasks':'" tasks      \
                                  "','chunks':" chunks "}"
#define CLOSED(stage, fruitless)                                               \
    "{'ev':'closed'," OF (stage) ",'fruitless':" fruitless "}"
#define INTENT(chunk, token, n)                                                \
    "{'ev':'intent'," OF ("label") ",'chunk':" chunk ",'token':'" token        \
                                   "','elements':" n ",'now_s':900}"
#define RECORDED(token) "{'ev':'recorded','token':'" token "','id':'17'}"
#define RELEASED(token) "{'ev':'released','token':'" token "'}"
#define RESULTS(tried, outcomes)                                               \
    "{'ev':'results'," OF ("label") ",'tried':'" tried                         \
                                    "','outcomes':{" outcomes "}}"
#define REQUEST(kind) "{'ev':'request','id':'r','kind':'" kind "','why':'w'}"
#define OTHERS SKIPPED ("train"), SKIPPED ("check"), SKIPPED ("lone")

static const char *const begun[] = { "{'ev':'iteration','iteration':0}", NULL };

/* Only label is left. */
static const char *const label[] = { "{'ev':'iteration','iteration':0}", OTHERS,
                                     PREPARED ("label", "4"), NULL };

/* Its attempt is open: two chunks of two elements of one task. */
static const char *const opened[] = { "{'ev':'iteration','iteration':0}",
                                      OTHERS, PREPARED ("label", "4"),
                                      ATTEMPT ("label", "0", "0-3", "2"),
                                      NULL };

/* The first chunk runs, the second was accounted for. */
static const char *const runs[] = {
    "{'ev':'iteration','iteration':0}",
    OTHERS,
    PREPARED ("label", "4"),
    ATTEMPT ("label", "0", "0-3", "2"),
    INTENT ("0", "ta", "2"),
    RECORDED ("ta"),
    RELEASED ("ta"),
    INTENT ("1", "tb", "2"),
    RECORDED ("tb"),
    RELEASED ("tb"),
    RESULTS ("2-3", "'ok':'2-3'"),
    "{'ev':'ended','token':'tb'}",
    NULL,
};

static void test_stages_without_an_attempt (void **unused)
{
    static const struct row rows[] = {
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
          { PREPARED ("label", "1"), DONE ("label", "2", "true"),
            SKIPPED ("train"), SKIPPED ("lone") },
          .actions = "{'ev':'skip','stage':'check','why':'when: label.count "
                     "> 2'}" },
        { "all have ended",
          begun,
          { SKIPPED ("label"), OTHERS },
          .actions = "close iteration 0" },
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
        { "done",
          label,
          { "{'ev':'finished','phase':'done'}" },
          .actions = "" },
        { "failed",
          label,
          { "{'ev':'finished','phase':'failed'}" },
          .actions = "" },
    };

    (void)unused;
    put_count (0, "label", 2);
    expect_rows (rows, ARRAY_SIZE (rows));
}

static void test_when_is_true (void **unused)
{
    static const struct row rows[] = {
        { "when is true, the source was skipped, but there is a default",
          begun,
          { PREPARED ("label", "1"), DONE ("label", "3", "true"),
            SKIPPED ("train"), SKIPPED ("lone") },
          .actions = "prepare check" },
    };

    (void)unused;
    put_count (0, "label", 3);
    expect_rows (rows, ARRAY_SIZE (rows));
}

static void test_when_cannot_be_evaluated (void **unused)
{
    static const struct row rows[] = {
        { "a comparison of kinds",
          begun,
          { SKIPPED ("label"), OTHERS },
          .actions = "close iteration 0" },
        { "",
          begun,
          { SKIPPED ("label"), SKIPPED ("train"), SKIPPED ("lone") },
          .actions = "{'ev':'unfit','stage':'check','why':'when: 'a' < 1: "
                     "column 5: cannot compare a string with an integer'}" },
    };
    struct state state = STATE_INIT;
    struct strbuf text = STRBUF_INIT;

    (void)unused;
    expression_destroy (scene.stages[CHECK].when);
    scene.stages[CHECK].when_text = "\"a\" < 1";
    scene.stages[CHECK].when = expression_parse ("\"a\" < 1", NULL);
    expect_rows (rows, 1);
    happen_all (&state, begun);
    happen_all (&state, rows[1].more);
    decide_text (&state, "", "", &text);
    assert_ptr_equal (strstr (text.buf, "{'ev':'unfit','stage':'check','why':"
                                        "'when: "),
                      text.buf);
    strbuf_release (&text);
    state_release (&state);
}

static void test_tasks_that_ended (void **unused)
{
    static const struct row rows[] = {
        { "some may be tried again",
          label,
          { ATTEMPT ("label", "0", "0-3", "1"),
            RESULTS ("0-3", "'ok':'0-2','failed':'3'"),
            CLOSED ("label", "false") },
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
                     "of 4 tasks are ok, success: 0.5 asks for more (2 failed, "
                     "1 lost)'}" },
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
          .actions = "{'ev':'stage','stage':'label','phase':'failed','why':"
                     "'three submissions in a row ended before any task "
                     "began; see the job's output, `fanfold explain`'}" },
        { "three times nothing began, tried again",
          label,
          { ATTEMPT ("label", "0", "0-3", "1"), CLOSED ("label", "true"),
            ATTEMPT ("label", "1", "0-3", "1"), CLOSED ("label", "true"),
            ATTEMPT ("label", "2", "0-3", "1"), CLOSED ("label", "true"),
            REQUEST ("retry") },
          .actions = "open attempt label" },
    };

    (void)unused;
    expect_rows (rows, ARRAY_SIZE (rows));
}

static void test_submitting (void **unused)
{
    static const struct row rows[] = {
        { "an attempt was opened",
          opened,
          { NULL },
          .actions = "submit label 0; submit label 1" },
        { "it may exist",
          opened,
          { INTENT ("0", "ta", "2") },
          .actions = "find ta; submit label 1" },
        { "one empty answer",
          opened,
          { INTENT ("0", "ta", "2"), "{'ev':'empty','token':'ta','now_s':980}",
            INTENT ("1", "tb", "2"), RECORDED ("tb"), RELEASED ("tb") },
          .elements = "|QQ",
          .actions = "next 30" },
        { "one empty answer, a moment ago",
          opened,
          { INTENT ("0", "ta", "2"), "{'ev':'empty','token':'ta','now_s':955}",
            INTENT ("1", "tb", "2"), RECORDED ("tb"), RELEASED ("tb") },
          .elements = "|QQ",
          .actions = "next 15" },
        { "one empty answer, long ago",
          opened,
          { INTENT ("0", "ta", "2"), "{'ev':'empty','token':'ta','now_s':940}",
            INTENT ("1", "tb", "2") },
          .actions = "find ta; find tb" },
        { "two empty answers",
          opened,
          { INTENT ("0", "ta", "2"), "{'ev':'empty','token':'ta','now_s':940}",
            "{'ev':'empty','token':'ta','now_s':1000}" },
          .actions = "{'ev':'absent','token':'ta'}; submit label 1" },
        { "it never came to be",
          opened,
          { INTENT ("0", "ta", "2"), "{'ev':'absent','token':'ta'}" },
          .actions = "submit label 0; submit label 1" },
        { "its id is known",
          opened,
          { INTENT ("0", "ta", "2"), RECORDED ("ta") },
          .actions = "release ta; submit label 1" },
        { "refused",
          opened,
          { INTENT ("0", "ta", "2"),
            "{'ev':'refused','token':'ta','why':'w'}" },
          .actions = "close attempt label" },
        { "refused and resumed",
          opened,
          { INTENT ("0", "ta", "2"), "{'ev':'refused','token':'ta','why':'w'}",
            REQUEST ("resume") },
          .actions = "submit label 0; submit label 1" },
    };

    (void)unused;
    expect_rows (rows, ARRAY_SIZE (rows));
}

#define OVER "{'ev':'over','token':'ta','now_s':"
#define JUDGED "{'ev':'results','stage':'label',"

static void test_running (void **unused)
{
    static const struct row rows[] = {
        { "in the queue", runs, { NULL }, "QQ|", "....", .actions = "next 30" },
        { "held by somebody",
          runs,
          { NULL },
          "HH|",
          "....",
          .actions = "next 30" },
        { "news",
          runs,
          { NULL },
          "RR|",
          "os..",
          .actions = JUDGED "'tried':'0','outcomes':{'ok':'0'}}; next 30" },
        { "no news",
          runs,
          { RESULTS ("0", "'ok':'0'") },
          "ER|",
          "os..",
          .actions = "next 30" },
        { "the last word",
          runs,
          { RESULTS ("0", "'ok':'0'") },
          "ER|",
          "of..",
          .actions = JUDGED "'tried':'1','outcomes':{'failed':'1'}}; "
                            "{'ev':'ended','token':'ta'}" },
        { "the logs say all, the scheduler nothing",
          runs,
          { NULL },
          "!|",
          "oo..",
          .actions = JUDGED "'tried':'0-1','outcomes':{'ok':'0-1'}}; "
                            "{'ev':'ended','token':'ta'}" },
        { "the scheduler did not answer",
          runs,
          { NULL },
          "!|",
          "s...",
          .actions = "next 30" },
        { "nothing is there any more",
          runs,
          { NULL },
          "EF|",
          "os..",
          .actions = JUDGED "'tried':'0','outcomes':{'ok':'0'}}; "
                            "{'ev':'over','token':'ta'}" },
        { "known to have ended: as long as files take",
          runs,
          { OVER "995}" },
          "EF|",
          "s...",
          .actions = "next 5" },
        { "unknown: as long as the scheduler takes",
          runs,
          { OVER "945}" },
          "E?|",
          "s...",
          .actions = "next 5" },
        { "judged",
          runs,
          { OVER "990}" },
          "TF|",
          "s...",
          .actions = JUDGED "'tried':'0','outcomes':{'timeout':'0'}}; "
                            "{'ev':'ended','token':'ta'}" },
        { "lost",
          runs,
          { OVER "940}" },
          "??|",
          "ss..",
          .actions = JUDGED "'tried':'0-1','outcomes':{'lost':'0-1'}}; "
                            "{'ev':'ended','token':'ta'}" },
        { "never began",
          runs,
          { OVER "940}" },
          "??|",
          "....",
          .actions = "{'ev':'ended','token':'ta'}" },
        { "a word at the last moment",
          runs,
          { OVER "940}" },
          "??|",
          "oo..",
          .actions = JUDGED "'tried':'0-1','outcomes':{'ok':'0-1'}}; "
                            "{'ev':'ended','token':'ta'}" },
        { "it is there again",
          runs,
          { OVER "900}" },
          "R?|",
          "s...",
          .actions = "{'ev':'back','token':'ta'}; next 30" },
        { "over, then no answer",
          runs,
          { OVER "900}" },
          "!|",
          "s...",
          .actions = "next 30" },
        { "accounted for",
          runs,
          { "{'ev':'ended','token':'ta'}" },
          .actions = "close attempt label" },
    };

    (void)unused;
    expect_rows (rows, ARRAY_SIZE (rows));
}

static void test_pausing (void **unused)
{
    static const struct row rows[] = {
        { "what runs is followed",
          runs,
          { REQUEST ("pause") },
          "RR|",
          "os..",
          .actions = JUDGED "'tried':'0','outcomes':{'ok':'0'}}; next 30" },
        { "to its end",
          runs,
          { REQUEST ("pause") },
          "RR|",
          "oo..",
          .actions = JUDGED "'tried':'0-1','outcomes':{'ok':'0-1'}}; "
                            "{'ev':'ended','token':'ta'}" },
        { "and is closed",
          runs,
          { REQUEST ("pause"), "{'ev':'ended','token':'ta'}" },
          .actions = "close attempt label" },
        { "nothing new is submitted",
          opened,
          { INTENT ("1", "tb", "2"), RECORDED ("tb"), RELEASED ("tb"),
            REQUEST ("pause") },
          "RR",
          "....",
          .actions = "next 30" },
        { "what is held stays held",
          opened,
          { INTENT ("0", "ta", "2"), RECORDED ("ta"), REQUEST ("pause") },
          .actions = "" },
        { "what may exist is looked for",
          opened,
          { INTENT ("0", "ta", "2"), REQUEST ("pause") },
          .actions = "find ta" },
        { "nothing was submitted",
          opened,
          { REQUEST ("pause") },
          .actions = "close attempt label" },
        { "no next attempt, no fan-in",
          label,
          { RESULTS ("0-3", "'ok':'0-3'"), REQUEST ("pause") },
          .actions = "" },
        { "no next iteration",
          begun,
          { SKIPPED ("label"), OTHERS,
            "{'ev':'closing','iteration':0,'history':{}}", REQUEST ("pause") },
          .actions = "" },
    };

    (void)unused;
    expect_rows (rows, ARRAY_SIZE (rows));
}

static void test_cancelling (void **unused)
{
    static const struct row rows[] = {
        { "what runs",
          runs,
          { REQUEST ("cancel") },
          "RR|",
          "os..",
          .actions = "cancel ta" },
        { "what is held",
          opened,
          { INTENT ("0", "ta", "2"), RECORDED ("ta"), REQUEST ("cancel") },
          .actions = "cancel ta" },
        { "what may exist is looked for first",
          opened,
          { INTENT ("0", "ta", "2"), REQUEST ("cancel") },
          .actions = "find ta" },
        { "asked: its end is waited for",
          runs,
          { REQUEST ("cancel"), "{'ev':'cancelling','token':'ta'}" },
          "RR|",
          "os..",
          .actions = JUDGED "'tried':'0','outcomes':{'ok':'0'}}; next 30" },
        { "asked while held: let go, so that its end is seen",
          opened,
          { INTENT ("0", "ta", "2"), RECORDED ("ta"), REQUEST ("cancel"),
            "{'ev':'cancelling','token':'ta'}" },
          .actions = "release ta" },
        { "gone",
          runs,
          { REQUEST ("cancel"), "{'ev':'cancelling','token':'ta'}",
            OVER "990}" },
          "CC|",
          "op..",
          .actions = JUDGED "'tried':'0-1','outcomes':{'ok':'0',"
                            "'cancelled':'1'}}; {'ev':'ended','token':'ta'}" },
    };

    (void)unused;
    expect_rows (rows, ARRAY_SIZE (rows));
}

#define CLOSING(n, stop)                                                       \
    "{'ev':'closing','iteration':" n ",'history':{},'stop':" stop "}"
#define ITERATION(n) "{'ev':'iteration','iteration':" n "}"
#define FINISHED(converged, why)                                               \
    "{'ev':'finished','phase':'done','converged':" converged ",'why':'" why "'}"

static void test_iterations (void **unused)
{
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

    (void)unused;
    expect_rows (without_rule, ARRAY_SIZE (without_rule));
    scene.plan.stop = expression_parse ("true", NULL);
    scene.plan.stop_consecutive = 2;
    expect_rows (with_rule, ARRAY_SIZE (with_rule));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown (test_stages_without_an_attempt, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_when_is_true, enter, leave),
        cmocka_unit_test_setup_teardown (test_when_cannot_be_evaluated, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_tasks_that_ended, enter, leave),
        cmocka_unit_test_setup_teardown (test_submitting, enter, leave),
        cmocka_unit_test_setup_teardown (test_running, enter, leave),
        cmocka_unit_test_setup_teardown (test_pausing, enter, leave),
        cmocka_unit_test_setup_teardown (test_cancelling, enter, leave),
        cmocka_unit_test_setup_teardown (test_iterations, enter, leave),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
