/* SPDX-License-Identifier: BSD-3-Clause */
/* python_path.c - where the commands of an operator find Fanfold's Python
 * package
 */
#include "base/base.h"

#include "base/environment.h"
#include "base/file.h"
#include "handover/python_path.h"
#include "space/layout.h"

static const char variable[] = "PYTHONPATH=";

/* Entries of the variable are separated by colons. */
static bool is_package (const char *dir)
{
    _cleanup_free_ char *first = path_join (dir, "fanfold/__init__.py");

    return !strchr (dir, ':') && file_exists (first);
}

static char *parent_of (const char *path)
{
    size_t len = (size_t)(path_base (path) - path);

    return xstrndup (path, len > 1 ? len - 1 : len);
}

char *python_path (const char *program)
{
    _cleanup_free_ char *bin = parent_of (program);
    char *dir = path_join (bin, "python");

    if (is_package (dir))
        return dir;
    free (dir);
    dir = layout_installed (program, "python");
    if (is_package (dir))
        return dir;
    free (dir);
    return NULL;
}

static const char *value_of (const struct strvec *env)
{
    for (size_t i = 0; i < env->n; i++) {
        if (strncmp (env->v[i], variable, strlen (variable)) == 0)
            return env->v[i] + strlen (variable);
    }
    return "";
}

static bool is_among (const char *paths, const char *dir)
{
    size_t len = strlen (dir);

    for (; *paths; paths += strcspn (paths, ":"), paths += *paths == ':') {
        if (strcspn (paths, ":") == len && strncmp (paths, dir, len) == 0)
            return true;
    }
    return false;
}

void python_path_append (const char *dir, struct strvec *env)
{
    const char *before = value_of (env);
    _cleanup_free_ char *entry = NULL;

    if (!dir || is_among (before, dir))
        return;
    /* An empty entry would be the working directory. */
    entry = xasprintf ("%s%s%s%s", variable, before, before[0] ? ":" : "", dir);
    environment_set (env, entry);
}
