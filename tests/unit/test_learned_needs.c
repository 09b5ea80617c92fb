/* SPDX-License-Identifier: BSD-3-Clause */
/* test_learned_needs.c - sizes that are counted, and what follows from them */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "campaign/plan.h"
#include "engine/history/learned_needs.h"
#include "engine/decide/retry.h"
#include "engine/history/state.h"

#define MIB ((int64_t)1 << 20)
#define GIB ((int64_t)1 << 30)

/* --- classes --- */

/* A class holds its size and is nowhere wider than 9.1 %. */
static void test_classes (void **state)
{
    (void)state;
    srand (1);
    for (int i = 0; i < 100000; i++) {
        double size = exp2 ((double)rand () / RAND_MAX * 70 - 10);
        int number = size_number (size);

        assert_true (size <= size_of_number (number) * (1 + 1e-12));
        assert_true (size > size_of_number (number - 1) * (1 - 1e-12));
        assert_true (size_of_number (number) < 1.091 * size);
    }
    assert_int_equal (size_number (1), 0);
    assert_int_equal (size_number (1024), 80);
    assert_true (size_of_number (80) == 1024);
    assert_int_equal (size_number (1e300), 512);
    assert_int_equal (size_number (1e-300), -512);
}

static int compare_doubles (const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

/* What is enough for a part of random sizes is the class of the one that a
 * sorted list shows; in whatever pieces they were counted and written.
 */
static void test_enough_for (void **state)
{
    (void)state;
    srand (2);
    for (int round = 0; round < 200; round++) {
        struct size_counts all = { 0 };
        struct task_sizes pieces = { 0 };
        double sizes[100];
        int n = 1 + rand () % 100;
        double part = (1 + rand () % 100) / 100.0;
        int rank = (int)ceil (part * n - 1e-9);

        for (int i = 0; i < n; i++) {
            struct task_sizes one = { 0 };
            struct json *v;

            sizes[i] = exp2 ((double)rand () / RAND_MAX * 20);
            size_counts_add (&one.of[SIZE_MEMORY], size_number (sizes[i]), 1);
            size_counts_add_all (&all, &one.of[SIZE_MEMORY]);
            v = task_sizes_to_json (&one);
            task_sizes_add_json (&pieces, v);
            json_unref (v);
            task_sizes_release (&one);
        }
        qsort (sizes, (size_t)n, sizeof (*sizes), compare_doubles);
        assert_int_equal (size_counts_tasks (&all), n);
        assert_true (size_counts_enough_for (&all, part)
                     == size_of_number (size_number (sizes[rank - 1])));
        assert_true (size_counts_enough_for (&pieces.of[SIZE_MEMORY], part)
                     == size_counts_enough_for (&all, part));
        for (size_t i = 1; i < all.n; i++)
            assert_true (all.v[i - 1].number < all.v[i].number);
        size_counts_release (&all);
        task_sizes_release (&pieces);
    }
}

/* --- what a stage gets --- */

/* Three iterations of stage "s", of which the last runs. */
struct world {
    struct stage_state stages[3];
    struct iteration_state iterations[3];
    struct state state;
    struct profile profile;
    struct stage stage;
};

static void world_init (struct world *w)
{
    *w = (struct world){ .state = { .iterations = w->iterations,
                                    .n_iterations = 3 } };
    for (int i = 0; i < 3; i++) {
        w->stages[i].name = (char *)"s";
        w->iterations[i].stages = &w->stages[i];
        w->iterations[i].n_stages = 1;
    }
    w->stage = (struct stage){
        .name = "s",
        .profile = &w->profile,
        .needs = { .ranks = 1,
                   .cores = 1,
                   .nodes = 1,
                   .memory_bytes = 2 * GIB,
                   .walltime_s = 3600,
                   .memory_auto = true,
                   .walltime_auto = true },
        .retry[OUTCOME_TIMEOUT].walltime_factor = 2,
        .retry[OUTCOME_OUT_OF_MEMORY].memory_factor = 1.5,
    };
}

static void world_release (struct world *w)
{
    for (int i = 0; i < 3; i++)
        task_sizes_release (&w->stages[i].sizes);
}

static void count (struct world *w, int iteration, enum size_kind kind,
                   double size, int tasks)
{
    size_counts_add (&w->stages[iteration].sizes.of[kind], size_number (size),
                     tasks);
}

/* Counted in the iterations 0, 1 and 2, of sizes that are a class's: */
struct counted {
    double size;
    int tasks;
};

static const struct memory_case {
    struct counted counted[3][2];
    int64_t node_bytes;
    int nodes;
    int64_t bytes, tasks;
} memory_cases[] = {
    /* nothing: as stated */
    { { { { 0, 0 } } }, 0, 1, 2 * GIB, 0 },
    /* this iteration's do not count */
    { { [2] = { { GIB, 100 } } }, 0, 1, 2 * GIB, 0 },
    /* a quarter more */
    { { [0] = { { GIB, 1 } } }, 0, 1, 1280 * MIB, 1 },
    { { [1] = { { GIB, 95 }, { 8 * GIB, 5 } } }, 0, 1, 1280 * MIB, 100 },
    { { [1] = { { GIB, 94 }, { 8 * GIB, 6 } } }, 0, 1, 10 * GIB, 100 },
    /* of few tasks the largest */
    { { [1] = { { GIB, 18 }, { 8 * GIB, 1 } } }, 0, 1, 10 * GIB, 19 },
    /* twenty of the latest are enough; fewer are not */
    { { { { 8 * GIB, 9 } }, { { GIB, 20 } } }, 0, 1, 1280 * MIB, 20 },
    { { { { 8 * GIB, 9 } }, { { GIB, 19 } } }, 0, 1, 10 * GIB, 28 },
    /* not less than 64 MiB, and not more than a node has */
    { { [1] = { { MIB, 30 } } }, 0, 1, 64 * MIB, 30 },
    { { [1] = { { 8 * GIB, 30 } } }, 9 * GIB, 1, 9 * GIB, 30 },
    /* an agent sees its own node's part */
    { { [1] = { { 4 * GIB, 30 } } }, 0, 2, 10 * GIB, 30 },
};

static void test_memory (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (memory_cases); i++) {
        const struct memory_case *c = &memory_cases[i];
        struct world w;
        struct learned_needs learned;

        print_message ("# case %zu\n", i);
        world_init (&w);
        w.profile.node.memory_bytes = c->node_bytes;
        w.stage.needs.nodes = c->nodes;
        for (int it = 0; it < 3; it++) {
            for (int k = 0; k < 2 && c->counted[it][k].tasks > 0; k++)
                count (&w, it, SIZE_MEMORY, c->counted[it][k].size,
                       c->counted[it][k].tasks);
        }
        learned = learned_needs (&w.stage, &w.state, 2);
        assert_int_equal (learned.needs.memory_bytes, c->bytes);
        assert_int_equal (learned.tasks[SIZE_MEMORY], c->tasks);
        assert_true (learned.needs.walltime_s == 3600);
        w.stage.needs.memory_auto = false;
        learned = learned_needs (&w.stage, &w.state, 2);
        assert_int_equal (learned.needs.memory_bytes, 2 * GIB);
        world_release (&w);
    }
}

static void test_walltime (void **state)
{
    static const struct {
        double took_s, limit_s, walltime_s;
    } cases[] = {
        { 256, 0, 384 },           { 1, 0, 60 },      { 1 << 15, 0, 49152 },
        { 1 << 15, 40000, 40000 }, { 0.001, 30, 30 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct world w;

        world_init (&w);
        w.profile.limits.walltime_s = cases[i].limit_s;
        count (&w, 0, SIZE_WALLTIME, cases[i].took_s, 3);
        assert_true (learned_needs (&w.stage, &w.state, 2).needs.walltime_s
                     == cases[i].walltime_s);
        world_release (&w);
    }
}

/* Retries raise what was learned, and give at least what was stated. */
static void test_retries (void **state)
{
    static const struct {
        int counted_mib, out_of_memory;
        int64_t bytes;
    } cases[] = {
        { 512, 0, 640 * MIB },
        { 512, 1, 2 * GIB },
        { 2048, 1, 3840 * MIB },
        { 2048, 2, 5760 * MIB },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct task_state task = { .out_of_memory =
                                       (uint8_t)cases[i].out_of_memory };
        struct task_range range = TASK_RANGE_INIT;
        struct learned_needs learned;
        struct world w;

        world_init (&w);
        count (&w, 1, SIZE_MEMORY, (double)cases[i].counted_mib * MIB, 20);
        w.stages[2].tasks = &task;
        w.stages[2].n_tasks = 1;
        task_range_add (&range, 0);
        learned = learned_needs (&w.stage, &w.state, 2);
        assert_int_equal (
            retry_resources (&w.stage, &learned.needs, &w.stages[2], &range)
                .memory_bytes,
            cases[i].bytes);
        task_range_release (&range);
        world_release (&w);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_classes), cmocka_unit_test (test_enough_for),
        cmocka_unit_test (test_memory),  cmocka_unit_test (test_walltime),
        cmocka_unit_test (test_retries),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
