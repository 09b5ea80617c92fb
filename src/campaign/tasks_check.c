/* SPDX-License-Identifier: BSD-3-Clause */
/* tasks_check.c - are there more tasks than a scheduler takes, and do those of
 * codes for GPUs ask for one?
 */
#include "base/base.h"

#include "arrays/packing.h"
#include "base/json.h"
#include "campaign/compilation.h"
#include "signature/operator.h"

/* One after the other, so many take long even where each is short. */
enum { SUBMISSIONS_MANY = 100 };

int64_t stage_tasks_known (const struct compilation *c,
                           const struct stage *stage)
{
    const struct operator_spec *op = stage->op;

    for (size_t k = 0; op->fan_out && op->fan_out[0] && k < stage->n_bindings;
         k++) {
        const struct binding *binding = &stage->bindings[k];

        if (strcmp (binding->port->name, op->fan_out[0]) == 0
            && binding->literal && binding->port->type.kind != TYPE_FRAMES)
            return (int64_t)json_count (binding->literal);
    }
    return stage_prepared_tasks (stage, c->reader.dir);
}

/* A node is full before its GPUs are used. */
static void check_idle (const struct yaml_node *key, const struct stage *stage,
                        const struct node_capacity *node,
                        const struct packing *packing, int64_t n)
{
    int used = packing->slots * stage->needs.gpus;

    if (stage->needs.gpus > 0 && stage->needs.gpu_share <= 1
        && stage->needs.nodes <= 1 && n > packing->slots && node->gpus > 1
        && used <= node->gpus / 2)
        field_warning (key,
                       "stage '%s': of the %d GPUs of a node %d are used at a "
                       "time, since the cores or the memory of so many tasks "
                       "fill it; lower task.cores or task.memory",
                       stage->name, node->gpus, used);
}

static void check_stage (const struct compilation *c,
                         const struct yaml_node *key, const struct stage *stage)
{
    const struct profile *profile = stage->profile;
    struct node_capacity node = compilation_node (c, profile, &stage->needs);
    int64_t n = stage_tasks_known (c, stage);
    struct packing packing;

    if (n < 1 || node.cores == 0
        || packing_plan (n, &stage->needs, 0, &node, &profile->limits, &packing,
                         NULL)
               < 0)
        return;
    check_idle (key, stage, &node, &packing, n);
    if (packing.chunks <= SUBMISSIONS_MANY)
        return;
    field_warning (key,
                   "stage '%s' has %" PRId64 " tasks, which take %" PRId64
                   " submissions by the limits of profile '%s'; make fewer "
                   "tasks, lower task.walltime, or raise the limits",
                   stage->name, n, packing.chunks, profile->name);
}

/* --- GPUs that nothing asks for, and that tasks do not see then --- */

static bool is_for_gpus (const struct stage *stage)
{
    static const char *const names[] = { "deepmd.train", "gpumd.train",
                                         "gpumd.explore", NULL };

    if (words_contain (names, stage->op->name))
        return true;
    for (size_t i = 0; i < stage->n_bindings; i++) {
        const struct binding *b = &stage->bindings[i];

        if (strcmp (b->port->name, "committee") == 0 && b->literal
            && strcmp (json_as_string (b->literal), "deepmd") == 0)
            return strcmp (stage->op->name, "lammps.explore") == 0;
    }
    return false;
}

static bool names_gpu (const char *text)
{
    return text && strcasestr (text, "gpu") && !strcasestr (text, "nogpu");
}

/* Does a stage there ask for one, or a line of the profile? */
static bool asks_for_gpus (const struct compilation *c,
                           const struct profile *profile)
{
    for (const char *const *d = profile->directives; d && *d; d++) {
        if (strstr (*d, "gres") || strcasestr (*d, "gpu"))
            return true;
    }
    for (size_t i = 0; i < c->plan->n_stages; i++) {
        const struct stage *stage = &c->plan->stages[i];

        if (stage->profile == profile && stage->needs.gpus > 0)
            return true;
    }
    return false;
}

static void check_gpus (const struct compilation *c,
                        const struct yaml_node *key, const struct stage *stage)
{
    const struct profile *profile = stage->profile;

    if (stage->needs.gpus > 0)
        return;
    if (is_for_gpus (stage)
        && (profile->node.gpus > 0 || names_gpu (profile->queue)))
        field_warning (key,
                       "stage '%s' asks for no GPU, so its tasks see none of "
                       "profile '%s'; write task: {gpus: 1}%s",
                       stage->name, profile->name,
                       profile->node.gpus > 0
                           ? ""
                           : ", and gpus: in node: of the profile");
    else if (names_gpu (profile->queue) && !asks_for_gpus (c, profile))
        field_warning (key,
                       "stage '%s' runs in '%s' of profile '%s', and no stage "
                       "there asks for a GPU, so none has one; write task: "
                       "{gpus: 1}, and gpus: in node: of the profile",
                       stage->name, profile->queue, profile->name);
}

/* Each rank of these computes on one device. */
static void check_devices (const struct yaml_node *key,
                           const struct stage *stage)
{
    if (stage->needs.gpus <= stage->needs.ranks || !is_for_gpus (stage)
        || strcmp (stage->op->name, "gpumd.train") == 0)
        return;
    field_warning (key,
                   "stage '%s': a task has %d GPUs, and its program uses %s; "
                   "write task: {gpus: %d}",
                   stage->name, stage->needs.gpus,
                   stage->needs.ranks == 1 ? "one" : "one for each rank",
                   stage->needs.ranks);
}

/* VASP shares its work among ranks. */
static void check_threads (const struct yaml_node *key,
                           const struct stage *stage)
{
    enum { THREADS_MANY = 8 };
    int threads = stage->needs.cores / stage->needs.ranks;

    if (strcmp (stage->op->name, "vasp.label") == 0 && stage->needs.gpus == 0
        && stage->needs.ranks == 1 && threads >= THREADS_MANY)
        field_warning (key,
                       "stage '%s': a task has one rank with %d cores, and "
                       "VASP shares its work among ranks; write task: {ranks: "
                       "%d}",
                       stage->name, threads, threads);
}

void tasks_check (const struct compilation *c)
{
    for (size_t i = 0; i < c->plan->n_stages; i++) {
        const struct stage *stage = &c->plan->stages[i];

        if (!stage->op || !stage->profile)
            continue;
        check_gpus (c, c->stages->keys[i], stage);
        check_devices (c->stages->keys[i], stage);
        check_threads (c->stages->keys[i], stage);
        if (stage->n_bindings > 0)
            check_stage (c, c->stages->keys[i], stage);
    }
}
