/* SPDX-License-Identifier: BSD-3-Clause */
/* outputs_store.c - outputs.json files, cached by stage and iteration */
#include "base/base.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
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

/* Append to 'err' what to do about the stage that made what lies in the place.
 * -1.
 */
static int say (const struct stage_state *known, const char *stage,
                int iteration, struct error *err)
{
    struct error why = ERROR_INIT;

    if (!err)
        return -1;
    error_copy (&why, err);
    return error_set (err,
                      "%s; restore it, or run `fanfold redo %s --iteration %d`",
                      why.text, known ? known->name : stage, iteration);
}

static const struct stage_state *known_at (const struct outputs_store *store,
                                           const struct stage_place *place)
{
    return store->state ? state_stage_in (store->state, place) : NULL;
}

int outputs_store_say (const struct outputs_store *store,
                       const struct stage_place *place, struct error *err)
{
    return say (known_at (store, place), place->stage, place->iteration, err);
}

/* Is it what the stage's end told?  Without that, or without its end, it is
 * not known.
 */
static int compare (const struct stage_state *known, int iteration,
                    const struct strbuf *text, struct error *err)
{
    char hex[DIGEST_HEX_SIZE];

    if (!known || known->status != STAGE_DONE || !known->outputs)
        return 0;
    digest_bytes (text->buf, text->len, hex);
    if (strcmp (hex, known->outputs) == 0)
        return 0;
    error_set (err,
               "differs: its sha256 is %s, and was %s when the stage ended",
               hex, known->outputs);
    return say (known, known->name, iteration, err);
}

/* Of the stage in 'dir' (relative). */
static struct json *read_file (const struct outputs_store *store,
                               const char *dir, const struct stage_state *known,
                               int iteration, struct error *err)
{
    _cleanup_free_ char *path =
        xasprintf ("%s/%s/" LAYOUT_OUTPUTS, store->dir, dir);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct json *file = NULL;
    struct json *outputs;

    if (file_read (path, OUTPUTS_MAX_BYTES, &text, err) < 0)
        return NULL;
    if (compare (known, iteration, &text, err) < 0)
        error_prefix (err, "%s", path);
    else if ((file = json_parse (text.buf, text.len, path, err))
             && json_want_object (file, "outputs", &outputs, err) < 0) {
        error_prefix (err, "%s", path);
        json_unref (file);
        file = NULL;
    }
    return file;
}

struct json *outputs_store_file (const struct outputs_store *store,
                                 const struct stage_place *place,
                                 struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf dir = STRBUF_INIT;
    struct json *file;

    layout_stage_dir (place, &dir);
    file = read_file (store, dir.buf, known_at (store, place), place->iteration,
                      err);
    return file;
}

const struct json *outputs_store_get (struct outputs_store *store,
                                      int iteration, const char *stage,
                                      struct error *err)
{
    _cleanup_free_ char *dir = state_stage_dir (store->state, iteration, stage);
    struct json *outputs = dir ? json_get (store->cache, dir) : NULL, *file;

    if (!dir)
        error_set (err, "stage '%s' was not prepared in iteration %d", stage,
                   iteration);
    else if (!outputs
             && (file = read_file (store, dir,
                                   state_stage (store->state, iteration, stage),
                                   iteration, err))) {
        outputs = json_ref (json_get (file, "outputs"));
        json_set (store->cache, dir, outputs);
        json_unref (file);
    }
    return outputs;
}
