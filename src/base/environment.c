/* SPDX-License-Identifier: BSD-3-Clause */
/* environment.c - lists of "NAME=VALUE" */
#include "base/base.h"

#include "base/environment.h"

static bool is_of (const char *entry, const char *name)
{
    size_t len = strcspn (name, "=");

    return strncmp (entry, name, len) == 0 && entry[len] == '=';
}

bool environment_has (const struct strvec *env, size_t n, const char *entry)
{
    for (size_t i = 0; i < n; i++) {
        if (is_of (env->v[i], entry))
            return true;
    }
    return false;
}

void environment_drop (struct strvec *env, const char *name)
{
    size_t left = 0;

    for (size_t i = 0; i < env->n; i++) {
        if (is_of (env->v[i], name))
            free (env->v[i]);
        else
            env->v[left++] = env->v[i];
    }
    if (left < env->n)
        env->v[left] = NULL;
    env->n = left;
}

void environment_set (struct strvec *env, const char *entry)
{
    environment_drop (env, entry);
    strvec_push (env, entry);
}
