/* SPDX-License-Identifier: BSD-3-Clause */
/* test_retry.c - which tasks run again, with what, and when enough are ok */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "campaign/plan.h"
#include "engine/act/act.h"
#include "engine/decide/retry.h"
#include "engine/history/state.h"
#include "quoted_json.h"

#define GIB ((int64_t)1 << 30)

static void test_pending (void **unused)
{
    static const struct {
        enum outcome outcome;
        int tries; /* charged so far */
        int rule;
        bool pending;
    } cases[] = {
        { OUTCOME_NONE, 0, 1, true },
        { OUTCOME_NONE, 9, 1, true }, /* whatever was charged before */
        { OUTCOME_OK, 1, 5, false },
        { OUTCOME_CANCELLED, 0, 5, false },
        { OUTCOME_FAILED, 1, 1, false },
        { OUTCOME_FAILED, 1, 2, true },
        { OUTCOME_FAILED, 2, 2, false },
        { OUTCOME_BAD_INPUT, 1, 1, false },
        { OUTCOME_TIMEOUT, 2, 3, true },
        { OUTCOME_TIMEOUT, 3, 3, false },
        { OUTCOME_OUT_OF_MEMORY, 2, 3, true },
        { OUTCOME_PREEMPTED, 9, 10, true },
        { OUTCOME_LOST, 0, 1, true }, /* never charged */
        { OUTCOME_LOST, 5, 5, false },
        { OUTCOME_FATAL, 1, 1, false },
        { OUTCOME_FAILED, 254, 1000, true },
        { OUTCOME_FAILED, 255, 1000, false }, /* or it would never end */
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct stage stage = { .name = "s" };
        struct task_state tasks[] = {
            { .outcome = OUTCOME_OK },
            { .outcome = (uint8_t)cases[i].outcome,
              .tries = (uint8_t)cases[i].tries },
            { .outcome = OUTCOME_OK },
        };
        struct stage_state state = { .n_tasks = 3, .tasks = tasks };
        struct task_range pending = TASK_RANGE_INIT;
        struct strbuf text = STRBUF_INIT;

        print_message ("# %s after %d of %d\n", outcome_name (cases[i].outcome),
                       cases[i].tries, cases[i].rule);
        stage.retry[cases[i].outcome].tries = cases[i].rule;
        retry_pending (&stage, &state, &pending);
        task_range_format (&pending, &text);
        assert_string_equal (text.buf, cases[i].pending ? "1" : "");
        strbuf_release (&text);
        task_range_release (&pending);
    }
}

static bool is_never_found (int32_t task, void *arg)
{
    (void)task;
    (void)arg;
    return false;
}

static void test_nodes_to_avoid (void **unused)
{
    static const struct {
        const char *results;
        const char *avoid; /* NULL: none */
    } cases[] = {
        { "{'outcomes': {'ok': '0-9'}}", NULL },
        { "{'outcomes': {'node_failure': '0-9'}}", NULL }, /* not told */
        { "{'outcomes': {'failed': '0-3', 'node_failure': '7'},"
          " 'nodes': {'n1': '0-3', 'n2': '7'}}",
          "['n2']" },
        { "{'outcomes': {'failed': '1', 'lost': '2', 'node_failure': '0,5'},"
          " 'nodes': {'n3': '1,5', 'n1': '0', 'n2': '2'}}",
          "['n3','n1','n2']" },
        { "{'outcomes': {'failed': '1'}, 'nodes': {'n3': '1'}}", NULL },
        /* a device of theirs failed tasks */
        { "{'outcomes': {'ok': '1'}, 'retired': {'n3: a': {'node': 'n3'}, "
          "'n3: b': {'node': 'n3'}, 'x: a': {'host': 'x'}}}",
          "['n3']" },
        { "{'outcomes': {'lost': '1'}, 'nodes': {'n3': '1'}, "
          "'retired': {'n3: a': {'node': 'n3'}, 'n1: a': {'node': 'n1'}}}",
          "['n3','n1']" },
    };
    struct stage stage = { .name = "s" };

    (void)unused;
    assert_int_equal (retry_avoid_after (&stage), 0);
    stage.retry[OUTCOME_NODE_FAILURE].exclude_node = true;
    stage.retry[OUTCOME_LOST].exclude_node = true;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *results = json_of (cases[i].results);
        struct json *checked = results_checked (
            results, retry_avoid_after (&stage), is_never_found, NULL);
        const struct json *avoid = json_get (checked, "avoid");

        if (cases[i].avoid)
            assert_json (avoid, cases[i].avoid);
        else
            assert_null (avoid);
        json_unref (checked);
        json_unref (results);
    }
}

static const struct {
    double walltime_factor, memory_factor;
    double walltime_limit_s;
    int64_t node_bytes;
    const char *tasks;
    double walltime_s;
    int64_t memory_bytes;
    int nodes; /* 0: a part of one */
} growths[] = {
    /* task 0 never ran out; 1 of time once, 2 twice; 3 of memory twice */
    { 2, 1.5, 0, 0, "0", 600, 2 * GIB, 0 },
    { 2, 1.5, 0, 0, "1", 1200, 2 * GIB, 0 },
    { 2, 1.5, 0, 0, "0-2", 2400, 2 * GIB, 0 },
    { 2, 1.5, 0, 0, "3", 600, 4 * GIB + GIB / 2, 0 },
    { 2, 1.5, 0, 0, "0-3", 2400, 4 * GIB + GIB / 2, 0 },
    { 1, 1, 0, 0, "0-3", 600, 2 * GIB, 0 },
    { 0, 0, 0, 0, "0-3", 600, 2 * GIB, 0 }, /* no rule was given */
    { 2, 1.5, 0, 0, "", 600, 2 * GIB, 0 },
    /* never more than there is */
    { 2, 1.5, 2000, 4 * GIB, "0-3", 2000, 4 * GIB, 0 },
    { 2, 1.5, 2400, 5 * GIB, "0-3", 2400, 4 * GIB + GIB / 2, 0 },
    /* ... on all of its nodes */
    { 2, 1.5, 0, 2 * GIB, "0-3", 2400, 4 * GIB, 2 },
    { 2, 1.5, 0, 2 * GIB, "0-3", 2400, 4 * GIB + GIB / 2, 3 },
    /* nor less than was asked: packing says that it does not fit */
    { 2, 1.5, 300, GIB, "0-3", 600, 2 * GIB, 0 },
    /* a task that ran out 200 times */
    { 100, 100, 0, 0, "4", 315576000, (int64_t)1 << 50, 0 },
    { 100, 100, 86400, 64 * GIB, "4", 86400, 64 * GIB, 0 },
};

static void test_resources (void **unused)
{
    struct task_state tasks[] = {
        { 0 },
        { .timeouts = 1 },
        { .timeouts = 2 },
        { .out_of_memory = 2 },
        { .timeouts = 200, .out_of_memory = 200 },
    };
    struct stage_state state = { .n_tasks = 5, .tasks = tasks };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (growths); i++) {
        struct profile profile = { .limits.walltime_s =
                                       growths[i].walltime_limit_s,
                                   .node.memory_bytes = growths[i].node_bytes };
        struct stage stage = {
            .profile = &profile,
            .needs = { .ranks = 2,
                       .cores = 4,
                       .gpus = 1,
                       .memory_bytes = 2 * GIB,
                       .walltime_s = 600,
                       .nodes = growths[i].nodes },
            .retry[OUTCOME_TIMEOUT].walltime_factor =
                growths[i].walltime_factor,
            .retry[OUTCOME_OUT_OF_MEMORY].memory_factor =
                growths[i].memory_factor,
        };
        struct task_range range = TASK_RANGE_INIT;
        struct resources got;

        print_message ("# case %zu\n", i);
        assert_int_equal (task_range_parse (growths[i].tasks, &range, NULL), 0);
        got = retry_resources (&stage, &stage.needs, &state, &range);
        assert_true (got.walltime_s == growths[i].walltime_s);
        assert_int_equal (got.memory_bytes, growths[i].memory_bytes);
        assert_int_equal (got.ranks, 2);
        assert_int_equal (got.cores, 4);
        assert_int_equal (got.gpus, 1);
        task_range_release (&range);
    }
}

/* What was learned is less than was asked for: a task that ran out of it gets
 * at least that, and others what was learned.
 */
static void test_learned_too_little (void **state)
{
    static const struct {
        struct task_state task;
        double walltime_s;
        int64_t memory_bytes;
    } cases[] = {
        { { 0 }, 100, GIB },
        { { .timeouts = 1 }, 600, GIB },
        { { .timeouts = 3 }, 800, GIB },
        { { .out_of_memory = 1 }, 100, 8 * GIB },
        { { .out_of_memory = 4 }, 100, 16 * GIB },
    };
    const struct resources learned = {
        .ranks = 1, .cores = 1, .memory_bytes = GIB, .walltime_s = 100
    };
    struct profile profile = { .name = "p" };
    struct stage stage = {
        .profile = &profile,
        .needs = { .ranks = 1,
                   .cores = 1,
                   .memory_bytes = 8 * GIB,
                   .walltime_s = 600 },
        .retry[OUTCOME_TIMEOUT].walltime_factor = 2,
        .retry[OUTCOME_OUT_OF_MEMORY].memory_factor = 2,
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct task_state task = cases[i].task;
        struct stage_state stage_state = { .n_tasks = 1, .tasks = &task };
        struct task_range range = TASK_RANGE_INIT;
        struct resources got;

        task_range_add (&range, 0);
        got = retry_resources (&stage, &learned, &stage_state, &range);
        assert_true (got.walltime_s == cases[i].walltime_s);
        assert_int_equal (got.memory_bytes, cases[i].memory_bytes);
        task_range_release (&range);
    }
}

/* What is not stated stays so. */
static void test_unstated_resources (void **unused)
{
    struct profile profile = { .limits.walltime_s = 60 };
    struct stage stage = {
        .profile = &profile,
        .needs = { 1, 1, 0, 0, 0, 1 },
        .retry[OUTCOME_TIMEOUT].walltime_factor = 2,
        .retry[OUTCOME_OUT_OF_MEMORY].memory_factor = 2,
    };
    struct task_state task = { .timeouts = 3, .out_of_memory = 3 };
    struct stage_state state = { .n_tasks = 1, .tasks = &task };
    struct task_range range = TASK_RANGE_INIT;
    struct resources got;

    (void)unused;
    task_range_add (&range, 0);
    got = retry_resources (&stage, &stage.needs, &state, &range);
    assert_true (got.walltime_s == 0);
    assert_int_equal (got.memory_bytes, 0);
    task_range_release (&range);
}

static void test_quorum (void **unused)
{
    static const struct {
        double success;
        int32_t tasks, ok;
        bool met;
    } cases[] = {
        { 1, 10, 10, true },
        { 1, 10, 9, false },
        { 0.9, 10, 9, true },
        { 0.9, 10, 8, false },
        { 0.95, 20, 19, true },
        { 0.95, 20, 18, false },
        { 0.7, 10, 7, true },
        { 0.1, 30, 3, true },
        { 0.5, 3, 2, true },
        { 0.5, 3, 1, false },
        { 0, 10, 0, true },
        { 1, 0, 0, true },
        { 0.3, 1000000, 300000, true },
        { 0.3, 1000000, 299999, false },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct stage stage = { .success = cases[i].success };
        struct stage_state state = { .n_tasks = cases[i].tasks,
                                     .by_outcome[OUTCOME_OK] = cases[i].ok };

        print_message ("# %g of %d: %d\n", cases[i].success,
                       (int)cases[i].tasks, (int)cases[i].ok);
        assert_int_equal (retry_quorum_met (&stage, &state), cases[i].met);
    }
}

/* a: absent, e: ended, r: released, of attempts of so many elements */
static void test_smaller_arrays (void **unused)
{
    static const struct {
        int64_t first, last;
        const char *phases;
        int64_t most;
    } cases[] = {
        { 100, 100, "", 0 },     { 100, 100, "a", 0 },
        { 100, 100, "aa", 50 },  { 100, 100, "aaa", 50 },
        { 100, 100, "aar", 0 },  { 100, 100, "raa", 0 },
        { 100, 100, "eaa", 50 }, { 100, 100, "aae", 0 },
        { 100, 100, "aea", 0 },  { 7, 7, "aa", 4 },
        { 2, 2, "aa", 1 },       { 1, 1, "aa", 0 },
        { 100, 13, "aa", 7 },    { 100, 12, "aa", 0 },
        { 112, 13, "aa", 7 }, /* four halvings, to the element */
        { 113, 13, "aa", 0 },    { 1000000, 1000000, "aa", 500000 },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct submission submissions[4] = { { .chunk = 0 } };
        struct attempt attempts[2] = { { .packing.per_chunk = cases[i].first },
                                       { .packing.per_chunk = cases[i].last,
                                         .submissions = submissions } };
        struct stage_state state = { .attempts = attempts, .n_attempts = 2 };

        for (const char *p = cases[i].phases; *p; p++)
            submissions[attempts[1].n_submissions++].status =
                *p == 'a'   ? SUBMISSION_ABSENT
                : *p == 'e' ? SUBMISSION_ENDED
                            : SUBMISSION_RELEASED;
        print_message ("# %s\n", cases[i].phases);
        assert_int_equal (retry_smaller_arrays (&state), cases[i].most);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_pending),
        cmocka_unit_test (test_nodes_to_avoid),
        cmocka_unit_test (test_resources),
        cmocka_unit_test (test_learned_too_little),
        cmocka_unit_test (test_unstated_resources),
        cmocka_unit_test (test_quorum),
        cmocka_unit_test (test_smaller_arrays),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
