/* SPDX-License-Identifier: BSD-3-Clause */
/* test_time_left.c - how long an iteration and a campaign may still take */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "report/time_left.h"

static void assert_range (struct time_range got, bool known, double least_s,
                          double most_s)
{
    assert_int_equal (got.known, known);
    if (!known)
        return;
    assert_float_equal (got.least_s, least_s, 0.01);
    assert_float_equal (got.most_s, most_s, 0.01);
}

static void test_seen (void **unused)
{
    struct time_seen seen = { .n = 0 };

    (void)unused;
    assert_range (time_expected (&seen), false, 0, 0);
    time_seen_add (&seen, NAN);
    time_seen_add (&seen, -1);
    assert_int_equal (seen.n, 0);
    time_seen_add (&seen, 100);
    assert_range (time_expected (&seen), true, 50, 200);
    time_seen_add (&seen, 40);
    time_seen_add (&seen, 60);
    assert_range (time_expected (&seen), true, 30, 133.33);
}

static void test_stage (void **unused)
{
    static const struct {
        struct stage_work work;
        bool known;
        double least_s, most_s;
    } rows[] = {
        { { .over = true }, true, 0, 0 },
        /* to come: only what was before tells */
        { { .over = false }, false, 0, 0 },
        { { .before = { 1, 100, 100 } }, true, 50, 200 },
        /* all have ended, it is being collected */
        { { .runs = true, .tasks_ended = 4, .ran_s = 9 }, true, 0, 0 },
        /* too few have ended: what was before, less what it took yet */
        { { .runs = true, .tasks_left = 9, .tasks_ended = 3, .ran_s = 30 },
          false,
          0,
          0 },
        { { .runs = true,
            .tasks_left = 9,
            .elapsed_s = 60,
            .before = { 1, 100, 100 } },
          true,
          0,
          140 },
        { { .runs = true,
            .tasks_left = 9,
            .elapsed_s = 300,
            .before = { 1, 100, 100 } },
          false,
          0,
          0 },
        /* 4 in 40 s of work, and 80 s with waiting: half in doubt */
        { { .runs = true,
            .tasks_left = 8,
            .tasks_ended = 4,
            .ran_s = 40,
            .since_s = 80,
            .task_s = 7,
            .before = { 9, 1e6, 1e6 } },
          true,
          80 / 1.5,
          160 / 0.5 + 7 },
        { { .runs = true,
            .tasks_left = 1000,
            .tasks_ended = 10000,
            .ran_s = 1000,
            .since_s = 1000 },
          true,
          100 / 1.01,
          100 / 0.99 },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++)
        assert_range (stage_time_left (&rows[i].work), rows[i].known,
                      rows[i].least_s, rows[i].most_s);
}

/* a, b side by side; then c, after both: the longer way counts. */
static void test_iteration (void **unused)
{
    static const int both[] = { 0, 1 };
    struct stage_work works[] = {
        { .before = { 1, 100, 100 } },
        { .before = { 1, 10, 10 } },
        { .before = { 1, 40, 40 }, .after = both, .n_after = 2 },
    };

    (void)unused;
    assert_range (iteration_time_left (works, 3), true, 70, 280);
    works[0].over = true;
    assert_range (iteration_time_left (works, 3), true, 25, 100);
    works[1].before.n = 0;
    assert_range (iteration_time_left (works, 3), false, 0, 0);
    assert_range (iteration_time_left (works, 0), true, 0, 0);
}

static void test_campaign (void **unused)
{
    const struct time_range now = { true, 10, 20 };
    const struct time_range unknown = { .known = false };
    const struct time_seen none = { .n = 0 };
    const struct time_seen two = { 2, 150, 300 };

    (void)unused;
    assert_range (campaign_time_left (&now, &two, 3, false), true, 10 + 3 * 100,
                  20 + 3 * 450);
    assert_range (campaign_time_left (&now, &two, 3, true), true, 10,
                  20 + 3 * 450);
    assert_range (campaign_time_left (&now, &none, 0, false), true, 10, 20);
    assert_range (campaign_time_left (&now, &none, 3, false), false, 0, 0);
    assert_range (campaign_time_left (&unknown, &two, 3, false), false, 0, 0);
}

static void test_text (void **unused)
{
    static const struct {
        struct time_range range;
        const char *text;
    } rows[] = {
        { { true, 0, 0.2 }, "at most 1s" },
        { { true, 0.9, 61 }, "at most 1m01s" },
        { { true, 9.2, 59.5 }, "10s to 60s" },
        { { true, 700, 719 }, "12m" },
        { { true, 3599, 3700 }, "60m to 1h01m" },
        { { true, 90000, 200000 }, "1d01h to 2d07h" },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct strbuf text = STRBUF_INIT;

        time_range_text (&rows[i].range, &text);
        assert_string_equal (rows[i].text, text.buf);
        strbuf_release (&text);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_seen),      cmocka_unit_test (test_stage),
        cmocka_unit_test (test_iteration), cmocka_unit_test (test_campaign),
        cmocka_unit_test (test_text),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
