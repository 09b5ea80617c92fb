/* SPDX-License-Identifier: BSD-3-Clause */
/* test_job_view.c - how submissions stand, row by row */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "job_view.h"

enum { ELEMENTS = 4 };

static struct element_status elements[2][ELEMENTS];
static struct job_status jobs[2];
static struct job_view view;

static bool is_id (const char *text)
{
    return *text >= '0' && *text <= '9';
}

static int enter (void **state)
{
    static const char *const ids[] = { "7.host", "x" };

    (void)state;
    memset (elements, 0xff, sizeof (elements));
    for (int i = 0; i < 2; i++)
        jobs[i] = (struct job_status){ .key = { ids[i], "t" },
                                       .n_elements = ELEMENTS,
                                       .elements = elements[i] };
    job_view_init (&view, jobs, 2, is_id);
    return 0;
}

static int leave (void **state)
{
    (void)state;
    job_view_release (&view);
    return 0;
}

static void tell (int64_t element, enum element_state state)
{
    job_view_tell (job_view_find (&view, 7, "t"), element, state, OUTCOME_NONE);
}

/* A letter for each element: ? unknown, H held, Q queued, R running, c
 * cancelled.
 */
static void expect (const char *expected)
{
    char letters[ELEMENTS + 1] = "";

    job_view_result (&view, jobs);
    for (int e = 0; e < ELEMENTS; e++) {
        struct element_status status = elements[0][e];

        if (status.state == ELEMENT_ENDED)
            assert_int_equal (status.outcome, OUTCOME_CANCELLED);
        letters[e] = status.state == ELEMENT_ENDED ? 'c' : "?HQR"[status.state];
        assert_int_equal (elements[1][e].state, ELEMENT_UNKNOWN);
    }
    assert_string_equal (letters, expected);
}

static void test_first_word_counts (void **state)
{
    (void)state;
    assert_null (job_view_find (&view, 8, "t"));
    assert_null (job_view_find (&view, -1, "t"));
    assert_true (job_view_is_silent (&view));
    tell (0, ELEMENT_RUNNING);
    tell (0, ELEMENT_QUEUED);
    tell (-2, ELEMENT_QUEUED);
    tell (ELEMENTS, ELEMENT_QUEUED);
    expect ("R???");
    assert_true (job_view_lacks (&view));
    assert_false (job_view_is_silent (&view));
}

static void test_the_rest (void **state)
{
    (void)state;
    tell (-1, ELEMENT_QUEUED);
    tell (-1, ELEMENT_RUNNING);
    tell (1, ELEMENT_RUNNING);
    expect ("?R??");
    job_view_settle (&view);
    expect ("QRQQ");
    assert_false (job_view_lacks (&view));
}

static void test_held_as_a_whole (void **state)
{
    (void)state;
    view.jobs[0].held = true;
    tell (0, ELEMENT_RUNNING);
    tell (-1, ELEMENT_QUEUED);
    job_view_settle (&view);
    expect ("RHHH");
}

/* What is lost is none of the rest, and may be inferred. */
static void test_lost (void **state)
{
    (void)state;
    job_view_tell_lost (&view.jobs[0], 2);
    assert_false (job_view_is_silent (&view));
    tell (-1, ELEMENT_QUEUED);
    job_view_tell_lost (&view.jobs[0], 77);
    job_view_settle (&view);
    expect ("QQ?Q");
    assert_true (job_view_lacks (&view));
    view.jobs[0].since_s = INFINITY;
    job_view_infer (&view, 1000, 0);
    expect ("QQ?Q");
    job_view_infer (&view, 1000, 1);
    expect ("QQcQ");
}

static void test_inferred (void **state)
{
    (void)state;
    tell (0, ELEMENT_RUNNING);
    job_view_infer (&view, 1000, 1e9); /* since when is not told */
    expect ("R???");
    view.jobs[0].since_s = 900;
    job_view_infer (&view, 899, 1e9); /* a clock set back */
    job_view_infer (&view, 1000, 100);
    expect ("R???");
    job_view_infer (&view, 1000, 101);
    expect ("Rccc");
}

static void test_notes (void **state)
{
    static const struct stuck_reason reasons[] = { { "Never", "cancel it" },
                                                   { NULL, NULL } };

    (void)state;
    assert_null (stuck_advice (reasons, "Priority"));
    assert_string_equal (stuck_advice (reasons, "It Never Runs"), "cancel it");
    job_view_note_waits (&view.jobs[0], "7.host", "Never", "cancel it");
    job_view_note_unclear (&view.jobs[0], "7.host", "?");
    job_view_note_unclear (&view.jobs[1], "x", "GLITTERING");
    job_view_result (&view, jobs);
    assert_string_equal (jobs[0].note, "job 7.host waits: Never: cancel it");
    assert_non_null (strstr (jobs[1].note, "'GLITTERING'"));
}

/* What was told before counts no more either. */
static void test_id_of_another_job (void **state)
{
    (void)state;
    tell (0, ELEMENT_RUNNING);
    assert_null (job_view_find (&view, 7, "u"));
    assert_null (job_view_find (&view, 7, "t"));
    view.jobs[0].since_s = 900;
    job_view_infer (&view, 950, 100);
    expect ("????");
    assert_false (job_view_lacks (&view));
}

static void test_ids (void **state)
{
    struct strvec argv = STRVEC_INIT;

    (void)state;
    job_view_ids (&view, &argv);
    assert_int_equal (argv.n, 1);
    assert_string_equal (argv.v[0], "7.host");
    strvec_release (&argv);
}

#define TEST(test) cmocka_unit_test_setup_teardown (test, enter, leave)

int main (void)
{
    const struct CMUnitTest tests[] = {
        TEST (test_first_word_counts), TEST (test_the_rest),
        TEST (test_held_as_a_whole),   TEST (test_lost),
        TEST (test_inferred),          TEST (test_notes),
        TEST (test_id_of_another_job), TEST (test_ids),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
