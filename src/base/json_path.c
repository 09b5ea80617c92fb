/* SPDX-License-Identifier: BSD-3-Clause */
/* json_path.c - a value within objects: "pick.quota" */
#include "base/base.h"

#include "base/json.h"

/* The first word of a path; *rest is what follows its dot, or NULL. */
static char *first_word (const char *path, const char **rest)
{
    size_t len = strcspn (path, ".");

    *rest = path[len] ? path + len + 1 : NULL;
    return xstrndup (path, len);
}

struct json *json_get_path (const struct json *object, const char *path)
{
    struct json *value = NULL;

    for (const char *rest = path; rest; object = value) {
        _cleanup_free_ char *word = first_word (rest, &rest);

        value = json_get (object, word);
    }
    return value;
}

void json_set_path (struct json *object, const char *path, struct json *v)
{
    const char *rest;
    _cleanup_free_ char *word = first_word (path, &rest);

    if (rest) {
        const struct json *old = json_get (object, word);
        struct json *inside = json_object ();

        JSON_FOREACH (old, it)
            json_set (inside, json_iter_key (it),
                      json_ref (json_iter_value (it)));
        json_set_path (inside, rest, v);
        v = inside;
    }
    json_set (object, word, v);
}
