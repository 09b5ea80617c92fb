/* SPDX-License-Identifier: BSD-3-Clause */
/* test_place.c - tasks placed on nodes, compared with every other way */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/strbuf.h"
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

/* --- what must hold of every placement --- */

static int cores_of (const struct node_shape *shape,
                     const struct hwloc_bitmap_s *cpus)
{
    int n = 0;

    for (size_t i = 0; i < shape->n_cores; i++)
        n += hwloc_bitmap_intersects (shape->cores[i].threads, cpus);
    return n;
}

static void check_gpus (const struct node_scene *scene,
                        const struct placement *placement)
{
    int units[64] = { 0 };

    for (size_t i = 0; i < scene->granted.n_gpus; i++)
        units[scene->gpus[i]] = GPU_UNITS;
    for (size_t i = 0; i < placement->n; i++) {
        const struct placed_slot *slot = &placement->v[i];
        const struct place_group *group = &scene->groups[slot->group];

        assert_int_equal (slot->n_gpus, group->gpus);
        for (size_t k = 0; k < slot->n_gpus; k++) {
            for (size_t l = 0; l < k; l++)
                assert_int_not_equal (slot->gpus[k], slot->gpus[l]);
            units[slot->gpus[k]] -= GPU_UNITS / group->gpu_share;
            assert_true (units[slot->gpus[k]] >= 0);
        }
    }
}

static void check_memory (const struct node_scene *scene,
                          const struct placement *placement)
{
    int64_t left[64];

    for (size_t j = 0; j < scene->shape.n_numas; j++)
        left[j] = scene->shape.memory_bytes > 0
                      ? scene->shape.numas[j].memory_bytes
                      : INT64_MAX;
    for (size_t i = 0; i < placement->n; i++) {
        const struct placed_slot *slot = &placement->v[i];
        int64_t bytes = 0;

        for (size_t k = 0; k < slot->n_memory; k++) {
            left[slot->memory[k].numa] -= slot->memory[k].bytes;
            bytes += slot->memory[k].bytes;
            assert_true (left[slot->memory[k].numa] >= 0);
        }
        assert_true (bytes == scene->groups[slot->group].memory_bytes);
    }
}

static void check_cores (const struct node_scene *scene,
                         const struct placement *placement)
{
    const struct node_shape *shape = &scene->shape;
    hwloc_bitmap_t used = hwloc_bitmap_alloc ();

    hwloc_bitmap_copy (used, placement->reserved);
    for (size_t i = 0; i < placement->n; i++) {
        const struct placed_slot *slot = &placement->v[i];

        assert_int_equal (cores_of (shape, slot->cpus),
                          scene->groups[slot->group].cores);
        if (scene->granted.cpus)
            assert_true (
                hwloc_bitmap_isincluded (slot->cpus, scene->granted.cpus));
        for (size_t c = 0; c < shape->n_cores; c++) {
            if (!hwloc_bitmap_intersects (shape->cores[c].threads, slot->cpus))
                continue;
            /* never a core of another slot, by another of its threads */
            assert_false (
                hwloc_bitmap_intersects (shape->cores[c].threads, used));
        }
        hwloc_bitmap_or (used, used, slot->cpus);
    }
    assert_false (hwloc_bitmap_intersects (used, placement->idle));
    hwloc_bitmap_free (used);
}

static void check_counts (const struct node_scene *scene,
                          const struct placement *placement)
{
    for (size_t g = 0; g < scene->n_groups; g++) {
        int placed = 0;

        for (size_t i = 0; i < placement->n; i++)
            placed += placement->v[i].group == g;
        assert_true (placed <= scene->groups[g].tasks);
        if (placed == scene->groups[g].tasks)
            assert_int_equal (placement->lacks[g], LACK_NOTHING);
        else
            assert_int_not_equal (placement->lacks[g], LACK_NOTHING);
    }
}

static void check (const struct node_scene *scene,
                   const struct placement *placement)
{
    check_counts (scene, placement);
    check_cores (scene, placement);
    check_gpus (scene, placement);
    check_memory (scene, placement);
}

/* --- every other way --- */

/* What tasks can be had of; a task after the other is tried in all ways. */
struct brute {
    const struct node_scene *scene;
    const struct place_group *tasks[PLACE_EXACT];
    size_t n;
    int cores[64]; /* free, by NUMA node */
    int64_t memory_bytes[64];
    int units[64];
    int all_cores;
    int64_t all_memory_bytes;
    int most; /* tasks */
    int crossing;
};

static void brute_begin (struct brute *b, const struct node_scene *scene,
                         const struct placement *placement)
{
    const struct node_shape *shape = &scene->shape;

    *b = (struct brute){ .scene = scene };
    for (size_t g = 0; g < scene->n_groups; g++) {
        for (int i = 0; i < scene->groups[g].tasks; i++)
            b->tasks[b->n++] = &scene->groups[g];
    }
    for (size_t i = 0; i < shape->n_cores; i++) {
        bool had = (!scene->granted.cpus
                    || hwloc_bitmap_intersects (shape->cores[i].threads,
                                                scene->granted.cpus))
                   && !hwloc_bitmap_intersects (shape->cores[i].threads,
                                                placement->reserved);

        b->cores[shape->cores[i].numa] += had;
        b->all_cores += had;
    }
    for (size_t j = 0; j < shape->n_numas; j++)
        b->memory_bytes[j] =
            shape->memory_bytes > 0 ? shape->numas[j].memory_bytes : INT64_MAX;
    b->all_memory_bytes =
        shape->memory_bytes > 0 ? shape->memory_bytes : INT64_MAX;
    for (size_t i = 0; i < scene->granted.n_gpus; i++)
        b->units[scene->gpus[i]] = GPU_UNITS;
    b->crossing = INT32_MAX;
}

/* Take 'left' more devices from 'from' on for task t, then go on. */
static void brute_count (struct brute *b, size_t t, int placed, int left,
                         int from)
{
    const struct place_group *task = t < b->n ? b->tasks[t] : NULL;

    if (placed + (int)(b->n - t) < b->most)
        return;
    if (!task) {
        if (placed > b->most)
            b->most = placed;
        return;
    }
    if (left < 0) { /* a new task: without it, or with it */
        if (b->all_cores >= task->cores
            && b->all_memory_bytes >= task->memory_bytes) {
            b->all_cores -= task->cores;
            b->all_memory_bytes -= task->memory_bytes;
            brute_count (b, t, placed, task->gpus, 0);
            b->all_cores += task->cores;
            b->all_memory_bytes += task->memory_bytes;
        }
        brute_count (b, t + 1, placed, -1, 0);
        return;
    }
    if (left == 0) {
        brute_count (b, t + 1, placed + 1, -1, 0);
        return;
    }
    for (int gpu = from; gpu < (int)b->scene->shape.n_gpus; gpu++) {
        int units = GPU_UNITS / task->gpu_share;

        if (b->units[gpu] < units)
            continue;
        b->units[gpu] -= units;
        brute_count (b, t, placed, left - 1, gpu + 1);
        b->units[gpu] += units;
    }
}

static bool is_near (const struct node_shape *shape, int gpu, size_t numa)
{
    for (size_t i = 0; i < shape->n_cores; i++) {
        if ((size_t)shape->cores[i].numa == numa
            && hwloc_bitmap_intersects (shape->cores[i].threads,
                                        shape->gpus[gpu].near))
            return true;
    }
    return false;
}

static void brute_cross (struct brute *b, size_t t, int placed, int crossing);

/* Task t has its device (-1: none); try every NUMA node. */
static void brute_numas (struct brute *b, size_t t, int gpu, int placed,
                         int crossing)
{
    const struct place_group *task = b->tasks[t];

    for (size_t j = 0; j < b->scene->shape.n_numas; j++) {
        if (b->cores[j] < task->cores || b->memory_bytes[j] < task->memory_bytes
            || (gpu >= 0 && !is_near (&b->scene->shape, gpu, j)))
            continue;
        b->cores[j] -= task->cores;
        b->memory_bytes[j] -= task->memory_bytes;
        brute_cross (b, t + 1, placed + 1, crossing);
        b->cores[j] += task->cores;
        b->memory_bytes[j] += task->memory_bytes;
    }
    brute_cross (b, t + 1, placed + 1, crossing + 1);
}

/* The fewest that cross when b->most tasks are placed (no task has several
 * devices).
 */
static void brute_cross (struct brute *b, size_t t, int placed, int crossing)
{
    const struct place_group *task = t < b->n ? b->tasks[t] : NULL;

    if (crossing >= b->crossing || placed + (int)(b->n - t) < b->most)
        return;
    if (!task) {
        b->crossing = crossing;
        return;
    }
    if (b->all_cores >= task->cores
        && b->all_memory_bytes >= task->memory_bytes) {
        b->all_cores -= task->cores;
        b->all_memory_bytes -= task->memory_bytes;
        if (task->gpus == 0)
            brute_numas (b, t, -1, placed, crossing);
        for (int gpu = 0; task->gpus > 0 && gpu < (int)b->scene->shape.n_gpus;
             gpu++) {
            int units = GPU_UNITS / task->gpu_share;

            if (b->units[gpu] < units)
                continue;
            b->units[gpu] -= units;
            brute_numas (b, t, gpu, placed, crossing);
            b->units[gpu] += units;
        }
        b->all_cores += task->cores;
        b->all_memory_bytes += task->memory_bytes;
    }
    brute_cross (b, t + 1, placed, crossing);
}

static int tasks_of (const struct node_scene *scene)
{
    int n = 0;

    for (size_t g = 0; g < scene->n_groups; g++)
        n += scene->groups[g].tasks;
    return n;
}

static int crossing_of (const struct placement *placement)
{
    int n = 0;

    for (size_t i = 0; i < placement->n; i++)
        n += placement->v[i].crosses;
    return n;
}

static void draw_scene (struct node_scene *scene, uint64_t seed, int most_numas,
                        int most_cores, int most_gpus, int most_tasks,
                        int gpus_of_task)
{
    *scene = (struct node_scene){ .seed = seed };
    scene_draw_node (scene, most_numas, most_cores, most_gpus);
    scene_draw_granted (scene);
    scene_draw_rules (scene);
    scene_draw_groups (scene, most_tasks, gpus_of_task);
}

static void test_most_tasks (void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6000; seed++) {
        struct node_scene scene;
        struct placement placement;
        struct brute brute;

        draw_scene (&scene, seed, 4, 6, 6, 3, 3);
        place (&scene.shape, &scene.granted, scene.groups, scene.n_groups,
               &scene.rules, &placement);
        check (&scene, &placement);
        brute_begin (&brute, &scene, &placement);
        brute_count (&brute, 0, 0, -1, 0);
        if ((int)placement.n != brute.most)
            fail_msg ("seed %d: %zu tasks, %d would fit", (int)seed,
                      placement.n, brute.most);
        placement_release (&placement);
        scene_release (&scene);
    }
}

static void test_fewest_cross (void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        struct node_scene scene;
        struct placement placement;
        struct brute brute;

        draw_scene (&scene, seed, 3, 4, 3, 2, 1);
        place (&scene.shape, &scene.granted, scene.groups, scene.n_groups,
               &scene.rules, &placement);
        check (&scene, &placement);
        if (tasks_of (&scene) <= 6) {
            brute_begin (&brute, &scene, &placement);
            brute.most = (int)placement.n;
            brute_cross (&brute, 0, 0, 0);
            if (crossing_of (&placement) != brute.crossing)
                fail_msg ("seed %d: %d cross, %d need to", (int)seed,
                          crossing_of (&placement), brute.crossing);
        }
        placement_release (&placement);
        scene_release (&scene);
    }
}

/* --- sets of GPUs --- */

static double bandwidth_of (const struct node_shape *shape, const int *set,
                            size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++)
            sum +=
                shape->links[(size_t)set[i] * shape->n_gpus + (size_t)set[j]];
    }
    return sum;
}

/* The best sum for 'tasks' more sets of 'size' of the devices that are free. */
static double best_sets (const struct node_shape *shape, unsigned free,
                         int tasks, int size, int chosen, int from, int *set)
{
    double best = -1;

    if (tasks == 0)
        return 0;
    if (chosen == size) {
        double rest =
            best_sets (shape, free, tasks - 1, size, 0, 0, set + size);

        return rest < 0 ? -1 : rest + bandwidth_of (shape, set, (size_t)size);
    }
    for (int gpu = from; gpu < (int)shape->n_gpus; gpu++) {
        double sum;

        if (!(free & 1U << gpu))
            continue;
        set[chosen] = gpu;
        sum = best_sets (shape, free & ~(1U << gpu), tasks, size, chosen + 1,
                         gpu + 1, set);
        best = sum > best ? sum : best;
    }
    return best;
}

static void test_best_linked_gpus (void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct node_scene scene = { .seed = seed };
        struct placement placement;
        int set[16], size = 2 + (int)(seed % 3);
        double sum = 0;

        scene_add_cores (&scene, 4, 8, 8, 1, 0);
        for (int i = 0; i < 8; i++)
            scene_add_gpu (&scene, i / 2, i / 2);
        scene.shape.links = xcalloc (64, sizeof (double));
        for (int a = 0; a < 8; a++) {
            for (int b = 0; b < a; b++)
                scene.shape.links[a * 8 + b] = scene.shape.links[b * 8 + a] =
                    scene_draw (&scene, 10);
        }
        scene_grant (&scene);
        scene.n_groups = 1;
        scene.groups[0] =
            (struct place_group){ 1 + (int)(seed % (uint64_t)(8 / size)), 1,
                                  size, 1, 0 };
        place (&scene.shape, &scene.granted, scene.groups, 1, &scene.rules,
               &placement);
        check (&scene, &placement);
        for (size_t i = 0; i < placement.n; i++)
            sum += bandwidth_of (&scene.shape, placement.v[i].gpus,
                                 placement.v[i].n_gpus);
        assert_true (sum
                     == best_sets (&scene.shape, 0xff, scene.groups[0].tasks,
                                   size, 0, 0, set));
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

/* --- many tasks --- */

static int by_part_descending (const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x < *y) - (*x > *y);
}

/* How many tasks first fit decreasing places on the node as a whole. */
static int first_fit_decreasing (const struct brute *b)
{
    struct part {
        double part;
        const struct place_group *group;
    } order[8];
    const struct node_scene *scene = b->scene;
    int cores = b->all_cores, units[64], placed = 0;
    int64_t memory_bytes = b->all_memory_bytes;

    memcpy (units, b->units, sizeof (units));
    for (size_t g = 0; g < scene->n_groups; g++) {
        const struct place_group *group = &scene->groups[g];
        double part = (double)group->cores / b->all_cores;

        if (scene->granted.n_gpus > 0)
            part += (double)group->gpus / group->gpu_share
                    / (double)scene->granted.n_gpus;
        part += (double)group->memory_bytes / (double)b->all_memory_bytes;
        order[g] = (struct part){ part, group };
    }
    qsort (order, scene->n_groups, sizeof (*order), by_part_descending);
    for (size_t g = 0; g < scene->n_groups; g++) {
        const struct place_group *group = order[g].group;

        for (int i = 0; i < group->tasks; i++) {
            int taken[64], n = 0;

            if (cores < group->cores || memory_bytes < group->memory_bytes)
                break;
            for (int gpu = 0; gpu < 64 && n < group->gpus; gpu++) {
                if (units[gpu] >= GPU_UNITS / group->gpu_share)
                    taken[n++] = gpu;
            }
            if (n < group->gpus)
                break;
            for (int k = 0; k < n; k++)
                units[taken[k]] -= GPU_UNITS / group->gpu_share;
            cores -= group->cores;
            memory_bytes -= group->memory_bytes;
            placed++;
        }
    }
    return placed;
}

/* No more tasks than this, by duality: for any prices of a core, a GPU and a
 * byte a task is worth at most what it saves, and the node what it costs.  The
 * least of a grid of prices is not below the linear programming bound.
 */
static double bound_of (const struct brute *b)
{
    const struct node_scene *scene = b->scene;
    double best = INFINITY;

    for (int i = 0; i < 21 * 21 * 21; i++) {
        double price[3] = { i % 21 / 20.0, i / 21 % 21 / 20.0, i / 441 / 20.0 };
        double bound;

        /* a task of one core, GPU, or GiB costs at most 1 */
        price[2] = scene->shape.memory_bytes > 0 ? price[2] : 0;
        bound =
            price[0] * b->all_cores + price[1] * (double)scene->granted.n_gpus;
        if (scene->shape.memory_bytes > 0)
            bound += price[2] * (double)b->all_memory_bytes / (double)GIB;
        for (size_t g = 0; g < scene->n_groups; g++) {
            const struct place_group *group = &scene->groups[g];
            double cost =
                price[0] * group->cores
                + price[1] * group->gpus / group->gpu_share
                + price[2] * (double)group->memory_bytes / (double)GIB;

            bound += group->tasks * fmax (0, 1 - cost);
        }
        best = fmin (best, bound);
    }
    return best;
}

static void test_many_tasks (void **state)
{
    double share = 0;
    int n = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct node_scene scene;
        struct placement placement;
        struct brute brute;

        draw_scene (&scene, seed, 8, 16, 8, 40, 2);
        if (tasks_of (&scene) > PLACE_EXACT) {
            struct node_scene all = scene;

            place (&scene.shape, &scene.granted, scene.groups, scene.n_groups,
                   &scene.rules, &placement);
            check (&scene, &placement);
            all.n_groups = 0; /* the lists of tasks are too long for brute */
            brute_begin (&brute, &all, &placement);
            brute.scene = &scene;
            if ((int)placement.n < first_fit_decreasing (&brute))
                fail_msg ("seed %d: %zu tasks, first fit decreasing places %d",
                          (int)seed, placement.n,
                          first_fit_decreasing (&brute));
            if (bound_of (&brute) >= 1) {
                share += (double)placement.n / floor (bound_of (&brute) + 1e-9);
                n++;
            }
            placement_release (&placement);
        }
        scene_release (&scene);
    }
    print_message ("# %.4f of the bound on average, %d nodes\n", share / n, n);
    assert_true (share / n >= 0.95);
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
        cmocka_unit_test (test_most_tasks),
        cmocka_unit_test (test_fewest_cross),
        cmocka_unit_test (test_best_linked_gpus),
        cmocka_unit_test (test_gpus_of_one_module),
        cmocka_unit_test (test_many_tasks),
        cmocka_unit_test (test_memory_alone_makes_no_slots),
        cmocka_unit_test (test_nothing_granted),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
