/* SPDX-License-Identifier: BSD-3-Clause */
/* test_task_watch.c - which task a person wants to see, and when it is over */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "campaign/plan.h"
#include "engine/history/state.h"
#include "observed.h"
#include "report/task_watch.h"

enum { TASKS_MAX = 8 };

/* A letter per task, as in observed.h: what the journal has of it; F: it failed
 * and is to run again.
 */
static int32_t read_tasks (const char *letters, struct task_state *tasks)
{
    int32_t n = (int32_t)strlen (letters);

    memset (tasks, 0, TASKS_MAX * sizeof (*tasks));
    for (int32_t i = 0; i < n; i++) {
        tasks[i].outcome = (uint8_t)logged_of (letters[i]).outcome;
        tasks[i].tries = letters[i] == 'F';
    }
    return n;
}

static void test_task_to_show (void **unused)
{
    static const struct {
        const char *journal; /* what is recorded */
        const char *logs;    /* of the open attempt; NULL: there is none */
        int32_t shown, followed;
    } cases[] = {
        { "", NULL, -1, -1 },
        { "....", NULL, 0, 0 },
        { "oooo", NULL, 0, 0 },
        { "ooof", NULL, 3, 3 },
        { "otfo", NULL, 1, 1 },   /* any failure */
        { "o.f.", "....", 2, 1 }, /* one that is still to run */
        { "o...", ".s.s", 1, 1 }, /* the first that runs */
        { "o...", ".sf.", 2, 1 }, /* failed, and not journaled yet */
        { "of..", "..ss", 1, 2 }, /* the one to follow runs */
        { "....", "...o", 3, 0 }, /* ended */
        { "o.", "of", 1, 1 },
        { "ooF.", NULL, 2, 2 }, /* what waits for its next try */
        { "ooF.", "...s", 2, 3 },
        { "ooF.", "..s.", 2, 2 }, /* ... or has begun it */
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct task_state tasks[TASKS_MAX];
        struct logged_task logged[TASKS_MAX] = { { .started = false } };
        struct stage_state state = { .tasks = tasks };
        struct attempt_logs logs = { .tasks = logged };
        const char *of_logs = cases[i].logs;

        state.n_tasks = read_tasks (cases[i].journal, tasks);
        logs.n_tasks = state.n_tasks;
        for (size_t t = 0; of_logs && of_logs[t]; t++)
            logged[t] = logged_of (of_logs[t]);
        assert_int_equal (task_to_show (&state, of_logs ? &logs : NULL, false),
                          cases[i].shown);
        assert_int_equal (task_to_show (&state, of_logs ? &logs : NULL, true),
                          cases[i].followed);
    }
}

static void test_outcome (void **unused)
{
    struct task_state tasks[] = { { .outcome = OUTCOME_FAILED },
                                  { .outcome = OUTCOME_NONE },
                                  { .outcome = OUTCOME_NONE } };
    struct logged_task logged[] = { { .outcome = OUTCOME_OK },
                                    { .outcome = OUTCOME_TIMEOUT } };
    struct stage_state state = { .n_tasks = 3, .tasks = tasks };
    struct attempt_logs logs = { .n_tasks = 2, .tasks = logged };

    (void)unused;
    assert_int_equal (task_outcome (&state, &logs, 0), OUTCOME_FAILED);
    assert_int_equal (task_outcome (&state, &logs, 1), OUTCOME_TIMEOUT);
    assert_int_equal (task_outcome (&state, &logs, 2), OUTCOME_NONE);
    assert_int_equal (task_outcome (&state, NULL, 1), OUTCOME_NONE);
}

static void test_prospect (void **unused)
{
    static const struct {
        enum campaign_status campaign;
        int stage; /* enum stage_status; -1: it has not begun */
        enum outcome outcome;
        int tries;
        bool running;
        enum task_prospect prospect;
    } cases[] = {
        { CAMPAIGN_RUNNING, -1, 0, 0, false, TASK_GOES_ON },
        { CAMPAIGN_PAUSED, -1, 0, 0, false, TASK_IS_HELD_UP },
        { CAMPAIGN_DONE, -1, 0, 0, false, TASK_IS_HELD_UP },
        { CAMPAIGN_RUNNING, STAGE_SKIPPED, 0, 0, false, TASK_IS_OVER },
        { CAMPAIGN_RUNNING, STAGE_FAILED, 0, 0, true, TASK_IS_OVER },
        { CAMPAIGN_DONE, STAGE_DONE, OUTCOME_OK, 1, false, TASK_IS_OVER },
        { CAMPAIGN_RUNNING, STAGE_PREPARED, 0, 0, false, TASK_GOES_ON },
        { CAMPAIGN_RUNNING, STAGE_PREPARED, 0, 0, true, TASK_GOES_ON },
        { CAMPAIGN_PAUSED, STAGE_PREPARED, 0, 0, true, TASK_GOES_ON },
        { CAMPAIGN_PAUSED, STAGE_PREPARED, 0, 0, false, TASK_IS_HELD_UP },
        { CAMPAIGN_RUNNING, STAGE_PREPARED, OUTCOME_OK, 1, false,
          TASK_IS_OVER },
        { CAMPAIGN_RUNNING, STAGE_PREPARED, OUTCOME_FAILED, 1, false,
          TASK_GOES_ON }, /* to its next try */
        { CAMPAIGN_PAUSED, STAGE_PREPARED, OUTCOME_FAILED, 1, false,
          TASK_IS_HELD_UP },
        { CAMPAIGN_RUNNING, STAGE_PREPARED, OUTCOME_FAILED, 2, false,
          TASK_IS_OVER },
        { CAMPAIGN_RUNNING, STAGE_PREPARED, OUTCOME_LOST, 2, true,
          TASK_IS_OVER }, /* its log has no end */
        { CAMPAIGN_PAUSED, STAGE_PREPARED, OUTCOME_CANCELLED, 1, false,
          TASK_IS_HELD_UP },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct stage stage = { .name = "s" };
        struct task_state task = { .outcome = (uint8_t)cases[i].outcome,
                                   .tries = (uint8_t)cases[i].tries };
        struct stage_state stage_state = { .status = cases[i].stage >= 0
                                                         ? cases[i].stage
                                                         : 0,
                                           .n_tasks = 1,
                                           .tasks = &task };
        struct state state = { .status = cases[i].campaign };

        stage.retry[OUTCOME_FAILED].tries = 2;
        stage.retry[OUTCOME_LOST].tries = 2;
        assert_int_equal (
            task_prospect (&state, &stage,
                           cases[i].stage >= 0 ? &stage_state : NULL, 0,
                           cases[i].running),
            cases[i].prospect);
        if (cases[i].stage == STAGE_PREPARED)
            assert_int_equal (task_prospect (&state, &stage, &stage_state, 1,
                                             cases[i].running),
                              TASK_IS_OVER); /* there is no such task */
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_task_to_show),
        cmocka_unit_test (test_outcome),
        cmocka_unit_test (test_prospect),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
