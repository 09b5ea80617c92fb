/* SPDX-License-Identifier: BSD-3-Clause */
/* test_place.c - tasks placed on nodes drawn by hand */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "node_scene.h"

/* --- by hand --- */

/* "0-3 n0 0000:01:00.0; 4-7 n1" */
static char *slots_text (const struct node_shape *shape,
                         const struct placement *placement)
{
    struct json *slots = placement_json (shape, placement);
    struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < json_count (slots); i++) {
        const struct json *slot = json_at (slots, i);

        strbuf_addf (&text, "%s%s n", i > 0 ? "; " : "",
                     json_as_string (json_get (slot, "cores")));
        for (size_t k = 0; k < json_count (json_get (slot, "numa")); k++)
            strbuf_addf (
                &text, "%s%d", k > 0 ? "," : "",
                (int)json_as_int (json_at (json_get (slot, "numa"), k)));
        for (size_t k = 0; k < json_count (json_get (slot, "gpus")); k++)
            strbuf_addf (&text, " %.2s",
                         json_as_string (json_at (json_get (slot, "gpus"), k))
                             + 5);
    }
    json_unref (slots);
    return strbuf_detach (&text);
}

struct by_hand {
    const char *what;
    int numas, per_numa, per_l3, threads;
    int64_t memory_bytes;
    const char *gpus; /* their NUMA nodes */
    struct place_rules rules;
    struct place_group groups[2];
    const char *slots;
    enum place_lack lacks[2];
};

static const struct by_hand cases[] = {
    { "as many as fit",
      2,
      4,
      4,
      2,
      0,
      "",
      { 0 },
      { { 0, 2, 0, 1, 0 } },
      "0-1,8-9 n0; 2-3,10-11 n0; 4-5,12-13 n1; 6-7,14-15 n1",
      { LACK_CORES } },
    { "one thread of each core",
      1,
      4,
      4,
      2,
      0,
      "",
      { .one_thread = true },
      { { 0, 2, 0, 1, 0 } },
      "0-1 n0; 2-3 n0",
      { LACK_CORES } },
    { "none crosses while one can do without",
      2,
      4,
      4,
      1,
      0,
      "",
      { 0 },
      { { 2, 3, 0, 1, 0 }, { 1, 2, 0, 1, 0 } },
      "0-2 n0; 4-6 n1; 3,7 n0,1",
      { LACK_NOTHING, LACK_NOTHING } },
    { "spread: to the emptiest node",
      2,
      4,
      4,
      1,
      0,
      "",
      { .bind = BIND_SPREAD },
      { { 3, 1, 0, 1, 0 } },
      "0 n0; 1 n0; 4 n1",
      { LACK_NOTHING } },
    { "one that crosses begins beside its GPU",
      3,
      4,
      4,
      1,
      0,
      "2",
      { 0 },
      { { 1, 6, 1, 1, 0 } },
      "0-1,8-11 n0,2 00",
      { LACK_NOTHING } },
    { "GPUs with the cores beside them",
      4,
      4,
      4,
      1,
      0,
      "3100",
      { 0 },
      { { 4, 2, 1, 1, 0 } },
      "12-13 n3 00; 4-5 n1 01; 0-1 n0 02; 2-3 n0 03",
      { LACK_NOTHING } },
    { "... and other tasks where no GPU is",
      4,
      4,
      4,
      1,
      0,
      "31",
      { 0 },
      { { 2, 2, 1, 1, 0 }, { 0, 2, 0, 1, 0 } },
      "12-13 n3 00; 4-5 n1 01; 0-1 n0; 2-3 n0; 6-7 n1; 8-9 n2; 10-11 n2; "
      "14-15 n3",
      { LACK_NOTHING, LACK_CORES } },
    { "... but nothing is kept for GPUs that no task wants",
      2,
      4,
      4,
      1,
      0,
      "0",
      { 0 },
      { { 2, 2, 0, 1, 0 } },
      "0-1 n0; 2-3 n0",
      { LACK_NOTHING } },
    { "as many as fit of two: first those that want GPUs",
      4,
      4,
      4,
      1,
      0,
      "31",
      { 0 },
      { { 0, 2, 0, 1, 0 }, { 0, 3, 1, 1, 0 } },
      "0-1 n0; 2-3 n0; 7,15 n1,3; 8-9 n2; 10-11 n2; 12-14 n3 00; 4-6 n1 01",
      { LACK_CORES, LACK_CORES } },
    { "no GPU is left",
      1,
      8,
      8,
      1,
      0,
      "00",
      { 0 },
      { { 3, 1, 1, 1, 0 } },
      "0 n0 00; 1 n0 01",
      { LACK_GPUS } },
    { "half a GPU each",
      1,
      8,
      8,
      1,
      0,
      "00",
      { 0 },
      { { 3, 1, 1, 2, 0 } },
      "0 n0 00; 1 n0 00; 2 n0 01",
      { LACK_NOTHING } },
    { "devices go as they were counted, where NUMA nodes lead nowhere",
      8,
      4,
      4,
      1,
      0,
      "01234567",
      { .bind = BIND_SPREAD },
      { { 8, 1, 1, 2, 0 }, { 12, 1, 1, 3, 0 } },
      "0 n0 00; 1 n0 00; 4 n1 01; 5 n1 01; 8 n2 02; 9 n2 02; 12 n3 03; "
      "13 n3 03; 16 n4 04; 17 n4 04; 18 n4 04; 20 n5 05; 21 n5 05; 22 n5 05; "
      "24 n6 06; 25 n6 06; 26 n6 06; 28 n7 07; 29 n7 07; 30 n7 07",
      { LACK_NOTHING, LACK_NOTHING } },
    { "memory ends first",
      2,
      4,
      4,
      1,
      4 * GIB,
      "",
      { 0 },
      { { 0, 1, 0, 1, 3 * GIB } },
      "0 n0; 4 n1",
      { LACK_MEMORY } },
    { "memory of two nodes, preferred",
      2,
      4,
      4,
      1,
      4 * GIB,
      "",
      { 0 },
      { { 1, 1, 0, 1, 6 * GIB } },
      "0 n0",
      { LACK_NOTHING } },
    { "... but not strictly",
      2,
      4,
      4,
      1,
      4 * GIB,
      "",
      { .strict_memory = true },
      { { 1, 1, 0, 1, 6 * GIB } },
      "",
      { LACK_MEMORY } },
    { "a core of each cache is the system's",
      2,
      4,
      2,
      1,
      0,
      "",
      { .reserve_one_per_l3 = true },
      { { 0, 1, 0, 1, 0 } },
      "1 n0; 3 n0; 5 n1; 7 n1",
      { LACK_CORES } },
    { "cores that share a cache stay together",
      1,
      8,
      4,
      1,
      0,
      "",
      { 0 },
      { { 1, 3, 0, 1, 0 }, { 1, 4, 0, 1, 0 } },
      "4-6 n0; 0-3 n0",
      { LACK_NOTHING, LACK_NOTHING } },
};

static void test_by_hand (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct by_hand *c = &cases[i];
        struct node_scene scene = { 0 };
        struct placement placement;
        size_t n = c->groups[1].cores > 0 ? 2 : 1;
        char *text;

        print_message ("# %s\n", c->what);
        scene_add_cores (&scene, c->numas, c->per_numa, c->per_l3, c->threads,
                         c->memory_bytes);
        for (const char *g = c->gpus; *g; g++)
            scene_add_gpu (&scene, *g - '0', *g - '0');
        scene_grant (&scene);
        place (&scene.shape, &scene.granted, c->groups, n, &c->rules,
               &placement);
        text = slots_text (&scene.shape, &placement);
        assert_string_equal (text, c->slots);
        for (size_t g = 0; g < n; g++)
            assert_int_equal (placement.lacks[g], c->lacks[g]);
        free (text);
        placement_release (&placement);
        scene_release (&scene);
    }
}

/* Without a matrix, or where all links are alike: those beside each other. */
static void test_gpus_of_one_module (void **state)
{
    (void)state;
    for (int links = 0; links < 2; links++) {
        struct node_scene scene = { 0 };
        struct place_group pairs = { 4, 8, 2, 1, 0 };
        struct placement placement;
        char *text;

        scene_add_cores (&scene, 4, 16, 8, 1, 0);
        for (int i = 0; i < 8; i++)
            scene_add_gpu (&scene, (int[]){ 3, 3, 1, 1, 0, 0, 2, 2 }[i],
                           (int[]){ 3, 3, 1, 1, 0, 0, 2, 2 }[i]);
        if (links) {
            scene.shape.links = xcalloc (64, sizeof (double));
            for (int i = 0; i < 64; i++)
                scene.shape.links[i] = 100;
        }
        scene_grant (&scene);
        place (&scene.shape, &scene.granted, &pairs, 1, &scene.rules,
               &placement);
        text = slots_text (&scene.shape, &placement);
        assert_string_equal (text, "48-55 n3 00 01; 16-23 n1 02 03; "
                                   "0-7 n0 04 05; 32-39 n2 06 07");
        free (text);
        placement_release (&placement);
        scene_release (&scene);
    }
}

/* --- nodes without memory beside their cores, and with no room --- */

static void test_memory_alone_makes_no_slots (void **state)
{
    struct node_scene scene = { 0 };
    struct place_group group = { 0, 4, 0, 1, GIB };
    struct placement placement;
    struct node_shape *shape = &scene.shape;
    char *text;

    (void)state;
    scene_add_cores (&scene, 2, 4, 4, 1, 16 * GIB);
    shape->numas = xreallocarray (shape->numas, 4, sizeof (*shape->numas));
    shape->numas[2] = (struct node_numa){ 8, 64 * GIB, 0 };
    shape->numas[3] = (struct node_numa){ 9, 64 * GIB, 0 };
    shape->n_numas = 4;
    scene_grant (&scene);
    place (shape, &scene.granted, &group, 1, &scene.rules, &placement);
    text = slots_text (shape, &placement);
    assert_string_equal (text, "0-3 n0; 4-7 n1");
    for (size_t i = 0; i < placement.n; i++)
        assert_true (placement.v[i].memory[0].numa < 2);
    free (text);
    placement_release (&placement);
    scene_release (&scene);
}

/* --- memory of NUMA nodes alone --- */

static void test_strict_room (void **state)
{
    static const struct {
        int numas, per_numa;
        int64_t numa_bytes;
        bool strict;
        struct place_group group;
        int tasks;
        int64_t task_bytes;
    } rows[] = {
        /* five by all memory, four by that of each node */
        { 2, 4, 8 * GIB, true, { 0, 1, 0, 1, 3 * GIB }, 4, 8 * GIB },
        { 2, 4, 8 * GIB, true, { 0, 1, 0, 1, 1 * GIB }, 8, 8 * GIB },
        { 2, 4, 8 * GIB, true, { 0, 1, 0, 1, 9 * GIB }, 0, 8 * GIB },
        /* its cores are of both nodes, so its memory may be */
        { 2, 4, 8 * GIB, true, { 0, 5, 0, 1, 9 * GIB }, 1, 16 * GIB },
        { 2, 4, 8 * GIB, true, { 0, 5, 0, 1, 17 * GIB }, 0, 16 * GIB },
        { 4, 2, 4 * GIB, true, { 0, 2, 0, 1, 4 * GIB }, 4, 4 * GIB },
        /* nothing is counted */
        { 2, 4, 8 * GIB, false, { 0, 1, 0, 1, 3 * GIB }, 0, 0 },
        { 2, 4, 8 * GIB, true, { 0, 1, 0, 1, 0 }, 0, 0 },
        { 2, 4, 0, true, { 0, 1, 0, 1, 3 * GIB }, 0, 0 },
        { 2, 4, 8 * GIB, true, { 0, 9, 0, 1, 3 * GIB }, 0, 0 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        const struct place_rules rules = { .strict_memory = rows[i].strict };
        struct node_scene scene = { 0 };
        struct strict_room room;

        print_message ("# row %zu\n", i);
        scene_add_cores (&scene, rows[i].numas, rows[i].per_numa,
                         rows[i].per_numa, 1, rows[i].numa_bytes);
        scene_grant (&scene);
        room = place_strict_room (&scene.shape, &scene.granted, &rows[i].group,
                                  &rules);
        assert_int_equal (room.tasks, rows[i].tasks);
        assert_int_equal (room.task_bytes, rows[i].task_bytes);
        assert_int_equal (room.least_bytes,
                          rows[i].task_bytes > 0 ? rows[i].numa_bytes : 0);
        scene_release (&scene);
    }
}

static void test_nothing_granted (void **state)
{
    struct node_scene scene = { 0 };
    struct place_group group = { 1, 1, 0, 1, 0 };
    struct placement placement;

    (void)state;
    scene_add_cores (&scene, 2, 4, 4, 1, 0);
    scene_grant (&scene);
    scene.cpus = hwloc_bitmap_alloc ();
    scene.granted.cpus = scene.cpus;
    place (&scene.shape, &scene.granted, &group, 1, &scene.rules, &placement);
    assert_int_equal (placement.n, 0);
    assert_int_equal (placement.lacks[0], LACK_CORES);
    placement_release (&placement);
    scene_release (&scene);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_by_hand),
        cmocka_unit_test (test_gpus_of_one_module),
        cmocka_unit_test (test_memory_alone_makes_no_slots),
        cmocka_unit_test (test_strict_room),
        cmocka_unit_test (test_nothing_granted),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
