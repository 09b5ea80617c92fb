/* SPDX-License-Identifier: BSD-3-Clause */
/* placement_checks.h - what must hold of every placement, whoever made it */
#ifndef TESTS_PLACEMENT_CHECKS_H
#define TESTS_PLACEMENT_CHECKS_H

#include "node_scene.h"

static inline int cores_of (const struct node_shape *shape,
                            const struct hwloc_bitmap_s *cpus)
{
    int n = 0;

    for (size_t i = 0; i < shape->n_cores; i++)
        n += hwloc_bitmap_intersects (shape->cores[i].threads, cpus);
    return n;
}

static inline void check_gpus (const struct node_scene *scene,
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

static inline void check_memory (const struct node_scene *scene,
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

static inline void check_cores (const struct node_scene *scene,
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

static inline void check_counts (const struct node_scene *scene,
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

static inline void check (const struct node_scene *scene,
                          const struct placement *placement)
{
    check_counts (scene, placement);
    check_cores (scene, placement);
    check_gpus (scene, placement);
    check_memory (scene, placement);
}

/* --- what there is for tasks, to be taken in other ways --- */

/* Also what the best way is known to be. */
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

static inline void brute_begin (struct brute *b, const struct node_scene *scene,
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

static inline int tasks_of (const struct node_scene *scene)
{
    int n = 0;

    for (size_t g = 0; g < scene->n_groups; g++)
        n += scene->groups[g].tasks;
    return n;
}

static inline void draw_scene (struct node_scene *scene, uint64_t seed,
                               int most_numas, int most_cores, int most_gpus,
                               int most_tasks, int gpus_of_task)
{
    *scene = (struct node_scene){ .seed = seed };
    scene_draw_node (scene, most_numas, most_cores, most_gpus);
    scene_draw_granted (scene);
    scene_draw_rules (scene);
    scene_draw_groups (scene, most_tasks, gpus_of_task);
}

#endif /* !TESTS_PLACEMENT_CHECKS_H */
