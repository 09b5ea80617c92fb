/* SPDX-License-Identifier: BSD-3-Clause */
/* test_place_random.c - random mixes placed on random nodes, compared with
 * every other way, or with bounds
 */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "node_scene.h"

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

/* Shares of devices fill them as a knapsack does: never fewer than by first fit
 * decreasing, wherever NUMA nodes would have them go.
 */
static void test_many_shares (void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct node_scene scene = { .seed = seed };
        struct node_scene all;
        struct placement placement;
        struct brute brute;

        scene_add_cores (&scene, 4, 8, 8, 1, 0);
        for (int i = 0; i < 6; i++)
            scene_add_gpu (&scene, i % 4, i % 4);
        scene_grant (&scene);
        scene.rules.bind = (enum bind_rule)scene_draw (&scene, 2);
        scene.n_groups = 3;
        for (size_t g = 0; g < 3; g++)
            scene.groups[g] =
                (struct place_group){ 3 + scene_draw (&scene, 8), 1, 1,
                                      2 + scene_draw (&scene, 4), 0 };
        place (&scene.shape, &scene.granted, scene.groups, scene.n_groups,
               &scene.rules, &placement);
        check (&scene, &placement);
        all = scene;
        all.n_groups = 0; /* the lists of tasks are too long for brute */
        brute_begin (&brute, &all, &placement);
        brute.scene = &scene;
        assert_true ((int)placement.n >= first_fit_decreasing (&brute));
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
        cmocka_unit_test (test_many_tasks),
        cmocka_unit_test (test_many_shares),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
