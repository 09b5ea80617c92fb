/* SPDX-License-Identifier: BSD-3-Clause */
/* test_result_log.c - results-<element>.<n> as read */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "handover/element_logs.h"
#include "base/file.h"
#include "base/json.h"
#include "space/record_log.h"
#include "temp_dir.h"

static void test_log_names (void **state)
{
    static const struct {
        const char *name;
        int64_t element, n;
    } cases[] = {
        { "results-0.0", 0, 0 },
        { "results-17.12", 17, 12 },
        { "results-999999999999999999.1", 999999999999999999, 1 },
        { "results-1.999999999999999999", 1, 999999999999999999 },
        /* 19 digits may not fit, so none of them is a number. */
        { "results-1000000000000000000.1", -1, -2 },
        { "results-9999999999999999999.1", -1, -2 },
        { "results-1.1000000000000000000", -1, -2 },
        { "results-99999999999999999999.1", -1, -2 },
        { "results-17.", -1, -2 },
        { "results-17", -1, -2 },
        { "results-.1", -1, -2 },
        { "results--1.1", -1, -2 },
        { "results-1.x", -1, -2 },
        { "results-1.1x", -1, -2 },
        { "results-01.1", -1, -2 },
        { "results-1.00", -1, -2 },
        { "result-1.1", -1, -2 },
        { "script", -1, -2 },
        { "", -1, -2 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        int64_t n = -2;

        assert_int_equal (result_log_element (cases[i].name, &n),
                          cases[i].element);
        assert_int_equal (n, cases[i].n);
        assert_int_equal (result_log_element (cases[i].name, NULL),
                          cases[i].element);
    }
}

static void log_line (struct strbuf *log, const char *json)
{
    struct json *v = json_parse (json, strlen (json), "test", NULL);

    assert_non_null (v);
    record_format (v, log);
    json_unref (v);
}

static int note (const struct result_event *event, void *arg, struct error *err)
{
    static const char letters[] = "csefrt!d";
    struct strbuf *notes = arg;

    (void)err;
    strbuf_addf (notes, "%c%d", letters[event->kind], event->task);
    if (event->kind == RESULT_CLAIM)
        strbuf_addf (notes, "(%s)", event->host);
    if (event->kind == RESULT_END)
        strbuf_addf (notes, "(%s %g '%s')", outcome_name (event->outcome),
                     event->wall_s, event->message);
    if (event->kind == RESULT_MACHINE_ERROR)
        strbuf_addf (notes, "(%s%s)", event->message, event->pause ? "!" : "");
    if (event->kind == RESULT_DURABLE)
        strbuf_addf (notes, "(%d)", (int)event->durable_bytes);
    if (event->params)
        strbuf_addf (notes, "[%d]", (int)json_count (event->params));
    if (event->printed)
        strbuf_addf (notes, "@%d+%d", (int)event->printed_at,
                     (int)event->printed_bytes);
    if (event->kind != RESULT_CLAIM && event->kind != RESULT_END)
        assert_false (event->printed);
    strbuf_add_char (notes, ' ');
    return 0;
}

static void test_log_is_read (void **state)
{
    struct strbuf log = STRBUF_INIT;
    struct strbuf notes = STRBUF_INIT;
    uint64_t accepted;
    size_t whole;

    (void)state;
    log_line (&log, "{\"ev\": \"claim\", \"element\": 0, \"host\": \"n1\"}");
    log_line (&log, "{\"ev\": \"start\", \"task\": 7, \"cores\": \"0-1\"}");
    log_line (&log, "{\"ev\": \"from the future\"}");
    log_line (&log, "{\"ev\": \"end\", \"task\": 7, \"outcome\": \"timeout\", "
                    "\"wall_s\": 1.5, \"message\": \"slow\"}");
    log_line (&log, "{\"ev\": \"end\", \"task\": 8, \"outcome\": \"ok\", "
                    "\"wall_s\": 2, \"message\": \"\", \"params\": {\"a\": 1}, "
                    "\"printed\": [3, 20]}");
    log_line (&log, "{\"ev\": \"end\", \"task\": 6, \"outcome\": \"ok\", "
                    "\"wall_s\": 2, \"message\": \"\"}");
    log_line (&log, "{\"ev\": \"found\", \"task\": 9}");
    log_line (&log, "{\"ev\": \"durable\", \"bytes\": 17}");
    log_line (&log, "{\"ev\": \"returned\", \"task\": 10}");
    log_line (
        &log,
        "{\"ev\": \"machine_error\", \"task\": 11, \"message\": \"full\", "
        "\"pause\": true}");
    log_line (&log, "{\"ev\": \"done\", \"now_s\": 1}");
    whole = log.len;
    strbuf_add_str (&log, "{\"ev\": \"sta");
    assert_int_equal (result_log_scan (log.buf, log.len, "log", note, &notes,
                                       &accepted, NULL),
                      0);
    assert_int_equal (accepted, whole);
    assert_string_equal (
        notes.buf, "c-1(n1) s7 e7(timeout 1.5 'slow') e8(ok 2 '')[1]@3+20 "
                   "e6(ok 2 '') f9 !-1(17) r10 t11(full!) d-1 ");
    strbuf_release (&notes);
    strbuf_release (&log);
}

static int note_killed (const struct result_event *event, void *arg,
                        struct error *err)
{
    (void)err;
    *(bool *)arg = result_is_killed (event);
    return 0;
}

/* An end that the scheduler may have brought about. */
static void test_killed (void **state)
{
    static const struct {
        const char *end;
        bool killed;
    } cases[] = {
        { "'outcome': 'failed', 'exit': -1, 'signal': 15", true },
        { "'outcome': 'failed', 'exit': -1, 'signal': 9", true },
        { "'outcome': 'failed', 'exit': 143, 'signal': 0", true },
        { "'outcome': 'failed', 'exit': 137, 'signal': 0", true },
        { "'outcome': 'failed', 'exit': -1, 'signal': 11", false },
        { "'outcome': 'failed', 'exit': 1, 'signal': 0", false },
        { "'outcome': 'failed', 'exit': 139, 'signal': 0", false },
        { "'outcome': 'failed'", false },
        { "'outcome': 'out_of_memory', 'exit': 137, 'signal': 0", false },
        { "'outcome': 'timeout', 'exit': -1, 'signal': 15", false },
        { "'outcome': 'fatal', 'exit': 137, 'signal': 0", false },
        { "'outcome': 'ok', 'exit': 0, 'signal': 0", false },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        char *line = xasprintf ("{'ev': 'end', 'task': 1, %s, 'wall_s': 1, "
                                "'message': ''}",
                                cases[i].end);
        struct strbuf log = STRBUF_INIT;
        bool killed = !cases[i].killed;
        uint64_t accepted;

        for (char *c = line; *c; c++)
            *c = *c == '\'' ? '"' : *c;
        log_line (&log, line);
        assert_int_equal (result_log_scan (log.buf, log.len, "log", note_killed,
                                           &killed, &accepted, NULL),
                          0);
        assert_int_equal (killed, cases[i].killed);
        strbuf_release (&log);
        free (line);
    }
}

static void test_bad_records_are_named (void **state)
{
    static const char *const bad[] = {
        "{\"no\": \"ev\"}",
        "{\"ev\": \"claim\"}",
        "{\"ev\": \"start\"}",
        "{\"ev\": \"machine_error\", \"task\": 1}",
        "{\"ev\": \"start\", \"task\": -1}",
        "{\"ev\": \"start\", \"task\": 100000000}",
        "{\"ev\": \"end\", \"task\": 1}",
        "{\"ev\": \"end\", \"task\": 1, \"outcome\": \"pending\", "
        "\"wall_s\": 1, \"message\": \"\"}",
        "{\"ev\": \"end\", \"task\": 1, \"outcome\": \"what\", "
        "\"wall_s\": 1, \"message\": \"\"}",
        "{\"ev\": \"end\", \"task\": 1, \"outcome\": \"ok\", "
        "\"wall_s\": 1, \"message\": \"\", \"params\": 1}",
        "{\"ev\": \"end\", \"task\": 1, \"outcome\": \"ok\", "
        "\"wall_s\": 1, \"message\": \"\", \"printed\": [1]}",
        "{\"ev\": \"end\", \"task\": 1, \"outcome\": \"ok\", "
        "\"wall_s\": 1, \"message\": \"\", \"printed\": [-1, 1]}",
        "{\"ev\": \"end\", \"task\": 1, \"outcome\": \"ok\", "
        "\"wall_s\": 1, \"message\": \"\", \"printed\": [1, -1]}",
        "{\"ev\": \"found\"}",
        "{\"ev\": \"durable\"}",
        "{\"ev\": \"durable\", \"bytes\": -1}",
        "{\"ev\": \"durable\", \"bytes\": 100}",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (bad); i++) {
        struct strbuf log = STRBUF_INIT;
        struct strbuf notes = STRBUF_INIT;
        struct error err = ERROR_INIT;
        uint64_t accepted;

        log_line (&log, bad[i]);
        assert_int_equal (result_log_scan (log.buf, log.len, "results-0.x",
                                           note, &notes, &accepted, &err),
                          -1);
        assert_int_equal (strncmp (err.text, "results-0.x", 11), 0);
        assert_int_equal (accepted, 0);
        assert_string_equal (notes.buf, "");
        strbuf_release (&notes);
        strbuf_release (&log);
    }
}

/* --- the rule of reading --- */

/* What one log of an element is like, and what should count of it. */
struct rule_case {
    uint64_t claim, whole, durable, journaled;
    int64_t gives[3]; /* to log 0, 1, 2; -1: it does not know it */
    uint64_t bytes, safe;
};

/* Each line is an element; all claims are 10 bytes long but those that are
 * torn.
 */
static const struct rule_row {
    const char *what;
    size_t n;
    struct rule_case logs[4];
} rule_rows[] = {
    { "nothing", 0, { { 0 } } },
    { "one log: all that is whole, what is durable",
      1,
      { { 10, 50, 30, 0, { -1, -1, -1 }, 50, 30 } } },
    { "a torn claim is none", 1, { { 0, 0, 0, 0, { -1, -1, -1 }, 0, 0 } } },
    { "a newer claim cuts; what it gives is durable",
      2,
      { { 10, 50, 30, 0, { -1, -1, -1 }, 20, 20 },
        { 10, 15, 10, 0, { 20, -1, -1 }, 15, 10 } } },
    { "... also beyond what this host sees of `durable` records",
      2,
      { { 10, 50, 30, 0, { -1, -1, -1 }, 40, 40 },
        { 10, 15, 10, 0, { 40, -1, -1 }, 15, 10 } } },
    { "... and beyond what it sees at all",
      2,
      { { 10, 50, 30, 0, { -1, -1, -1 }, 50, 50 },
        { 10, 15, 10, 0, { 60, -1, -1 }, 15, 10 } } },
    { "a log whose claim is cut away does not exist",
      2,
      { { 10, 50, 30, 0, { -1, -1, -1 }, 0, 0 },
        { 10, 15, 10, 0, { 0, -1, -1 }, 15, 10 } } },
    { "... nor one that the newer claim does not know",
      2,
      { { 10, 50, 30, 0, { -1, -1, -1 }, 0, 0 },
        { 10, 15, 10, 0, { -1, -1, -1 }, 15, 10 } } },
    { "... and then cuts nothing itself",
      3,
      { { 10, 50, 30, 0, { -1, -1, -1 }, 40, 40 },
        { 10, 15, 10, 0, { 20, -1, -1 }, 0, 0 },
        { 10, 15, 10, 0, { 40, 5, -1 }, 15, 10 } } },
    { "the least of several claims counts",
      3,
      { { 10, 50, 30, 0, { -1, -1, -1 }, 20, 20 },
        { 10, 25, 10, 0, { 20, -1, -1 }, 12, 12 },
        { 10, 15, 10, 0, { 40, 12, -1 }, 15, 10 } } },
    { "a torn claim cuts nothing",
      2,
      { { 10, 50, 30, 0, { -1, -1, -1 }, 50, 30 },
        { 0, 0, 0, 0, { 20, -1, -1 }, 0, 0 } } },
    { "what was journaled stays",
      2,
      { { 10, 50, 45, 45, { -1, -1, -1 }, 45, 45 },
        { 10, 15, 10, 0, { 20, -1, -1 }, 15, 10 } } },
    { "... also of a log that the newer claim does not know",
      2,
      { { 10, 50, 45, 45, { -1, -1, -1 }, 45, 45 },
        { 10, 15, 10, 0, { 0, -1, -1 }, 15, 10 } } },
    { "... which then cuts as well",
      3,
      { { 10, 50, 50, 0, { -1, -1, -1 }, 20, 20 },
        { 10, 25, 20, 20, { 20, -1, -1 }, 20, 20 },
        { 10, 15, 10, 0, { 40, 0, -1 }, 15, 10 } } },
};

static void test_rule_of_reading (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rule_rows); i++) {
        struct log_extent logs[4];
        struct log_limit_of limits[4];
        struct older_log older[4][3];

        print_message ("# %s\n", rule_rows[i].what);
        for (size_t j = 0; j < rule_rows[i].n; j++) {
            const struct rule_case *c = &rule_rows[i].logs[j];

            logs[j] = (struct log_extent){ (int64_t)j, c->claim,     c->whole,
                                           c->durable, c->journaled, older[j],
                                           0 };
            for (int k = 0; k < 3; k++) {
                if (c->gives[k] >= 0)
                    older[j][logs[j].n_older++] =
                        (struct older_log){ k, (uint64_t)c->gives[k], "" };
            }
        }
        result_log_limits (logs, rule_rows[i].n, limits);
        for (size_t j = 0; j < rule_rows[i].n; j++) {
            assert_int_equal (limits[j].bytes, rule_rows[i].logs[j].bytes);
            assert_int_equal (limits[j].durable, rule_rows[i].logs[j].safe);
        }
    }
}

/* --- the logs of an element --- */

static const char ended_ok[] =
    "{\"ev\": \"end\", \"task\": 1, \"outcome\": \"ok\", \"wall_s\": 1, "
    "\"message\": \"\"}";
static const char ended_badly[] =
    "{\"ev\": \"end\", \"task\": 2, \"outcome\": \"failed\", "
    "\"wall_s\": 1, \"message\": \"\"}";

static char *counted (const char *dir, size_t n, struct error *err)
{
    struct element_logs logs = ELEMENT_LOGS_INIT;
    struct strbuf notes = STRBUF_INIT;
    int rc = 0;

    for (size_t i = 0; i < n; i++)
        assert_int_equal (element_logs_add (&logs, dir, 7, (int64_t)i, 0, NULL),
                          0);
    rc = element_logs_limit (&logs, err);
    for (size_t i = 0; rc == 0 && i < n; i++)
        assert_int_equal (element_log_scan (&logs.v[i], note, &notes, NULL), 0);
    element_logs_release (&logs);
    if (rc == 0)
        return strbuf_detach (&notes);
    strbuf_release (&notes);
    return NULL;
}

/* An `ok` waits for `durable`, another end does not; a newer claim cuts what it
 * does not know, and its digest is compared.
 */
static void test_logs_of_an_element (void **state)
{
    struct error err = ERROR_INIT;
    struct strbuf log = STRBUF_INIT, claim = STRBUF_INIT;
    char hex[DIGEST_HEX_SIZE];
    size_t known;
    char *text;

    log_line (&log, "{\"ev\": \"claim\", \"host\": \"n1\"}");
    log_line (&log, ended_ok);
    known = log.len;
    log_line (&log, ended_badly);
    temp_dir_put (*state, "results-7.0", log.buf);
    text = counted (*state, 1, NULL);
    assert_string_equal (text, "c-1(n1) e2(failed 1 '') ");
    free (text);
    strbuf_addf (&claim, "{\"ev\": \"durable\", \"bytes\": %zu}", known);
    log_line (&log, claim.buf);
    temp_dir_put (*state, "results-7.0", log.buf);
    text = counted (*state, 1, NULL);
    assert_non_null (strstr (text, "c-1(n1) e1(ok 1 '') e2(failed 1 '') !-1"));
    free (text);

    digest_bytes (log.buf, known, hex);
    strbuf_reset (&claim);
    strbuf_addf (&claim,
                 "{\"ev\": \"claim\", \"host\": \"n2\", \"older\": [{\"n\": 0, "
                 "\"bytes\": %zu, \"sha256\": \"%s\"}]}",
                 known, hex);
    strbuf_reset (&log);
    log_line (&log, claim.buf);
    temp_dir_put (*state, "results-7.1", log.buf);
    text = counted (*state, 2, NULL);
    assert_string_equal (text, "c-1(n1) e1(ok 1 '') c-1(n2) ");
    free (text);

    strbuf_reset (&log);
    log_line (&log, "{\"ev\": \"claim\", \"host\": \"xx\"}");
    log_line (&log, ended_ok);
    temp_dir_put (*state, "results-7.0", log.buf);
    assert_null (counted (*state, 2, &err));
    assert_non_null (strstr (err.text, "results-7.0' is not as"));
    strbuf_release (&claim);
    strbuf_release (&log);
}

static uint64_t durable_bytes (const char *dir)
{
    struct element_logs logs = ELEMENT_LOGS_INIT;
    uint64_t bytes;

    assert_int_equal (element_logs_add (&logs, dir, 7, 0, 0, NULL), 0);
    assert_int_equal (element_logs_limit (&logs, NULL), 0);
    bytes = element_log_durable (&logs.v[0]);
    element_logs_release (&logs);
    return bytes;
}

/* A claim can be seen before its agent has synced it, and is lost with its
 * node: nobody may build on it before its agent wrote on.
 */
static void test_claim_alone_may_be_lost (void **state)
{
    struct strbuf log = STRBUF_INIT;
    size_t claim;

    log_line (&log, "{\"ev\": \"claim\", \"host\": \"n1\"}");
    claim = log.len;
    temp_dir_put (*state, "results-7.0", log.buf);
    assert_int_equal (durable_bytes (*state), 0);
    log_line (&log, ended_badly);
    temp_dir_put (*state, "results-7.0", log.buf);
    assert_int_equal (durable_bytes (*state), claim);
    strbuf_release (&log);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_log_names),
        cmocka_unit_test (test_log_is_read),
        cmocka_unit_test (test_killed),
        cmocka_unit_test (test_bad_records_are_named),
        cmocka_unit_test (test_rule_of_reading),
        cmocka_unit_test_setup_teardown (test_logs_of_an_element,
                                         temp_dir_setup, temp_dir_teardown),
        cmocka_unit_test_setup_teardown (test_claim_alone_may_be_lost,
                                         temp_dir_setup, temp_dir_teardown),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
