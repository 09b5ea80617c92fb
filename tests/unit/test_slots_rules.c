/* SPDX-License-Identifier: BSD-3-Clause */
/* test_slots_rules.c - slots by the rules of a profile, as plan has them */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "fixture.h"
#include "placement/slots.h"
#include "temp_dir.h"

#define GIB ((int64_t)1 << 30)

static const struct rules_row {
    const char *machine;
    struct element_wish wish; /* tasks: at most, cores, ... */
    const char *slots;        /* CPUs, and "@" and where memory is from */
} rows[] = {
    { "pack:2 numa:1 l3:4 core:2 pu:2",
      { .tasks = { 8, 1, 0, 0, 0 },
        .rules = { .reserve_one_per_l3 = true },
        .cores = 16 },
      "2-3@0 6-7@0 10-11@0 14-15@0 18-19@1 22-23@1 26-27@1 30-31@1" },
    { "pack:2 numa:1 core:2 pu:2",
      { .tasks = { 3, 1, 0, 0, 0 },
        .rules = { .reserved_cores = 1 },
        .cores = 4 },
      "2-3@0 4-5@1 6-7@1" },
    /* an element that asked for no more has a share of a node */
    { "pack:2 numa:1 core:2 pu:2",
      { .tasks = { 4, 1, 0, 0, 0 },
        .rules = { .reserved_cores = 1 },
        .cores = 4 },
      "0-1@0 2-3@0 4-5@1 6-7@1" },
    /* fewer were given: what is reserved comes after a task's cores */
    { "core:4 pu:1",
      { .tasks = { 7, 4, 0, 0, 0 },
        .rules = { .reserved_cores = 4 },
        .cores = 32 },
      "0-3@" },
    { "l3:2 core:2 pu:1",
      { .tasks = { 7, 4, 0, 0, 0 },
        .rules = { .reserve_one_per_l3 = true },
        .cores = 32 },
      "0-3@" },
    { "pack:2 numa:1 core:2 pu:2",
      { .tasks = { 2, 2, 0, 0, 0 }, .rules = { .one_thread = true } },
      "0,2@0 4,6@1" },
    { "pack:2 numa:1 core:2 pu:2",
      { .tasks = { 2, 1, 0, 0, 0 },
        .rules = { .bind = BIND_SPREAD },
        .cores = 4 },
      "0-1@0 4-5@1" },
    /* not bound: all that was given, but what is reserved */
    { "pack:2 numa:1 core:2 pu:2",
      { .tasks = { 2, 1, 0, 0, 0 },
        .rules = { .bind = BIND_NONE, .reserved_cores = 1 },
        .cores = 4 },
      "2-7@ 2-7@" },
    /* others may have a part of what was given */
    { "pack:2 numa:1 core:4 pu:1",
      { .tasks = { 2, 1, 0, 0, 0 }, .cores = 4 },
      "@ @" },
    { "core:4 pu:1",
      { .tasks = { 1, 4, 0, 0, 0 }, .rules = { .strict_memory = true } },
      "0-3@0" },
    { "pack:2 numa:1(memory=4294967296) core:2 pu:1",
      { .tasks = { 1, 1, 0, 0, 6 * GIB } },
      "@" },
    { "pack:2 numa:1(memory=4294967296) core:2 pu:1",
      { .tasks = { 2, 2, 0, 0, 6 * GIB } },
      "0-1@0 2-3@1" },
    { "pack:2 numa:1(memory=4294967296) core:2 pu:1",
      { .tasks = { 2, 1, 0, 0, 3 * GIB }, .cores = 4 },
      "0@0 2@1" },
    { "pack:2 numa:1(memory=4294967296) core:2 pu:1",
      { .tasks = { 3, 1, 0, 0, 3 * GIB },
        .rules = { .strict_memory = true },
        .cores = 4 },
      "0@0 2@1" },
};

static void test_rules (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct slots slots = SLOTS_INIT;
        struct strbuf text = STRBUF_INIT;

        print_message ("# %s: %s\n", rows[i].machine, rows[i].slots);
        setenv ("HWLOC_SYNTHETIC", rows[i].machine, 1);
        assert_int_equal (slots_cut (&rows[i].wish, &slots, NULL), 0);
        for (size_t k = 0; k < slots.n; k++)
            strbuf_addf (&text, "%s%s@%s", k > 0 ? " " : "", slots.v[k].cpus,
                         slots.v[k].memory);
        assert_string_equal (text.buf, rows[i].slots);
        strbuf_release (&text);
        slots_release (&slots);
    }
}

/* No task gets more than its NUMA nodes have. */
static void test_strict_memory_is_not_there (void **state)
{
    const struct element_wish wish = { .tasks = { 1, 2, 0, 0, 5 * GIB },
                                       .rules = { .strict_memory = true } };
    struct slots slots = SLOTS_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    setenv ("HWLOC_SYNTHETIC", "pack:2 numa:1(memory=4294967296) core:2 pu:1",
            1);
    assert_int_equal (slots_cut (&wish, &slots, &err), -1);
    assert_non_null (strstr (err.text, "a task needs 5.0 GiB of memory and the "
                                       "NUMA nodes of its cores have less"));
}

static void test_reserved_of_granted (void **state)
{
    int cores, reserved;

    (void)state;
    setenv ("HWLOC_SYNTHETIC", "pack:2 l3:4 core:2 pu:2", 1);
    granted_cores (&(struct place_rules){ .reserve_one_per_l3 = true }, &cores,
                   &reserved, NULL, NULL);
    assert_int_equal (cores, 16);
    assert_int_equal (reserved, 8);
    granted_cores (&(struct place_rules){ .reserved_cores = 3 }, &cores,
                   &reserved, NULL, NULL);
    assert_int_equal (reserved, 3);
}

/* What 'plan' shows of a recorded node, and what an agent there does. */
static void expect_agreement (const char *path, const struct node_shape *shape,
                              const struct element_wish *wish)
{
    int gpus[16];
    const struct granted granted = { NULL, gpus, shape->n_gpus };
    const struct place_rules rules =
        place_rules_of_element (&wish->rules, &wish->tasks, wish->cores);
    struct placement planned;
    struct slots slots = SLOTS_INIT;

    for (size_t i = 0; i < shape->n_gpus; i++)
        gpus[i] = (int)i;
    place (shape, &granted, &wish->tasks, 1, &rules, &planned);
    setenv ("HWLOC_XMLFILE", path, 1);
    assert_int_equal (slots_cut (wish, &slots, NULL), 0);
    assert_int_equal (slots.n, planned.n);
    for (size_t i = 0; i < slots.n; i++) {
        struct strbuf cpus = STRBUF_INIT, devices = STRBUF_INIT;

        cpus_format (planned.v[i].cpus, &cpus);
        for (size_t k = 0; k < planned.v[i].n_gpus; k++)
            strbuf_addf (&devices, "%s%s", k > 0 ? " " : "",
                         shape->gpus[planned.v[i].gpus[k]].address);
        assert_string_equal (slots.v[i].cpus, cpus.buf);
        assert_string_equal (slots.v[i].gpus, devices.buf);
        strbuf_release (&cpus);
        strbuf_release (&devices);
    }
    slots_release (&slots);
    placement_release (&planned);
}

static void test_plan_and_agent_agree (void **state)
{
    static const char *const nodes[] = { "hwloc/8-gpus.xml",
                                         "hwloc/mixed-devices.xml",
                                         "hwloc/2-packages-6-cores-2-pus.xml" };
    static const struct place_rules rules[] = {
        { 0 },
        { .bind = BIND_SPREAD },
        { .bind = BIND_NONE },
        { .one_thread = true },
        { .reserve_one_per_l3 = true },
        { .reserved_cores = 2, .strict_memory = true },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (nodes) * ARRAY_SIZE (rules); i++) {
        char *path = fixture_path (nodes[i / ARRAY_SIZE (rules)]);
        struct node_shape shape;

        print_message ("# %s, rules %zu\n", path, i % ARRAY_SIZE (rules));
        assert_int_equal (node_shape_from_xml (path, &shape, NULL), 0);
        for (int gpus = 0; gpus <= 2 && gpus <= (int)shape.n_gpus; gpus++) {
            for (int tasks = 1; tasks <= 2; tasks++) {
                const struct element_wish wish = {
                    .tasks = { tasks, 2, gpus, 0, GIB * gpus },
                    .rules = rules[i % ARRAY_SIZE (rules)],
                    .cores = (int)shape.n_cores,
                };

                if (gpus * tasks <= (int)shape.n_gpus
                    && 2 * tasks + 2 <= (int)shape.n_cores)
                    expect_agreement (path, &shape, &wish);
            }
        }
        node_shape_release (&shape);
        free (path);
    }
}

/* No NUMA node gives more than it has, and each task only what is its own. */
static void expect_within_numas (const struct node_shape *shape,
                                 const struct place_group *group)
{
    const struct place_rules rules = { .strict_memory = true };
    const struct granted all = { 0 };
    struct placement placement;
    int64_t *left = xcalloc (shape->n_numas, sizeof (*left));

    for (size_t j = 0; j < shape->n_numas; j++)
        left[j] = shape->numas[j].memory_bytes;
    place (shape, &all, group, 1, &rules, &placement);
    for (size_t i = 0; i < placement.n; i++) {
        const struct placed_slot *slot = &placement.v[i];
        int64_t bytes = 0;

        for (size_t k = 0; k < slot->n_memory; k++) {
            size_t numa = (size_t)slot->memory[k].numa;

            assert_true (slot_has_core_of (shape, slot, numa));
            left[numa] -= slot->memory[k].bytes;
            bytes += slot->memory[k].bytes;
        }
        assert_int_equal (bytes, group->memory_bytes);
    }
    for (size_t j = 0; j < shape->n_numas; j++)
        assert_true (left[j] >= 0);
    placement_release (&placement);
    free (left);
}

/* As many as packing counts, from tasks of a tenth of a NUMA node's memory to
 * those that are too large for any.
 */
static void test_strict_memory_agrees (void **state)
{
    static const char *const nodes[] = { "hwloc/8-gpus.xml",
                                         "hwloc/2-packages-6-cores-2-pus.xml" };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (nodes); i++) {
        char *path = fixture_path (nodes[i]);
        struct node_shape shape;

        assert_int_equal (node_shape_from_xml (path, &shape, NULL), 0);
        for (int part = 1; part <= 11; part++) {
            struct element_wish wish = {
                .tasks = { 0, 1 + part % 3, 0, 0,
                           shape.numas[0].memory_bytes / 10 * part },
                .rules = { .strict_memory = true },
                .cores = (int)shape.n_cores,
            };
            const struct granted all = { 0 };
            const struct strict_room room =
                place_strict_room (&shape, &all, &wish.tasks, &wish.rules);

            print_message ("# %s: %d tasks\n", nodes[i], room.tasks);
            assert_int_equal (room.tasks > 0,
                              wish.tasks.memory_bytes <= room.task_bytes);
            wish.tasks.tasks = room.tasks;
            if (room.tasks > 0)
                expect_agreement (path, &shape, &wish);
            expect_within_numas (&shape, &wish.tasks);
        }
        node_shape_release (&shape);
        free (path);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown (test_rules, forget_machine),
        cmocka_unit_test_teardown (test_strict_memory_is_not_there,
                                   forget_machine),
        cmocka_unit_test_teardown (test_reserved_of_granted, forget_machine),
        cmocka_unit_test_teardown (test_strict_memory_agrees, forget_machine),
        cmocka_unit_test_teardown (test_plan_and_agent_agree, forget_machine),
    };
    char *dir;
    int failed;

    cmocka_set_message_output (CM_OUTPUT_TAP);
    dir = temp_dir_make (); /* for locks of devices */
    setenv ("FANFOLD_SPOOL", dir, 1);
    failed = cmocka_run_group_tests (tests, NULL, NULL);
    temp_dir_remove (dir);
    return failed;
}
