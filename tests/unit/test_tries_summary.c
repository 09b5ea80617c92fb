/* SPDX-License-Identifier: BSD-3-Clause */
/* test_tries_summary.c - when the tries of a stage's tasks ran, and where */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "engine/act/stage_summary.h"
#include "engine/act/tries_summary.h"
#include "handover/result_log.h"
#include "quoted_json.h"
#include "space/record_log.h"

static int take (const struct result_event *event, void *arg, struct error *err)
{
    (void)err;
    tries_summary_add (arg, event);
    return 0;
}

/* Records as agents write them, with ' for "; NULL ends them.  Caller unrefs.
 */
static struct json *summary_of (int32_t n_tasks, const char *const *records)
{
    struct tries_summary *tries = tries_summary_create (n_tasks);
    struct strbuf log = STRBUF_INIT;
    uint64_t accepted;
    struct json *v;

    for (; *records; records++) {
        v = json_of (*records);
        record_format (v, &log);
        json_unref (v);
    }
    assert_int_equal (
        result_log_scan (log.buf, log.len, "log", take, tries, &accepted, NULL),
        0);
    v = tries_summary_json (tries);
    tries_summary_destroy (tries);
    strbuf_release (&log);
    return v;
}

#define CLAIM(node, s)                                                         \
    "{'ev':'claim','element':0,'claim':0,'nonce':'n','job_id':'1','host':'h'," \
    "'boot_id':'b','pid':1,'now_s':" s ",'node':'" node "','older':[]}"
#define START(task, slot, s)                                                   \
    "{'ev':'start','task':" task ",'slot':" slot ",'now_s':" s "}"
#define END(task, outcome, wall, s)                                            \
    "{'ev':'end','task':" task ",'outcome':'" outcome                          \
    "','exit':0,'signal':0,'wall_s':" wall ",'now_s':" s                       \
    ",'message':'why " task "'}"

static void test_rows (void **unused)
{
    static const char *const records[] = {
        CLAIM ("n1", "1000"),
        START ("0", "0", "1000"),
        START ("1", "1", "1000"),
        END ("0", "ok", "100", "1100"),
        END ("1", "failed", "50", "1050"),
        CLAIM ("n2", "1100"),
        START ("1", "0", "1100"), /* again */
        END ("1", "ok", "100", "1200"),
        START ("2", "0", "1200"), /* and no end */
        NULL,
    };
    struct json *v = summary_of (3, records);
    const struct json *rows = json_get (v, "rows");
    const char *busy = json_get_string (json_at (rows, 0), "busy");

    (void)unused;
    assert_int_equal (json_get_int (v, "tries"), 4);
    assert_int_equal (json_get_int (v, "retries"), 1);
    assert_int_equal (json_get_int (v, "failures"), 2);
    assert_int_equal (json_get_int (v, "nodes"), 2);
    assert_int_equal (json_get_int (v, "slots"), 3);
    assert_true (json_get_double (v, "busy_s") == 250);
    assert_true (json_get_double (v, "from_s") == 1000);
    assert_true (json_get_double (v, "to_s") == 1200);
    assert_int_equal (json_count (rows), 3);
    assert_string_equal (json_get_string (json_at (rows, 0), "name"), "n1/0");
    assert_string_equal (json_get_string (json_at (rows, 2), "name"), "n2/0");
    /* One second a bin: busy for the first hundred. */
    assert_int_equal (strlen (busy), TRIES_BINS);
    assert_int_equal (strspn (busy, "9"), 100);
    assert_int_equal (strspn (busy + 100, "0"), 100);
    assert_int_equal (
        json_as_int (json_at (json_get (json_at (rows, 1), "failed"), 0)), 50);
    assert_int_equal (
        json_as_int (json_at (json_get (json_at (rows, 2), "retried"), 0)),
        100);
    json_unref (v);
}

static void test_named_tries (void **unused)
{
    static const char *const records[] = {
        CLAIM ("n1", "0"),
        START ("0", "0", "10"),
        END ("0", "ok", "5", "15"),
        START ("1", "0", "15"),
        END ("1", "timeout", "50", "65"),
        START ("2", "0", "65"),
        END ("2", "ok", "20", "85"),
        START ("9", "0", "85"), /* there is no such task */
        END ("9", "ok", "1000", "1085"),
        NULL,
    };
    struct json *v = summary_of (3, records);
    const struct json *slowest = json_get (v, "slowest");
    const struct json *failed = json_get (v, "failed");

    (void)unused;
    assert_int_equal (json_count (slowest), 3);
    assert_int_equal (json_get_int (json_at (slowest, 0), "task"), 1);
    assert_int_equal (json_get_int (json_at (slowest, 1), "task"), 2);
    assert_int_equal (json_count (failed), 1);
    assert_string_equal (json_get_string (json_at (failed, 0), "outcome"),
                         "timeout");
    assert_string_equal (json_get_string (json_at (failed, 0), "why"), "why 1");
    json_unref (v);
}

/* The size does not grow with the tasks, nor with the nodes. */
static void test_many_nodes (void **unused)
{
    enum { NODES = 1000 };
    static const size_t nodes[] = { 64, NODES };
    struct strbuf text = STRBUF_INIT;

    (void)unused;
    for (size_t c = 0; c < ARRAY_SIZE (nodes); c++) {
        struct tries_summary *tries = tries_summary_create (NODES);
        struct json *start = json_of (START ("0", "0", "10"));
        struct json *v, *last;
        char name[32];

        for (size_t k = 0; k < nodes[c]; k++) {
            struct result_event claim = {
                .kind = RESULT_CLAIM, .now_s = 1, .host = "h", .node = name
            };
            struct result_event event = { .kind = RESULT_START,
                                          .task = (int)k,
                                          .slot = (int)(k % 2),
                                          .record = start };

            snprintf (name, sizeof (name), "n%04zu", k);
            tries_summary_add (tries, &claim);
            tries_summary_add (tries, &event);
            event.kind = RESULT_END;
            event.outcome = OUTCOME_OK;
            event.now_s = 20 + (double)k;
            event.wall_s = (double)k;
            event.message = "";
            tries_summary_add (tries, &event);
        }
        v = tries_summary_json (tries);
        assert_int_equal (json_count (json_get (v, "rows")), TRIES_ROWS_MOST);
        last = json_at (json_get (v, "rows"), TRIES_ROWS_MOST - 1);
        assert_string_equal (json_get_string (last, "name"),
                             nodes[c] == NODES ? "n0985 to n0999" : "n0063");
        assert_int_equal (json_count (json_get (v, "slowest")), TRIES_NAMED);
        assert_int_equal (
            json_get_int (json_at (json_get (v, "slowest"), 0), "task"),
            (int64_t)nodes[c] - 1);
        strbuf_reset (&text);
        json_dump (v, JSON_COMPACT, &text);
        assert_true (text.len < 32768);
        json_unref (v);
        json_unref (start);
        tries_summary_destroy (tries);
    }
    strbuf_release (&text);
}

static void test_nothing (void **unused)
{
    static const char *const none[] = { NULL };
    static const char *const claimed[] = { CLAIM ("n1", "5"), NULL };

    (void)unused;
    assert_null (summary_of (3, none));
    assert_null (summary_of (0, claimed));
}

static void test_spread (void **unused)
{
    static const struct {
        const char *list, *spread; /* NULL: none */
    } cases[] = {
        { "[3, 1, null, 2]",
          "{'n':3,'least':1.0,'median':2.0,'mean':2.0,'most':3.0}" },
        { "[1, 2, 'x', 3, 6.0]",
          "{'n':4,'least':1.0,'median':2.5,'mean':3.0,'most':6.0}" },
        { "[null]", NULL },
        { "[]", NULL },
        { "5", NULL },
        { "{'a': 1}", NULL },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *list = json_of (cases[i].list);
        struct json *v = number_spread (list);
        struct strbuf text = STRBUF_INIT;

        if (v)
            text_of (v, &text);
        assert_string_equal (text.buf, cases[i].spread ? cases[i].spread : "");
        strbuf_release (&text);
        json_unref (v);
        json_unref (list);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_rows),       cmocka_unit_test (test_named_tries),
        cmocka_unit_test (test_many_nodes), cmocka_unit_test (test_nothing),
        cmocka_unit_test (test_spread),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
