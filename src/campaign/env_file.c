/* SPDX-License-Identifier: BSD-3-Clause */
/* env_file.c - `env:` of a profile or an operator: variables of its jobs or
 * commands
 */
#include "base/base.h"

#include "base/arena.h"
#include "base/json.h"
#include "campaign/env_file.h"
#include "campaign/field_reader.h"
#include "campaign/launcher.h"
#include "campaign/plan.h"

/* What each task has of its own; what ends in _ is the beginning of names. */
static const struct {
    const char *name;
    const char *remedy;
} own[] = {
    { "FANFOLD_", "these names are fanfold's own; take another" },
    { "PWD", "it is the task's directory; remove it" },
    { "TMPDIR", "it is the task's directory; remove it" },
    { "OMP_NUM_THREADS",
      "it is the cores of a task by its ranks; remove it, and set cores and "
      "ranks in the task: of the stage" },
    { "OPENBLAS_NUM_THREADS",
      "it is the cores of a task by its ranks; remove it, and set cores and "
      "ranks in the task: of the stage" },
    { "CUDA_VISIBLE_DEVICES",
      "each task has GPUs of its own; remove it, and set gpus in the task: of "
      "the stage" },
    { "ROCR_VISIBLE_DEVICES",
      "each task has GPUs of its own; remove it, and set gpus in the task: of "
      "the stage" },
    { "ZE_AFFINITY_MASK",
      "each task has GPUs of its own; remove it, and set gpus in the task: of "
      "the stage" },
};

static bool is_name (const char *text)
{
    const char *at = text;

    while (isalnum ((unsigned char)*at) || *at == '_')
        at++;
    return at > text && *at == '\0' && !isdigit ((unsigned char)text[0]);
}

const char *env_own_remedy (const char *name, size_t n)
{
    for (size_t i = 0; i < ARRAY_SIZE (own); i++) {
        size_t len = strlen (own[i].name);

        if (own[i].name[len - 1] == '_'
                ? n >= len && strncmp (name, own[i].name, len) == 0
                : n == len && strncmp (name, own[i].name, len) == 0)
            return own[i].remedy;
    }
    return NULL;
}

/* 0, or -1 after recording what is wrong. */
static int check_variable_name (const struct yaml_node *key)
{
    const char *remedy;

    if (!is_name (key->text))
        return field_problem (key,
                              "env: '%s' cannot be the name of a variable; use "
                              "letters, digits and _",
                              key->text);
    remedy = env_own_remedy (key->text, strlen (key->text));
    return remedy ? field_problem (key, "env: %s: %s", key->text, remedy) : 0;
}

/* Is there an entry that the job would look up in the directory it is in? */
static bool has_relative (const char *path)
{
    for (;;) {
        size_t len = strcspn (path, ":");

        if (path[0] != '/')
            return true;
        if (path[len] == '\0')
            return false;
        path += len + 1;
    }
}

static void check_value (const struct yaml_node *node, const char *name,
                         const char *value)
{
    const char *dollar = strchr (value, '$');

    if (dollar
        && (isalpha ((unsigned char)dollar[1]) || dollar[1] == '{'
            || dollar[1] == '_'))
        field_problem (node,
                       "env: %s: '%s' is not replaced; write the value itself",
                       name, dollar);
    else if (strncmp (value, "~/", 2) == 0)
        field_warning (
            node, "env: %s: '~' is not replaced; write the whole path", name);
    else if (strcmp (name, "PATH") == 0 && has_relative (value))
        field_problem (node,
                       "env: PATH: '%s' has a directory that is not absolute; "
                       "write all of them out, with /usr/bin and /bin",
                       value);
}

/* Numbers and the like are kept as such in the recorded configuration, and may
 * be written in another way there: 010, 1.50.
 */
static void check_written (const struct yaml_node *node, const char *name)
{
    _cleanup_json_ struct json *v = yaml_to_json (node);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (json_kind (v) != JSON_KIND_STRING) {
        json_dump (v, JSON_COMPACT, &text);
        if (strcmp (text.buf, node->text) != 0)
            field_problem (node,
                           "env: %s: without quotes YAML takes %s for the "
                           "number %s; write \"%s\"",
                           name, node->text, text.buf, node->text);
    }
}

void env_read_operator (const struct yaml_node *node, void *member)
{
    struct arena *arena = field_arena (node);
    const char **env;

    if (field_any_mapping (node) < 0)
        return;
    env = arena_array (arena, node->n + 1, sizeof (*env));
    for (size_t i = 0; i < node->n; i++) {
        const char *name = node->keys[i]->text, *value = "";

        if (check_variable_name (node->keys[i]) == 0
            && field_text (node->items[i], &value) == 0) {
            check_value (node->items[i], name, value);
            check_written (node->items[i], name);
        }
        env[i] = arena_printf (arena, "%s=%s", name, value);
    }
    *(const char *const **)member = env;
}

void env_read (const struct yaml_node *node, void *record)
{
    struct profile *profile = record;

    env_read_operator (node, &profile->env);
}

/* The entry of the same variable as 'entry', or NULL. */
static const char *same_variable (const char *const *env, const char *entry)
{
    size_t len = strcspn (entry, "=");

    for (; env && *env; env++) {
        if (strncmp (*env, entry, len) == 0 && (*env)[len] == '=')
            return *env;
    }
    return NULL;
}

const char *profile_variable (const struct profile *profile, const char *name)
{
    const char *entry = same_variable (profile->env, name);

    return entry ? entry + strlen (name) + 1 : NULL;
}

static const char *const *without (struct arena *arena,
                                   const char *const *entries,
                                   const char *const *env)
{
    const char **left;
    size_t n = 0;

    while (entries[n])
        n++;
    left = arena_array (arena, n + 1, sizeof (*left));
    n = 0;
    for (; *entries; entries++) {
        if (!same_variable (env, *entries))
            left[n++] = *entries;
    }
    return left;
}

void env_over_launcher (struct arena *arena, struct profile *profile)
{
    const struct launcher_environment *all = profile->environment;
    struct launcher_environment *left;

    if (!profile->env || !all)
        return;
    left = arena_array (arena, 1, sizeof (*left));
    *left = (struct launcher_environment){
        without (arena, all->alone, profile->env),
        without (arena, all->ranks, profile->env),
        without (arena, all->not_ranks, profile->env),
    };
    profile->environment = left;
}
