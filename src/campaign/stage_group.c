/* SPDX-License-Identifier: BSD-3-Clause */
/* stage_group.c - what a stage makes of its operator's group */
#include "base/base.h"

#include "base/arena.h"
#include "base/units.h"
#include "campaign/field_reader.h"
#include "campaign/group_file.h"
#include "campaign/plan.h"
#include "campaign/stage_group.h"
#include "signature/group.h"

/* --- node_map: --- */

/* The number of the node that 'node' names, or -1. */
static int choose_node (const struct yaml_node *node,
                        const struct group_spec *group)
{
    const char *word;
    size_t n = 0;

    if (field_text (node, &word) < 0)
        return -1;
    while (group->nodes[n])
        n++;
    return field_choose (node, word, group->nodes, n, sizeof (*group->nodes),
                         "node_map: no program runs on '%s'", word);
}

static void read_map (const struct yaml_node *map, struct stage *stage)
{
    const struct group_spec *group = stage->op->group;
    struct arena *arena = field_arena (map);
    size_t before = field_problems (map), n = 0;
    const char **to;

    while (group->nodes[n])
        n++;
    to = arena_array (arena, n + 1, sizeof (*to));
    memcpy (to, group->nodes, n * sizeof (*to));
    for (size_t i = 0; i < map->n; i++) {
        int from = choose_node (map->keys[i], group);
        int onto = choose_node (map->items[i], group);

        if (from >= 0 && onto >= 0)
            to[from] = group->nodes[onto];
    }
    if (field_problems (map) == before)
        stage->group = group_fold (group, to, arena);
}

void stage_group_read (const struct yaml_node *node, struct stage *stage)
{
    const struct yaml_node *map = field_find (node, "node_map");

    stage->group = stage->op->group;
    if (!map || field_any_mapping (map) < 0)
        return;
    if (stage->group && !group_is_command (stage->group))
        read_map (map, stage);
    else
        field_problem (map,
                       "node_map: %s has no group, and so no names of nodes; "
                       "remove it",
                       stage->op->name);
}

/* --- what it needs --- */

static double gpus_of (const struct resources *needs)
{
    return needs->gpu_share > 1 ? 1.0 / needs->gpu_share : needs->gpus;
}

static void format_need (enum task_need need, const struct resources *needs,
                         struct strbuf *out)
{
    switch (need) {
    case NEED_GPUS:
        strbuf_addf (out, "%.3g GPUs", gpus_of (needs));
        break;
    case NEED_MEMORY:
        format_bytes (needs->memory_bytes, out);
        strbuf_add_str (out, " of memory");
        break;
    default:
        format_cores (needs, out);
    }
}

static bool is_stated (enum task_need need, const struct resources *needs,
                       const struct yaml_node *task)
{
    return field_find (task, task_need_key (need))
           || (need == NEED_CORES  ? needs->cores > 0
               : need == NEED_GPUS ? needs->gpus > 0
                                   : needs->memory_bytes > 0);
}

static bool is_less (enum task_need need, const struct resources *a,
                     const struct resources *b)
{
    return need == NEED_CORES  ? a->cores < b->cores
           : need == NEED_GPUS ? gpus_of (a) < gpus_of (b)
                               : a->memory_bytes < b->memory_bytes;
}

static void take (enum task_need need, struct resources *needs,
                  const struct resources *from)
{
    if (need == NEED_CORES) {
        needs->cores = from->cores;
    } else if (need == NEED_GPUS) {
        needs->gpus = from->gpus;
        needs->gpu_share = from->gpu_share;
    } else {
        needs->memory_bytes = from->memory_bytes;
    }
}

static void complain_less (const struct yaml_node *at, enum task_need need,
                           const struct stage *stage,
                           const struct resources *sum)
{
    _cleanup_ (strbuf_release) struct strbuf want = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf have = STRBUF_INIT;

    format_need (need, sum, &want);
    format_need (need, &stage->needs, &have);
    field_problem (at,
                   "stage '%s': the programs of %s need %s together and its "
                   "task has %s; leave task.%s out, or make it as much or more",
                   stage->name, stage->op->name, want.buf, have.buf,
                   task_need_key (need));
}

void stage_group_complete (const struct yaml_node *key,
                           const struct yaml_node *node, struct stage *stage)
{
    const struct resources sum = group_needs (stage->group);
    const struct yaml_node *task = field_find (node, "task");
    struct resources *needs = &stage->needs;

    if (task)
        group_file_check_task (task);
    needs->nodes = needs->ranks = sum.nodes;
    for (enum task_need need = NEED_CORES; need <= NEED_MEMORY; need++) {
        const struct yaml_node *at = field_find (task, task_need_key (need));

        if (!is_stated (need, needs, task))
            take (need, needs, &sum);
        else if (is_less (need, needs, &sum))
            complain_less (at ? at : key, need, stage, &sum);
    }
    if (needs->cores % needs->nodes != 0)
        field_problem (key,
                       "stage '%s': %d cores cannot be shared evenly by %d "
                       "nodes; make task.cores a multiple of them",
                       stage->name, needs->cores, needs->nodes);
}

/* --- what has no room --- */

/* The node that needs most of it. */
static int largest_node (enum task_need need, const struct group_spec *group)
{
    struct resources most = group_node_needs (group, 0);
    int largest = 0;

    for (int i = 1; group->nodes[i]; i++) {
        struct resources node = group_node_needs (group, i);

        if (is_less (need, &most, &node)) {
            most = node;
            largest = i;
        }
    }
    return largest;
}

/* "driver 1, force 4 x 2": what programs of the node need. */
static void format_programs (enum task_need need,
                             const struct group_spec *group, int node,
                             struct strbuf *out)
{
    const char *comma = "";

    for (size_t i = 0; i < group->n_programs; i++) {
        const struct group_program *program = &group->programs[i];
        const struct resources none = { 0 };

        if (strcmp (program->node, group->nodes[node]) != 0
            || !is_less (need, &none, &program->needs))
            continue;
        strbuf_addf (out, "%s%s ", comma, program->name);
        if (program->instances > 1)
            strbuf_addf (out, "%d x ", program->instances);
        format_need (need, &program->needs, out);
        comma = ", ";
    }
}

void stage_group_no_room (const struct yaml_node *at, enum task_need need,
                          const struct stage *stage, const char *why)
{
    int node = largest_node (need, stage->group);
    _cleanup_ (strbuf_release) struct strbuf programs = STRBUF_INIT;

    format_programs (need, stage->group, node, &programs);
    field_problem (at,
                   "stage '%s' in profile '%s': %.*s (node '%s': %s); lower "
                   "instances or task.%s of the programs, or choose another "
                   "profile",
                   stage->name, stage->profile->name, (int)strcspn (why, ";"),
                   why, stage->group->nodes[node], programs.buf,
                   task_need_key (need));
}
