/* SPDX-License-Identifier: BSD-3-Clause */
/* node_scene.h - nodes made up for tests, and mixes of tasks, from a seed */
#ifndef TESTS_NODE_SCENE_H
#define TESTS_NODE_SCENE_H

#include <hwloc.h>

#include "base/hash.h"
#include "placement/place.h"

#define GIB ((int64_t)1 << 30)

struct node_scene {
    uint64_t seed, drawn;
    struct node_shape shape;
    hwloc_bitmap_t cpus; /* granted */
    int gpus[64];        /* granted */
    struct granted granted;
    struct place_rules rules;
    struct place_group groups[8];
    size_t n_groups;
};

/* 0 .. n - 1 */
static inline int scene_draw (struct node_scene *scene, int n)
{
    uint64_t drawn = scene->drawn++;

    return (int)(hash_words (scene->seed, &drawn, 1) % (uint64_t)n);
}

static inline bool scene_chance (struct node_scene *scene, int percent)
{
    return scene_draw (scene, 100) < percent;
}

/* Cores of 'threads' threads, 'per_l3' to a cache, 'per_numa' to a NUMA node;
 * threads are numbered as Linux does: all first ones, then all second ones.
 */
static inline void scene_add_cores (struct node_scene *scene, int numas,
                                    int per_numa, int per_l3, int threads,
                                    int64_t memory_bytes)
{
    struct node_shape *shape = &scene->shape;
    int n = numas * per_numa;

    shape->n_cores = (size_t)n;
    shape->cores = xcalloc ((size_t)n, sizeof (*shape->cores));
    shape->n_numas = (size_t)numas;
    shape->numas = xcalloc ((size_t)numas, sizeof (*shape->numas));
    shape->memory_bytes = numas * memory_bytes;
    for (int i = 0; i < n; i++) {
        shape->cores[i] =
            (struct node_core){ hwloc_bitmap_alloc (), i / per_numa / 2,
                                i / per_l3, i / per_numa };
        for (int t = 0; t < threads; t++)
            hwloc_bitmap_set (shape->cores[i].threads, (unsigned)(i + t * n));
    }
    for (int j = 0; j < numas; j++)
        shape->numas[j] = (struct node_numa){ j, memory_bytes, per_numa };
}

/* A GPU beside NUMA nodes 'first' .. 'last'. */
static inline void scene_add_gpu (struct node_scene *scene, int first, int last)
{
    struct node_shape *shape = &scene->shape;
    struct node_gpu *gpu;

    shape->gpus =
        xreallocarray (shape->gpus, shape->n_gpus + 1, sizeof (*shape->gpus));
    gpu = &shape->gpus[shape->n_gpus];
    *gpu = (struct node_gpu){ xasprintf ("0000:%02x:00.0", (int)shape->n_gpus),
                              xstrdup ("10de"), xstrdup (""), xstrdup (""),
                              hwloc_bitmap_alloc () };
    for (size_t i = 0; i < shape->n_cores; i++) {
        if (shape->cores[i].numa >= first && shape->cores[i].numa <= last)
            hwloc_bitmap_or (gpu->near, gpu->near, shape->cores[i].threads);
    }
    shape->n_gpus++;
}

/* Grant everything. */
static inline void scene_grant (struct node_scene *scene)
{
    scene->granted = (struct granted){ NULL, scene->gpus, scene->shape.n_gpus };
    for (size_t i = 0; i < scene->shape.n_gpus; i++)
        scene->gpus[i] = (int)i;
}

static inline void scene_draw_node (struct node_scene *scene, int most_numas,
                                    int most_cores, int most_gpus)
{
    int numas = 1 + scene_draw (scene, most_numas);
    int l3s = 1 + scene_draw (scene, 2);
    int per_l3 = 1 + scene_draw (scene, most_cores / l3s);
    int gpus = scene_draw (scene, most_gpus + 1);

    scene_add_cores (
        scene, numas, l3s * per_l3, per_l3, 1 + scene_draw (scene, 2),
        scene_chance (scene, 50) ? 0 : (1 + scene_draw (scene, 16)) * GIB);
    for (int i = 0; i < gpus; i++) {
        int first = scene_draw (scene, numas);

        scene_add_gpu (scene, first,
                       scene_chance (scene, 80) ? first : numas - 1);
    }
    if (gpus > 1 && scene_chance (scene, 50)) {
        double *links = xcalloc ((size_t)(gpus * gpus), sizeof (*links));

        for (int a = 0; a < gpus; a++) {
            for (int b = 0; b < a; b++)
                links[a * gpus + b] = links[b * gpus + a] =
                    100.0 * scene_draw (scene, 4);
        }
        scene->shape.links = links;
    }
}

/* A mask with holes, also within cores, and some of the GPUs. */
static inline void scene_draw_granted (struct node_scene *scene)
{
    int keep = 60 + scene_draw (scene, 41);

    scene_grant (scene);
    scene->cpus = hwloc_bitmap_alloc ();
    for (size_t i = 0; i < scene->shape.n_cores; i++) {
        int thread = -1;

        while (
            (thread = hwloc_bitmap_next (scene->shape.cores[i].threads, thread))
            >= 0) {
            if (scene_chance (scene, keep))
                hwloc_bitmap_set (scene->cpus, (unsigned)thread);
        }
    }
    scene->granted.cpus = scene->cpus;
    scene->granted.n_gpus = 0;
    for (size_t i = 0; i < scene->shape.n_gpus; i++) {
        if (scene_chance (scene, keep))
            scene->gpus[scene->granted.n_gpus++] = (int)i;
    }
}

static inline void scene_draw_rules (struct node_scene *scene)
{
    scene->rules = (struct place_rules){
        .bind = (enum bind_rule)scene_draw (scene, 2),
        .one_thread = scene_chance (scene, 30),
        .reserve_one_per_l3 = scene_chance (scene, 20),
        .reserved_cores = scene_chance (scene, 20) ? 1 : 0,
    };
}

static inline void scene_draw_groups (struct node_scene *scene, int most_tasks,
                                      int most_gpus)
{
    scene->n_groups = (size_t)(1 + scene_draw (scene, 4));
    for (size_t g = 0; g < scene->n_groups; g++) {
        struct place_group *group = &scene->groups[g];

        *group = (struct place_group){
            .tasks = 1 + scene_draw (scene, most_tasks),
            .cores = 1 + scene_draw (scene, 4),
            .gpus = scene_chance (scene, 50)
                        ? 0
                        : scene_draw (scene, most_gpus + 1),
            .gpu_share = 1,
            .memory_bytes = scene_chance (scene, 50)
                                ? 0
                                : (1 + scene_draw (scene, 8)) * GIB / 2,
        };
        if (group->gpus == 1 && scene_chance (scene, 40))
            group->gpu_share = 2 + scene_draw (scene, 3);
    }
}

static inline void scene_release (struct node_scene *scene)
{
    node_shape_release (&scene->shape);
    hwloc_bitmap_free (scene->cpus);
    *scene = (struct node_scene){ 0 };
}

#endif /* !TESTS_NODE_SCENE_H */
