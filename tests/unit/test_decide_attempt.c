/* SPDX-License-Identifier: BSD-3-Clause */
/* test_decide_attempt.c - what is to be done with what was submitted */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "decide_scene.h"

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
          .actions = "sweep ta; submit label 0; submit label 1" },
        { "one came to nothing: perhaps for a twin of the other",
          opened,
          { INTENT ("0", "ta", "2"), RECORDED ("ta"), RELEASED ("ta"),
            INTENT ("1", "tb", "2"), "{'ev':'absent','token':'tb'}" },
          .elements = "QQ|",
          .actions = "sweep ta; sweep tb; submit label 1; next 30" },
        { "... of which there is none",
          opened,
          { INTENT ("0", "ta", "2"), RECORDED ("ta"), RELEASED ("ta"),
            INTENT ("1", "tb", "2"), "{'ev':'absent','token':'tb'}",
            "{'ev':'swept','token':'ta'}", "{'ev':'swept','token':'tb'}" },
          .elements = "QQ|",
          .actions = "submit label 1; next 30" },
        { "... which need not show yet",
          opened,
          { "{'ev':'intent'," OF ("label") ",'chunk':0,'token':'ta',"
                                           "'elements':2,'now_s':970}",
            RECORDED ("ta"), RELEASED ("ta"), INTENT ("1", "tb", "2"),
            "{'ev':'absent','token':'tb'}", "{'ev':'swept','token':'tb'}" },
          .elements = "QQ|",
          .actions = "submit label 1; next 30" },
        { "found a moment ago, and over: another may show",
          opened,
          { INTENT ("0", "ta", "2"),
            "{'ev':'recorded','token':'ta','id':'17','found':true,"
            "'now_s':960}",
            "{'ev':'ended','token':'ta'}",
            "{'ev':'intent'," OF ("label") ",'chunk':1,'token':'tb',"
                                           "'elements':2,'now_s':970}",
            "{'ev':'recorded','token':'tb','id':'18','found':true}",
            "{'ev':'ended','token':'tb'}" },
          .actions = "next 30" },
        { "found long ago, and over",
          opened,
          { INTENT ("0", "ta", "2"),
            "{'ev':'recorded','token':'ta','id':'17','found':true}",
            "{'ev':'ended','token':'ta'}", INTENT ("1", "tb", "2"),
            RECORDED ("tb"), "{'ev':'ended','token':'tb'}" },
          .actions = "close attempt label" },
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
          .actions = "sweep ta; submit label 0; submit label 1" },
    };

    (void)unused;
    expect_rows (rows, ARRAY_SIZE (rows));
}

#define PAUSED(why)                                                            \
    "{'ev':'paused','why':'stage 'label', " why                                \
    "; mend that, then `fanfold resume`'}"

/* Agents handed tasks back because a machine failed them. */
static void test_trouble (void **unused)
{
    static const struct row rows[] = {
        { "a node that cannot read",
          runs,
          { RESULTS ("0-1", "'ok':'0-1'") },
          "EE|",
          "oo..",
          .trouble = "task 1: an error",
          .actions = "{'ev':'ended','token':'ta'}" },
        { "a full disk",
          runs,
          { RESULTS ("0-1", "'ok':'0-1'") },
          "EE|",
          "oo..",
          .trouble = "!task 1: no room",
          .actions =
              "{'ev':'ended','token':'ta'}; " PAUSED ("task 1: no room") },
        { "a full disk that was told of",
          runs,
          { RESULTS ("0-1", "'ok':'0-1'"), "{'ev':'paused','why':'w'}" },
          "EE|",
          "oo..",
          .trouble = "!task 1: no room",
          .actions = "{'ev':'ended','token':'ta'}" },
        { "while others still run",
          runs,
          { NULL },
          "RR|",
          "....",
          .trouble = "!task 1: no room",
          .actions = "next 30" },
        { "again and again",
          opened,
          { CLOSED ("label", "true"), ATTEMPT ("label", "1", "0-3", "1"),
            CLOSED ("label", "true"), ATTEMPT ("label", "2", "0-3", "1"),
            INTENT ("0", "ta", "4"), RECORDED ("ta"), RELEASED ("ta") },
          "EEEE|",
          "ffff",
          .trouble = "task 1: an error",
          .actions = "{'ev':'results','stage':'label','tried':'0-3',"
                     "'outcomes':{'failed':'0-3'}}; "
                     "{'ev':'ended','token':'ta'}; " PAUSED (
                         "task 1: an error") },
    };

    (void)unused;
    expect_rows (rows, ARRAY_SIZE (rows));
}

#define OVER "{'ev':'over','token':'ta','now_s':"
#define NOTED(why) "{'ev':'noted','token':'ta','why':'" why "'}"
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
        { "why it waits is journaled",
          runs,
          { NULL },
          "QW|",
          "....",
          .actions = "{'ev':'noted','token':'ta','why':'why W'}; next 30" },
        { "... once",
          runs,
          { NOTED ("why W") },
          "QW|",
          "....",
          .actions = "next 30" },
        { "... and taken back",
          runs,
          { NOTED ("why W") },
          "QR|",
          "....",
          .actions = "{'ev':'noted','token':'ta','why':''}; next 30" },
        { "without an answer it stays",
          runs,
          { NOTED ("why W") },
          "!|",
          "....",
          .actions = "next 30" },
        { "a state that is not understood is not the end",
          runs,
          { NOTED ("why X") },
          "XE|",
          "so..",
          .actions = JUDGED "'tried':'1','outcomes':{'ok':'1'}}; next 30" },
        { "too new for the scheduler to know it",
          opened,
          { "{'ev':'intent'," OF ("label") ",'chunk':0,'token':'ta',"
                                           "'elements':2,'now_s':955}",
            RECORDED ("ta"), RELEASED ("ta"), REQUEST ("pause") },
          "??|",
          "s...",
          .actions = "next 15" },
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
        { "gone after a resume: it runs again",
          runs,
          { REQUEST ("cancel"), "{'ev':'cancelling','token':'ta'}",
            REQUEST ("resume"), OVER "990}" },
          "CC|",
          "op..",
          .actions = JUDGED "'tried':'0','outcomes':{'ok':'0'}}; "
                            "{'ev':'ended','token':'ta'}" },
        { "still there after a resume: nothing is said of it yet",
          runs,
          { REQUEST ("cancel"), "{'ev':'cancelling','token':'ta'}",
            REQUEST ("resume") },
          "CR|",
          "ps..",
          .actions = "next 30" },
        { "cancelled by somebody else after a resume",
          runs,
          { REQUEST ("cancel"), REQUEST ("resume"), OVER "990}" },
          "CC|",
          "pp..",
          .actions = JUDGED "'tried':'0-1','outcomes':{'cancelled':'0-1'}}; "
                            "{'ev':'ended','token':'ta'}" },
        { "cancelled, resumed and cancelled again",
          runs,
          { REQUEST ("cancel"), "{'ev':'cancelling','token':'ta'}",
            REQUEST ("resume"), REQUEST ("cancel"), OVER "990}" },
          "CC|",
          "pp..",
          .actions = JUDGED "'tried':'0-1','outcomes':{'cancelled':'0-1'}}; "
                            "{'ev':'ended','token':'ta'}" },
        { "cancelled, resumed and accounted for: what is left runs again",
          runs,
          { REQUEST ("cancel"), "{'ev':'cancelling','token':'ta'}",
            REQUEST ("resume"), RESULTS ("0", "'ok':'0'"),
            "{'ev':'ended','token':'ta'}", CLOSED ("label", "false") },
          .actions = "open attempt label" },
    };

    (void)unused;
    expect_rows (rows, ARRAY_SIZE (rows));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown (test_submitting, enter, leave),
        cmocka_unit_test_setup_teardown (test_trouble, enter, leave),
        cmocka_unit_test_setup_teardown (test_running, enter, leave),
        cmocka_unit_test_setup_teardown (test_pausing, enter, leave),
        cmocka_unit_test_setup_teardown (test_cancelling, enter, leave),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
