/* SPDX-License-Identifier: BSD-3-Clause */
/* contents.c - digests of what artifacts hold */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/heartbeat.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "engine/act/contents.h"
#include "engine/history/output_artifacts.h"
#include "engine/history/outputs_store.h"
#include "signature/artifact_record.h"
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
                                   .made = json_object (),
                                   .stages = json_object (),
                                   .copied = json_object (),
                                   .heartbeat = heartbeat,
                                   .text = STRBUF_INIT };
}

void contents_release (struct contents *contents)
{
    json_unref (contents->sha256);
    json_unref (contents->made);
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

/* --- what stages made --- */

static int note_artifact (const struct output_artifact *artifact, void *arg,
                          struct error *err)
{
    struct contents *contents = arg;
    struct json *record = json_object ();

    (void)err;
    json_set (record, "sha256", json_string (artifact->sha256));
    if (artifact->files)
        json_set (record, "files", json_ref (artifact->files));
    json_set (contents->made, artifact->path, record);
    return 0;
}

/* {PATH: how it looked}; without the file it is empty. */
static struct json *read_seen (const struct contents *contents,
                               const struct stage_place *place)
{
    struct strbuf relative = STRBUF_INIT;
    struct json *file, *seen;
    char *path;

    layout_stage_path (place, LAYOUT_SEEN, &relative);
    path = path_join (contents->dir, relative.buf);
    file = json_read_file (path, NULL);
    seen = json_get (file, "seen");
    json_ref (seen);
    json_unref (file);
    free (path);
    strbuf_release (&relative);
    return seen ? seen : json_object ();
}

/* The artifacts that outputs.json at 'place' tells of, if it is there. */
static int note_stage (struct contents *contents,
                       const struct stage_place *place, struct error *err)
{
    struct strbuf dir = STRBUF_INIT;
    struct error why = ERROR_INIT;
    struct json *file = NULL;
    int rc = 0;

    layout_stage_dir (place, &dir);
    if (json_get (contents->stages, dir.buf))
        goto done;
    file = outputs_store_file (contents->outputs, place, &why);
    if (!file && !error_is_absence (&why)) {
        rc = error_copy (err, &why);
        goto done;
    }
    json_set (contents->stages, dir.buf, read_seen (contents, place));
    if (file)
        rc = output_artifacts_each (file, place, NULL, note_artifact, contents,
                                    err);
done:
    json_unref (file);
    strbuf_release (&dir);
    return rc;
}

/* The files of a task's artifact, as its result tells them. */
static void note_files (const struct contents *contents,
                        const struct space_path *at, struct json *record)
{
    const struct stage_place place = { at->name, at->code, at->iteration };
    struct strbuf out = STRBUF_INIT;
    struct json *result;
    char *path;

    layout_task_out (&place, at->task, &out);
    strbuf_add_str (&out, "/" LAYOUT_RESULT_FILE);
    path = path_join (contents->dir, out.buf);
    result = json_read_file (path, NULL);
    JSON_FOREACH (json_get (result, "artifacts"), it) {
        struct json *artifact = json_iter_value (it);
        struct json *files = json_get (artifact, "files");

        if (files
            && strcmp (json_get_string (artifact, "sha256"),
                       json_get_string (record, "sha256"))
                   == 0)
            json_set (record, "files", json_ref (files));
    }
    json_unref (result);
    free (path);
    strbuf_release (&out);
}

static int say_changed (struct contents *contents, const char *full,
                        const struct space_path *at, struct json *record,
                        int same, struct error *err)
{
    const struct stage_place place = { at->name, at->code, at->iteration };
    struct error none = ERROR_INIT;

    if (!err)
        err = &none;
    if (same < 0 && error_is_machine_error (err))
        return -1;
    if (same == 0 && at->task >= 0)
        note_files (contents, at, record);
    if (same == 0)
        artifact_say_difference (full, record, contents->heartbeat, err);
    return outputs_store_say (contents->outputs, &place, err);
}

/* Is the artifact at 'path' what was recorded of it?  It is asked once. */
static int compare (struct contents *contents, const struct space_path *at,
                    const char *path, struct json *record, struct error *err)
{
    const struct stage_place place = { at->name, at->code, at->iteration };
    struct strbuf dir = STRBUF_INIT;
    const struct json *seen;
    char *full;
    int same, rc = 0;

    if (json_get (record, "compared"))
        return 0;
    layout_stage_dir (&place, &dir);
    seen = json_get (json_get (contents->stages, dir.buf), path);
    full = path_join (contents->dir, path);
    same = artifact_is_same (full, record, seen ? json_as_string (seen) : NULL,
                             contents->always, contents->heartbeat, err);
    if (same > 0)
        json_set (record, "compared", json_bool (true));
    else
        rc = say_changed (contents, full, at, record, same, err);
    free (full);
    strbuf_release (&dir);
    return rc;
}

/* Compare the artifact that is at 'path', or that the path is in; *sha256: of
 * the path where it is the former.
 */
static int look_at_made (struct contents *contents, const char *path,
                         struct json **sha256, struct error *err)
{
    char *owner = xstrdup (path);
    struct json *record = NULL;
    struct space_path at;
    char *slash;
    int rc = 0;

    space_path_read (path, &at);
    if (at.kind == SPACE_STAGE)
        rc = note_stage (
            contents, &(struct stage_place){ at.name, at.code, at.iteration },
            err);
    while (rc == 0 && at.kind == SPACE_STAGE
           && !(record = json_get (contents->made, owner))
           && (slash = strrchr (owner, '/')))
        *slash = '\0';
    if (record)
        rc = compare (contents, &at, owner, record, err);
    if (rc == 0 && record && strcmp (owner, path) == 0)
        *sha256 = json_ref (json_get (record, "sha256"));
    free (owner);
    return rc;
}

int contents_compare (struct contents *contents, const char *path,
                      struct error *err)
{
    struct json *sha256 = NULL;
    int rc = look_at_made (contents, path, &sha256, err);

    json_unref (sha256);
    return rc;
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
    if (look_at_made (contents, path, &known, err) < 0)
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
