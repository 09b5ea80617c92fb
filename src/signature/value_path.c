/* SPDX-License-Identifier: BSD-3-Clause */
/* value_path.c - values with absolute paths */
#include "config.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/json.h"
#include "signature/value.h"

static struct json *absolute_path (const struct json *value, const char *dir)
{
    char *path = path_join (dir, json_as_string (value));
    struct json *v = json_string (path);

    free (path);
    return v;
}

/* Depth is bounded by that of values, which JSON reading bounds. */
static struct json *absolute (const struct json *value, const char *dir)
{
    struct json *v;

    switch (json_kind (value)) {
    case JSON_KIND_STRING:
        return absolute_path (value, dir);
    case JSON_KIND_ARRAY:
        v = json_array ();
        for (size_t i = 0; i < json_count (value); i++)
            json_push (v, absolute (json_at (value, i), dir));
        return v;
    case JSON_KIND_OBJECT: /* one frame of a file */
        v = json_deep_copy (value);
        if (json_get (v, "path"))
            json_set (v, "path", absolute_path (json_get (v, "path"), dir));
        return v;
    default:
        return json_deep_copy (value);
    }
}

struct json *value_absolute (const struct type *type,
                             const struct json *value,
                             const char *dir)
{
    return type_is_artifact (type) ? absolute (value, dir)
                                   : json_deep_copy (value);
}
