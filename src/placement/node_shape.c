/* SPDX-License-Identifier: BSD-3-Clause */
/* node_shape.c - the cores, memory and devices of a node */
#include "base/base.h"

#include <hwloc.h>

#include "base/json.h"
#include "placement/node_shape.h"

void node_shape_release (struct node_shape *shape)
{
    for (size_t i = 0; i < shape->n_cores; i++)
        hwloc_bitmap_free (shape->cores[i].threads);
    for (size_t i = 0; i < shape->n_gpus; i++) {
        free (shape->gpus[i].address);
        free (shape->gpus[i].vendor);
        free (shape->gpus[i].model);
        free (shape->gpus[i].uuid);
        hwloc_bitmap_free (shape->gpus[i].near);
    }
    for (size_t i = 0; i < shape->n_nics; i++) {
        free (shape->nics[i].name);
        free (shape->nics[i].address);
        hwloc_bitmap_free (shape->nics[i].near);
    }
    free (shape->cores);
    free (shape->numas);
    free (shape->gpus);
    free (shape->nics);
    free (shape->links);
    *shape = (struct node_shape){ 0 };
}

void node_shape_from_numbers (int cores, int gpus, int64_t memory_bytes,
                              struct node_shape *shape)
{
    struct node_shape s = { .n_cores = (size_t)cores,
                            .n_numas = 1,
                            .n_gpus = (size_t)gpus,
                            .memory_bytes = memory_bytes };

    s.cores = xcalloc (s.n_cores, sizeof (*s.cores));
    for (int i = 0; i < cores; i++) {
        s.cores[i] = (struct node_core){ hwloc_bitmap_alloc (), 0, -1, 0 };
        hwloc_bitmap_only (s.cores[i].threads, (unsigned)i);
    }
    s.numas = xcalloc (1, sizeof (*s.numas));
    s.numas[0] = (struct node_numa){ 0, memory_bytes, cores };
    s.gpus = xcalloc (s.n_gpus, sizeof (*s.gpus));
    for (int i = 0; i < gpus; i++) {
        s.gpus[i] = (struct node_gpu){ xstrdup (""), xstrdup (""), xstrdup (""),
                                       xstrdup (""), hwloc_bitmap_alloc () };
        hwloc_bitmap_set_range (s.gpus[i].near, 0, cores - 1);
    }
    *shape = s;
}

struct node_size node_size_of (const struct node_shape *shape)
{
    struct node_size size = { .cores = (int)shape->n_cores,
                              .gpus = (int)shape->n_gpus };

    for (size_t i = 0; i < shape->n_numas; i++)
        size.numas += shape->numas[i].cores > 0;
    return size;
}

void node_size_differences (const struct node_size *recorded,
                            const struct node_size *here, struct strbuf *out)
{
    const struct {
        const char *what;
        int recorded, here;
    } rows[] = {
        { "cores", recorded->cores, here->cores },
        { "NUMA nodes", recorded->numas, here->numas },
        { "GPUs", recorded->gpus, here->gpus },
    };
    const char *between = "";

    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        if (rows[i].recorded < 0 || rows[i].here < 0
            || rows[i].recorded == rows[i].here)
            continue;
        strbuf_addf (out, "%s%s: %d in place of %d", between, rows[i].what,
                     rows[i].here, rows[i].recorded);
        between = ", ";
    }
}

void cpus_format (const struct hwloc_bitmap_s *cpus, struct strbuf *out)
{
    _cleanup_free_ char *text = NULL;

    if (hwloc_bitmap_list_asprintf (&text, cpus) < 0)
        alloc_failed (1);
    strbuf_add_str (out, text);
}

/* --- as JSON --- */

struct json *cpus_json (const struct hwloc_bitmap_s *cpus)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct json *v;

    cpus_format (cpus, &text);
    v = json_string (text.buf);
    return v;
}

/* The hardware threads of the cores of a NUMA node. */
static struct json *numa_cpus (const struct node_shape *shape, size_t numa)
{
    hwloc_bitmap_t cpus = hwloc_bitmap_alloc ();
    struct json *v;

    for (size_t i = 0; i < shape->n_cores; i++) {
        if ((size_t)shape->cores[i].numa == numa)
            hwloc_bitmap_or (cpus, cpus, shape->cores[i].threads);
    }
    v = cpus_json (cpus);
    hwloc_bitmap_free (cpus);
    return v;
}

static struct json *numas_json (const struct node_shape *shape)
{
    struct json *list = json_array ();

    for (size_t i = 0; i < shape->n_numas; i++) {
        const struct node_numa *numa = &shape->numas[i];
        struct json *v = json_object ();

        json_set (v, "numa", json_int (numa->os));
        json_set (v, "cores", json_int (numa->cores));
        json_set (v, "cpus", numa_cpus (shape, i));
        json_set (v, "memory_bytes",
                  numa->memory_bytes > 0 ? json_int (numa->memory_bytes)
                                         : json_null ());
        json_push (list, v);
    }
    return list;
}

/* The OS numbers of the NUMA nodes beside a device. */
static struct json *near_json (const struct node_shape *shape,
                               const struct hwloc_bitmap_s *near)
{
    struct json *list = json_array ();
    int last = -1;

    for (size_t i = 0; i < shape->n_cores; i++) {
        const struct node_core *core = &shape->cores[i];

        if (core->numa == last
            || !hwloc_bitmap_intersects (core->threads, near))
            continue;
        last = core->numa;
        json_push (list, json_int (shape->numas[last].os));
    }
    return list;
}

static struct json *gpus_json (const struct node_shape *shape)
{
    struct json *list = json_array ();

    for (size_t i = 0; i < shape->n_gpus; i++) {
        const struct node_gpu *gpu = &shape->gpus[i];
        struct json *v = json_object ();

        json_set (v, "address", json_string (gpu->address));
        json_set (v, "vendor", json_string (gpu->vendor));
        json_set (v, "model", json_string (gpu->model));
        json_set (v, "cpus", cpus_json (gpu->near));
        json_set (v, "numa", near_json (shape, gpu->near));
        json_push (list, v);
    }
    return list;
}

static struct json *nics_json (const struct node_shape *shape)
{
    struct json *list = json_array ();

    for (size_t i = 0; i < shape->n_nics; i++) {
        struct json *v = json_object ();

        json_set (v, "name", json_string (shape->nics[i].name));
        json_set (v, "address", json_string (shape->nics[i].address));
        json_set (v, "numa", near_json (shape, shape->nics[i].near));
        json_push (list, v);
    }
    return list;
}

/* Level 3 caches; cores of one are neighbours. */
static int count_caches (const struct node_shape *shape)
{
    int n = 0, last = -1;

    for (size_t i = 0; i < shape->n_cores; i++) {
        n += shape->cores[i].l3 != last && shape->cores[i].l3 >= 0;
        last = shape->cores[i].l3;
    }
    return n;
}

struct json *node_shape_json (const struct node_shape *shape)
{
    struct json *v = json_object ();

    json_set (v, "cores", json_int ((int64_t)shape->n_cores));
    json_set (v, "l3_caches", json_int (count_caches (shape)));
    json_set (v, "memory_bytes",
              shape->memory_bytes > 0 ? json_int (shape->memory_bytes)
                                      : json_null ());
    json_set (v, "numa", numas_json (shape));
    json_set (v, "gpus", gpus_json (shape));
    json_set (v, "nics", nics_json (shape));
    return v;
}
