/* SPDX-License-Identifier: BSD-3-Clause */
/* test_record_log.c - whole records, torn tails, damage */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "space/record_log.h"

static void add_record (struct strbuf *log, int64_t n)
{
    struct json *record = json_object ();

    json_set (record, "n", json_int (n));
    json_set (record, "text", json_string ("a \"quoted\"\nline"));
    record_format (record, log);
    json_unref (record);
}

struct seen {
    int64_t last;
    int count;
    int stop_at; /* fail at this record; 0: never */
};

static int see (const struct json *record, void *arg, struct error *err)
{
    struct seen *seen = arg;

    assert_null (json_get (record, "x"));
    if (seen->stop_at > 0 && seen->count + 1 == seen->stop_at)
        return error_set (err, "enough");
    seen->count++;
    seen->last = json_as_int (json_get (record, "n"));
    return 0;
}

static int scan (const struct strbuf *log, struct seen *seen,
                 uint64_t *accepted)
{
    struct error err = ERROR_INIT;
    int rc = record_scan (log->buf, log->len, "log", see, seen, accepted, &err);

    if (rc < 0)
        assert_string_not_equal (err.text, "");
    return rc;
}

static void test_line_format (void **state)
{
    struct strbuf log = STRBUF_INIT;
    struct json *record = json_object ();

    (void)state;
    strbuf_add_str (&log, "before ");
    json_set (record, "ev", json_string ("done"));
    record_format (record, &log);
    json_unref (record);
    /* XXH3-64 of {"ev":"done" */
    assert_int_equal (strncmp (log.buf, "before {\"ev\":\"done\",\"x\":\"", 25),
                      0);
    assert_int_equal (log.len, 25 + 16 + 3);
    assert_string_equal (log.buf + log.len - 3, "\"}\n");
    strbuf_release (&log);
}

static void test_all_are_seen (void **state)
{
    struct strbuf log = STRBUF_INIT;
    struct seen seen = { 0 };
    uint64_t accepted = 99;

    (void)state;
    assert_int_equal (scan (&log, &seen, &accepted), 0);
    assert_int_equal (accepted, 0);
    for (int i = 1; i <= 3; i++)
        add_record (&log, i);
    assert_int_equal (scan (&log, &seen, &accepted), 0);
    assert_int_equal (seen.count, 3);
    assert_int_equal (seen.last, 3);
    assert_int_equal (accepted, log.len);
    strbuf_release (&log);
}

/* Wherever a log is cut, the records before the cut are read and nothing is
 * said.
 */
static void test_any_cut_is_a_torn_tail (void **state)
{
    struct strbuf log = STRBUF_INIT;
    size_t one;

    (void)state;
    add_record (&log, 1);
    one = log.len;
    add_record (&log, 2);
    for (size_t cut = one; cut < log.len; cut++) {
        struct strbuf part = STRBUF_INIT;
        struct seen seen = { 0 };
        uint64_t accepted;

        strbuf_add (&part, log.buf, cut);
        assert_int_equal (scan (&part, &seen, &accepted), 0);
        assert_int_equal (seen.count, 1);
        assert_int_equal (accepted, one);
        strbuf_release (&part);
    }
    strbuf_release (&log);
}

static void test_bad_last_line_is_a_torn_tail (void **state)
{
    static const char *const tails[] = {
        "\n",         "{}\n",
        "nonsense\n", "{\"n\":2,\"x\":\"0000000000000000\"}\n",
        "\n\n\n",     "one bad line\nand another\n",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (tails); i++) {
        struct strbuf log = STRBUF_INIT;
        struct seen seen = { 0 };
        uint64_t accepted;
        size_t one;

        add_record (&log, 1);
        one = log.len;
        strbuf_add_str (&log, tails[i]);
        assert_int_equal (scan (&log, &seen, &accepted), 0);
        assert_int_equal (seen.count, 1);
        assert_int_equal (accepted, one);
        strbuf_release (&log);
    }
}

static void test_zeros_at_the_end (void **state)
{
    struct strbuf log = STRBUF_INIT;
    struct seen seen = { 0 };
    char zeros[100] = { 0 };
    uint64_t accepted;
    size_t one;

    (void)state;
    add_record (&log, 1);
    one = log.len;
    strbuf_add (&log, zeros, sizeof (zeros));
    assert_int_equal (scan (&log, &seen, &accepted), 0);
    assert_int_equal (accepted, one);
    strbuf_release (&log);
}

/* Every single flipped bit of a line in the middle is found. */
static void test_damage_is_named (void **state)
{
    struct strbuf log = STRBUF_INIT;
    size_t one, two;

    (void)state;
    add_record (&log, 1);
    one = log.len;
    add_record (&log, 2);
    two = log.len;
    add_record (&log, 3);
    for (size_t at = one; at < two - 1; at++) {
        struct seen seen = { 0 };
        struct error err = ERROR_INIT;
        uint64_t accepted;

        log.buf[at] ^= 1;
        assert_int_equal (record_scan (log.buf, log.len, "journal/000001", see,
                                       &seen, &accepted, &err),
                          -1);
        assert_int_equal (strncmp (err.text, "journal/000001:2: ", 18), 0);
        assert_int_equal (seen.count, 1);
        assert_int_equal (accepted, one);
        log.buf[at] ^= 1;
    }
    strbuf_release (&log);
}

static void test_failure_of_each (void **state)
{
    struct strbuf log = STRBUF_INIT;
    struct seen seen = { .stop_at = 2 };
    uint64_t accepted;
    size_t one;

    (void)state;
    add_record (&log, 1);
    one = log.len;
    add_record (&log, 2);
    assert_int_equal (scan (&log, &seen, &accepted), -1);
    assert_int_equal (accepted, one);
    strbuf_release (&log);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_line_format),
        cmocka_unit_test (test_all_are_seen),
        cmocka_unit_test (test_any_cut_is_a_torn_tail),
        cmocka_unit_test (test_bad_last_line_is_a_torn_tail),
        cmocka_unit_test (test_zeros_at_the_end),
        cmocka_unit_test (test_damage_is_named),
        cmocka_unit_test (test_failure_of_each),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
