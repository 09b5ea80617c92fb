/* SPDX-License-Identifier: BSD-3-Clause */
/* test_place_many.c - many tasks on random nodes, compared with first fit and
 * with a bound
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "placement_checks.h"

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
        cmocka_unit_test (test_many_tasks),
        cmocka_unit_test (test_many_shares),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
