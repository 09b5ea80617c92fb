/* SPDX-License-Identifier: BSD-3-Clause */
/* test_usage.c - the time in which something ran, and what was used */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "engine/history/usage.h"
#include "history.h"
#include "report/usage_view.h"

static void test_spans (void **unused)
{
    static const struct {
        const char *add; /* in this order */
        const char *spans;
        double total_s;
    } rows[] = {
        { "[]", "[]", 0 },
        { "[1,2]", "[1.0,2.0]", 1 },
        { "[1,2,2,3]", "[1.0,3.0]", 2 },
        { "[2,3,1,2]", "[1.0,3.0]", 2 },
        { "[1,2,3,4]", "[1.0,2.0,3.0,4.0]", 2 },
        { "[3,4,1,2]", "[1.0,2.0,3.0,4.0]", 2 },
        { "[1,2,3,4,5,6,1.5,5.5]", "[1.0,6.0]", 5 },
        { "[1,2,3,4,5,6,3.5,4.5]", "[1.0,2.0,3.0,4.5,5.0,6.0]", 3.5 },
        { "[1,9,2,3]", "[1.0,9.0]", 8 },
        { "[2,3,1,9]", "[1.0,9.0]", 8 },
        /* none: empty, the wrong way round, no pair, no number */
        { "[1,1,3,2,5]", "[]", 0 },
        { "['a','b',1,2]", "[1.0,2.0]", 1 },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct time_spans spans = { .n = 0 };
        struct json *add = json_of (rows[i].add);
        struct json *v;

        time_spans_add_json (&spans, add);
        v = time_spans_to_json (&spans);
        assert_json (v, rows[i].spans);
        assert_true (fabs (time_spans_total_s (&spans) - rows[i].total_s)
                     < 1e-12);
        json_unref (v);
        json_unref (add);
    }
}

/* More than there is room for: the smallest gaps go, in whatever order. */
static void test_many_spans (void **unused)
{
    struct time_spans spans = { .n = 0 };

    (void)unused;
    for (int i = 0; i < 100; i++) {
        int at = i * 37 % 100; /* every one once */

        time_spans_add (&spans, at * 10, at * 10 + (at % 10 == 9 ? 1 : 9.5));
    }
    assert_int_equal (spans.n, TIME_SPANS_MOST);
    assert_true (spans.v[0].from_s >= 0 && spans.v[0].from_s < 1e-9);
    for (int i = 0; i + 1 < spans.n; i++)
        assert_true (spans.v[i].to_s < spans.v[i + 1].from_s);
    assert_true (time_spans_total_s (&spans) > 9 * 99);
    assert_true (time_spans_total_s (&spans) <= 991);
    time_spans_add (&spans, NAN, 5);
    time_spans_add (&spans, 5, INFINITY);
    assert_true (time_spans_total_s (&spans) <= 991);
}

static void test_used (void **unused)
{
    const struct resources task = { .ranks = 4, .cores = 8, .gpus = 2 };
    const struct resources part = {
        .ranks = 1, .cores = 1, .gpus = 1, .gpu_share = 4
    };
    struct usage usage = { .ran = { 0 } };
    struct usage copy = { .ran = { 0 } };
    struct json *v;

    (void)unused;
    assert_true (usage_is_empty (&usage));
    used_add (&usage.ok, 3600, &task, 0.25);
    used_add (&usage.ok, 3600, &part, 0.5);
    used_add (&usage.lost, 1800, &task, 2);
    used_add (&usage.lost, -1, &task, 2);
    used_add (&usage.lost, NAN, &task, 2);
    time_spans_add (&usage.ran, 10, 20);
    v = usage_to_json (&usage);
    assert_json (v, "{'ok':[2700.0,32400.0,8100.0],"
                    "'lost':[3600.0,14400.0,3600.0],'ran':[10.0,20.0]}");
    usage_add_json (&copy, v);
    usage_add_all (&copy, &usage);
    json_unref (v);
    assert_false (usage_is_empty (&copy));
    v = usage_json (&copy);
    assert_json (v, "{'node_hours':3.5,'core_hours':26.0,'gpu_hours':6.5,"
                    "'lost':{'node_hours':2.0,'core_hours':8.0,"
                    "'gpu_hours':2.0}}");
    json_unref (v);
}

static void test_text (void **unused)
{
    static const struct {
        const char *used, *text;
    } rows[] = {
        { "{}", "" },
        { "{'node_hours':0.0}", "" },
        { "{'node_hours':0.001}", "used: <0.01 node-hours\n" },
        { "{'node_hours':9.991,'gpu_hours':0.0,'core_hours':99.94}",
          "used: 9.99 node-hours, 99.9 core-hours\n" },
        { "{'node_hours':9.996,'core_hours':99.96,'gpu_hours':1234.5,"
          "'lost':{'node_hours':0.25}}",
          "used: 10.0 node-hours (0.25 lost to tries that failed), 100 "
          "core-hours, 1234 GPU-hours\n" },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct json *used = json_of (rows[i].used);
        struct strbuf text = STRBUF_INIT;

        usage_text (used, &text);
        assert_string_equal (text.buf, rows[i].text);
        strbuf_release (&text);
        json_unref (used);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_spans),
        cmocka_unit_test (test_many_spans),
        cmocka_unit_test (test_used),
        cmocka_unit_test (test_text),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
