/* SPDX-License-Identifier: BSD-3-Clause */
/* group_file.c - `group:` and `report:` of an operator -> struct group_spec */
#include "base/base.h"

#include "base/arena.h"
#include "campaign/field_reader.h"
#include "campaign/group_file.h"
#include "campaign/script_file.h"
#include "campaign/task_fields.h"
#include "signature/group.h"
#include "signature/operator.h"
#include "signature/script.h"

enum { PROGRAMS_MAX = 256 };

/* Reports are for people: more of them would only load the node. */
static const double report_least_s = 0.1, report_default_s = 1;

static const char *const runner[] = { "{fanfold}", "group", NULL };
const char *const *const group_commands[] = { runner, NULL };

/* --- report: --- */

static void read_report (const struct yaml_node *node, void *report)
{
    static const struct field fields[] = {
        FIELD_AS (struct report_step, every_s, "every", DURATION),
        FIELD (struct report_step, command, ARGV),
        FIELDS_END,
    };
    struct report_step *read = report;

    read->every_s = report_default_s;
    if (field_record (node, "report", fields, read) < 0)
        return;
    if (!field_find (node, "command"))
        field_problem (node, "report has no command; add command: [program, "
                             "argument, ...]");
    if (read->every_s < report_least_s)
        field_problem (field_find (node, "every"),
                       "every: a report takes longer than that; write %g s or "
                       "more",
                       report_least_s);
}

/* --- programs: --- */

static void check_word (const struct yaml_node *node, const char *what,
                        const char *word)
{
    if (!word_is_name (word))
        field_problem (node,
                       "'%s' cannot be the name of a %s; use a-z, 0-9 and _, "
                       "beginning with a letter",
                       word, what);
}

static void read_node_name (const struct yaml_node *node, void *name)
{
    const char **word = name;

    if (field_text (node, word) == 0)
        check_word (node, "node", *word);
}

/* Record keys of `task:` that are said elsewhere. */
static void refuse_keys (const struct yaml_node *task,
                         const char *const (*rows)[2])
{
    for (; (*rows)[0]; rows++) {
        const struct yaml_node *value = field_find (task, (*rows)[0]);

        if (value)
            field_problem (value, "%s: %s", (*rows)[0], (*rows)[1]);
    }
}

/* The nodes of a job are asked for by one profile. */
static const char *const one_kind[][2] = {
    { "profile", "the nodes of a group are of one kind, which the stage's "
                 "profile asks for; choose one there whose nodes have what "
                 "each needs, or make programs of other nodes a stage of "
                 "their own" },
    { NULL, NULL },
};

/* Of one instance: it has a part of one node, for as long as the task runs. */
static void read_needs (const struct yaml_node *node, void *needs)
{
    static const char *const others[][2] = {
        { "walltime", "all programs of a group have the task's; write it in "
                      "task: of the operator or the stage" },
        { "nodes", "a program runs on one node; for another one write node: "
                   "NAME" },
        { NULL, NULL },
    };

    refuse_keys (node, others);
    program_needs_read (node, needs);
    if (((const struct resources *)needs)->memory_auto)
        field_problem (field_find (node, "memory"),
                       "memory: what a program of a group uses is not "
                       "measured; write a size");
}

void group_file_check_task (const struct yaml_node *task)
{
    static const char *const others[][2] = {
        { "nodes", "a group has as many nodes as its programs name; write "
                   "node: NAME in a program" },
        { "ranks", "each program of a group has its own; write task: {ranks: "
                   "N} in the program" },
        { NULL, NULL },
    };

    refuse_keys (task, others);
}

static void read_instance_steps (const struct yaml_node *node, void *program)
{
    static const struct field fields[] = {
        FIELD_AS (struct group_program, instance_setup, "setup", ARGVS),
        FIELD_AS (struct group_program, instance_exit, "exit", ARGVS),
        FIELD_BY (struct group_program, report, read_report),
        FIELDS_END,
    };

    field_record (node, "per_instance", fields, program);
}

static void read_program (const struct yaml_node *key,
                          const struct yaml_node *node,
                          struct group_program *program)
{
    static const struct field fields[] = {
        FIELD_BY (struct group_program, node, read_node_name),
        FIELD (struct group_program, instances, COUNT, .least = 1,
               .most = GROUP_INSTANCES_MAX),
        FIELD_AS (struct group_program, needs, "task", KEY_ONLY,
                  .read = read_needs),
        FIELD (struct group_program, setup, ARGVS),
        FIELD (struct group_program, exit, ARGVS),
        FIELD_BY_RECORD ("per_instance", read_instance_steps),
        FIELD_AS (struct group_program, commands, "command", ARGVS),
        FIELD_KEY ("script"),
        FIELD_KEY ("profile"),
        FIELDS_END,
    };
    const char *name =
        arena_printf (field_arena (key), "program '%s'", key->text);

    program->name = arena_strdup (field_arena (key), key->text);
    program->node = group_local_node;
    program->instances = 1;
    check_word (key, "program", key->text);
    if (field_record (node, name, fields, program) < 0)
        return;
    refuse_keys (node, one_kind);
    task_needs_complete (&program->needs);
    if (program->needs.core_share <= 1
        && program->needs.cores % program->needs.ranks != 0)
        field_problem (field_find (node, "task"),
                       "%s: %d cores cannot be shared evenly by %d ranks; make "
                       "cores a multiple of ranks",
                       name, program->needs.cores, program->needs.ranks);
    script_read_in_place (key, node, name, &program->script);
    if (program->script)
        program->commands = script_commands;
}

static void read_programs (const struct yaml_node *node, void *record)
{
    struct group_spec *group = record;
    struct group_program *programs;

    if (field_any_mapping (node) < 0)
        return;
    if (node->n > PROGRAMS_MAX) {
        field_problem (node,
                       "there are %zu programs; write at most %d, and equal "
                       "ones as instances: N of one",
                       node->n, PROGRAMS_MAX);
        return;
    }
    programs = arena_array (field_arena (node), node->n, sizeof (*programs));
    for (size_t i = 0; i < node->n; i++)
        read_program (node->keys[i], node->items[i], &programs[i]);
    group->programs = programs;
    group->n_programs = node->n;
}

/* --- the nodes --- */

/* `nodes: {far: {memory: 8GiB}}`: what a node needs besides its programs. */
static void read_extras (const struct yaml_node *node, struct group_spec *group)
{
    static const struct field fields[] = {
        FIELD (struct resources, cores, COUNT, .most = NEED_COUNT_MAX),
        FIELD (struct resources, gpus, COUNT, .most = NEED_COUNT_MAX),
        FIELD_AS (struct resources, memory_bytes, "memory", BYTES),
        FIELD_KEY ("profile"),
        FIELDS_END,
    };
    struct resources *extras;
    size_t n = 0;

    if (!node || field_any_mapping (node) < 0)
        return;
    while (group->nodes[n])
        n++;
    extras = arena_array (field_arena (node), n, sizeof (*extras));
    for (size_t i = 0; i < node->n; i++) {
        const char *word = node->keys[i]->text;
        int index = field_choose (node->keys[i], word, group->nodes, n,
                                  sizeof (*group->nodes),
                                  "nodes: no program runs on '%s'", word);

        if (index >= 0
            && field_record (node->items[i], word, fields, &extras[index]) == 0)
            refuse_keys (node->items[i], one_kind);
    }
    group->extras = extras;
}

/* --- the group --- */

static void read_workspace (const struct yaml_node *node, void *global)
{
    static const char *const words[] = { "private", "global" };
    const char *word;
    int i;

    if (field_text (node, &word) < 0)
        return;
    i = field_choose (node, word, words, ARRAY_SIZE (words), sizeof (*words),
                      "workspace: there is no workspace '%s'", word);
    *(bool *)global = i == 1;
}

const struct group_spec *group_file_read (const struct yaml_node *node)
{
    static const struct field fields[] = {
        FIELD_AS (struct group_spec, workspace_global, "workspace", KEY_ONLY,
                  .read = read_workspace),
        FIELD (struct group_spec, setup, ARGVS),
        FIELD (struct group_spec, exit, ARGVS),
        FIELD_BY (struct group_spec, report, read_report),
        FIELD_BY_RECORD ("programs", read_programs),
        FIELD_KEY ("nodes"),
        FIELDS_END,
    };
    size_t before = field_problems (node);
    struct group_spec *group =
        arena_alloc (field_arena (node), sizeof (*group));

    if (field_record (node, "group", fields, group) < 0)
        return NULL;
    if (!field_find (node, "programs"))
        field_problem (node, "group has no programs; add programs: {NAME: "
                             "{command: [program, argument, ...]}}");
    if (field_problems (node) > before)
        return NULL;
    group->nodes =
        group_nodes (group->programs, group->n_programs, field_arena (node));
    read_extras (field_find (node, "nodes"), group);
    return field_problems (node) > before ? NULL : group;
}

const struct group_spec *group_file_report (const struct yaml_node *node,
                                            const char *const *const *commands,
                                            const char *script)
{
    struct arena *arena = field_arena (node);
    size_t before = field_problems (node);
    struct group_spec *group = arena_alloc (arena, sizeof (*group));
    struct group_program *program = arena_alloc (arena, sizeof (*program));

    read_report (node, &group->report);
    *program = (struct group_program){ .name = "command",
                                       .node = group_local_node,
                                       .instances = 1,
                                       .commands = commands,
                                       .script = script };
    group->programs = program;
    group->n_programs = 1;
    group->nodes = group_nodes (program, 1, arena);
    return field_problems (node) > before ? NULL : group;
}
