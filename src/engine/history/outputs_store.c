/* SPDX-License-Identifier: BSD-3-Clause */
/* outputs_store.c - outputs.json files, cached by stage and iteration */
#include "config.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "engine/history/outputs_store.h"
#include "space/layout.h"

struct outputs_store {
    char *dir;
    struct json *cache; /* {path: outputs} */
};

struct outputs_store *outputs_store_create (const char *dir)
{
    struct outputs_store *store = xcalloc (1, sizeof (*store));

    store->dir = xstrdup (dir);
    store->cache = json_object ();
    return store;
}

void outputs_store_forget (struct outputs_store *store)
{
    if (!store)
        return;
    json_unref (store->cache);
    store->cache = json_object ();
}

void outputs_store_destroy (struct outputs_store *store)
{
    if (!store)
        return;
    json_unref (store->cache);
    free (store->dir);
    free (store);
}

static struct json *read_outputs (const char *dir, const char *relative,
                                  struct error *err)
{
    char *path = path_join (dir, relative);
    struct json *file = json_read_file (path, err);
    struct json *outputs = NULL;

    if (file && json_want_object (file, "outputs", &outputs, err) < 0)
        error_prefix (err, "%s", path);
    json_ref (outputs);
    json_unref (file);
    free (path);
    return outputs;
}

const struct json *outputs_store_get (struct outputs_store *store,
                                      const struct stage_place *place,
                                      struct error *err)
{
    struct strbuf path = STRBUF_INIT;
    struct json *outputs;

    layout_stage_path (place, LAYOUT_OUTPUTS, &path);
    outputs = json_get (store->cache, path.buf);
    if (!outputs && (outputs = read_outputs (store->dir, path.buf, err)))
        json_set (store->cache, path.buf, outputs);
    strbuf_release (&path);
    return outputs;
}
