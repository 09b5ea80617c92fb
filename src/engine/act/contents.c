/* SPDX-License-Identifier: BSD-3-Clause */
/* contents.c - digests of what artifacts hold */
#include "config.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/heartbeat.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "engine/act/contents.h"
#include "engine/history/outputs_store.h"
#include "signature/operator.h"
#include "space/layout.h"
#include "space/layout_read.h"

void contents_init (struct contents *contents, const char *dir,
                    const struct outputs_store *outputs,
                    const struct heartbeat *heartbeat)
{
    *contents = (struct contents){ .dir = dir,
                                   .outputs = outputs,
                                   .sha256 = json_object (),
                                   .stages = json_object (),
                                   .copied = json_object (),
                                   .heartbeat = heartbeat,
                                   .text = STRBUF_INIT };
}

void contents_release (struct contents *contents)
{
    json_unref (contents->sha256);
    json_unref (contents->stages);
    json_unref (contents->copied);
    digest_cache_release (&contents->cache);
    strbuf_release (&contents->text);
}

int contents_digest (struct contents *contents, const char *path,
                     char hex[DIGEST_HEX_SIZE], struct error *err)
{
    if (!contents->cache.known) {
        char *file = path_join (contents->dir, LAYOUT_DIGESTS);

        digest_cache_init (&contents->cache, file, clock_wall_s ());
        free (file);
    }
    return digest_tree (path, hex, &contents->cache, contents->heartbeat, err);
}

void contents_keep (struct contents *contents)
{
    char *file = path_join (contents->dir, LAYOUT_DIGESTS);

    (void)digest_cache_write (&contents->cache, file, NULL);
    free (file);
}

/* 'artifact' is {bytes, sha256} of the path 'value', or a list of them. */
static void note (struct contents *contents, const struct json *value,
                  const struct json *artifact)
{
    const struct json *sha256 = json_get (artifact, "sha256");

    if (json_kind (value) == JSON_KIND_STRING && sha256)
        json_set (contents->sha256, json_as_string (value),
                  json_deep_copy (sha256));
    if (json_kind (value) != JSON_KIND_ARRAY)
        return;
    for (size_t i = 0; i < json_count (value); i++)
        note (contents, json_at (value, i), json_at (artifact, i));
}

static void note_all (struct contents *contents, const struct json *file)
{
    JSON_FOREACH (json_get (file, "artifacts"), it)
        note (contents,
              json_get (json_get (file, "outputs"), json_iter_key (it)),
              json_iter_value (it));
}

/* What outputs.json of the stage that made 'path' tells, if it is there. */
static int note_stage (struct contents *contents, const char *path,
                       struct error *err)
{
    struct error why = ERROR_INIT;
    struct strbuf dir = STRBUF_INIT;
    struct json *file = NULL;
    struct space_path at;
    int rc = 0;

    strbuf_addf (&dir, "%.*s", (int)layout_stage_dir_length (path), path);
    if (dir.len > 0 && !json_get (contents->stages, dir.buf)) {
        space_path_read (dir.buf, &at);
        file = outputs_store_file (
            contents->outputs,
            &(struct stage_place){ at.name, at.code, at.iteration }, &why);
        if (!file && !error_is_absence (&why))
            rc = error_copy (err, &why);
        else
            json_set (contents->stages, dir.buf, json_bool (true));
    }
    note_all (contents, file);
    json_unref (file);
    strbuf_release (&dir);
    return rc;
}

struct json *contents_of_path (struct contents *contents, const char *path,
                               struct error *err)
{
    struct json *known = json_get (contents->sha256, path);
    char hex[DIGEST_HEX_SIZE];
    char *full;
    int rc;

    if (!known) {
        if (note_stage (contents, path, err) < 0)
            return NULL;
        known = json_get (contents->sha256, path);
    }
    if (known)
        return known;
    full = path_join (contents->dir, path);
    rc = contents_digest (contents, full, hex, err);
    free (full);
    if (rc < 0)
        return NULL;
    json_set (contents->sha256, path, json_string (hex));
    return json_get (contents->sha256, path);
}

/* What the task will find in the file that is cut out for it: whichever file it
 * is in, and wherever.
 */
static struct json *frame_contents (const struct contents *contents,
                                    const struct json *frame, struct error *err)
{
    char *path = path_join (contents->dir, json_get_string (frame, "path"));
    struct strbuf text = STRBUF_INIT;
    char hex[DIGEST_HEX_SIZE];
    int rc = file_read_range (
        path, (uint64_t)json_as_int (json_get (frame, "offset")),
        (size_t)json_as_int (json_get (frame, "bytes")), &text, err);

    if (rc == 0)
        digest_bytes (text.buf, text.len, hex);
    strbuf_release (&text);
    free (path);
    return rc == 0 ? json_string (hex) : NULL;
}

static struct json *artifact_contents (struct contents *contents,
                                       struct json *value, struct error *err)
{
    struct json *list;

    switch (json_kind (value)) {
    case JSON_KIND_STRING:
        return json_ref (
            contents_of_path (contents, json_as_string (value), err));
    case JSON_KIND_OBJECT:
        return frame_contents (contents, value, err);
    case JSON_KIND_ARRAY:
        break;
    default:
        return json_ref (value);
    }
    list = json_array ();
    for (size_t i = 0; i < json_count (value); i++) {
        struct json *one =
            artifact_contents (contents, json_at (value, i), err);

        if (!one) {
            json_unref (list);
            return NULL;
        }
        json_push (list, one);
    }
    return list;
}

struct json *contents_of (struct contents *contents, const struct port *port,
                          struct json *value, struct error *err)
{
    return type_is_artifact (&port->type)
               ? artifact_contents (contents, value, err)
               : json_ref (value);
}

struct json *contents_of_all (struct contents *contents,
                              const struct port *ports,
                              const struct json *values, struct error *err)
{
    struct json *all = json_object ();

    for (; ports && ports->name; ports++) {
        struct json *value = json_get (values, ports->name), *v;

        if (!value)
            continue;
        heartbeat_send (contents->heartbeat);
        if (!(v = contents_of (contents, ports, value, err))) {
            error_prefix (err, "input '%s'", ports->name);
            json_unref (all);
            return NULL;
        }
        json_set (all, ports->name, v);
    }
    return all;
}
