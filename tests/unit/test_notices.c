/* SPDX-License-Identifier: BSD-3-Clause */
/* test_notices.c - which notices are due, and how long nothing may move */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "engine/decide/notices.h"
#include "state_rows.h"

static const char *const program[] = { "tell", NULL };

/* Programs for those whose names are in 'names'. */
static struct notify notify_of (const char *names)
{
    struct notify notify = { .known = true };

    for (int i = 0; i < NOTICE_EVENTS; i++) {
        if (strstr (names, notice_event_name ((enum notice_event)i)))
            notify.argv[i] = program;
    }
    return notify;
}

static void due_text (const struct state *state, const char *programs,
                      double now_s, struct strbuf *out)
{
    const struct notify notify = notify_of (programs);
    struct notice notice;

    if (!notice_due (&notify, state, now_s, 100, &notice))
        return;
    strbuf_addf (out, "%s %" PRId64 " %d", notice_event_name (notice.event),
                 notice.of, notice.begun);
}

#define ALL "stage_failed iteration_done paused done stuck"
#define ASKED                                                                  \
    "{'ev':'notify','events':['stage_failed','iteration_done','paused',"       \
    "'done','stuck']}"
#define BEGIN "{'ev':'campaign','id':'c1','now_s':1}"
#define ITERATION "{'ev':'iteration','iteration':0,'now_s':1}"
#define TRAIN "{'ev':'prepared'," OF_TRAIN ",'tasks':5,'now_s':10}"
#define FAILED "{'ev':'stage'," OF_TRAIN ",'phase':'failed','now_s':20}"
#define PAUSED "{'ev':'paused','why':'w','now_s':20}"
#define CLOSING "{'ev':'closing','iteration':0,'now_s':30}"
#define FINISHED "{'ev':'finished','phase':'done','converged':true,'now_s':31}"
#define NOTICE(event, of, phase)                                               \
    "{'ev':'notice','event':'" event "','of':" of ",'phase':'" phase           \
    "','now_s':32}"

enum { EVENTS_MAX = 12 };

/* Events, the first of which has number 1; the programs there are, the time,
 * and the notice that is due: what, of which event, how often it was begun.
 */
static const struct {
    const char *events[EVENTS_MAX];
    const char *programs;
    double now_s;
    const char *due;
} rows[] = {
    /* Only what happens while it is asked for. */
    { { BEGIN, ITERATION, TRAIN, FAILED, ASKED }, ALL, 21, "" },
    { { BEGIN, ASKED, ITERATION, TRAIN, FAILED }, ALL, 21, "stage_failed 5 0" },
    { { BEGIN, ASKED, ITERATION, TRAIN, FAILED }, "done", 21, "" },
    { { BEGIN, ITERATION, TRAIN, FAILED }, ALL, 21, "" },
    { { BEGIN, "{'ev':'notify','events':['done']}", ITERATION, TRAIN, FAILED },
      ALL,
      21,
      "" },
    /* ... and not any more when it is not. */
    { { BEGIN, ASKED, ITERATION, PAUSED, "{'ev':'notify','events':[]}", ASKED },
      ALL,
      21,
      "" },
    /* The kinds of events. */
    { { BEGIN, ASKED, ITERATION,
        "{'ev':'unfit'," OF_TRAIN ",'why':'w','now_s':20}" },
      ALL,
      21,
      "stage_failed 4 0" },
    { { BEGIN, ASKED, ITERATION, PAUSED }, ALL, 21, "paused 4 0" },
    { { BEGIN, ASKED, ITERATION,
        "{'ev':'request','id':'r','kind':'pause','now_s':20}" },
      ALL,
      21,
      "paused 4 0" },
    { { BEGIN, ASKED, ITERATION,
        "{'ev':'request','id':'r','kind':'cancel','now_s':20}" },
      ALL,
      21,
      "paused 4 0" },
    { { BEGIN, ASKED, ITERATION,
        "{'ev':'request','id':'r','kind':'resume','now_s':20}" },
      ALL,
      21,
      "" },
    { { BEGIN, ASKED, ITERATION, TRAIN,
        "{'ev':'stage'," OF_TRAIN ",'phase':'done','now_s':20}" },
      ALL,
      21,
      "" },
    { { BEGIN, ASKED, ITERATION, CLOSING }, ALL, 31, "iteration_done 4 0" },
    { { BEGIN, ASKED, ITERATION, CLOSING, FINISHED }, "done", 31, "done 5 0" },
    { { BEGIN, ASKED, ITERATION,
        "{'ev':'finished','phase':'failed','now_s':31}" },
      ALL,
      32,
      "" },
    /* One after the other, each once. */
    { { BEGIN, ASKED, ITERATION, CLOSING, FINISHED,
        NOTICE ("iteration_done", "4", "begun") },
      ALL,
      33,
      "iteration_done 4 1" },
    { { BEGIN, ASKED, ITERATION, CLOSING, FINISHED,
        NOTICE ("iteration_done", "4", "begun"),
        NOTICE ("iteration_done", "4", "told") },
      ALL,
      33,
      "done 5 0" },
    { { BEGIN, ASKED, ITERATION, PAUSED, NOTICE ("paused", "4", "begun"),
        NOTICE ("paused", "4", "failed") },
      ALL,
      33,
      "" },
    { { BEGIN, ASKED, ITERATION, PAUSED, NOTICE ("paused", "4", "begun"),
        NOTICE ("paused", "4", "begun") },
      ALL,
      33,
      "paused 4 2" },
    /* An iteration that is closed again is none that is done. */
    { { BEGIN, ASKED, ITERATION, CLOSING,
        NOTICE ("iteration_done", "4", "told"), FINISHED,
        NOTICE ("done", "6", "told"),
        "{'ev':'config','iteration':0,'number':1,'sha256':'b','now_s':40}",
        CLOSING, FINISHED },
      ALL,
      41,
      "done 10 0" },
    /* What a copied directory has not told, the original tells. */
    { { BEGIN, ASKED, ITERATION, PAUSED,
        "{'ev':'adopted','path':'/c','inode':'1:2','copy':true}" },
      ALL,
      21,
      "" },
    /* Nothing moves. */
    { { BEGIN, ASKED, ITERATION }, ALL, 101, "" },
    { { BEGIN, ASKED, ITERATION }, ALL, 102, "stuck 3 0" },
    { { BEGIN, ASKED, ITERATION }, "done", 102, "" },
    { { BEGIN, ASKED, ITERATION, NOTICE ("stuck", "3", "begun") },
      ALL,
      103,
      "stuck 3 1" },
    { { BEGIN, ASKED, ITERATION, NOTICE ("stuck", "3", "begun"),
        NOTICE ("stuck", "3", "told") },
      ALL,
      999,
      "" },
    { { BEGIN, ASKED, ITERATION, NOTICE ("stuck", "3", "begun"),
        NOTICE ("stuck", "3", "told"),
        "{'ev':'config','iteration':0,'number':1,'sha256':'b','now_s':200}" },
      ALL,
      301,
      "stuck 6 0" },
    /* ... which was so, and is not any more. */
    { { BEGIN, ASKED, ITERATION, NOTICE ("stuck", "3", "begun"),
        "{'ev':'config','iteration':0,'number':1,'sha256':'b','now_s':200}" },
      ALL,
      201,
      "" },
    { { BEGIN, ASKED, ITERATION, PAUSED, NOTICE ("paused", "4", "told") },
      ALL,
      999,
      "" },
    { { BEGIN, ASKED }, ALL, 999, "" },
    /* A clock that was set back. */
    { { BEGIN, ASKED, ITERATION }, ALL, -500, "" },
    /* What was only told does not move a campaign. */
    { { BEGIN, ASKED, ITERATION,
        "{'ev':'outage','profile':'p','scheduler':'s','why':'w','since_s':90,"
        "'now_s':90}" },
      ALL,
      102,
      "stuck 3 0" },
};

static void test_due (void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct state state = STATE_INIT;
        struct strbuf due = STRBUF_INIT;
        struct json *kept;

        for (size_t e = 0; e < EVENTS_MAX && rows[i].events[e]; e++)
            happen (&state, rows[i].events[e]);
        due_text (&state, rows[i].programs, rows[i].now_s, &due);
        if (strcmp (due.buf ? due.buf : "", rows[i].due) != 0)
            fail_msg ("row %zu: expected '%s', got '%s'", i, rows[i].due,
                      due.buf ? due.buf : "");
        kept = state_to_json (&state);
        state_release (&state);
        assert_int_equal (state_from_json (kept, &state, NULL), 0);
        strbuf_reset (&due);
        due_text (&state, rows[i].programs, rows[i].now_s, &due);
        assert_string_equal (due.buf ? due.buf : "", rows[i].due);
        json_unref (kept);
        strbuf_release (&due);
        state_release (&state);
    }
}

/* --- how long nothing may move --- */

#define OF_NEXT "'iteration':1,'stage':'train'"
#define ATTEMPT(of, walltime, now)                                             \
    "{'ev':'attempt'," of ",'attempt':0,'tasks':'0','now_s':" now              \
    ",'packing':{'slots':1,'per_element':1,'elements':1,'chunks':1,"           \
    "'per_chunk':1,'cores':1,'gpus':0,'memory_bytes':0,'walltime_s':" walltime \
    ",'nodes':1},'task':{'ranks':1,'cores':1,'gpus':0,'memory_bytes':0,"       \
    "'walltime_s':0.0,'nodes':1}}"
#define FIRST_TIME(walltime)                                                   \
    BEGIN, ITERATION, TRAIN, ATTEMPT (OF_TRAIN, walltime, "11")
#define DONE_AT(now)                                                           \
    "{'ev':'closed'," OF_TRAIN ",'attempt':0,'now_s':" now "}",                \
        "{'ev':'stage'," OF_TRAIN ",'phase':'done','now_s':" now "}",          \
        "{'ev':'closing','iteration':0,'now_s':" now "}",                      \
        "{'ev':'iteration','iteration':1,'now_s':9000}",                       \
        "{'ev':'prepared'," OF_NEXT ",'tasks':1,'now_s':9000}"

static const struct {
    const char *events[EVENTS_MAX];
    double since_s, most_s;
    const char *stage;
} quiets[] = {
    { { BEGIN }, 0, 100, "" },
    { { BEGIN, ITERATION }, 1, 100, "" },
    /* It was never done: a day, or what its jobs may take. */
    { { FIRST_TIME ("60.0") }, 11, 2400, "train" },
    { { FIRST_TIME ("7000.0") }, 11, 7000, "train" },
    /* It was: as long as it took, its jobs may take, or an hour. */
    { { FIRST_TIME ("60.0"), DONE_AT ("5010"),
        ATTEMPT (OF_NEXT, "60.0", "9001") },
      9001,
      5000,
      "train" },
    { { FIRST_TIME ("60.0"), DONE_AT ("5010"),
        ATTEMPT (OF_NEXT, "6000.0", "9001") },
      9001,
      6000,
      "train" },
    { { FIRST_TIME ("60.0"), DONE_AT ("20"), ATTEMPT (OF_NEXT, "0.0", "9001") },
      9001,
      100,
      "train" },
    /* Results that were taken took no time. */
    { { BEGIN, ITERATION, TRAIN,
        "{'ev':'stage'," OF_TRAIN ",'phase':'done','now_s':12}",
        "{'ev':'closing','iteration':0,'now_s':13}",
        "{'ev':'iteration','iteration':1,'now_s':14}",
        "{'ev':'prepared'," OF_NEXT ",'tasks':1,'now_s':15}" },
      15,
      2400,
      "train" },
    { { FIRST_TIME ("60.0"), PAUSED }, 0, 100, "" },
};

static void test_quiet (void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (quiets); i++) {
        struct state state = STATE_INIT;
        struct quiet quiet;

        for (size_t e = 0; e < EVENTS_MAX && quiets[i].events[e]; e++)
            happen (&state, quiets[i].events[e]);
        quiet = quiet_look (&state, 100);
        print_message ("# row %zu\n", i);
        assert_float_equal (quiet.since_s, quiets[i].since_s, 1e-9);
        assert_float_equal (quiet.most_s, quiets[i].most_s, 1e-9);
        assert_string_equal (quiet.stage ? quiet.stage : "", quiets[i].stage);
        state_release (&state);
    }
}

/* The state keeps no more than so many. */
static void test_many (void **unused)
{
    struct state state = STATE_INIT;

    (void)unused;
    happen (&state, BEGIN);
    happen (&state, ASKED);
    for (int i = 0; i < 300; i++)
        happen (&state, "{'ev':'paused','why':'w'}");
    assert_in_range (json_count (state.notices), 100, 110);
    assert_int_equal (
        json_get_int (json_at (state.notices, json_count (state.notices) - 1),
                      "of"),
        state.n);
    state_release (&state);
}

/* What does not fit leaves the state as it was. */
static void test_unfit (void **unused)
{
    static const char *const events[] = {
        "{'ev':'notify'}",
        "{'ev':'notify','events':'done'}",
        "{'ev':'notice','of':1,'phase':'told'}",
        "{'ev':'notice','event':'done','phase':'told'}",
        "{'ev':'notice','event':'done','of':1}",
        "{'ev':'notice','event':'done','of':1,'phase':'shouted'}",
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (events); i++) {
        struct json *event = json_of (events[i]);
        struct state state = STATE_INIT;
        struct error err = ERROR_INIT;

        assert_int_equal (state_apply (&state, event, &err), -1);
        assert_null (state.notices);
        assert_null (state.notify);
        state_release (&state);
        json_unref (event);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_due),
        cmocka_unit_test (test_quiet),
        cmocka_unit_test (test_many),
        cmocka_unit_test (test_unfit),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
