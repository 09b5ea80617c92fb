/* SPDX-License-Identifier: BSD-3-Clause */
/* test_task_needs.c - does a task fit the nodes of a profile? */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "arrays/packing.h"

#define GIB ((int64_t)1 << 30)
static const double hour_s = 3600;

static void test_what_does_not_fit (void **state)
{
    static const struct {
        struct resources task;
        const char *message;
    } bad[] = {
        { { .ranks = 1, .cores = 65, .nodes = 1 },
          "needs 65 cores and a node has 64" },
        { { .ranks = 1, .cores = 1, .gpus = 2, .nodes = 1 },
          "needs 2 GPUs and a node has 1" },
        { { .ranks = 1, .cores = 1, .memory_bytes = 3 * GIB, .nodes = 1 },
          "needs 3.0 GiB of memory" },
        { { .ranks = 1, .cores = 1, .walltime_s = 25 * 3600, .nodes = 1 },
          "walltime" },
        { { .ranks = 2, .cores = 130, .nodes = 2 },
          "needs 65 cores on each of its nodes and a node has 64" },
        { { .ranks = 1, .cores = 65, .nodes = 1 },
          "a node has 64 besides 4 reserved ones" },
    };
    const struct node_capacity node = {
        .cores = 64, .gpus = 1, .memory_bytes = 2 * GIB, .reserved_cores = 4
    };
    const struct array_limits limits = { 0, 0, 24 * hour_s, 0 };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (bad); i++) {
        struct packing packing = { .slots = 4711 };
        struct error err = ERROR_INIT;

        assert_int_equal (
            packing_plan (1, &bad[i].task, 0, &node, &limits, &packing, &err),
            -1);
        assert_non_null (strstr (err.text, bad[i].message));
        assert_int_equal (packing.slots, 4711);
    }
}

/* A task may have all of its nodes, and no more of anything. */
static void test_all_of_its_nodes (void **state)
{
    static const struct {
        struct resources more; /* on each node */
        const char *message;   /* NULL: it fits */
    } cases[] = {
        { { .cores = 0 }, NULL },
        { { .cores = 1 }, "needs 9 cores" },
        { { .gpus = 1 }, "needs 4 GPUs" },
        { { .memory_bytes = GIB }, "needs 5.0 GiB of memory" },
        { { .walltime_s = 1 }, "needs a walltime of " },
        { { .cores = -1, .gpus = -1, .memory_bytes = -GIB, .walltime_s = -1 },
          NULL },
    };
    const struct node_capacity node = { .cores = 8,
                                        .gpus = 3,
                                        .memory_bytes = 4 * GIB };
    const struct array_limits limits = { .walltime_s = hour_s };

    (void)state;
    for (int nodes = 1; nodes <= 3; nodes++) {
        for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
            const struct resources *more = &cases[i].more;
            const struct resources task = {
                .ranks = nodes,
                .cores = nodes * (node.cores + more->cores),
                .gpus = nodes * (node.gpus + more->gpus),
                .memory_bytes =
                    nodes * (node.memory_bytes + more->memory_bytes),
                .walltime_s = hour_s + more->walltime_s,
                .nodes = nodes
            };
            struct error err = ERROR_INIT;
            struct packing packing;
            int rc = packing_plan (1, &task, 0, &node, &limits, &packing, &err);

            print_message ("# case %zu on %d nodes\n", i, nodes);
            assert_int_equal (rc, cases[i].message ? -1 : 0);
            if (cases[i].message)
                assert_non_null (strstr (err.text, cases[i].message));
        }
    }
}

static void test_strict_memory_that_does_not_fit (void **state)
{
    const struct resources task = {
        .ranks = 1, .cores = 1, .nodes = 1, .memory_bytes = 5 * GIB
    };
    const struct node_capacity node = { .cores = 8,
                                        .memory_bytes = 8 * GIB,
                                        .strict_task_bytes = 4 * GIB };
    const struct array_limits limits = { 0 };
    struct error err = ERROR_INIT;
    struct packing packing;

    (void)state;
    assert_int_equal (
        packing_plan (1, &task, 0, &node, &limits, &packing, &err), -1);
    assert_string_equal (
        err.text, "a task needs 5.0 GiB of memory and with memory_binding: "
                  "strict the NUMA nodes of its cores have 4.0 GiB; lower "
                  "task.memory or choose another profile");
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_what_does_not_fit),
        cmocka_unit_test (test_all_of_its_nodes),
        cmocka_unit_test (test_strict_memory_that_does_not_fit),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
