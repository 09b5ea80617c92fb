/* SPDX-License-Identifier: BSD-3-Clause */
/* test_decide_chain.c - which jobs are to wake the campaign */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "decide_scene.h"

#define CHAIN "{'ev':'chain','on':true}"
#define WAKING(token, after)                                                   \
    "{'ev':'dependency_job','token':'" token "','stage':'label','elements':2," \
    "'after':'" after "','now_s':900}"
#define TIMER(token, at)                                                       \
    "{'ev':'dependency_job','token':'" token "','stage':'label','elements':2," \
    "'at_s':" at ",'now_s':900}"
#define CANCELLING(token) "{'ev':'cancelling','token':'" token "'}"
#define ENDED(token) "{'ev':'ended','token':'" token "'}"

/* One chunk of two elements of one task, asked for a moment ago. */
static const char *const held[] = { "{'ev':'iteration','iteration':0}",
                                    OTHERS,
                                    PREPARED ("label", "2"),
                                    ATTEMPT ("label", "0", "0-1", "1"),
                                    "{'ev':'intent'," OF (
                                        "label") ",'chunk':0,'token':'ta',"
                                                 "'elements':2,'now_s':970}",
                                    RECORDED ("ta"),
                                    CHAIN,
                                    NULL };

/* ... or long ago. */
static const char *const stuck[] = { "{'ev':'iteration','iteration':0}",
                                     OTHERS,
                                     PREPARED ("label", "2"),
                                     ATTEMPT ("label", "0", "0-1", "1"),
                                     INTENT ("0", "ta", "2"),
                                     RECORDED ("ta"),
                                     CHAIN,
                                     NULL };

/* ... and it runs, with a dependency job to come. */
static const char *const runs[] = { "{'ev':'iteration','iteration':0}",
                                    OTHERS,
                                    PREPARED ("label", "2"),
                                    ATTEMPT ("label", "0", "0-1", "1"),
                                    INTENT ("0", "ta", "2"),
                                    RECORDED ("ta"),
                                    CHAIN,
                                    WAKING ("wa", "ta"),
                                    RECORDED ("wa"),
                                    RELEASED ("ta"),
                                    NULL };

/* Nothing is let go before it is known who will see its end. */
static const struct row successor_first[] = {
    { "recorded: first its dependency job",
      held,
      { NULL },
      .actions = "wake ta" },
    { "held for long: a duplicate of it may have the dependency job's place",
      stuck,
      { NULL },
      .actions = "sweep ta; wake ta" },
    { "... but has not",
      stuck,
      { "{'ev':'swept','token':'ta'}" },
      .actions = "wake ta" },
    { "the dependency job may exist",
      held,
      { WAKING ("wa", "ta") },
      .actions = "find wa" },
    { "it may come late, and wait for a job that is held: asked again",
      held,
      { WAKING ("wa", "ta"), "{'ev':'empty','token':'wa','now_s':990,"
                             "'boot':'b','up_s':990}" },
      .actions = "wake label in 50; next 50" },
    { "it never came to be",
      held,
      { WAKING ("wa", "ta"),
        "{'ev':'empty','token':'wa','now_s':930,'boot':'b','up_s':930}",
        "{'ev':'empty','token':'wa','now_s':990,'boot':'b','up_s':990}" },
      .actions = "{'ev':'absent','token':'wa'}" },
    { "... and a timer that came late would run and end: one answer will do",
      held,
      { TIMER ("wa", "2000"), "{'ev':'empty','token':'wa','now_s':990}" },
      .actions = "wake ta; {'ev':'absent','token':'wa'}" },
    { "it is recorded",
      held,
      { WAKING ("wa", "ta"), RECORDED ("wa") },
      .actions = "release ta" },
    { "it was refused, and what was wrong is mended",
      held,
      { WAKING ("wa", "ta"), "{'ev':'refused','token':'wa','why':'w'}",
        REQUEST ("resume") },
      .actions = "wake ta" },
    { "cancelled: nobody need see its end",
      held,
      { REQUEST ("cancel"), "{'ev':'cancelling','token':'ta'}" },
      .actions = "release ta" },
    { "... also when the campaign was resumed meanwhile",
      held,
      { REQUEST ("cancel"), "{'ev':'cancelling','token':'ta'}",
        REQUEST ("resume") },
      .actions = "release ta" },
    { "not chained",
      held,
      { "{'ev':'chain','on':false}" },
      .actions = "release ta" },
};

#define WHILE_IT_RUNS(...) runs, { __VA_ARGS__ }, .elements = "RR"

/* A dependency job stays until everything has another. */
static const struct row needed[] = {
    { "a job runs, its dependency job waits: nothing to do",
      WHILE_IT_RUNS (NULL), .actions = "next 30" },
    { "... whoever looks", WHILE_IT_RUNS (NULL),
      .chain = { .dependency_jobs = "QQ" }, .actions = "next 30" },
    { "another dependency job has done its work",
      WHILE_IT_RUNS (WAKING ("wb", "tz"), RECORDED ("wb")),
      .chain = { .driving_job = "wb" },
      .actions = "{'ev':'ended','token':'wb'}; next 30" },
    { "... and is somebody else",
      WHILE_IT_RUNS (WAKING ("wb", "tz"), RECORDED ("wb")),
      .actions = "dismiss wb; next 30" },
    { "it came too soon: it stays for a while", WHILE_IT_RUNS (NULL),
      .chain = { .driving_job = "wa", .patience_s = 60 },
      .actions = "next 30" },
    { "... and then leaves it to another", WHILE_IT_RUNS (NULL),
      .chain = { .driving_job = "wa" },
      .actions = "wake label in 300; next 30" },
    { "... that is not there for sure", WHILE_IT_RUNS (TIMER ("wt", "1300")),
      .chain = { .driving_job = "wa" }, .actions = "find wt; next 30" },
    { "... that is there",
      WHILE_IT_RUNS (TIMER ("wt", "1300"), RECORDED ("wt")),
      .chain = { .driving_job = "wa" },
      .actions = "{'ev':'ended','token':'wa'}; next 30" },
    { "... whose time has come",
      WHILE_IT_RUNS (TIMER ("wt", "999"), RECORDED ("wt")),
      .chain = { .driving_job = "wa" },
      .actions = "wake label in 300; next 30" },
    { "one that runs is no alarm any more", WHILE_IT_RUNS (NULL),
      .chain = { .dependency_jobs = "RQ" },
      .actions = "wake label in 30; next 30" },
    { "a timer that nobody needs",
      WHILE_IT_RUNS (TIMER ("wt", "1300"), RECORDED ("wt")),
      .actions = "dismiss wt; next 30" },
    { "the scheduler is silent: everything is looked after all the same",
      runs,
      { NULL },
      .elements = "!",
      .actions = "next 30" },
    { "a reply is on its way: somebody has to come back",
      held,
      { WAKING ("wa", "ta"), RECORDED ("wa"), RELEASED ("ta"),
        "{'ev':'over','token':'ta','now_s':995}" },
      .elements = "EE",
      .logged = "s",
      .actions = "wake label in 5; next 5" },
    { "... also where results are all that is new",
      held,
      { WAKING ("wa", "ta"), RECORDED ("wa"), RELEASED ("ta"),
        "{'ev':'over','token':'ta','now_s':995}" },
      .elements = "EE",
      .logged = "os",
      .actions = "{'ev':'results','stage':'label','tried':'0','outcomes':"
                 "{'ok':'0'}}; wake label in 5; next 5" },
    { "over, and not asked whether its dependency job was killed meanwhile",
      held,
      { WAKING ("wa", "ta"), RECORDED ("wa"), RELEASED ("ta"),
        "{'ev':'over','token':'ta','now_s':995}" },
      .elements = "!",
      .actions = "wake label in 30; next 30" },
    { "... and this driver is patient",
      held,
      { WAKING ("wa", "ta"), RECORDED ("wa"), RELEASED ("ta"),
        "{'ev':'over','token':'ta','now_s':995}" },
      .elements = "EE",
      .logged = "s",
      .chain = { .patience_s = 10 },
      .actions = "next 5" },
};

static const struct row lost[] = {
    { "cancelled by somebody", WHILE_IT_RUNS (NULL),
      .chain = { .dependency_jobs = "CC" }, .actions = "dismiss wa; next 30" },
    { "... and that is known: another", WHILE_IT_RUNS (ENDED ("wa")),
      .actions = "wake ta" },
    { "half of it was killed: the other half goes on", WHILE_IT_RUNS (NULL),
      .chain = { .dependency_jobs = "FQ", .patience_s = 60 },
      .actions = "next 30" },
    { "the scheduler has forgotten it", WHILE_IT_RUNS (NULL),
      .chain = { .dependency_jobs = "??" }, .actions = "dismiss wa; next 30" },
    { "... or does not know it yet",
      WHILE_IT_RUNS (
          "{'ev':'dependency_job','token':'wb','stage':'label','elements':2,"
          "'after':'ta','now_s':980}",
          RECORDED ("wb"), ENDED ("wa")),
      .chain = { .dependency_jobs = "??" }, .actions = "next 30" },
    { "... nor can be known to be new, for the clock was set back",
      WHILE_IT_RUNS (
          "{'ev':'dependency_job','token':'wb','stage':'label','elements':2,"
          "'after':'ta','now_s':5000}",
          RECORDED ("wb"), ENDED ("wa")),
      .chain = { .dependency_jobs = "??" }, .actions = "dismiss wb; next 30" },
    /* The answer to a cancel may be lost. */
    { "we cancelled it, or may have: another",
      WHILE_IT_RUNS (CANCELLING ("wa")), .actions = "wake ta; dismiss wa" },
    { "... when there is another",
      WHILE_IT_RUNS (CANCELLING ("wa"), WAKING ("wb", "ta"), RECORDED ("wb")),
      .actions = "dismiss wa; next 30" },
    { "a timer that may be cancelled: another",
      WHILE_IT_RUNS (TIMER ("wt", "1300"), RECORDED ("wt"), CANCELLING ("wt")),
      .chain = { .driving_job = "wa" }, .actions = "dismiss wt; next 30" },
    { "this driver's job was to be cancelled, and is wanted again",
      WHILE_IT_RUNS (CANCELLING ("wa")), .chain = { .driving_job = "wa" },
      .actions = "wake label in 300; next 30" },
};

static const struct row not_wanted[] = {
    { "paused: what runs is followed by hand",
      WHILE_IT_RUNS (REQUEST ("pause")), .actions = "dismiss wa; next 30" },
    { "... and one that may come to be would wait for a job that is held",
      held,
      { WAKING ("wa", "ta"), REQUEST ("pause"),
        "{'ev':'empty','token':'wa','now_s':990,'boot':'b','up_s':990}" },
      .actions = "next 50" },
    { "... and resumed",
      WHILE_IT_RUNS (REQUEST ("pause"), ENDED ("wa"),
                     "{'ev':'request','id':'s','kind':'resume','why':'w'}"),
      .actions = "wake ta" },
    { "done",
      runs,
      { "{'ev':'finished','phase':'done'}" },
      .chain = { .driving_job = "wa" },
      .actions = "{'ev':'ended','token':'wa'}" },
    { "the chain is taken off", WHILE_IT_RUNS ("{'ev':'chain','on':false}"),
      .actions = "dismiss wa; next 30" },
};

int main (void)
{
    const struct CMUnitTest tests[] = {
        TABLE (successor_first),
        TABLE (needed),
        TABLE (lost),
        TABLE (not_wanted),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
