/* SPDX-License-Identifier: BSD-3-Clause */
/* stages_declare.c - what a stage says of itself */
#include "base/base.h"

#include <sys/stat.h>

#include "adapter.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/units.h"
#include "campaign/compilation.h"
#include "campaign/stage_group.h"
#include "campaign/stage_keys.h"
#include "campaign/strict_memory.h"
#include "campaign/task_fields.h"
#include "placement/slots.h"
#include "signature/group.h"
#include "space/layout.h"

/* A campaign has a handful; the bound keeps the table of who waits for whom
 * small whatever the file says.
 */
enum { STAGES_MAX = 256 };

/* Of an MPS server (NVIDIA's manual of MPS, "Client-Server Connection Limits").
 */
enum { MPS_CLIENTS_MAX = 48 };

/* One stage being read. */
struct declaration {
    struct compilation *c;
    const struct yaml_node *key;
    const struct yaml_node *node;
    const char *name; /* the stage's title */
    struct stage *stage;
};

/* Whose step a stage is that the file does not have under that name. */
static const char *family_of (const struct compilation *c,
                              const struct yaml_node *key)
{
    const char *dot = strchr (key->text, '.');

    return dot && key->made ? arena_strndup (c->reader.arena, key->text,
                                             (size_t)(dot - key->text))
                            : NULL;
}

static void check_name (const struct declaration *d)
{
    static const char *const words[] = { "previous", "all", "latest", "data",
                                         NULL };
    const char *name = d->stage->name;

    if (d->stage->family && !layout_stage_name_ok (name))
        field_problem (d->key,
                       "the name of step '%s' is longer than %d; give stages "
                       "and steps shorter names",
                       name, LAYOUT_STAGE_NAME_MAX);
    else if (!d->stage->family
             && (!layout_stage_name_ok (name) || strchr (name, '.')
                 || words_contain (words, name)))
        field_problem (d->key,
                       "'%s' cannot be the name of a %s; use at most 32 of "
                       "a-z, 0-9 and _, beginning with a letter, and not "
                       "dataset, config, kept, calls, data, previous, all or "
                       "latest",
                       name, d->stage->function ? "function" : "stage");
}

/* Its results go to a directory of its name. */
static void check_place (const struct declaration *d)
{
    _cleanup_free_ char *path = path_join (d->c->plan->dir, d->stage->name);
    struct stat st;

    if (d->c->reader.this_host && stat (path, &st) == 0
        && !S_ISDIR (st.st_mode))
        field_problem (d->key,
                       "%s keeps its results in a directory of that name, and "
                       "there is a file '%s'; rename the file, or the stage",
                       d->name, d->stage->name);
}

static void read_uses (const struct declaration *d)
{
    const struct yaml_node *node = field_find (d->node, "uses");
    const char *word;
    bool broken;

    if (!node) {
        field_problem (d->key,
                       "%s does not say what it does; add uses: OPERATOR",
                       d->name);
        return;
    }
    if (field_text (node, &word) < 0)
        return;
    d->stage->op = operator_set_find (&d->c->operators, word, &broken);
    d->stage->op = stage_variant (d->stage->op, d->node);
    if (!d->stage->op && !broken)
        operator_set_complain (&d->c->operators, node);
}

/* Built-in operators start {fanfold}, which no image has. */
static void check_image (const struct declaration *d)
{
    const struct yaml_node *node = field_find (d->node, "image");
    const struct operator_spec *op = d->stage->op;

    if (op && !d->stage->image)
        d->stage->image = op->image;
    if (op && node && !field_find (d->c->operators.node, op->name))
        field_problem (node,
                       "%s: image: %s is built in, and what it starts is an "
                       "input; write the container into that: [apptainer, "
                       "exec, %s, ...]",
                       d->name, op->name, d->stage->image);
}

/* --- profile --- */

static void read_profile (const struct declaration *d)
{
    const struct yaml_node *node = field_find (d->node, "profile");
    const struct site *site = &d->c->site;
    const char *word = site->default_profile;
    int i = 0;

    if ((node && field_text (node, &word) < 0) || site->broken)
        return;
    if (word)
        i = field_choose (node ? node : d->key, word, site->profiles, site->n,
                          sizeof (*site->profiles), "unknown profile '%s'",
                          word);
    else if (site->n > 1)
        i = field_problem (d->key,
                           "%s names no profile and the site has several; add "
                           "profile: NAME, or default_profile: NAME to the "
                           "site file",
                           d->name);
    if (i >= 0)
        d->stage->profile = &site->profiles[i];
}

/* What has no effect, or another one, is said. */
static void check_priority (const struct declaration *d)
{
    const struct yaml_node *node = field_find (d->node, "priority");
    const struct profile *profile = d->stage->profile;
    const struct scheduler_adapter *adapter =
        profile && profile->scheduler
            ? scheduler_adapter_find (profile->scheduler)
            : NULL;
    int priority = d->stage->priority;

    if (!node || !adapter || priority == 0)
        return;
    if (!adapter->has_priorities)
        field_warning (node,
                       "priority: jobs of profile '%s' begin in the order in "
                       "which they are submitted; remove it",
                       profile->name);
    else if (priority > 0 && adapter->raised_priority)
        field_warning (node,
                       "priority: %d is for %s, others get 0; give other "
                       "stages a priority below 0",
                       priority, adapter->raised_priority);
}

/* --- resources --- */

/* Where `task:` says 'key', or where the stage begins. */
static const struct yaml_node *need_of (const struct declaration *d,
                                        const char *key)
{
    const struct yaml_node *node =
        field_find (field_find (d->node, "task"), key);

    return node ? node : d->key;
}

/* Are its resources those of programs that run together? */
static bool of_programs (const struct stage *stage)
{
    return stage->group && !group_is_command (stage->group);
}

struct node_capacity compilation_node (const struct compilation *c,
                                       const struct profile *profile,
                                       const struct resources *task)
{
    struct node_capacity node = profile->node;
    int cores, reserved;
    int64_t memory_bytes;

    strict_memory_count (profile, task, c->reader.this_host, &node);
    if (node.cores > 0 || !c->reader.this_host || !profile_runs_here (profile)
        || granted_cores (&profile->rules, &cores, &reserved, &memory_bytes,
                          NULL)
               < 0
        || cores <= reserved)
        return node;
    node.cores = cores - reserved;
    if (node.memory_bytes == 0)
        node.memory_bytes = memory_bytes;
    return node;
}

/* Are there as many nodes as a task needs?  What was recorded may be meant for
 * another job than the one around us.
 */
static void check_nodes (const struct declaration *d)
{
    const struct profile *profile = d->stage->profile;
    const char *advice = of_programs (d->stage)
                             ? ", or put the programs on one node by node_map"
                             : "";
    int needed = d->stage->needs.nodes, nodes;

    if (needed > 1 && profile_runs_here (profile))
        field_problem (
            need_of (d, "nodes"),
            "a task of %s needs %d nodes and the jobs of profile '%s' run on "
            "this machine; choose another profile%s",
            d->name, needed, profile->name, advice);
    nodes = d->c->reader.this_host ? profile_nodes (profile) : 0;
    if (nodes > 0 && needed > nodes)
        field_problem (
            need_of (d, "nodes"),
            "a task of %s needs %d nodes and the job that this is part of has "
            "%d; run it in a job of %d nodes%s",
            d->name, needed, nodes, needed, advice);
}

/* Does a task fit a node? */
static void check_room (const struct declaration *d)
{
    const struct profile *profile = d->stage->profile;
    const struct node_capacity node =
        compilation_node (d->c, profile, &d->stage->needs);
    const struct resources *needs = &d->stage->needs;
    int ranks = stage_ranks (d->stage);

    for (enum task_need need = NEED_CORES; need < TASK_NEEDS; need++) {
        struct error err;

        if (task_need_fits (need, needs, &node, &profile->limits, &err))
            continue;
        if (of_programs (d->stage) && need != NEED_WALLTIME)
            stage_group_no_room (need_of (d, task_need_key (need)), need,
                                 d->stage, err.text);
        else
            field_problem (need_of (d, task_need_key (need)),
                           "%s in profile '%s': %s", d->name, profile->name,
                           err.text);
    }
    check_nodes (d);
    if (profile->mps && needs->gpu_share * ranks > MPS_CLIENTS_MAX)
        field_problem (need_of (d, "gpus"),
                       "%s: %d tasks of %d ranks share a GPU and MPS has at "
                       "most %d clients; give each more of a GPU, or fewer "
                       "ranks",
                       d->name, needs->gpu_share, ranks, MPS_CLIENTS_MAX);
    if (ranks > 1 && !profile->launcher)
        field_problem (
            need_of (d, "ranks"),
            "a task of %s has %d ranks and profile '%s' no launcher; "
            "add launcher: [srun, --exact, -n, \"{ranks}\"] or the like to "
            "the profile",
            d->name, ranks, profile->name);
}

/* Nothing but a launcher makes several processes of a worker. */
static void check_worker (const struct declaration *d)
{
    const struct operator_spec *op = d->stage->op;
    int ranks = stage_ranks (d->stage);

    if (op && op->worker && ranks > 1
        && strcmp (op->commands[0][0], "{launcher}") != 0)
        field_problem (need_of (d, "ranks"),
                       "a task of %s has %d ranks, and the worker of operator "
                       "'%s' is one process; begin its command with "
                       "\"{launcher}\", or write ranks: 1",
                       d->name, ranks, op->name);
}

/* `auto` needs something to begin with where others give what is asked for. */
static void check_auto (const struct declaration *d)
{
    const struct resources *needs = &d->stage->needs;
    bool elsewhere =
        d->stage->profile && !profile_runs_here (d->stage->profile);

    if (needs->memory_auto && of_programs (d->stage))
        field_problem (need_of (d, "memory"),
                       "%s: the memory of a group is the sum of its programs'; "
                       "write it in task: of each program",
                       d->name);
    else if (needs->memory_auto && needs->memory_bytes == 0 && elsewhere)
        field_problem (need_of (d, "memory"),
                       "%s: memory: auto has nothing to begin with; write "
                       "memory: {auto: 1GiB}, with what is enough, or memory: "
                       "in task: of the operator",
                       d->name);
    if (needs->walltime_auto && needs->walltime_s <= 0 && elsewhere)
        field_problem (need_of (d, "walltime"),
                       "%s: walltime: auto has nothing to begin with; write "
                       "walltime: {auto: 1h}, with what is enough, or "
                       "walltime: in task: of the operator",
                       d->name);
}

static void read_needs (const struct declaration *d)
{
    const struct yaml_node *node = field_find (d->node, "task");
    struct resources *needs = &d->stage->needs;
    size_t before = field_problems (d->key);

    if (d->stage->op) {
        *needs = d->stage->op->needs;
        stage_group_read (d->node, d->stage);
    }
    if (node)
        task_needs_read (node, needs);
    if (of_programs (d->stage))
        stage_group_complete (d->key, d->node, d->stage);
    else
        task_needs_complete (needs);
    check_auto (d);
    if (field_problems (d->key) > before)
        return;
    if (needs->cores % needs->ranks != 0)
        field_problem (need_of (d, "cores"),
                       "%s: %d cores cannot be shared evenly by %d ranks; make "
                       "cores a multiple of ranks",
                       d->name, needs->cores, needs->ranks);
    else if (needs->ranks % needs->nodes != 0)
        field_problem (need_of (d, "nodes"),
                       "%s: %d ranks cannot be shared evenly by %d nodes; make "
                       "ranks a multiple of nodes",
                       d->name, needs->ranks, needs->nodes);
    else if (d->stage->profile)
        check_room (d);
    check_worker (d);
}

/* --- the stage --- */

/* The stage before 'i' that says the name was its own, too; -1: none does. */
static int also_called (const struct plan *plan, size_t i, const char *name)
{
    for (size_t k = 0; k < i; k++) {
        const char *const *former = plan->stages[k].renamed_from;

        for (; former && *former; former++) {
            if (strcmp (*former, name) == 0)
                return (int)k;
        }
    }
    return -1;
}

/* A name stands for one history. */
static void check_former_names (struct compilation *c, size_t i)
{
    const struct plan *plan = c->plan;
    const struct stage *stage = &plan->stages[i];
    const struct yaml_node *node =
        field_find (c->stages->items[i], "renamed_from");

    for (size_t k = 0; stage->renamed_from && stage->renamed_from[k]; k++) {
        const char *name = stage->renamed_from[k];
        int other = also_called (plan, i, name);

        if (!layout_stage_name_ok (name))
            field_problem (node,
                           "stage '%s': renamed_from: '%s' is no name of a "
                           "stage; write what the stage was called before",
                           stage->name, name);
        else if (plan_stage_find (plan, name) >= 0)
            field_problem (node,
                           "stage '%s': renamed_from: '%s' is another stage of "
                           "this file; rename that one, or remove "
                           "renamed_from where the stage has long gone on "
                           "under its new name",
                           stage->name, name);
        else if (other >= 0)
            field_problem (node,
                           "stages '%s' and '%s' are both renamed_from: %s; "
                           "leave it in the one that goes on with its results",
                           plan->stages[other].name, stage->name, name);
    }
}

static void read_stage (const struct declaration *d)
{
    check_name (d);
    if (!d->stage->function)
        check_place (d);
    d->stage->success = 1;
    d->stage->publish = true;
    d->stage->reuse = true;
    retry_rules_default (d->stage->retry);
    if (stage_keys_read (d->node, d->name,
                         d->stage->function ? IN_FUNCTION : IN_STAGE, d->stage)
        < 0)
        return;
    read_uses (d);
    stage_keep_read (d->node, d->stage);
    check_image (d);
    read_profile (d);
    check_priority (d);
    read_needs (d);
}

/* DeePMD's format numbers the elements. */
static void check_publishers (struct compilation *c)
{
    for (size_t i = 0; i < c->plan->n_stages; i++) {
        const struct stage *stage = &c->plan->stages[i];

        if (stage_publishes (stage) && c->plan->n_elements == 0)
            field_no_elements (c->stages->keys[i]);
    }
}

void stage_declare (struct compilation *c, const struct yaml_node *key,
                    const struct yaml_node *node, struct stage *stage)
{
    struct arena *arena = c->reader.arena;
    const struct declaration d = { .c = c,
                                   .key = key,
                                   .node = node,
                                   .name = arena_printf (
                                       arena, "%s '%s'",
                                       stage->function ? "function" : "stage",
                                       key->text),
                                   .stage = stage };

    stage->name = arena_strdup (arena, key->text);
    stage->title = d.name;
    stage->family = stage->function ? NULL : family_of (c, key);
    read_stage (&d);
}

void stages_declare (struct compilation *c)
{
    const struct yaml_node *node = c->stages;
    struct plan *plan = c->plan;

    if (node->n == 0 || node->n > STAGES_MAX) {
        field_problem (node, "there are %zu stages; write 1 to %d of them",
                       node->n, STAGES_MAX);
        return;
    }
    plan->stages =
        arena_array (c->reader.arena, node->n, sizeof (*plan->stages));
    plan->n_stages = node->n;
    for (size_t i = 0; i < node->n; i++)
        stage_declare (c, node->keys[i], node->items[i], &plan->stages[i]);
    check_publishers (c);
    for (size_t i = 0; i < plan->n_stages; i++)
        check_former_names (c, i);
}
