/* SPDX-License-Identifier: BSD-3-Clause */
/* group.c - programs that run together as one task, as JSON */
#include "base/base.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/json_record.h"
#include "signature/group.h"
#include "signature/template.h"

const char group_local_node[] = "local";

int group_node_find (const struct group_spec *group, const char *name)
{
    for (int i = 0; group->nodes[i]; i++) {
        if (strcmp (group->nodes[i], name) == 0)
            return i;
    }
    return -1;
}

const char *const *group_nodes (const struct group_program *programs, size_t n,
                                struct arena *arena)
{
    const char **nodes = arena_array (arena, n + 2, sizeof (*nodes));
    size_t named = n == 0;

    for (size_t i = 0; i < n; i++)
        named |= strcmp (programs[i].node, group_local_node) == 0;
    if (named)
        nodes[0] = group_local_node;
    for (size_t i = 0; i < n; i++) {
        if (!words_contain (nodes, programs[i].node))
            nodes[named++] = programs[i].node;
    }
    return nodes;
}

bool group_is_command (const struct group_spec *group)
{
    return group->n_programs == 1 && group->programs[0].needs.cores == 0;
}

/* --- what it needs --- */

/* Beyond any node, and sums over nodes stay far from INT_MAX. */
enum { COUNT_MAX = 1000000 };

static int to_count (int64_t n)
{
    return n < COUNT_MAX ? (int)n : COUNT_MAX;
}

/* Those of one share are together: 'sharing' is how many, by share. */
static int64_t shared_units (const int64_t sharing[SHARE_MAX + 1])
{
    int64_t units = 0;

    for (int n = 2; n <= SHARE_MAX; n++)
        units += (sharing[n] + n - 1) / n;
    return units;
}

/* Whole devices for all; or the part of one, where that is enough. */
static void sum_gpus (const struct group_spec *group, int node,
                      struct resources *sum)
{
    int64_t sharing[SHARE_MAX + 1] = { 0 };
    int64_t whole = sum->gpus, shared;
    double parts = 0;

    for (size_t i = 0; i < group->n_programs; i++) {
        const struct group_program *program = &group->programs[i];

        if (strcmp (program->node, group->nodes[node]) != 0)
            continue;
        if (program->needs.gpu_share > 1)
            sharing[program->needs.gpu_share] += program->instances;
        else
            whole += (int64_t)program->needs.gpus * program->instances;
    }
    for (int n = 2; n <= SHARE_MAX; n++)
        parts += (double)sharing[n] / n;
    shared = parts > 0 && parts <= 1 ? 1 : shared_units (sharing);
    sum->gpus = to_count (whole + shared);
    if (whole == 0 && parts > 0 && parts <= 0.5)
        sum->gpu_share = (int)(1 / parts + 1e-9);
}

struct resources group_node_needs (const struct group_spec *group, int node)
{
    struct resources sum = { .ranks = 1, .nodes = 1 };
    int64_t sharing[SHARE_MAX + 1] = { 0 };
    int64_t cores = 0;

    if (group->extras) {
        cores = group->extras[node].cores;
        sum.gpus = group->extras[node].gpus;
        sum.memory_bytes = group->extras[node].memory_bytes;
    }
    for (size_t i = 0; i < group->n_programs; i++) {
        const struct group_program *program = &group->programs[i];
        int64_t memory = program->needs.memory_bytes;

        if (strcmp (program->node, group->nodes[node]) != 0)
            continue;
        if (program->needs.core_share > 1)
            sharing[program->needs.core_share] += program->instances;
        else
            cores += (int64_t)program->needs.cores * program->instances;
        if (memory > (JSON_INT_MAX - sum.memory_bytes) / program->instances)
            sum.memory_bytes = JSON_INT_MAX;
        else
            sum.memory_bytes += memory * program->instances;
    }
    cores += shared_units (sharing);
    sum.cores = cores > 0 ? to_count (cores) : 1;
    sum_gpus (group, node, &sum);
    return sum;
}

struct resources group_needs (const struct group_spec *group)
{
    struct resources largest = { 0 };
    int n;

    for (n = 0; group->nodes[n]; n++) {
        struct resources node = group_node_needs (group, n);

        if (node.cores > largest.cores)
            largest.cores = node.cores;
        if (node.gpus > largest.gpus)
            largest.gpus = node.gpus;
        if (node.memory_bytes > largest.memory_bytes)
            largest.memory_bytes = node.memory_bytes;
        largest.gpu_share = n == 0 ? node.gpu_share : 0;
    }
    largest.ranks = largest.nodes = n;
    largest.cores *= n;
    largest.gpus *= n;
    if (largest.memory_bytes > JSON_INT_MAX / n)
        largest.memory_bytes = JSON_INT_MAX;
    else
        largest.memory_bytes *= n;
    return largest;
}

/* --- writing --- */

static void set_argvs (struct json *v, const char *key,
                       const char *const *const *argvs)
{
    if (argvs && argvs[0])
        json_set (v, key, argvs_to_json (argvs));
}

static void set_report (struct json *v, const struct report_step *report)
{
    struct json *step;

    if (!report->command)
        return;
    step = json_object ();
    json_set (step, "command", argv_to_json (report->command));
    json_set (step, "every_s", json_real (report->every_s));
    json_set (v, "report", step);
}

static struct json *program_to_json (const struct group_program *program)
{
    struct json *v = json_object ();
    struct json *each = json_object ();

    json_set (v, "name", json_string (program->name));
    json_set (v, "node", json_string (program->node));
    json_set (v, "instances", json_int (program->instances));
    if (program->needs.cores > 0)
        json_set (v, "task", resources_to_json (&program->needs));
    set_argvs (v, "setup", program->setup);
    set_argvs (v, "exit", program->exit);
    set_argvs (each, "setup", program->instance_setup);
    set_argvs (each, "exit", program->instance_exit);
    set_report (each, &program->report);
    if (json_count (each) > 0)
        json_set (v, "per_instance", json_ref (each));
    json_unref (each);
    json_set (v, "commands", argvs_to_json (program->commands));
    if (program->script)
        json_set (v, "script", json_string (program->script));
    return v;
}

struct json *group_to_json (const struct group_spec *group)
{
    struct json *v = json_object ();
    struct json *programs = json_array ();

    json_set (v, "workspace",
              json_string (group->workspace_global ? "global" : "private"));
    json_set (v, "nodes", argv_to_json (group->nodes));
    if (group->folded)
        json_set (v, "folded", argv_to_json (group->folded));
    set_argvs (v, "setup", group->setup);
    set_argvs (v, "exit", group->exit);
    set_report (v, &group->report);
    for (size_t i = 0; i < group->n_programs; i++)
        json_push (programs, program_to_json (&group->programs[i]));
    json_set (v, "programs", programs);
    return v;
}

/* --- reading --- */

/* NULL in *out where 'key' is not there. */
static int get_argvs (const struct json *v, const char *key,
                      struct arena *arena, const char *const *const **out,
                      struct error *err)
{
    *out = NULL;
    return json_get (v, key) ? json_want_argvs (v, key, arena, out, err) : 0;
}

static int get_report (const struct json *v, struct arena *arena,
                       struct report_step *report, struct error *err)
{
    struct json *step;

    if (!json_get (v, "report"))
        return 0;
    if (json_want_object (v, "report", &step, err) < 0)
        return -1;
    if (json_want_argv (step, "command", arena, &report->command, err) < 0
        || json_want_double (step, "every_s", &report->every_s, err) < 0)
        return error_prefix (err, "key 'report'");
    if (!report->command || report->every_s <= 0)
        return error_set (err, "key 'report': %s",
                          report->command ? "every_s: expected more than 0"
                                          : "command: expected a program");
    return 0;
}

static int read_instance_steps (const struct json *v, struct arena *arena,
                                struct group_program *program,
                                struct error *err)
{
    struct json *each;

    if (!json_get (v, "per_instance"))
        return 0;
    if (json_want_object (v, "per_instance", &each, err) < 0)
        return -1;
    if (get_argvs (each, "setup", arena, &program->instance_setup, err) < 0
        || get_argvs (each, "exit", arena, &program->instance_exit, err) < 0
        || get_report (each, arena, &program->report, err) < 0)
        return error_prefix (err, "key 'per_instance'");
    return 0;
}

static int read_program (const struct json *v, struct arena *arena,
                         const struct group_spec *group,
                         struct group_program *program, struct error *err)
{
    const char *name, *node;
    struct json *needs = NULL;
    int64_t instances;

    if (json_want_string (v, "name", &name, err) < 0
        || json_want_string (v, "node", &node, err) < 0
        || json_want_in (v, "instances", 1, GROUP_INSTANCES_MAX, &instances,
                         err)
               < 0
        || (json_get (v, "task")
            && json_want_object (v, "task", &needs, err) < 0))
        return -1;
    if (group_node_find (group, node) < 0)
        return error_set (err, "key 'node': there is no node '%s'", node);
    if (needs && resources_from_json (needs, &program->needs, err) < 0)
        return error_prefix (err, "key 'task'");
    program->name = arena_strdup (arena, name);
    program->node = group->nodes[group_node_find (group, node)];
    program->instances = (int)instances;
    if (get_argvs (v, "setup", arena, &program->setup, err) < 0
        || get_argvs (v, "exit", arena, &program->exit, err) < 0
        || read_instance_steps (v, arena, program, err) < 0)
        return -1;
    if (json_get (v, "script")
        && json_want_text (v, "script", arena, &program->script, err) < 0)
        return -1;
    return json_want_argvs (v, "commands", arena, &program->commands, err);
}

static int read_programs (const struct json *v, struct arena *arena,
                          struct group_spec *group, struct error *err)
{
    struct json *list;
    struct group_program *programs;

    if (json_want_array (v, "programs", &list, err) < 0)
        return -1;
    group->n_programs = json_count (list);
    programs = arena_array (arena, group->n_programs, sizeof (*programs));
    for (size_t i = 0; i < group->n_programs; i++) {
        if (read_program (json_at (list, i), arena, group, &programs[i], err)
            < 0)
            return error_prefix (err, "key 'programs': [%zu]", i);
    }
    group->programs = programs;
    return 0;
}

static int read_workspace (const struct json *v, bool *global,
                           struct error *err)
{
    const char *word;

    if (json_want_string (v, "workspace", &word, err) < 0)
        return -1;
    *global = strcmp (word, "global") == 0;
    if (!*global && strcmp (word, "private") != 0)
        return error_set (err,
                          "key 'workspace': expected private or global, got "
                          "'%s'",
                          word);
    return 0;
}

int group_from_json (const struct json *v, struct arena *arena,
                     struct group_spec *group, struct error *err)
{
    struct group_spec read = { 0 };

    if (read_workspace (v, &read.workspace_global, err) < 0
        || json_want_argv (v, "nodes", arena, &read.nodes, err) < 0)
        return -1;
    if (!read.nodes)
        return error_set (err, "key 'nodes': expected at least one");
    if (json_get (v, "folded")
        && json_want_argv (v, "folded", arena, &read.folded, err) < 0)
        return -1;
    if (get_argvs (v, "setup", arena, &read.setup, err) < 0
        || get_argvs (v, "exit", arena, &read.exit, err) < 0
        || get_report (v, arena, &read.report, err) < 0
        || read_programs (v, arena, &read, err) < 0)
        return -1;
    *group = read;
    return 0;
}
