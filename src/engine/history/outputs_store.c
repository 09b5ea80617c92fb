/* SPDX-License-Identifier: BSD-3-Clause */
/* outputs_store.c - outputs.json files, cached by stage and iteration */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "engine/history/outputs_store.h"
#include "engine/history/state.h"
#include "space/layout.h"

enum { OUTPUTS_MAX_BYTES = 1 << 30 };

struct outputs_store {
    char *dir;
    const struct state *state;
    struct json *cache; /* {path: outputs} */
};

struct outputs_store *outputs_store_create (const char *dir,
                                            const struct state *state)
{
    struct outputs_store *store = xcalloc (1, sizeof (*store));

    store->dir = xstrdup (dir);
    store->state = state;
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

int outputs_store_say (const struct outputs_store *store,
                       const struct stage_place *place, struct error *err)
{
    const struct stage_state *stage =
        store->state ? state_stage_in (store->state, place) : NULL;
    struct error why = ERROR_INIT;

    if (!err)
        return -1;
    error_copy (&why, err);
    return error_set (
        err, "%s; restore it, or run `fanfold redo %s --iteration %d`",
        why.text, stage ? stage->name : place->stage, place->iteration);
}

/* Is it what the stage's end told?  Without that, or without its end, it is
 * not known.
 */
static int compare (const struct outputs_store *store,
                    const struct stage_place *place, const struct strbuf *text,
                    struct error *err)
{
    const struct stage_state *stage =
        store->state ? state_stage_in (store->state, place) : NULL;
    char hex[DIGEST_HEX_SIZE];

    if (!stage || stage->status != STAGE_DONE || !stage->outputs)
        return 0;
    digest_bytes (text->buf, text->len, hex);
    if (strcmp (hex, stage->outputs) == 0)
        return 0;
    error_set (err,
               "differs: its sha256 is %s, and was %s when the stage ended",
               hex, stage->outputs);
    return outputs_store_say (store, place, err);
}

struct json *outputs_store_file (const struct outputs_store *store,
                                 const struct stage_place *place,
                                 struct error *err)
{
    struct strbuf relative = STRBUF_INIT, text = STRBUF_INIT;
    char *path;
    struct json *file = NULL;
    struct json *outputs;

    layout_stage_path (place, LAYOUT_OUTPUTS, &relative);
    path = path_join (store->dir, relative.buf);
    strbuf_release (&relative);
    if (file_read (path, OUTPUTS_MAX_BYTES, &text, err) < 0)
        goto done;
    if (compare (store, place, &text, err) < 0)
        error_prefix (err, "%s", path);
    else if ((file = json_parse (text.buf, text.len, path, err))
             && json_want_object (file, "outputs", &outputs, err) < 0) {
        error_prefix (err, "%s", path);
        json_unref (file);
        file = NULL;
    }
done:
    strbuf_release (&text);
    free (path);
    return file;
}

const struct json *outputs_store_get (struct outputs_store *store,
                                      const struct stage_place *place,
                                      struct error *err)
{
    struct strbuf path = STRBUF_INIT;
    struct json *outputs, *file;

    layout_stage_path (place, LAYOUT_OUTPUTS, &path);
    outputs = json_get (store->cache, path.buf);
    if (!outputs && (file = outputs_store_file (store, place, err))) {
        outputs = json_ref (json_get (file, "outputs"));
        json_set (store->cache, path.buf, outputs);
        json_unref (file);
    }
    strbuf_release (&path);
    return outputs;
}
