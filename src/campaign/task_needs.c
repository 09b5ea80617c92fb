/* SPDX-License-Identifier: BSD-3-Clause */
/* task_needs.c - `task:` of a stage or an operator */
#include "config.h"

#include "campaign/field_reader.h"
#include "campaign/task_needs.h"
#include "signature/resources.h"

/* A million cores is beyond any node; the bound keeps sums far from INT_MAX. */
enum { COUNT_MAX = 1000000 };

/* Ranks alone were given: the cores follow. */
static void read_ranks (const struct field_reader *reader,
                        const struct yaml_node *node,
                        bool cores_follow,
                        struct resources *needs)
{
    int cores_per_rank =
        needs->ranks > 0 ? needs->cores / needs->ranks : needs->cores;
    int64_t cores;

    if (field_count (reader, node, "ranks", 1, COUNT_MAX, &needs->ranks) < 0
        || !cores_follow)
        return;
    cores = (int64_t)cores_per_rank * needs->ranks;
    needs->cores = cores < COUNT_MAX ? (int)cores : COUNT_MAX;
}

void task_needs_read (const struct field_reader *reader,
                      const struct yaml_node *node,
                      const char *name,
                      struct resources *needs)
{
    static const char *const keys[] = { "nodes",  "cores",    "ranks", "gpus",
                                        "memory", "walltime", NULL };
    const struct yaml_node *field, *cores = field_find (node, "cores");

    if (field_mapping (reader, node, name, keys) < 0)
        return;
    if ((field = field_find (node, "nodes")))
        field_count (reader, field, "nodes", 1, COUNT_MAX, &needs->nodes);
    if ((field = field_find (node, "ranks")))
        read_ranks (reader, field, !cores, needs);
    if (cores)
        field_count (reader, cores, "cores", 1, COUNT_MAX, &needs->cores);
    if ((field = field_find (node, "gpus")))
        field_count (reader, field, "gpus", 0, COUNT_MAX, &needs->gpus);
    if ((field = field_find (node, "memory")))
        field_bytes (reader, field, "memory", &needs->memory_bytes);
    if ((field = field_find (node, "walltime")))
        field_duration (reader, field, "walltime", &needs->walltime_s);
}

void task_needs_complete (struct resources *needs)
{
    if (needs->nodes == 0)
        needs->nodes = 1;
    if (needs->ranks == 0)
        needs->ranks = needs->nodes;
    if (needs->cores == 0)
        needs->cores = needs->ranks;
}
