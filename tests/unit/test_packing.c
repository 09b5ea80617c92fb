/* SPDX-License-Identifier: BSD-3-Clause */
/* test_packing.c - tasks -> slots -> elements -> chunks */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "arrays/packing.h"
#include "base/json.h"

#define GIB ((int64_t)1 << 30)

static const struct plan_case {
    const char *what;
    int64_t tasks;
    struct resources task; /* ranks, cores, gpus, memory, walltime */
    struct node_capacity node;
    struct array_limits limits; /* elements, running, walltime, submit */
    int slots;
    int64_t per_element, elements, chunks;
    int cores;
    double walltime_s;
} cases[] = {
    { "one task",
      1,
      { .ranks = 1, .cores = 1, .nodes = 1 },
      { .cores = 64 },
      { 0, 0, 0, 0 },
      1,
      1,
      1,
      1,
      1,
      0 },
    { "this machine: two cores, one element at a time",
      4,
      { .ranks = 1, .cores = 1, .nodes = 1 },
      { .cores = 2 },
      { 0, 1, 0, 0 },
      2,
      4,
      1,
      1,
      2,
      0 },
    { "four tasks share each of two GPUs",
      20,
      { .ranks = 1, .cores = 1, .gpus = 1, .nodes = 1, .gpu_share = 4 },
      { .cores = 64, .gpus = 2 },
      { 0, 1, 0, 0 },
      8,
      20,
      1,
      1,
      8,
      0 },
    { "no limits: one wave",
      130,
      { .ranks = 1, .cores = 1, .nodes = 1 },
      { .cores = 64 },
      { 0, 0, 0, 0 },
      44,
      44,
      3,
      1,
      44,
      0 },
    { "waves when elements are throttled",
      256,
      { .ranks = 1, .cores = 4, .walltime_s = 600, .nodes = 1 },
      { .cores = 64 },
      { 1000, 2, 86400, 0 },
      16,
      128,
      2,
      1,
      64,
      8 * 600 + 60 },
    { "the walltime bounds the waves",
      256,
      { .ranks = 1, .cores = 4, .walltime_s = 3600, .nodes = 1 },
      { .cores = 64 },
      { 0, 2, 2 * 3600 + 60, 0 },
      16,
      32,
      8,
      1,
      64,
      2 * 3600 + 60 },
    { "a task may take the whole walltime",
      20,
      { .ranks = 1, .cores = 4, .walltime_s = 3600, .nodes = 1 },
      { .cores = 16 },
      { 0, 1, 3600, 0 },
      4,
      4,
      5,
      1,
      16,
      3600 },
    { "memory bounds the slots",
      100,
      { .ranks = 1, .cores = 1, .memory_bytes = 8 * GIB, .nodes = 1 },
      { .cores = 64, .memory_bytes = 33 * GIB },
      { 0, 0, 0, 0 },
      4,
      4,
      25,
      1,
      4,
      0 },
    { "GPUs bound the slots",
      16,
      { .ranks = 1, .cores = 2, .gpus = 1, .nodes = 1 },
      { .cores = 64, .gpus = 4 },
      { 0, 0, 0, 0 },
      4,
      4,
      4,
      1,
      8,
      0 },
    { "large arrays make longer elements, then chunks",
      10000,
      { .ranks = 1, .cores = 1, .walltime_s = 3600, .nodes = 1 },
      { .cores = 1 },
      { 1000, 0, 4 * 3600, 0 },
      1,
      3,
      3334,
      4,
      1,
      3 * 3600 + 60 },
    { "no chunk is larger than what may be queued",
      10,
      { .ranks = 1, .cores = 1, .walltime_s = 3600, .nodes = 1 },
      { .cores = 1 },
      { 1000, 0, 4 * 3600, 3 },
      1,
      3,
      4,
      2,
      1,
      3 * 3600 + 60 },
    { "as many elements as may run, not more",
      8,
      { .ranks = 1, .cores = 2, .nodes = 1 },
      { .cores = 4 },
      { 0, 3, 0, 0 },
      2,
      3,
      3,
      1,
      4,
      0 },
    { "a node whose memory is unknown sets no limit",
      4,
      { .ranks = 1, .cores = 1, .memory_bytes = 8 * GIB, .nodes = 1 },
      { .cores = 4 },
      { 0, 0, 0, 0 },
      4,
      4,
      1,
      1,
      4,
      0 },
    { "tasks that fill a node ask for what is reserved, too",
      60,
      { .ranks = 1, .cores = 1, .nodes = 1 },
      { .cores = 60, .reserved_cores = 4 },
      { 0, 1, 0, 0 },
      60,
      60,
      1,
      1,
      64,
      0 },
    { "... also where some cores are left over",
      8,
      { .ranks = 1, .cores = 7, .nodes = 1 },
      { .cores = 60, .reserved_cores = 4 },
      { 0, 1, 0, 0 },
      8,
      8,
      1,
      1,
      64,
      0 },
    { "... fewer ask for what they need",
      7,
      { .ranks = 1, .cores = 7, .nodes = 1 },
      { .cores = 60, .reserved_cores = 4 },
      { 0, 1, 0, 0 },
      7,
      7,
      1,
      1,
      49,
      0 },
    { "... and of several nodes",
      1,
      { .ranks = 2, .cores = 120, .nodes = 2 },
      { .cores = 60, .reserved_cores = 4 },
      { 0, 1, 0, 0 },
      1,
      1,
      1,
      1,
      60,
      0 },
    { "unstated walltime gets the limit",
      8,
      { .ranks = 1, .cores = 1, .nodes = 1 },
      { .cores = 1 },
      { 0, 2, 86400, 0 },
      1,
      4,
      2,
      1,
      1,
      86400 },
    { "as many as have their memory from NUMA nodes of their own, which takes "
      "the cores of all",
      20,
      { .ranks = 1, .cores = 1, .nodes = 1, .memory_bytes = 3 * GIB },
      { .cores = 8,
        .memory_bytes = 16 * GIB,
        .strict_tasks = 4,
        .strict_task_bytes = 8 * GIB,
        .least_numa_bytes = 8 * GIB },
      { 0, 1, 0, 0 },
      4,
      20,
      1,
      1,
      8,
      0 },
    { "what any NUMA node has the memory for asks for its cores",
      2,
      { .ranks = 1, .cores = 1, .nodes = 1, .memory_bytes = 3 * GIB },
      { .cores = 8,
        .memory_bytes = 16 * GIB,
        .reserved_cores = 2,
        .strict_tasks = 4,
        .strict_task_bytes = 8 * GIB,
        .least_numa_bytes = 8 * GIB },
      { 0, 1, 0, 0 },
      2,
      2,
      1,
      1,
      2,
      0 },
    { "what one may not have asks for all",
      3,
      { .ranks = 1, .cores = 1, .nodes = 1, .memory_bytes = 3 * GIB },
      { .cores = 8,
        .memory_bytes = 16 * GIB,
        .reserved_cores = 2,
        .strict_tasks = 4,
        .strict_task_bytes = 8 * GIB,
        .least_numa_bytes = 8 * GIB },
      { 0, 1, 0, 0 },
      3,
      3,
      1,
      1,
      10,
      0 },
};

static void test_plans (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct plan_case *c = &cases[i];
        struct packing got;
        struct error err = ERROR_INIT;
        int share;

        print_message ("# %s\n", c->what);
        assert_int_equal (packing_plan (c->tasks, &c->task, 0, &c->node,
                                        &c->limits, &got, &err),
                          0);
        assert_int_equal (got.slots, c->slots);
        assert_int_equal (got.per_element, c->per_element);
        assert_int_equal (got.elements, c->elements);
        assert_int_equal (got.chunks, c->chunks);
        assert_int_equal (got.cores, c->cores);
        share = c->task.gpu_share > 1 ? c->task.gpu_share : 1;
        assert_int_equal (got.gpus,
                          (got.slots * c->task.gpus + share - 1) / share);
        assert_int_equal (got.memory_bytes, got.slots * c->task.memory_bytes);
        assert_int_equal (got.nodes, c->task.nodes);
        assert_true (got.walltime_s == c->walltime_s);
    }
}

/* Nodes have 8 cores, a task takes one. */
static const struct bundle_case {
    const char *what;
    int64_t tasks;
    double measured_s, walltime_s;
    struct array_limits limits; /* elements, running, walltime, submit */
    int64_t elements, waves;
} bundle_cases[] = {
    { "nothing is known: a small fan-out is spread",
      128,
      0,
      0,
      { 0, 0, 0, 0 },
      16,
      1 },
    { "so is one that is a little larger", 200, 0, 0, { 0, 0, 0, 0 }, 25, 1 },
    { "bundles grow with the fan-out", 1000, 0, 0, { 0, 0, 0, 0 }, 42, 3 },
    { "but not as fast", 100000, 0, 0, { 0, 0, 0, 0 }, 447, 28 },
    { "1 s each: what runs at a time is kept busy",
      1000,
      1,
      0,
      { 0, 0, 0, 0 },
      16,
      8 },
    { "whatever the time", 1000, 1e-9, 0, { 0, 0, 0, 0 }, 16, 8 },
    { "1 s each: an element has minutes of work",
      1000000,
      1,
      0,
      { 0, 0, 0, 0 },
      417,
      300 },
    { "a minute each", 1000, 60, 0, { 0, 0, 0, 0 }, 25, 5 },
    { "200 s are nearer to the aim than 400",
      1000,
      201,
      0,
      { 0, 0, 0, 0 },
      125,
      1 },
    { "an hour each", 1000, 3600, 0, { 0, 0, 0, 0 }, 125, 1 },
    { "a long walltime tells of long tasks",
      1000,
      0,
      7200,
      { 0, 0, 0, 0 },
      125,
      1 },
    { "a short one of short tasks", 1000, 0, 120, { 0, 0, 0, 0 }, 16, 8 },
    { "what was measured counts more", 1000, 1, 7200, { 0, 0, 0, 0 }, 16, 8 },
    { "the walltime bounds the waves",
      1000,
      1,
      7200,
      { 0, 0, 3 * 7200 + 60, 0 },
      42,
      3 },
    { "what may run at a time is kept busy",
      1000,
      1,
      0,
      { 0, 64, 0, 0 },
      64,
      2 },
    { "and there is never more", 1000, 3600, 0, { 0, 64, 0, 0 }, 64, 2 },
    { "an array may be smaller", 1000, 3600, 0, { 10, 0, 0, 0 }, 10, 13 },
    { "fewer than what runs at a time", 40, 1, 0, { 0, 0, 0, 0 }, 5, 1 },
};

static void test_bundles_follow_from_times (void **state)
{
    const struct node_capacity node = { .cores = 8 };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (bundle_cases); i++) {
        const struct bundle_case *c = &bundle_cases[i];
        const struct resources task = {
            .ranks = 1, .cores = 1, .walltime_s = c->walltime_s, .nodes = 1
        };
        struct packing got;

        print_message ("# %s\n", c->what);
        assert_int_equal (packing_plan (c->tasks, &task, c->measured_s, &node,
                                        &c->limits, &got, NULL),
                          0);
        assert_int_equal (got.elements, c->elements);
        assert_int_equal (packing_waves (&got), c->waves);
    }
}

/* A task of several nodes is alone in its element, whatever fits. */
static void test_nodes (void **state)
{
    const struct resources task = { .ranks = 8,
                                    .cores = 16,
                                    .gpus = 2,
                                    .memory_bytes = 4 * GIB,
                                    .walltime_s = 600,
                                    .nodes = 2 };
    const struct node_capacity node = { .cores = 64,
                                        .gpus = 4,
                                        .memory_bytes = 250 * GIB };
    const struct array_limits limits = { 0, 2, 86400, 0 };
    struct packing got;

    (void)state;
    assert_int_equal (packing_plan (5, &task, 0, &node, &limits, &got, NULL),
                      0);
    assert_int_equal (got.nodes, 2);
    assert_int_equal (got.slots, 1);
    assert_int_equal (got.per_element, 1);
    assert_int_equal (got.elements, 5);
    assert_int_equal (got.cores, 8);
    assert_int_equal (got.gpus, 1);
    assert_int_equal (got.memory_bytes, 2 * GIB);
    assert_true (got.walltime_s == 660);
}

/* The arrays there are at a time never run more than the limit together, and
 * use all of it.
 */
static void test_throttle (void **state)
{
    static const struct {
        int64_t chunks, per_chunk, running, submit;
        int64_t arrays, each;
    } rows[] = {
        { 3, 100, 0, 0, 0, 0 },     { 1, 100, 64, 0, 1, 64 },
        { 4, 100, 64, 0, 4, 16 },   { 3, 100, 64, 0, 2, 32 },
        { 9, 100, 1, 0, 1, 1 },     { 9, 100, 7, 0, 7, 1 },
        { 4, 100, 64, 250, 2, 32 }, { 4, 100, 64, 50, 1, 64 },
        { 4, 100, 64, 199, 1, 64 }, { 4, 100, 64, 200, 2, 32 },
        { 3, 100, 61, 0, 1, 61 },   { 1000, 1001, 2, 0, 2, 1 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        const struct array_limits limits = { .running = rows[i].running,
                                             .submit = rows[i].submit };
        struct throttle got =
            packing_throttle (rows[i].chunks, rows[i].per_chunk, &limits);

        if (got.arrays != rows[i].arrays || got.running != rows[i].each)
            fail_msg ("row %zu: %d arrays of %d", i, (int)got.arrays,
                      (int)got.running);
    }
}

static void test_tighter_limit (void **state)
{
    (void)state;
    assert_int_equal (tighter_limit (0, 0), 0);
    assert_int_equal (tighter_limit (0, 5), 5);
    assert_int_equal (tighter_limit (5, 0), 5);
    assert_int_equal (tighter_limit (5, 4), 4);
}

static void expect_text (const struct task_range *range, const char *text)
{
    struct strbuf got = STRBUF_INIT;

    task_range_format (range, &got);
    assert_string_equal (got.buf, text);
    strbuf_release (&got);
}

static void expect_same (const struct task_range *a, const struct task_range *b)
{
    struct strbuf text = STRBUF_INIT;

    task_range_format (b, &text);
    expect_text (a, text.buf);
    strbuf_release (&text);
}

/* Every task is in exactly one bundle, bundles are ascending and none is
 * larger than promised, whatever the numbers; an agent, which derives only its
 * own, finds the same.
 */
static void check_bundles (int64_t tasks, const struct array_limits *limits)
{
    const struct resources task = {
        .ranks = 1, .cores = 2, .walltime_s = 100, .nodes = 1
    };
    const struct node_capacity node = { .cores = 8 };
    struct packing packing;
    struct task_range all = TASK_RANGE_INIT;
    struct task_range seen = TASK_RANGE_INIT;
    int64_t elements = 0;

    for (int64_t i = 0; i < tasks; i++)
        task_range_add (&all, (int32_t)(3 * i + i % 2));
    assert_int_equal (
        packing_plan (tasks, &task, 0, &node, limits, &packing, NULL), 0);
    for (int64_t chunk = 0; chunk < packing.chunks; chunk++) {
        int64_t n = packing_chunk_elements (&packing, chunk);
        struct task_range bundles[70] = { { 0 } };
        struct task_range share = TASK_RANGE_INIT;

        assert_true (n > 0);
        if (limits->elements > 0)
            assert_true (n <= limits->elements);
        if (limits->submit > 0)
            assert_true (n <= limits->submit);
        elements += n;
        packing_chunk_tasks (&packing, &all, chunk, &share);
        packing_deal (&share, n, bundles);
        for (int64_t e = 0; e < n; e++) {
            struct task_range own = TASK_RANGE_INIT;
            int32_t t = -1;

            assert_in_range (task_range_count (&bundles[e]), 1,
                             packing.per_element);
            packing_bundle (&share, n, e, &own);
            expect_same (&own, &bundles[e]);
            task_range_release (&own);
            while ((t = task_range_next (&bundles[e], t)) >= 0) {
                assert_true (task_range_contains (&all, t));
                assert_int_equal (packing_element_of (&share, n, t), e);
                assert_false (task_range_contains (&seen, t));
                task_range_add (&seen, t);
            }
            task_range_release (&bundles[e]);
        }
        task_range_release (&share);
    }
    assert_int_equal (elements, packing.elements);
    assert_int_equal (task_range_count (&seen), tasks);
    task_range_release (&seen);
    task_range_release (&all);
}

static void test_bundles (void **state)
{
    static const struct array_limits limits[] = {
        { 0, 0, 0, 0 }, { 0, 1, 0, 0 },    { 7, 0, 0, 0 },   { 7, 3, 350, 0 },
        { 1, 0, 0, 0 }, { 1, 1, 1000, 0 }, { 3, 5, 100, 0 }, { 7, 3, 350, 2 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (limits); i++) {
        for (int64_t tasks = 1; tasks < 70; tasks++)
            check_bundles (tasks, &limits[i]);
    }
}

static void test_bundle_text (void **state)
{
    struct task_range tasks = TASK_RANGE_INIT;
    struct task_range bundles[2] = { { 0 } };

    (void)state;
    assert_int_equal (task_range_parse ("0-3,10,12-14", &tasks, NULL), 0);
    packing_deal (&tasks, 2, bundles);
    expect_text (&bundles[0], "0-3");
    expect_text (&bundles[1], "10,12-14");
    task_range_release (&bundles[0]);
    task_range_release (&bundles[1]);
    task_range_release (&tasks);
}

/* Ids do not end at six digits. */
static void test_a_million_tasks_and_one (void **state)
{
    const struct resources task = { .ranks = 1, .cores = 1, .nodes = 1 };
    const struct node_capacity node = { .cores = 4 };
    const struct array_limits limits = { 1000, 0, 0, 0 };
    struct task_range tasks = TASK_RANGE_INIT;
    struct task_range share = TASK_RANGE_INIT;
    struct task_range last = TASK_RANGE_INIT;
    struct packing packing;

    (void)state;
    assert_int_equal (task_range_parse ("0-1000000", &tasks, NULL), 0);
    assert_int_equal (
        packing_plan (1000001, &task, 0, &node, &limits, &packing, NULL), 0);
    assert_int_equal (packing.elements, 1000);
    packing_chunk_tasks (&packing, &tasks, 0, &share);
    packing_bundle (&share, 1000, 999, &last);
    expect_text (&share, "0-1000000");
    expect_text (&last, "999000-1000000");
    task_range_release (&last);
    task_range_release (&share);
    task_range_release (&tasks);
}

static void test_json (void **state)
{
    const struct packing packing = { 2, 3, 8, 3, 3, 4, 1, GIB, 660.5, 2 };
    struct json *v = packing_to_json (&packing);
    struct json *again;
    struct strbuf text = STRBUF_INIT;
    struct strbuf back = STRBUF_INIT;
    struct packing got;

    (void)state;
    assert_int_equal (packing_from_json (v, &got, NULL), 0);
    again = packing_to_json (&got);
    json_dump (v, JSON_COMPACT, &text);
    json_dump (again, JSON_COMPACT, &back);
    assert_string_equal (back.buf, text.buf);
    assert_non_null (strstr (text.buf, "660.5"));
    strbuf_release (&text);
    strbuf_release (&back);
    json_unref (again);
    JSON_FOREACH (v, it) {
        struct json *bad = json_deep_copy (v);
        struct error err = ERROR_INIT;

        json_set (bad, json_iter_key (it), json_string ("x"));
        assert_int_equal (packing_from_json (bad, &got, &err), -1);
        assert_non_null (strstr (err.text, json_iter_key (it)));
        json_unref (bad);
    }
    json_unref (v);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_plans),
        cmocka_unit_test (test_bundles_follow_from_times),
        cmocka_unit_test (test_nodes),
        cmocka_unit_test (test_throttle),
        cmocka_unit_test (test_tighter_limit),
        cmocka_unit_test (test_bundles),
        cmocka_unit_test (test_bundle_text),
        cmocka_unit_test (test_a_million_tasks_and_one),
        cmocka_unit_test (test_json),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
