/* SPDX-License-Identifier: BSD-3-Clause */
/* test_place_random.c - random mixes placed on random nodes, compared with
 * every other way
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "placement_checks.h"

/* --- every other way --- */

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

static int crossing_of (const struct placement *placement)
{
    int n = 0;

    for (size_t i = 0; i < placement->n; i++)
        n += placement->v[i].crosses;
    return n;
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

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_most_tasks),
        cmocka_unit_test (test_fewest_cross),
        cmocka_unit_test (test_best_linked_gpus),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
