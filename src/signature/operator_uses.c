/* SPDX-License-Identifier: BSD-3-Clause */
/* operator_uses.c - what an operator's tasks are told beside their inputs */
#include "base/base.h"

#include "signature/group.h"
#include "signature/operator.h"
#include "signature/operator_uses.h"
#include "signature/template.h"

/* --- scripts --- */

static bool is_of_word (char c)
{
    return isalnum ((unsigned char)c) || c == '_';
}

const char *text_find_word (const char *text, const char *name)
{
    size_t len = strlen (name);
    const char *at = text;

    while ((at = strstr (at, name))) {
        if ((at == text || !is_of_word (at[-1])) && !is_of_word (at[len]))
            return at;
        at += len;
    }
    return NULL;
}

static bool is_followed (const char *at, const char *member)
{
    size_t len = strlen (member);

    return strncmp (at, member, len) == 0 && !is_of_word (at[len]);
}

static bool is_behind (const char *text, const char *at, const char *before)
{
    size_t len = strlen (before);

    return (size_t)(at - text) >= len && strncmp (at - len, before, len) == 0;
}

/* Is the word `task` at 'at' no variable: a part of task.json, or the object of
 * our Python package, but for its number?
 */
static bool is_other_task (const char *text, const char *at)
{
    const char *behind = at + strlen ("task");

    if (at > text && (at[-1] == '$' || at[-1] == '{'))
        return false;
    if (is_followed (behind, ".json"))
        return true;
    if (is_followed (behind, ".number")
        || (at > text && (at[-1] == '"' || at[-1] == '\'')))
        return false;
    return is_behind (text, at, "fanfold.")
           || strstr (text, "from fanfold import ");
}

bool script_uses (const char *text, const char *name)
{
    const char *at = text;

    bool is_task = strcmp (name, "task") == 0;

    while (at && (at = text_find_word (at, name)) && is_task
           && is_other_task (text, at))
        at += strlen (name);
    return at != NULL;
}

/* --- templates --- */

static int compare (const char *name, void *wanted, struct error *err)
{
    (void)err;
    return strcmp (name, wanted) == 0 ? -1 : 0;
}

static bool argv_uses (const char *const *argv, const char *name)
{
    for (; argv && *argv; argv++) {
        if (template_scan (*argv, compare, (void *)name, NULL) < 0)
            return true;
    }
    return false;
}

static bool argvs_use (const char *const *const *argvs, const char *name)
{
    for (; argvs && *argvs; argvs++) {
        if (argv_uses (*argvs, name))
            return true;
    }
    return false;
}

/* --- groups --- */

static bool program_uses (const struct group_program *program, const char *name)
{
    return argvs_use (program->commands, name)
           || script_uses (program->script, name)
           || argvs_use (program->setup, name)
           || argvs_use (program->exit, name)
           || argvs_use (program->instance_setup, name)
           || argvs_use (program->instance_exit, name)
           || argv_uses (program->report.command, name);
}

static bool group_uses (const struct group_spec *group, const char *name)
{
    if (!group)
        return false;
    for (size_t i = 0; i < group->n_programs; i++) {
        if (program_uses (&group->programs[i], name))
            return true;
    }
    return argvs_use (group->setup, name) || argvs_use (group->exit, name)
           || argv_uses (group->report.command, name);
}

bool operator_uses (const struct operator_spec *op, const char *name)
{
    return argvs_use (op->commands, name) || script_uses (op->script, name)
           || group_uses (op->group, name)
           || (op->reads && words_contain (op->reads, name));
}
