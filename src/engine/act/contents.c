/* SPDX-License-Identifier: BSD-3-Clause */
/* contents.c - digests of what artifacts hold */
#include "base/base.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/heartbeat.h"
#include "base/json.h"
#include "engine/act/contents.h"
#include "signature/operator.h"
#include "space/layout.h"

void contents_init (struct contents *contents, const char *dir,
                    const struct outputs_store *outputs, bool always,
                    const struct heartbeat *heartbeat)
{
    *contents = (struct contents){ .dir = dir,
                                   .sha256 = json_object (),
                                   .copied = json_object (),
                                   .heartbeat = heartbeat,
                                   .text = STRBUF_INIT };
    made_init (&contents->made, dir, outputs, always, heartbeat);
}

void contents_release (struct contents *contents)
{
    json_unref (contents->sha256);
    made_release (&contents->made);
    json_unref (contents->copied);
    digest_cache_release (&contents->cache);
    strbuf_release (&contents->text);
}

int contents_digest (struct contents *contents, const char *path,
                     char hex[DIGEST_HEX_SIZE], struct error *err)
{
    if (!contents->cache.known) {
        _cleanup_free_ char *file = path_join (contents->dir, LAYOUT_DIGESTS);

        digest_cache_init (&contents->cache, file, clock_wall_s ());
    }
    return digest_tree (path, hex, &contents->cache, contents->heartbeat, err);
}

void contents_keep (struct contents *contents)
{
    _cleanup_free_ char *file = path_join (contents->dir, LAYOUT_DIGESTS);

    (void)digest_cache_write (&contents->cache, file, NULL);
}

struct json *contents_of_path (struct contents *contents, const char *path,
                               struct error *err)
{
    struct json *known = json_get (contents->sha256, path);
    char hex[DIGEST_HEX_SIZE];
    char *full;
    int rc;

    if (known)
        return known;
    if (made_compare (&contents->made, path, &known, err) < 0)
        return NULL;
    if (!known) {
        full = path_join (contents->dir, path);
        rc = contents_digest (contents, full, hex, err);
        free (full);
        if (rc < 0)
            return NULL;
        known = json_string (hex);
    }
    json_set (contents->sha256, path, known);
    return known;
}

/* --- values --- */

/* What the task will find in the file that is cut out for it: whichever file it
 * is in, and wherever.
 */
static struct json *frame_contents (const struct contents *contents,
                                    const struct json *frame, struct error *err)
{
    _cleanup_free_ char *path =
        path_join (contents->dir, json_get_string (frame, "path"));
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    char hex[DIGEST_HEX_SIZE];
    int rc = file_read_range (
        path, (uint64_t)json_as_int (json_get (frame, "offset")),
        (size_t)json_as_int (json_get (frame, "bytes")), &text, err);

    if (rc == 0)
        digest_bytes (text.buf, text.len, hex);
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
        struct json *one;

        heartbeat_send (contents->heartbeat);
        one = artifact_contents (contents, json_at (value, i), err);

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
