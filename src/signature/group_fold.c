/* SPDX-License-Identifier: BSD-3-Clause */
/* group_fold.c - the programs of some nodes on others */
#include "base/base.h"

#include "base/arena.h"
#include "signature/group.h"
#include "signature/template.h"

struct folding {
    const struct group_spec *from;
    const char *const *to; /* for each of its nodes */
    struct arena *arena;
};

/* --- {hosts.NAME} --- */

static const char *rename_host (const char *name, void *arg)
{
    struct folding *f = arg;
    int node = strncmp (name, "hosts.", 6) == 0
                   ? group_node_find (f->from, name + 6)
                   : -1;

    return node < 0 ? NULL : arena_printf (f->arena, "hosts.%s", f->to[node]);
}

static const char *const *fold_argv (struct folding *f, const char *const *argv)
{
    const char **folded;
    size_t n = 0;

    while (argv && argv[n])
        n++;
    if (n == 0)
        return argv;
    folded = arena_array (f->arena, n + 1, sizeof (*folded));
    for (size_t i = 0; i < n; i++) {
        _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

        template_rename (argv[i], rename_host, f, &text);
        folded[i] = arena_strdup (f->arena, text.buf);
    }
    return folded;
}

static const char *const *const *fold_argvs (struct folding *f,
                                             const char *const *const *argvs)
{
    const char *const **folded;
    size_t n = 0;

    while (argvs && argvs[n])
        n++;
    if (n == 0)
        return argvs;
    folded = arena_array (f->arena, n + 1, sizeof (*folded));
    for (size_t i = 0; i < n; i++)
        folded[i] = fold_argv (f, argvs[i]);
    return folded;
}

/* --- the nodes --- */

static struct group_program fold_program (struct folding *f,
                                          const struct group_program *program)
{
    struct group_program folded = *program;

    folded.node = f->to[group_node_find (f->from, program->node)];
    folded.setup = fold_argvs (f, program->setup);
    folded.exit = fold_argvs (f, program->exit);
    folded.instance_setup = fold_argvs (f, program->instance_setup);
    folded.instance_exit = fold_argvs (f, program->instance_exit);
    folded.report.command = fold_argv (f, program->report.command);
    folded.commands = fold_argvs (f, program->commands);
    return folded;
}

static void add_extra (struct resources *sum, const struct resources *extra)
{
    sum->cores += extra->cores;
    sum->gpus += extra->gpus;
    sum->memory_bytes += extra->memory_bytes;
}

/* What one node needs besides its programs, all need that went there. */
static const struct resources *fold_extras (const struct folding *f,
                                            const struct group_spec *folded)
{
    struct resources *extras;
    size_t n = 0;

    while (folded->nodes[n])
        n++;
    extras = arena_array (f->arena, n, sizeof (*extras));
    for (size_t i = 0; f->from->nodes[i]; i++)
        add_extra (&extras[group_node_find (folded, f->to[i])],
                   &f->from->extras[i]);
    return extras;
}

/* Names of hosts cannot be found in the text of a script. */
static const char *const *fold_names (const struct folding *f)
{
    const char **names;
    bool scripts = false;
    size_t n = 0;

    for (size_t i = 0; i < f->from->n_programs; i++)
        scripts = scripts || f->from->programs[i].script;
    if (!scripts)
        return NULL;
    while (f->from->nodes[n])
        n++;
    names = arena_array (f->arena, 2 * n + 1, sizeof (*names));
    for (size_t i = 0; i < n; i++) {
        names[2 * i] = f->from->nodes[i];
        names[2 * i + 1] = f->to[i];
    }
    return names;
}

struct group_spec *group_fold (const struct group_spec *group,
                               const char *const *to, struct arena *arena)
{
    struct folding f = { .from = group, .to = to, .arena = arena };
    struct group_spec *folded = arena_alloc (arena, sizeof (*folded));
    struct group_program *programs =
        arena_array (arena, group->n_programs, sizeof (*programs));

    *folded = *group;
    for (size_t i = 0; i < group->n_programs; i++)
        programs[i] = fold_program (&f, &group->programs[i]);
    folded->programs = programs;
    folded->nodes = group_nodes (programs, group->n_programs, arena);
    folded->folded = fold_names (&f);
    folded->setup = fold_argvs (&f, group->setup);
    folded->exit = fold_argvs (&f, group->exit);
    folded->report.command = fold_argv (&f, group->report.command);
    if (group->extras)
        folded->extras = fold_extras (&f, folded);
    return folded;
}
