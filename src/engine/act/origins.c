/* SPDX-License-Identifier: BSD-3-Clause */
/* origins.c - where the results come from that tasks did not have to make */
#include "base/base.h"

#include "base/json.h"
#include "engine/act/origins.h"

static const char *const keys[] = { "campaign", "stage", "iteration" };

void origins_release (struct origins *origins)
{
    for (size_t i = 0; i < origins->n; i++) {
        json_unref (origins->v[i].of);
        task_range_release (&origins->v[i].tasks);
    }
    free (origins->v);
    *origins = (struct origins){ 0 };
}

static bool is_same (const struct json *a, const struct json *b)
{
    for (size_t i = 0; i < ARRAY_SIZE (keys); i++) {
        if (!json_equal (json_get (a, keys[i]), json_get (b, keys[i])))
            return false;
    }
    return true;
}

void origins_add (struct origins *origins, const struct json *of, int32_t task)
{
    size_t i = origins->n;

    if (!of)
        return;
    while (i > 0 && !is_same (origins->v[i - 1].of, of))
        i--;
    if (i == 0) { /* a new one */
        struct json *v = json_object ();

        for (size_t k = 0; k < ARRAY_SIZE (keys); k++)
            json_set (v, keys[k], json_ref (json_get (of, keys[k])));
        origins->v = grow_array (origins->v, origins->n, &origins->alloc,
                                 sizeof (*origins->v));
        origins->v[origins->n++] = (struct origin){ v, TASK_RANGE_INIT };
        i = origins->n;
    }
    task_range_add (&origins->v[i - 1].tasks, task);
}

struct json *origins_to_json (const struct origins *origins)
{
    struct json *list = origins->n > 0 ? json_array () : NULL;

    for (size_t i = 0; i < origins->n; i++) {
        struct json *v = json_deep_copy (origins->v[i].of);

        json_set (v, "tasks", task_range_to_json (&origins->v[i].tasks));
        json_push (list, v);
    }
    return list;
}
